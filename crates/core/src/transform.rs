//! What a request wants done.

use crate::Orientation;

/// The wanted thumbnail. Sizes are CSS pixels of the upright picture; `dpr` turns them into device pixels.
///
/// What is done, in this order: the picture is turned upright (EXIF), trimmed, fitted into the box (`fit`, `gravity`;
/// `pad` extends it), turned as `turn` says, laid on the background, framed by the border, and its corners rounded.
/// So `trim` and `gravity` speak of the upright picture; `width` and `height` of the axes after `turn`, as do the
/// border's sides.
///
/// The default keeps the size and chooses the format by the source's alpha, for a client without WebP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transform {
    /// Width of the box; `None` follows from the height and the aspect ratio.
    pub width: Option<u32>,
    /// Height of the box; `None` follows from the width and the aspect ratio.
    pub height: Option<u32>,
    /// Device pixels per CSS pixel: multiplies the box, and whatever else is given in pixels.
    pub dpr: Dpr,
    /// How the picture is laid into the box.
    pub fit: Fit,
    /// Which part stays when the picture is cropped, and where it lies when it is padded.
    pub gravity: Gravity,
    /// What is cut off before everything else.
    pub trim: Trim,
    /// How the fitted picture is turned: a flip, a rotation, or a flip and then a rotation ([`Orientation::then`]).
    pub turn: Orientation,
    /// What lies under transparent pixels and around a padded picture; `None` is transparent where the result's
    /// format has alpha, else white.
    pub background: Option<Color>,
    /// Stripes around the fitted picture, which add to its size.
    pub border: Border,
    /// How the corners are rounded, the border's included.
    pub radius: Radius,
    /// How much larger than the result the source is read.
    pub speed: Speed,
    /// 1 to 100; `None` is 80 for WebP and 82 for JPEG. PNG has none; WebP at 100 is lossless.
    pub quality: Option<u8>,
    /// 0 (fastest) to 6 (smallest) for lossy WebP; `None` is the default. Other formats have none.
    pub effort: Option<u8>,
    /// The result's format.
    pub format: FormatChoice,
    /// Whether a damaged source is an error rather than a best effort.
    pub strict: bool,
}

impl Transform {
    /// The effort of a lossy WebP unless another is asked for.
    pub const DEFAULT_EFFORT: u8 = 2;

    /// What [`Transform::default`] gives.
    pub const DEFAULT: Transform = Transform {
        width: None,
        height: None,
        dpr: Dpr::ONE,
        fit: Fit::ScaleDown,
        gravity: Gravity::CENTER,
        trim: Trim::None,
        turn: Orientation::Upright,
        background: None,
        border: Border::NONE,
        radius: Radius::NONE,
        speed: Speed::Balanced,
        quality: None,
        effort: None,
        format: FormatChoice::Auto { webp: false },
        strict: false,
    };
}

impl Default for Transform {
    fn default() -> Self {
        Transform::DEFAULT
    }
}

/// How a picture is laid into the box of `width` × `height`. With one side only, the picture's own shape makes
/// the box: what would crop, pad or distort then only enlarges ([`Fit::Contain`]) or does not ([`Fit::ScaleDown`]).
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
    /// As [`Fit::Cover`] where the picture is larger than the box; where a side is smaller, that side stays whole
    /// and nothing is scaled: 1080×720 in 1296×500 is its middle, 1080×500.
    Crop,
    /// Cropped to the box's shape, then scaled down to it, never up: 612×613 in 1920×1120 is 612×357.
    AspectCrop,
    /// As [`Fit::Contain`], then extended to the box.
    Pad,
    /// Exactly the box, distorted.
    Squeeze,
}

/// Which part of the upright picture a crop keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gravity {
    /// The point that stays at the same fraction of the result as of the source.
    Point(FocalPoint),
    /// The part with the most to see: edges, saturated colours, skin. Where nothing is cropped, the middle.
    Auto,
}

impl Gravity {
    /// The middle.
    pub const CENTER: Gravity = Gravity::Point(FocalPoint::CENTER);
}

/// A point of a picture as fractions of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FocalPoint {
    /// From the left edge (0) to the right ([`FocalPoint::ONE`]), in ten-thousandths.
    pub x: u16,
    /// From the top edge (0) to the bottom ([`FocalPoint::ONE`]), in ten-thousandths.
    pub y: u16,
}

impl FocalPoint {
    /// The right or bottom edge.
    pub const ONE: u16 = 10_000;
    /// The middle.
    pub const CENTER: FocalPoint = FocalPoint { x: 5_000, y: 5_000 };
}

/// What is cut off the upright picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trim {
    /// Nothing.
    #[default]
    None,
    /// So much from each side.
    Sides(Sides<Length>),
    /// Everything outside a rectangle.
    Rectangle {
        /// Cut off at the left.
        left: Length,
        /// Cut off at the top.
        top: Length,
        /// What stays, at most to the right edge; `None` is all of it.
        width: Option<Length>,
        /// What stays, at most to the bottom edge; `None` is all of it.
        height: Option<Length>,
    },
    /// Rows and columns of one colour, as far as they reach from each side.
    Border {
        /// The colour; `None` is that of the upright picture's first pixel.
        color: Option<Color>,
        /// By how much each sample may differ from it.
        tolerance: u8,
        /// Pixels of it that stay.
        keep: u32,
    },
}

impl Trim {
    /// The tolerance that [`Trim::Border`] has where none is given.
    pub const TOLERANCE: u8 = 10;
}

/// A length on the source: device pixels are a fixed number of its pixels, percent follow its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Pixels, multiplied by [`Dpr`].
    Pixels(u32),
    /// Hundredths of a percent of the upright picture's side, up to [`Length::WHOLE`].
    Percent(u16),
}

impl Length {
    /// 100 %.
    pub const WHOLE: u16 = 10_000;
    /// Nothing.
    pub const ZERO: Length = Length::Pixels(0);
}

/// One thing for each side of a rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides<T> {
    /// At the top.
    pub top: T,
    /// At the right.
    pub right: T,
    /// At the bottom.
    pub bottom: T,
    /// At the left.
    pub left: T,
}

/// A colour of sRGB, not premultiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// 0 is transparent, 255 opaque.
    pub alpha: u8,
}

impl Color {
    /// Opaque black.
    pub const BLACK: Color = Color { red: 0, green: 0, blue: 0, alpha: 255 };
    /// Opaque white.
    pub const WHITE: Color = Color { red: 255, green: 255, blue: 255, alpha: 255 };
}

/// Stripes of one colour around the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// Their colour.
    pub color: Color,
    /// Their widths in CSS pixels.
    pub widths: Sides<u32>,
}

impl Border {
    /// No border.
    pub const NONE: Border =
        Border { color: Color::BLACK, widths: Sides { top: 0, right: 0, bottom: 0, left: 0 } };
}

/// How corners are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radius {
    /// By a circle of this radius in CSS pixels, at most half the shorter side; 0 is not at all.
    Pixels(u32),
    /// By half the shorter side: a square becomes a circle.
    Max,
}

impl Radius {
    /// Square corners.
    pub const NONE: Radius = Radius::Pixels(0);
}

/// How much larger than the result the source is read before it is resized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Speed {
    /// At least twice as large, if the source is.
    #[default]
    Balanced,
    /// At least as large: less work, and softer.
    Fast,
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
