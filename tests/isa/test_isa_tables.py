"""The SM83's table: complete, as regular as the chip, its bytes decoded and encoded again.

Also where instructions lead, for both CPUs.
"""

from __future__ import annotations

import re

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from romproof.isa.codec import (
    Instruction,
    decode,
    encode,
    encodings,
    format_cycles,
    format_instruction,
)
from romproof.isa.flow import Flow
from romproof.isa.load import BadTable, load, parse
from romproof.isa.model import FORMS, Cycles, Opcode, OpcodeVariant, OperandAccess

OPCODES = load("sm83")
INSTRUCTIONS = [op for op in OPCODES if op.variant in (OpcodeVariant.DOCUMENTED, OpcodeVariant.JAM)]
DOCUMENTED = [op for op in OPCODES if op.variant is OpcodeVariant.DOCUMENTED]

UNDEFINED = (0xD3, 0xDB, 0xDD, 0xE3, 0xE4, 0xEB, 0xEC, 0xED, 0xF4, 0xFC, 0xFD)
REGISTERS = ("b", "c", "d", "e", "h", "l", "[hl]", "a")
"""What the three bits of an 8-bit operand stand for."""
SUMS = ("add", "adc", "sub", "sbc", "and", "xor", "or", "cp")
SHIFTS = ("rlc", "rrc", "rl", "rr", "sla", "sra", "swap", "srl")


def instruction_of(data: bytes, address: int = 0x0150) -> Instruction:
    found = decode(data, address, "sm83")
    assert found is not None
    return found


def operands(opcode: Opcode) -> list[int]:
    """Raw operands worth trying, both ends among them."""
    size = len(encode(opcode)) - 1 - len(opcode.prefix)
    return [[0], [0x00, 0x7F, 0x80, 0xFE, 0xFF], [0x0000, 0x00FF, 0x8001, 0xFFFF]][size]


def test_there_are_512_opcodes_and_11_of_them_are_undefined() -> None:
    assert [op.index for op in OPCODES] == list(range(512))
    assert [op.byte for op in OPCODES] == 2 * list(range(256))
    assert {op.prefix for op in OPCODES[:256]} == {b""}
    assert {op.prefix for op in OPCODES[256:]} == {b"\xcb"}
    assert [op.index for op in OPCODES if op.variant is OpcodeVariant.JAM] == list(UNDEFINED)
    assert [op.index for op in OPCODES if op.variant is OpcodeVariant.PREFIX] == [0xCB]
    assert len(DOCUMENTED) == 256 - 11 - 1 + 256


def test_no_two_opcodes_are_written_the_same() -> None:
    written = [op.syntax for op in OPCODES if op.canonical]
    assert len(set(written)) == len(written) == 512 - 10
    chosen = {op.index for modes in encodings("sm83").values() for op in modes.values()}
    assert chosen == {op.index for op in OPCODES if op.canonical} - {0xCB}


@every_case("opcode", INSTRUCTIONS, ids=lambda op: f"{op.index:03x}")
def test_encode_and_decode_are_inverse(opcode: Opcode) -> None:
    for operand in operands(opcode):
        raw = encode(opcode, operand)
        assert len(raw) == opcode.size
        assert decode(raw, 0x4000, "sm83") == Instruction(0x4000, opcode, operand)
        assert decode(raw[:-1], 0x4000, "sm83") is None


@given(st.binary(min_size=3, max_size=3), st.integers(0, 0xFFFF))
def test_all_bytes_are_an_instruction(data: bytes, address: int) -> None:
    found = instruction_of(data, address)
    assert encode(found.opcode, found.operand) == data[: found.opcode.size]


