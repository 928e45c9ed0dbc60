//! Conversations as a model sees them: rendered by the chat template of its tokenizer, as `apply_chat_template` of
//! transformers does, or by a custom template for each message. Templates come with models from anyone: what they do is
//! limited (`guard`, `meter`).

mod guard;
mod meter;
mod turns;

pub use turns::{Roles, SupervisedText};

use super::template::{Template, TemplatePiece};
use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Environment, ErrorKind, State, Value, escape_formatter};
use packscope_core::error::{Error, Result};
use packscope_core::words::capped;
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io;

type RenderResult<T> = std::result::Result<T, minijinja::Error>;

/// The chat template of a tokenizer, with its special tokens.
pub struct Chat {
    templates: Environment<'static>,
    specials: Vec<(String, Value)>,
    name: String,
    /// Whether its template marks what the model writes, by `{% generation %}`.
    marks: bool,
}

/// The names of the templates for conversations, and for those with tools, if there are several.
const USUAL: &str = "default";
const WITH_TOOLS: &str = "tool_use";

/// The date that templates get as today's, so that a conversation always has the same number of tokens: the date in
/// Llama's own template for when none is known.
const TODAY: [(&str, &str); 8] = [
    ("%d", "26"),
    ("%e", "26"),
    ("%b", "Jul"),
    ("%B", "July"),
    ("%m", "07"),
    ("%Y", "2024"),
    ("%y", "24"),
    ("%A", "Friday"),
];

impl Chat {
    /// Loads the template beside a tokenizer: from its `tokenizer_config.json`, or from a file of its own, given with
    /// its name, which takes precedence. `None` if neither has one.
    ///
    /// # Errors
    /// [`Error::Input`] if the configuration is not JSON, or a template is invalid.
    pub fn load(config: Option<&[u8]>, own: Option<(&str, &str)>) -> Result<Option<Self>> {
        let parsed = config.map(serde_json::from_slice::<Value>).transpose();
        let config =
            parsed.map_err(|error| refused("tokenizer_config.json", &error.to_string()))?;
        let config = config.unwrap_or_default();
        let (name, templates) = match own {
            // A `chat_template.jinja` takes precedence, as in transformers.
            Some((name, text)) => (name, vec![(USUAL.to_owned(), text.to_owned())]),
            None => (
                "tokenizer_config.json",
                named(&get(&config, "chat_template")),
            ),
        };
        if templates.is_empty() {
            return Ok(None);
        }
        let (mut environment, mut marks) = (environment(), false);
        for (kind, text) in templates {
            let mut add = |kind: String, text: &str| {
                let guarded = guard::guarded(text).map_err(|why| refused(name, &why))?;
                let added = environment.add_template_owned(kind, guarded);
                added.map_err(|error| refused(name, &format!("{error:#}")))
            };
            let plain = replaced_generation(&text, ["if true", "endif"]);
            let marked = replaced_generation(&text, turns::MARKED_BLOCK);
            if marked != text {
                add(turns::marked(&kind), &marked)?;
                marks = true;
            }
            add(kind, &plain)?;
        }
        Ok(Some(Self {
            templates: environment,
            specials: specials(&config),
            name: name.to_owned(),
            marks,
        }))
    }

    /// Returns the name of the template's file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text of a conversation, from the JSON of its record.
    ///
    /// # Errors
    /// The reason why the record is not a conversation, or the exception that the template raises.
    pub fn render(&self, record: &[u8]) -> std::result::Result<String, String> {
        let Conversation {
            messages, tools, ..
        } = conversation(record)?;
        self.write(messages, &tools, record.len(), Writing::default())
    }

