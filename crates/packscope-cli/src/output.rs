//! Output of the command line: to standard output, or to a file that appears only when it is complete.
//!
//! A file is written beside its destination and moved there when it is complete, so that an error leaves the old file
//! in place. A pipe whose reader has stopped (`| head`) ends the program quietly; every other failure is an error.

use crate::shell::about;
use packscope::error::Result;
use packscope::words::{capped, visible};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

pub enum Output {
    Standard(BufWriter<io::Stdout>),
    /// A device or a pipe, which cannot be replaced.
    Device(BufWriter<File>, PathBuf),
    File(Box<Whole>),
}

/// A file that replaces its destination when it is complete.
pub struct Whole {
    out: Option<BufWriter<File>>,
    beside: PathBuf,
    place: PathBuf,
}

impl Output {
    /// Opens a file, or standard output.
    ///
    /// # Errors
    /// An error if the file cannot be written.
    pub fn open(file: Option<&Path>) -> Result<Self> {
        let Some(file) = file else {
            return Ok(Self::Standard(BufWriter::new(io::stdout())));
        };
        let opened = match fs::metadata(file) {
            Ok(found) if found.is_file() => {
                // A link is followed: renaming onto it would replace the link and leave its target
                // as it was.
                Whole::create_beside(&fs::canonicalize(file).unwrap_or_else(|_| file.into()))
            }
            // Not created anew: a device or a named pipe stays what it is.
            Ok(_) => File::options()
                .write(true)
                .open(file)
                .map(|out| Self::Device(BufWriter::new(out), file.into())),
            Err(_) => Whole::create_beside(file),
        };
        opened.map_err(|error| about(file, &error))
    }

    /// Writes the rest, and moves a file to its destination.
    ///
    /// # Errors
    /// An error if the output cannot be written; an existing file then stays as it was.
    pub fn finish(mut self) -> Result<()> {
        // Before the move, so that a full disk is noticed while the old file is there.
        let flushed = self.flush();
        let place = self.place();
        let moved = flushed.and_then(|()| match &mut self {
            Self::File(whole) => whole.put(),
            Self::Standard(_) | Self::Device(..) => Ok(()),
        });
        moved.map_err(|error| about(&place, &error))
    }

    fn place(&self) -> PathBuf {
        match self {
            Self::Standard(_) => PathBuf::from("standard output"),
            Self::Device(_, place) => place.clone(),
            Self::File(whole) => whole.place.clone(),
        }
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Self::Standard(out) => out,
            Self::Device(out, _) => out,
            Self::File(whole) => whole,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner().write(bytes);
        quietly(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner().flush();
        quietly(flushed)
    }
}

/// Ends the program if the reader of a pipe has stopped.
fn quietly<T>(written: io::Result<T>) -> io::Result<T> {
    match written {
        // 0, as a reader that has enough (`head`) is no failure.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        other => other,
    }
}

impl Whole {
    fn create_beside(place: &Path) -> io::Result<Output> {
        let name = place
            .file_name()
            .ok_or(ErrorKind::InvalidInput)?
            .to_string_lossy()
            .into_owned();
        // In the same folder, as a rename across file systems fails; with the process id, so that
        // two runs do not write one file.
        let beside = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let out = Some(BufWriter::new(File::create(&beside)?));
        Ok(Output::File(Box::new(Self {
            out,
            beside,
            place: place.to_owned(),
        })))
    }

    fn put(&mut self) -> io::Result<()> {
        // Taken, so that the file is closed before it is moved.
        if let Some(out) = self.out.take() {
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            // The new file keeps the permissions of the old one; a new one has the usual ones.
            if let Ok(found) = fs::metadata(&self.place) {
                file.set_permissions(found.permissions())?;
            }
            // Without it, a crash after the rename may leave an empty file.
            file.sync_all()?;
        }
        fs::rename(&self.beside, &self.place)
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out
            .as_mut()
            .map_or(Ok(bytes.len()), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        // After a move there is nothing left to remove, and an error is expected.
        let _ = fs::remove_file(&self.beside);
    }
}

/// Writes a text to a file, or to standard output.
///
/// # Errors
/// Errors of [`Output`].
pub fn write(file: Option<&Path>, text: &str) -> Result<()> {
    let mut out = Output::open(file)?;
    let written = out.write_all(text.as_bytes());
    written.map_err(|error| about(&out.place(), &error))?;
    out.finish()
}

/// The most characters of a message; a file may have written most of a longer one.
const LONGEST: usize = 10_000;

/// Writes a message to standard error; a failure to do so is ignored.
pub fn say(text: &str) {
    let text: String = capped(text, LONGEST).chars().map(visible).collect();
    let _ = writeln!(io::stderr(), "{text}");
}
