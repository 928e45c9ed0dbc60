//! Consecutive steps: when each began, how long it took, and the processor time of its programs.

use crate::beside::{BEGAN, Beside};
use anyhow::{Result, bail};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub struct Steps {
    began: SystemTime,
    done: Vec<Step>,
    /// Whether the steps after one that fails still run.
    go_on: bool,
    failed: Vec<&'static str>,
}

struct Step {
    name: &'static str,
    /// Time since the first of all steps began.
    from: Duration,
    took: Duration,
    processor: Option<Duration>,
}

impl Default for Steps {
    fn default() -> Self {
        let told = std::env::var(BEGAN)
            .ok()
            .and_then(|seconds| seconds.parse().ok());
        let began = told.map_or_else(SystemTime::now, |seconds| {
            UNIX_EPOCH + Duration::from_secs_f64(seconds)
        });
        Self {
            began,
            done: Vec::new(),
            go_on: false,
            failed: Vec::new(),
        }
    }
}

impl Steps {
    /// Returns steps that all run, whether or not those before them fail; [`finish`](Self::finish) names the failures.
    pub fn all() -> Self {
        Self {
            go_on: true,
            ..Self::default()
        }
    }

    /// Returns when the first of all steps began, in the form of [`BEGAN`].
    pub fn began(&self) -> String {
        self.began
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs_f64()
            .to_string()
    }

    pub fn run(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("\n== {name}");
        let (start, used) = (SystemTime::now(), processor_time());
        let result = step();
        self.note(name, start, SystemTime::now(), used);
        self.result(name, result)
    }

    /// Waits for a step that began earlier.
    pub fn join(&mut self, name: &'static str, step: Beside) -> Result<()> {
        println!("\n== {name}");
        let used = processor_time();
        let result = step
            .finish()
            .map(|(start, end)| self.note(name, start, end, used));
        self.result(name, result)
    }

    /// Passes a failure on, or tells and keeps it if the other steps run all the same.
    fn result(&mut self, name: &'static str, result: Result<()>) -> Result<()> {
        match result {
            Err(error) if self.go_on => {
                println!("\n== {name} failed: {error:#}");
                self.failed.push(name);
                Ok(())
            }
            other => other,
        }
    }

    /// Prints the table of steps; an error names those that failed.
    pub fn finish(&self) -> Result<()> {
        self.print();
        if !self.failed.is_empty() {
            bail!("failed: {}", self.failed.join("; "));
        }
        println!("\n== all passed");
        Ok(())
    }

    fn note(
        &mut self,
        name: &'static str,
        start: SystemTime,
        end: SystemTime,
        used: Option<Duration>,
    ) {
        // The clock of the system may be set back meanwhile; then a step took no time.
        let since = |time: SystemTime, from| time.duration_since(from).unwrap_or_default();
        // Only finished children count, so programs that run beside are in the step that waits for
        // their end.
        let processor = used.and_then(|used| processor_time()?.checked_sub(used));
        self.done.push(Step {
            name,
            from: since(start, self.began),
            took: since(end, start),
            processor,
        });
    }

    fn print(&self) {
        println!("\n  from s   took s  processor s");
        for Step {
            name,
            from,
            took,
            processor,
        } in &self.done
        {
            let processor =
                processor.map_or_else(String::new, |time| format!("{:.1}", time.as_secs_f64()));
            println!(
                "{:>8.1} {:>8.1} {processor:>12}  {name}",
                from.as_secs_f64(),
                took.as_secs_f64()
            );
        }
        let all = SystemTime::now()
            .duration_since(self.began)
            .unwrap_or_default();
        println!(
            "         {:>8.1}               altogether",
            all.as_secs_f64()
        );
    }
}

/// Returns the processor time of all finished child processes; `None` if the system does not report it.
#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let micros = |time: nix::sys::time::TimeVal| {
        Some(Duration::new(
            u64::try_from(time.tv_sec()).ok()?,
            u32::try_from(time.tv_usec()).ok()? * 1000,
        ))
    };
    Some(micros(usage.user_time())? + micros(usage.system_time())?)
}

#[cfg(not(unix))]
fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_ends_a_run_unless_all_steps_are_to_run() {
        let fails = || bail!("it is broken");
        assert!(Steps::default().run("lints", fails).is_err());
        let mut steps = Steps::all();
        steps.run("lints", fails).unwrap();
        steps.run("tests", || Ok(())).unwrap();
        let error = steps.finish().unwrap_err().to_string();
        assert_eq!(error, "failed: lints");
    }

    #[cfg(unix)]
    #[test]
    fn a_step_has_the_time_of_what_it_ran() {
        let mut steps = Steps::default();
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done";
        let run = || {
            std::process::Command::new("sh")
                .args(["-c", busy])
                .status()?;
            Ok(())
        };
        steps.run("busy", run).unwrap();
        let step = &steps.done[0];
        assert!(
            step.processor.unwrap() > Duration::from_millis(5)
                && step.took >= Duration::from_millis(5)
        );
    }
}
