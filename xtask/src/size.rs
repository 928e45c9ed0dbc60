//! What people download: every file of `dist/`, as it is and as brotli.

use crate::page::DIST;
use anyhow::Result;
use std::path::Path;
use xshell::Shell;

/// Prints the table.
pub fn print(sh: &Shell) -> Result<()> {
    print!("{}", table(sh)?);
    Ok(())
}

/// The table. Data sets are loaded one at a time, when chosen, and are summed up apart.
pub fn table(sh: &Shell) -> Result<String> {
    let mut files = Vec::new();
    collect(&sh.current_dir().join(DIST), &mut files)?;
    files.sort();
    let (mut total, mut data) = ((0, 0), (0, 0));
    let mut table = format!("{:>10} {:>10}  file\n", "bytes", "brotli");
    for file in files {
        let bytes = std::fs::read(&file)?;
        let size = (bytes.len(), brotli_size(&bytes)?);
        if file.components().any(|c| c.as_os_str() == "datasets") {
            data = (data.0 + size.0, data.1 + size.1);
        } else {
            total = (total.0 + size.0, total.1 + size.1);
            let name = file.file_name().unwrap_or_default().display();
            table += &format!("{:>10} {:>10}  {name}\n", size.0, size.1);
        }
    }
    table += &format!("{:>10} {:>10}  the page\n", total.0, total.1);
    table += &format!("{:>10} {:>10}  data sets, each loaded when it is chosen\n", data.0, data.1);
    Ok(table)
}

/// Adds every file of a folder and its folders.
pub fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn brotli_size(bytes: &[u8]) -> Result<usize> {
    let mut out = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
    Ok(out.len())
}
