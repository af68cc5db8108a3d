//! One thumbnail being made: bytes pushed in, stages run one call at a time, a file out.
//!
//! push → collect (or, in one push or of a JPEG, decode) → finish: decode → settle and resize → finish → encode. See
//! [`crate::Plan`] for where each stage's bytes lie. Between calls only numbers are kept, so a session may move between
//! threads and its workspace in memory.

use crate::finish::{Extras, Scaled, finish, narrowed};
use crate::geometry::Geometry;
use crate::jpeg::Decoder;
use crate::pixels::{Decoded, PixelLayout};
use crate::plan::first;
use crate::settle::settle;
use crate::{Error, Format, Limit, Plan};
use crate::{decode, planar, resample};

/// Rows of a progressive JPEG's blocks that a call of [`Thumbnailer::finish`] transforms.
const ROWS_A_CALL: u32 = 16;

/// What [`Thumbnailer::push`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes taken from the input. All of them, unless `complete`.
    pub consumed: usize,
    /// No further byte is needed: stop the download and call [`Thumbnailer::finish`].
    pub complete: bool,
}

/// What [`Thumbnailer::finish`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// One stage is done; call again.
    More,
    /// The thumbnail stands at the start of the output buffer.
    Done(Output),
}

/// A finished thumbnail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Bytes of the output buffer it takes.
    pub len: usize,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Its format.
    pub format: Format,
    /// Whether part of the source could not be decoded.
    pub damaged: bool,
    /// Bytes of the source that were needed.
    pub bytes_used: u64,
}

/// One thumbnail being made, after a [`Plan`].
///
/// Every call is given the same workspace (the same bytes; it may have moved). An error of the source stays:
/// every later call returns it again. A call with a wrong buffer changes nothing and may be repeated.
#[derive(Debug)]
pub struct Thumbnailer {
    plan: Plan,
    /// The plan's, until pixels tell more.
    geometry: Geometry,
    stage: Stage,
    /// Of a JPEG, which is decoded as it arrives.
    decoder: Option<Decoder>,
    /// Bytes of source taken so far.
    taken: u64,
    damaged: bool,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Waiting for bytes.
    Collecting,
    /// Region A holds the whole source, or region B all that is needed of a JPEG.
    Collected,
    /// Region B holds the source's pixels.
    Decoded,
    /// Region A holds the scaled pixels; of a JPEG, region B.
    Scaled,
    /// Region B holds the finished pixels, region A the encoder's scratch; of a JPEG, the other way round.
    #[cfg(feature = "std")]
    Encoding { encoder: crate::webp::Lossy, layout: PixelLayout },
    /// The output was written.
    Done(Output),
    /// The source's error.
    Failed(Error),
}

impl Thumbnailer {
    /// Starts a thumbnail.
    pub fn new(plan: Plan) -> Thumbnailer {
        let (decoder, stage) = match plan.reading().map(|reading| reading.decoder()) {
            None => (None, Stage::Collecting),
            Some(Ok(decoder)) => (Some(decoder), Stage::Collecting),
            Some(Err(error)) => (None, Stage::Failed(error)),
        };
        Thumbnailer { geometry: plan.geometry, plan, stage, decoder, taken: 0, damaged: false }
    }

