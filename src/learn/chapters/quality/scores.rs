//! Published scores by task, and how sure their gains are.

pub const NAMES: [&str; 10] = [
    "SQuAD", "MRPC", "STS-B", "SST-2", "CoLA", "QQP", "QNLI", "RTE", "MNLI", "WNLI",
];
pub const MODELS: [&str; 3] = ["Roberta-base", "Electra-base", "Roberta-large"];
/// Runs behind each mean.
pub const SEEDS: f64 = 10.0;
/// A gain is clear if it is more than so many standard errors.
pub const CLEAR: f64 = 2.0;
/// The mean over the tasks that the paper prints for Roberta-large by BucketSampler: that of another row.
pub const PRINTED: f64 = 81.98;

/// Mean and standard deviation of a score: in random batches, and by BucketSampler with dropped stopwords.
type Task = [[f64; 2]; 2];

/// Scores by model and task: Nagarajan and Raghunathan 2023, Table 1 and Table 7.
pub const SCORES: [[Task; 10]; 3] = [
    [
        [[90.46, 0.2], [90.59, 0.1]],
        [[88.09, 1.0], [88.63, 0.8]],
        [[89.85, 0.3], [90.06, 0.4]],
        [[94.15, 0.5], [94.33, 0.2]],
        [[59.35, 0.6], [59.49, 1.1]],
        [[91.36, 0.1], [91.48, 0.3]],
        [[92.58, 0.1], [92.64, 0.1]],
        [[69.31, 1.6], [70.40, 2.8]],
        [[87.56, 0.1], [87.66, 0.1]],
        [[53.51, 3.5], [54.57, 2.8]],
    ],
    [
        [[90.74, 0.3], [90.88, 0.2]],
        [[88.28, 0.8], [88.51, 0.3]],
        [[89.74, 0.4], [89.79, 0.3]],
        [[95.01, 0.3], [95.12, 0.3]],
        [[65.48, 0.4], [66.03, 0.6]],
        [[91.93, 0.1], [92.11, 0.1]],
        [[92.41, 1.1], [93.09, 0.3]],
        [[77.07, 0.9], [78.24, 0.7]],
        [[88.33, 0.6], [88.74, 0.3]],
        [[54.22, 2.6], [54.38, 2.8]],
    ],
    [
        [[91.33, 0.3], [91.68, 0.2]],
        [[89.71, 0.8], [90.56, 0.5]],
        [[91.65, 0.7], [91.82, 0.7]],
        [[96.28, 1.0], [96.51, 0.6]],
        [[65.49, 1.4], [65.54, 1.3]],
        [[92.38, 0.1], [92.74, 0.3]],
        [[93.72, 0.1], [93.99, 0.2]],
        [[87.10, 2.1], [88.34, 2.6]],
        [[89.58, 0.1], [89.88, 0.1]],
        [[72.12, 4.2], [74.08, 3.7]],
    ],
];

/// Times as fast as random batches, by model and task: Table 1 gives one mean for Roberta-base and Electra-base, Table 7
/// Roberta-large.
pub const TIMES: [[f64; 10]; 3] = [TIMES_OF_BASE, TIMES_OF_BASE, TIMES_OF_LARGE];
const TIMES_OF_BASE: [f64; 10] = [9.87, 2.75, 7.73, 10.61, 9.39, 5.51, 3.18, 2.05, 4.09, 3.8];
#[expect(clippy::approx_constant, reason = "a published speed-up, and not π")]
const TIMES_OF_LARGE: [f64; 10] = [9.46, 2.91, 7.28, 10.12, 8.96, 5.6, 3.14, 2.02, 4.19, 3.92];

/// A gain between two means of as many runs each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    pub points: f64,
    /// The standard error of the gain, points.
    pub error: f64,
}

impl Gain {
    /// Returns the gain on a task, if each mean were of this number of runs with the same deviations.
    pub fn on([[before, spread], [after, other]]: Task, seeds: f64) -> Self {
        Self {
            points: after - before,
            // The standard error of a difference of two independent means, from deviations over as
            // many runs each.
            error: ((spread * spread + other * other) / seeds).sqrt(),
        }
    }

    /// Returns the least gain and the largest error that were printed like this: scores are rounded to 0.01, deviations
    /// to 0.1.
    fn at_worst([[before, spread], [after, other]]: Task) -> Self {
        Self::on(
            [
                // Half of the last printed digit, always against the gain: a higher start, a lower
                // end, wider deviations.
                [before + 0.005, spread + 0.05],
                [after - 0.005, other + 0.05],
            ],
            SEEDS,
        )
    }

    pub fn errors(self) -> f64 {
        self.points / self.error
    }

    pub fn is_clear(self) -> bool {
        self.errors() > CLEAR
    }
}

/// The gains of one model on all tasks, together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Together {
    pub mean: f64,
    /// The largest gain, with the index of its task.
    pub largest: (f64, usize),
    pub positive: usize,
    /// Number of tasks whose gain is clear by itself.
    pub clear: usize,
    /// All tasks pooled, in standard errors: their sum, divided by the root of their number.
    pub pooled: f64,
    /// The same, if every printed number was rounded against the gain.
    pub at_worst: f64,
}

impl Together {
    pub fn new(tasks: &[Task]) -> Self {
        let gains: Vec<Gain> = tasks.iter().map(|task| Gain::on(*task, SEEDS)).collect();
        let n = tasks.len().max(1) as f64;
        // Stouffer's method: a sum of n independent standard normal numbers has a deviation of √n.
        let pooled = |errors: f64| errors / n.sqrt();
        let largest = gains
            .iter()
            .map(|gain| gain.points)
            .zip(0..)
            .fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a });
        Self {
            mean: gains.iter().map(|gain| gain.points).sum::<f64>() / n,
            largest,
            positive: gains.iter().filter(|gain| gain.points > 0.0).count(),
            clear: gains.iter().filter(|gain| gain.is_clear()).count(),
            pooled: pooled(gains.iter().map(|gain| gain.errors()).sum()),
            at_worst: pooled(
                tasks
                    .iter()
                    .map(|task| Gain::at_worst(*task).errors())
                    .sum(),
            ),
        }
    }
}
