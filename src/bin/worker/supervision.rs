//! Finds out which tokens of files bear loss.

use packscope::advice::SharedCurves;
use packscope::error::{Error, Result};
use packscope::ingest::File;
use packscope::supervision::sources::OTHERS;
use packscope::supervision::{Collected, Collector, Truncation};
use packscope::tokens::supervised::{
    self, CountText, Labels, ReadOptions, SupervisedProgress, SupervisedVisitor,
};
use packscope_page::wire::{Supervised, SupervisionRequest, WorkerResponse};
use packscope_page::worker::{BlobSource, files, ticks};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Items whose spans go to the page, which weighs them at every limit.
const SAMPLED: usize = 1 << 13;
/// The most sources that are told apart on the page: each has its curves.
const SOURCES: usize = 8;

/// Answers a question about files whose fields may tell; `None` if it needs [`of_columns`].
pub fn of_files(
    asked: &SupervisionRequest,
    sources: &[BlobSource],
) -> Result<Option<WorkerResponse>> {
    let shards = files(&asked.names, sources);
    let first = shards.first().ok_or(Error::Empty)?;
    if supervised::is_columnar(first.source)? {
        return Ok(None);
    }
    let options = ReadOptions {
        format: asked.options.format,
        delimiter: asked.options.delimiter,
        header: asked.options.header,
        sample: asked.options.sample,
        source: None,
    };
    let of_first = options.clone().or_those_of(first.name);
    let told = match supervised::found(first.source, &of_first)? {
        None | Some(Labels::Texts) => None,
        Some(labels) => {
            let way = (&options, &labels, labels.to_string());
            Some(read_items(&shards, way, None, asked.truncation)?)
        }
    };
    Ok(Some(WorkerResponse::Supervised(told.map(Box::new))))
}

/// Answers a question about files of Parquet or Arrow.
pub fn of_columns(asked: &SupervisionRequest, sources: &[BlobSource]) -> Result<WorkerResponse> {
    let files = files(&asked.names, sources);
    let told = match supervised::found_in_columns(&files)? {
        None => None,
        Some((labels, by)) => {
            let options = ReadOptions {
                source: by,
                sample: asked.options.sample,
                ..ReadOptions::default()
            };
            let read = |progress: &mut SupervisedProgress<'_>, each: &mut SupervisedVisitor<'_>| {
                supervised::read_columns(&files, &options, &labels, progress, each).map(drop)
            };
            let by = options.source.clone();
            Some(collected(by, labels.to_string(), asked.truncation, read)?)
        }
    };
    Ok(WorkerResponse::Supervised(told.map(Box::new)))
}

/// Reads all items, with texts counted by `count`. Data sets in several files have the same fields in all of them.
pub fn read_items(
    shards: &[File<'_>],
    (options, labels, words): (&ReadOptions, &Labels, String),
    count: Option<&CountText<'_>>,
    truncation: Truncation,
) -> Result<Supervised> {
    let first = shards.first().ok_or(Error::Empty)?;
    let by = supervised::source_field(first.source, &options.clone().or_those_of(first.name))?;
    let options = ReadOptions {
        source: by.clone(),
        ..options.clone()
    };
    collected(by, words, truncation, |progress, each| {
        for shard in shards {
            let options = options.clone().or_those_of(shard.name);
            let read = supervised::read(shard.source, &options, labels, count, progress, each);
            read.map_err(|error| error.within_place(shard.name))?;
        }
        Ok(())
    })
}

/// Keeps what a reading says, of sources that a field names.
fn collected(
    by: Option<String>,
    labels: String,
    truncation: Truncation,
    read: impl FnOnce(&mut SupervisedProgress<'_>, &mut SupervisedVisitor<'_>) -> Result<()>,
) -> Result<Supervised> {
    let (mut collector, mut tick) = (Collector::new(truncation, SAMPLED), ticks());
    let mut progress = |done, of| -> ControlFlow<()> { tick(done, of) };
    read(&mut progress, &mut |item| {
        collector.add(item.tokens, item.spans, item.source)
    })?;
    let Collected {
        curves,
        mut sources,
        sample,
    } = collector.finish();
    // The rest shows in what the listed ones leave of all.
    sources.retain(|(name, _)| name != OTHERS);
    sources.truncate(SOURCES);
    Ok(Supervised {
        curves: SharedCurves(Arc::new(curves)),
        labels,
        turns: None,
        by,
        sources,
        sample: sample.into_items(),
    })
}
