//! The measuring script at toy size: checks that it runs, that it measures what it claims, and that its JSON has the
//! fields listed in `tools/measure_speedup/README.md`.

use crate::tools;
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

const SCRIPT: &str = "tools/measure_speedup/measure.py";
const MODELS: [&str; 2] = ["bert-large", "llama-1b"];
const DATA: [&str; 2] = ["wikipedia_bert_512", "squad_1_1_bert_384"];
const METHODS: [&str; 5] = [
    "padded",
    "sorted",
    "packed-dense",
    "packed-block",
    "unpadded",
];

/// PyTorch for CPUs: PyPI's version for Linux brings gigabytes for GPUs.
const INDEX: &str = "https://download.pytorch.org/whl/cpu";

/// Runs the script on the CPU and checks its output.
pub fn measuring_script(sh: &Shell) -> Result<()> {
    let python = with_torch(sh)?;
    let folder = sh.create_temp_dir()?;
    let out = folder.path().join("toy.json");
    cmd!(
        sh,
        "{python} {SCRIPT} --device cpu --toy --check --out {out}"
    )
    // Small tensors do not benefit from threads, and lose much if others use the cores.
    .env("OMP_NUM_THREADS", "1")
    .env("PYTHONDONTWRITEBYTECODE", "1")
    .run()
    .context("the measuring script fails at toy size")?;
    judge(&sh.read_file(out)?)
}

/// Returns a Python that has PyTorch; installs one if there is none.
pub fn with_torch(sh: &Shell) -> Result<PathBuf> {
    let own = tools::folder()?.join("torch-cpu");
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    // The second is Debian's: its PyTorch is not seen by another Python that comes first on PATH.
    let usual = ["python3", "/usr/bin/python3"].map(PathBuf::from);
    let there = named
        .into_iter()
        .chain(usual)
        .chain([interpreter(&own)])
        .find(|p| has_torch(sh, p));
    if let Some(python) = there {
        return Ok(python);
    }
    // Kept for the message: if apt fails too, both reasons are told.
    let Err(pip) = from_index(sh, &own) else {
        return Ok(interpreter(&own));
    };
    let debian = PathBuf::from("/usr/bin/python3");
    match tools::apt_install(sh, &["python3-torch"]) {
        Ok(()) if has_torch(sh, &debian) => Ok(debian),
        apt => bail!(
            "no Python has PyTorch: install it (`pip install torch`, or on Debian `apt install python3-torch`), and \
             name that Python in PYTHON if it is not python3 (by pip: {pip:#}; by apt: {})",
            apt.err()
                .map_or("it does not import".to_owned(), |error| format!(
                    "{error:#}"
                ))
        ),
    }
}

fn has_torch(sh: &Shell, python: &Path) -> bool {
    cmd!(sh, "{python} -c 'import torch'")
        .quiet()
        .ignore_stdout()
        .ignore_stderr()
        .run()
        .is_ok()
}

pub fn interpreter(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    })
}

/// Installs PyTorch from its own index into a new environment.
fn from_index(sh: &Shell, own: &Path) -> Result<()> {
    // A leftover of a Python that is gone, or of an interrupted installation.
    sh.remove_path(own)?;
    tools::once("torch-cpu", |root| {
        environment(sh, Path::new("python3"), root, &[])?;
        // If that index is unreachable, Debian's version is used.
        pip(sh, root, &["--retries", "2", "torch", "--index-url", INDEX])
    })?;
    Ok(())
}

pub fn environment(sh: &Shell, python: &Path, root: &Path, options: &[&str]) -> Result<()> {
    Ok(cmd!(sh, "{python} -m venv {options...} {root}").run()?)
}

/// Installs into an environment. On a slow connection, pip continues interrupted downloads and keeps finished ones.
pub fn pip(sh: &Shell, root: &Path, what: &[&str]) -> Result<()> {
    let python = interpreter(root);
    let quietly = ["--quiet", "--disable-pip-version-check", "--timeout", "60"];
    Ok(cmd!(sh, "{python} -m pip install {quietly...} {what...}").run()?)
}

#[derive(Deserialize)]
struct Report {
    toy: bool,
    torch: String,
    date: String,
    measurements: Vec<Measurement>,
    unavailable: Vec<Unavailable>,
    check: Vec<Proof>,
}

#[derive(Deserialize)]
struct Measurement {
    model: String,
    data: String,
    limit: u64,
    method: String,
    kernel: String,
    rows: u64,
    sequences: u64,
    real_tokens: u64,
    slots: u64,
    steps: u64,
    seconds: f64,
    real_tokens_per_second: f64,
    spread: f64,
    peak_bytes: Option<u64>,
}

#[derive(Deserialize)]
struct Unavailable {
    model: String,
    data: String,
    method: String,
    reason: String,
}

#[derive(Deserialize)]
struct Proof {
    model: String,
    method: String,
    difference: f64,
    tolerance: f64,
}

