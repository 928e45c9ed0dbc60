//! Text formats without lengths, recognised by their layout and refused with a command that writes lengths.

use super::columns_of_words;
use super::names;
use super::number;
use std::borrow::Cow;

/// The message for a file of one graph, by the name of its format.
macro_rules! one_graph {
    ($name:literal) => {
        concat!(
            "one graph, as ",
            $name,
            " has it, and not an item a line; bring a table with a row for each graph: nodes,edges, in \
             Python with networkx: g.number_of_nodes(), g.number_of_edges()"
        )
    };
}

const GRAPH6: &str = "graphs as graph6, one a line; write a table of them: printf 'nodes,edges\\n' > graphs.csv; python -c \"import \
                      networkx as n; [print(g.order(), g.size(), sep=',') for g in n.read_graph6('FILE')]\" >> graphs.csv";
const FASTQ: &str =
    "FASTQ; write the lengths of its reads: awk 'NR%4==2{print length($0)}' FILE > lengths.txt";
const LETTERS: &str = "long lines without a space, whose words say nothing; write the letters of each: awk '{print length($0)}' FILE > \
                       lengths.txt";
const XYZ: &str = "structures as XYZ; write their numbers of atoms: awk 'n==0{print $1; n=$1+2} {n--}' FILE > lengths.txt";
const QM9: &str = "structures of QM9, with three lines below the atoms; write their numbers of atoms: awk 'n==0{print $1; n=$1+5} {n--}' \
                   FILE > lengths.txt";
const STATS: &str = "the output of samtools stats; write its table of lengths: (echo length,count; grep ^RL FILE | cut -f 2,3 | tr '\\t' \
                     ',') > lengths.csv";
const SAM: &str = "alignments as SAM; write the lengths of the reads, once for each: awk -F'\\t' '!/^@/ && int($2/256)%2==0 && \
                   int($2/2048)%2==0 && $10!=\"*\"{print length($10)}' FILE > lengths.txt";
const GFA: &str = "a graph of an assembly as GFA; write the lengths of its segments: awk -F'\\t' '$1==\"S\"{n=length($3); for(i=4;i<=NF;i++) \
                   if($i~/^LN:i:/) n=substr($i,6); print n}' FILE > lengths.txt";
const VCF: &str = "variants as VCF, which have places and no lengths; bring the sequences, as FASTA, or their index";
const GFF: &str = "features as GFF or GTF; write the lengths of one kind of them: awk -F'\\t' '$3==\"exon\"{print $5-$4+1}' FILE > lengths.txt";
const PDB: &str = "the atoms of one structure as PDB; write its number of residues behind those of the others: grep -cE \
                   '^ATOM.{9}CA ' FILE >> lengths.txt";
const TEMPLATE: &str = "the template of a chat, in Jinja, which has no lengths; bring conversations, and keep it beside the tokenizer.json \
                        of its model: packscope tokens FILE --tokenizer tokenizer.json --format csv > lengths.csv";
const PAF: &str = "alignments as PAF, several of a read; write the length of each read: cut -f 1,2 FILE | sort -u | cut -f 2 > lengths.txt";
const WC: &str = "numbers with names of files, and their total, as wc prints them; write the numbers: awk '$2!=\"total\"{print $1}' FILE > \
                  lengths.txt";
const PRINTED: &str = "lines of one form with a number in each; write the last number of each line: sed -E \
                       's/.*[^0-9]([0-9]+)[^0-9]*$/\\1/' FILE > lengths.txt";
const LIST: &str = "a list in brackets behind a name; write its numbers: sed 's/.*\\[//; s/\\].*//' FILE | tr -s ', ' '\\n' > lengths.txt";
const SUMS: &str = "numbers and shares of lengths up to a limit, which add up those before; write the lengths themselves, one a line";
const SDF: &str = "molecules as SDF; write a table of them: awk 'BEGIN{print \"nodes,edges\"} /V2000/{print substr($0,1,3)+0 \",\" \
                   substr($0,4,3)+0}' FILE > graphs.csv";
const VECTOR: &str =
    "a vector as R prints it; write it: writeLines(as.character(lengths), \"lengths.txt\")";
const SMILES: &str = "molecules as SMILES, one a line; count their tokens: packscope tokens FILE --tokenizer tokenizer.json --format csv \
                      > lengths.csv";
