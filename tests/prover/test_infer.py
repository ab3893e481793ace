"""Contracts that are inferred say what executing all inputs shows, no more and no less."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

import romproof
from romproof.prover.infer.infer import Grade
from romproof.prover.infer.obstacles import ObstacleKind

Run = tuple[Mapping[str, int], Mapping[str, int], int]
"""What goes in, what comes out, cycles; registers, flags and bytes of memory by their names."""


def runs(
    rom: romproof.Rom,
    routine: str,
    choices: Mapping[str, Iterable[int]],
    seen: Iterable[str],
    memory: Iterable[str] = (),
) -> list[Run]:
    """Calls with all combinations of values, on the engine that interprets the bus cycles."""
    done: list[Run] = []
    for values in product(*choices.values()):
        given = dict(zip(choices, values, strict=True))
        registers: dict[str, Any] = {n: v for n, v in given.items() if n not in memory}
        flags = {n[5:]: v for n, v in registers.items() if n.startswith("flag:")}
        registers = {n: v for n, v in registers.items() if not n.startswith("flag:")}
        kept: dict[str | int, Any] = {n: bytes([v]) for n, v in given.items() if n in memory}
        result = rom.call(routine, **registers, flags=flags, mem=kept)
        after = {n: getattr(result, n) for n in seen if not n.startswith("flag:")}
        after |= {n: result.flags[n[5:]] for n in seen if n.startswith("flag:")}
        after |= {n: result.mem[n][0] for n in memory}
        done.append((given, after, result.cycles))
    return done


def matters(done: list[Run], name: str, outputs: Iterable[str]) -> bool:
    """Whether two runs that differ in an input alone differ in outputs or cycles."""
    by_rest: dict[tuple[Any, ...], set[tuple[Any, ...]]] = {}
    wanted = list(outputs)
    for given, after, cycles in done:
        rest = tuple(v for n, v in given.items() if n != name)
        by_rest.setdefault(rest, set()).add((*(after[n] for n in wanted), cycles))
    return any(len(results) > 1 for results in by_rest.values())


SOME = (0, 1, 0x1D, 0x7F, 0x80, 0xAA, 0xFE, 0xFF)


def test_a_contract_is_what_all_inputs_show(tmp_path: Path) -> None:
    rom = rom_6502(tmp_path)
    found = inferred(rom, "halve", "mix", "same_or_more")
    assert {row.grade for row in found.values()} == {Grade.TIGHT}
    for name in ("halve", "mix", "same_or_more"):
        alone = name == "halve"
        choices: dict[str, Iterable[int]] = {"a": range(256) if alone else SOME}
        choices |= {"x": (1, 7), "flag:c": (0, 1), "seed": (5,) if alone else SOME}
        seen = ("a", "x", "y", "flag:c", "flag:n", "flag:z", "flag:v")
        done = runs(rom, name, choices, seen, ["seed"])
        changed = {
            n.rpartition(":")[2].upper()
            for n in ("a", "x", "flag:c")
            if any(after[n] != given[n] for given, after, _ in done)
        }
        row = found[name]
        listed = {*field(row, "out"), *field(row, "clobbers")}
        assert {"A", "X", "C"} & listed == changed, row.block
        outputs = ["a"] if "A" in listed else []
        inputs = {n.upper() for n in ("a", "x") if matters(done, n, outputs)}
        assert {"A", "X"} & {*field(row, "in")} == inputs, row.block
        assert ("seed[1]" in field(row, "in")) == matters(done, "seed", ["a"]), row.block
        times = sorted({cycles for _, _, cycles in done})
        claim = str(times[0]) if len(times) == 1 else f"{times[0]}..{times[-1]}"
        assert field(row, "cycles") == [claim], row.block


@pytest.mark.slow
def test_the_same_on_the_sm83(tmp_path: Path) -> None:
    rom = rom_sm83(tmp_path)
    found = inferred(rom, "Halve", "Mix", "Saved", "Keys")
    assert {row.grade for row in found.values()} == {Grade.TIGHT}
    done = runs(rom, "Halve", {"a": range(256), "flag:c": (0, 1)}, ("a", "flag:c"))
    assert matters(done, "a", ["a"])
    assert not matters(done, "flag:c", ["a", "flag:c"])
    assert field(found["Halve"], "in") == ["A"]
    assert field(found["Halve"], "cycles") == [str(done[0][2])]
    done = runs(rom, "Mix", {"a": SOME, "wSeed": SOME}, ("a", "h", "l"), ["wSeed"])
    times = sorted({cycles for _, _, cycles in done})
    assert field(found["Mix"], "cycles") == [f"{times[0]}..{times[-1]}"]
    assert {"A", "wSeed[1]"} <= {*field(found["Mix"], "in")}
    assert {"A", "HL", "wSeed[1]"} <= {*field(found["Mix"], "out")}
    assert field(found["Saved"], "stack") == ["2"]
    assert "B" not in "".join([*field(found["Saved"], "out"), *field(found["Saved"], "clobbers")])
    assert field(found["Saved"], "in") == []
    assert field(found["Keys"], "in") == ["$FF00[1]"]


def test_an_index_is_required_to_stay_in_the_variable(tmp_path: Path) -> None:
    """One more than allowed writes what is not listed: the machine says so."""
    rom = rom_6502(tmp_path)
    row = inferred(rom, "put")["put"]
    assert row.grade is Grade.TIGHT
    assert field(row, "requires") == ["X", "in", "0..3"]
    assert field(row, "out") == ["table[4]"]
    for x in range(4):
        assert rom.call("put", a=9, x=x, mem={"after": b"\1"}).mem["after"] == b"\1"
    assert rom.call("put", a=9, x=4, mem={"after": b"\1"}).mem["after"] == b"\x09"


def test_a_pointer_made_of_an_index_as_well(tmp_path: Path) -> None:
    row = inferred(rom_sm83(tmp_path), "Put")["Put"]
    assert field(row, "requires") == ["A", "in", "0..3"]
    assert "wTable[4]" in field(row, "out")
    assert row.grade is Grade.TIGHT


def test_outputs_are_what_callers_read(tmp_path: Path) -> None:
    """``caller`` reads X after ``used``, and loads Y before anybody reads it."""
    rows = inferred(rom_6502(tmp_path), "caller")
    assert "X" in field(rows["used"], "out")
    assert "Y" in field(rows["used"], "clobbers")
    assert field(rows["used"], "in") == ["seed[1]"]
    assert list(rows) == ["used", "caller"]
    assert rows["caller"].proof is not None
    assert rows["caller"].proof.lemmas == ("used",)


def test_what_is_saved_is_neither_clobbered_nor_an_input(tmp_path: Path) -> None:
    row = inferred(rom_6502(tmp_path), "saved")["saved"]
    assert field(row, "in") == ["A"] or field(row, "in") == []
    assert not {"A", "X"} & {*field(row, "out"), *field(row, "clobbers")} - {"N", "Z"}
    assert field(row, "stack") == ["2"]
    assert row.grade is Grade.TIGHT


def test_a_tail_call_is_a_call(tmp_path: Path) -> None:
    rows = inferred(rom_6502(tmp_path), "twice")
    assert rows["twice"].grade is Grade.TIGHT
    one, both = (rows[n].proof for n in ("mix", "twice"))
    assert one is not None
    assert both is not None
    assert one.cycles is not None
    assert both.cycles is not None
    # jsr takes 6 and jmp 3
    assert both.cycles.least == 2 * (one.cycles.least or 0) + 9


HARD = """\
SECTION "r", WRAM0[$C100]
wCount:: ds 1
SECTION "c", ROM0[$0150]
WaitForLine::
  ldh a, [$FF44]
  cp 144
  jr nz, WaitForLine
  ret
ByPointer::
  jp hl
Switch::
  ld a, 3
  ld [$2000], a
  ret
Sleep::
  halt
  ret
Forever::
  jr Forever
Itself::
  dec a
  ret z
  call Itself
  ret
Peek::
  ld hl, sp+4
  ld a, [hl]
  ret
"""


@pytest.mark.parametrize(
    ("routine", "why"),
    [
        ("ByPointer", ObstacleKind.JUMP),
        ("Switch", ObstacleKind.BANK),
        ("Sleep", ObstacleKind.HALT),
        ("Forever", ObstacleKind.RETURNS),
        ("Itself", ObstacleKind.RECURSION),
        ("Peek", ObstacleKind.STACK),
    ],
)
def test_what_has_no_contract_says_why(tmp_path: Path, routine: str, why: ObstacleKind) -> None:
    row = inferred(rom_sm83(tmp_path, HARD), routine)[routine]
    assert row.grade is Grade.NONE
    assert row.reason is not None
    assert row.reason.kind is why, row.reason
    assert row.block == ""