def test_different_instructions_are_printed_differently() -> None:
    printed = [
        format_instruction(Instruction(0x4000, opcode, operand))
        for opcode in DOCUMENTED
        for operand in operands(opcode)
    ]
    assert len(set(printed)) == len(printed)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("00", "nop"),
        ("01 34 12", "ld bc, $1234"),
        ("08 00 c0", "ld [$c000], sp"),
        ("18 fe", "jr $0150"),
        ("20 10", "jr nz, $0162"),
        ("22", "ld [hl+], a"),
        ("3a", "ld a, [hl-]"),
        ("36 05", "ld [hl], $05"),
        ("86", "add a, [hl]"),
        ("96", "sub a, [hl]"),
        ("c4 50 01", "call nz, $0150"),
        ("cb 37", "swap a"),
        ("cb 7e", "bit 7, [hl]"),
        ("d8", "ret c"),
        ("e0 44", "ldh [$ff44], a"),
        ("e2", "ldh [c], a"),
        ("e8 05", "add sp, $05"),
        ("e8 fb", "add sp, -$05"),
        ("e9", "jp hl"),
        ("ea 00 00", "ld [$0000], a"),
        ("f0 80", "ldh a, [$ff80]"),
        ("f8 02", "ld hl, sp + $02"),
        ("f8 80", "ld hl, sp - $80"),
        ("ff", "rst $38"),
    ],
)
def test_printed_as_rgbds_reads_it(code: str, text: str) -> None:
    assert format_instruction(instruction_of(bytes.fromhex(code))) == text


def test_labels_are_printed_where_an_operand_is_an_address() -> None:
    labels = {0x0150: "main", 0xFF44: "rLY", 0xC000: "buffer", 0x0038: "trap"}
    shown = {
        code: format_instruction(instruction_of(bytes.fromhex(code)), labels.get)
        for code in ("18 fe", "c3 50 01", "f0 44", "fa 00 c0", "21 00 c0", "3e 44", "ff")
    }
    assert list(shown.values()) == [
        "jr main",
        "jp main",
        "ldh a, [rLY]",
        "ld a, [buffer]",
        "ld hl, $c000",  # a number, as far as the CPU is concerned
        "ld a, $44",
        "rst $38",
    ]


@pytest.mark.parametrize(
    ("code", "address", "target"),
    [
        ("18 7f", 0xFFF0, 0x0071),  # addresses wrap
        ("20 80", 0x0000, 0xFF82),
        ("e0 00", 0x0150, 0xFF00),
        ("c3 34 12", 0x0150, 0x1234),
        ("df", 0x0150, 0x0018),
        ("e8 05", 0x0150, None),
        ("f8 05", 0x0150, None),
        ("21 00 c0", 0x0150, None),
        ("e9", 0x0150, None),
    ],
)
def test_the_address_an_operand_names(code: str, address: int, target: int | None) -> None:
    instruction = instruction_of(bytes.fromhex(code), address)
    assert instruction.target == target
    assert instruction.crosses is None  # pages mean nothing to this CPU


# ---------------------------------------------------------------- the pattern of the opcode bits


def test_the_quarters_with_8_bit_operands_are_regular() -> None:
    for z, source in enumerate(REGISTERS):
        for y, target in enumerate(REGISTERS):
            low = 8 * y + z
            if (target, source) != ("[hl]", "[hl]"):
                assert OPCODES[0x40 + low].syntax == f"ld {target}, {source}"
            assert OPCODES[0x80 + low].syntax == f"{SUMS[y]} a, {source}"
            assert OPCODES[0x100 + low].syntax == f"{SHIFTS[y]} {source}"
            assert OPCODES[0x140 + low].syntax == f"bit {y}, {source}"
            assert OPCODES[0x180 + low].syntax == f"res {y}, {source}"
            assert OPCODES[0x1C0 + low].syntax == f"set {y}, {source}"
    assert OPCODES[0x76].syntax == "halt"
    assert [OPCODES[0xC6 + 8 * y].syntax for y in range(8)] == [f"{s} a, n8" for s in SUMS]
    assert [OPCODES[0xC7 + 8 * y].syntax for y in range(8)] == [
        f"rst ${8 * y:02x}" for y in range(8)
    ]


