"""``fairdeck tenhou verify`` of what players and researchers have: links, lists, many logs."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import zipfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from fairdeck.cli import run
from fairdeck.cli import tenhou_verify as command
from fairdeck.tenhou.batch import Checked, Earlier, Task, check_tasks
from fairdeck.tenhou.logs import LogFile, find_logs

VECTORS = Path(__file__).parents[1] / "vectors"
LOGS = {log["name"]: log for log in json.loads((VECTORS / "tenhou_logs.json").read_text())["logs"]}
GAME: str = json.loads((VECTORS / "tenhou_games.json").read_text("utf-8"))["logs"][0]["xml"]
ID = "2016100120gm-00a9-0000-fca091df"
LINK = f"http://tenhou.net/0/?log={ID}"
PAGE = f"https://tenhou.net/0/log/find.cgi?log={ID}&tw=0"
"""Link and page as the published description of the verification has them."""
EDITOR = {"title": ["", ""], "name": ["a", "b", "c", "d"], "rule": {"aka": 1}, "log": [[[0, 0, 0]]]}


def _verify(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> tuple[str, str]:
    assert run(["tenhou", "verify", *map(str, args)]) == code
    told = capsys.readouterr()
    return told.out, told.err


def _lines(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> list[Any]:
    out, _ = _verify(capsys, *args, "--json-lines", code=code)
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four logs: two in order, one tampered with, one without a seed; one in a folder below."""
    logs = tmp_path / "logs"
    (logs / "below").mkdir(parents=True)
    for name in ("a", "b", "a-tampered-draw"):
        (logs / f"{name}.xml").write_text(LOGS[name]["xml"], "utf-8")
    (logs / "below" / "no-seed.xml").write_text(LOGS["no-seed"]["xml"], "utf-8")
    return logs


LINKS = [
    LINK,
    f"{LINK}&tw=2",
    f"https://tenhou.net/4/?log={ID}&tw=1",
    f"tenhou.net/0/?log={ID}",
    f"https://tenhou.net/0/log/?{ID}",
    ID,
]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("given", [["tenhou", "verify"], ["tenhou", "wall"], ["viewer"]])
def test_of_a_link_it_is_told_where_the_log_is(
    capsys: pytest.CaptureFixture[str], given: list[str], link: str
) -> None:
    assert run([*given, link]) == 2
    told = capsys.readouterr()
    assert f"a link to a game, not a log: open {PAGE} in a browser" in told.out + told.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("url.txt", f"{LINK}&tw=3\r\n"),
        ("game.url", f"[InternetShortcut]\r\nURL={LINK}\r\n"),
        ("page.html", f"<html><body><a href='{LINK}'>game</a><br></body></html>"),
        ("scrambled.txt", LINK),
        ("bom.txt", f"\ufeff{LINK}"),
    ],
)
def test_a_file_with_a_link(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    out, _ = _verify(capsys, tmp_path / name, code=2)
    assert f"open {PAGE} in a browser" in out
    assert run(["tenhou", "wall", str(tmp_path / name)]) == 2
    assert PAGE in capsys.readouterr().err or name == "page.html"
    assert run(["viewer", str(tmp_path / name), "--json"]) == 2
    assert PAGE in capsys.readouterr().err


def test_scrambled_ids_and_several_links(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scrambled = ID[:-8] + "x0123456789ab"
    (tmp_path / "url.txt").write_text(f"http://tenhou.net/0/?log={scrambled}\n{LINK}\n", "utf-8")
    out, _ = _verify(capsys, tmp_path / "url.txt", code=2)
    assert "links to 2 games" in out
    assert f"log={scrambled}&tw=0" in out


@pytest.mark.parametrize("extra", [{}, {"ref": ID}])
@pytest.mark.parametrize("form", ["file", "lines", "link"])
def test_json_of_the_editor_has_no_seed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str, extra: dict[str, str]
) -> None:
    text = json.dumps(EDITOR | extra)
    if form == "link":
        given = "https://tenhou.net/6/#json=" + text.replace('"', "%22").replace(" ", "%20")
    else:
        given = str(tmp_path / "game.json")
        Path(given).write_text(text + ("\n" + text) * (form == "lines"), "utf-8")
    out, _ = _verify(capsys, given, code=2)
    assert "JSON of tenhou.net/6, which has no seed" in out
    assert (PAGE in out) == bool(extra)
    assert "find.cgi?log=" in out


@pytest.mark.parametrize(
    "text", ["{}", "[1, 2]", "[" * 100_000, '{"log": 5}', "https", "{" + '"log":{' * 9999]
)
def test_what_leads_to_no_log(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    (tmp_path / "x.json").write_text(text, "utf-8")
    out, _ = _verify(capsys, tmp_path / "x.json", code=2)
    assert "no well-formed XML" in out


def test_several_arguments_spoil_nothing(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("c.xml", LOGS["c"]["xml"])
    (tmp_path / "empty").mkdir()
    packed = tmp_path / "d.gz"
    packed.write_bytes(gzip.compress(GAME.encode()))
    given = [folder, tmp_path / "more.zip", "nowhere.xml", packed, tmp_path / "empty", LINK]
    found = _lines(capsys, *given, code=1)
    assert [(Path(one["log"]).name, one["verdict"]) for one in found] == [
        ("a-tampered-draw.xml", "mismatch"),
        ("a.xml", "verified"),
        ("b.xml", "verified"),
        ("no-seed.xml", "unverifiable"),
        ("more.zip:c.xml", "verified"),
        ("nowhere.xml", "unverifiable"),
        ("d.gz", "verified"),
        ("empty", "unverifiable"),
        (Path(LINK).name, "unverifiable"),
    ]
    assert found[5]["message"] == "file not found"
    assert found[7]["message"] == "the folder has no game logs"


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())])
def test_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, pack: Any
) -> None:
    class Stdin:
        buffer = io.BytesIO(pack(GAME))

    monkeypatch.setattr("sys.stdin", Stdin)
    out, _ = _verify(capsys, "-", "--json")
    assert json.loads(out)["log"] == "standard input"
    assert json.loads(out)["complete"] is True


