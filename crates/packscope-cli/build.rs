//! Packs the page into the program: the files of the folder that `PACKSCOPE_EMBED` names, as `cargo xtask dist` builds it.
//! Without the variable the program has no page, and `packscope open` takes one by `--page`.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

const VARIABLE: &str = "PACKSCOPE_EMBED";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no OUT_DIR")?);
    let folder = env::var_os(VARIABLE)
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from);
    let table = match folder {
        Some(folder) => packed(&folder, &out)?,
        None => String::new(),
    };
    // An expression, included where the program has its table.
    Ok(fs::write(out.join("page.rs"), format!("&[{table}]"))?)
}

/// Packs every file of a folder, and returns the rows of the table: path, contents.
fn packed(folder: &Path, out: &Path) -> Result<String, Box<dyn Error>> {
    // A relative path would count from the folder of the crate, where nobody who builds it is.
    if !folder.is_absolute() || !folder.join("index.html").is_file() {
        let is = folder.display();
        return Err(format!(
            "{VARIABLE} is {is}; expected the absolute path of a folder with the built page (index.html)"
        )
        .into());
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort();
    let (mut table, packs) = (String::new(), out.join("page"));
    fs::create_dir_all(&packs)?;
    for (number, path) in files.iter().enumerate() {
        let pack = packs.join(format!("{number}.gz"));
        let mut packer = GzEncoder::new(fs::File::create(&pack)?, Compression::best());
        packer.write_all(&fs::read(folder.join(path))?)?;
        packer.finish()?;
        writeln!(table, "({path:?}, include_bytes!({pack:?}).as_slice()),")?;
    }
    Ok(table)
}

/// Adds the paths of all files below a folder, from there, with slashes.
fn collect(folder: &Path, from: &str, files: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().ok_or("a name of the page is not Unicode")?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{from}{name}/"), files)?;
        } else {
            files.push(format!("{from}{name}"));
        }
    }
    Ok(())
}
