//! `packscope open`: the page in the browser, with the sizes of a file loaded.
//!
//! The file is read here, as every command reads it. The page gets its sizes with their counts from the folder that it
//! comes from, as a table, and finds it by its address (`data=./opened/NAME`): of data of any size, and without a link
//! that carries them.

mod page;
mod server;

use crate::input::Input;
use crate::output::{self, say};
use crate::shell::about;
use clap::Args;
use packscope::api::limits::practical;
use packscope::error::{Error, Result};
use packscope::histogram::{Histogram, Sizes};
use packscope::ingest::{Description, FileKind, Ingested};
use packscope::words::{count, is_hidden};
use page::Page;
use server::Site;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The folder of the data, from that of the page.
const FOLDER: &str = "opened";
/// Maximum characters of the name of the data.
const NAME: usize = 60;

#[derive(Args)]
pub struct Open {
    #[command(flatten)]
    input: Input,
    /// The name of the data on the page; that of the file when left out.
    #[arg(long)]
    name: Option<String>,
    /// The settings that the page opens with, as its addresses have them behind #: 'view=ranks&limit=8192'.
    #[arg(long, default_value = "", hide_default_value = true, value_parser = settings)]
    settings: String,
    /// Opens no browser: the address is printed, to be opened by hand or by another program.
    #[arg(long)]
    no_browser: bool,
    /// The port on 127.0.0.1, as for a tunnel; a free one when left out.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// A folder with the built page, instead of the page that is packed into the program.
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
    /// Ends when standard input is closed, and so with the program that holds it.
    #[arg(long)]
    until_closed: bool,
}

/// Parses settings of the page.
///
/// # Errors
/// An error that says what is accepted: characters that an address has as they are.
fn settings(text: &str) -> std::result::Result<String, String> {
    let text = text.strip_prefix('#').unwrap_or(text);
    let fits = |c: char| c.is_ascii_graphic() && !"\"'<>\\^`{|}#".contains(c);
    if text.chars().all(fits) {
        return Ok(text.to_owned());
    }
    Err(
        "expected settings as the page's address has them behind #, such as view=ranks&limit=8192"
            .to_owned(),
    )
}

/// Serves the page until the program is ended.
///
/// # Errors
/// Errors of reading the file; [`Error::Input`] without a page, or at a port that is taken.
pub fn run(command: &Open) -> Result<String> {
    command.input.uncomputed()?;
    let is_piped = command.input.files.iter().any(|f| f.as_os_str() == "-");
    if is_piped && command.until_closed {
        return Err(Error::Input {
            place: "--until-closed".to_owned(),
            message: "standard input has the data here; expected the data in a file".to_owned(),
        });
    }
    // Before a large file is read.
    let page = Page::new(command.page.as_deref())?;
    let (sizes, description) = read(&command.input)?;
    let file = format!("{FOLDER}/{}", in_address(&name(command)));
    let mut address = opening(&sizes, &file);
    if !command.settings.is_empty() {
        address = address + "&" + &command.settings;
    }
    let site = Site::new(page, (file, table(&sizes, &description)), command.port)?;
    let url = format!("{}#{address}", site.url());
    // Standard output has the address alone, for programs.
    output::write(None, &format!("{url}\n"))?;
    say("the page is served to this machine alone, until this program is ended (Ctrl+C)");
    if !command.no_browser
        && let Err(error) = open::that_detached(&url)
    {
        say(&format!(
            "no browser could be opened ({error}): open the address in one"
        ));
    }
    if command.until_closed {
        let waiting = std::thread::Builder::new().spawn(wait_for_end);
        waiting.map_err(|error| about(Path::new("standard input"), &error))?;
    }
    site.serve()?;
    Ok(String::new())
}

/// Ends the program when standard input does.
fn wait_for_end() {
    let mut bytes = [0; 1024];
    // An error is an end, too.
    while std::io::stdin().read(&mut bytes).is_ok_and(|n| n > 0) {}
    std::process::exit(0);
}

/// Reads lengths, or the sizes of graphs or pairs, where the files have such or two columns are named.
fn read(input: &Input) -> Result<(Sizes, Description)> {
    let (files, columns) = (input.files()?, input.sizes());
    if columns.len() > 2 {
        return Err(Error::Components {
            limits: 2,
            components: columns.len(),
        });
    }
    let are_pairs = columns.len() == 2;
    let options = input.options(if columns.is_empty() {
        input.length()
    } else {
        columns
    })?;
    if are_pairs || files.kind(&options)? == FileKind::Graphs {
        let read: Ingested<2> = files.read(&options)?;
        return Ok((Sizes::Graphs(Rc::new(read.histogram)), read.description));
    }
    let read: Ingested = files.read(&options)?;
    Ok((Sizes::Lengths(Rc::new(read.histogram)), read.description))
}

/// Returns the name of the data as it may be shown.
fn name(command: &Open) -> String {
    let of_file = |path: &Path| match path.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        // A folder such as `.` or `..`.
        None => path.display().to_string(),
    };
    let name = match (&command.name, &command.input.files[..]) {
        (Some(name), _) => name.clone(),
        (None, [file]) if file.as_os_str() == "-" => "standard input".to_owned(),
        (None, [file]) => of_file(file),
        (None, [first, more @ ..]) => {
            format!("{} and {} more", of_file(first), count(more.len() as u64))
        }
        (None, []) => String::new(),
    };
    let kept = name.chars().filter(|c| !is_hidden(*c)).take(NAME);
    // Folders would end the name in an address.
    let name: String = kept
        .map(|c| if matches!(c, '/' | '\\') { '-' } else { c })
        .collect();
    if name.chars().all(|c| c == '.') {
        "data".to_owned()
    } else {
        name
    }
}

/// Writes a name as an address has it.
fn in_address(name: &str) -> String {
    let mut coded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            coded.push(char::from(byte));
        } else {
            // Writing into a string cannot fail.
            let _ = write!(coded, "%{byte:02X}");
        }
    }
    coded
}

/// Returns the settings with which the page opens the data: at a limit that suits them, as it has for a dropped file.
fn opening(sizes: &Sizes, file: &str) -> String {
    match sizes.lengths() {
        Some(lengths) => format!("data=./{file}&limit={}", practical(&lengths)),
        None => format!("view=graphs&data=./{file}"),
    }
}

/// Returns the sizes with their counts, as the page has its own data: a line of names, and one for each size.
fn table(sizes: &Sizes, description: &Description) -> String {
    fn rows<const K: usize>(histogram: &Histogram<K>, names: [String; K]) -> String {
        let mut text = names.join(",") + ",count\n";
        for (size, count) in histogram.entries() {
            for component in size {
                let _ = write!(text, "{component},");
            }
            let _ = writeln!(text, "{count}");
        }
        text
    }
    let name = |k: usize, unknown: &str| {
        let name = description.components.get(k).map_or(unknown, |name| name);
        // What would end the cell.
        name.replace([',', '\n', '\r'], " ")
    };
    match sizes {
        Sizes::Lengths(lengths) => rows(lengths, [name(0, "length")]),
        Sizes::Texts(pairs) | Sizes::Graphs(pairs) => {
            rows(pairs, [name(0, "nodes"), name(1, "edges")])
        }
    }
}
