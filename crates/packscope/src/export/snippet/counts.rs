//! Lines that count lengths where the data are, on the engines that hold them.

use super::literal::{name, sql, string};
use super::{Snippet, Tool};

/// The column that sizes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SizeColumn {
    /// Lists of token ids.
    Ids(String),
    /// Lengths as whole numbers.
    Length(String),
    /// Text, and the name or file of a tokenizer.
    Text(String, String),
    /// Nodes and edges of graphs.
    Graph(String, String),
}

/// Where the data are, and which column of them is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataLocation {
    /// Files, with `*`; JSON Lines if the name ends in `.jsonl` or `.json` (also with `.gz`), else Parquet.
    pub path: String,
    /// The column that is counted.
    pub column: SizeColumn,
}

impl Default for DataLocation {
    fn default() -> Self {
        Self {
            path: "data/*.parquet".to_owned(),
            column: SizeColumn::Ids("input_ids".to_owned()),
        }
    }
}

impl DataLocation {
    fn is_json(&self) -> bool {
        let name = self.path.trim_end_matches(".gz");
        name.ends_with(".jsonl") || name.ends_with(".json")
    }

    /// Returns the file to write, and the columns before the count.
    fn out(&self) -> (&'static str, &'static [&'static str]) {
        match self.column {
            SizeColumn::Graph(..) => ("sizes.csv", &["nodes", "edges"]),
            _ => ("lengths.csv", &["length"]),
        }
    }
}

pub(super) fn count_snippets(lives: &DataLocation) -> Vec<Snippet> {
    let snippet = |tool, language, text: Option<String>, needs: &str| {
        // Items of size 0 stay out of every file: a histogram refuses them (`ZeroSize`).
        let (file, columns) = lives.out();
        let notes = vec![format!(
            "Writes {file} with {},count: open that here. {needs} Empty items are left out.",
            columns.join(",")
        )];
        text.map(|text| Snippet {
            tool,
            language,
            text,
            notes,
            executed: true,
        })
    };
    let engines = [
        snippet(
            Tool::CountDuckDb,
            "sql",
            duckdb(lives),
            "Runs in the duckdb shell, or by duckdb.execute(…).",
        ),
        snippet(
            Tool::CountPolars,
            "python",
            polars(lives),
            "Streams: the data need not fit into memory.",
        ),
        snippet(
            Tool::CountSpark,
            "python",
            spark(lives),
            "Only the table comes to the driver; a tokenizer must be installed on the workers.",
        ),
        snippet(
            Tool::CountDatasets,
            "python",
            datasets(lives),
            "Streams; the slowest of the four.",
        ),
    ];
    engines.into_iter().flatten().collect()
}

/// Returns the lines for DuckDB; `None` for text, since SQL has no tokenizer.
fn duckdb(lives: &DataLocation) -> Option<String> {
    let sizes = match &lives.column {
        SizeColumn::Ids(column) => format!("len({}) AS length", name(column)),
        SizeColumn::Length(column) => format!("{} AS length", name(column)),
        SizeColumn::Graph(nodes, edges) => {
            format!("{} AS nodes, {} AS edges", name(nodes), name(edges))
        }
        SizeColumn::Text(..) => return None,
    };
    let (file, columns) = lives.out();
    let reads = if lives.is_json() {
        "read_json"
    } else {
        "read_parquet"
    };
    let all = columns.join(", ");
    Some(format!(
        "COPY (\n    SELECT {all}, count(*) AS count\n    FROM (SELECT {sizes} FROM {reads}({}))\n    WHERE {} > 0\n    \
         GROUP BY {all}\n    ORDER BY {all}\n) TO '{file}' (HEADER);\n",
        sql(&lives.path),
        columns.first().unwrap_or(&"length")
    ))
}

const TOKENIZER: &str = "from tokenizers import Tokenizer\n";

/// Returns the code for a tokenizer: a file is opened, any other name is looked up.
fn tokenizer(of: &str) -> String {
    let from = if of.ends_with(".json") {
        "from_file"
    } else {
        "from_pretrained"
    };
    format!(
        // Files of tokenizers can have truncation and padding on, which would change the lengths.
        "tokenizer = Tokenizer.{from}({})\ntokenizer.no_truncation()\ntokenizer.no_padding()\n",
        string(of)
    )
}

fn polars(lives: &DataLocation) -> Option<String> {
    let (mut imports, mut before) = ("import polars as pl\n".to_owned(), String::new());
    let sizes = match &lives.column {
        SizeColumn::Ids(column) => {
            format!("pl.col({}).list.len().alias(\"length\")", string(column))
        }
        SizeColumn::Length(column) => format!("pl.col({}).alias(\"length\")", string(column)),
        SizeColumn::Graph(nodes, edges) => {
            format!(
                "pl.col({}).alias(\"nodes\"), pl.col({}).alias(\"edges\")",
                string(nodes),
                string(edges)
            )
        }
        SizeColumn::Text(column, of) => {
            imports += TOKENIZER;
            before = tokenizer(of)
                + "\n\ndef lengths(texts):\n    return pl.Series([len(e.ids) for e in tokenizer.encode_batch(texts.to_list())], \
                   dtype=pl.Int64)\n\n\n";
            format!(
                "pl.col({}).map_batches(lengths, return_dtype=pl.Int64).alias(\"length\")",
                string(column)
            )
        }
    };
    let (file, columns) = lives.out();
    let scan = if lives.is_json() {
        "scan_ndjson"
    } else {
        "scan_parquet"
    };
    let (all, first) = (quoted(columns), columns.first().unwrap_or(&"length"));
    Some(format!(
        "{imports}\n{before}(\n    pl.{scan}({})\n    .select({sizes})\n    .filter(pl.col(\"{first}\") > 0)\n    .group_by({all})\n    \
         .agg(pl.len().alias(\"count\"))\n    .sort({all})\n    .collect(engine=\"streaming\")\n    .write_csv(\"{file}\")\n)\n",
        string(&lives.path)
    ))
}

fn spark(lives: &DataLocation) -> Option<String> {
    let (mut imports, mut before) = (
        "from pyspark.sql import SparkSession\nfrom pyspark.sql import functions as F\n".to_owned(),
        String::new(),
    );
    let sizes = match &lives.column {
        SizeColumn::Ids(column) => format!("F.size(data[{}]).alias(\"length\")", string(column)),
        SizeColumn::Length(column) => format!("data[{}].alias(\"length\")", string(column)),
        SizeColumn::Graph(nodes, edges) => {
            format!(
                "data[{}].alias(\"nodes\"), data[{}].alias(\"edges\")",
                string(nodes),
                string(edges)
            )
        }
        SizeColumn::Text(column, of) => {
            imports += TOKENIZER;
            before = tokenizer(of)
                + "\n\n@F.udf(\"long\")\ndef lengths(text):\n    return len(tokenizer.encode(text).ids)\n\n\n";
            format!("lengths(data[{}]).alias(\"length\")", string(column))
        }
    };
    let (file, columns) = lives.out();
    let read = if lives.is_json() { "json" } else { "parquet" };
    let (all, first) = (quoted(columns), columns.first().unwrap_or(&"length"));
    Some(format!(
        "{imports}\n{before}spark = SparkSession.builder.getOrCreate()\ndata = spark.read.{read}({})\n\
         sizes = data.select({sizes}).where(\"{first} > 0\")\n\
         sizes.groupBy({all}).count().orderBy({all}).toPandas().to_csv(\"{file}\", index=False)\n",
        string(&lives.path)
    ))
}

fn datasets(lives: &DataLocation) -> Option<String> {
    let mut imports =
        "import csv\nfrom collections import Counter\n\nfrom datasets import load_dataset\n"
            .to_owned();
    let mut before = String::new();
    let sizes = match &lives.column {
        SizeColumn::Ids(column) => format!("map(len, batch[{}])", string(column)),
        SizeColumn::Length(column) => format!("batch[{}]", string(column)),
        SizeColumn::Graph(nodes, edges) => {
            format!("zip(batch[{}], batch[{}])", string(nodes), string(edges))
        }
        SizeColumn::Text(column, of) => {
            imports += TOKENIZER;
            before = tokenizer(of);
            format!(
                "(len(e.ids) for e in tokenizer.encode_batch(batch[{}]))",
                string(column)
            )
        }
    };
    let (file, columns) = lives.out();
    let kind = if lives.is_json() { "json" } else { "parquet" };
    let (row, empty) = match columns {
        [_] => ("[size, count]", "if size"),
        _ => ("[*size, count]", "if size[0]"),
    };
    Some(format!(
        "{imports}\n{before}data = load_dataset(\"{kind}\", data_files={}, split=\"train\", streaming=True)\ncounts = Counter()\n\
         for batch in data.iter(batch_size=1000):\n    counts.update({sizes})\nwith open(\"{file}\", \"w\", newline=\"\") as out:\n    \
         table = csv.writer(out)\n    table.writerow([{}, \"count\"])\n    \
         table.writerows({row} for size, count in sorted(counts.items()) {empty})\n",
        string(&lives.path),
        quoted(columns)
    ))
}

fn quoted(columns: &[&str]) -> String {
    columns
        .iter()
        .map(|c| string(c))
        .collect::<Vec<_>>()
        .join(", ")
}
