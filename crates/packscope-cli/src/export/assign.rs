//! `packscope assign`: the pack of each item of a file.

use super::made::AnyPlan;
use super::{PackingArgs, To};
use crate::input::Input;
use crate::limits::too_many;
use crate::output::say;
use crate::shell::about;
use crate::sizes::computed_components;
use clap::Args;
use packscope::error::{Error, Result};
use packscope::export::{self, AssignmentCounts, AssignmentWriter, Document, Form};
use packscope::histogram::Computation;
use packscope::ingest::Column;
use packscope::words::{count, plural};
use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct Assign {
    #[command(flatten)]
    packing: PackingArgs,
    /// A plan that was exported, for the same limits; packed anew when left out.
    #[arg(long)]
    plan: Option<PathBuf>,
    /// csv: item,pack,place,offset,length for each piece; npy: the pack of each item, -1 where it is dropped.
    #[arg(long, default_value = "csv")]
    format: Form,
    /// Number the packs in an order shuffled by this seed, so that packs that follow each other differ in shape.
    #[arg(long)]
    shuffle: Option<u64>,
    /// Draw by this seed which of the items of one size go together: packs keep their sizes, and with another seed hold other items.
    #[arg(long, value_name = "SEED")]
    redraw: Option<u64>,
    #[command(flatten)]
    to: To,
}

/// Runs the command: the assignment goes to the file, a summary to standard error.
pub fn run(assign: &Assign) -> Result<String> {
    let assigned = match &assign.plan {
        Some(file) => {
            let text = std::fs::read_to_string(file).map_err(|e| about(file, &e))?;
            let named = |error: Error| error.within_place(&file.display().to_string());
            // The number of components is only known from the file, but a type needs it.
            match export::components(&text).map_err(named)? {
                1 => again(assign, &Document::<1>::parse(&text).map_err(named)?, None)?,
                2 => again(assign, &Document::<2>::parse(&text).map_err(named)?, None)?,
                3 => again(assign, &Document::<3>::parse(&text).map_err(named)?, None)?,
                n => return Err(too_many(n)),
            }
        }
        None => match AnyPlan::new(&assign.packing)? {
            AnyPlan::Sequences {
                document, items, ..
            } => again(assign, &document, Some(items))?,
            AnyPlan::Graphs {
                document, items, ..
            } => again(assign, &document, Some(items))?,
            AnyPlan::Triples { document, items } => again(assign, &document, Some(items))?,
        },
    };
    let dropped = match assigned.dropped {
        0 => String::new(),
        n => format!(", {} dropped", count(n)),
    };
    say(&format!(
        "{} in {}{dropped}",
        plural(assigned.items, "item"),
        plural(assigned.packs, "pack")
    ));
    Ok(String::new())
}

/// Reads the file a second time, item by item.
fn again<const K: usize>(
    assign: &Assign,
    plan: &Document<K>,
    items: Option<u64>,
) -> Result<AssignmentCounts> {
    let packing = &assign.packing;
    let room = &packing.rows.room;
    let given = room.limits.as_ref().map_or_else(
        || room.limit.into_iter().collect(),
        |limits| limits.0.clone(),
    );
    let planned = plan.limits()?;
    // Another limit would leave items without a place, or packs half empty.
    if given != planned {
        let message = format!("it was made for {planned:?}; expected {given:?}, as asked for");
        return Err(Error::Input {
            place: "the limits of the plan".to_owned(),
            message,
        });
    }
    let items = match items {
        Some(items) => items,
        // An array begins with its length, so the number of items is needed first.
        None if assign.format == Form::Npy => items_of::<K>(&packing.input)?,
        None => 0,
    };
    if packing
        .input
        .files
        .iter()
        .any(|file| file.as_os_str() == "-")
    {
        let message = "it is read twice; expected a file".to_owned();
        return Err(Error::Input {
            place: "standard input".to_owned(),
            message,
        });
    }
    let out = RefCell::new(assign.to.open()?);
    // `write` is called from within the reading and cannot return an error.
    let failed = RefCell::new(Ok(()));
    let write = |bytes: &[u8]| {
        let mut failed = failed.borrow_mut();
        if failed.is_ok() {
            *failed = out.borrow_mut().write_all(bytes);
        }
    };
    let writing = AssignmentWriter::new(plan, assign.format, assign.shuffle, items, write)?;
    let writing = match assign.redraw {
        Some(seed) => writing.with_redraw(seed),
        None => writing,
    };
    let mut skipped = 0;
    let assigned = match packing.input.compute {
        Some(computation) => computed(&packing.input, computation, writing, &mut skipped),
        None => read::<K>(&packing.input, writing, &mut skipped),
    }?;
    // Items are numbered by what was read, which no longer matches the lines of the file.
    if skipped > 0 {
        say(&format!(
            "{} skipped: items are numbered without them",
            plural(skipped, "record")
        ));
    }
    failed
        .into_inner()
        .map_err(|error| about(assign.to.place(), &error))?;
    out.into_inner().finish().map(|()| assigned)
}

/// Reads the items once more and writes their places; counts the records that are skipped.
fn read<const K: usize>(
    input: &Input,
    writing: AssignmentWriter<'_, K>,
    skipped: &mut u64,
) -> Result<AssignmentCounts> {
    let (files, options) = (input.files()?, input.options(columns::<K>(input))?);
    let assigned = export::over(writing, &mut |each| {
        *skipped = files.for_each_item::<K>(&options, each)?.skipped;
        Ok(())
    });
    assigned.map_err(|error| files.name(error))
}

/// Likewise for components that are computed: from the lengths, or the pairs, of the file.
fn computed<const K: usize>(
    input: &Input,
    computation: Computation,
    writing: AssignmentWriter<'_, K>,
    skipped: &mut u64,
) -> Result<AssignmentCounts> {
    // The unit of attention depends on all data, so they are read once for it alone.
    let computed = computed_components(input, computation)?.0.computed;
    if K != 2 {
        return Err(Error::Components {
            limits: K,
            components: 2,
        });
    }
    let (files, is_one) = (input.files()?, computation.components() == 1);
    let options = input.options(if is_one {
        input.length()
    } else {
        input.sizes()
    })?;
    let assigned = export::over(writing, &mut |each| {
        let mut wrong = Ok(());
        let mut each = |size: &[u32], count| match computed.size(size) {
            Ok(size) => each(&size, count),
            // The reading cannot be stopped from here, so the error waits for its end.
            Err(error) => wrong = Err(error),
        };
        let read = match is_one {
            true => files.for_each_item::<1>(&options, &mut each),
            false => files.for_each_item::<2>(&options, &mut each),
        };
        *skipped = read?.skipped;
        wrong
    });
    assigned.map_err(|error| files.name(error))
}

fn columns<const K: usize>(input: &Input) -> Vec<Column> {
    match K {
        1 => input.length(),
        _ => input.sizes(),
    }
}

fn items_of<const K: usize>(input: &Input) -> Result<u64> {
    if let Some(computation) = input.compute {
        return Ok(computed_components(input, computation)?
            .0
            .computed
            .histogram
            .items());
    }
    match K {
        1 => Ok(input.read()?.histogram.items()),
        _ => Ok(input
            .read_sizes::<K>(columns::<K>(input))?
            .histogram
            .items()),
    }
}
