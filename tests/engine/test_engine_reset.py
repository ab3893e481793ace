"""The reset line, on every engine made from microcode."""

from __future__ import annotations

import pytest
from every_engine import HERE, engine_with

from romproof.engine.inputs import Unsupported
from romproof.engine.plain.core import BusCycle
from romproof.engine.plain.engine import PlainEngine

MADE = [name for name in HERE if name != "py65"]


@pytest.mark.parametrize("name", MADE)
def test_reset_takes_seven_cycles_and_the_vector(name: str) -> None:
    engine = engine_with(name, at=0x0200, s=0x01, p=0x20)
    engine.memory[0xFFFC:0xFFFE] = b"\x34\x12"
    engine.reset()
    registers = engine.registers
    assert (registers.pc, registers.s, registers.p, engine.cycles) == (0x1234, 0xFE, 0x24, 7)


def test_reset_reads_where_an_interrupt_would_write() -> None:
    engine = PlainEngine()
    engine.registers.pc, engine.registers.s = 0x0200, 0x01
    seen: list[BusCycle] = []
    engine.watch(seen.append)
    engine.reset()
    addresses = [0x0200, 0x0200, 0x0101, 0x0100, 0x01FF, 0xFFFC, 0xFFFD]
    assert [cycle.address for cycle in seen] == addresses
    assert not any(cycle.kind.is_write for cycle in seen)


def test_the_sm83_leaves_its_registers_to_a_boot_rom() -> None:
    with pytest.raises(Unsupported, match="boot ROM"):
        PlainEngine("sm83").reset()