    /// Takes the next bytes of the source. `end`: they are its last.
    ///
    /// A JPEG is decoded as its bytes come, at a cost proportional to their number, and is complete with the last
    /// row that the thumbnail needs. Of other formats, where the plan was told that all bytes come in one push
    /// ([`crate::Input::contiguous`]), this decodes them where they lie; else they are copied into the workspace.
    ///
    /// # Errors
    /// Those of the source; `TooLarge` when more bytes come than the plan was told;
    /// `BufferTooSmall`, `Misaligned` and `OutOfOrder` for the caller's mistakes.
    pub fn push(&mut self, input: &[u8], end: bool, workspace: &mut [u8]) -> Result<Progress, Error> {
        let (a, b) = self.plan.regions.split(workspace)?;
        match self.stage {
            Stage::Collecting => {}
            Stage::Failed(error) => return Err(error),
            _ => return Err(Error::OutOfOrder { what: "push after the source was complete" }),
        }
        let capacity = self.plan.source_len;
        // A WebP says itself where it ends.
        let bounded = matches!(self.plan.header.format(), Format::WebP);
        let room = usize::try_from(capacity - self.taken).unwrap_or(usize::MAX);
        let taken = if bounded { &input[..input.len().min(room)] } else { input };
        if taken.len() > room {
            let needed = self.taken + input.len() as u64;
            let allowed = capacity;
            return self.fail(Error::TooLarge { limit: Limit::SourceBytes, needed, allowed });
        }
        let complete = end || (bounded && taken.len() == room);

        if self.plan.contiguous && !complete {
            return Err(Error::OutOfOrder { what: "a second push where one was announced" });
        }
        if let Some(decoder) = &mut self.decoder {
            return match decoder.push(taken, end, b) {
                Ok(progress) => {
                    self.taken += progress.consumed as u64;
                    if let Some(damage) = decoder.damage()
                        && self.plan.transform.strict
                    {
                        return self.fail(damage);
                    }
                    if progress.complete {
                        self.stage = Stage::Collected;
                    }
                    Ok(progress)
                }
                Err(error) => self.fail(error),
            };
        }
        if self.plan.contiguous {
            self.taken = taken.len() as u64;
            match decode(&self.plan, taken, b) {
                Ok(decoded) => self.decoded(decoded)?,
                Err(error) => return self.fail(error),
            }
        } else {
            let at = self.taken as usize;
            a[at..at + taken.len()].copy_from_slice(taken);
            self.taken += taken.len() as u64;
            if complete {
                self.stage = Stage::Collected;
            }
        }
        Ok(Progress { consumed: taken.len(), complete })
    }

    /// Runs the next stage. `output` takes the file; it may be empty until then, and must have
    /// [`Plan::max_output_len`] bytes for the last stage.
    ///
    /// # Errors
    /// Those of the source; `BufferTooSmall`, `Misaligned` and `OutOfOrder` for the caller's mistakes.
    pub fn finish(&mut self, workspace: &mut [u8], output: &mut [u8]) -> Result<Finish, Error> {
        let plan = &self.plan;
        let (a, b) = plan.regions.split(workspace)?;
        match self.stage {
            Stage::Collecting => Err(Error::OutOfOrder { what: "finish before the source's end was pushed" }),
            Stage::Collected => {
                if let Some(decoder) = &mut self.decoder {
                    for _ in 0..ROWS_A_CALL {
                        if decoder.render(b)? {
                            self.taken = decoder.bytes_used();
                            let damage = decoder.damage();
                            self.decoded(Decoded { damage })?;
                            break;
                        }
                    }
                    return Ok(Finish::More);
                }
                match decode(plan, &a[first(self.taken)], b) {
                    Ok(decoded) => self.decoded(decoded).map(|()| Finish::More),
                    Err(error) => self.fail(error),
                }
            }
            Stage::Decoded => match self.scale(a, b) {
                Ok(geometry) => {
                    self.geometry = geometry;
                    self.stage = Stage::Scaled;
                    Ok(Finish::More)
                }
                Err(error) => self.fail(error),
            },
            Stage::Scaled => {
                if output.len() < plan.max_output_len() {
                    let (needed, given) = (plan.max_output_len(), output.len());
                    return Err(Error::BufferTooSmall { needed, given });
                }
                let (scaled, finished) = if self.decoder.is_some() { (b, a) } else { (a, b) };
                let layout = self.upright(&scaled[first(plan.layout.len(self.geometry.scaled))], finished);
                #[cfg(feature = "std")]
                if let Some(encoder) = self.plan.encoding.begin(self.geometry.output)? {
                    self.stage = Stage::Encoding { encoder, layout };
                    return Ok(Finish::More);
                }
                let size = self.geometry.output;
                let len =
                    self.plan.encoding.encode(&finished[first(layout.len(size))], size, layout, output)?;
                Ok(self.done(len))
            }
            #[cfg(feature = "std")]
            Stage::Encoding { mut encoder, layout } => {
                if output.len() < plan.max_output_len() {
                    let (needed, given) = (plan.max_output_len(), output.len());
                    return Err(Error::BufferTooSmall { needed, given });
                }
                let (scratch, finished) = if self.decoder.is_some() { (b, a) } else { (a, b) };
                let pixels = &finished[first(layout.len(self.geometry.output))];
                match encoder.step(pixels, layout, scratch, output)? {
                    None => {
                        self.stage = Stage::Encoding { encoder, layout };
                        Ok(Finish::More)
                    }
                    Some(len) => Ok(self.done(len)),
                }
            }
            Stage::Done(output) => Ok(Finish::Done(output)),
            Stage::Failed(error) => Err(error),
        }
    }