def accesses(opcode: Opcode) -> int:
    """Bytes of data that an instruction reads and writes."""
    if opcode.mnemonic in ("push", "pop", "call", "rst", "ret", "reti"):
        return 2
    if opcode.syntax == "ld [a16], sp":
        return 2
    return {
        OperandAccess.NONE: 0,
        OperandAccess.READ: 1,
        OperandAccess.WRITE: 1,
        OperandAccess.MODIFY: 2,
    }[opcode.access]


def idle(opcode: Opcode) -> int:
    """M-cycles without an access: the 16-bit adder and the program counter take them."""
    if opcode.syntax in ("ld hl, sp + e8", "ld sp, hl"):
        return 1
    if opcode.syntax == "add sp, e8":
        return 2
    if opcode.mnemonic == "ret":
        return 2 if opcode.conditional else 1
    wide = opcode.mode in ("bc", "de", "hl", "sp") and opcode.mnemonic in ("inc", "dec")
    jumps = opcode.mnemonic in ("jr", "jp") and opcode.mode != "hl"
    adds = opcode.mode.startswith("hl, ") and opcode.mnemonic == "add"
    return int(wide or jumps or adds or opcode.mnemonic in ("push", "call", "rst", "reti"))


@every_case("opcode", DOCUMENTED, ids=lambda op: op.syntax)
def test_an_m_cycle_is_one_byte_on_the_bus_or_idle(opcode: Opcode) -> None:
    assert opcode.cycles.maximum == opcode.size + accesses(opcode) + idle(opcode)


@every_case("opcode", DOCUMENTED, ids=lambda op: op.syntax)
def test_brackets_are_memory(opcode: Opcode) -> None:
    assert ("[" in opcode.mode) == (opcode.access is not OperandAccess.NONE)
    if opcode.mode.startswith("[") and opcode.mnemonic in ("ld", "ldh"):
        assert opcode.access is OperandAccess.WRITE
    elif opcode.mnemonic in ("inc", "dec", *SHIFTS, "res", "set"):
        assert opcode.access in (OperandAccess.NONE, OperandAccess.MODIFY)
    else:
        assert opcode.access in (OperandAccess.NONE, OperandAccess.READ)


@every_case("opcode", DOCUMENTED, ids=lambda op: op.syntax)
def test_a_condition_costs_nothing_but_what_it_avoids(opcode: Opcode) -> None:
    """``jp nz, a16`` taken lasts as long as ``jp a16``; only ``ret`` looks longer."""
    if not opcode.conditional:
        assert opcode.cycles.taken == 0
        return
    always = re.sub(r"^(nz|z|nc|c)(, )?", "", opcode.mode)
    other = encodings("sm83")[opcode.mnemonic][always]
    longer = int(opcode.mnemonic == "ret")
    assert opcode.cycles.maximum == other.cycles.minimum + longer
    assert opcode.cycles.minimum == opcode.size + longer
    assert opcode.size == other.size


def test_one_operation_changes_the_same_flags_whatever_its_operand() -> None:
    """But for those with A on both sides, whose outcome is partly known."""
    flags: dict[str, set[str]] = {}
    for opcode in OPCODES[0x80:0xC0]:
        flags.setdefault(opcode.mnemonic, set()).add(opcode.flags)
        assert opcode.flags == OPCODES[0xC6 | opcode.byte & 0x38].flags or opcode.mode == "a, a"
    assert {name: sorted(found) for name, found in flags.items()} == {
        "add": ["Z0HC"],
        "adc": ["Z0HC"],
        "sub": ["1100", "Z1HC"],
        "sbc": ["Z1H-", "Z1HC"],
        "and": ["Z010"],
        "xor": ["1000", "Z000"],
        "or": ["Z000"],
        "cp": ["1100", "Z1HC"],
    }


