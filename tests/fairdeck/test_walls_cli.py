"""The commands of the mahjong walls, the audit and riichi hands, as a user meets them."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fairdeck.cli import run
from fairdeck.tenhou.commitment import commitment
from fairdeck.tenhou.mjlog import read_log
from fairdeck.tenhou.seed import parse_seed

VECTORS = Path(__file__).parents[1] / "vectors"


def _load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    return found


TENHOU = _load("tenhou_synthetic")
LOGS = {log["name"]: log for log in _load("tenhou_logs")["logs"]}
WHOLE = {log["name"]: log for log in _load("tenhou_games")["logs"]}
ARCADE = _load("mj_arcade")
SEED: str = TENHOU["shuffle"][0]["seed"]


def _json(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> Any:
    assert run([*args, "--json"]) == code
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("where", ["model", "6502", "sm83"])
def test_tenhou_wall(capsys: pytest.CaptureFixture[str], where: str) -> None:
    found = _json(capsys, "tenhou", "wall", SEED, "--rounds", "2", "--on", where)
    for one, wanted in zip(found["rounds"], TENHOU["shuffle"][0]["rounds"], strict=False):
        assert one["wall"] == wanted["wall136"]
        assert [face - 1 for face in one["dice"]] == wanted["dice"]
        assert len(one["hands"]) == 4
        assert one["dora"] == one["wall"][5]
        assert (one["cycles"] is None) == (where == "model")


def test_tenhou_wall_of_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "tenhou", "wall", SEED, "--players", "3")["rounds"][0]
    assert found["wall"] == TENHOU["shuffle"][0]["rounds"][0]["wall108"]
    assert [len(hand) for hand in found["hands"]] == [13, 13, 13]


@pytest.mark.parametrize("name", ["c", "three"])
def test_tenhou_wall_of_a_log_of_three(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """The log says how many play; to say something else is a wrong command line."""
    log = tmp_path / "game.xml"
    log.write_text((LOGS | WHOLE)[name]["xml"], "utf-8")
    found = _json(capsys, "tenhou", "wall", str(log))["rounds"][0]
    assert len(found["wall"]) == 108
    start = re.search(r'<INIT seed="[^"]*,(\d+)"[^>]*hai0="([^"]*)"', log.read_text("utf-8"))
    assert start is not None
    assert found["dora"] == int(start[1])
    assert found["hands"][0] == sorted(map(int, start[2].split(",")))
    assert run(["tenhou", "wall", str(log), "--players", "3"]) == 0
    assert run(["tenhou", "wall", str(log), "--players", "4"]) == 2
    assert "of a game for 3, not for 4" in capsys.readouterr().err


def test_tenhou_wall_from_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, log = tmp_path / "seed.txt", tmp_path / "game.mjlog"
    plain.write_text(SEED + "\n", "utf-8")
    log.write_bytes(gzip.compress(LOGS["a"]["xml"].encode()))
    assert _json(capsys, "tenhou", "wall", str(plain)) == _json(capsys, "tenhou", "wall", SEED)
    assert len(_json(capsys, "tenhou", "wall", str(log))["rounds"][0]["wall"]) == 136

    class Stdin:
        buffer = io.BytesIO(SEED.encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert _json(capsys, "tenhou", "wall", "-") == _json(capsys, "tenhou", "wall", SEED)


@pytest.mark.parametrize("option", ["--letters", "--glyphs"])
def test_walls_as_text(capsys: pytest.CaptureFixture[str], option: str) -> None:
    assert run(["tenhou", "wall", SEED, option]) == 0
    text = capsys.readouterr().out
    assert "dice 3 and 6" in text
    assert ("🀇" in text) == (option == "--glyphs")
    assert "17m209p224678s56z" in text
    row = "7z 7s 5m 8p 4z" if option == "--letters" else "🀄 🀖 🀋 🀠 🀃"
    assert f"    0  {row}" in text


@pytest.mark.parametrize("bad", ["nonsense", "mt19937ar,1,2", "mt19937ar-sha512-n288,1", ""])
def test_bad_seeds(capsys: pytest.CaptureFixture[str], bad: str) -> None:
    assert run(["tenhou", "wall", bad]) == 2
    assert "error:" in capsys.readouterr().err


def test_a_log_that_is_not_there_is_no_mismatch(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tenhou", "verify", "nowhere.xml"]) == 2
    assert "'nowhere.xml' does not exist" in capsys.readouterr().err


@pytest.mark.parametrize("name", LOGS)
def test_tenhou_verify(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    log, wanted = tmp_path / "game.xml", LOGS[name]["expected"]
    log.write_text(LOGS[name]["xml"], "utf-8")
    code = 0 if wanted["ok"] else 2 if wanted["kind"] == "no seed" else 1
    found = _json(capsys, "tenhou", "verify", str(log), code=code)
    assert found["verdict"] == ("verified", "mismatch", "unverifiable")[code]
    assert found["kind"] == wanted.get("kind")
    assert found["first_bad_round"] == wanted.get("first_bad_round")
    if "rounds" in wanted:
        assert found["rounds"] == wanted["rounds"]
    if "commitment" in wanted:
        assert found["commitment"]["hash"] == wanted["commitment"]
        given = ("tenhou", "verify", str(log), "--commitment", wanted["commitment"])
        assert _json(capsys, *given)["commitment"]["match"] is True
        wrong = ("tenhou", "verify", str(log), "--commitment", "0" * 128)
        assert _json(capsys, *wrong, code=1)["kind"] == "seed"


def test_a_folder_of_logs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("a", "b", "a-tampered-draw", "no-seed"):
        (tmp_path / f"{name}.xml").write_text(LOGS[name]["xml"], "utf-8")
    (tmp_path / "other.txt").write_text("not a log", "utf-8")
    assert run(["tenhou", "verify", str(tmp_path)]) == 1
    text = capsys.readouterr().out
    assert "5 games: 2 verified, 1 mismatch, 2 unverifiable" in text
    assert "0 of 2 verified games are complete" in text
    assert "round 3: draw 36 (seat 2) is 5s" in text
    found = _json(capsys, "tenhou", "verify", str(tmp_path), code=1)
    assert len(found["games"]) == 5


def test_what_was_compared_is_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, xml = tmp_path / "game.xml", WHOLE["south"]["xml"]
    log.write_text(xml, "utf-8")
    found = _json(capsys, "tenhou", "verify", str(log))
    assert found["schema"] == "fairdeck.tenhou.verify/2"
    assert (found["verdict"], found["complete"], found["left_out"]) == ("verified", True, [])
    compared = found["compared"]
    assert compared["rounds"] == found["rounds"] == xml.count("<INIT")
    assert compared["draws"] == len(re.findall(r"<[TUVW]\d+/>", xml))
    assert compared["discards"] == len(re.findall(r"<[DEFG]\d+/>", xml))
    assert compared["calls"] == xml.count("<N ")
    assert compared["wins"] == xml.count("<AGARI")
    assert compared["no_wins"] == xml.count("<RYUUKYOKU")
    assert compared["riichi"] == xml.count('step="1"')
    assert any("names, ranks" in text for text in found["not_checked"])
    assert run(["tenhou", "verify", str(log)]) == 0
    text = capsys.readouterr().out
    draws, discards, calls = (compared[key] for key in ("draws", "discards", "calls"))
    assert f"{compared['rounds']} rounds, {draws} draws, {discards} discards, {calls} calls" in text
    assert "game complete: yes" in text
    assert "every hand, die, dora indicator and draw agrees with the seed" in text
    log.write_text(re.sub(r' owari="[^"]*"', "", xml), "utf-8")
    found = _json(capsys, "tenhou", "verify", str(log))
    assert (found["verdict"], found["complete"]) == ("verified", False)
    assert "without the final scores" in found["left_out"][0]
    assert run(["tenhou", "verify", str(log)]) == 0
    text = capsys.readouterr().out
    assert "game complete: no" in text
    assert "the log does not have the whole game" in text


def test_where_a_contradiction_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log, xml = tmp_path / "game.xml", WHOLE["south"]["xml"]
    starts = [match.start() for match in re.finditer("<INIT", xml)]
    discard = re.compile(r"<[DEFG](\d+)/>").search(xml, starts[2])
    assert discard is not None
    log.write_text(f"{xml[: discard.start(1)]}999{xml[discard.end(1) :]}", "utf-8")
    assert _json(capsys, "tenhou", "verify", str(log), code=2)["kind"] is None
    nobody = xml[xml.index("hai0", starts[3]) :].split('"')[1]  # tiles of another round's hand
    held = xml[starts[2] : discard.start()]
    other = next(t for t in nobody.split(",") if f",{t}," not in held.replace('"', ","))
    log.write_text(f"{xml[: discard.start(1)]}{other}{xml[discard.end(1) :]}", "utf-8")
    found = _json(capsys, "tenhou", "verify", str(log), code=1)
    assert (found["kind"], found["first_bad_round"]) == ("discard", 2)
    assert found["event"] == held.count("<")
    assert found["compared"]["rounds"] == 3


@pytest.mark.parametrize("args", [["--commitment", "12"], ["--commitment", "x" * 128]])
def test_what_is_no_commitment(args: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(LOGS["a"]["xml"], "utf-8")
    assert run(["tenhou", "verify", str(tmp_path / "a.xml"), *args]) == 2


@pytest.mark.parametrize("where", ["model", "6502", "sm83"])
@pytest.mark.parametrize("case", [ARCADE["four_player"][0], ARCADE["three_player_extrapolated"][0]])
def test_mjarcade_wall(
    capsys: pytest.CaptureFixture[str], where: str, case: dict[str, Any]
) -> None:
    args = ("mjarcade", "wall", "--uncertain", str(case["ue"]), "--on", where, "--json", "--")
    assert run([*args, *case["seeds"]]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wall"] == case["wall"]
    assert [face - 1 for face in found["dice"]] == case["dice_raw"]
    assert len(found["assumptions"]) == 3 + (len(case["seeds"]) == 3)


def test_a_seed_that_looks_like_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    seeds = ["-S_Gnefxkngf2SGADfe3qR1ulGa", *ARCADE["four_player"][0]["seeds"][1:]]
    assert run(["mjarcade", "wall", "--uncertain", "1", *seeds]) == 2
    told = capsys.readouterr().err
    assert seeds[0] in told
    assert " -- " in told
    assert run(["mjarcade", "wall", "--uncertain", "1", "--", *seeds]) == 0


def test_malformed_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    case = ARCADE["malformed_script_behaviour"][0]
    args = ["mjarcade", "wall", "--uncertain", str(case["ue"])]
    assert run([*args, *case["seeds"]]) == 2
    assert "has 20 characters, not 27" in capsys.readouterr().err
    assert run([*args, "--lenient", "--json", *case["seeds"]]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["wall"] == case["wall"]
    assert found["warnings"]
    assert run([*args, "--lenient", "--on", "6502", *case["seeds"]]) == 2
    told = capsys.readouterr().err
    assert "the 6502 takes well-formed seeds only" in told
    assert "--lenient" not in told


def test_what_is_extrapolated_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Three players' tiles are those of the usual three-player set, and told to be a guess."""
    case = ARCADE["three_player_extrapolated"][0]
    args = ["mjarcade", "wall", "--uncertain", str(case["ue"]), "--letters", "--", *case["seeds"]]
    assert run(args) == 0
    text = capsys.readouterr().out
    assert "extrapolated" in text.splitlines()[0]
    rows = re.findall(r"^ +(?:upper|lower)  (.*)$", text, re.M)
    shown = Counter(" ".join(rows).split())
    wanted = ["1m", "9m", *(f"{n}{suit}" for suit in "ps" for n in range(1, 10))]
    wanted += [f"{n}z" for n in range(1, 8)]
    assert shown == dict.fromkeys(wanted, 4)


