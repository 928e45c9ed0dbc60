//! Chat templates: what guards them changes nothing that models write, and nothing that a template does takes long.

use minijinja::{Environment, context};
use packscope_files::tokens::Chat;
use serde_json::{Value, json};

fn load(template: &str) -> Result<Chat, String> {
    let chat = Chat::load(None, Some(("chat_template.jinja", template)));
    chat.map(|chat| chat.unwrap())
        .map_err(|error| error.to_string())
}

fn rendered(template: &str, record: &Value) -> Result<String, String> {
    load(template)?.render(record.to_string().as_bytes())
}

/// As the engine renders a template that nothing guards.
fn plain(template: &str, record: &Value) -> String {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_template("t", template).unwrap();
    let messages = minijinja::Value::from_serialize(&record["messages"]);
    let tools = minijinja::Value::from_serialize(&record["tools"]);
    environment
        .get_template("t")
        .unwrap()
        .render(context! { messages, tools, add_generation_prompt => false })
        .unwrap()
}

fn conversation() -> Value {
    json!({
        "messages": [
            { "role": "system", "content": "  Be brief.\n" },
            { "role": "user", "content": "How many {{ braces }} are in {% this %}?" },
            { "role": "assistant", "content": "Four: é 漢 \"quoted\"\n\nand more" },
        ],
        "tools": [{ "name": "add", "parameters": { "properties": { "a": { "type": "int" } } } }],
    })
}

/// Forms of templates of models, and of what they hold: blanks, loops, macros, name spaces, captured text.
const USUAL: [&str; 17] = [
    "{%- for message in messages %}\n    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}\n\
     {%- endfor %}\n",
    "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system = messages[0]['content'] %}\
     {% else %}{% set loop_messages = messages %}{% set system = false %}{% endif %}{% for message in loop_messages %}\
     {% if loop.index0 % 2 == 0 and system != false %}{% set content = '<<SYS>>\\n' + system + '\\n' + message['content'] %}\
     {% else %}{% set content = message['content'] %}{% endif %}{{ '[INST] ' + content.strip() + ' [/INST]' }}{% endfor %}",
    "{% for message in messages %}{% set content = '<|' + message['role'] + '|>\n\n'+ message['content'] | trim + '<|end|>' %}\
     {{ content }}{% endfor %}",
    "{%- set ns = namespace(found=false, last='') -%}\n{%- for m in messages[::-1] %}\n  {%- set ns.last = ns.last ~ m.role -%}\n\
     {%- if not ns.found and m.role is string %}\n{%- set ns.found = true %}\n{%- endif %}\n{%- endfor %}\n  {{ ns.last }}\n",
    "{% macro one(m, before='<', after=[1, 2]) -%}\n  {{ before * 3 }}{{ m.content | upper }}{{ after | join('|') }}\n{%- endmacro %}\n\
     {% for m in messages %}\n{{ one(m) }} {{ one(m, '(', after=[2 * 3]) }}\n{% endfor %}",
    "{% macro deep(n) %}{{ n }}{% if n > 0 %}{{ deep(n - 1) }}{% endif %}{% endmacro %}{{ deep(9) }}",
    "{% for m in messages %}{{ '-' * 20 }}{{ loop.index * 2 + 1 }} {{ 7 - 2 * loop.index }} {{ -2 * 3 }} {{ 2 * -3 ~ 'x' }}\n{% endfor %}",
    "{{ [1, 2 * 2, (3 + 4) * 2] | length * 2 }} {{ 'a' 'b' * 2 }} {{ {'a': 2 * 3}['a'] * 1.5 }} {{ 1e-1 * 10 }} {{ messages[0].role[1:3] * 2 }}",
    "{% set text %}\nA prompt that is long enough to be counted, on two lines:\n  and its second one, which ends here.\n{% endset %}\n\
     [{{ text }}]\n   {%- if true %}\n  The same outside of a block, which is counted as well as the one above, of course.\n   {% endif %}\nend",
    "{% for m in messages %}\n                                                                                            \n\n{{- m.role }}\n\
                                                                                                             {%- endfor %}",
    "x{# a comment #}{#- and one -#}  y {% raw %}{{ raw }}{% endraw %} z {#}{% if #}",
    "{% with a = 1, b = [2, 3] %}{{ a }}{{ b[1] }}{% endwith %}{% filter upper %}a{{ messages[0].role }}{% endfilter %}",
    "{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% call(x, y) f() %}{{ x }}{{ y }}{% endcall %}{% macro f() %}[{{ caller(1, 2) }}]{% endmacro %}",
    "{% for m in messages if m.role != 'system' -%}\n   {{ m.content.split('\\n')[0] | replace('a', 'bb') }}\n{% else %}none{% endfor +%}\n.",
    "{% for m in messages %}{{ m.role | title }}: {{ '%-12s|' | format(m.role) }}{{ '{:>12}'.format(m.role) }}{{ m.content | indent(4, true) }}\n{% endfor %}",
    "{{ messages | map(attribute='role') | unique | list | length }}{{ messages | selectattr('role', 'equalto', 'user') | list | length }}",
];

