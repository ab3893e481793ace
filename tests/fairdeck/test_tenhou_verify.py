"""Verifying logs: the made-up ones, tampered and intact, and files meant to do harm."""

from __future__ import annotations

import gzip
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from fairdeck.cli.tenhou_result import verdict
from fairdeck.tenhou.batch import check_logs
from fairdeck.tenhou.logs import LogFile, find_logs, read_bytes
from fairdeck.tenhou.mjlog import MAX_BYTES, BadLog, read_log
from fairdeck.tenhou.verify import Kind, Verdict, verify

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "tenhou_logs.json").read_text("utf-8")
)
LOGS = {log["name"]: log for log in VECTORS["logs"]}
INTACT: str = LOGS["a"]["xml"]
WHOLE: dict[str, str] = {
    log["name"]: log["xml"]
    for log in json.loads(
        (Path(__file__).parents[1] / "vectors" / "tenhou_games.json").read_text("utf-8")
    )["logs"]
}
_HANDS = " ".join(f'hai{seat}="1,2,3"' for seat in range(4))
_INIT = f'<INIT seed="0,0,0,1,2,3" oya="0" {_HANDS}/>'


@pytest.mark.parametrize("name", LOGS)
def test_verdicts(name: str) -> None:
    log = LOGS[name]
    game, wanted = read_log(log["xml"].encode()), log["expected"]
    report = verify(game)
    assert game.players == log["players"]
    if wanted["ok"]:
        assert report.verdict is Verdict.VERIFIED
        assert report.difference is None
        assert report.rounds == wanted["rounds"]
    else:
        assert report.difference is not None
        assert report.difference.kind.value == wanted["kind"]
        assert report.difference.round == wanted["first_bad_round"]
        no_seed = report.difference.kind is Kind.NO_SEED
        assert report.verdict is (Verdict.UNVERIFIABLE if no_seed else Verdict.MISMATCH)
    if "commitment" in wanted:
        assert report.commitment is not None
        assert report.commitment.seats == wanted["seat_string"]
        assert report.commitment.hash == wanted["commitment"]
        assert list(game.names) == wanted["names"]


def test_every_draw_is_looked_at() -> None:
    """Whichever drawn tile is changed, the game no longer verifies."""
    draws = list(re.finditer(r"<[TUVW](\d+)/>", INTACT))
    assert len(draws) > 100
    for match in draws[::7]:
        other = (int(match[1]) + 1) % 136
        text = f"{INTACT[: match.start(1)]}{other}{INTACT[match.end(1) :]}"
        report = verify(read_log(text.encode()))
        assert report.difference is not None
        assert report.difference.kind is Kind.DRAW
        assert report.difference.event is not None


def test_dora_turned_by_kans_are_looked_at() -> None:
    text = LOGS["b"]["xml"]
    match = re.search(r'<DORA hai="(\d+)"', text)
    assert match is not None
    changed = f"{text[: match.start(1)]}{(int(match[1]) + 4) % 136}{text[match.end(1) :]}"
    report = verify(read_log(changed.encode()))
    assert report.difference is not None
    assert report.difference.kind is Kind.DORA


@pytest.mark.parametrize("shown", ["doraHai", "doraHaiUra"])
def test_indicators_shown_with_a_win_are_looked_at(shown: str) -> None:
    text = WHOLE["south"]
    match = re.search(rf'{shown}="(\d+)', text)
    assert match is not None
    changed = f"{text[: match.start(1)]}{int(match[1]) ^ 1}{text[match.end(1) :]}"
    assert verify(read_log(text.encode())).verdict is Verdict.VERIFIED
    report = verify(read_log(changed.encode()))
    assert report.difference is not None
    assert report.difference.kind is Kind.DORA