const DICTIONARIES: &str = "dictionaries as Python prints them; a log of a training has no lengths in it, only totals of steps; of records, \
                            write JSON Lines: python -c \"import ast, json, sys; [print(json.dumps(ast.literal_eval(line))) for line \
                            in sys.stdin]\" < FILE > records.jsonl";
const LOG: &str = "lines of a log, whose numbers are no lengths; bring the lengths of the data: a table, or numbers, one a line";
const METRIC: &str = "a metric of a training as MLflow keeps it, with time, value and step in each line, and no lengths; bring the lengths \
                      of the data that were trained on";
const SHAPES: &str = "names with shapes, as of ESPnet; write the first number of each: awk -F'[ ,]' '{print $2}' FILE > lengths.txt";

const YAML: &str = "settings with a name and a value in each line, as YAML has them, and no lengths; give those of a training beside the \
                    data: packscope advise DATA --config FILE";
const NAMED: &str = "texts behind names, as Kaldi has them, whose names are no words; write the texts alone, one a line: cut -d ' ' -f 2- \
                     FILE > texts.txt";

/// Returns the message for a known layout, from the first lines that are not blank or comments, and from all.
pub(super) fn known_layout(lines: &[&[u8]], all: &[&[u8]]) -> Option<Cow<'static, str>> {
    known(lines, all)
        .map(Cow::from)
        .or_else(|| settings(lines).map(Cow::from))
        .or_else(|| {
            // A name that all lines begin with is no cell of a table.
            let are_alone = are_printed(lines)
                && (columns_of_words::number(lines).is_none() || begin_alike(lines));
            (are_alone || are_shapes(lines)).then_some(Cow::from(PRINTED))
        })
}

/// Whether all lines, of which there are several, begin with one word.
fn begin_alike(lines: &[&[u8]]) -> bool {
    let first = |line: &[u8]| {
        line.split(u8::is_ascii_whitespace)
            .next()
            .map(<[u8]>::to_vec)
    };
    lines.len() > 1 && lines.iter().all(|line| first(line) == first(lines[0]))
}

fn known(lines: &[&[u8]], all: &[&[u8]]) -> Option<&'static str> {
    let text = |line: &[u8]| String::from_utf8_lossy(line.trim_ascii()).into_owned();
    let first = lines.first().map(|line| text(line)).unwrap_or_default();
    let begins = |word: &str| first.to_lowercase().starts_with(word);
    let has_comment = |words: [&str; 2]| {
        let of = |line: &&&[u8]| {
            line.starts_with(b"#") && words.iter().all(|word| text(line).contains(word))
        };
        all.iter().take(20).filter(of).count() > 0
    };
    let words = |line: &[u8]| {
        text(line)
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let are = |is: fn(&[u8]) -> bool| !lines.is_empty() && lines.iter().all(|line| is(line));
    let is_problem = |line: &&[u8]| matches!(&words(line)[..], [p, _, nodes, edges] if p == "p" && is_whole(nodes) && is_whole(edges));
    // The order matters: formats with a mark of their own come first, guesses by the form of lines
    // after them.
    Some(match () {
        () if begins("%%matrixmarket") => one_graph!("MatrixMarket"),
        () if has_comment(["FromNodeId", "ToNodeId"]) || has_comment(["Nodes:", "Edges:"]) => {
            one_graph!("SNAP")
        }
        () if lines.iter().any(is_problem) => one_graph!("DIMACS"),
        () if ["graph [", "graph[", "creator"].iter().any(|w| begins(w))
            && lines.iter().any(|l| text(l).starts_with("node")) =>
        {
            one_graph!("GML")
        }
        () if begins("*vertices") => one_graph!("Pajek"),
        () if ["digraph ", "graph {", "strict "].iter().any(|w| begins(w)) => one_graph!("DOT"),
        () if is_metis(lines) => one_graph!("METIS"),
        () if begins(">>graph6<<")
            || (lines.len() > 1 && lines.iter().all(|line| is_graph6(line))) =>
        {
            GRAPH6
        }
        () if !lines.is_empty()
            && lines
                .iter()
                .all(|line| line.len() > 60 && line.iter().all(u8::is_ascii_alphabetic)) =>
        {
            LETTERS
        }
        () if begins("[1] ") => VECTOR,
        () if are_molecules(lines) => SMILES,
        () if first.starts_with("{'") => DICTIONARIES,
        () if is_log(&first) || (lines.len() > 1 && are(is_of_step)) => LOG,
        () if all
            .iter()
            .take(3)
            .any(|line| text(line).contains("produced by samtools stats")) =>
        {
            STATS
        }
        () if ["@HD\t", "@SQ\t", "@PG\t", "@RG\t"]
            .iter()
            .any(|begin| first.starts_with(begin)) =>
        {
            SAM
        }
        () if are(is_read) => SAM,
        () if are(is_alignment) => PAF,
        () if are(is_of_gfa) => GFA,
        () if has_comment(["##fileformat=VCF", ""]) => VCF,
        () if has_comment(["##gff-version", ""]) || are(is_feature) => GFF,
        () if lines.iter().any(|line| is_atom(line)) => PDB,
        () if ["{%", "{#", "{{-"].iter().any(|word| begins(word)) => TEMPLATE,
        () if is_of_wc(all) => WC,
        () if are(is_of_metric) => METRIC,
        () if first
            .split_once("=[")
            .is_some_and(|(name, list)| is_key(name) && begins_with_digit(list)) =>
        {
            LIST
        }
        () if lines.len() > 1 && lines.iter().all(|line| is_share_of_lengths(&text(line))) => SUMS,
        () if are_settings(lines) => YAML,
        () if are_named_texts(lines) => NAMED,
        () if is_fastq(lines) => FASTQ,
        () if is_xyz(all) && all.get(1).is_some_and(|line| line.starts_with(b"gdb ")) => QM9,
        () if is_xyz(all) => XYZ,
        () if all
            .get(3)
            .is_some_and(|line| text(line).ends_with("V2000") || text(line).ends_with("V3000")) =>
        {
            SDF
        }
        () if lines.len() > 1
            && lines
                .iter()
                .all(|line| matches!(&words(line)[..], [_, shape] if is_shape(shape))) =>
        {
            SHAPES
        }
        () => return None,
    })
}