def test_json_lines_are_the_objects_of_json(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    out, err = _verify(capsys, folder, "--json", code=1)
    whole = json.loads(out)
    assert err == ""
    out, err = _verify(capsys, folder, "--json-lines", code=1)
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines == [{"schema": whole["schema"]} | game for game in whole["games"]]
    assert "4 games: 2 verified, 1 mismatch, 1 unverifiable" in err
    assert run(["tenhou", "verify", str(folder), "--json", "--json-lines"]) == 2


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_processes_changes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, jobs: int
) -> None:
    for number in range(70):
        name = ("e", "a-tampered-draw", "no-seed")[number % 3]
        (tmp_path / f"{number:02}.xml").write_text(LOGS[name]["xml"], "utf-8")
    found = _lines(capsys, tmp_path, "--jobs", jobs, code=1)
    assert [Path(one["log"]).stem for one in found] == [f"{n:02}" for n in range(70)]
    verdicts = ["verified", "mismatch", "unverifiable"]
    assert [one["verdict"] for one in found] == [verdicts[n % 3] for n in range(70)]


def test_results_come_while_others_are_found(tmp_path: Path) -> None:
    """However many logs there are, only a bounded number is on its way."""
    log = tmp_path / "x.xml"
    log.write_text("no log", "utf-8")
    taken = 0

    def endless() -> Iterator[Task | Earlier]:
        nonlocal taken
        for number in count():
            taken += 1
            yield Task(LogFile(log)) if number % 3 else Earlier({"number": number})

    for jobs in (1, 2):
        taken = 0
        for number, one in enumerate(islice(check_tasks(endless(), jobs), 1000)):
            assert taken - number <= 400
            if number % 3:
                assert isinstance(one, Checked)
                assert one.log == LogFile(log)
            else:
                assert one == Earlier({"number": number})


def test_folders_nested_deeper_than_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    depth = 1050
    monkeypatch.chdir(tmp_path)
    for _ in range(depth):
        os.mkdir("d")
        os.chdir("d")
    Path("a.xml").write_text(LOGS["a"]["xml"], "utf-8")
    try:
        monkeypatch.chdir(tmp_path)
        assert [log.file and log.file.name for log in find_logs(Path("d"))] == ["a.xml"]
    finally:  # what takes temporary folders away calls itself for each
        os.chdir("/".join(["d"] * depth))
        os.remove("a.xml")
        for _ in range(depth):
            os.chdir("..")
            os.rmdir("d")


def test_links_of_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(LOGS["a"]["xml"], "utf-8")
    (tmp_path / "round").symlink_to(tmp_path)
    assert len(list(find_logs(tmp_path))) == 1
    assert len(list(find_logs(tmp_path / "round"))) == 1


def _interrupted(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """As Ctrl-C after so many results."""
    usual = command.check_tasks

    def some(*args: Any, **named: Any) -> Iterator[Checked | Earlier]:
        yield from islice(usual(*args, **named), after)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "check_tasks", some)


