//! Files of the shell, folders of them, and standard input.

use crate::output::say;
use crate::shell::about;
use packscope::error::{Error, Result};
use packscope::ingest::{
    Crew, Description, File, FileKind, Ingested, Options, RecordVisitor, Source, parquet,
};
use packscope::words::count;
use std::cell::RefCell;
use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes kept from a pipe, because its beginning is read more than once: to detect, and to read.
const KEPT: usize = 4 << 20;

/// The threads that read a table side by side: one for each processor, at most.
struct Threads;

/// More of them would wait for the one that reads the disk.
const MOST_THREADS: usize = 8;

impl Crew for Threads {
    fn hands(&self) -> usize {
        std::thread::available_parallelism().map_or(1, |n| n.get().min(MOST_THREADS))
    }

    fn share(&self) -> usize {
        8 << 20
    }

    fn work<'a>(&self, mine: &mut dyn FnMut(), others: Vec<Box<dyn FnOnce() + Send + 'a>>) {
        let left = Mutex::new(others.into_iter());
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
        let help = || {
            while let Some(job) = next() {
                job();
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.hands() {
                scope.spawn(help);
            }
            mine();
            help();
        });
    }
}

/// Files that are read as one file.
pub struct Files(Vec<(String, Box<dyn Source>)>);

impl Files {
    /// Opens files, the files in folders, and standard input (`-`).
    pub fn new(paths: &[PathBuf]) -> Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            for path in inside(path)? {
                files.push((path.display().to_string(), open(&path)?));
            }
        }
        Ok(Self(files))
    }

    pub fn kind(&self, options: &Options) -> Result<FileKind> {
        parquet::kind(&self.open_files(), options, false).map_err(|error| self.name(error))
    }

    pub fn read<const K: usize>(&self, options: &Options) -> Result<Ingested<K>> {
        let go_on = &mut |_, _| ControlFlow::Continue(());
        let read = parquet::open_shared_as(&self.open_files(), options, &Threads, go_on)
            .map_err(|error| self.name(error))?;
        self.warn(&read.description);
        // After `warn`: a refused file is described, too.
        read.description
            .judge(options)
            .map_err(|error| self.name(error))?;
        Ok(read)
    }

    /// Calls back for every item, in the order of the files. Does not warn of omissions, nor name the file in errors.
    pub fn for_each_item<const K: usize>(
        &self,
        options: &Options,
        each: &mut RecordVisitor<'_>,
    ) -> Result<Description> {
        let go_on = &mut |_, _| ControlFlow::Continue(());
        // Reborrowed, since the callback of the reader must not outlive this call.
        let mut each = |size: &[u32], count| each(size, count);
        // Three components are only read on request; fewer are detected, so that pairs are found.
        let description = if K > 2 {
            let read: Ingested<K> =
                parquet::open_telling_as(&self.open_files(), options, go_on, &mut each)?;
            read.description
        } else {
            parquet::open_telling(&self.open_files(), options, K > 1, go_on, &mut each)?.description
        };
        description.judge(options)?;
        Ok(description)
    }

    /// Returns the files with their names.
    pub fn open_files(&self) -> Vec<File<'_>> {
        self.0
            .iter()
            .map(|(name, source)| File {
                name,
                source: source.as_ref(),
            })
            .collect()
    }

    /// Returns the name of a single file.
    fn called(&self) -> Option<&str> {
        match &self.0[..] {
            [(name, _)] => Some(name),
            _ => None,
        }
    }

    /// Adds the name of the file to an error about its contents.
    pub fn name(&self, error: Error) -> Error {
        match self.called() {
            Some(name) => error.within_place(name),
            None => error,
        }
    }

    /// Reports what was read and left out, as [`warn`] does.
    pub fn warn(&self, description: &Description) {
        warn(self.called(), description);
    }
}

/// Returns the files in a folder, sorted by name, or the file itself.
fn inside(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    collect(path, 0, &mut files)?;
    if files.is_empty() {
        return Err(Error::Input {
            place: path.display().to_string(),
            message:
                "there is no file in this folder, hidden files aside; expected files with lengths"
                    .to_owned(),
        });
    }
    Ok(files)
}