/// Whether a line of words has the figures of a step of a training.
fn is_of_step(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let words = || text.split(|c: char| c.is_whitespace() || matches!(c, ':' | '='));
    let has_number = words().any(|word| number::is_number(word.as_bytes()));
    has_number
        && words().any(names::is_of_training)
        && words().any(names::is_step)
        && !text.contains([',', '\t', '{', '"'])
}

/// Whether a line has the milliseconds since 1970, a number, and a step.
fn is_of_metric(line: &[u8]) -> bool {
    let mut words = line.split(|b| *b == b' ');
    let is_time = words.next().is_some_and(|word| {
        word.len() == 13 && word.starts_with(b"1") && number::count(word).is_ok()
    });
    let is_value = words.next().is_some_and(number::is_number);
    let is_step = words.next().is_some_and(|word| number::count(word).is_ok());
    is_time && is_value && is_step && words.next().is_none()
}

/// Whether a row has the strand of an alignment in its fifth of twelve columns.
fn is_alignment(line: &[u8]) -> bool {
    let cells: Vec<&[u8]> = line.split(|b| *b == b'\t').collect();
    cells.len() > 11 && matches!(cells[4], b"+" | b"-") && number::count(cells[1]).is_ok()
}

/// Whether a row has the flag, the place and the bases of a read in its second, fourth and tenth of eleven columns or more.
fn is_read(line: &[u8]) -> bool {
    let cells: Vec<&[u8]> = line.split(|b| *b == b'\t').collect();
    let is_cigar = |cell: &[u8]| {
        cell == b"*"
            || cell
                .iter()
                .all(|b| b.is_ascii_digit() || b"MIDNSHP=X".contains(b))
    };
    cells.len() > 10
        && [1, 3, 4].iter().all(|at| number::count(cells[*at]).is_ok())
        && is_cigar(cells[5])
        && cells[9]
            .iter()
            .all(|b| b.is_ascii_alphabetic() || b"*=.".contains(b))
}

/// Whether a line is a header, a segment, a link, a path, a walk or a containment of GFA.
fn is_of_gfa(line: &[u8]) -> bool {
    let mut cells = line.split(|b| *b == b'\t');
    let kind = cells.next().unwrap_or_default();
    kind.len() == 1 && b"HSLPWCJ".contains(&kind[0]) && cells.next().is_some()
}

/// Whether a row has where a feature begins and ends in its fourth and fifth of nine columns, and its strand in the seventh.
fn is_feature(line: &[u8]) -> bool {
    let cells: Vec<&[u8]> = line.split(|b| *b == b'\t').collect();
    cells.len() == 9
        && [3, 4].iter().all(|at| number::count(cells[*at]).is_ok())
        && matches!(cells[6], b"+" | b"-" | b"." | b"?")
}

