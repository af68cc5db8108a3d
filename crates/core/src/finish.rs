//! The thumbnail finished: turned, laid on its background, framed, its corners rounded, in the layout its encoder
//! takes.
//!
//! In: the scaled picture, as stored. Out: the result's pixels. Alpha is premultiplied when the picture was
//! resampled, straight when it was copied, and always straight in the result. No memory of its own.

use crate::blend::{bytes, div_255, flattened, is_opaque, mix, over, premultiplied, unpremultiply};
use crate::corners::{self, Corner};
use crate::geometry::{Geometry, Rect, Turn};
use crate::pixels::PixelLayout;
use crate::{Color, Format, Orientation};

/// The scaled picture: its layout, its size as stored, and its alpha.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) layout: PixelLayout,
    pub(crate) size: (u32, u32),
    pub(crate) premultiplied: bool,
}

/// The colours around and under the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    /// Under what is transparent, and around what is padded.
    pub(crate) background: Option<Color>,
    pub(crate) border: Color,
}

impl Paint {
    fn has_opaque_background(&self) -> bool {
        self.background.is_some_and(|color| color.alpha == 255)
    }
}

/// What a geometry draws besides the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extras {
    pub(crate) padding: bool,
    pub(crate) border: bool,
    pub(crate) rounded: bool,
}

impl Extras {
    pub(crate) fn of(geometry: &Geometry) -> Extras {
        Extras {
            padding: geometry.is_padded(),
            border: geometry.has_border(),
            rounded: geometry.half_radius > 0,
        }
    }

    /// Whether they leave something transparent, if the format can.
    const fn show_through(self, opaque_background: bool, border: Color) -> bool {
        self.rounded || !opaque_background && (self.padding || self.border && border.alpha < 255)
    }
}

/// Whether a result from a source with or without alpha has something transparent that was asked for: what an
/// automatic choice of the format must honour. Padding is none: it is white where there is no alpha.
pub(crate) fn wants_alpha(source_alpha: bool, paint: Paint, extras: Extras) -> bool {
    extras.rounded || source_alpha && !paint.has_opaque_background()
}

/// The layout an encoder is given for pixels decoded as `decoded`; narrower if they prove opaque ([`narrowed`]).
pub(crate) fn encoder_layout(
    decoded: PixelLayout,
    format: Format,
    lossless: bool,
    paint: Paint,
    extras: Extras,
) -> PixelLayout {
    let opaque_background = paint.has_opaque_background();
    let alpha = decoded == PixelLayout::Rgba && !opaque_background
        || extras.show_through(opaque_background, paint.border);
    let colors = decoded != PixelLayout::Grey || extras.padding || extras.border || extras.rounded;
    let vp8 = format == Format::WebP && !lossless; // has no grey
    match (alpha && format != Format::Jpeg, colors || vp8) {
        (true, _) => PixelLayout::Rgba,
        (false, true) => PixelLayout::Rgb,
        (false, false) => PixelLayout::Grey,
    }
}

/// The encoder's layout for these very pixels.
pub(crate) fn narrowed(
    planned: PixelLayout,
    scaled: Scaled,
    source: &[u8],
    paint: Paint,
    extras: Extras,
) -> PixelLayout {
    let stays = planned != PixelLayout::Rgba
        || extras.show_through(paint.has_opaque_background(), paint.border)
        || scaled.layout == PixelLayout::Rgba && !is_opaque(source);
    if stays { planned } else { PixelLayout::Rgb }
}

/// Writes the result in layout `to` (which [`encoder_layout`] or [`narrowed`] gave) into `target`.
pub(crate) fn finish(
    scaled: Scaled,
    source: &[u8],
    geometry: &Geometry,
    paint: Paint,
    to: PixelLayout,
    target: &mut [u8],
) {
    // What is seen through the picture: nothing, where the result can say so.
    let under = match (paint.background, to) {
        (background, PixelLayout::Rgba) => background,
        (None, _) => Some(Color::WHITE),
        (Some(background), _) => Some(over(background, Color::WHITE)),
    };
    if geometry.is_padded() {
        fill(target, to, under.unwrap_or(CLEAR));
    }
    let place = Place { turn: geometry.turn, at: geometry.place, width: geometry.output.0 };
    copy(scaled, source, place, under, to, target);
    let border = under.map_or(paint.border, |under| over(paint.border, under));
    frame(geometry, border, to, target);
    round(geometry, under, to, target);
}