def test_what_was_not_checked_stands_beside_the_verdict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.xml"
    path.write_text(WHOLE["plain"]["xml"].replace("<GO ", '<GO rule="x" '), "utf-8")
    found = _json(capsys, "tenhou", "verify", str(path))
    assert (found["verdict"], found["complete"]) == ("verified", False)
    assert "points of wins" in found["unchecked"]
    assert run(["tenhou", "verify", str(path)]) == 0
    told = capsys.readouterr().out
    assert "verified 6 rounds, not checked: points of wins" in told
    assert "game complete: no" in told
    path.write_text(WHOLE["plain"]["xml"], "utf-8")
    game = read_log(path.read_bytes())
    seed = parse_seed(game.seed or "")
    for seats, code, kind in (("0132", 0, None), ("0123", 1, "seats")):
        args = ["tenhou", "verify", str(path), "--commitment", commitment(seats, seed)]
        assert run(args) == code
        assert ("which the names give" in capsys.readouterr().out) == (kind is None)
        assert run([*args, "--json"]) == code
        found = json.loads(capsys.readouterr().out)
        assert found["kind"] == kind
        assert found["commitment"]["seats_checked"] is True


def test_uncertain(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    case = ARCADE["uncertain_element"][0]
    events = tmp_path / "events.json"
    for contents in (case, case["events"]):
        events.write_text(json.dumps(contents), "utf-8")
        found = _json(capsys, "mjarcade", "uncertain", str(events))
        assert found["total"] == case["total"]
        assert found["cycles"] is None
    for cpu in ("6502", "sm83"):
        made = _json(capsys, "mjarcade", "uncertain", str(events), "--on", cpu)
        assert made.pop("cycles") > 0
        assert made == {key: value for key, value in found.items() if key != "cycles"}
    assert run(["mjarcade", "uncertain", str(events), "--on", "6502"]) == 0
    assert "cycles, equal to the model" in capsys.readouterr().out
    for bad in ("{", "5", '{"other": 1}', '[["discard", 0, 1, "9z"]]'):
        events.write_text(bad, "utf-8")
        assert run(["mjarcade", "uncertain", str(events)]) == 2
        assert "error:" in capsys.readouterr().err


@pytest.mark.slow  # one picture of each kind is drawn by the tests around it, and in test_audit.py
def test_audit_draws_each_system(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    _json(capsys, "audit", "--pictures", str(tmp_path))
    pictures = sorted(path.name for path in tmp_path.iterdir())
    assert pictures == ["mjarcade.png", "tarot-printed.png", "tarot.png", "tenhou.png"]


@pytest.mark.slow
def test_audit(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "audit")["systems"]
    by_name = {system["name"]: system for system in found}
    assert by_name["tarot"]["highest"] == 0
    assert by_name["mjarcade"]["highest"] == pytest.approx(0.3619, abs=5e-5)
    assert by_name["tenhou"]["highest"] < 3e-8
    assert all(system["unverifiable"] for system in found)
    unknown = by_name.pop("mahjongsoul")
    assert unknown["exact"] is unknown["rms"] is unknown["seed_bits"] is None
    for system in by_name.values():
        exact = {key: Fraction(system["exact"][key]) for key in ("lowest", "highest")}
        assert {key: float(value) for key, value in exact.items()} == {
            key: system[key] for key in exact
        }
        assert float(Fraction(system["exact"]["mean_square"])) == pytest.approx(system["rms"] ** 2)
    assert by_name["tarot"]["exact"]["corner"]["77,77"] == "1/78"
    assert run(["audit", "tarot"]) == 0
    assert "every tile is equally likely" in capsys.readouterr().out


@pytest.mark.slow
def test_audit_of_machine_code(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    pytest.importorskip("matplotlib")
    line = ["audit", "tarot", "--on", "6502", "--on", "sm83", "--shuffles", "200"]
    (found,) = _json(capsys, *line, "--pictures", str(tmp_path))["systems"]
    first, second = found["sampled"]
    assert (first["on"], second["on"]) == ("6502", "sm83")
    assert first["engine"] == "llvm"  # so few are not translated
    same = ("shuffles", "checked", "lowest", "highest", "rms", "worst_place", "chi_square")
    assert all(first[key] == second[key] for key in same)  # the same seeds, and the same decks
    assert (first["shuffles"], first["checked"]) == (200, 16)
    assert first["rms"]["noise"] == pytest.approx((77 / 200) ** 0.5)
    assert first["rms"]["value"] == pytest.approx(first["rms"]["noise"], rel=0.1)
    assert first["chi_square"]["fair"] == first["chi_square"]["exact"]
    assert abs(first["chi_square"]["fair"]["z"]) < 5
    pictures = sorted(path.name for path in tmp_path.iterdir())
    assert pictures == ["tarot-6502.png", "tarot-sm83.png", "tarot.png"]
    assert run(line) == 0
    text = capsys.readouterr().out
    assert "200 shuffles by the 6502's code, each from a random seed; 16 held" in text
    assert "chi-square with 5,929 degrees of freedom" in text
    assert max(map(len, text.splitlines())) <= 80
    assert run(["audit", "mjarcade", "--on", "6502"]) == 2
    assert "--on works for the tarot shuffles only" in capsys.readouterr().err


def test_pictures_without_matplotlib(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert run(["audit", "tarot", "--pictures", str(tmp_path)]) == 2
    told = capsys.readouterr().err.strip()
    assert told == 'error: pictures need matplotlib: pip install "fairdeck[pictures]"'


def test_riichi_analyze(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "riichi", "analyze", "335m168p35888s44z")
    assert found["ukeire"] == {"3m": 2, "4m": 4, "7p": 4, "4s": 4, "4z": 2}
    melds = ["--meld", "pon:111p", "--meld", "pon:222z", "--meld", "pon:777p"]
    assert _json(capsys, "riichi", "analyze", "59m3p1z", *melds)["ukeire_count"] == 45
    assert run(["riichi", "analyze", "11799m1128p577s66z", "--letters"]) == 0
    assert "discard 7m or 2p or 8p or 5s: 9 tiles help then" in capsys.readouterr().out


def test_riichi_win_and_calls(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "riichi", "win", "234m456p23467s88s", "5s", "--flag", "riichi")
    assert found == {
        "yaku": ["pinfu", "riichi", "tanyao"], "wins": True, "complete": True, "han": 3, "fu": 30,
    }  # fmt: skip
    found = _json(capsys, "riichi", "calls", "3445568m234589p", "4m")
    assert found["chii"] == [["3m", "5m"], ["5m", "6m"]]
    assert _json(capsys, "riichi", "calls", "4m2224444677788p")["closed_kan"] == ["4p"]


@pytest.mark.slow_cases("analyze")
@pytest.mark.parametrize("name", ["analyze", "win", "calls"])
def test_riichi_batch(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    file, key = {
        "analyze": ("hands", "cases"), "win": ("wins", "cases"), "calls": ("calls", "own_turn"),
    }[name]  # fmt: skip
    cases = _load(file)[key][:30]
    lines = [json.dumps(case) for case in cases]
    batch = tmp_path / "cases.jsonl"
    batch.write_text("\n".join([*lines, "{broken", json.dumps({"tiles": "1x"})]), "utf-8")
    assert run(["riichi", name, "--batch", str(batch)]) == 1
    out = capsys.readouterr()
    answers = [json.loads(line) for line in out.out.splitlines()]
    assert len(answers) == 32
    assert all("error" in answer for answer in answers[30:])
    assert "cases.jsonl:31" in out.err
    shared = {"analyze": "shanten", "win": "yaku", "calls": "closed_kan"}[name]
    assert [answer[shared] for answer in answers[:30]] == [case[shared] for case in cases]


@pytest.mark.parametrize(
    "args",
    [
        ["riichi", "analyze"],
        ["riichi", "analyze", "1m", "--batch", "x"],
        ["riichi", "win", "123m"],
        ["riichi", "analyze", "1m", "--meld", "pon555p"],
        ["riichi", "analyze", "--batch", "nowhere.jsonl"],
        ["riichi", "analyze", "--batch", "."],
        ["riichi", "win", "234m456p23467s88s", "5x"],
        ["riichi", "win", "234m456p23467s88s", "5s", "--seat", "Q"],
        ["riichi", "calls", "123x"],
        ["mjarcade", "uncertain", "nowhere.json"],
        ["prove", "no-such-statement"],
        ["tarot", "shuffle", "--seed", "xyz"],
        ["tenhou", "wall", "nowhere.xml"],
        ["tenhou", "wall", "a\0b"],
        ["tenhou", "verify", "tests/fairdeck/no-such-folder"],
        ["mjarcade", "wall", "--uncertain", "1", "a", "b"],
        ["mjarcade", "wall", "--uncertain", "-1", "a", "b", "c"],
        ["tenhou", "wall", "x", "--players", "5"],
        ["audit", "poker"],
    ],
)
def test_wrong_command_lines(args: list[str]) -> None:
    assert run(args) == 2


@pytest.mark.parametrize("tiles", ["11111m22334455p1z", "123m", "12x"])
def test_bad_hands(capsys: pytest.CaptureFixture[str], tiles: str) -> None:
    assert run(["riichi", "analyze", tiles]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert len(told.splitlines()) == 1
