"""Whatever a field says outside of parentheses is read, or is an error: nothing is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from headers import contract_of, fault_of
from small_programs import program_of

from romproof.contract.nouns.items import name_of
from romproof.contract.reading.parse import parse_contracts


def _names(fields: str, cpu: str = "6502") -> dict[str, list[str]]:
    contract = contract_of(fields, cpu)
    return {
        "in": [name_of(item) for item in contract.inputs],
        "out": [name_of(item) for item in contract.outputs],
        "clobbers": [name_of(item) for item in contract.clobbers],
        "secret": [name_of(item) for item in contract.secrets],
    }


@pytest.mark.parametrize("blanks", ["  ", "     ", "\t", " \t ", " , ", "\n;     ", ",\n;   "])
@pytest.mark.parametrize("field", ["in", "out", "clobbers"])
def test_blanks_of_any_number_part_items(field: str, blanks: str) -> None:
    assert _names(f"; {field}: A{blanks}X")[field] == ["A", "X"]
    assert _names(f"; {field}: byte{blanks}word{blanks}Y")[field] == ["byte[1]", "word[2]", "Y"]


@pytest.mark.parametrize("blanks", ["  ", "\t", "\n;    "])
def test_every_secret_is_one(blanks: str) -> None:
    assert _names(f"; in: A byte\n; secret: A{blanks}byte")["secret"] == ["A", "byte[1]"]


def test_explanations_may_stand_anywhere() -> None:
    fields = "; in: (both) A (the tile (of 8), its\n;      number)  X\n; out: byte[1]\t(the rest)"
    assert _names(fields)["in"] == ["A", "X"]
    assert _names(fields)["out"] == ["byte[1]"]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ("; in: A   the tile number", "'the'"),
        ("; in: A\tthe tile number", "'the'"),
        ("; in: A – the tile number", "'–' stands for an empty list but is not alone"),
        ("; in: A  - the tile number", "'-' stands for an empty list but is not alone"),
        ("; in: A  ; the tile number", "cannot read this"),
        ("; in: A (the tile  X", "this parenthesis is not closed"),
        ("; in: A (the (tile)  X", "this parenthesis is not closed"),
        ("; in: A the tile) X", "'the'"),
        ("; in: A  )", "cannot read this"),
        ("; out: none  A", "is not alone"),
        ("; clobbers: A  A", "'A' is listed twice"),
        ("; stack: 4  or 900", "'4 or 900' is not a number of stack bytes"),
        ("; stack: 4\n;    5", "'4 5' is not a number of stack bytes"),
        ("; cycles: 8  or 900", "'8 or 900' is not a number of cycles"),
        ("; cycles: 8\tor 900", "'8 or 900' is not a number of cycles"),
        ("; cycles: 8\n;    or 900", "'8 or 900' is not a number of cycles"),
        ("; cycles: about 7", "'about 7' is not a number of cycles"),
        ("; cycles: 38 constant  sometimes", "'38 constant sometimes' is not a number of cycles"),
        ("; cycles: 8 (or 900", "this parenthesis is not closed"),
        ("; kind: routine  or interrupt", "'routine or interrupt' is not a kind of code"),
        ("; budget: 1200 cycles  or more", "or more"),
        ("; ensures: A == 1  X == 2", "'X'"),
        ("; ensures: A == 1 (first, X == 2", "this parenthesis is not closed"),
        ("; requires: A < 5\n;     X < 5", "'X'"),
        ("; in: A\n; ghost: n = A  X", "'X'"),
        ("; loops: @step 4  @step_1 5", "'@step_1'"),
        ("; loops: @step 4 (a, @step_1 5", "this parenthesis is not closed"),
        ("; invariant: @step: X < 4  Y < 4", "'Y'"),
        ("; assert: @step: X < 4\tY < 4", "'Y'"),
        ("; invariant: @step: X < 4\n; decreases: @step: X  Y", "'Y'"),
        ("; in: volatile byte  volatile word\n; assumes: byte changes  word changes", "assumed"),
        (
            "; in: volatile byte word\n; assumes: byte changes (x) word changes (y)",
            "assumed",
        ),
        ("; in: word  w\n; pointer: word -> w[4]  X", "cannot be read"),
        ("; in: word  w\n; pointer: word -> w[4] (and\n; out: A", "this parenthesis is not closed"),
    ],
)
def test_what_is_no_item_is_an_error(fields: str, fault: str) -> None:
    assert fault in fault_of(fields)


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
@pytest.mark.parametrize("blanks", [" ", "  ", "\t", "\n;   "])
def test_all_that_follows_except_is_left_out(cpu: str, blanks: str, tmp_path: Path) -> None:
    one, other = ("X", "Y") if cpu == "6502" else ("B", "D")
    text = f""";; below – changes three.
; out: none
; clobbers: A  {one}  {other}
below: RETURN
;; top – restores two.
; clobbers: callees except {one}{blanks}{other}
top: CALL below
 RETURN
"""
    contracts = parse_contracts(program_of(cpu, tmp_path, text))
    assert [name_of(item) for item in contracts["top"].clobbers] == ["A"]


def test_sm83_lists_read_the_same() -> None:
    assert _names("; in: A\tHL\n; clobbers: F   BC", "sm83") == {
        "in": ["A", "H", "L"],
        "out": [],
        "clobbers": ["ZF", "NF", "HF", "CF", "B", "C"],
        "secret": [],
    }


def test_numbers_and_what_explains_them() -> None:
    contract = contract_of("; stack: (at most)  4\n; cycles: 8 (as a rule,\n;    without X)")
    assert (contract.stack, contract.cycles) == (4, (8, 8))
    contract = contract_of("; loops: @step 4 (of (8, or 9)), @step_1 5  (x)")
    assert [str(bound) for bound in contract.loops] == ["@step 4", "@step_1 5"]
