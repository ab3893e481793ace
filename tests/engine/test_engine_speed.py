"""Measuring an engine: the programs run for ever, and only where they are."""

from __future__ import annotations

import pytest
from every_engine import engines_with

from romproof.engine.protocol import Guard, Stop
from romproof.engine.speed import PROGRAMS, START, Speed, measure_speed, prepare_engine
from romproof.isa.cpus import CPUS


def test_there_is_a_program_for_every_cpu() -> None:
    assert set(PROGRAMS) == set(CPUS)


@pytest.mark.quick_cases("ricoh2a03", "wdc65c02")
@pytest.mark.parametrize("cpu", PROGRAMS)
def test_a_program_does_not_end(cpu: str) -> None:
    """It stays within its bytes, calls and returns, and the stack stays where it is."""
    program = PROGRAMS[cpu]
    engine = prepare_engine("plain", cpu)
    executed: set[int] = set()

    class Watch:
        def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
            executed.add(pc)

    inside = bytes(START) + b"\1" * len(program) + bytes(0x10000 - START - len(program))
    engine.guard = Guard(executable=inside, stack_top=0xFFFF)
    assert engine.run((), 60_000, Watch()) is Stop.LIMIT
    assert len(executed) == 13, "all of it"
    assert engine.lowest_s == {"sm83": 0xFFFC}.get(cpu, 0xFD)


@pytest.mark.slow_cases("plain")
@pytest.mark.parametrize("name", engines_with())
def test_an_engine_has_a_speed(name: str) -> None:
    speed = measure_speed(name, "mos6502", seconds=0.001)
    assert isinstance(speed, Speed)
    assert 3 < speed.cycles / speed.instructions < 5
