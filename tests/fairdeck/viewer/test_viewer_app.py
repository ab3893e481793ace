"""The viewer's server without a browser: who is let in, what is answered, and at what cost."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import http.client
import json
import re
import threading
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from viewer_games import ARCADE_TEXT, HOSTILE, LOGS, SEED, named

from fairdeck.cli import run
from fairdeck.viewer.document import MAX_INPUT, Wanted, read_document
from fairdeck.viewer.page import SERVED_POLICY, script, static_page, style

pytest.importorskip("starlette", reason="the extra viewer is not installed")
pytest.importorskip("uvicorn", reason="the extra viewer is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient

from fairdeck.viewer.app import viewer_app
from fairdeck.viewer.serve import Served, bound

TOKEN = "a-token-for-tests"
HOST = "127.0.0.1:5000"
MEBIBYTE = 1 << 20


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = viewer_app(TOKEN, frozenset({HOST}))
    with TestClient(app, base_url=f"http://{HOST}/{TOKEN}/") as client:
        yield client


def test_the_page_and_what_it_loads(client: TestClient) -> None:
    page = client.get("")
    assert page.status_code == 200
    assert page.headers["content-security-policy"] == SERVED_POLICY
    for name in ("x-content-type-options", "x-frame-options", "referrer-policy", "cache-control"):
        assert page.headers[name]
    assert client.get("viewer.js").text == script()
    assert client.get("viewer.css").text == style()
    loaded = re.findall(r'(?:src|href)="([^#"][^"]*)"', page.text)
    assert sorted(loaded) == ["data:,", "viewer.css", "viewer.js"]
    assert not re.search(r"<[^>]+\s(?:style|on\w+)=", page.text)
    assert "https:" not in page.text + script() + style()
    assert (
        re.findall(r"http://[^\s\"']+", page.text + script()) == ["http://www.w3.org/2000/svg"] * 2
    )


LINK = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
}
FRAMED = LINK | {"sec-fetch-dest": "iframe"}


def test_a_link_to_the_page_may_be_followed(client: TestClient) -> None:
    assert client.get("", headers=LINK).status_code == 200
    assert client.post("show", headers=LINK, content=SEED).status_code == 403


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("", {"host": "evil.example:5000"}, 421),
        ("", {"host": "127.0.0.1:5001"}, 421),
        ("", {"host": "127.0.0.1"}, 421),
        ("", {"origin": "http://evil.example"}, 403),
        ("", {"origin": "null"}, 403),
        ("", {"sec-fetch-site": "cross-site"}, 403),
        ("", {"sec-fetch-site": "same-site"}, 403),
        ("", {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
        ("", FRAMED, 403),
        ("/", {}, 404),
        ("/wrong/", {}, 404),
        (f"/{TOKEN}x/viewer.js", {}, 404),
        ("nothing", {}, 404),
        ("../", {}, 404),
        ("show", {}, 405),
    ],
)
def test_who_is_not_let_in(
    client: TestClient, path: str, headers: dict[str, str], status: int
) -> None:
    url = f"http://{HOST}{path}" if path.startswith("/") else path
    answer = client.get(url, headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-security-policy"] == SERVED_POLICY
    assert "<html" not in answer.text


def test_a_game_is_shown(client: TestClient) -> None:
    for body in (LOGS["plain"].encode(), gzip.compress(LOGS["plain"].encode())):
        answer = client.post("show", content=body)
        assert answer.status_code == 200
        assert answer.json() == json.loads(json.dumps(read_document(body, Wanted())))
    found = client.post("show", params={"players": "3"}, content=SEED).json()
    assert (found["kind"], found["players"]) == ("tenhou-seed", 3)
    assert client.post("show", content=ARCADE_TEXT).json()["kind"] == "mjarcade"


@pytest.mark.parametrize(
    ("query", "body", "status"),
    [
        ({}, b"hello", 422),
        ({}, b"", 422),
        ({"players": "5"}, SEED.encode(), 422),
        ({"players": "four"}, SEED.encode(), 422),
        ({"uncertain": "9" * 99}, b"x", 422),
        ({"commitment": "<script>"}, LOGS["plain"].encode(), 422),
        ({}, b"x" * (MAX_INPUT + 1), 413),
        ({}, gzip.compress(bytes(MAX_INPUT + 1)), 422),
    ],
    ids=range(8),
)
def test_what_is_refused_is_told_in_one_line(
    client: TestClient, query: dict[str, str], body: bytes, status: int
) -> None:
    for path in ("show", "page", "machine"):
        answer = client.post(path, params=query, content=body)
        assert answer.status_code == status
        assert set(answer.json()) == {"error"}
        assert 0 < len(answer.json()["error"].splitlines()) <= 2


def test_a_machine_on_request(client: TestClient) -> None:
    query = {"cpu": "6502", "round": "1"}
    found = client.post("machine", params=query, content=SEED).json()
    assert (found["cpu"], found["round"], found["mark"]) == ("6502", 1, "equal")
    assert 1_000_000 < found["cycles"] < 4_000_000
    assert client.post("machine", params={"cpu": "z80"}, content=SEED).status_code == 422
    assert (
        client.post("machine", params={"cpu": "6502", "round": "99"}, content=SEED).status_code
        == 422
    )


def test_fifty_megabytes_are_dropped_as_they_come() -> None:
    """The answer is clean, and the memory that it takes is bounded."""
    piece = bytes(MEBIBYTE)
    app = viewer_app(TOKEN, frozenset({HOST}))
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
        "path": f"/{TOKEN}/show", "raw_path": b"", "root_path": "", "query_string": b"",
        "headers": [(b"host", HOST.encode())], "scheme": "http", "server": None, "client": None,
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def answer(size: int) -> None:
        left = size

        async def receive() -> dict[str, Any]:
            nonlocal left
            left -= 1
            return {"type": "http.request", "body": piece, "more_body": left > 0}

        async def send(message: Any) -> None:
            sent.append(message)

        await app(scope, receive, send)

    tracemalloc.start()
    asyncio.run(answer(50))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"]) == {"error": "this is more than 8 MiB"}
    assert peak < 2 * MAX_INPUT + 4 * MEBIBYTE


@pytest.fixture
def served() -> Iterator[Served]:
    viewer = bound()
    thread = threading.Thread(target=viewer.run, daemon=True)
    thread.start()
    yield viewer
    viewer.server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


def _post(served: Served, path: str, body: bytes) -> tuple[int, Any]:
    address = urlsplit(served.address)
    connection = http.client.HTTPConnection(address.netloc, timeout=60)
    connection.request("POST", address.path + path, body)
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def test_two_users_at_once(served: Served) -> None:
    """Over real connections; one sends 50 MB meanwhile, and everyone gets the right answer."""
    names = ["east", "three"] * 4
    with ThreadPoolExecutor(9) as pool:
        large = pool.submit(_post, served, "show", bytes(50 * MEBIBYTE))
        answers = pool.map(lambda name: _post(served, "show", LOGS[name].encode()), names)
        for name, (status, found) in zip(names, answers, strict=True):
            assert status == 200
            assert found["players"] == (3 if name == "three" else 4)
            assert len(found["rounds"]) == LOGS[name].count("<INIT")
        assert large.result() == (413, {"error": "this is more than 8 MiB"})


def test_addresses_cannot_be_guessed() -> None:
    first, second = bound(), bound()
    for one in (first, second):
        one.listener.close()
    tokens = [urlsplit(one.address).path.strip("/") for one in (first, second)]
    assert tokens[0] != tokens[1]
    assert min(map(len, tokens)) >= 32
    assert {urlsplit(one.address).hostname for one in (first, second)} == {"127.0.0.1"}


class _Elements(HTMLParser):
    """The elements of a page, and what stands in its scripts (data left out) and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.inside: dict[str, str] = {}
        self.policy = ""
        self._open: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attrs)
        self._open = tag if tag in ("script", "style") and "type" not in found else None
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"] or ""

    def handle_endtag(self, tag: str) -> None:
        self._open = None

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.inside[self._open] = self.inside.get(self._open, "") + data


