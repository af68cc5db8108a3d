//! The caller's output buffer, as encoders write to it.

use crate::{Error, Format};

/// A slice filled from its start. What does not fit is counted, not written, so that the error can say how
/// much was needed.
#[derive(Debug)]
pub(crate) struct Sink<'a> {
    buffer: &'a mut [u8],
    len: usize,
    failed: bool,
}

impl<'a> Sink<'a> {
    pub(crate) const fn new(buffer: &'a mut [u8]) -> Sink<'a> {
        Sink { buffer, len: 0, failed: false }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let end = self.len.saturating_add(bytes.len());
        if let Some(place) = self.buffer.get_mut(self.len..end) {
            place.copy_from_slice(bytes);
        }
        self.len = end;
    }

    /// Notes that the encoder gave up.
    pub(crate) const fn fail(&mut self) {
        self.failed = true;
    }

    /// The bytes written.
    ///
    /// # Errors
    /// `BufferTooSmall` if they did not fit, `NotEncodable` if the encoder of `format` gave up.
    pub(crate) fn finish(self, format: Format) -> Result<usize, Error> {
        if self.len > self.buffer.len() {
            Err(Error::BufferTooSmall { needed: self.len, given: self.buffer.len() })
        } else if self.failed {
            Err(Error::NotEncodable { format })
        } else {
            Ok(self.len)
        }
    }
}

#[cfg(feature = "std")]
impl std::io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Sink::write(self, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(not(feature = "std"))]
impl jpeg_encoder::JfifWrite for Sink<'_> {
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), jpeg_encoder::EncodingError> {
        self.write(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_much_was_needed() {
        let mut buffer = [0; 4];
        let mut sink = Sink::new(&mut buffer);
        sink.write(&[1, 2, 3]);
        sink.write(&[4, 5]);
        assert_eq!(sink.finish(Format::Png), Err(Error::BufferTooSmall { needed: 5, given: 4 }));
        let mut sink = Sink::new(&mut buffer);
        sink.write(&[9; 4]);
        assert_eq!(sink.finish(Format::Png), Ok(4));
        assert_eq!(buffer, [9; 4]);
    }
}
