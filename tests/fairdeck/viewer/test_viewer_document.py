"""What the viewer shows of games and seeds, against the models and the logs themselves."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter
from itertools import islice
from typing import Any

import pytest
from viewer_games import ARCADE, ARCADE_TEXT, LOGS, SEED, named

from fairdeck.audit.systems import SYSTEMS
from fairdeck.mjarcade.wall import tile_of
from fairdeck.tenhou.commitment import commitment
from fairdeck.tenhou.seed import parse_seed
from fairdeck.tenhou.table import TABLES
from fairdeck.tenhou.verify import NOT_SHOWN, OWN_RULES
from fairdeck.tenhou.wall import rounds
from fairdeck.tiles import TILES
from fairdeck.viewer.checks import LINES, Mark
from fairdeck.viewer.document import MAX_ROUNDS, Wanted, read_document
from fairdeck.viewer.machines import machine_round, machine_rounds
from fairdeck.viewer.page import SCRIPTS
from fairdeck.viewer.rounds import MAX_EVENTS
from fairdeck.viewer.strings import LANGUAGES, QUESTIONS, TRUSTED, asset, strings
from romproof import BadInput

FORGED = [name for name in LOGS if "tampered" in name]


def document(text: str | bytes, wanted: Wanted | None = None) -> Any:
    data = text.encode("utf-8") if isinstance(text, str) else text
    return json.loads(json.dumps(read_document(data, wanted or Wanted())))


@pytest.mark.parametrize("name", ["east", "south", "three", "plain"])
def test_a_game_as_it_was_logged(name: str) -> None:
    xml = LOGS[name]
    found = document(gzip.compress(xml.encode()))
    assert (found["kind"], found["verdict"], found["complete"]) == ("tenhou-log", "verified", True)
    assert len(found["rounds"]) == xml.count("<INIT")
    events = [event for one in found["rounds"] for event in one["events"]]
    assert sum(e["type"] == "draw" for e in events) == len(re.findall(r"<[TUVW]\d+/>", xml))
    assert sum(e["type"] == "call" for e in events) == xml.count("<N ")
    assert {e["mark"] for e in events} == {"equal"}
    assert [line["name"] for line in found["checks"]] == list(LINES)
    walls = rounds(parse_seed(found["seed"]), TABLES[found["players"]])
    for one, made in zip(found["rounds"], walls, strict=False):
        assert one["wall"] == list(made.logged)
        drawn = [e for e in one["events"] if e["type"] == "draw"]
        assert [one["wall"][e["at"]] for e in drawn] == [e["tile"] for e in drawn]
        assert len({e["at"] for e in drawn}) == len(drawn)


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_game_differs_in_one_place(name: str) -> None:
    found = document(LOGS[name])
    assert found["verdict"] == "mismatch"
    assert [c["mark"] for c in found["checks"]].count("differs") == 1
    places = [one["mark"] for one in found["rounds"]]
    places += [event["mark"] for one in found["rounds"] for event in one["events"]]
    assert places.count("differs") == 1
    where = found["difference"]
    after = found["rounds"][where["round"]]["events"][where["event"] or 0 :]
    assert {event["mark"] for event in after} <= {"unchecked"}
    assert (found["checks"][0]["mark"] == "equal") == (not name.endswith("seed_short"))


def test_a_game_without_a_seed_and_one_that_cannot_begin() -> None:
    found = document(LOGS["no-seed"])
    assert found["verdict"] == "unverifiable"
    assert {line["mark"] for line in found["checks"]} == {"unchecked"}
    assert all(one["wall"] is None and one["mark"] == "unchecked" for one in found["rounds"])
    swapped = LOGS["plain"].replace("<TAIKYOKU", '<BYE who="0"/><BYE who="0"/><TAIKYOKU', 1)
    found = document(swapped)
    assert found["verdict"] == "mismatch"
    assert {event["mark"] for one in found["rounds"] for event in one["events"]} == {"unchecked"}


def test_the_published_hash() -> None:
    seats = document(LOGS["plain"])["commitment"]["seats"]
    shown = commitment(seats, parse_seed(document(LOGS["plain"])["seed"]))
    found = document(LOGS["plain"], Wanted(commitment=shown))
    assert found["commitment"]["match"] is True
    assert found["checks"][-1] == {"name": "commitment", "mark": "equal", "count": None}
    found = document(LOGS["plain"], Wanted(commitment="0" * 128))
    assert (found["verdict"], found["checks"][-1]["mark"]) == ("mismatch", "differs")
    assert found["rounds"][0]["mark"] == "equal"
    with pytest.raises(BadInput, match="128 hexadecimal"):
        document(LOGS["plain"], Wanted(commitment="12"))


def test_seats_of_a_published_hash() -> None:
    """Other seats differ; those that names do not tell are unchecked, and the reason is shown."""
    seed = parse_seed(document(LOGS["plain"])["seed"])
    found = document(LOGS["plain"], Wanted(commitment=commitment("3210", seed)))
    marks = {line["name"]: line["mark"] for line in found["checks"]}
    assert (found["verdict"], found["commitment"]["fit"]) == ("mismatch", "other")
    assert (marks["seats"], marks["commitment"]) == ("differs", "equal")
    xml = re.sub("<BYE [^>]*>", "", LOGS["plain"]).replace("%41%6E%6E", "%42%6F%62")
    xml = re.sub(r'<UN n\d="[^"]*" ?/>', "", xml)
    found = document(xml, Wanted(commitment=commitment("0132", seed)))
    marks = {line["name"]: line["mark"] for line in found["checks"]}
    assert (found["verdict"], found["commitment"]["fit"]) == ("verified", "unchecked")
    assert (marks["seats"], marks["commitment"]) == ("unchecked", "equal")
    assert set(found["commitment"]["seats_unchecked"]) == set(LANGUAGES)
    assert found["unchecked"] == ["seats"]


@pytest.mark.parametrize("name", ["plain", "three"])
def test_points_of_a_game_with_rules_of_its_own_are_not_called_equal(name: str) -> None:
    found = document(LOGS[name].replace("<GO ", '<GO rule="x" '))
    marks = {line["name"]: line["mark"] for line in found["checks"]}
    assert (found["verdict"], found["complete"]) == ("verified", False)
    assert (marks["points"], marks["end"]) == ("unchecked", "unchecked")
    for key in found["unchecked"]:
        assert all(strings()[f"unchecked.{key.replace(' ', '_')}"])
    plain = {line["name"]: line["mark"] for line in document(LOGS[name])["checks"]}
    assert (plain["points"], plain["end"]) == ("equal", "equal")


@pytest.mark.parametrize("name", FORGED)
def test_nothing_is_equal_behind_a_contradiction(name: str) -> None:
    marks = {line["name"]: line["mark"] for line in document(LOGS[name])["checks"]}
    assert marks["rules"] in ("unchecked", "differs")
    assert marks["end"] in ("unchecked", "differs")


@pytest.mark.parametrize("players", [3, 4])
def test_the_rounds_of_a_seed(players: int) -> None:
    found = document(SEED, Wanted(players=players, rounds=2))
    made = list(islice(rounds(parse_seed(SEED), TABLES[players]), 2))
    assert [one["wall"] for one in found["rounds"]] == [list(one.logged) for one in made]
    dead = found["rounds"][0]["dead"]
    places = [*dead["rinshan"][:4], *dead["dora"], *dead["ura"]]
    assert len(set(places)) == 14
    assert max(dead["dora"]) < dead["size"] == {4: 14, 3: 18}[players]
    assert made[0].logged[dead["dora"][0]] == made[0].dora


def test_the_seeds_of_mj_arcade() -> None:
    found = document(ARCADE_TEXT)
    (one,) = found["rounds"]
    assert one["numbers"] == ARCADE["wall"]
    assert one["dice"] == [face + 1 for face in ARCADE["dice_raw"]]
    assert sorted(one["wall"]) == list(range(TILES))
    flat = [t for side in one["table"]["sides"] for stack in side["stacks"] for t in stack]
    assert flat == [tile_of(n) for n in ARCADE["wall"]]
    seeds = " ".join(ARCADE["seeds"])
    assert document(seeds, Wanted(uncertain=ARCADE["ue"])) == found
    assert document(" ".join(ARCADE["seeds"][:3]), Wanted(uncertain=1))["players"] == 3
    for bad in (seeds, " ".join(ARCADE["seeds"][:2]) + " 5"):
        with pytest.raises(BadInput):
            document(bad)


@pytest.mark.parametrize(
    "bad",
    [
        "", "hello", "<", "<a", "<mjloggm>", "mt19937ar-sha512-n288-base64,AAAA", "\0" * 99,
        '<!DOCTYPE x [<!ENTITY a "b">]><mjloggm ver="2.3">&a;</mjloggm>', "<a>" * 5000,
        b"\x1f\x8b" + b"\0" * 50, gzip.compress(bytes(20 << 20)), b"\xff\xfe<\0m\0", "1 " * 50_000,
        "a" * 27, f"{'a' * 27} " * 9, f"{'é' * 27} " * 4 + "1",
    ],
    ids=range(16),
)  # fmt: skip
def test_what_cannot_be_shown_is_refused(bad: str | bytes) -> None:
    with pytest.raises(BadInput) as caught:
        document(bad)
    assert 0 < len(str(caught.value)) < 300


PIECES = (
    "9", "-", '"', "<", "/>", '<N who="1" m="999"/>', "<T5/>", '<DORA hai="3"/>', "9" * 30,
    '<REACH who="0" step="1"/>', '<BYE who="1"/>', "<AGARI/>", "<INIT/>", "\u202e",
)  # fmt: skip


def spoiled(rng: random.Random, xml: str) -> str:
    """A log with slips: pieces cut out, put in, doubled, elements exchanged."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(xml))
        end = at + rng.choice((1, 3, 30, 500))
        way = rng.randrange(4)
        if way == 0:
            xml = xml[:at] + xml[end:]
        elif way == 1:
            xml = xml[:at] + rng.choice(PIECES) + xml[at:]
        elif way == 2:
            xml = xml[:at] + xml[at:end] * 3 + xml[end:]
        else:
            parts = xml.split(">")
            one, other = rng.randrange(len(parts)), rng.randrange(len(parts))
            parts[one], parts[other] = parts[other], parts[one]
            xml = ">".join(parts)
    return xml


