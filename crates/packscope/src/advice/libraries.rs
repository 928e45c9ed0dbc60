//! Candidates of a library that packs: one changed setting, packing switched on, several settings one after the other, and
//! other limits.

use super::case::{Case, USUAL_ROWS};
use super::judge::{MUCH, Now, best, lost_so_far};
use super::limits::{larger, smaller};
use super::outcome::{Change, Effort, LOSS, Outcome};
use super::pass::pass_of;
use super::price::{BatchRows, Pricer};
use super::words::{among, limit_in_words, written};
use crate::api::trainer::{LibrariesQuestion, LibrariesRequest, LibraryAnswer, SettingTrial};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;
use crate::trainer::batches::LibraryLimits;
use crate::trainer::{
    Block, DeviceStep, Library, LibrarySettings, PackingLibraries, Setting, SettingValue,
};
use crate::words::count;
use std::rc::Rc;

/// Candidates that are looked at in full, of all single changes of the same settings.
const FULL: usize = 3;
/// Items of data of which several orders of arrival are drawn: of more, orders differ little.
const FEW: u64 = 100_000;
/// Orders of arrival that are drawn.
const ORDERS: u32 = 3;
/// Settings that are changed one after the other at most.
const ROUNDS: usize = 3;

/// A library with all its settings and its limit.
type LibraryAtLimit = (&'static str, Vec<SettingValue>, u32);

/// Answers about libraries on the same data: prices change often, and packing is what takes the time.
#[derive(Debug, Default)]
pub(super) struct Answers(Vec<(LibraryAtLimit, Rc<LibraryAnswer>)>);

impl Answers {
    fn of(
        &mut self,
        data: &Histogram<1>,
        chosen: &LibrarySettings,
        seed: u64,
        progress: &mut Progress,
    ) -> Result<Rc<LibraryAnswer>> {
        let asked = (chosen.library.id, chosen.fields(), chosen.limit);
        if let Some((_, known)) = self.0.iter().find(|(known, _)| *known == asked) {
            return Ok(Rc::clone(known));
        }
        let request = LibrariesRequest::<PackingLibraries> {
            counts: Vec::new(),
            order: Vec::new(),
            given: LibraryLimits {
                limit: chosen.limit,
                batch: USUAL_ROWS,
            },
            question: LibrariesQuestion::One {
                library: asked.0.to_owned(),
                settings: asked.1.clone(),
                packs: false,
            },
            seed,
            seeds: if data.items() <= FEW { ORDERS } else { 1 },
            optimum: false,
        };
        let answer = Rc::new(request.on(data, progress)?.answers.remove(0));
        self.0.push((asked, Rc::clone(&answer)));
        Ok(answer)
    }
}

/// A library as it is set now, and all that was tried instead.
pub(super) struct LibraryCandidates {
    /// "TRL as installed at 2,048".
    pub title: String,
    /// The outcome of now; an error why the library refuses the data.
    pub now: std::result::Result<Outcome, String>,
    /// The candidates that were tried.
    pub tried: Vec<Outcome>,
    /// Remarks on now.
    pub notes: Vec<String>,
}

/// The candidates of one library.
struct Trials<'t, 'p> {
    data: &'t Histogram<1>,
    answers: &'t mut Answers,
    pricer: Pricer<'p>,
    case: &'t Case,
    /// The present settings.
    now: LibrarySettings,
    /// Tokens of a step of all accelerators.
    step: Option<f64>,
    plans: Vec<LibrarySettings>,
    outcomes: Vec<Outcome>,
}

/// Tries the candidates of a library.
///
/// # Errors
/// Names and values that the library does not have, a limit of 0, [`Error::Cancelled`](crate::error::Error::Cancelled).
pub(super) fn library(
    data: &Histogram<1>,
    answers: &mut Answers,
    (case, id): (&Case, &str),
    pricer: Pricer,
    progress: &mut Progress,
) -> Result<LibraryCandidates> {
    let library = Library::named(id)?;
    let ranks = of_ranks(library, case);
    let settings: Vec<SettingValue> = ranks.iter().chain(&case.settings).cloned().collect();
    let set = library.with(case.limit, &settings)?;
    let installed = library.with(case.limit, &ranks)?;
    let own = set.fields() == installed.fields();
    let title = format!(
        "{} {} at {}",
        library.title,
        if own { "as installed" } else { "as set" },
        limit_in_words(&[case.limit])
    );
    let mut trials = Trials {
        data,
        answers,
        pricer,
        case,
        now: set.clone(),
        step: case.batch_tokens.map(|tokens| tokens as f64),
        plans: Vec::new(),
        outcomes: Vec::new(),
    };
    let notes = trials.begin(&set, progress)?;
    let now = trials.outcome(trials.now.clone(), progress)?;
    match &now {
        Ok((_, now)) => {
            trials.search(if now.fits { Now::Runs(now) } else { Now::Stops }, progress)?;
        }
        Err(_) => trials.search(Now::Stops, progress)?,
    }
    let rows = [&set, &trials.now].map(|set| set.rows_setting().map(|set| set.rows));
    let title = match rows {
        [Some(own), Some(fit)] if fit < own => {
            format!("{title}, {fit} of its {own} rows at a time")
        }
        _ => title,
    };
    Ok(LibraryCandidates {
        title,
        now: now.map(|(_, outcome)| outcome),
        tried: trials.outcomes,
        notes,
    })
}

/// Returns the number of ranks, of libraries to which it makes a difference: no choice, but a part of the hardware.
fn of_ranks(library: &Library, case: &Case) -> Vec<SettingValue> {
    let ranks = library
        .settings
        .iter()
        .filter(|setting| setting.name == "WORLD_SIZE");
    let many = case.hardware.assumptions.accelerators >= 4;
    let value = |setting: &Setting| SettingValue {
        name: setting.name.to_owned(),
        // Axolotl: fewer than four, or more.
        value: if many { "4" } else { "1" }.to_owned(),
    };
    ranks.map(value).collect()
}

/// Whether both have the same limit and settings.
fn is_same(one: &LibrarySettings, other: &LibrarySettings) -> bool {
    one.limit == other.limit && one.fields() == other.fields()
}

/// Returns the measure of a judge without prices: slots for each token, where lost tokens are slots, too.
fn weight(slots: f64, lost: f64, cut: f64) -> f64 {
    slots / (1.0 - lost - cut / 2.0).max(0.01)
}

impl Trials<'_, '_> {
    /// Lowers the rows of a batch to what the memory holds, and finds the tokens of a step. Returns remarks on both.
    fn begin(&mut self, set: &LibrarySettings, progress: &mut Progress) -> Result<Vec<String>> {
        self.now = set
            .clone()
            .within_memory(self.data.max()[0], self.pricer.most_slots());
        let mut notes = Vec::new();
        let own = set.rows_setting().map(|set| set.rows);
        let Ok((_, now)) = self.outcome(self.now.clone(), progress)? else {
            return Ok(notes);
        };
        let fits = now.rows;
        let own = own.unwrap_or(fits);
        if own > fits && now.fits {
            notes.push(format!(
                "A batch of {own} rows does not fit the memory, so {fits} at a time {} assumed.",
                if fits == 1 { "is" } else { "are" }
            ));
        }
        if self.step.is_some() {
            return Ok(notes);
        }
        let installed = now.step_tokens * f64::from(own.max(fits)) / f64::from(fits);
        self.step = Some(self.pricer.step_at_least(installed, set.limit));
        // Batches in whole numbers: all others keep to the step that comes of them.
        let step = self
            .outcome(self.now.clone(), progress)?
            .map_or(installed, |(_, now)| now.step_tokens);
        self.step = Some(step);
        if step > installed * 1.1 {
            notes.push(format!(
                "A step is taken to have {} tokens, a row or more for each accelerator, instead of {}.",
                count(step.round() as u64),
                count(installed.round() as u64)
            ));
        }
        Ok(notes)
    }

    /// Returns the rows that fit the memory.
    fn rows_that_fit(&self, chosen: &LibrarySettings) -> Option<u32> {
        chosen.rows_within(self.data.max()[0], self.pricer.most_slots())
    }

    /// Returns larger batches, where nothing is packed: the largest that fits memory and step, its half and its quarter.
    fn larger_batches(&self, chosen: &LibrarySettings) -> Vec<LibrarySettings> {
        let larger = || {
            let recipe = chosen.recipe().ok()?;
            let set = chosen.rows_setting().filter(|_| !recipe.block.packs())?;
            let fit = self.rows_that_fit(chosen)?;
            let power = 1_u32 << fit.clamp(1, USUAL_ROWS).ilog2();
            let sizes = [power, power / 2, power / 4];
            let sizes = sizes.into_iter().filter(|rows| *rows > set.rows);
            Some(
                sizes
                    .filter_map(|rows| chosen.with_number(set.name, rows))
                    .collect(),
            )
        };
        larger().unwrap_or_default()
    }

    /// Returns the settings as they fit the step, and their outcome; an error why the library refuses them.
    fn outcome(
        &mut self,
        chosen: LibrarySettings,
        progress: &mut Progress,
    ) -> Result<std::result::Result<(LibrarySettings, Outcome), String>> {
        let answer = self
            .answers
            .of(self.data, &chosen, self.case.seed, progress)?;
        if let Some(why) = &answer.about.refused {
            return Ok(Err(why.clone()));
        }
        let Ok(recipe) = chosen.recipe() else {
            return Ok(Err(String::new()));
        };
        let fitting = (self.pricer.most_slots() / f64::from(recipe.capacity.max(1))) as u32;
        let asked = fitting.clamp(1, USUAL_ROWS);
        let Some(mut pass) = pass_of(self.data, (&chosen, &recipe), &answer, asked) else {
            return Ok(Err("the data do not fill one batch".to_owned()));
        };
        let rows = chosen.rows_setting();
        if let (BatchRows::Any { side_by_side, .. }, Some(set)) = (pass.rows, rows) {
            pass.rows = BatchRows::Any {
                usual: set.rows,
                side_by_side,
            };
        }
        if let (Block::Alone { batch, .. }, DeviceStep::Rows(all)) = (recipe.block, recipe.step)
            && all > batch
        {
            let each = pass.work.useful[0] / (pass.work.rows as f64).max(1.0);
            pass.step_tokens = Some(f64::from(all) * each * self.pricer.accelerators());
        }
        let name = rows.filter(|set| set.alone).map(|set| set.name);
        let set = matches!(recipe.step, DeviceStep::Rows(_));
        if let BatchRows::Any { usual, .. } = pass.rows {
            if set && name.is_none() {
                // The rows of a batch decide how rows are packed, or have no setting: they stay. Where a row is a batch in
                // one piece, those of a step are taken one after the other.
                let one = recipe.capacity / 2 >= chosen.limit;
                pass = pass.in_batches_of(if one { 1 } else { usual });
            } else if set && is_same(&chosen, &self.now) {
                // What is set now stays as it is, as far as the memory holds it.
                let rows = usual.min(self.pricer.most_rows(&pass));
                pass = pass.in_batches_of(rows);
            }
        }
        let nothing = Change::none((String::new(), String::new()));
        let mut outcome = self.pricer.price(&pass, nothing, self.step)?;
        let set = match (pass.rows, name) {
            (BatchRows::Any { usual, .. }, Some(name)) if outcome.rows != usual => {
                chosen.with_number(name, outcome.rows).unwrap_or(chosen)
            }
            _ => chosen,
        };
        outcome.change = self.change(&set);
        Ok(Ok((set, outcome)))
    }

    /// Returns the way from what is set now to other settings.
    fn change(&self, then: &LibrarySettings) -> Change {
        let settings = then.changed_from(&self.now);
        let needs: Vec<&str> = settings
            .iter()
            .filter_map(|set| {
                let of = |setting: &&Setting| setting.name == set.name;
                let setting = then.library.settings.iter().find(of)?;
                let needs = setting.needs.iter();
                needs
                    .filter(|(value, _)| *value == set.value)
                    .map(|(_, needs)| *needs)
                    .next()
            })
            .collect();
        let lines = then.lines();
        let limit = (then.limit != self.now.limit)
            .then(|| format!("a limit of {}", limit_in_words(&[then.limit])));
        let named: Vec<String> = settings
            .iter()
            .map(|set| written(&lines, set))
            .chain(limit)
            .collect();
        let size = named.len() as u64;
        Change {
            effort: match size {
                0 => Effort::Nothing,
                _ if !needs.is_empty() => Effort::Data,
                1 => Effort::Setting,
                _ => Effort::Settings,
            },
            size,
            words: among(&named),
            settings,
            library: None,
            sampler: None,
            packing: None,
            needs: needs.join(", "),
            lines,
            language: then.library.language.name().to_owned(),
        }
    }

    /// Tries settings, unless they were tried before; where their steps are too large, with fewer rows in a batch, too.
    fn attempt(&mut self, chosen: LibrarySettings, progress: &mut Progress) -> Result<()> {
        let [longest] = self.data.max();
        let mut next = Some(chosen.within_memory(longest, self.pricer.most_slots()));
        while let Some(chosen) = next.take() {
            let Ok((set, outcome)) = self.outcome(chosen, progress)? else {
                continue;
            };
            if is_same(&set, &self.now) || self.plans.iter().any(|plan| is_same(plan, &set)) {
                continue;
            }
            next = self.in_smaller_steps(&set, &outcome);
            self.plans.push(set);
            self.outcomes.push(outcome);
        }
        Ok(())
    }

    /// Returns the settings with as many rows as the step asks for; `None` where there are no more than that.
    fn in_smaller_steps(&self, set: &LibrarySettings, of: &Outcome) -> Option<LibrarySettings> {
        let rows = set.row_setting().or_else(|| set.rows_setting())?;
        let step = self.step?;
        let fewer = (f64::from(rows.rows) * step / of.step_tokens)
            .floor()
            .max(1.0) as u32;
        let larger = !of.keeps_step && of.step_tokens > step && fewer < rows.rows;
        larger.then(|| set.with_number(rows.name, fewer)).flatten()
    }

    /// Tries changes one after the other, each from the best so far, then other limits where too much is lost, or where
    /// nothing runs.
    fn search(&mut self, now: Now, progress: &mut Progress) -> Result<()> {
        let mut here = self.now.clone();
        self.attempt(self.packing(&here), progress)?;
        for chosen in self.larger_batches(&here) {
            self.attempt(chosen, progress)?;
        }
        for _ in 0..ROUNDS {
            for chosen in self.worth_trying(&here, progress)? {
                self.attempt(chosen, progress)?;
            }
            match best(now, &self.outcomes, false).map(|at| &self.plans[at]) {
                Some(plan) if !is_same(plan, &here) => here = plan.clone(),
                _ => break,
            }
        }
        if lost_so_far(now, &self.outcomes) <= MUCH {
            return Ok(());
        }
        for limit in self.limits(&here, progress)? {
            for mut chosen in [self.now.clone(), here.clone()] {
                chosen.limit = limit;
                self.attempt(chosen, progress)?;
            }
        }
        Ok(())
    }

    /// Returns settings with packing switched on, all else as it is.
    fn packing(&self, chosen: &LibrarySettings) -> LibrarySettings {
        let mut on = chosen.clone();
        for set in chosen.library.packing() {
            // Values of the library's own table are not refused.
            on.set(&set.name, &set.value).unwrap_or_default();
        }
        on
    }

    /// Returns the single changes that promise most, of all that the library's advice tries.
    fn worth_trying(
        &mut self,
        from: &LibrarySettings,
        progress: &mut Progress,
    ) -> Result<Vec<LibrarySettings>> {
        let answer = self.answers.of(self.data, from, self.case.seed, progress)?;
        let here = answer.figures.as_ref();
        let packs = from.recipe().is_ok_and(|recipe| recipe.block.packs());
        let (lost, cut) = here.map_or((1.0, 0.0), |f| (f.lost_share(), f.cut_share));
        let slots = here.map_or(f64::INFINITY, |f| 1.0 / (1.0 - f.padding_share));
        let of = |trial: &SettingTrial| {
            let cost = trial.outcome;
            weight(cost.slots, cost.lost_share, cost.cut_share)
        };
        let promises = |trial: &&SettingTrial| {
            let cost = trial.outcome;
            let keeps = cost.slots > 0.0
                && cost.lost_share <= lost + LOSS
                && cost.cut_share <= cut + (lost - cost.lost_share).max(0.0) + LOSS;
            keeps && (of(trial) <= weight(slots, lost, cut) * 0.99 || cost.packs && !packs)
        };
        let tried = answer.advice.iter().flat_map(|advice| &advice.tried);
        let mut found: Vec<&SettingTrial> = tried.filter(promises).collect();
        found.sort_by(|a, b| of(a).total_cmp(&of(b)));
        let changed = |trial: &&SettingTrial| {
            let mut other = from.clone();
            other.set(&trial.setting, &trial.value).ok()?;
            Some(other)
        };
        Ok(found.iter().filter_map(changed).take(FULL).collect())
    }

    /// Returns other limits: those that lose less and fit the memory; where not one row fits, those that do; where the
    /// library refuses the data, the one that it names.
    fn limits(&mut self, here: &LibrarySettings, progress: &mut Progress) -> Result<Vec<u32>> {
        let most = self.pricer.most_slots();
        let Ok(recipe) = here.recipe() else {
            return Ok(Vec::new());
        };
        let answer = self.answers.of(self.data, here, self.case.seed, progress)?;
        if let Some(least) = answer.own.least {
            return Ok(vec![least.checked_next_multiple_of(64).unwrap_or(least)]);
        }
        let row = f64::from(here.limit.min(self.data.max()[0]));
        Ok(match row <= most {
            true => larger(
                self.case.losses(self.data, recipe.overlong),
                here.limit,
                most,
            ),
            false => smaller(here.limit, most),
        })
    }
}