/// Fully transparent; its colour is what [`unpremultiply`] gives too.
const CLEAR: Color = Color { red: 0, green: 0, blue: 0, alpha: 0 };

/// The scaled picture into its place, each pixel over what is under it.
fn copy(
    scaled: Scaled,
    source: &[u8],
    place: Place,
    under: Option<Color>,
    to: PixelLayout,
    target: &mut [u8],
) {
    let size = scaled.size;
    let multiply = |pixel: [u8; 4]| if scaled.premultiplied { pixel } else { premultiplied(pixel) };
    match (scaled.layout, to) {
        (PixelLayout::Grey, PixelLayout::Grey) => turn(size, source, place, target, |pixel: [u8; 1]| pixel),
        (PixelLayout::Grey, PixelLayout::Rgb) => {
            turn(size, source, place, target, |[grey]: [u8; 1]| [grey; 3]);
        }
        (PixelLayout::Grey, PixelLayout::Rgba) => {
            turn(size, source, place, target, |[grey]: [u8; 1]| [grey, grey, grey, 255]);
        }
        (PixelLayout::Rgb, PixelLayout::Rgba) => {
            turn(size, source, place, target, |[r, g, b]: [u8; 3]| [r, g, b, 255]);
        }
        (PixelLayout::Rgb, _) => turn(size, source, place, target, |pixel: [u8; 3]| pixel),
        (PixelLayout::Rgba, PixelLayout::Rgba) => match under {
            None if scaled.premultiplied => turn(size, source, place, target, unpremultiply),
            None => turn(size, source, place, target, |pixel: [u8; 4]| pixel),
            Some(under) => {
                let under = premultiplied(bytes(under));
                turn(size, source, place, target, |pixel| unpremultiply(mix(multiply(pixel), under)));
            }
        },
        (PixelLayout::Rgba, _) => {
            let under = bytes(under.unwrap_or(Color::WHITE));
            turn(size, source, place, target, |pixel| {
                let [r, g, b, _] =
                    if scaled.premultiplied { mix(pixel, under) } else { flattened(pixel, under) };
                [r, g, b]
            });
        }
    }
}

/// Every pixel of `row` becomes `color`.
fn fill(row: &mut [u8], layout: PixelLayout, color: Color) {
    let channels = layout.channels();
    for pixel in row.chunks_exact_mut(channels) {
        pixel.copy_from_slice(&bytes(color)[..channels]);
    }
}

/// The border's four stripes, and its share of the corners within it.
fn frame(geometry: &Geometry, color: Color, to: PixelLayout, target: &mut [u8]) {
    if !geometry.has_border() {
        return;
    }
    let (width, height) = (geometry.output.0 as usize, geometry.output.1 as usize);
    let border = geometry.border;
    let (left, right) = (border.left as usize, width - border.right as usize);
    let channels = to.channels();
    for (y, row) in target.chunks_exact_mut(width * channels).enumerate() {
        if (border.top as usize..height - border.bottom as usize).contains(&y) {
            fill(&mut row[..left * channels], to, color);
            fill(&mut row[right * channels..], to, color);
        } else {
            fill(row, to, color);
        }
    }
    let inner = Rect {
        left: border.left,
        top: border.top,
        width: geometry.output.0 - border.left - border.right,
        height: geometry.output.1 - border.top - border.bottom,
    };
    // As in CSS: within the border the corners are rounder by as much as it is wide.
    let within = |side: u32| geometry.half_radius.saturating_sub(2 * side);
    for corner in Corner::ALL {
        let across = within(if corner.right { border.right } else { border.left });
        let down = within(if corner.bottom { border.bottom } else { border.top });
        corners::each(inner, corner, (across, down), |x, y, cover| {
            blend(&mut target[(y * width + x) * channels..][..channels], color, cover);
        });
    }
}

