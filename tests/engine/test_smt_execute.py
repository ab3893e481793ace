"""Whole programs as terms, held against ``plain``; and what symbolic execution does not take."""

from __future__ import annotations

from random import Random

import pytest
from smt_machines import Machine, agree, execute, inputs_for
from smt_programs import START
from smt_programs_6502 import Writer6502
from smt_programs_sm83 import WriterSm83

from romproof.engine.smt.events import EventKind

INPUTS = 300
PROGRAMS = range(60)
HARMLESS = {EventKind.ADDRESS, EventKind.BRANCH, EventKind.READS_OBJECT}


@pytest.mark.parametrize("writer", [Writer6502, WriterSm83], ids=["6502", "sm83"])
@pytest.mark.parametrize("seed", PROGRAMS)
def test_random_programs(writer: type[Writer6502] | type[WriterSm83], seed: int) -> None:
    written = writer(Random(seed))
    code, labels = written.program()
    machine = Machine(
        cpu=writer.cpu,
        fixed={START: code, **writer.fixed},
        objects=writer.objects,
        registers={"pc": START, **writer.registers},
        stops={labels["end"], labels["other"]},
    )
    executed = execute(machine)
    assert {event.kind for event in executed.events} <= HARMLESS
    agree(machine, executed, inputs_for(machine, INPUTS, seed))