    /// Returns the text of messages of a record of so many bytes.
    fn write(
        &self,
        messages: Vec<Value>,
        tools: &Value,
        bytes: usize,
        writing: Writing,
    ) -> std::result::Result<String, String> {
        let kind = if tools.is_none() { USUAL } else { WITH_TOOLS };
        // It shares its templates and filters with this one: only the limit on instructions is its own.
        let mut environment = self.templates.clone();
        environment.set_fuel(Some(meter::instructions(bytes)));
        let named = |kind: &str| match writing.marked {
            true => environment.get_template(&turns::marked(kind)),
            false => environment.get_template(kind),
        };
        // A model may have one template for all conversations.
        let template = named(kind).or_else(|_| named(USUAL));
        let more = [
            ("messages", Value::from(messages)),
            ("tools", tools.clone()),
            ("documents", Value::from(())),
            // Training sequences end with the answer, so no prompt for one is added.
            ("add_generation_prompt", Value::from(writing.prompts)),
        ];
        let specials = self
            .specials
            .iter()
            .map(|(name, token)| (name.as_str(), token.clone()));
        let context: Value = specials.chain(more).collect();
        let mut text = CappedText {
            bytes: Vec::new(),
            left: 4 * meter::size(bytes),
        };
        let written =
            template.and_then(|template| template.render_captured_to(context, &mut text).map(drop));
        written.map_err(|error| {
            let why = match error.kind() {
                ErrorKind::OutOfFuel => {
                    "it works longer than a conversation of this size may need".to_owned()
                }
                ErrorKind::WriteFailure => {
                    "it writes more than a conversation of this size may need".to_owned()
                }
                _ => error
                    .detail()
                    .map_or_else(|| error.to_string(), str::to_owned),
            };
            format!(
                "the chat template refuses the conversation: {}",
                capped(&why, SHOWN)
            )
        })?;
        String::from_utf8(text.bytes).map_err(|error| error.to_string())
    }

    /// Returns a special token of the configuration, such as `eos_token`.
    pub fn special(&self, name: &str) -> Option<&str> {
        let (_, token) = self.specials.iter().find(|(known, _)| known == name)?;
        token.as_str()
    }
}

/// How messages are written.
#[derive(Debug, Clone, Copy, Default)]
struct Writing {
    /// Whether the prompt for an answer follows.
    prompts: bool,
    /// Whether what the model writes stands between marks.
    marked: bool,
}

/// A text that is not written beyond a length.
struct CappedText {
    bytes: Vec<u8>,
    left: u64,
}

impl io::Write for CappedText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self
            .left
            .checked_sub(bytes.len() as u64)
            .ok_or(io::ErrorKind::FileTooLarge)?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The most characters of a message that a template or its parser wrote: it may contain the whole
/// template.
const SHOWN: usize = 400;

fn refused(name: &str, why: &str) -> Error {
    let why = capped(why, SHOWN);
    let message = format!(
        "the chat template cannot be read ({why}); expected one of Jinja, as Hugging Face has them"
    );
    Error::Input {
        place: name.to_owned(),
        message,
    }
}

fn get(value: &Value, name: &str) -> Value {
    value.get_attr(name).unwrap_or_default()
}

/// Returns the templates of a configuration by name: one, or a list.
fn named(templates: &Value) -> Vec<(String, String)> {
    if let Some(text) = templates.as_str() {
        return vec![(USUAL.to_owned(), text.to_owned())];
    }
    let one = |of: Value| {
        Some((
            get(&of, "name").as_str()?.to_owned(),
            get(&of, "template").as_str()?.to_owned(),
        ))
    };
    templates
        .try_iter()
        .into_iter()
        .flatten()
        .filter_map(one)
        .collect()
}

/// Returns the special tokens of a configuration by their names, each a text or an object with its text.
fn specials(config: &Value) -> Vec<(String, Value)> {
    let names =
        ["bos", "eos", "unk", "sep", "pad", "cls", "mask"].map(|name| format!("{name}_token"));
    let one = |name: String| {
        let token = get(config, &name);
        let text = if token.kind() == ValueKind::Map {
            get(&token, "content")
        } else {
            token
        };
        text.as_str().is_some().then_some((name, text))
    };
    names.into_iter().filter_map(one).collect()
}