def test_a_static_page_runs_its_own_script_only() -> None:
    document = read_document(named(LOGS["plain"], HOSTILE).encode(), Wanted())
    assert HOSTILE in document["names"]  # type: ignore[operator]
    text = static_page(document, "ja")
    page = _Elements()
    page.feed(text)
    assert "img" not in page.tags
    assert page.tags.count("script") == 3
    assert "form" not in page.tags
    for tag in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(page.inside[tag].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in page.policy
    assert "unsafe" not in page.policy
    assert HOSTILE not in text


def test_the_command_writes_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, out = tmp_path / "seed.txt", tmp_path / "out.html"
    seed.write_text(SEED, "utf-8")
    line = ["viewer", str(seed), "--rounds", "1", "--on", "6502"]
    assert run([*line, "--html", str(out), "--lang", "zh", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["machines"][0]["cycles"] > 1_000_000
    assert 'lang="zh-Hans"' in out.read_text("utf-8")
    again = tmp_path / "again.html"
    assert run([*line, "--html", str(again), "--lang", "zh"]) == 0
    assert again.read_bytes() == out.read_bytes()
    for wrong in (["--html", str(out)], ["--json"], [str(seed), "--on", "6502"]):
        assert run(["viewer", *wrong]) == 2
    seed.write_text("nothing", "utf-8")
    assert run(["viewer", str(seed), "--json"]) == 2
    assert "nor a Tenhou seed" in capsys.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "fairdeck.viewer.serve", None)
    assert run(["viewer", "--no-open"]) == 2
    assert capsys.readouterr().err.strip().endswith('pip install "fairdeck[viewer]"')
