//! Text formats without lengths, recognised by their layout and refused with a command that writes lengths.

use super::number;

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
const XYZ: &str =
    "structures as XYZ; write their numbers of atoms: awk 'n==0{print $1; n=$1+2} {n--}' FILE > lengths.txt";
const SDF: &str = "molecules as SDF; write a table of them: awk 'BEGIN{print \"nodes,edges\"} /V2000/{print substr($0,1,3)+0 \",\" \
                   substr($0,4,3)+0}' FILE > graphs.csv";
const VECTOR: &str = "a vector as R prints it; write it: writeLines(as.character(lengths), \"lengths.txt\")";
const SMILES: &str = "molecules as SMILES, one a line; count their tokens: packscope tokens FILE --tokenizer tokenizer.json --format csv \
                      > lengths.csv";
const SHAPES: &str = "names with shapes, as of ESPnet; write the first number of each: awk -F'[ ,]' '{print $2}' FILE > lengths.txt";

/// Returns the message for a known layout, from the first lines that are not blank or comments, and from all.
pub(super) fn known(lines: &[&[u8]], all: &[&[u8]]) -> Option<&'static str> {
    let text = |line: &[u8]| String::from_utf8_lossy(line.trim_ascii()).into_owned();
    let first = lines.first().map(|line| text(line)).unwrap_or_default();
    let begins = |word: &str| first.to_lowercase().starts_with(word);
    let has_comment = |words: [&str; 2]| {
        let of = |line: &&&[u8]| line.starts_with(b"#") && words.iter().all(|word| text(line).contains(word));
        all.iter().take(20).filter(of).count() > 0
    };
    let words = |line: &[u8]| text(line).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let is_problem = |line: &&[u8]| matches!(&words(line)[..], [p, _, nodes, edges] if p == "p" && is_whole(nodes) && is_whole(edges));
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
        () if begins(">>graph6<<") || (lines.len() > 1 && lines.iter().all(|line| is_graph6(line))) => GRAPH6,
        () if !lines.is_empty()
            && lines.iter().all(|line| line.len() > 60 && line.iter().all(u8::is_ascii_alphabetic)) =>
        {
            LETTERS
        }
        () if begins("[1] ") => VECTOR,
        () if are_molecules(lines) => SMILES,
        () if is_fastq(lines) => FASTQ,
        () if is_xyz(all) => XYZ,
        () if all
            .get(3)
            .is_some_and(|line| text(line).ends_with("V2000") || text(line).ends_with("V3000")) =>
        {
            SDF
        }
        () if lines.len() > 1
            && lines.iter().all(|line| matches!(&words(line)[..], [_, shape] if is_shape(shape))) =>
        {
            SHAPES
        }
        () => return None,
    })
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
        number::pieces(line).map(|piece| number::count(piece).ok()).collect()
    };
    let all: Option<Vec<Vec<u64>>> = lines.iter().map(|line| numbers(line)).collect();
    let Some([head, rest @ ..]) = all.as_deref() else { return false };
    let [nodes, edges, ..] = head[..] else { return false };
    let named: usize = rest.iter().map(Vec::len).sum();
    let is_node = |n: &u64| (1..=nodes).contains(n);
    let differ = rest.iter().any(|line| line.len() != head.len());
    head.len() < 5
        && rest.len() > 1
        && differ
        && rest.len() as u64 <= nodes
        && named as u64 <= 2 * edges
        && rest.iter().flatten().all(is_node)
}

/// Whether a line is a graph of at least two nodes: their number, and a bit for each pair of nodes, six to a byte.
fn is_graph6(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let Some((first, rest)) = line.split_first() else { return false };
    let nodes = usize::from(first.saturating_sub(63));
    let is_sign = |b: &u8| (63..127).contains(b);
    line.iter().all(is_sign)
        && (2..63).contains(&nodes)
        && rest.len() == (nodes * (nodes - 1) / 2).div_ceil(6)
}

/// Whether the lines below the first begin with a possible SMILES, half of them with a bond, a branch or a ring.
fn are_molecules(lines: &[&[u8]]) -> bool {
    let word =
        |line: &[u8]| line.trim_ascii().split(u8::is_ascii_whitespace).next().unwrap_or_default().to_vec();
    let words: Vec<Vec<u8>> = lines.iter().skip(1).map(|line| word(line)).collect();
    let is_sign = |b: &u8| b.is_ascii_digit() || b"BCNOPSFIHbclnoprs@+-=#()[]/\\.%$:~*".contains(b);
    let has_mark = |word: &&Vec<u8>| {
        word.iter().any(u8::is_ascii_alphabetic)
            && word.iter().any(|b| b.is_ascii_digit() || b"(=#[".contains(b))
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
    let [atoms, _, first, ..] = all else { return false };
    let mut words = first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_symbol = words.next().is_some_and(|word| word.len() < 4 && word[0].is_ascii_alphabetic());
    number::count(atoms).is_ok()
        && is_symbol
        && words.clone().count() > 2
        && words.take(3).all(|word| number::real(word).is_some())
}