/// The result's own corners.
fn round(geometry: &Geometry, under: Option<Color>, to: PixelLayout, target: &mut [u8]) {
    let width = geometry.output.0 as usize;
    let channels = to.channels();
    let radius = geometry.half_radius;
    for corner in Corner::ALL {
        corners::each(
            Rect::whole(geometry.output),
            corner,
            (radius, radius),
            |x, y, cover| match &mut target[(y * width + x) * channels..][..channels] {
                [.., alpha] if to == PixelLayout::Rgba => {
                    *alpha = div_255(u32::from(*alpha) * u32::from(cover));
                }
                pixel => blend(pixel, under.unwrap_or(Color::WHITE), cover),
            },
        );
    }
}

/// So much of `color` into a straight pixel that `cover` of it stay, of 255.
fn blend(pixel: &mut [u8], color: Color, cover: u8) {
    let share =
        |a: u8, b: u8| div_255(u32::from(a) * u32::from(cover) + u32::from(b) * u32::from(255 - cover));
    if let [r, g, b, a] = pixel {
        let (top, under) = (premultiplied([*r, *g, *b, *a]), premultiplied(bytes(color)));
        pixel.copy_from_slice(&unpremultiply(core::array::from_fn(|n| share(top[n], under[n]))));
    } else {
        for (sample, color) in pixel.iter_mut().zip(bytes(color)) {
            *sample = share(*sample, color);
        }
    }
}

/// Where a picture goes: turned, from a place of rows of `width` pixels.
#[derive(Clone, Copy)]
struct Place {
    turn: Orientation,
    at: (u32, u32),
    width: u32,
}

