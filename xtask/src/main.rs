//! The developer's commands: `cargo xtask test`.

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

fn main() -> Result<()> {
    let sh = Shell::new()?;
    sh.change_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    match std::env::args().nth(1).as_deref() {
        Some("test") => test(&sh),
        other => bail!("unknown command {other:?}; try: cargo xtask test"),
    }
}

/// Everything a change must pass, cheapest first.
fn test(sh: &Shell) -> Result<()> {
    cmd!(sh, "cargo fmt --all --check").run()?;
    cmd!(sh, "cargo clippy --workspace --all-targets --all-features -- -D warnings").run()?;
    cmd!(sh, "cargo doc --no-deps --features cli").env("RUSTDOCFLAGS", "-D warnings").run()?;
    cmd!(sh, "cargo test --workspace --features cli").run()?;
    Ok(())
}
