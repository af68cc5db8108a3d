//! What is cut off the upright picture, as far as the request says it in numbers.

use super::{Rect, at_least_1, device_pixels, proportion};
use crate::{Dpr, Error, Length, Sides, Trim};

/// What is left of a picture of `upright` pixels. Borders that are yet to be found are left on.
///
/// # Errors
/// `NothingLeft`.
pub(super) fn window(upright: (u32, u32), trim: Trim, dpr: Dpr) -> Result<Rect, Error> {
    let of = |length: Length, side: u32| match length {
        Length::Pixels(pixels) => device_pixels(pixels, dpr),
        Length::Percent(hundredths) => proportion(side, hundredths.into(), Length::WHOLE.into()),
    };
    let (width, height) = upright;
    let nothing = Error::NothingLeft { width, height };
    match trim {
        Trim::None | Trim::Border { .. } => Ok(Rect::whole(upright)),
        Trim::Sides(Sides { top, right, bottom, left }) => {
            let (top, bottom) = (of(top, height), of(bottom, height));
            let (left, right) = (of(left, width), of(right, width));
            let rest =
                |side: u32, a: u32, b: u32| side.checked_sub(a)?.checked_sub(b).filter(|rest| *rest > 0);
            let width = rest(width, left, right).ok_or(nothing)?;
            let height = rest(height, top, bottom).ok_or(nothing)?;
            Ok(Rect { left, top, width, height })
        }
        Trim::Rectangle { left, top, width: wanted_width, height: wanted_height } => {
            let (left, top) = (of(left, width), of(top, height));
            let rest = |side: u32, start: u32, wanted: Option<Length>| {
                let rest = side.checked_sub(start).filter(|rest| *rest > 0)?;
                Some(wanted.map_or(rest, |wanted| at_least_1(of(wanted, side)).min(rest)))
            };
            let width = rest(width, left, wanted_width).ok_or(nothing)?;
            let height = rest(height, top, wanted_height).ok_or(nothing)?;
            Ok(Rect { left, top, width, height })
        }
    }
}
