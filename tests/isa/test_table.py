"""The 6502's table against itself, py65's tables and the silicon."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from py65.devices.mpu6502 import MPU
from py65.disassembler import Disassembler

from romproof.isa.codec import (
    Instruction,
    decode,
    encode,
    encodings,
    format_cycles,
    format_instruction,
)
from romproof.isa.load import BadTable, load, parse
from romproof.isa.model import Cycles, Opcode, OpcodeVariant, OperandAccess
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source

OPCODES = load()
DOCUMENTED = [op for op in OPCODES if op.variant is OpcodeVariant.DOCUMENTED]
SILICON = Path(__file__).parents[1] / "vectors" / "silicon-6502.json.gz"

# the addressing modes as py65's disassembler names them
PY65_MODES = {
    "": "imp",
    "a": "acc",
    "#n8": "imm",
    "a8": "zpg",
    "a8,x": "zpx",
    "a8,y": "zpy",
    "a16": "abs",
    "a16,x": "abx",
    "a16,y": "aby",
    "(a8,x)": "inx",
    "(a8),y": "iny",
    "(a16)": "ind",
    "e8": "rel",
}


def assembled(text: str) -> bytes:
    """The bytes of CODE when ``text`` is assembled with all opcodes on."""
    source = Source("test.s", text)
    result = assemble_source(source, Options(cpu="6502X"), Diagnostics())
    return result.sections[0].data


def operands(opcode: Opcode) -> list[int]:
    """Raw operands worth trying: both ends, and zero-page values in wide operands."""
    if opcode.size == 1:
        return [0]
    return [0x00, 0x7F, 0x80, 0xFF] if opcode.size == 2 else [0x0000, 0x00FF, 0x0100, 0xFFFF]


def test_there_are_256_opcodes_151_documented() -> None:
    assert [op.byte for op in OPCODES] == list(range(256))
    assert len(DOCUMENTED) == 151
    assert sum(op.variant is OpcodeVariant.JAM for op in OPCODES) == 12


@every_case("opcode", OPCODES, ids=lambda op: f"{op.byte:02x}")
def test_encode_decode_print_assemble_round_trip(opcode: Opcode) -> None:
    for operand in operands(opcode):
        raw = encode(opcode, operand)
        instruction = decode(raw, address=0x4000)
        assert instruction == Instruction(0x4000, opcode, operand)
        if opcode.canonical:
            text = format_instruction(instruction)
            assert assembled(f".org $4000\n {text}\n") == raw, text


def test_second_bytes_of_a_syntax_are_never_assembled() -> None:
    chosen = {op.byte for modes in encodings().values() for op in modes.values()}
    alternates = {op.byte for op in OPCODES if not op.canonical}
    assert chosen | alternates == set(range(256))
    assert not chosen & alternates


def test_decode_needs_all_bytes() -> None:
    assert decode(b"") is None
    assert decode(b"\xad\x00") is None


@every_case("opcode", DOCUMENTED, ids=lambda op: op.syntax)
def test_py65_agrees_on_name_mode_and_cycles(opcode: Opcode) -> None:
    mpu = MPU()
    assert mpu.disassemble[opcode.byte] == (opcode.mnemonic.upper(), PY65_MODES[opcode.mode])
    cycles = mpu.cycletime[opcode.byte]
    extra = mpu.extracycles[opcode.byte]
    if opcode.byte == 0xCE:
        # py65 1.2.0 is wrong here; the silicon test below decides
        assert (cycles, opcode.cycles.base) == (3, 6)
        return
    assert (cycles, extra) == (opcode.cycles.base, opcode.cycles.page + opcode.cycles.taken)


def test_py65_prints_the_same_instructions() -> None:
    mpu = MPU()
    for opcode in DOCUMENTED:
        mpu.memory[0x4000:0x4003] = [opcode.byte, 0x12, 0x34]
        size, text = Disassembler(mpu).instruction_at(0x4000)
        assert size == opcode.size
        ours = decode(bytes([opcode.byte, 0x12, 0x34]), 0x4000)
        assert ours is not None
        assert format_instruction(ours).lower() == text.lower()


def silicon() -> Iterator[dict[str, Any]]:
    with gzip.open(SILICON) as file:
        yield from json.load(file)


def test_silicon_agrees_on_length_and_cycles() -> None:
    """Length by the program counter of straight-line code; cycles within the row's range."""
    seen: dict[int, set[int]] = {}
    for case in silicon():
        opcode = OPCODES[case["op"]]
        cycles = len(case["cycles"])
        seen.setdefault(opcode.byte, set()).add(cycles)
        assert opcode.cycles.minimum <= cycles <= opcode.cycles.maximum, opcode.syntax
        moves = opcode.is_branch or opcode.mnemonic in ("jmp", "jsr", "rts", "rti", "brk")
        if not moves:
            start, end = case["initial"]["pc"], case["final"]["pc"]
            assert (end - start) & 0xFFFF == opcode.size, opcode.syntax
    assert len(seen) == 242
    for byte, counts in seen.items():
        # every fixed duration was met exactly
        if OPCODES[byte].cycles.minimum == OPCODES[byte].cycles.maximum:
            assert counts == {OPCODES[byte].cycles.base}


