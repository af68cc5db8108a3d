//! What a request wants done.

/// The wanted thumbnail. Sizes are CSS pixels of the upright picture; `dpr` turns them into device pixels.
///
/// The default keeps the size and chooses the format by the source's alpha, for a client without WebP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transform {
    /// Width of the box; `None` follows from the height and the aspect ratio.
    pub width: Option<u32>,
    /// Height of the box; `None` follows from the width and the aspect ratio.
    pub height: Option<u32>,
    /// Device pixels per CSS pixel.
    pub dpr: Dpr,
    /// How the picture is laid into the box.
    pub fit: Fit,
    /// Which part stays when the picture is cropped.
    pub gravity: Gravity,
    /// 1 to 100; `None` is 80 for WebP and 82 for JPEG. PNG has none; WebP at 100 is lossless.
    pub quality: Option<u8>,
    /// 0 (fastest) to 6 (smallest) for lossy WebP; `None` is the default. Other formats have none.
    pub effort: Option<u8>,
    /// The result's format.
    pub format: FormatChoice,
    /// Whether a damaged source is an error rather than a best effort.
    pub strict: bool,
}

impl Default for Transform {
    fn default() -> Self {
        Transform {
            width: None,
            height: None,
            dpr: Dpr::ONE,
            fit: Fit::ScaleDown,
            gravity: Gravity::CENTER,
            quality: None,
            effort: None,
            format: FormatChoice::Auto { webp: false },
            strict: false,
        }
    }
}

/// How a picture is laid into the box of `width` × `height`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fit {
    /// Inside the box, never enlarged.
    #[default]
    ScaleDown,
    /// Inside the box, enlarged if smaller.
    Contain,
    /// Fills the box, cropped, enlarged if needed.
    Cover,
}

/// The point of the picture that a crop keeps: at the same fraction of the result as of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gravity {
    /// From the left edge (0) to the right ([`Gravity::ONE`]), in ten-thousandths.
    pub x: u16,
    /// From the top edge (0) to the bottom ([`Gravity::ONE`]), in ten-thousandths.
    pub y: u16,
}

impl Gravity {
    /// The right or bottom edge.
    pub const ONE: u16 = 10_000;
    /// The middle.
    pub const CENTER: Gravity = Gravity { x: 5_000, y: 5_000 };
}

/// Device pixels per CSS pixel, 1 to 4, kept in thousandths so that equal requests are equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dpr(u16);

impl Dpr {
    /// One device pixel per CSS pixel.
    pub const ONE: Dpr = Dpr(1_000);

    /// From thousandths; `None` outside 1000 to 4000.
    pub const fn from_thousandths(value: u16) -> Option<Dpr> {
        if value >= 1_000 && value <= 4_000 { Some(Dpr(value)) } else { None }
    }

    /// In thousandths, 1000 to 4000.
    pub const fn thousandths(self) -> u16 {
        self.0
    }
}

/// Which format the result has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatChoice {
    /// WebP where the client takes it; else PNG for a picture with alpha and JPEG for one without.
    Auto {
        /// Whether the client takes WebP.
        webp: bool,
    },
    /// WebP: lossless at quality 100, else lossy.
    WebP,
    /// Progressive JPEG; alpha is flattened onto white.
    Jpeg,
    /// Baseline JPEG; alpha is flattened onto white.
    BaselineJpeg,
    /// PNG.
    Png,
}