#[test]
fn guards_change_nothing_that_templates_write() {
    let record = conversation();
    for template in USUAL {
        // The engine knows macros from where they are defined.
        let template = match template.split_once("{% macro f() %}") {
            Some((call, body)) => format!("{{% macro f() %}}{body}{call}"),
            None => template.to_owned(),
        };
        assert_eq!(
            rendered(&template, &record),
            Ok(plain(&template, &record)),
            "{template}"
        );
    }
}

#[test]
fn long_conversations_are_rendered() {
    let one = json!({ "role": "user", "content": "How long is this?" });
    let record = json!({ "messages": vec![one; 2000] });
    // Work that grows with the square of the messages.
    let template = "{% for m in messages %}{% set ns = namespace(n=0) %}{% for other in messages[-20:] %}\
                    {% set ns.n = ns.n + other.content | length %}{% endfor %}{{ m.role ~ ns.n }}{% endfor %}";
    assert_eq!(rendered(template, &record), Ok("user340".repeat(2000)));
    let long = json!({ "messages": [{ "role": "user", "content": "word ".repeat(200_000) }] });
    assert_eq!(rendered(USUAL[0], &long).unwrap().len(), 1_000_000 + 28);
}

/// Each of them would panic, overflow the stack, take gigabytes, or not end.
#[test]
#[ignore = "outer circle: runs templates to their budget"]
fn templates_that_would_never_end_are_refused() {
    let many = |piece: &str, n: usize| piece.repeat(n);
    let hostile = [
        format!("{{{{ {}1 }}}}", many("not ", 100_000)),
        format!("{{{{ {}1 }}}}", many("- ", 20_000)),
        format!("{{{{ 1{} }}}}", many("+1", 100_000)),
        format!("{{{{ a{} }}}}", many(".a", 50_000)),
        format!("{{{{ a{} }}}}", many("|string", 30_000)),
        format!("{{{{ {}1{} }}}}", many("(", 20_000), many(")", 20_000)),
        format!("{{% if 0 %}}{}{{% endif %}}", many("{% elif 0 %}", 10_000)),
        many("{% if 1 %}", 10_000),
        "{{ [1]|batch(99999999999, 'x') }}".to_owned(),
        "{{ [1]|slice(99999999999) }}".to_owned(),
        "{{ '%99999999999d'|format(1) }}".to_owned(),
        "{{ '%*d'|format(99999999999, 1) }}".to_owned(),
        "{{ '{:>99999999999}'.format('a') }}".to_owned(),
        "{{ messages|tojson(indent=1000000000) }}".to_owned(),
        "{{ 'a\nb'|indent(1000000000) }}".to_owned(),
        "{{ 'a\nb'|indent(width=1000000000) }}".to_owned(),
        "{% set ns = namespace(x='ab') %}{% for i in range(40) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}".to_owned(),
        "{% set ns = namespace(x=['ab']) %}{% for i in range(40) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}".to_owned(),
        "{% set ns = namespace(x=[]) %}{% for i in range(40) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}".to_owned(),
        "{% set ns = namespace(x=[]) %}{% for i in range(99999) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}".to_owned(),
        "{% set ns = namespace() %}{% set ns.x = [ns] %}{{ ns }}{{ ns.x }}{{ ns.x|string }}{% for i in range(99999) %}{{ ns.x }}{% endfor %}".to_owned(),
        "{% macro f(x) %}{{ f(x ~ x) }}{% endmacro %}{{ f('ab') }}".to_owned(),
        "{% macro f(x) %}{{ f(x ~ x) }}{% endmacro %}{% set packscope_within_bounds = true %}{{ f('ab') }}".to_owned(),
        "{% for x in ['ab'] recursive %}{{ loop([x ~ x ~ x ~ x ~ x ~ x]) }}{% endfor %}".to_owned(),
        format!("{{% set x = 'a' %}}{}{{{{ x }}}}", many("{% set x = x|replace('a', 'aaaaaaaaaa') %}", 12)),
        format!("{{% set x = 'a' %}}{}{{{{ x }}}}", many("{% set x = x.replace('a', 'aaaaaaaaaa') %}", 12)),
        "{{ (range(99999)|join(range(99999)|join('a')))|length }}".to_owned(),
        "{{ ('a' * 99999).join(range(99999)) }}".to_owned(),
        "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}".to_owned(),
        "{% macro f(n) %}{% if n > 0 %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}".to_owned(),
        "{{ ['a'] * 10000000000 }}".to_owned(),
        "{{ 'b' in ['a'] * 10000000000 }}".to_owned(),
        "{{ 'b' in 10000000000. * ['a'] }}".to_owned(),
        "{{ 'b' in (10 ** 10) * ['a'] }}".to_owned(),
        "{{ 'b' in ['a'] * 100000 * 100000 }}".to_owned(),
        format!("{{% for i in range(99999) %}}{{% set x %}}{}{{% endset %}}{{% endfor %}}", many("text ", 20_000)),
        format!("{{% set x %}}{{% for i in range(99999) %}}{}{{% endfor %}}{{% endset %}}", many("text ", 2000)),
        format!("{{% for i in range(99999) %}}{}{{% endfor %}}", many("text ", 20_000)),
        "{% for i in range(99999) %}{{ messages|tojson }}{{ range(99999)|list|length }}{% endfor %}".to_owned(),
        "{% for i in range(99999) %}{{ range(99999)|sort|list|first }}{% endfor %}".to_owned(),
        "{{ debug() }}".to_owned(),
        many("a", 300_000),
        "{{ 'é' é }}".to_owned(),
        "{{ 1".to_owned(),
    ];
    for template in hostile {
        let short: String = template.chars().take(160).collect();
        let error = rendered(&template, &conversation())
            .map(|text| text.len())
            .expect_err(&short);
        assert!(error.len() < 2000, "{short}: {} bytes", error.len());
    }
}

#[test]
fn faults_of_templates_are_told_with_their_lines() {
    let cases = [
        ("a\n{{ 2 ** 3 }}", "it has the operator **, line 2"),
        (
            "\n{% include 'default' %}",
            "it has the tag include, which is for several templates, line 2",
        ),
        ("{% block a %}{% endblock %}", "it has the tag block"),
        ("{{ 7 / 2 * 3 }}", "put the quotient in parentheses, line 1"),
        (
            "\n\n{{ 'a }}",
            "a tag never ends, or holds what no tag does, line 3",
        ),
        ("{% fro x in y %}", "unknown statement fro"),
    ];
    for (template, want) in cases {
        let error = load(template).err().unwrap();
        assert!(error.contains(want), "{template}: {error}");
    }
}