@pytest.mark.quick_cases("0")
@pytest.mark.parametrize("number", range(4))
def test_whatever_a_log_holds_it_is_shown_or_refused(number: int) -> None:
    """And at most one place differs: the one that the verdict names."""
    rng = random.Random(number)
    seen = Counter[str]()
    for _ in range(60):
        try:
            found = document(spoiled(rng, LOGS[rng.choice(list(LOGS))]))
        except BadInput:
            seen["refused"] += 1
            continue
        seen[found["verdict"]] += 1
        places = [one["mark"] for one in found["rounds"]]
        places += [event["mark"] for one in found["rounds"] for event in one["events"]]
        wrong = found["difference"]
        named = found["verdict"] == "mismatch" and wrong["round"] is not None
        assert places.count("differs") == named
        if found["verdict"] != "mismatch":
            assert "differs" not in [line["mark"] for line in found["checks"]]
    assert seen["mismatch"] > 5
    assert seen["refused"] > 5


def test_so_many_rounds_are_shown() -> None:
    """A log of very many rounds is cut, before a wall is made for each."""
    start = LOGS["plain"].index("<INIT")
    rest = LOGS["plain"][start : LOGS["plain"].index("<INIT", start + 1)]
    found = document(LOGS["plain"][:start] + rest * 100 + "</mjloggm>")
    assert (len(found["rounds"]), found["rounds_in_all"]) == (MAX_ROUNDS, 100)


