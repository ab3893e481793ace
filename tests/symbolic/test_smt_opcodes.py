"""Every opcode as terms and as formulas of z3, held against ``plain``.

A fifth of them is tried for 800 inputs in the suite; ``make test-slow`` tries the others too, and
that fifth for 2,000, ``make fuzz`` all of them for 10,000.

The inputs are random. What happens for one byte in 256 is among 800 of them but for one time in
twenty, and each operation is tried with every way of addressing.
"""

from __future__ import annotations

import pytest
from every_case import every_case
from smt_agreement import agree
from smt_cases_6502 import cases_6502
from smt_cases_sm83 import cases_sm83
from smt_machines import Machine, execute, inputs_for
from thorough import THOROUGH

from romproof.isa.load import load
from romproof.isa.model import Opcode, OpcodeVariant
from romproof.isa.mos6502 import mos6502
from romproof.isa.perfect6502 import perfect6502
from romproof.symbolic.execute.events import EventKind

INPUTS = 2_000 if THOROUGH else 800
MANY = 10_000
HARMLESS = {EventKind.ADDRESS, EventKind.BRANCH, EventKind.READS_OBJECT}
MOS6502 = [each for each in load("mos6502") if each.variant is not OpcodeVariant.JAM]
PERFECT6502 = [
    each
    for each in MOS6502
    if perfect6502().microcode[each.index] != mos6502().microcode[each.index]
]
SM83 = [each for each in load("sm83") if each.mnemonic not in ("jam", "stop", "prefix")]
IN_SUITE = [
    each
    for each in SM83
    if not (0x40 <= each.index < 0xC0 or each.index >= 0x100)
    or each.index % 8 in (6, (each.index // 8 + 1) % 8)
]
"""Where eight operands follow one another, each operation on memory and on a register."""


def hold(machines: list[Machine], count: int = INPUTS) -> None:
    """Share the inputs among the machines."""
    for number, machine in enumerate(machines):
        inputs = inputs_for(machine, -(-count // len(machines)), number)
        executed = execute(machine)
        assert not [
            event
            for event in executed.events
            if event.kind.name not in ("ADDRESS", "BRANCH", "READS_OBJECT")
        ], executed.events
        agree(machine, executed, inputs)


def _id(opcode: Opcode) -> str:
    return f"{opcode.index:03X}-{opcode.syntax}"


@every_case("opcode", MOS6502, ids=_id, some=5)
def test_6502(opcode: Opcode) -> None:
    hold(cases_6502(opcode))


@every_case("opcode", PERFECT6502, ids=_id)
def test_what_the_simulated_6502_does_in_another_way(opcode: Opcode) -> None:
    hold(cases_6502(opcode, "perfect6502"))


@every_case("opcode", IN_SUITE, ids=_id, some=5)
def test_sm83(opcode: Opcode) -> None:
    hold(cases_sm83(opcode))


@pytest.mark.slow
@every_case("opcode", [each for each in SM83 if each not in IN_SUITE], ids=_id)
def test_the_other_operands_of_the_sm83(opcode: Opcode) -> None:
    hold(cases_sm83(opcode))


@pytest.mark.long
@pytest.mark.parametrize(
    "opcode", [*MOS6502, *SM83], ids=lambda each: f"{each.cpu}-{each.index:03X}"
)
def test_with_many_inputs(opcode: Opcode) -> None:
    hold(cases_sm83(opcode) if opcode in SM83 else cases_6502(opcode), MANY)