/// Copies the picture turned into its place, each pixel through `convert`.
fn turn<const N: usize, const M: usize>(
    size: (u32, u32),
    source: &[u8],
    place: Place,
    target: &mut [u8],
    convert: impl Fn([u8; N]) -> [u8; M],
) {
    let (source, _) = source.as_chunks::<N>();
    let (target, _) = target.as_chunks_mut::<M>();
    let (width, height) = (size.0 as usize, size.1 as usize);
    let Turn { swap, flip_x, flip_y } = Turn::of(place.turn);
    let (turned_width, turned_height) = if swap { (height, width) } else { (width, height) };
    let rows = target.chunks_exact_mut(place.width as usize).skip(place.at.1 as usize).take(turned_height);
    for (y, row) in rows.enumerate() {
        for (x, pixel) in row[place.at.0 as usize..][..turned_width].iter_mut().enumerate() {
            let (x, y) = if swap { (y, x) } else { (x, y) };
            let x = if flip_x { width - 1 - x } else { x };
            let y = if flip_y { height - 1 - y } else { y };
            *pixel = convert(source[y * width + x]);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::blend::premultiply;
    use crate::{Border, Fit, Radius, Sides, Transform};

    const PLAIN: Paint = Paint { background: None, border: Color::BLACK };

    fn geometry(size: (u32, u32), transform: &Transform) -> Geometry {
        Geometry::new(size, Orientation::Upright, transform).unwrap()
    }

    const fn scaled(layout: PixelLayout, size: (u32, u32)) -> Scaled {
        Scaled { layout, size, premultiplied: true }
    }

    /// The stored picture is 3×2: 1 2 3 over 4 5 6. What EXIF says of rows and columns, written out by hand.
    #[test]
    fn all_eight_orientations() {
        let stored = [1, 2, 3, 4, 5, 6];
        let upright: [[u8; 6]; 8] = [
            [1, 2, 3, 4, 5, 6],
            [3, 2, 1, 6, 5, 4],
            [6, 5, 4, 3, 2, 1],
            [4, 5, 6, 1, 2, 3],
            [1, 4, 2, 5, 3, 6],
            [4, 1, 5, 2, 6, 3],
            [6, 3, 5, 2, 4, 1],
            [3, 6, 2, 5, 1, 4],
        ];
        for (orientation, want) in Orientation::ALL.into_iter().zip(upright) {
            let mut target = [0; 6];
            let turned = geometry((3, 2), &Transform { turn: orientation, ..Transform::DEFAULT });
            let scaled = scaled(PixelLayout::Grey, (3, 2));
            finish(scaled, &stored, &turned, PLAIN, PixelLayout::Grey, &mut target);
            assert_eq!(target, want, "{orientation:?}");
        }
    }

    #[test]
    fn flattening_before_and_after_premultiplying_agree() {
        let layout = PixelLayout::Rgba;
        for alpha in [0, 1, 77, 128, 254, 255] {
            for sample in [0, 1, 100, 255] {
                let straight = [sample, sample, sample, alpha];
                let mut multiplied = straight;
                premultiply(&mut multiplied);
                let (mut a, mut b) = (vec![0; 3], vec![0; 3]);
                let upright = scaled(layout, (1, 1));
                let pixel = geometry((1, 1), &Transform::DEFAULT);
                for background in [None, Some(Color { red: 200, green: 0, blue: 90, alpha: 255 })] {
                    let paint = Paint { background, ..PLAIN };
                    let copied = Scaled { premultiplied: false, ..upright };
                    finish(copied, &straight, &pixel, paint, PixelLayout::Rgb, &mut a);
                    finish(upright, &multiplied, &pixel, paint, PixelLayout::Rgb, &mut b);
                    let off = a.iter().zip(&b).map(|(a, b)| a.abs_diff(*b)).max();
                    assert!(off <= Some(1), "{straight:?}: {a:?} and {b:?}");
                }
            }
        }
    }

    /// 2×1 padded to 4×3, a border of 1 at the left and 2 at the bottom: every pixel by hand.
    #[test]
    fn padding_and_border_lie_around_the_picture() {
        let transform = Transform {
            width: Some(4),
            height: Some(3),
            fit: Fit::Pad,
            border: Border { color: Color::BLACK, widths: Sides { left: 1, bottom: 2, ..Sides::default() } },
            ..Transform::DEFAULT
        };
        let geometry = geometry((4, 1), &transform);
        assert_eq!((geometry.output, geometry.place, geometry.scaled), ((5, 5), (1, 1), (4, 1)));
        let (extras, layout) = (Extras::of(&geometry), PixelLayout::Rgb);
        let row = |pixels: [&[u8]; 5]| pixels.concat();
        let (b, w, c) = (&[0, 0, 0][..], &[255, 255, 255][..], &[0, 255, 0][..]);
        let source = [[10, 20, 30], [40, 50, 60], [70, 80, 90], [1, 2, 3]].concat();
        let picture = row([b, &source[..3], &source[3..6], &source[6..9], &source[9..]]);
        for (background, pad) in [(None, w), (Some(Color { red: 0, green: 255, blue: 0, alpha: 255 }), c)] {
            let paint = Paint { background, ..PLAIN };
            assert_eq!(encoder_layout(PixelLayout::Rgb, Format::Jpeg, false, paint, extras), layout);
            let mut target = vec![77; 75];
            finish(scaled(layout, (4, 1)), &source, &geometry, paint, layout, &mut target);
            let padding = row([b, pad, pad, pad, pad]);
            assert_eq!(target, [&padding[..], &picture, &padding, &[0; 30]].concat());
        }
        // With alpha the padding is transparent, and half a background half opaque.
        let half = Color { red: 100, green: 0, blue: 0, alpha: 128 };
        for (background, pad) in [(None, [0; 4]), (Some(half), [100, 0, 0, 128])] {
            let paint = Paint { background, ..PLAIN };
            assert_eq!(encoder_layout(layout, Format::Png, true, paint, extras), PixelLayout::Rgba);
            let mut target = vec![77; 100];
            finish(scaled(layout, (4, 1)), &source, &geometry, paint, PixelLayout::Rgba, &mut target);
            assert_eq!(target[..8], [&[0, 0, 0, 255][..], &pad].concat());
            assert_eq!(target[24..28], [10, 20, 30, 255]);
        }
    }

    /// The middle stays, the corners go: transparent, or the colour under the picture.
    #[test]
    fn rounded_corners_show_what_is_under_them() {
        let transform = Transform { radius: Radius::Max, ..Transform::DEFAULT };
        let geometry = geometry((20, 20), &transform);
        let source = vec![50; 20 * 20 * 3];
        let red = Color { red: 255, green: 0, blue: 0, alpha: 255 };
        let finished = |background, to: PixelLayout| {
            let mut target = vec![77; 400 * to.channels()];
            let paint = Paint { background, ..PLAIN };
            finish(scaled(PixelLayout::Rgb, (20, 20)), &source, &geometry, paint, to, &mut target);
            let at = |n: usize| target[n * to.channels()..][..to.channels()].to_vec();
            (at(0), at(10 * 20 + 10), at(399))
        };
        let middle = vec![50, 50, 50];
        assert_eq!(finished(None, PixelLayout::Rgb), (vec![255; 3], middle.clone(), vec![255; 3]));
        assert_eq!(finished(Some(red), PixelLayout::Rgb), (vec![255, 0, 0], middle, vec![255, 0, 0]));
        let (corner, middle, _) = finished(Some(red), PixelLayout::Rgba);
        assert_eq!((corner[3], middle), (0, vec![50, 50, 50, 255]));
    }

    /// A border follows the corner: along the diagonal come nothing, border, picture.
    #[test]
    fn a_border_is_round_inside_and_outside() {
        let widths = Sides { top: 5, right: 5, bottom: 5, left: 5 };
        let transform = Transform {
            radius: Radius::Pixels(20),
            border: Border { color: Color { red: 9, green: 8, blue: 7, alpha: 255 }, widths },
            ..Transform::DEFAULT
        };
        let geometry = geometry((60, 60), &transform);
        assert_eq!(geometry.output, (70, 70));
        let source = vec![200; 60 * 60 * 3];
        let paint = Paint { background: None, border: transform.border.color };
        let mut target = vec![0; 70 * 70 * 4];
        let layout = PixelLayout::Rgb;
        finish(scaled(layout, (60, 60)), &source, &geometry, paint, PixelLayout::Rgba, &mut target);
        // The circles' middle is at (20, 20): on the diagonal the outer one passes at 20 − 20/√2 = 5.86, the inner one
        // at 20 − 15/√2 = 9.39.
        let at = |n: usize| <[u8; 4]>::try_from(&target[(n * 70 + n) * 4..][..4]).unwrap();
        for n in 0..5 {
            assert_eq!(at(n)[3], 0, "{n}");
        }
        for n in 7..9 {
            assert_eq!(at(n), [9, 8, 7, 255], "{n}");
        }
        for n in 10..35 {
            assert_eq!(at(n), [200, 200, 200, 255], "{n}");
        }
    }

    /// What the format is chosen by, and what the encoder is given.
    #[test]
    fn alpha_is_kept_where_something_shows_through() {
        let none = Extras { padding: false, border: false, rounded: false };
        let rounded = Extras { rounded: true, ..none };
        let padding = Extras { padding: true, ..none };
        let opaque = Paint { background: Some(Color::BLACK), ..PLAIN };
        assert!(wants_alpha(true, PLAIN, none) && wants_alpha(false, opaque, rounded));
        assert!(!wants_alpha(true, opaque, none) && !wants_alpha(false, PLAIN, padding));
        let png = |decoded, paint, extras| encoder_layout(decoded, Format::Png, true, paint, extras);
        assert_eq!(png(PixelLayout::Rgba, PLAIN, none), PixelLayout::Rgba);
        assert_eq!(png(PixelLayout::Rgba, opaque, none), PixelLayout::Rgb);
        assert_eq!(png(PixelLayout::Grey, PLAIN, none), PixelLayout::Grey);
        assert_eq!(png(PixelLayout::Grey, PLAIN, padding), PixelLayout::Rgba);
        assert_eq!(png(PixelLayout::Grey, opaque, padding), PixelLayout::Rgb);
        let jpeg = |decoded, extras| encoder_layout(decoded, Format::Jpeg, false, PLAIN, extras);
        assert_eq!(jpeg(PixelLayout::Rgba, rounded), PixelLayout::Rgb);
        assert_eq!(jpeg(PixelLayout::Grey, none), PixelLayout::Grey);
        assert_eq!(encoder_layout(PixelLayout::Grey, Format::WebP, false, PLAIN, none), PixelLayout::Rgb);
    }
}
