"""Verifying logs: the made-up ones, tampered and intact, and files meant to do harm."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from fairdeck.tenhou.batch import check_logs
from fairdeck.tenhou.logs import LogFile, find_logs, read_bytes
from fairdeck.tenhou.mjlog import MOST_BYTES, BadLog, read_log
from fairdeck.tenhou.verify import Kind, Verdict, verify

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "tenhou_logs.json").read_text("utf-8")
)
LOGS = {log["name"]: log for log in VECTORS["logs"]}
INTACT: str = LOGS["a"]["xml"]
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


def test_dora_turned_by_kans_are_looked_at() -> None:
    text = LOGS["b"]["xml"]
    match = re.search(r'<DORA hai="(\d+)"', text)
    assert match is not None
    changed = f"{text[: match.start(1)]}{(int(match[1]) + 4) % 136}{text[match.end(1) :]}"
    report = verify(read_log(changed.encode()))
    assert report.difference is not None
    assert report.difference.kind is Kind.DORA


def test_indicators_shown_with_a_win_are_looked_at() -> None:
    start = re.search(r'<INIT seed="[^"]*,(\d+)"', INTACT)
    assert start is not None
    dora = int(start[1])
    for shown, verdict in ((dora, Verdict.VERIFIED), (dora ^ 1, Verdict.MISMATCH)):
        text = INTACT.replace("<RYUUKYOKU", f'<AGARI doraHai="{shown}"/><RYUUKYOKU', 1)
        assert verify(read_log(text.encode())).verdict is verdict


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
    bomb.write_bytes(gzip.compress(b"<mjloggm>" + b" " * (4 * MOST_BYTES)))
    assert bomb.stat().st_size < 100_000
    with pytest.raises(BadLog, match="more than 8 MiB"):
        read_bytes(LogFile(bomb))
    twice = tmp_path / "twice.zip"
    with zipfile.ZipFile(twice, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.gz", bomb.read_bytes())
        archive.writestr("plain.xml", b" " * (4 * MOST_BYTES))
    for log in find_logs(twice):
        with pytest.raises(BadLog, match="more than 8 MiB"):
            read_bytes(log)


@pytest.mark.parametrize("cut", [3, 20, -9])
def test_damaged_gzip(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(INTACT.encode())[:cut])
    with pytest.raises(BadLog, match=r"cut off|damaged"):
        read_bytes(LogFile(path))


def test_nothing_to_find(tmp_path: Path) -> None:
    with pytest.raises(BadLog, match="no such file"):
        list(find_logs(tmp_path / "none"))
    with pytest.raises(BadLog, match="no game logs"):
        list(find_logs(tmp_path))