def test_an_interrupted_run_goes_on(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, _ = _verify(capsys, folder, "--json", code=1)
    journal = tmp_path / "done.jsonl"
    with monkeypatch.context() as patched:
        _interrupted(patched, 2)
        out, err = _verify(capsys, folder, "--resume", journal, "--json-lines", code=130)
    assert len(out.splitlines()) == 2
    assert "2 games: 1 verified, 1 mismatch" in err
    assert len(journal.read_text("utf-8").splitlines()) == 2
    with open(journal, "a", encoding="utf-8") as file:
        file.write('{"schema": "fair')  # a run that was killed while it wrote
    checked: list[str] = []
    usual = command.as_object
    monkeypatch.setattr(
        command, "as_object", lambda one: checked.append(str(one.log)) or usual(one)
    )
    out, _ = _verify(capsys, folder, "--resume", journal, "--json", code=1)
    assert out == whole
    assert [Path(log).name for log in checked] == ["b.xml", "no-seed.xml"]
    assert len(journal.read_text("utf-8").splitlines()) == 4
    checked.clear()
    out, _ = _verify(capsys, folder, "--resume", journal, code=1)
    assert checked == []
    assert "4 games: 2 verified, 1 mismatch, 1 unverifiable" in out
    assert "4 results of earlier runs counted, not checked again" in out
    assert "a-tampered-draw.xml: mismatch" in out
    out, _ = _verify(capsys, folder, "--resume", journal, "--json", code=1)
    assert out == whole


def test_what_has_changed_is_checked_again(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "done.jsonl"
    log = folder / "a-tampered-draw.xml"
    _verify(capsys, log, "--resume", journal, code=1)
    log.write_text(LOGS["a"]["xml"], "utf-8")
    out, _ = _verify(capsys, log, "--resume", journal)
    assert "verified" in out
    wanted = LOGS["a"]["expected"]["commitment"]
    for published, code in ((wanted, 0), ("0" * 128, 1), (wanted, 0)):
        _verify(capsys, log, "--resume", journal, "--commitment", published, code=code)
    assert len(journal.read_text("utf-8").splitlines()) == 5
    out, _ = _verify(capsys, log, "--resume", journal, "--commitment", wanted)
    assert "of an earlier run" in out


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("<mjloggm/>\n", ":1: not a result of 'fairdeck tenhou verify'"),
        ('{"schema": "other"}\n', ":1: not a result"),
        ("[" * 100_000 + "\n", ":1: not a result"),
        ("<mjloggm>", ":1: not a result"),
        ('{"schema": "fairdeck.tenhou.verify/2", ', ":1: not a result"),
    ],
)
def test_what_is_no_journal_is_left_alone(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, text: str, what: str
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(text, "utf-8")
    _, err = _verify(capsys, folder, "--resume", other, code=2)
    assert what in err
    assert other.read_text("utf-8") == text


def test_results_of_other_code_do_not_count(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "done.jsonl"
    _verify(capsys, folder, "--resume", journal, code=1)
    text = journal.read_text("utf-8")
    journal.write_text(re.sub('"made_by": "[^"]*"', '"made_by": "0"', text), "utf-8")
    _, err = _verify(capsys, folder, "--resume", journal, code=2)
    assert "another version of fairdeck" in err


def test_own_files_among_the_logs_are_no_logs(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    hashes = folder / "hashes.txt"
    hashes.write_text(f"a {LOGS['a']['expected']['commitment']}\n", "utf-8")
    for _ in range(2):
        given = (folder, "--resume", folder / "done.txt", "--commitments", hashes)
        out, _ = _verify(capsys, *given, code=1)
        assert "4 games" in out


def test_a_list_of_hashes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Logs find theirs by the id in their names, whatever it stands in, else by their names."""
    right = LOGS["a"]["expected"]["commitment"]
    other = ID.replace("fca091df", "00000000")
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in (f"{ID}&tw=0.mjlog", f"{other}.xml", "mine.xml", "none.xml"):
        (logs / name).write_text(LOGS["a"]["xml"], "utf-8")
    texts = [
        f"# games\n\n{LINK}&tw=1\t{right.upper()}\n{'0' * 128}, {other}\nmine {right}\nx {right}\n",
        json.dumps({ID: right, other: "0" * 128, "mine.xml": right, "x": right}),
    ]
    for text in texts:
        (tmp_path / "hashes").write_text(text, "utf-8")
        given = (logs, "--commitments", tmp_path / "hashes")
        found = {Path(one["log"]).name: one for one in _lines(capsys, *given, code=1)}
        assert found[f"{ID}&tw=0.mjlog"]["commitment"]["match"] is True
        assert found[f"{other}.xml"]["kind"] == "seed"
        assert found["mine.xml"]["commitment"]["match"] is True
        assert found["none.xml"]["commitment"]["match"] is None
        out, _ = _verify(capsys, *given, code=1)
        assert "published hashes: 3 compared, 1 games without one, 1 of no log here" in out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{ID} 12\nsame\n{ID} {'0' * 128} x\n", (":1:33: not a hash", ":2:1: ", ":3:162: ")),
        (f"{ID} {'0' * 128}\n{ID} {'1' * 128}\n", (":2:1: a second hash",)),
        ('{"a": "12"}', ("'a' has no hash",)),
        ('{"a": ', ("hashes:1:",)),
        ('{"a": 5}', ("'a' has no hash",)),
    ],
)
def test_faults_of_a_list(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    tmp_path: Path,
    text: str,
    told: tuple[str, ...],
) -> None:
    (tmp_path / "hashes").write_text(text, "utf-8")
    _, err = _verify(capsys, folder, "--commitments", tmp_path / "hashes", code=2)
    assert all(one in err for one in told)
    assert "Traceback" not in err
    _verify(capsys, folder, "--commitments", tmp_path / "missing", code=2)
    given = ("--commitments", tmp_path / "hashes", "--commitment", "0" * 128)
    _verify(capsys, folder, *given, code=2)
