//! What the caller may choose.

use crate::Transform;

/// The longest side of a VP8 frame: 14 bits.
pub const MAX_SIDE: u32 = 16383;

/// How a picture is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// 0 (smallest) to 100 (best), in libwebp's meaning; more counts as 100.
    pub quality: u8,
    /// 0 (fastest) to 6 (smallest); more counts as 6. 0 has no 4×4 modes, 1 tries them where 16×16 modes predict
    /// badly, 2 wherever they may pay; 3 to 6 give what 2 gives.
    pub effort: u8,
    /// The most bytes the frame may have: where `quality` gives more, the best that fits is sought, and where even
    /// the coarsest quantizer gives more, that is what comes out.
    pub target_len: Option<u32>,
}

impl Settings {
    /// The effort that thumbnails are made with unless something else is asked for.
    pub const DEFAULT_EFFORT: u8 = Transform::DEFAULT_EFFORT;
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { quality: 80, effort: Settings::DEFAULT_EFFORT, target_len: None }
    }
}
