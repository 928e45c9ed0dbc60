//! `packscope open`: what it serves, to whom, and until when.

use crate::cli::packscope;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

/// A small page in a folder of its own, beside which lies what nobody may read.
fn page(of: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("packscope-open-{of}-{}", std::process::id()));
    let page = root.join("page");
    std::fs::create_dir_all(page.join("app-1")).unwrap();
    for (name, contents) in [
        ("page/index.html", "<title>Packscope</title>"),
        ("page/app-1/app_bg.wasm", "\0asm"),
        ("page/sw.js", "// keeps the page"),
        ("secret.txt", "nobody's"),
        (
            "two words.csv",
            "length,count\n12,1\n200,2\n300,997\n4000,1\n",
        ),
        ("graphs.csv", "nodes,edges,count\n3,2,2\n9,20,1\n"),
    ] {
        std::fs::write(root.join(name), contents).unwrap();
    }
    root
}

/// The program while it serves.
struct Opened {
    child: Child,
    /// Its standard input, with which it ends.
    input: Option<ChildStdin>,
    host: String,
    folder: String,
    settings: String,
}

impl Opened {
    fn new(root: &Path, file: &str, options: &[&str]) -> Self {
        let page = root.join("page");
        let mut child = Command::new(env!("CARGO_BIN_EXE_packscope"))
            .args(["open", file, "--no-browser", "--until-closed", "--page"])
            .arg(page)
            .args(options)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        said.read_line(&mut url).unwrap();
        let (address, settings) = url.trim_end().split_once('#').unwrap();
        let (host, folder) = address
            .strip_prefix("http://")
            .unwrap()
            .split_once('/')
            .unwrap();
        Self {
            input: child.stdin.take(),
            child,
            host: host.to_owned(),
            folder: format!("/{folder}"),
            settings: settings.to_owned(),
        }
    }