def test_so_much_of_a_hostile_log_is_shown() -> None:
    xml = named(LOGS["plain"], "x" * 100_000)
    first = xml.index("<INIT")
    at = xml.index("/>", first) + 2
    found = document(xml[:at] + '<DORA hai="1"/>' * 40_000 + "</mjloggm>")
    assert (found["verdict"], found["difference"]["event"]) == ("mismatch", 1)
    assert len(found["names"][0]) == 60
    (one,) = found["rounds"]
    assert (len(one["events"]), one["events_in_all"]) == (MAX_EVENTS, 40_000)
    assert len(json.dumps(found)) < 100_000


@pytest.mark.slow_cases("sm83")
@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_machines_make_the_same_rounds(cpu: str) -> None:
    found = document(SEED, Wanted(rounds=2))
    told = machine_rounds(found, cpu, lambda: None)
    assert [one["round"] for one in told] == [0, 1]
    assert {one["mark"] for one in told} == {"equal"}
    arcade = machine_round(document(ARCADE_TEXT), 0, cpu)
    assert arcade["mark"] == "equal"
    for bad in ({"number": 2, "cpu": cpu}, {"number": 0, "cpu": "z80"}):
        with pytest.raises(BadInput):
            machine_round(found, **bad)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="no seed"):
        machine_round(document(LOGS["no-seed"]), 0, cpu)


