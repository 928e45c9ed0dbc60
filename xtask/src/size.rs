//! What people download: every file of `dist/`, as it is and as brotli.

use crate::page::DIST;
use anyhow::Result;
use std::path::Path;
use xshell::Shell;

/// Prints the table. Data sets are loaded one at a time, when chosen, and are summed up apart.
pub fn print(sh: &Shell) -> Result<()> {
    let mut files = Vec::new();
    collect(&sh.current_dir().join(DIST), &mut files)?;
    files.sort();
    let (mut total, mut data) = ((0, 0), (0, 0));
    println!("{:>10} {:>10}  file", "bytes", "brotli");
    for file in files {
        let bytes = std::fs::read(&file)?;
        let size = (bytes.len(), brotli_size(&bytes)?);
        let sum = if file.components().any(|c| c.as_os_str() == "datasets") { &mut data } else { &mut total };
        *sum = (sum.0 + size.0, sum.1 + size.1);
        if std::ptr::eq(sum, &raw const total) {
            let name = file.file_name().unwrap_or_default().display();
            println!("{:>10} {:>10}  {name}", size.0, size.1);
        }
    }
    println!("{:>10} {:>10}  the page", total.0, total.1);
    println!("{:>10} {:>10}  data sets, each loaded when it is chosen", data.0, data.1);
    Ok(())
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
