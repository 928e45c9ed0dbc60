//! The sequences at other limits: the known figures, and the limits still to be asked about.

use super::answers::CachedAnswer;
use super::speedup::{LEAST_ROWS, PricedEstimates};
use super::{AppState, DISTINCT, Source, View};
use crate::query::{Answer, Query};
use packscope::api::limits::{AtLimit, usual};
use packscope::api::speedup::Case;
use packscope::api::{PackingSettings, Settings};
use packscope::cost::{FittingBatch, Method, Work, Workload, largest_batch};
use packscope::words::{count, percent};
use std::rc::Rc;

/// A loss of tokens below this share is not mentioned.
const LITTLE: f64 = 0.001;

/// The limits on offer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limits {
    /// Whether the limits are in view; until they are, nothing is asked.
    seen: bool,
    /// Version of the data, and their usual limits.
    usual: (u64, Rc<Vec<u32>>),
}

impl AppState {
    /// Returns the settings that decide the rows, with limit and policy at fixed values.
    fn along(&self) -> Settings {
        // Answers are found again whatever limit and policy are set: they are of one limit each,
        // and have figures for every policy.
        let settings = self.sequences.settings.deciding();
        Settings {
            limit: 1,
            overlong: Settings::default().overlong,
            ..settings
        }
    }

    /// Returns the limits on offer, ascending, each with its answer if it is known.
    fn along_limits(&self) -> impl Iterator<Item = (u32, Option<&CachedAnswer>)> {
        let (version, settings) = (self.sequences.version(), self.along());
        // Until new data have limits of their own, those of the data before are not on offer.
        let offered = if self.limits.usual.0 == version {
            self.limits_on_offer()
        } else {
            Vec::new()
        };
        offered.into_iter().map(move |limit| {
            (
                limit,
                self.answers
                    .get(version, &Query::Limit(settings.clone(), limit)),
            )
        })
    }

    /// Returns the limits on offer once they have been in view: the usual ones of the data, and the present one.
    pub fn limits_on_offer(&self) -> Vec<u32> {
        let (mut limits, present) = (self.limits.usual.1.to_vec(), self.sequences.settings.limit);
        if let Err(at) = limits.binary_search(&present) {
            limits.insert(at, present);
        }
        limits
    }

    /// Returns the known figures at the limits on offer, ascending.
    pub fn at_limits(&self) -> Vec<AtLimit> {
        let point = |(_, known): (u32, Option<&CachedAnswer>)| match known?.answered.outcome {
            Ok(Answer::Limit(point)) => Some(point),
            _ => None,
        };
        self.along_limits().filter_map(point).collect()
    }

    /// Returns the batch that fits the memory at a limit, of at most the present number of rows; weights are shared out
    /// only if no batch to recommend fits otherwise. `None` if not one row fits.
    pub fn fit_at(&self, limit: u32) -> Option<FittingBatch> {
        let (a, batch) = (
            self.speedup.assumptions(),
            self.sequences.settings.batch.max(1),
        );
        largest_batch(
            &Workload::Transformer(a.transformer),
            a,
            limit,
            LEAST_ROWS.min(batch)..=batch,
        )
    }

    /// Returns the limit of the judge's advice, or of the plan that loses less, where it is another one than is set.
    pub fn advised_limit(&self) -> Option<u32> {
        let verdict = self.verdict()?.ok()?;
        let limits = verdict.then.iter().chain(&verdict.keeps);
        let mut limits = limits.filter_map(|then| then.limit.first().copied());
        limits.find(|limit| *limit != self.sequences.settings.limit)
    }

    /// Returns time and memory of an epoch at each of these limits, estimated for packed rows whose sequences are kept
    /// apart as in the cost of the present answer: by block-diagonal kernels or by a mask. O(limits).
    pub fn priced_at(&self, points: &[AtLimit]) -> PricedEstimates {
        let batch = self.sequences.settings.batch.max(1);
        // As in the estimates below, so that one epoch has one time on the page.
        let blocks = self.speedup_chosen() == Method::PackedBlocks;
        let case = |p: &AtLimit| {
            let largest = f64::from(batch) * f64::from(p.limit);
            let work = if blocks { p.work.in_blocks() } else { p.work };
            Case::plain(Work {
                batches: work.rows.div_ceil(u64::from(batch)),
                largest,
                ..work
            })
        };
        let cases: Vec<_> = points.iter().map(case).collect();
        self.priced(&cases, self.speedup.assumptions().accelerators)
    }