def test_every_string_is_there_in_all_languages() -> None:
    for key, row in strings().items():
        assert len(row) == len(LANGUAGES)
        assert all(text.strip() for text in row), key
        assert len({frozenset(re.findall(r"\{\w+\}", text)) for text in row}) == 1, key
        assert row[0].isascii() or set(row[0]) <= {*map(chr, range(128)), *"…–←→×"}, key
        own = [any(ord(c) > 0x2FFF for c in text) for text in row]
        assert own in ([False, True, True], [False] * 3), key


def test_every_string_that_is_used_is_there() -> None:
    """Also those whose keys are put together, for every value that there is."""
    code = "".join(asset(name) for name in (*SCRIPTS, "page.html", "input.html"))
    used = set(re.findall(r"""\bt\("([^"]+)"[,)]""", code)) | set(
        re.findall(r'data-t="([^"]+)"', code)
    )
    assert len(used) > 50
    composed = [f"mark.{mark.value}" for mark in Mark] + [f"check.{name}" for name in LINES]
    composed += [f"trust.{name}.{question}" for name in TRUSTED for question in QUESTIONS]
    composed += [f"question.{question}" for question in QUESTIONS]
    composed += [f"tile.z{n}" for n in range(1, 8)] + [f"not_shown.{n}" for n in range(5)]
    for verdict in ("verified", "mismatch", "unverifiable", "made"):
        composed += [f"verdict.{verdict}", f"verdict.{verdict}.text"]
    assert used | set(composed) <= strings().keys()
    # and none that nothing can reach: it stands in the code, or fits a key that is put together
    literal = set(re.findall(r'"([a-z0-9_.-]+)"', code)) | {"noscript"}
    made = [
        re.sub(r"\\\$\\{.*?\\}", ".+", re.escape(key))
        for key in re.findall(r"\bt\(`([^`]+)`", code)
    ]
    made += [r"(left_out|not_checked|assumption)\.title", r"tile\.[mpsz]\d?", r"not_shown\.\d"]
    unused = strings().keys() - literal
    assert {key for key in unused if not any(re.fullmatch(one, key) for one in made)} == set()


def test_english_is_what_models_say() -> None:
    told = [strings()[f"not_shown.{n}"][0] for n in range(5)]
    assert told == [*NOT_SHOWN, OWN_RULES]
    systems = {system.name: system for system in SYSTEMS}
    assert all(
        strings()[f"trust.{name}.{question}"][0] == getattr(systems[name], question)
        for name in TRUSTED
        for question in QUESTIONS
    )