    /// Asks for a path; returns head, in small letters, and body of the answer.
    fn ask(&self, method: &str, path: &str, headers: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let host = if headers.contains("Host: ") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.host)
        };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).unwrap().to_lowercase(), body)
    }

    fn get(&self, path: &str) -> (String, Vec<u8>) {
        self.ask("GET", &format!("{}{path}", self.folder), "")
    }

    fn status(&self, method: &str, path: &str, headers: &str) -> u16 {
        let (head, _) = self.ask(method, path, headers);
        head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// The data that the address names.
    fn data(&self) -> String {
        let (_, data) = self.settings.split_once("data=./").unwrap();
        let (head, body) = self.get(data.split('&').next().unwrap());
        assert!(head.contains("content-type: text/csv"), "{head}");
        String::from_utf8(body).unwrap()
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_and_the_data_are_served_as_what_they_are() {
    let root = page("served");
    let opened = Opened::new(&root, "two words.csv", &["--settings", "#view=ranks"]);
    // The limit holds 99 % of the sequences; one is far longer.
    assert_eq!(
        opened.settings,
        "data=./opened/two%20words.csv&limit=512&view=ranks"
    );
    let whole = std::fs::read_to_string(root.join("two words.csv")).unwrap();
    assert_eq!(opened.data(), whole);
    let (head, body) = opened.get("");
    assert_eq!(body, b"<title>Packscope</title>");
    assert!(head.contains("content-type: text/html; charset=utf-8"));
    assert!(head.contains("cache-control: no-store"));
    let (head, body) = opened.get("app-1/app_bg.wasm?x");
    assert_eq!(body, b"\0asm");
    assert!(head.contains("content-type: application/wasm"));
    let index = format!("{}index.html", opened.folder);
    let (head, body) = opened.ask("HEAD", &index, "");
    assert!(head.contains("content-length: 24") && body.is_empty());
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn whoever_does_not_know_the_address_gets_nothing() {
    let root = page("alone");
    let opened = Opened::new(&root, "two words.csv", &[]);
    let folder = opened.folder.clone();
    let secret = folder.trim_matches('/');
    assert!(secret.len() == 32 && secret.bytes().all(|b| b.is_ascii_hexdigit()));
    let other = format!("/{}/", "0".repeat(32));
    for path in ["/", "/index.html", &other, &folder[..folder.len() - 1]] {
        assert_eq!(opened.status("GET", path, ""), 404, "{path}");
    }
    // Nothing beside the page, and nothing that would keep it.
    for path in [
        "../secret.txt",
        "..%2fsecret.txt",
        "app-1/../../secret.txt",
        "//secret.txt",
        "app-1",
        "sw.js",
    ] {
        assert_eq!(
            opened.status("GET", &format!("{folder}{path}"), ""),
            404,
            "{path}"
        );
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        assert_eq!(opened.status(method, &folder, ""), 405, "{method}");
    }
    // A name that was made to lead to this machine is not its name.
    for host in ["packscope.example", "127.0.0.1", "localhost:1"] {
        let headers = format!("Host: {host}\r\n");
        assert_eq!(opened.status("GET", &folder, &headers), 403, "{host}");
    }
    let tunnel = format!("Host: localhost:{}\r\n", &opened.host["127.0.0.1:".len()..]);
    assert_eq!(opened.status("GET", &folder, &tunnel), 200);
    // Another run has another address.
    assert_ne!(
        Opened::new(&root, "two words.csv", &[]).folder,
        opened.folder
    );
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn graphs_units_and_names_come_along() {
    let root = page("graphs");
    let graphs = Opened::new(&root, "graphs.csv", &[]);
    assert_eq!(graphs.settings, "view=graphs&data=./opened/graphs.csv");
    assert_eq!(graphs.data(), "nodes,edges,count\n3,2,2\n9,20,1\n");
    let named = Opened::new(&root, "graphs.csv", &["--name", "../a b\u{202e}"]);
    assert!(named.settings.ends_with("data=./opened/..-a%20b"));
    assert_eq!(named.data(), graphs.data());
    // The column that was asked for, and what its numbers are called.
    std::fs::write(root.join("text.txt"), "one two three\nfour five\n").unwrap();
    let words = Opened::new(&root, "text.txt", &["--input-format", "text"]);
    assert_eq!(words.data(), "words,count\n2,1\n3,1\n");
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn it_ends_with_its_input_where_that_is_asked_for() {
    let root = page("ends");
    let mut opened = Opened::new(&root, "two words.csv", &[]);
    assert_eq!(opened.status("GET", &opened.folder, ""), 200);
    assert!(opened.child.try_wait().unwrap().is_none());
    opened.input.take();
    assert!(opened.child.wait().unwrap().success());
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn what_cannot_be_opened_is_said() {
    let root = page("refused");
    let (page, file) = (root.join("page"), root.join("two words.csv"));
    let [page, file, root_path] = [&page, &file, &root].map(|path| path.to_str().unwrap());
    for (args, why) in [
        // The tests are built without the page.
        (vec![file], "built without the page"),
        (vec![file, "--page", root_path], "no index.html"),
        (vec!["nowhere.csv", "--page", page], "nowhere.csv"),
        (
            vec!["-", "--page", page, "--until-closed"],
            "standard input",
        ),
        (
            vec![file, "--page", page, "--settings", "a b"],
            "view=ranks",
        ),
        (
            vec![file, "--page", page, "--compute", "attention"],
            "--compute",
        ),
        (vec![file, "--page", page, "--size-columns", "a,b,c"], "3"),
    ] {
        let out = packscope(&[&["open", "--no-browser"], &args[..]].concat(), "");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(why), "{args:?}: {said}");
        assert!(out.stdout.is_empty());
    }
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_port_that_is_taken_is_said() {
    let root = page("port");
    let first = Opened::new(&root, "two words.csv", &[]);
    let port = first.host.split_once(':').unwrap().1;
    let (page, file) = (root.join("page"), root.join("two words.csv"));
    let [page, file] = [&page, &file].map(|path| path.to_str().unwrap());
    let out = packscope(
        &["open", file, "--page", page, "--no-browser", "--port", port],
        "",
    );
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains(&format!("127.0.0.1:{port}")) && said.contains("--port"));
    std::fs::remove_dir_all(root).unwrap();
}