/// The maximum depth of nested folders; a link may lead back to a folder above.
const DEEPEST: usize = 16;

/// Adds the files in a folder and in nested ones, sorted by name; skips hidden files and markers such as `_SUCCESS`.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    let listed = std::fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let mut paths: Vec<PathBuf> = listed
        .map_err(|e| about(folder, &e))?
        .iter()
        .map(|e| e.path())
        .collect();
    paths.sort_unstable();
    for path in paths {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        // Hive names its folders `column=value`, which may begin with an underscore.
        let is_hidden = name.starts_with('.') || (name.starts_with('_') && !name.contains('='));
        if !is_hidden && path.is_dir() && depth < DEEPEST {
            collect(&path, depth + 1, files)?;
        } else if !is_hidden && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

pub fn open(path: &Path) -> Result<Box<dyn Source>> {
    if path.to_str() == Some("-") {
        return Ok(Box::new(Pipe::new(Box::new(std::io::stdin()))?));
    }
    let file = std::fs::File::open(path).map_err(|e| about(path, &e))?;
    let size = file.metadata().map_err(|e| about(path, &e))?;
    // A named pipe has no size, and cannot seek.
    if !size.is_file() {
        return Ok(Box::new(Pipe::new(Box::new(file))?));
    }
    Ok(Box::new(OnDisk {
        file: RefCell::new(file),
        size: size.len(),
    }))
}

struct OnDisk {
    file: RefCell<std::fs::File>,
    size: u64,
}

impl Source for OnDisk {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        let mut file = self.file.borrow_mut();
        let mut bytes = Vec::with_capacity(length.min(KEPT));
        let read = file
            .seek(SeekFrom::Start(at))
            .and_then(|_| file.by_ref().take(length as u64).read_to_end(&mut bytes));
        read.map_err(unreadable)?;
        Ok(bytes)
    }
}

/// A stream that is read once and in order, except that its beginning can be read again.
struct Pipe {
    head: Vec<u8>,
    /// The rest of the stream, and the number of bytes read from it.
    rest: RefCell<(Box<dyn Read>, u64)>,
}

impl Pipe {
    fn new(mut rest: Box<dyn Read>) -> Result<Self> {
        let mut head = Vec::new();
        // A pipe may return fewer bytes at a time.
        rest.by_ref()
            .take(KEPT as u64)
            .read_to_end(&mut head)
            .map_err(unreadable)?;
        let at = head.len() as u64;
        Ok(Self {
            head,
            rest: RefCell::new((rest, at)),
        })
    }
}

impl Source for Pipe {
    fn size(&self) -> u64 {
        // A short pipe is in memory as a whole, so its size is known.
        if self.head.len() < KEPT {
            self.head.len() as u64
        } else {
            u64::MAX
        }
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        if at < self.head.len() as u64 {
            return self.head.read(at, length);
        }
        let (rest, gone) = &mut *self.rest.borrow_mut();
        // In order only; formats with their contents at the end cannot be read.
        if at != *gone {
            return Err(Error::Input {
                place: "the pipe".to_owned(),
                message:
                    "this format is read from its end, which a pipe has not; save it as a file"
                        .to_owned(),
            });
        }
        let mut bytes = Vec::new();
        rest.by_ref()
            .take(length as u64)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        *gone += bytes.len() as u64;
        Ok(bytes)
    }
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn unreadable(error: std::io::Error) -> Error {
    Error::Input {
        place: "the file".to_owned(),
        message: error.to_string(),
    }
}

/// Reports on standard error the records read and left out; standard output has only figures.
pub fn warn(called: Option<&str>, description: &Description) {
    let (colon, comma) = match called {
        Some(name) => (format!("{name}: "), format!("{name}, ")),
        None => (String::new(), String::new()),
    };
    say(&format!("{colon}{}", description.account()));
    for note in &description.notes {
        say(&format!("{colon}{note}"));
    }
    for problem in &description.problems {
        say(&format!("{comma}{problem}; skipped"));
    }
    // Only the first problems are kept with their text.
    let unseen = description.skipped - description.problems.len() as u64;
    if unseen > 0 {
        say(&format!("{colon}{} more skipped", count(unseen)));
    }
}