/// Returns the environment that chat templates expect: Jinja as set up by transformers.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    // As `apply_chat_template` sets up Jinja; other white space would be other tokens.
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    meter::install(&mut environment);
    // None and booleans are written as Python writes them.
    environment.set_formatter(|out, state, value| match value.kind() {
        ValueKind::None => out.write_str("None").map_err(minijinja::Error::from),
        ValueKind::Bool => out
            .write_str(if value.is_true() { "True" } else { "False" })
            .map_err(minijinja::Error::from),
        _ => meter::write(state, value).and_then(|()| escape_formatter(out, state, value)),
    });
    // As in Python: None is not iterable, strings and dictionaries are sequences, undefined values have length 0.
    let kinds = [
        ValueKind::Seq,
        ValueKind::String,
        ValueKind::Map,
        ValueKind::Undefined,
    ];
    environment.add_test("iterable", |value: &Value| {
        !value.is_none() && value.try_iter().is_ok()
    });
    environment.add_test("sequence", move |value: &Value| {
        kinds.contains(&value.kind())
    });
    // Jinja's undefined has length 0, where this engine has an error.
    environment.add_filter("length", |value: &Value| {
        value.len().or(value.is_undefined().then_some(0))
    });
    environment.add_filter("tojson", to_json);
    environment.add_filter(turns::MARK, turns::mark);
    environment.add_function("raise_exception", |why: String| -> RenderResult<Value> {
        Err(minijinja::Error::new(ErrorKind::InvalidOperation, why))
    });
    // Formats are few and known, so that no clock and no calendar is needed.
    environment.add_function("strftime_now", |format: String| {
        TODAY
            .iter()
            .fold(format, |text, (sign, value)| text.replace(sign, value))
    });
    environment
}

/// Writes JSON as Python does.
fn to_json(state: &State<'_, '_>, value: &Value, options: Kwargs) -> RenderResult<Value> {
    // `ensure_ascii` is accepted without effect: transformers writes characters as they are.
    let (indent, _): (Option<usize>, Option<bool>) =
        (options.get("indent")?, options.get("ensure_ascii")?);
    options.assert_all_used()?;
    let left = meter::as_json(state, value, indent.unwrap_or(0))?;
    let mut text = CappedText {
        bytes: Vec::new(),
        left,
    };
    let written = match indent {
        Some(spaces) => {
            let spaces = " ".repeat(spaces);
            let formatter = PrettyFormatter::with_indent(spaces.as_bytes());
            value.serialize(&mut Serializer::with_formatter(&mut text, formatter))
        }
        None => value.serialize(&mut Serializer::with_formatter(&mut text, SpacedJson)),
    };
    let failed = |error: serde_json::Error| {
        minijinja::Error::new(ErrorKind::BadSerialization, error.to_string())
    };
    written.map_err(failed)?;
    Ok(Value::from(
        String::from_utf8_lossy(&text.bytes).into_owned(),
    ))
}

/// JSON with spaces after commas and colons, as `json.dumps` writes it.
struct SpacedJson;

impl Formatter for SpacedJson {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        to: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        to: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }
}

/// Replaces the marks of the model's turns, `{% generation %}`, which the engine does not know, by other blocks.
fn replaced_generation(template: &str, [opens, closes]: [&str; 2]) -> String {
    let mut text = String::new();
    for (at, piece) in template.split("{%").enumerate() {
        text.push_str(if at > 0 { "{%" } else { "" });
        let tag = piece
            .split_inclusive("%}")
            .next()
            .filter(|_| at > 0)
            .unwrap_or_default();
        let name = tag.trim_end_matches("%}").trim_matches(['-', '+']).trim();
        let plain = match name {
            "generation" => tag.replacen(name, opens, 1),
            "endgeneration" => tag.replacen(name, closes, 1),
            _ => tag.to_owned(),
        };
        text.push_str(&plain);
        text.push_str(&piece[tag.len()..]);
    }
    text
}

/// The messages of a conversation, each with a role and content, and the tools that the model may call.
struct Conversation {
    messages: Vec<Value>,
    tools: Value,
    /// The first messages that are a prompt, of `prompt` and `completion`.
    prompts: Option<usize>,
}

