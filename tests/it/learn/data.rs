//! Sets that are compiled into the program for lessons.

use packscope::histogram::Preset;
use packscope_page::learn::data::{graphs, lengths, opening_lengths};

#[test]
fn sets_are_whole() {
    let sets = [
        "wikipedia_bert_512",
        "squad_1_1_bert_384",
        "glue_sst2",
        "glue_rte",
        "gsm8k_train",
        "alpaca_5000",
        "mol_qm9_allatoms_len",
        "librispeech_devclean_text_bert",
    ];
    assert!(sets.iter().all(|id| lengths(id).len() > 5));
    assert!(
        ["ogbg_molhiv", "mol_qm9"]
            .iter()
            .all(|id| graphs(id).len() > 5)
    );
    let items = |id| lengths(id).iter().map(|(_, n)| n).sum::<u64>();
    assert_eq!(items("wikipedia_bert_512"), 16_279_552);
    assert!(lengths("nothing").is_empty());
    assert_eq!(opening_lengths(), lengths(Preset::FIRST.id));
}