/// Checks that everything was measured, or skipped with a reason, and that nothing was measured before it was verified.
fn judge(json: &str) -> Result<()> {
    let report: Report =
        serde_json::from_str(json).context("the measuring script writes other JSON")?;
    // Its figures say nothing about speed, and must not be taken for measurements.
    ensure!(report.toy, "what ran at toy size does not say so");
    ensure!(
        !report.torch.is_empty() && report.date.len() == 10,
        "versions or date are missing"
    );
    for model in MODELS {
        for method in METHODS {
            let proofs = report
                .check
                .iter()
                .filter(|p| p.model == model && p.method == method);
            let right = proofs.clone().all(|p| p.difference <= p.tolerance);
            ensure!(
                // `all` holds for an empty list too.
                right && proofs.count() > 0,
                "{model}, {method}: not proven to be right"
            );
            for data in DATA {
                one(&report, model, data, method)
                    .with_context(|| format!("{model}, {data}, {method}"))?;
            }
        }
    }
    Ok(())
}

fn one(report: &Report, model: &str, data: &str, method: &str) -> Result<()> {
    let found = report
        .measurements
        .iter()
        .find(|m| m.model == model && m.data == data && m.method == method);
    if let Some(measured) = found {
        return plausible(measured);
    }
    let why = report
        .unavailable
        .iter()
        .find(|u| u.model == model && u.data == data && u.method == method);
    let why = why.context("neither measured nor listed as unavailable")?;
    ensure!(!why.reason.is_empty(), "unavailable without a reason");
    Ok(())
}

fn plausible(m: &Measurement) -> Result<()> {
    ensure!(
        !m.kernel.is_empty() && m.peak_bytes != Some(0),
        "kernel or memory are missing"
    );
    ensure!(
        m.rows > 0 && m.steps > 0 && m.sequences >= m.steps,
        "not a sequence for each step"
    );
    ensure!(
        m.sequences <= m.real_tokens && m.real_tokens <= m.slots,
        "more tokens than slots"
    );
    ensure!(
        m.slots <= m.steps * m.rows * m.limit,
        "more slots than rows hold"
    );
    ensure!(m.seconds > 0.0 && m.spread >= 0.0, "no time, or no spread");
    // For an even number of runs the median of rates is not the rate of the median time, but lies between the extremes.
    let rate = m.real_tokens as f64 / m.seconds;
    let near = (m.real_tokens_per_second / rate - 1.0).abs() <= m.spread + 1e-9;
    ensure!(
        m.real_tokens_per_second > 0.0 && near,
        "a rate that is not tokens by seconds"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn report() -> Value {
        let mut measurements = Vec::new();
        let mut check = Vec::new();
        for model in MODELS {
            for method in METHODS {
                check.push(json!({"model": model, "method": method, "difference": 1e-6, "tolerance": 1e-4}));
                for data in DATA {
                    measurements.push(json!({
                        "model": model, "data": data, "limit": 512, "method": method, "kernel": "math", "rows": 2,
                        "sequences": 4, "real_tokens": 1000, "slots": 2048, "steps": 2, "seconds": 0.5,
                        "real_tokens_per_second": 2000.0, "spread": 0.1, "peak_bytes": null
                    }));
                }
            }
        }
        json!({
            "toy": true, "torch": "2.5.1", "date": "2026-01-31", "measurements": measurements,
            "unavailable": [], "check": check
        })
    }

    fn judged(change: impl FnOnce(&mut Value)) -> Result<()> {
        let mut report = report();
        change(&mut report);
        judge(&report.to_string())
    }

    #[test]
    fn a_whole_report_passes() {
        judged(|_| ()).unwrap();
    }

    #[test]
    fn what_is_missing_needs_a_reason() {
        let drop = |r: &mut Value| r["measurements"].as_array_mut().unwrap().remove(0);
        assert!(judged(|r| assert!(drop(r).is_object())).is_err());
        let listed = |reason: &str| {
            judged(|r| {
                let gone = drop(r);
                r["unavailable"] = json!([{
                    "model": gone["model"], "data": gone["data"], "method": gone["method"], "reason": reason
                }]);
            })
        };
        listed("out of memory").unwrap();
        assert!(listed("").is_err());
    }

    #[test]
    fn what_cannot_be_true_is_refused() {
        assert!(judged(|r| r["toy"] = json!(false)).is_err());
        assert!(judged(|r| r["check"][3]["difference"] = json!(0.1)).is_err());
        assert!(judged(|r| r["check"] = json!([])).is_err());
        let wrong = [
            ("slots", json!(999)),
            ("slots", json!(2049)),
            ("seconds", json!(1.0)),
        ];
        for (field, value) in wrong
            .into_iter()
            .chain([("real_tokens_per_second", json!(0.0))])
        {
            assert!(
                judged(|r| r["measurements"][5][field] = value.clone()).is_err(),
                "{field} {value}"
            );
        }
    }
}