/// Returns the messages of a record: a list of them (`messages` or `conversations`, also in ShareGPT's form), `prompt`
/// and `completion` as messages (TRL), or `instruction`, `input` and `output` (Alpaca).
fn conversation(record: &[u8]) -> std::result::Result<Conversation, String> {
    let record: Value = serde_json::from_slice(record).map_err(|error| error.to_string())?;
    let list = |name: &str| Some(get(&record, name)).filter(|list| list.kind() == ValueKind::Seq);
    let all = |list: Value| list.try_iter().into_iter().flatten().collect::<Vec<_>>();
    if ["chosen", "rejected"]
        .iter()
        .any(|name| list(name).is_some())
    {
        let message = "this holds two answers, chosen and rejected, each a sequence of its own; write each as completion";
        return Err(message.to_owned());
    }
    let mut prompts = None;
    let mut messages = match (
        list("messages").or_else(|| list("conversations")),
        list("prompt"),
        list("completion"),
    ) {
        (Some(messages), ..) => all(messages),
        (None, Some(prompt), completion) => {
            let prompt = all(prompt);
            prompts = completion.as_ref().map(|_| prompt.len());
            prompt
                .into_iter()
                .chain(completion.into_iter().flat_map(all))
                .collect()
        }
        _ if record.kind() == ValueKind::Seq => all(record.clone()),
        _ => instruction(&record),
    };
    if messages.is_empty()
        || messages
            .iter()
            .any(|message| message.kind() != ValueKind::Map)
    {
        return Err("this is no conversation; expected messages or conversations, a list of objects with role and content \
                    or from and value, prompt and completion of such lists, or instruction, input and output"
            .to_owned());
    }
    messages = messages.into_iter().map(with_role_and_content).collect();
    let system = get(&record, "system");
    // ShareGPT and Alpaca have the system prompt beside the messages.
    if system.as_str().is_some_and(|text| !text.is_empty())
        && get(&messages[0], "role").as_str() != Some("system")
    {
        messages.insert(0, message("system", system));
        prompts = prompts.map(|prompts| prompts + 1);
    }
    let tools = list("tools")
        .filter(|tools| tools.is_true())
        .unwrap_or_else(|| Value::from(()));
    Ok(Conversation {
        messages,
        tools,
        prompts,
    })
}

/// Returns the messages of an Alpaca record: the input is on a line below the instruction, as in training libraries.
fn instruction(record: &Value) -> Vec<Value> {
    let text = |name: &str| get(record, name).as_str().map(str::to_owned);
    let (Some(instruction), Some(output)) = (text("instruction"), text("output")) else {
        return Vec::new();
    };
    let input = text("input").filter(|input| !input.is_empty());
    let asked = input.map_or(instruction.clone(), |input| {
        format!("{instruction}\n{input}")
    });
    // Alpaca's earlier turns: pairs of question and answer.
    let before = get(record, "history")
        .try_iter()
        .into_iter()
        .flatten()
        .flat_map(|turn| {
            let said = |at| turn.get_item_by_index(at).unwrap_or_default();
            [message("user", said(0)), message("assistant", said(1))]
        });
    before
        .chain([
            message("user", Value::from(asked)),
            message("assistant", Value::from(output)),
        ])
        .collect()
}

fn message(role: &str, content: Value) -> Value {
    [("role", Value::from(role)), ("content", content)]
        .into_iter()
        .collect()
}

/// ShareGPT's names of roles.
const ROLES: [(&str, &str); 8] = [
    ("human", "user"),
    ("gpt", "assistant"),
    ("chatgpt", "assistant"),
    ("bard", "assistant"),
    ("bing", "assistant"),
    ("model", "assistant"),
    ("observation", "tool"),
    ("function_response", "tool"),
];

/// Returns a message with a role and content, converted from `from` and `value` if it has these.
fn with_role_and_content(of: Value) -> Value {
    match get(&of, "from").as_str() {
        Some(from) if get(&of, "role").is_undefined() => {
            let role = ROLES
                .iter()
                .find(|(name, _)| *name == from)
                .map_or(from, |(_, role)| role);
            message(role, get(&of, "value"))
        }
        _ => of,
    }
}

/// Renders a template for each message of the conversation in a record, and joins the texts.
///
/// # Errors
/// The reason why the record is not a conversation, or the field that a message lacks.
pub fn each_message(template: &Template, record: &[u8]) -> std::result::Result<String, String> {
    let mut text = String::new();
    for message in conversation(record)?.messages {
        for piece in &template.text {
            match piece {
                TemplatePiece::Literal(literal) => text.push_str(literal),
                TemplatePiece::Field(path) => {
                    match path
                        .split('.')
                        .fold(message.clone(), |of, name| get(&of, name))
                    {
                        value if value.is_undefined() => {
                            return Err(format!("a message has no field \"{path}\""));
                        }
                        // An absent part, such as the content of a call of a tool.
                        value if value.is_none() => {}
                        value => text.push_str(&value.to_string()),
                    }
                }
            }
        }
    }
    Ok(text)
}
