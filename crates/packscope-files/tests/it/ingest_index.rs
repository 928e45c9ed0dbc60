//! Indices of tokenised data sets (`.idx`) of Megatron and of fairseq, which begin alike.

use packscope_files::ingest::{self, File, Options};
use std::ops::ControlFlow;

const LENGTHS: [u32; 5] = [7, 250, 8, 7, 64];

/// What both begin with: magic, version, the kind of the tokens, the number of sequences.
fn begin(sequences: u64) -> Vec<u8> {
    let mut bytes = b"MMIDIDX\0\0".to_vec();
    bytes.extend(1u64.to_le_bytes());
    bytes.push(8);
    bytes.extend(sequences.to_le_bytes());
    bytes
}

/// The lengths, and where each sequence begins.
fn sequences() -> Vec<u8> {
    let places = LENGTHS.iter().scan(0, |at, length| {
        Some(std::mem::replace(at, *at + 2 * u64::from(*length)))
    });
    LENGTHS
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .chain(places.flat_map(u64::to_le_bytes))
        .collect()
}

/// `MMapIndexedDataset.Index.writer` of fairseq.
fn fairseq() -> Vec<u8> {
    [begin(5), sequences()].concat()
}

/// `_IndexWriter` of Megatron, with the kinds of sequences in multimodal data.
fn megatron(documents: u64, kinds: usize) -> Vec<u8> {
    let ends = (0..documents).flat_map(u64::to_le_bytes).collect();
    [
        begin(5),
        documents.to_le_bytes().to_vec(),
        sequences(),
        ends,
        vec![0; kinds],
    ]
    .concat()
}

fn read(bytes: &[u8]) -> Result<Vec<([u32; 1], u64)>, String> {
    let source: &dyn ingest::Source = &bytes;
    let files = [File {
        name: "train.idx",
        source,
    }];
    let read = ingest::parquet::open_as::<1>(&files, &Options::default(), &mut |_, _| {
        ControlFlow::Continue(())
    });
    read.map(|read| read.histogram.entries().to_vec())
        .map_err(|error| error.to_string())
}

#[test]
fn both_have_all_their_sequences() {
    let all = vec![([7], 2), ([8], 1), ([64], 1), ([250], 1)];
    assert_eq!(read(&fairseq()), Ok(all.clone()));
    for (documents, kinds) in [(2, 0), (6, 0), (0, 0), (6, 5)] {
        assert_eq!(
            read(&megatron(documents, kinds)),
            Ok(all.clone()),
            "{documents} documents"
        );
    }
}

#[test]
fn an_index_of_another_size_is_refused() {
    let (fairseq, megatron) = (fairseq(), megatron(6, 0));
    let other = [
        fairseq[..fairseq.len() - 1].to_vec(),
        [&fairseq[..], &[0; 4]].concat(),
        megatron[..megatron.len() - 8].to_vec(),
        megatron[..60].to_vec(),
        [&megatron[..], &[0; 3]].concat(),
        begin(u64::MAX),
    ];
    for bytes in other {
        let error = read(&bytes).unwrap_err();
        assert!(
            error.contains("byte 19") && error.contains("is it complete?"),
            "{error}"
        );
    }
    assert!(
        read(&begin(5)[..20])
            .unwrap_err()
            .contains("the index ends here")
    );
}