/// Whether a line is an atom of PDB: its number and its three coordinates stand in columns of their own.
fn is_atom(line: &[u8]) -> bool {
    let real = |from: usize, to: usize| {
        line.get(from..to)
            .is_some_and(|cell| number::real(cell.trim_ascii()).is_some())
    };
    line.starts_with(b"ATOM  ") && real(30, 38) && real(38, 46) && real(46, 54)
}

/// Whether lines are numbers with names, above their total.
fn is_of_wc(all: &[&[u8]]) -> bool {
    let mut filled = all
        .iter()
        .rev()
        .map(|line| line.trim_ascii())
        .filter(|line| !line.is_empty())
        .peekable();
    let is_one = |line: &[u8]| {
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        words
            .next()
            .is_some_and(|word| word.iter().all(u8::is_ascii_digit))
            && words.next().is_some()
    };
    filled.peek().is_some_and(|last| last.ends_with(b" total"))
        && filled.clone().count() > 2
        && filled.all(is_one)
}

fn is_key(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

/// Returns the message for lines that have several names with values each, as loggers print them: `step=1 num_tokens=120`.
fn settings(lines: &[&[u8]]) -> Option<String> {
    let pairs = |line: &&[u8]| -> Vec<(String, bool)> {
        let text = String::from_utf8_lossy(line).into_owned();
        let pieces = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
        let pair = |piece: &str| {
            let (name, value) = piece.split_once('=')?;
            is_key(name).then(|| (name.to_owned(), is_whole(value)))
        };
        pieces.filter_map(pair).collect()
    };
    let all: Vec<Vec<(String, bool)>> = lines.iter().map(pairs).collect();
    let first = all
        .first()
        .filter(|first| first.len() > 1 && all.len() > 1)?;
    // A number in the first line may be a word in others.
    let is_number = |name: &String| all.iter().all(|line| line.contains(&(name.clone(), true)));
    let numbers: Vec<&String> = first
        .iter()
        .map(|(name, _)| name)
        .filter(|name| is_number(name))
        .collect();
    let lengths: Vec<&&String> = numbers
        .iter()
        .filter(|name| names::is_length(name))
        .collect();
    let (name, which) = match (&numbers[..], &lengths[..]) {
        ([], _) => return None,
        (_, [length]) => (length.as_str(), String::new()),
        _ => {
            let listed: Vec<&str> = numbers.iter().take(20).map(|name| name.as_str()).collect();
            (
                "NAME",
                format!(", where NAME is one of {}", listed.join(", ")),
            )
        }
    };
    Some(format!(
        "lines of names with values; write the values of the length, one a line{which}: grep -oE '(^|[ ,;]){name}=[0-9]+' FILE | cut -d \
         = -f 2 > lengths.txt"
    ))
}

/// Whether each line is a name of its own with a value, some of which are words: `batch: 16`, `mode: train`.
fn are_settings(lines: &[&[u8]]) -> bool {
    let pair = |line: &&[u8]| {
        let text = std::str::from_utf8(line).ok()?;
        let (name, value) = text.split_once(':')?;
        let is_name = name
            .trim_start_matches([' ', '-'])
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let has_space = value.is_empty() || value.starts_with(' ');
        (is_name && has_space && !name.is_empty())
            .then(|| (name.to_owned(), value.trim().to_owned()))
    };
    let all: Option<Vec<(String, String)>> = lines.iter().map(pair).collect();
    all.is_some_and(|all| {
        let names: std::collections::BTreeSet<&String> = all.iter().map(|(name, _)| name).collect();
        let is_word = |value: &str| !value.is_empty() && !value.bytes().any(|b| b.is_ascii_digit());
        let words = all.iter().filter(|(_, value)| is_word(value)).count();
        all.len() > 2 && names.len() == all.len() && words > 0 && words < all.len()
    })
}

/// Whether each line begins with a name of its own, of which three digits or more differ, before words without any.
fn are_named_texts(lines: &[&[u8]]) -> bool {
    let parts = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line).into_owned();
        let (name, words) = text.trim().split_once([' ', '\t'])?;
        let digits = name.bytes().filter(u8::is_ascii_digit).count();
        let form: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
        let are_words = words.chars().any(char::is_alphabetic)
            && !words.contains(['/', ',', ';', '\t', '|', '=', ':', '{', '['])
            && !words.bytes().any(|b| b.is_ascii_digit());
        let is_name = digits > 2 && !name.contains([',', ';', ':', '"', '{', '[', '.', '/']);
        (is_name && are_words && form.len() < name.len()).then(|| (name.to_owned(), form))
    };
    let all: Option<Vec<(String, String)>> = lines.iter().map(parts).collect();
    all.is_some_and(|all| {
        let names: std::collections::BTreeSet<&String> = all.iter().map(|(name, _)| name).collect();
        let is_alike = |(_, form): &(String, String)| *form == all[0].1 && !form.is_empty();
        all.len() > 2 && names.len() == all.len() && all.iter().all(is_alike)
    })
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a line has a number of samples, their share, and the length that they are below.
fn is_share_of_lengths(line: &str) -> bool {
    begins_with_digit(line)
        && line.contains("%)")
        && line.contains(" length ")
        && line.contains(['<', '≤'])
}

