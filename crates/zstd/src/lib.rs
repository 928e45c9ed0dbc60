//! What the crate `parquet` asks of the crate `zstd`, in Rust alone: see the README.

/// The levels that packing would have.
pub fn compression_level_range() -> std::ops::RangeInclusive<i32> {
    -131_072..=22
}

/// Whole frames in memory.
pub mod bulk {
    use ruzstd::decoding::FrameDecoder;
    use std::io::{self, Cursor};
    use std::marker::PhantomData;

    /// Unpacks frames.
    pub struct Decompressor<'a>(FrameDecoder, PhantomData<&'a ()>);

    impl Decompressor<'static> {
        /// A decoder, which is used again for each frame.
        ///
        /// # Errors
        /// None.
        pub fn new() -> io::Result<Self> {
            Ok(Self(FrameDecoder::new(), PhantomData))
        }
    }

    impl Decompressor<'_> {
        /// Unpacks frames behind the cursor, within the capacity of its vector; says how many bytes they have.
        ///
        /// # Errors
        /// When the frames are damaged, or longer than that.
        pub fn decompress_to_buffer(
            &mut self,
            source: &[u8],
            destination: &mut Cursor<&mut Vec<u8>>,
        ) -> io::Result<usize> {
            let at = usize::try_from(destination.position()).map_err(io::Error::other)?;
            let to = destination.get_mut();
            to.truncate(at);
            self.0.decode_all_to_vec(source, to).map_err(io::Error::other)?;
            let length = to.len() - at;
            destination.set_position((at + length) as u64);
            Ok(length)
        }
    }

    /// Packs nothing: only reading is asked for.
    pub struct Compressor<'a>(PhantomData<&'a ()>);

    impl Compressor<'static> {
        /// What would pack.
        ///
        /// # Errors
        /// None.
        pub fn new(_level: i32) -> io::Result<Self> {
            Ok(Self(PhantomData))
        }
    }

    impl Compressor<'_> {
        /// Refuses.
        ///
        /// # Errors
        /// Always.
        pub fn compress_to_buffer(
            &mut self,
            _source: &[u8],
            _destination: &mut Cursor<&mut Vec<u8>>,
        ) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "zstd is unpacked here, not packed"))
        }
    }
}

/// What is asked about frames.
pub mod zstd_safe {
    use ruzstd::decoding::FrameDecoder;

    /// A frame whose header cannot be read.
    #[derive(Debug)]
    pub struct ContentSizeError;

    /// The bytes that the first frame has unpacked, where its header says it.
    ///
    /// # Errors
    /// When the header cannot be read.
    pub fn get_frame_content_size(frame: &[u8]) -> Result<Option<u64>, ContentSizeError> {
        let mut decoder = FrameDecoder::new();
        decoder.reset(frame).map_err(|_| ContentSizeError)?;
        Ok(Some(decoder.content_size()).filter(|size| *size > 0))
    }

    /// The most bytes that packing so many could take.
    pub fn compress_bound(length: usize) -> usize {
        length + (length >> 8) + 64
    }
}
