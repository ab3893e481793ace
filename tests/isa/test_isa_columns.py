"""The tables say what the microcode does: cycles, access to memory and flags, row by row."""

from __future__ import annotations

import pytest
from every_case import every_case

from romproof.isa.algebra import Op, Value, evaluate
from romproof.isa.cpu import Cpu
from romproof.isa.microcode import Microcode, StepKind
from romproof.isa.model import FORMS, Opcode, OpcodeVariant, OperandAccess
from romproof.isa.mos65c02 import synertek65c02, wdc65c02
from romproof.isa.mos6502 import mos6502
from romproof.isa.sm83 import sm83

REGISTERS = {
    **dict.fromkeys(
        ("mos6502", "synertek65c02", "wdc65c02"), ("n", "v", "", "", "d", "i", "z", "c")
    ),
    "sm83": ("zf", "nf", "hf", "cf"),
}
"""The register of each place of the column; "" for bits that only exist when pushed."""

STACK = {
    *("brk", "jsr", "rts", "rti", "pha", "php", "pla", "plp"),  # 6502
    *("phx", "phy", "plx", "ply"),  # 65C02
    *("push", "pop", "call", "rst", "ret", "reti"),  # SM83
}
"""What reads and writes the stack, which no operand names."""

POINTER_READS = 2
"""A pointer in the zero page is read, both bytes, before the memory that the operand names."""

ROWS = [
    pytest.param(cpu, opcode, id=f"{cpu.name} {opcode.index:03x} {opcode.syntax}")
    for cpu in (mos6502(), synertek65c02(), wdc65c02(), sm83())
    for opcode in cpu.opcodes
    if opcode.variant is not OpcodeVariant.PREFIX
]


def microcode_of(cpu: Cpu, opcode: Opcode) -> Microcode:
    """What the opcode does after all of its bytes that choose it were fetched."""
    return cpu.microcode[opcode.index]


def test_all_rows_of_the_tables_are_compared() -> None:
    assert len(ROWS) == 3 * 256 + 511


@every_case("cpu, opcode", ROWS)
def test_cycles(cpu: Cpu, opcode: Opcode) -> None:
    fetches = len(opcode.prefix) + 1
    fewest, most = microcode_of(cpu, opcode).cycles
    if opcode.variant in (OpcodeVariant.JAM, OpcodeVariant.STOP):
        assert opcode.cycles.base is None
        assert (fewest, most) == (0, 0)
    else:
        assert opcode.cycles.minimum == fetches + fewest
        assert opcode.cycles.maximum == fetches + most


@every_case("cpu, opcode", ROWS)
def test_access(cpu: Cpu, opcode: Opcode) -> None:
    kinds = [step.kind for step in microcode_of(cpu, opcode).steps]
    reads, writes = kinds.count(StepKind.READ), kinds.count(StepKind.WRITE)
    if "(a8" in opcode.mode:
        reads -= POINTER_READS
    if opcode.mnemonic in STACK:
        assert opcode.access is OperandAccess.NONE
        assert reads or writes
    else:
        expected = {OperandAccess.READ: (True, False), OperandAccess.WRITE: (False, True)}
        expected |= {OperandAccess.NONE: (False, False), OperandAccess.MODIFY: (True, True)}
        assert (reads > 0, writes > 0) == expected[opcode.access]


@every_case("cpu, opcode", ROWS)
def test_flags(cpu: Cpu, opcode: Opcode) -> None:
    microcode = microcode_of(cpu, opcode)
    same_twice = opcode.mode == "a, a"
    for name, letter, column in zip(
        REGISTERS[cpu.name], FORMS[cpu.name].flags, opcode.flags, strict=True
    ):
        value = microcode.result(name)
        if value is None:
            assert column == "-"
        elif same_twice:
            assert column == what_happens(value, name, letter)
        elif value.op is Op.CONST and cpu.name == "sm83":
            assert column == str(value.number)
        else:
            assert column == letter


def what_happens(value: Value, flag: str, letter: str) -> str:
    """The column of a flag that is ``value`` afterwards, found by trying all values of A and C.

    ``xor a, a`` and the like leave no choice, but their formulas do not show it.
    """
    results = {
        (carry if flag == "cf" else None, evaluate(value, {"a": a, "cf": carry}, {}))
        for a in range(256)
        for carry in (0, 1)
    }
    if results == {(0, 0), (1, 1)}:
        return "-"
    after = {result for _, result in results}
    return letter if len(after) == 2 else str(after.pop())