/// Whether lines differ in their numbers alone, the last of which is a value: behind `=` or `: `.
fn are_printed(lines: &[&[u8]]) -> bool {
    let form = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let digits = |c: char| c.is_ascii_digit();
        let end = text.trim_end_matches(|c: char| !digits(c)).len();
        let value = text[..end].trim_end_matches(digits).len();
        let before = &text[..value];
        let is_named = || {
            before
                .strip_suffix(": ")
                .is_some_and(|name| !name.contains(' '))
                // `INFO:root:tokens 120`, as the logging of Python prints it.
                || before
                    .strip_suffix(' ')
                    .is_some_and(|name| name.contains(':') && !name.contains(' '))
        };
        let is_value = value < end
            && !text.contains([',', ';', '\t', '|'])
            && (before.ends_with('=') || is_named());
        let is_word = text[end..].chars().all(|c| c.is_alphabetic() || c == ' ');
        // Two lines have one form if they are equal once their numbers are taken out.
        let letters = text
            .split(digits)
            .filter(|piece| !piece.is_empty())
            .collect::<Vec<_>>()
            .join("#");
        (is_value && is_word && !letters.starts_with(['{', '[', '"'])).then_some(letters)
    };
    let forms: Option<Vec<String>> = lines.iter().map(form).collect();
    forms.is_some_and(|forms| {
        forms.len() > 1 && forms.iter().all(|one| *one == forms[0] && one.len() > 3)
    })
}

/// Whether lines are shapes of tensors that differ in their last size alone: `ids.shape: torch.Size([1, 982])`.
fn are_shapes(lines: &[&[u8]]) -> bool {
    let parts = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let of = |is: fn(char) -> bool| {
            let pieces = text.split(is).filter(|piece| !piece.is_empty());
            pieces.map(str::to_owned).collect::<Vec<_>>()
        };
        (of(|c| c.is_ascii_digit()), of(|c| !c.is_ascii_digit()))
    };
    let all: Vec<(Vec<String>, Vec<String>)> = lines.iter().map(parts).collect();
    let Some(((words, sizes), rest)) = all.split_first() else {
        return false;
    };
    let is_shape = words
        .iter()
        .any(|word| word.contains("shape") || word.contains("Size(["));
    let same = sizes.len().saturating_sub(1);
    let is_alike = |(other, more): &(Vec<String>, Vec<String>)| {
        other == words && more.len() == sizes.len() && more[..same] == sizes[..same]
    };
    is_shape
        && rest.iter().all(is_alike)
        && rest.iter().any(|(_, more)| more.last() != sizes.last())
}

/// Whether a line begins as those of loggers do, with a date and a time in brackets, or behind words in brackets:
/// `[2025-03-04 09:28:15,294]`, `[rank0]:[titan] 2025-03-04 09:28:15,294`.
fn is_log(line: &str) -> bool {
    let is_tag = |word: &str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        word.starts_with(char::is_alphabetic) && word.chars().all(is_part)
    };
    let mut rest = line;
    while let Some((tag, behind)) = rest.strip_prefix('[').and_then(|tag| tag.split_once(']'))
        && is_tag(tag)
    {
        rest = behind.trim_start_matches([':', ' ']);
    }
    let dated = match rest.strip_prefix('[') {
        Some(dated) => dated,
        // A table may begin with a time, but not with a word in brackets.
        None if rest.len() < line.len() => rest,
        None => return false,
    };
    let fits = |(c, form): (char, char)| {
        if form == '0' {
            c.is_ascii_digit()
        } else {
            c == form
        }
    };
    let form = "0000-00-00 00:00:00";
    dated.len() > form.len() && dated.chars().zip(form.chars()).all(fits)
}

fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text is several numbers with commas that do not separate thousands: `1448,80`.
fn is_shape(text: &str) -> bool {
    text.contains(',') && text.split(',').all(is_whole) && !number::is_in_thousands(text.as_bytes())
}

/// Whether lines are the neighbours of each node, after the numbers of nodes and edges: no neighbour is beyond the last
/// node, and there are no more lines than nodes.
fn is_metis(lines: &[&[u8]]) -> bool {
    let numbers = |line: &[u8]| -> Option<Vec<u64>> {
        number::pieces(line)
            .map(|piece| number::count(piece).ok())
            .collect()
    };
    let all: Option<Vec<Vec<u64>>> = lines.iter().map(|line| numbers(line)).collect();
    let Some([head, rest @ ..]) = all.as_deref() else {
        return false;
    };
    let [nodes, edges, ..] = head[..] else {
        return false;
    };
    let named: usize = rest.iter().map(Vec::len).sum();
    let is_node = |n: &u64| (1..=nodes).contains(n);
    let differ = rest.iter().any(|line| line.len() != head.len());
    // A weight of nodes or edges may follow in the header, so it has 2 to 4 numbers.
    head.len() < 5
        && rest.len() > 1
        && differ
        && rest.len() as u64 <= nodes
        // An edge is listed at both of its nodes.
        && named as u64 <= 2 * edges
        && rest.iter().flatten().all(is_node)
}

/// Whether a line is a graph of at least two nodes: their number, and a bit for each pair of nodes, six to a byte.
fn is_graph6(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let Some((first, rest)) = line.split_first() else {
        return false;
    };
    // graph6: bytes are 63 to 126, each with six bits; one byte for up to 62 nodes, then the upper
    // triangle of the adjacency matrix.
    let nodes = usize::from(first.saturating_sub(63));
    let is_sign = |b: &u8| (63..127).contains(b);
    line.iter().all(is_sign)
        && (2..63).contains(&nodes)
        && rest.len() == (nodes * (nodes - 1) / 2).div_ceil(6)
}

/// Whether the lines below the first begin with a possible SMILES, half of them with a bond, a branch or a ring. In rows of
/// several cells digits are no rings: there are names such as P12345 and chr1.
fn are_molecules(lines: &[&[u8]]) -> bool {
    let word = |line: &[u8]| {
        line.trim_ascii()
            .split(u8::is_ascii_whitespace)
            .next()
            .unwrap_or_default()
            .to_vec()
    };
    let words: Vec<Vec<u8>> = lines.iter().skip(1).map(|line| word(line)).collect();
    // Letters of the organic subset, aromatic ones, and signs of bonds, branches, rings and
    // charges.
    let is_sign = |b: &u8| b.is_ascii_digit() || b"BCNOPSFIHbclnoprs@+-=#()[]/\\.%$:~*".contains(b);
    let are_rows = lines
        .iter()
        .all(|line| line.iter().filter(|b| matches!(b, b'\t' | b',')).count() > 1);
    let has_mark = |word: &&Vec<u8>| {
        word.iter().any(u8::is_ascii_alphabetic)
            && word
                .iter()
                .any(|b| (b.is_ascii_digit() && !are_rows) || b"(=#[".contains(b))
    };
    words.len() > 1
        && words.iter().flatten().all(is_sign)
        && 2 * words.iter().filter(has_mark).count() >= words.len()
}

fn is_fastq(lines: &[&[u8]]) -> bool {
    matches!(lines, [name, read, plus, marks, ..] if name.starts_with(b"@") && plus.starts_with(b"+")
        && read.trim_ascii().len() == marks.trim_ascii().len())
}

/// Whether a file begins with a number of atoms, a remark, and the position of an atom.
fn is_xyz(all: &[&[u8]]) -> bool {
    let [atoms, _, first, ..] = all else {
        return false;
    };
    let mut words = first
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let is_symbol = words
        .next()
        .is_some_and(|word| word.len() < 4 && word[0].is_ascii_alphabetic());
    number::count(atoms).is_ok()
        && is_symbol
        && words.clone().count() > 2
        && words.take(3).all(|word| number::real(word).is_some())
}
