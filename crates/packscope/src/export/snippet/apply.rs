//! A plan applied to a table of items, without a loop over them: NumPy, Polars, DuckDB, Spark.

use super::literal::string;
use super::{Snippet, SnippetContext, Tool};
use crate::histogram::Overlong;

/// Properties of the items that the code needs.
pub(super) struct ItemTraits<'a> {
    /// The columns of a size: `length`, or `nodes` and `edges`.
    pub columns: &'a [&'a str],
    /// The limit of each column.
    pub limits: &'a [u32],
    /// The policy for items above a limit.
    pub overlong: Overlong,
    /// Items begin at multiples of this many tokens.
    pub align: u32,
}

/// How an engine writes whole division, and a row for each piece of an item.
struct Dialect {
    divide: &'static str,
    explode: fn(&str, u32) -> String,
}

const DUCKDB: Dialect = Dialect {
    divide: "//",
    explode: |column, limit| format!("unnest(range(0, {column}, {limit}))"),
};
const SPARK: Dialect = Dialect {
    divide: "div",
    // Unlike `range`, `sequence` has its end in it. `L` makes numbers of 64 bits.
    explode: |column, limit| format!("explode(sequence(0L, {column} - 1, {limit}L))"),
};

/// Returns the lines with which the code for every engine begins.
pub(super) fn head(context: &SnippetContext, words: &str, imports: &str) -> String {
    format!(
        "# {}\nimport json\n\n{imports}PLAN = {}\n\n{}\n\n\n",
        context.about(words),
        string(context.plan),
        include_str!("slots.py").trim_end()
    )
}

/// Returns the snippets for the four engines.
pub(super) fn engine_snippets(
    context: &SnippetContext,
    words: &str,
    items: &ItemTraits,
) -> Vec<Snippet> {
    let snippet = |tool, imports: &str, own: String, body: &str| Snippet {
        tool,
        language: "python",
        text: head(context, words, imports) + &own + body,
        notes: notes(tool, items),
        executed: true,
    };
    let keep = items
        .columns
        .iter()
        .map(|c| string(c))
        .collect::<Vec<_>>()
        .join(", ");
    let files = "ITEMS, OUT = \"items.parquet\", \"assignment.parquet\"\n";
    let sql = |size: &str, dialect: &Dialect, keep: String| {
        // Columns are names of ours: nothing in the query can end the quotes of Python around it.
        let takes = takes(items, size, dialect.divide);
        format!(
            "TAKES, KEEP = \"{takes}\", {keep}\nPIECES = \"\"\"\n{}\"\"\"\n",
            sql(items, dialect)
        )
    };
    let imports = |lines: &str| format!("{lines}\n{files}");
    vec![
        snippet(
            Tool::Numpy,
            "import numpy as np\n\n",
            numpy(items),
            include_str!("numpy.py"),
        ),
        snippet(
            Tool::Polars,
            &imports("import polars as pl\n"),
            format!("KEEP = [{keep}]\n{}", polars(items)),
            include_str!("polars.py"),
        ),
        snippet(
            Tool::DuckDb,
            &imports("import duckdb\nimport numpy as np\n"),
            sql("p.size", &DUCKDB, string(&items.columns.join(", "))),
            include_str!("duckdb.py"),
        ),
        snippet(
            Tool::Spark,
            &imports(
                "from pyspark.sql import SparkSession, Window\nfrom pyspark.sql import functions as F\n",
            ),
            sql("size", &SPARK, format!("[{keep}]")) + SESSION,
            include_str!("spark.py"),
        ),
    ]
}

