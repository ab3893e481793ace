"""What translated code tells devices of loops that wait: the same that they would find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from romproof.engine.engines import ENGINES

if ENGINES["recompiled"].missing() is not None:
    pytest.skip("needs llvmlite", allow_module_level=True)

from romproof.engine.llvm.chips.waits import GOES_ROUND
from romproof.engine.llvm.waiting import mos6502_loop, sm83_loop
from romproof.engine.recompiled.discover import discover
from romproof.engine.recompiled.loops import table_of
from romproof.engine.space import SIZE, STOP, AddressSpace
from romproof.isa.cpus import cpu_named

START = 0x0150
FOUND: dict[str, Callable[..., tuple[int, int, int]]] = {
    "sm83": sm83_loop,
    "ricoh2a03": mos6502_loop,
}
LOOPS = {
    "sm83": [
        *[f"f041 {test} {branch:02x}{back}"
          for test, back in (("e602", "fa"), ("fe90", "fa"), ("cb4f", "fa"), ("a7", "fb"))
          for branch in (0x20, 0x28, 0x30, 0x38)],
        "fa41ff e603 20f9",
        "fa41ff fe05 38f9",
        "f041 e602 20fb",  # into the middle of an instruction
        "f041 e602 18fa",
        "f041 0000 20fa",
        "f041 4f a7 20fa",
        "0602 05 20fd",
    ],
    "ricoh2a03": [
        "2c0220 10fb", "2c0220 50fb", "ad0220 30fb", "ad0220 2980 f0f9", "ae0220 d0fb",
        "ad0220 2980 f0fa", "ad0220 c910 d0f9", "ee0220 d0fb",
    ],
}  # fmt: skip
AROUND = bytes(START <= address < START + 8 for address in range(SIZE))
CASES = [(cpu, code) for cpu, codes in LOOPS.items() for code in codes]


def table(cpu: str, code: str, allowed: bytes = AROUND) -> tuple[Any, AddressSpace]:
    """The table of the instruction at START, and an address space with the code."""
    space = AddressSpace()
    data = bytes.fromhex(code)
    space.store[START : START + len(data)] = data
    found = discover(cpu_named(cpu), bytes(space.store[:SIZE]), [START], allowed)
    first = found.placed[START]
    return table_of(cpu, found.placed, bytes(SIZE), first), space


@pytest.mark.parametrize(("cpu", "code"), CASES)
def test_a_table_says_what_would_be_found(cpu: str, code: str) -> None:
    told, space = table(cpu, code)
    address = {"f0": 0xFF41, "fa": 0xFF41}.get(code[:2], 0x2002)
    for value in range(0x100):
        found = FOUND[cpu](space, START, address, value)
        goes = told[GOES_ROUND + value]
        assert (tuple(told[:GOES_ROUND]) if goes else (0, 0, 0)) == found, value


def test_some_go_round() -> None:
    """Else the others would show nothing."""
    assert sum(any(table(cpu, code)[0]) for cpu, code in CASES) > len(CASES) // 2


def test_what_is_not_translated_is_not_known() -> None:
    """A run may end at the branch: translated code ends before it, and devices have to look."""
    allowed = bytearray(AROUND)
    allowed[START + 4] = 0
    assert table("sm83", "f041 e602 20fa", bytes(allowed))[0] is None


def test_a_run_that_may_end_within_goes_round_nowhere() -> None:
    space = AddressSpace()
    space.store[START : START + 6] = bytes.fromhex("f041e60220fa")
    found = discover(cpu_named("sm83"), bytes(space.store[:SIZE]), [START], AROUND)
    actions = bytearray(SIZE)
    actions[START + 2] = STOP
    assert not any(table_of("sm83", found.placed, bytes(actions), found.placed[START]) or b"")
