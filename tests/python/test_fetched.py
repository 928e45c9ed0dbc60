"""Where the source of a commit comes from: a folder, that of the user, or the repository; else tests are skipped."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from libraries import fetched

PATH, TEXT = "owner/name/0123abc/module.py", "value = 1\n"
HASH = hashlib.sha256(TEXT.encode()).hexdigest()


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """A host that has one file, folders that are empty, and what the host was asked for."""
    paths = []

    class Host(BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            there = self.path == f"/{PATH}"
            self.send_response(200 if there else 404)
            self.end_headers()
            self.wfile.write(TEXT.encode() if there else b"")

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Host) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        monkeypatch.setattr(fetched, "HOST", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setattr(fetched, "SILENT", [])
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setenv("PACKSCOPE_SOURCES", str(tmp_path / "given"))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        fetched.fetch.cache_clear()
        yield paths
        server.shutdown()
        fetched.fetch.cache_clear()


def test_a_file_is_fetched_once(asked, tmp_path):
    assert [fetched.source(PATH, HASH) for _ in range(2)] == [TEXT] * 2
    assert asked == [f"/{PATH}"] and (tmp_path / "cache/packscope-sources" / PATH).read_text() == TEXT


def test_a_folder_is_asked_first(asked, tmp_path):
    fetched.keep(tmp_path / "given" / PATH, TEXT.encode())
    assert fetched.source(PATH, HASH) == TEXT and not asked


def test_another_file_is_a_failure(asked, tmp_path):
    with pytest.raises(AssertionError, match="is not the file"):
        fetched.source(PATH, hashlib.sha256(b"").hexdigest())
    fetched.keep(tmp_path / "given" / PATH, b"value = 2\n")
    with pytest.raises(AssertionError, match="given/owner"):
        fetched.source(PATH, HASH)


def test_what_nobody_has_is_skipped(asked, monkeypatch):
    with pytest.raises(pytest.skip.Exception, match="another.py .* 404"):
        fetched.source("owner/name/0123abc/another.py", HASH)
    # Nobody listens there.
    monkeypatch.setattr(fetched, "HOST", "http://127.0.0.1:9")
    for path in ("owner/name/0123abc/third.py", "owner/name/0123abc/fourth.py"):
        with pytest.raises(pytest.skip.Exception, match="http://127.0.0.1:9/.* cannot be fetched"):
            fetched.source(path, HASH)
    assert len(fetched.SILENT) == 1