const SESSION: &str = "
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(ITEMS).createOrReplaceTempView(\"items\")
pieces = spark.sql(PIECES)
";

fn notes(tool: Tool, items: &ItemTraits) -> Vec<String> {
    let columns = items.columns.join(", ");
    let mut notes = vec![match tool {
        Tool::Numpy if items.columns.len() == 1 => {
            "assign(lengths, plan) takes the lengths of all items in their order.".to_owned()
        }
        Tool::Numpy => {
            "assign(sizes, plan) takes (nodes, edges) of all items in their order.".to_owned()
        }
        _ => format!(
            "items.parquet has the columns id, {columns}; ids are numbers, in the order of the items."
        ),
    }];
    notes.push(
        "Places are those of `packscope assign`: the nth item of a size takes the nth slot for it. Items other than \
         those of the plan are refused."
            .to_owned(),
    );
    if tool == Tool::Spark {
        notes.push(
            "The items of one size are sorted in one task: give it memory for the most frequent size."
                .to_owned(),
        );
    }
    notes
}

/// Returns the NumPy function that cuts items into pieces; the other snippets begin with it.
pub(super) fn numpy(items: &ItemTraits) -> String {
    let graphs = items.columns.len() > 1;
    let limit = match items.limits {
        [limit] => limit.to_string(),
        limits => format!("np.array({limits:?})"),
    };
    let fits = if graphs {
        "(length <= LIMIT).all(axis=1)"
    } else {
        "length <= LIMIT"
    };
    let cut = match items.overlong {
        Overlong::Truncate => "    length = np.minimum(length, LIMIT)\n".to_owned(),
        Overlong::Drop => format!("    kept = {fits}\n    item, start, length = item[kept], start[kept], length[kept]\n"),
        Overlong::Reject => {
            format!("    if not ({fits}).all():\n        raise ValueError(\"an item is above the limit\")\n")
        }
        // −(−a // b) is a / b rounded up. `start` counts the pieces of each item from 0.
        Overlong::Split => "    many = -(-length // LIMIT)\n    item = np.repeat(item, many)\n    start = (np.arange(len(item)) - \
             np.repeat(np.cumsum(many) - many, many)) * LIMIT\n    length = np.minimum(length[item] - start, LIMIT)\n"
            .to_owned(),
    };
    let size = match (graphs, items.align) {
        // Both components in one number of 64 bits, as `key` in slots.py has them.
        (true, _) => "(length[:, 0] << 32) + length[:, 1]".to_owned(),
        (_, 1) => "length".to_owned(),
        (_, align) => format!("np.minimum(-(-length // {align}) * {align}, LIMIT)"),
    };
    format!(
        "LIMIT = {limit}\n\n\ndef pieces(length):\n    item = np.arange(len(length))\n    start = np.zeros_like(item)\n\
         {cut}    return item, start, length, {size}\n\n\n"
    )
}

fn polars(items: &ItemTraits) -> String {
    let columns: Vec<String> = items
        .columns
        .iter()
        .map(|c| format!("pl.col({}).cast(pl.Int64)", string(c)))
        .collect();
    let each = |one: &dyn Fn(&str, u32) -> String| -> Vec<String> {
        items
            .columns
            .iter()
            .zip(items.limits)
            .map(|(column, limit)| one(column, *limit))
            .collect()
    };
    let none = "start=pl.lit(0, pl.Int64)";
    let cut = match items.overlong {
        Overlong::Truncate => {
            let cut = each(&|column, limit| {
                format!("{column}=pl.col(\"{column}\").clip(upper_bound={limit})")
            });
            format!(".with_columns({none}, {})", cut.join(", "))
        }
        Overlong::Drop => {
            let fits = each(&|column, limit| format!("pl.col(\"{column}\") <= {limit}"));
            format!(".filter({}).with_columns({none})", fits.join(", "))
        }
        // Items above the limit find no slot, and are refused with it.
        Overlong::Reject => format!(".with_columns({none})"),
        Overlong::Split => {
            let limit = items.limits.first().copied().unwrap_or(1);
            format!(
                ".with_columns(start=pl.int_ranges(0, \"length\", {limit}))\n    .explode(\"start\")\n    \
                 .with_columns(length=pl.min_horizontal(pl.col(\"length\") - pl.col(\"start\"), pl.lit({limit})))"
            )
        }
    };
    let size = match items.columns {
        [_] => aligned(items, "pl.col(\"length\")", "//", |size, limit| {
            format!("({size}).clip(upper_bound={limit})")
        }),
        _ => "pl.col(\"nodes\") * 2**32 + pl.col(\"edges\")".to_owned(),
    };
    format!(
        "TAKES = {}\npieces = (\n    pl.scan_parquet(ITEMS)\n    .select(\"id\", {})\n    {cut}\n    .with_columns(size={size})\n)\n",
        takes(items, "pl.col(\"size\")", "//"),
        columns.join(", ")
    )
}

/// Returns the slots of an item in its row, as in the plan.
fn aligned(
    items: &ItemTraits,
    length: &str,
    divide: &str,
    least: impl Fn(&str, u32) -> String,
) -> String {
    match (items.align, items.limits.first()) {
        (1, _) | (_, None) => length.to_owned(),
        (align, Some(limit)) => least(
            // Rounded up, since engines have no common function for it.
            &format!("({length} + {}) {divide} {align} * {align}", align - 1),
            *limit,
        ),
    }
}

/// Returns the slots that a piece takes, for its key: for a graph, its nodes.
fn takes(items: &ItemTraits, size: &str, divide: &str) -> String {
    if items.columns.len() == 1 {
        size.to_owned()
    } else {
        format!("({size} {divide} 4294967296)")
    }
}

fn sql(items: &ItemTraits, dialect: &Dialect) -> String {
    let each = |one: &dyn Fn(&str, u32) -> String, between: &str| -> String {
        let all: Vec<String> = items
            .columns
            .iter()
            .zip(items.limits)
            .map(|(c, limit)| one(c, *limit))
            .collect();
        all.join(between)
    };
    let columns = items.columns.join(", ");
    let pieces = match items.overlong {
        Overlong::Truncate => {
            let cut = each(
                &|column, limit| format!("least({column}, {limit}) AS {column}"),
                ", ",
            );
            format!("SELECT id, 0 AS start, {cut} FROM items")
        }
        Overlong::Drop => {
            let fits = each(&|column, limit| format!("{column} <= {limit}"), " AND ");
            format!("SELECT id, 0 AS start, {columns} FROM items WHERE {fits}")
        }
        Overlong::Reject => format!("SELECT id, 0 AS start, {columns} FROM items"),
        Overlong::Split => {
            let limit = items.limits.first().copied().unwrap_or(1);
            let explode = (dialect.explode)("length", limit);
            format!(
                "SELECT id, start, least(length - start, {limit}) AS length\n    FROM (SELECT id, length, {explode} AS start FROM items)"
            )
        }
    };
    let size = match items.columns {
        [_] => aligned(items, "length", dialect.divide, |size, limit| {
            format!("least({size}, {limit})")
        }),
        _ => "CAST(nodes AS BIGINT) * 4294967296 + edges".to_owned(),
    };
    format!("    SELECT *, {size} AS size FROM (\n    {pieces}\n    ) AS p\n")
}
