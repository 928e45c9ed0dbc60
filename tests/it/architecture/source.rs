//! A source file as tokens: the paths that it names, and the lengths of its functions. Tokens rather than a syntax
//! tree, since to any parser the code within macros (`html!`, `format!`) is only tokens.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Words before which `::` begins a path, instead of going on with one.
const KEYWORDS: [&str; 17] = [
    "as", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let", "match", "mut",
    "return", "static", "use", "where", "while",
];

/// A file of Rust.
#[derive(Debug)]
pub struct Source {
    /// Its path in the repository, with `/`.
    pub file: String,
    /// Everything that is named, with groups taken apart: `a::{b, c::d}` is `a::b` and `a::c::d`.
    pub paths: Vec<Path>,
    /// The functions that have a body.
    pub functions: Vec<Function>,
    /// Lines of the file.
    pub lines: usize,
}

/// A path as it is written, from its first name to its last.
#[derive(Debug, Clone)]
pub struct Path {
    /// Its names. A first name that is given another one (`use std as s`) is followed by `as`.
    pub names: Vec<String>,
    /// The module in which it is written.
    pub module: Vec<String>,
    /// The line of its first name.
    pub line: usize,
}

/// A function, also one within another, a macro or an implementation.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line of its `fn`.
    pub line: usize,
    /// Lines from there to the end of its body.
    pub lines: usize,
}

impl Source {
    /// Reads one file of the crate or the program whose root is this folder.
    pub fn new(root: &str, file: &str, text: &str) -> Self {
        let own = file
            .strip_prefix(root)
            .unwrap()
            .trim_start_matches('/')
            .strip_suffix(".rs")
            .unwrap();
        let mut module: Vec<String> = own.split('/').map(str::to_owned).collect();
        if matches!(own, "lib" | "main") || own == "mod" || own.ends_with("/mod") {
            module.pop();
        }
        let mut source = Self {
            file: file.to_owned(),
            paths: Vec::new(),
            functions: Vec::new(),
            lines: text.lines().count(),
        };
        source.read(
            &trees(text.parse().unwrap_or_else(|e| panic!("{file}: {e}"))),
            &module,
        );
        source
    }

    fn read(&mut self, trees: &[TokenTree], module: &[String]) {
        let mut at = 0;
        while at < trees.len() {
            match &trees[at] {
                TokenTree::Ident(word) if *word == "fn" => {
                    self.functions.extend(function(&trees[at..]));
                    at += 1;
                }
                TokenTree::Ident(word) if *word == "mod" && inline(&trees[at..]).is_some() => {
                    let (name, body) = inline(&trees[at..]).unwrap();
                    self.read(&body, &[module, &[name]].concat());
                    at += 3;
                }
                // `use ::std` is no path that begins with `use`.
                TokenTree::Ident(word) if KEYWORDS.iter().any(|keyword| *word == keyword) => {
                    at += 1
                }
                TokenTree::Ident(_) => at = self.path(trees, at, &[], module),
                TokenTree::Group(group) => {
                    let inner = trees_of(group);
                    // `#[path = "…"]`: a module that is not where it seems to be.
                    let attribute = group.delimiter() == Delimiter::Bracket
                        && at > 0
                        && sign(&trees[at - 1], '#');
                    if attribute && inner.len() > 1 && is(&inner[0], "path") && sign(&inner[1], '=')
                    {
                        let line = inner[0].span().start().line;
                        let names = vec!["crate".to_owned(), "#[path]".to_owned()];
                        self.paths.push(Path {
                            names,
                            module: module.to_vec(),
                            line,
                        });
                    }
                    self.read(&inner, module);
                    at += 1;
                }
                TokenTree::Literal(literal) => {
                    self.quoted(&literal.to_string(), module);
                    at += 1;
                }
                TokenTree::Punct(_) => at += 1,
            }
        }
    }

    /// Attributes name paths as text: `#[serde(with = "crate::a::b")]`.
    fn quoted(&mut self, literal: &str, module: &[String]) {
        let text = literal.trim_matches('"');
        if ["crate::", "self::", "super::", "::std", "std::"]
            .iter()
            .any(|first| text.starts_with(first))
        {
            self.read(&trees(text.parse().unwrap_or_default()), module);
        }
    }