def test_the_published_hash() -> None:
    game, wanted = read_log(INTACT.encode()), LOGS["a"]["expected"]
    kept = verify(game, wanted["commitment"])
    assert kept.verdict is Verdict.VERIFIED
    assert kept.commitment is not None
    assert kept.commitment.match is not None
    assert kept.commitment.match.as_named
    broken = verify(game, "0" * 128)
    assert broken.verdict is Verdict.MISMATCH
    assert broken.difference is not None
    assert broken.difference.kind is Kind.SEED


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no well-formed XML"),
        ("<html></html>", "begins with <html>"),
        ("<mjloggm>", "no well-formed XML"),
        ('<!DOCTYPE m [<!ENTITY a "b">]><mjloggm>&a;</mjloggm>', "refused"),
        ("<mjloggm>" + "<a>" * 50 + "</a>" * 50 + "</mjloggm>", "nested"),
        ('<mjloggm><GO type="9"><T1/></GO></mjloggm>', "nested"),
        ("<mjloggm>" + "<a/>" * 60_000 + "</mjloggm>", "elements"),
        ("<mjloggm><T5/></mjloggm>", "before the first INIT"),
        ('<mjloggm><INIT seed="0,0,0,1,2" oya="0"/></mjloggm>', "six numbers"),
        ('<mjloggm><INIT seed="0,0,0,7,2,9" oya="0"/></mjloggm>', "dice"),
        ("<mjloggm>" + _INIT.replace("0,0,0,1,2,3", "0,0,0,1,2,200"), "no tile 200"),
        ('<mjloggm><INIT seed="0,0,0,1,2,20" oya="0"/></mjloggm>', "'hai0' is missing"),
        ('<mjloggm><GO type="x"/></mjloggm>', "has to be numbers"),
        ("<mjloggm><T99999999999999999999/></mjloggm>", "no tile"),
    ],
)
def test_what_is_no_log(text: str, what: str) -> None:
    with pytest.raises(BadLog, match=what):
        read_log(text.encode())


def test_packed_logs(tmp_path: Path) -> None:
    (tmp_path / "a.mjlog").write_bytes(gzip.compress(INTACT.encode()))
    (tmp_path / "b.xml").write_text(LOGS["b"]["xml"], "utf-8")
    with zipfile.ZipFile(tmp_path / "more.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x/c.xml", LOGS["c"]["xml"])
        archive.writestr("d.gz", gzip.compress(LOGS["a-tampered-hand"]["xml"].encode()))
    checked = list(check_logs(find_logs(tmp_path)))
    verdicts = {str(one.log.member or one.log.path.name): one.report for one in checked}
    assert sorted(verdicts) == ["a.mjlog", "b.xml", "d.gz", "x/c.xml"]
    found = {name: report and report.verdict for name, report in verdicts.items()}
    assert found.pop("d.gz") is Verdict.MISMATCH
    assert set(found.values()) == {Verdict.VERIFIED}


@pytest.mark.slow
def test_many_logs_on_several_processes(tmp_path: Path) -> None:
    for number in range(70):
        (tmp_path / f"{number}.xml").write_text(LOGS["e"]["xml"], "utf-8")
    (tmp_path / "99.xml").write_text("no log", "utf-8")
    checked = list(check_logs(find_logs(tmp_path)))
    assert len(checked) == 71
    assert sum(one.report is not None for one in checked) == 70
    assert checked[-1].fault is not None


