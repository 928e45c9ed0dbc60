//! The files of the page: packed into the program when it was built, or read from a folder.

use crate::shell::about;
use flate2::read::GzDecoder;
use hyper::body::Bytes;
use packscope::error::{Error, Result};
use std::io::Read;
use std::path::Path;

/// Path and contents of every file, each packed by gzip; empty in a program that was built without the page.
static PACKED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The page that is opened where no file is named.
const INDEX: &str = "index.html";
/// Keeps the page in the browser for when there is no connection: of no use where the page comes from this machine, and
/// it would keep the data after the program has ended. The page works without it.
const UNSERVED: &str = "sw.js";
/// Maximum depth of folders; a link may lead back to a folder above.
const DEEPEST: usize = 8;

/// The page, held in memory: what is not in it cannot be served.
pub struct Page(Vec<PageFile>);

pub struct PageFile {
    path: String,
    contents: Bytes,
    /// Whether the contents are packed by gzip.
    is_packed: bool,
}

impl Page {
    /// Returns the page of a folder, or without one that of the program.
    ///
    /// # Errors
    /// [`Error::Input`] if there is no page.
    pub fn new(folder: Option<&Path>) -> Result<Self> {
        let page = match folder {
            Some(folder) => Self::in_folder(folder)?,
            None => Self::packed(),
        };
        if page.find(INDEX).is_some() {
            return Ok(page);
        }
        let (place, message) = match folder {
            Some(folder) => (
                folder.display().to_string(),
                "there is no index.html in this folder; expected the built page, as `cargo xtask dist` leaves it in dist/",
            ),
            None => (
                "packscope open".to_owned(),
                "this program was built without the page; expected a folder with the built page (--page dist), or a program that \
                 has it, as that of `pip install packscope`",
            ),
        };
        Err(Error::Input {
            place,
            message: message.to_owned(),
        })
    }

    fn packed() -> Self {
        let file = |(path, contents): &(&str, &'static [u8])| PageFile {
            path: (*path).to_owned(),
            contents: Bytes::from_static(contents),
            is_packed: true,
        };
        Self(PACKED.iter().map(file).collect())
    }

    fn in_folder(folder: &Path) -> Result<Self> {
        let mut files = Vec::new();
        collect(folder, "", 0, &mut files)?;
        Ok(Self(files))
    }

    /// Returns the file of a path from the page's folder.
    pub fn find(&self, path: &str) -> Option<&PageFile> {
        let path = if path.is_empty() { INDEX } else { path };
        self.0
            .iter()
            .find(|file| file.path == path && path != UNSERVED)
    }
}

impl PageFile {
    /// Returns the contents, and whether they are packed by gzip, which they are only where that is accepted.
    pub fn contents(&self, takes_gzip: bool) -> (Bytes, bool) {
        if !self.is_packed || takes_gzip {
            return (self.contents.clone(), self.is_packed);
        }
        let mut plain = Vec::new();
        // Packed by this program's own build, so that they can be unpacked.
        let _ = GzDecoder::new(&*self.contents).read_to_end(&mut plain);
        (plain.into(), false)
    }

    pub fn media_type(&self) -> &'static str {
        match self.path.rsplit('.').next().unwrap_or_default() {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "csv" => "text/csv; charset=utf-8",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            // Browsers compile a program while it comes only under this name.
            "wasm" => "application/wasm",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            _ => "application/octet-stream",
        }
    }
}

/// Reads all files below a folder.
fn collect(folder: &Path, from: &str, depth: usize, files: &mut Vec<PageFile>) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(|e| about(folder, &e))? {
        let place = entry.map_err(|e| about(folder, &e))?.path();
        // The page has no other names.
        let Some(name) = place.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let path = format!("{from}{name}");
        if place.is_dir() && depth < DEEPEST {
            collect(&place, &format!("{path}/"), depth + 1, files)?;
        } else if place.is_file() {
            files.push(PageFile {
                contents: std::fs::read(&place).map_err(|e| about(&place, &e))?.into(),
                path,
                is_packed: false,
            });
        }
    }
    Ok(())
}