    /// Takes one path that begins at `at`, after `before`; returns where it ends.
    fn path(
        &mut self,
        trees: &[TokenTree],
        mut at: usize,
        before: &[String],
        within: &[String],
    ) -> usize {
        let (mut names, line) = (before.to_vec(), trees[at].span().start().line);
        // `extern crate self as name` gives the root another name, too.
        let renamed = at > 0 && is(&trees[at - 1], "extern");
        loop {
            match &trees[at] {
                TokenTree::Ident(word) => names.push(word.to_string()),
                // All there is, and what a macro puts in.
                TokenTree::Punct(any) if matches!(any.as_char(), '*' | '$') => {
                    names.push(any.to_string())
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    for part in trees_of(group).split(|tree| sign(tree, ',')) {
                        // `::` may stand before a name, and nothing after the last comma.
                        if let Some(first) = part.iter().position(|tree| !sign(tree, ':')) {
                            self.path(part, first, &names, within);
                        }
                    }
                    return at + 1;
                }
                // `::<T>`: the path ends, and what follows is read as the rest.
                _ => break,
            }
            at += 1;
            let goes_on = |trees: &[TokenTree]| sign(&trees[0], ':') && sign(&trees[1], ':');
            if !trees.get(at..at + 3).is_some_and(goes_on) {
                break;
            }
            at += 2;
        }
        // Where a root gets another name, what is named by it would not be known.
        let module = |name: &String| matches!(name.as_str(), "crate" | "self" | "super");
        let root = names.iter().skip(1).all(module);
        if renamed || root && trees.get(at).is_some_and(|t| is(t, "as")) {
            names.push("as".to_owned());
        }
        self.paths.push(Path {
            names,
            module: within.to_vec(),
            line,
        });
        at
    }
}

impl Path {
    /// Where it leads in its crate; `None` for other crates, and for names that came by an import.
    pub fn within_crate(&self) -> Option<Vec<String>> {
        let mut to = match self.names[0].as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        for (i, name) in self.names.iter().enumerate() {
            match name.as_str() {
                "crate" | "self" if i == 0 => {}
                "super" if to.pop().is_some() => {}
                // `a::{self}` is `a`; the root by itself is a name for everything.
                "self" if !to.is_empty() => {}
                name => to.push(name.to_owned()),
            }
        }
        Some(to)
    }
}

/// The function that begins with `fn`, where it has a name and a body.
fn function(trees: &[TokenTree]) -> Option<Function> {
    let TokenTree::Ident(name) = trees.get(1)? else {
        return None;
    };
    // Braces between angles are constants: `Row<{ N + 1 }>`.
    let (mut angles, mut arrow) = (0, false);
    for tree in &trees[2..] {
        match tree {
            tree if sign(tree, '<') => angles += 1,
            tree if sign(tree, '>') && !arrow => angles -= 1,
            tree if sign(tree, ';') && angles == 0 => return None,
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace && angles == 0 => {
                let line = trees[0].span().start().line;
                let lines = body.span_close().end().line + 1 - line;
                return Some(Function {
                    name: name.to_string(),
                    line,
                    lines,
                });
            }
            _ => {}
        }
        arrow = sign(tree, '-');
    }
    None
}

/// The name and the body of `mod name { … }`.
fn inline(trees: &[TokenTree]) -> Option<(String, Vec<TokenTree>)> {
    match trees.get(1..3)? {
        [TokenTree::Ident(name), TokenTree::Group(body)]
            if body.delimiter() == Delimiter::Brace =>
        {
            Some((name.to_string(), trees_of(body)))
        }
        _ => None,
    }
}

fn is(tree: &TokenTree, word: &str) -> bool {
    matches!(tree, TokenTree::Ident(ident) if *ident == word)
}

fn sign(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn trees(tokens: TokenStream) -> Vec<TokenTree> {
    tokens.into_iter().collect()
}

fn trees_of(group: &proc_macro2::Group) -> Vec<TokenTree> {
    trees(group.stream())
}
