//! How long work still takes, in words.

use packscope::words::about_duration;

/// Seconds of work before its pace is known.
const FIRST: f64 = 1.0;

/// A share of some work, and when so much was done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    begun: f64,
    share: f64,
}

impl Pace {
    /// Begins to watch work of which this share is done at this time, in seconds of any clock.
    pub fn new(now: f64, share: f64) -> Self {
        Self { begun: now, share }
    }

    /// Returns how long it still takes: `about 40 s left`; `None` before the pace is known.
    pub fn time_left(self, now: f64, share: f64) -> Option<String> {
        let (took, done) = (now - self.begun, share - self.share);
        let left = took * (1.0 - share) / done;
        (took >= FIRST && done > 0.0).then(|| in_words("about ", left))
    }

    /// Returns how long it may still take if it takes at most these seconds; `None` if they are infinite.
    pub fn at_most(self, now: f64, most: f64) -> Option<String> {
        most.is_finite()
            .then(|| in_words("at most ", most - (now - self.begun)))
    }
}

fn in_words(how: &str, left: f64) -> String {
    if left < 1.0 {
        return "less than a second left".to_owned();
    }
    format!("{how}{} left", about_duration(left))
}