    /// Whether limits are of interest: they are in view, or the present one is not the longest sequence, so that another
    /// may be better, which is found out in the background for data of few sizes.
    fn are_limits_due(&self) -> bool {
        let other = |data: &super::Data| {
            data.histogram.max() != [self.sequences.settings.limit]
                && data.histogram.distinct() <= DISTINCT
        };
        self.limits.seen
            || self.background.works() && self.sequences.data.as_ref().is_some_and(other)
    }

    /// Returns the settings and the limits to ask about now: the unknown ones on offer, while they are of interest and
    /// after the answer itself has arrived.
    pub fn limits_wanted(&self) -> Option<(Settings, Vec<u32>)> {
        let study = &self.sequences;
        // The answer itself comes first: with few cores, limits would delay it.
        let ready = self.view == View::Sequences
            && self.are_limits_due()
            && (study.is_current() || study.is_interim());
        let unknown = self
            .along_limits()
            .filter(|(_, known)| ready && known.is_none());
        let limits: Vec<u32> = unknown.map(|(limit, _)| limit).collect();
        (!limits.is_empty()).then(|| (self.along(), limits))
    }

    pub(super) fn see_limits(&mut self, seen: bool) {
        self.limits.seen = seen;
    }

    /// Finds the usual limits of new data while they are of interest. O(distinct).
    pub(super) fn offer_limits(&mut self) {
        let (version, due) = (self.sequences.version(), self.are_limits_due());
        if let Some(data) = self
            .sequences
            .data
            .as_ref()
            .filter(|_| due && version != self.limits.usual.0)
        {
            self.limits.usual = (version, Rc::new(usual(&data.histogram)));
        }
    }

    /// Returns the title of the limits: the loss at the present one, and the next limit that loses nothing or little.
    pub fn of_limits(&self) -> Option<String> {
        let (points, present) = (self.at_limits(), self.sequences.settings.limit);
        let unit = self.sequences.unit();
        let at = points.iter().position(|p| p.limit == present)?;
        let limit = |p: &AtLimit| count(u64::from(p.limit));
        let lost = |p: &AtLimit| p.truncated.lost_share();
        let here = &points[at];
        if lost(here) > LITTLE {
            let enough = points[at..].iter().find(|p| lost(p) <= LITTLE);
            let end = enough.map_or_else(String::new, |p| match p.truncated.lost {
                0 => format!("; {} cuts off none", limit(p)),
                _ => format!("; {} cuts off {}", limit(p), percent(lost(p))),
            });
            return Some(format!(
                "A limit of {} cuts off {} of the {unit}{end}",
                limit(here),
                percent(lost(here))
            ));
        }
        let shorter = points[..at].iter().rev().find(|p| lost(p) > LITTLE);
        Some(match shorter {
            Some(p) => format!(
                "A limit of {} cuts off {}; {} would cut off {} of the {unit}",
                limit(here),
                if here.truncated.lost == 0 {
                    "nothing".to_owned()
                } else {
                    percent(lost(here))
                },
                limit(p),
                percent(lost(p))
            ),
            None => format!("A limit of {} cuts off nothing", limit(here)),
        })
    }

    /// Returns why the visitor's data opened at this limit, if it is unchanged and not the longest sequence.
    pub fn of_opening_limit(&self) -> Option<String> {
        let data = self
            .sequences
            .data
            .as_ref()
            .filter(|d| matches!(d.source, Source::Own { .. }))?;
        let (limit, longest) = (self.sequences.settings.limit, data.histogram.max()[0]);
        let opens = packscope::api::limits::practical(&data.histogram);
        (limit == opens && limit < longest).then(|| {
            let whole = data.histogram.items_within(limit) as f64 / data.histogram.items() as f64;
            format!(
                "{} holds {} of the sequences whole; the longest has {} {}.",
                count(u64::from(limit)),
                percent(whole),
                count(u64::from(longest)),
                data.source.unit()
            )
        })
    }
}
