"""Flags of a win that cannot be together: errors that name both, for each row of the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairdeck.cli import run
from fairdeck.riichi.cases import QUESTIONS
from fairdeck.riichi.hand import BadHand
from fairdeck.riichi.situation import CLASHES, FLAGS, Fact

_CLOSED, _MORE = "234m456m23p678s99s", "23p678s99s234m"
_ANKAN = [{"type": "ankan", "tiles": "1111z"}]
_PON = [{"type": "pon", "tiles": "111z"}]
_KANS = [{"type": "ankan", "tiles": 4 * n} for n in ("1z", "2z", "3z", "4z")]


def case(flags: list[str], *, tsumo: bool, melds: list[dict[str, str]] | None = None) -> Any:
    melds = melds or []
    closed = _MORE if melds else _CLOSED
    return {"closed": closed, "win": "4p", "tsumo": tsumo, "flags": flags, "melds": melds}


BAD = [
    (case(["rinshan"], tsumo=True), ("rinshan", "no kan")),
    (case(["rinshan"], tsumo=True, melds=_PON), ("rinshan", "no kan")),
    (case(["rinshan"], tsumo=False, melds=_ANKAN), ("rinshan", "another player's tile")),
    (case(["chankan"], tsumo=True), ("chankan", "drawn tile")),
    (case(["haitei"], tsumo=False), ("haitei", "another player's tile")),
    (case(["houtei"], tsumo=True), ("houtei", "drawn tile")),
    (case(["haitei", "rinshan"], tsumo=True, melds=_ANKAN), ("haitei", "rinshan")),
    (case(["haitei", "houtei"], tsumo=True), ("houtei", "drawn tile")),
    (case(["houtei", "chankan"], tsumo=False), ("houtei", "chankan")),
    (case(["riichi", "ippatsu", "rinshan"], tsumo=True, melds=_ANKAN), ("ippatsu", "rinshan")),
    (case(["riichi", "double_riichi"], tsumo=False), ("riichi", "double_riichi")),
    (case(["ippatsu"], tsumo=False), ("ippatsu", "no riichi")),
    (case(["riichi"], tsumo=False, melds=_PON), ("riichi", "open hand")),
    (case(["double_riichi"], tsumo=True, melds=_PON), ("double_riichi", "open hand")),
    (case(["riichi", "riichi"], tsumo=True), ("riichi", "twice")),
    (case(["tenhou"], tsumo=True), ("tenhou", "no flag")),
    ({**case(["chankan"], tsumo=False), "win": "9s"}, ("chankan", "winning tile already")),
    (
        {"closed": "5p", "win": "5p", "tsumo": False, "flags": ["chankan"], "melds": _KANS},
        ("chankan", "winning tile already"),
    ),
]
GOOD = [
    (case(["rinshan"], tsumo=True, melds=_ANKAN), "rinshan"),
    (case(["riichi", "rinshan"], tsumo=True, melds=_ANKAN), "rinshan"),
    (case(["chankan"], tsumo=False), "chankan"),
    (case(["chankan", "riichi", "ippatsu"], tsumo=False, melds=_ANKAN), "chankan"),
    (case(["haitei", "riichi"], tsumo=True), "haitei"),
    (case(["houtei"], tsumo=False, melds=_PON), "houtei"),
    (case(["double_riichi", "ippatsu"], tsumo=True), "double_riichi"),
    (case(["riichi"], tsumo=False, melds=_ANKAN), "riichi"),
]


@pytest.mark.parametrize(("bad", "names"), BAD)
def test_contradictory_flags(bad: Any, names: tuple[str, str]) -> None:
    with pytest.raises(BadHand) as found:
        QUESTIONS["win"](bad)
    assert all(name in str(found.value) for name in names), found.value


@pytest.mark.parametrize(("good", "yaku"), GOOD)
def test_flags_that_go_together(good: Any, yaku: str) -> None:
    assert yaku in QUESTIONS["win"](good)["yaku"]


def test_the_table_names_flags_and_facts_and_says_why() -> None:
    terms = {term for one, other, _ in CLASHES for term in (one, other)}
    assert {term for term in terms if isinstance(term, str)} == FLAGS
    assert {term for term in terms if isinstance(term, Fact)} == set(Fact)
    assert all(why for _, _, why in CLASHES)
    assert len({frozenset(row[:2]) for row in CLASHES}) == len(CLASHES)


def test_one_bad_line_spoils_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flags.jsonl"
    cases = [one for pair in zip(BAD, GOOD, strict=False) for one, _ in pair]
    path.write_text("".join(json.dumps(one) + "\n" for one in cases), "utf-8")
    assert run(["riichi", "win", "--batch", str(path)]) == 1
    out, err = capsys.readouterr()
    answers = [json.loads(line) for line in out.splitlines()]
    assert ["error" in one for one in answers] == [True, False] * len(GOOD)
    assert f"{path}:1: 'rinshan' with no kan" in err
