//! The built-in sets of lengths.

use super::Preset;

const LENGTHS: Preset = Preset {
    components: &["tokens"],
    ..Preset::BLANK
};

pub(super) const ALL: &[Preset] = &[
    Preset {
        id: "wikipedia_bert_512",
        title: "Wikipedia, BERT, 512",
        group: "Pre-training",
        limits: &[512],
        about: "BERT pre-training sequences of Wikipedia, the histogram of Krell et al. 2022.",
        source: "graphcore/examples@3cc8f81, packedBERT/histograms.py. Code MIT, Wikipedia CC BY-SA 3.0.",
        ..LENGTHS
    },
    Preset {
        id: "squad_1_1_bert_384",
        title: "SQuAD 1.1, BERT, 384",
        group: "Fine-tuning BERT",
        limits: &[384],
        about: "Question and paragraph pairs of SQuAD 1.1 as BERT features.",
        source: "graphcore/examples@3cc8f81, packedBERT/histograms.py. Code MIT, SQuAD CC BY-SA 4.0.",
        ..LENGTHS
    },
    glue(
        "glue_cola",
        "GLUE CoLA, 128",
        "8,551 sentences, judged for grammar: 91.2 % padding at 128; Krell et al. 2022 say up to 89 %.",
    ),
    glue(
        "glue_sst2",
        "GLUE SST-2, 128",
        "67,349 phrases of film reviews.",
    ),
    glue("glue_stsb", "GLUE STS-B, 128", "5,749 pairs of sentences."),
    glue(
        "glue_rte",
        "GLUE RTE, 128",
        "2,490 pairs of texts, cut at 128 (12.2 % of them are longer).",
    ),
    glue(
        "glue_mrpc",
        "GLUE MRPC, 128",
        "3,668 pairs of sentences of news, the same in other words or not. The texts of QQP, QNLI and MNLI were found nowhere that could be counted.",
    ),
    glue(
        "glue_wnli",
        "GLUE WNLI, 128",
        "635 pairs of sentences of the Winograd schema challenge.",
    ),
    Preset {
        id: "alpaca_5000",
        title: "Alpaca, 5,000 samples",
        group: "Instruction tuning",
        limits: &[512],
        about: "5,000 of the 52,002 instructions with template and answer, o200k_base tokens; Stanford’s train.py cuts at 512.",
        source: "tatsu-lab/stanford_alpaca@5e69c50054. CC BY-NC 4.0. The full set has longer outliers.",
        ..LENGTHS
    },
    Preset {
        id: "gsm8k_train",
        title: "GSM8K, training",
        group: "Instruction tuning",
        limits: &[512],
        about: "School mathematics, question and answer, o200k_base tokens.",
        source: "openai/grade-school-math@3101c7d507. MIT.",
        ..LENGTHS
    },
    Preset {
        id: "lima_train_chatml",
        title: "LIMA, ChatML",
        group: "Instruction tuning",
        limits: &[4096],
        about: "1,029 of 1,030 curated conversations, o200k_base tokens, ChatML markers.",
        source: "hiyouga/LLaMA-Factory, data/lima.json. CC BY-NC-SA.",
        ..LENGTHS
    },
    Preset {
        id: "t0_train_50k_2048",
        title: "T0 prompts, 2,048",
        group: "Instruction tuning",
        limits: &[2048],
        about: "55,185 prompts with completions from 294 templates, o200k_base tokens, cut at 2,048.",
        source: "yizhongw/self-instruct@0b26ccaa41, data_per_template.",
        ..LENGTHS
    },
    Preset {
        id: "arxiv_summarization_llama2",
        title: "arXiv summaries, 4,096",
        group: "Long context and serving",
        limits: &[4096],
        about: "Article and summary, Llama 2 tokens; the authors left out what is longer than 4,096.",
        source: "microsoft/vidur@7d47513363. MIT.",
        ..LENGTHS
    },
    Preset {
        id: "sharegpt_8k_llama2",
        title: "ShareGPT, 8,192",
        group: "Long context and serving",
        limits: &[8192],
        about: "Every turn with the conversation before it, Llama 2 tokens, up to 8 k.",
        source: "microsoft/sarathi-serve, 72339db5b1. MIT; the texts are not included.",
        ..LENGTHS
    },
    Preset {
        id: "azure_llm_trace_conv",
        title: "Azure LLM trace, 16,384",
        group: "Long context and serving",
        limits: &[16384],
        about: "Production inference requests of 2023, context and answer; not a training set.",
        source: "Azure/AzurePublicDataset@b469a113ce. CC BY 4.0.",
        ..LENGTHS
    },
    Preset {
        id: "mooncake_conversation",
        title: "Mooncake conversations, 131,072",
        group: "Long context and serving",
        limits: &[131_072],
        about: "Inference requests with very long context, Kimi tokens; not a training set.",
        source: "kvcache-ai/Mooncake@3b5a594133. Apache 2.0.",
        ..LENGTHS
    },
    Preset {
        id: "librispeech_devclean_audio_40ms",
        title: "LibriSpeech dev-clean, audio",
        group: "Speech",
        limits: &[1024],
        about: "Utterances in encoder frames of 40 ms, most of them short. Those of Krell et al. were mostly long: 1.3 of a possible 1.6.",
        source: "kouyt5/myasr@1212b50, data/dev-clean.json.",
        ..LENGTHS
    },
    Preset {
        id: "librispeech_devclean_text_bert",
        title: "LibriSpeech dev-clean, text",
        group: "Speech",
        limits: &[128],
        about: "Transcripts of the same utterances, BERT tokens.",
        source: "kouyt5/myasr@1212b50, data/dev-clean.json.",
        ..LENGTHS
    },
    Preset {
        id: "mol_qm9_allatoms_len",
        title: "QM9, atoms per molecule",
        group: "Molecules and proteins",
        limits: &[29],
        about: "Small molecules, one token for each atom, hydrogen included.",
        source: "the16thpythonist/graph_hdc_public@f73f19e692; QM9 (figshare).",
        ..LENGTHS
    },
    Preset {
        id: "geom_drugs_allatoms_len",
        title: "GEOM-Drugs, atoms per conformer",
        group: "Molecules and proteins",
        limits: &[181],
        about: "6.9 million conformers; each molecule counts up to 30 times.",
        source: "ehoogeboom/e3_diffusion_for_molecules@fce07d701a. Code MIT.",
        ..LENGTHS
    },
    Preset {
        id: "protein_ecoli_proteome",
        title: "E. coli proteome, 1,024",
        group: "Molecules and proteins",
        limits: &[1024],
        about: "4,298 proteins, residues and two marks, cut at 1,024 (52 are longer).",
        source: "NCBI RefSeq GCF_000005845.2, through iankorf/MCB185@fc3c33ed5d. Public domain.",
        ..LENGTHS
    },
];

const fn glue(id: &'static str, title: &'static str, about: &'static str) -> Preset {
    let source = "Texts of the GLUE benchmark, counted with the vocabulary of bert-base-uncased.";
    Preset {
        id,
        title,
        group: "Fine-tuning BERT",
        limits: &[128],
        about,
        source,
        ..LENGTHS
    }
}