def test_silicon_agrees_on_access() -> None:
    """The operand's address is read, written, or first read and then written."""
    for case in silicon():
        opcode = OPCODES[case["op"]]
        if opcode.access is OperandAccess.NONE or opcode.mode == "(a16)":
            continue
        last = case["cycles"][-1]
        writes = [c for c in case["cycles"] if not c[2]]
        if opcode.access is OperandAccess.READ:
            assert last[2] == 1
            assert not writes, opcode.syntax
        elif opcode.access is OperandAccess.WRITE:
            assert writes == [last], opcode.syntax
        else:
            assert [c[0] for c in writes] == [last[0]] * 2, opcode.syntax


def test_silicon_changes_no_flag_outside_the_row() -> None:
    bits = dict(zip("NV-BDIZC", range(7, -1, -1), strict=True))
    for case in silicon():
        opcode = OPCODES[case["op"]]
        changed = case["initial"]["p"] ^ case["final"]["p"]
        allowed = sum(1 << bits[flag] for flag in opcode.flags if flag != "-")
        assert not changed & ~allowed & 0xCF, opcode.syntax


@pytest.mark.parametrize(
    ("cycles", "crosses", "text"),
    [
        (Cycles(2), None, "2"),
        (Cycles(4, page=True), None, "4+p"),
        (Cycles(2, page=True, taken=True), False, "2/3"),
        (Cycles(2, page=True, taken=True), True, "2/4"),
        (Cycles(2, page=True, taken=True), None, "2/3+p"),
        (Cycles(None), None, "-"),
    ],
)
def test_cycles_for_people(cycles: Cycles, crosses: bool | None, text: str) -> None:
    assert format_cycles(cycles, crosses) == text


@pytest.mark.parametrize(
    ("address", "code", "crosses"),
    [
        (0x80FD, "d0 01", True),  # follows at $80FF, leads to $8100
        (0x80FE, "d0 01", False),  # both on page $81
        (0x8100, "d0 fd", True),
        (0xFFFE, "d0 01", False),  # follows at $0000: addresses wrap
        (0x80FE, "4c 00 90", None),
        (0x80FE, "bd 00 90", None),  # depends on x
    ],
)
def test_branches_tell_whether_they_cross_a_page(
    address: int, code: str, crosses: bool | None
) -> None:
    instruction = decode(bytes.fromhex(code), address)
    assert instruction is not None
    assert instruction.crosses is crosses


GOOD = "  ea  nop           2       .       --------"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("  ea  nop", "expected: op syntax"),
        ("  ea  nop a8,a16  2  .  --------", "more than one placeholder"),
        ("  ea  nop  2  r  --------", "needs an address operand"),
        ("  ea  nop  2  .  -------N", "not in the order"),
        ("  ea  nop  x  .  --------", "cannot read cycles"),
        ("  ea  nop  2+t  .  --------", "do not fit"),
        ("  ea  nop  -  .  --------", "do not fit"),
        ("  ea  nop  2  .  --------  odd", "'odd' is not a valid OpcodeVariant"),
        (GOOD + "\n" + GOOD, "two rows"),
        (GOOD + "\n" + GOOD.replace("ea", "eb"), "is also opcode ea"),
        (GOOD, "no row for 00"),
    ],
)
def test_a_wrong_table_is_refused(row: str, fault: str) -> None:
    with pytest.raises(BadTable, match=fault):
        parse(row, "test")