def test_bombs_are_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b"<mjloggm>" + b" " * (4 * MAX_BYTES)))
    assert bomb.stat().st_size < 100_000
    with pytest.raises(BadLog, match="more than 8 MiB"):
        read_bytes(LogFile(bomb))
    twice = tmp_path / "twice.zip"
    with zipfile.ZipFile(twice, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.gz", bomb.read_bytes())
        archive.writestr("plain.xml", b" " * (4 * MAX_BYTES))
    for log in find_logs(twice):
        with pytest.raises(BadLog, match="more than 8 MiB"):
            read_bytes(log)


@pytest.mark.parametrize("cut", [3, 20, -9])
def test_damaged_gzip(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(INTACT.encode())[:cut])
    with pytest.raises(BadLog, match=r"cut off|damaged"):
        read_bytes(LogFile(path))


@pytest.mark.parametrize(
    ("seed", "what"),
    [
        ("", "is empty"), ("  ", "is empty"), ("0.15796", "begins with its format"),
        ("sha3,abc", "'sha3' is not known"), ("mt19937ar,1,2", "is not enough"),
        ("mt19937ar-sha512-n288-base64,é" + "A" * 3327, "is ASCII"),
    ],
)  # fmt: skip
def test_seeds_nothing_can_be_made_from(seed: str, what: str) -> None:
    text = re.sub(r'SHUFFLE seed="[^"]*"', f'SHUFFLE seed="{seed}"', INTACT)
    report = verify(read_log(text.encode()))
    assert report.verdict is Verdict.UNVERIFIABLE
    assert report.difference is not None
    assert what in str(report.difference.sentence)
    assert report.compared.draws == 0


@pytest.mark.parametrize(
    "encoding", ["utf-7", "Shift_JIS", "EUC-JP", "cp932", "nonsense", "utf-32"]
)
def test_encodings_that_are_not_read(encoding: str) -> None:
    with pytest.raises(BadLog, match=r"encoding|no well-formed XML"):
        read_log(f'<?xml version="1.0" encoding="{encoding}"?>{INTACT}'.encode())


def test_hostile_files_do_not_end_a_folder(tmp_path: Path) -> None:
    """Each is unverifiable with its reason, and the others get their verdicts."""
    for name, encoding in (("a", "utf-7"), ("b", "Shift_JIS"), ("c", "EUC-JP"), ("d", "cp932")):
        head = f'<?xml version="1.0" encoding="{encoding}"?>'
        (tmp_path / f"{name}.xml").write_text(head + INTACT, "ascii")
    os.mkfifo(tmp_path / "e.xml")
    (tmp_path / "f.xml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "g.zip").write_bytes(b"PK\x05\x06" + b"\xff" * 18)
    (tmp_path / os.fsdecode(b"h\xff\x1b.xml")).write_text("no log", "ascii")
    (tmp_path / "i.xml").write_text(INTACT.replace("base64,", "base64,\u5e78"), "utf-8")
    _archive_with_versions(tmp_path / "j.zip", {"new.xml": 200, "usual.xml": 20})
    (tmp_path / "z.xml").write_text(LOGS["b"]["xml"], "utf-8")
    checked = {str(one.log).rsplit("/")[-1]: one for one in check_logs(find_logs(tmp_path))}
    good = {name for name, one in checked.items() if verdict(one) is Verdict.VERIFIED}
    assert good == {"z.xml", "j.zip:usual.xml"}
    assert len(checked) == 12
    bad = [one for name, one in checked.items() if name not in good]
    assert all(verdict(one) is Verdict.UNVERIFIABLE for one in bad)
    told = {name: one.fault or "" for name, one in checked.items()}
    assert "encoding" in told["a.xml"]
    assert "pipe" in told["e.xml"]
    assert "No such file" in told["f.xml"]
    assert "version 20.0 of the zip format" in told["j.zip:new.xml"]
    assert not any("internal fault" in text for text in told.values())
    assert all(name.isprintable() for name in checked)


def _archive_with_versions(path: Path, versions: dict[str, int]) -> None:
    """An archive whose files say that they need these versions of the format, times ten."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in versions:
            archive.writestr(name, INTACT)
    data = bytearray(path.read_bytes())
    at = 0
    for version in versions.values():
        at = data.index(b"PK\x01\x02", at) + 6
        data[at : at + 2] = version.to_bytes(2, "little")
    path.write_bytes(data)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (found,) = check_logs(find_logs(tmp_path / "pipe"))
    assert found.fault == "not a regular file but a pipe or device, which is not read"


def test_members_of_one_name(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.xml", INTACT)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.xml", LOGS["no-seed"]["xml"])
    found = [verdict(one) for one in check_logs(find_logs(path))]
    assert found == [Verdict.VERIFIED, Verdict.UNVERIFIABLE]


def test_our_own_faults_cost_no_other_log_its_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        (tmp_path / f"{name}.xml").write_text(INTACT, "utf-8")
    calls = []

    def broken(data: bytes) -> object:
        calls.append(data)
        if len(calls) == 1:
            raise ZeroDivisionError("ours")
        return read_log(data)

    monkeypatch.setattr("fairdeck.tenhou.batch.read_log", broken)
    first, second = check_logs(find_logs(tmp_path))
    assert "a bug in fairdeck" in (first.fault or "")
    assert verdict(second) is Verdict.VERIFIED


def test_nothing_to_find(tmp_path: Path) -> None:
    with pytest.raises(BadLog, match="file not found"):
        list(find_logs(tmp_path / "none"))
    with pytest.raises(BadLog, match="no game logs"):
        list(find_logs(tmp_path))