def test_conditional_cycles_for_people() -> None:
    assert format_cycles(Cycles(3, taken=3)) == "3/6"
    assert format_cycles(Cycles(2, taken=1)) == "2/3"
    assert (Cycles(3, taken=3).minimum, Cycles(3, taken=3).maximum) == (3, 6)


# ---------------------------------------------------------------- where code goes on


def test_flows_of_the_6502() -> None:
    found = flows("mos6502")
    assert found[Flow.CALL] == {0x20}
    assert found[Flow.RETURN] == {0x40, 0x60}
    assert found[Flow.SOFTWARE_INTERRUPT] == {0x00}
    assert found[Flow.JUMP] == {0x4C, 0x6C}
    assert found[Flow.BRANCH] == set(range(0x10, 0x100, 0x20))
    assert found[Flow.JAM] == {op.byte for op in load() if op.variant is OpcodeVariant.JAM}
    assert {op.byte for op in load() if op.conditional} == found[Flow.BRANCH]


def test_flows_of_the_sm83() -> None:
    found = flows("sm83")
    assert found[Flow.CALL] == {0xCD, 0xC4, 0xCC, 0xD4, 0xDC, *range(0xC7, 0x100, 8)}
    assert found[Flow.RETURN] == {0xC9, 0xD9, 0xC0, 0xC8, 0xD0, 0xD8}
    assert found[Flow.JUMP] == {0xC3, 0xE9, 0x18}
    assert found[Flow.BRANCH] == {0x20, 0x28, 0x30, 0x38, 0xC2, 0xCA, 0xD2, 0xDA}
    assert found[Flow.JAM] == set(UNDEFINED)
    assert Flow.SOFTWARE_INTERRUPT not in found
    conditional_calls_and_returns = {0xC4, 0xCC, 0xD4, 0xDC, 0xC0, 0xC8, 0xD0, 0xD8}
    assert {op.index for op in OPCODES if op.conditional} == (
        found[Flow.BRANCH] | conditional_calls_and_returns
    )


def flows(cpu: str) -> dict[Flow, set[int]]:
    """flow -> indices of the opcodes."""
    found: dict[Flow, set[int]] = {}
    for opcode in load(cpu):
        found.setdefault(opcode.flow, set()).add(opcode.index)
    return found


# ---------------------------------------------------------------- tables that contradict themselves


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("  cb  prefix  1  .  ----", "the tag 'prefix' belongs to opcode cb alone"),
        ("  cbcb  prefix  1  .  ----  prefix", "the tag 'prefix' belongs to opcode cb alone"),
        ("  dd00  nop  1  .  ----", "dd is not a prefix"),
        ("  00  nop  1  .  --------", "not in the order ZNHC"),
        ("  00  nop  1  .  --Z-", "not in the order ZNHC"),
        ("  00  nop  1  .  2---", "expected: op syntax"),
        ("  00  ld a, [hl+]  1  r  Z0H", "not in the order ZNHC"),
        ("  00  ld a, n8  2  r  ----", "needs an address operand"),
        ("  20  jr nz, e8  2  .  ----", "do not fit"),
        ("  18  jr e8  3+t  .  ----", "do not fit"),
        ("  00  nop  1  .  ----", "no row for 01 02"),
    ],
)
def test_a_wrong_table_is_refused(row: str, fault: str) -> None:
    with pytest.raises(BadTable, match=fault):
        parse(row, "test", FORMS["sm83"])


def test_a_table_without_its_prefixed_half_is_refused() -> None:
    rows = [f"  {op.byte:02x}  op  1  .  ----" for op in OPCODES[:256]]
    rows[1:] = [f"{row}  undoc-alt" for row in rows[1:]]
    rows[0xCB] = "  cb  prefix  1  .  ----  prefix"
    with pytest.raises(BadTable, match=r"no row for cb00 cb01 .* cbff$"):
        parse("\n".join(rows), "test", FORMS["sm83"])
