//! zstd as a stream: frame after frame, as `zstd`, `pzstd` and concatenation make them.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, ErrorKind, Read};

pub(super) fn unpack<'r>(source: Box<dyn BufRead + 'r>) -> Box<dyn Read + 'r> {
    Box::new(Frames {
        source,
        decoder: FrameDecoder::new(),
        is_open: false,
    })
}

struct Frames<'r> {
    source: Box<dyn BufRead + 'r>,
    decoder: FrameDecoder,
    /// Whether a frame has begun and has not been read to its end.
    is_open: bool,
}

impl Read for Frames<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if to.is_empty() {
            return Ok(0);
        }
        while self.is_open || self.begin()? {
            // One block at a time: a frame may unpack to gigabytes.
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let decoded = self
                    .decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
                decoded.map_err(|error| self.damage(error))?;
            }
            let length = self.decoder.read(to)?;
            if length > 0 {
                return Ok(length);
            }
            self.end()?;
        }
        Ok(0)
    }
}

impl Frames<'_> {
    /// Begins the next frame, past skippable ones; `false` at the end.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => {
                    self.is_open = true;
                    return Ok(true);
                }
                // Skippable frames, as pzstd writes them for the sizes of its frames.
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut self.source.by_ref().take(length), &mut io::sink())? < length {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(self.damage(error)),
            }
        }
        Ok(false)
    }

    /// Compares the checksum at the end of a frame, if it has one.
    fn end(&mut self) -> io::Result<()> {
        self.is_open = false;
        let said = self.decoder.get_checksum_from_data();
        if said.is_some() && said != self.decoder.get_calculated_checksum() {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "the checksum does not match",
            ));
        }
        Ok(())
    }

    /// Returns the error for a frame that cannot be read: it ends too early, or is damaged.
    fn damage(&mut self, error: FrameDecoderError) -> io::Error {
        // The decoder reports an early end as any other error.
        match self.source.fill_buf() {
            Ok([]) => ErrorKind::UnexpectedEof.into(),
            _ => io::Error::other(error),
        }
    }
}