    /// The plan this thumbnail is made after.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Settles what only pixels tell, and scales. The geometry that was carried out.
    fn scale(&self, a: &mut [u8], b: &mut [u8]) -> Result<Geometry, Error> {
        let plan = &self.plan;
        let stored = plan.source_size();
        let read = plan.scale.picture(stored);
        let Some(decoder) = &self.decoder else {
            let pixels = &b[first(plan.layout.len(read.size))];
            let geometry = settle(plan, pixels, a)?;
            resample::resample(
                plan.layout,
                pixels,
                read.size,
                plan.scale.samples(geometry.window),
                read.crop(geometry.crop),
                &mut a[first(plan.layout.len(geometry.scaled))],
                geometry.scaled,
            )?;
            return Ok(geometry);
        };
        let geometry = if plan.settles() {
            settle(plan, planar::pixels(decoder, read.size, b), a)?
        } else {
            plan.geometry
        };
        planar::scale(decoder, stored, plan.scale, &geometry, b, a)?;
        planar::convert(decoder.header().color, geometry.scaled, a, b);
        Ok(geometry)
    }

    /// Makes the finished pixels; gives their layout.
    fn upright(&self, scaled: &[u8], free: &mut [u8]) -> PixelLayout {
        let Plan { layout, encoder_layout, paint, premultiplied, .. } = self.plan;
        let geometry = &self.geometry;
        let scaled_as = Scaled { layout, size: geometry.scaled, premultiplied };
        let to = narrowed(encoder_layout, scaled_as, scaled, paint, Extras::of(geometry));
        let finished = &mut free[first(to.len(geometry.output))];
        finish(scaled_as, scaled, geometry, paint, to, finished);
        to
    }

    /// Notes that the file is written.
    const fn done(&mut self, len: usize) -> Finish {
        let (width, height) = self.geometry.output;
        let format = self.plan.encoding.format();
        let output = Output { len, width, height, format, damaged: self.damaged, bytes_used: self.taken };
        self.stage = Stage::Done(output);
        Finish::Done(output)
    }

    /// Notes what the decoder made; damage is an error where the request is strict.
    fn decoded(&mut self, Decoded { damage }: Decoded) -> Result<(), Error> {
        match damage {
            Some(error) if self.plan.transform.strict => self.fail(error),
            damage => {
                self.damaged = damage.is_some();
                self.stage = Stage::Decoded;
                Ok(())
            }
        }
    }

    fn fail<T>(&mut self, error: Error) -> Result<T, Error> {
        self.stage = Stage::Failed(error);
        Err(error)
    }
}

/// The source's pixels into region B, as small as the plan says.
fn decode(plan: &Plan, source: &[u8], b: &mut [u8]) -> Result<Decoded, Error> {
    let buffer = &mut b[first(decode::buffer_len(&plan.header, plan.scale))];
    decode::decode(&plan.header, source, plan.scale, plan.premultiplied, buffer)
}
