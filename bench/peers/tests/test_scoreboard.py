"""The count of right opcodes: what is wrong is found, what is right is not."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import peers_path  # noqa: F401
import pytest
from peers.cases import BASE, Case, described, documented, results, silicon
from peers.models import compare_pieces
from peers.scoreboard import Board, Opcode, board, differences, merged

BEFORE = {"a": 1, "x": 2, "y": 3, "s": 0xFD, "p": 0x30, "pc": 0x0200}
AT = next(address for address in range(0x300, 0x400) if BASE[address] != 7)
CASE = Case(0x85, BEFORE, {0x0200: 0x85}, BEFORE | {"pc": 0x0202}, {AT: 7})
RIGHT: dict[str, Any] = {"after": dict(CASE.after), "written": [(AT, 7)]}


def after(**registers: int) -> dict[str, Any]:
    return RIGHT | {"after": RIGHT["after"] | registers}


def test_a_right_result_differs_in_nothing() -> None:
    assert differences(CASE, RIGHT) == set()


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        (after(a=2), {"a"}),
        (after(pc=0x0203), {"pc"}),
        (after(p=0xB1), {"N", "C"}),
        (RIGHT | {"written": []}, {"memory"}),
        (RIGHT | {"written": [(AT, 8)]}, {"memory"}),
        (RIGHT | {"written": [(AT, 7), (AT + 1, BASE[AT + 1] ^ 1)]}, {"memory"}),
    ],
)
def test_what_is_wrong_is_named(result: dict[str, Any], wrong: set[str]) -> None:
    assert differences(CASE, result) == wrong


def test_what_does_not_exist_is_not_compared() -> None:
    assert differences(CASE, after(p=0x00)) == set(), "bits that are on the stack only"
    same = [(AT, 7), (AT + 1, BASE[AT + 1]), (0x0200, 0x85)]
    assert differences(CASE, RIGHT | {"written": same}) == set(), "written, and not changed"


def test_a_register_that_a_model_lacks_is_wrong_unless_it_is_left_out() -> None:
    without = {
        "written": RIGHT["written"],
        "after": {k: v for k, v in CASE.after.items() if k != "y"},
    }
    assert board([CASE], [without])[0x85].wrong == {"y"}
    assert board([CASE], [without], ["y"])[0x85].right


def test_one_wrong_case_makes_an_opcode_wrong() -> None:
    found = board([CASE, CASE], [RIGHT, after(a=2)])[0x85]
    assert (found.cases, found.failed, found.right) == (2, 1, False)
    assert not found.decimal_only


def test_wrong_in_decimal_mode_only() -> None:
    decimal = replace(CASE, before=BEFORE | {"p": 0x38}, after={**CASE.after, "p": 0x38})
    right = after(p=0x38)
    assert board([CASE, decimal], [RIGHT, after(p=0x38, a=2)])[0x85].decimal_only
    assert not board([CASE, decimal], [RIGHT, right])[0x85].decimal_only
    assert not board([CASE, decimal], [after(a=2), right])[0x85].decimal_only


def test_open_is_not_right_and_not_wrong() -> None:
    found = board([CASE], [{"open": "daa: no more than a name"}])[0x85]
    assert (found.right, found.failed, found.open_) == (False, 0, "daa: no more than a name")


def test_what_one_source_finds_is_kept() -> None:
    good, bad = board([CASE], [RIGHT]), board([CASE], [after(x=0)])
    assert merged([good, bad])[0x85] == merged([bad, good])[0x85]
    assert merged([good, bad])[0x85].wrong == {"x"}
    assert good[0x85].right, "the boards themselves stay as they are"


def test_our_description_is_right_on_silicon() -> None:
    cases = list(silicon())
    found = board(cases, results("mos6502", cases))
    assert len(found) == len(documented("mos6502")) == 151
    assert all(opcode.right and opcode.cases == 12 for opcode in found.values())


def test_cases_of_our_description_are_those_of_the_table() -> None:
    for cpu, count in (("mos6502", 151), ("sm83", 500)):
        cases = list(described(cpu, 1))
        assert len(cases) == len({case.opcode for case in cases}) == count
        again = board(cases, results(cpu, cases))
        assert all(opcode.right for opcode in again.values())


def test_pieces_are_counted_by_their_opcodes() -> None:
    pieces = [SimpleNamespace(opcode=SimpleNamespace(index=i), size=2) for i in (4, 4, 5)]
    cartridge = SimpleNamespace(pieces=pieces, places=(0xC000, 0xC002, 0xC004))
    found: Board = {}
    compare_pieces(cartridge, 0xC000, bytes(6), bytes([0, 0, 0, 1, 0, 0]), found)
    assert found == {4: Opcode(2, 1, 1, {"registers"}), 5: Opcode(1)}
