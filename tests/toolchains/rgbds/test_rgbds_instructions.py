"""Every row of the CPU's table through the encoder, and what the encoder refuses."""

from __future__ import annotations

import pytest
from every_case import every_case

from romproof.isa.load import load
from romproof.isa.model import Opcode, OpcodeVariant
from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.rgbds.asm import RgbdsOptions
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.instructions import Encoded, encode
from romproof.toolchains.rgbds.asm.model import Expression, known
from romproof.toolchains.rgbds.asm.operands import (
    Condition,
    HighMemory,
    Immediate,
    MemoryOperand,
    Operand,
    Register,
    StackOffset,
)
from romproof.toolchains.rgbds.obj.model import PatchKind
from romproof.toolchains.rgbds.obj.rpn import RpnOp

UNKNOWN = Expression(None, "later", (RpnOp.SYMBOL, None))


class Encoder:
    """The encoder of an assembler whose messages can be read."""

    def __init__(self) -> None:
        self.diagnostics = Diagnostics()
        self.expressions = Assembly(RgbdsOptions(), self.diagnostics).expressions

    def __call__(self, mnemonic: str, *operands: Operand) -> Encoded | None:
        return encode(mnemonic, operands, self.expressions)

    def bytes(self, mnemonic: str, *operands: Operand) -> bytes:
        """The bytes of an instruction whose value is known, distances as they were given."""
        encoded = self(mnemonic, *operands)
        assert encoded is not None, self.messages
        if encoded.value is None:
            return encoded.code
        assert encoded.value.value is not None
        size = encoded.kind.size
        number = encoded.value.value % (1 << 8 * size)
        return encoded.code + number.to_bytes(size, "little")

    @property
    def messages(self) -> list[str]:
        return [item.message for item in self.diagnostics.items]


@pytest.fixture
def encoder() -> Encoder:
    return Encoder()


def operand(template: str) -> Operand:
    """An operand of the table, with a value that fits the placeholder."""
    values = {"n8": 0x12, "e8": 0x12, "n16": 0x1234, "a16": 0x1234}
    if template in values:
        return Immediate(known(values[template]))
    if template.isdigit():
        return Immediate(known(int(template)))
    if template.startswith("$"):
        return Immediate(known(int(template[1:], 16)))
    if template == "[a16]":
        return MemoryOperand(known(0x1234))
    if template == "[a8]":
        return MemoryOperand(known(0xFF12))
    if template == "sp + e8":
        return StackOffset(known(0x12))
    return Condition(template) if template in ("nz", "z", "nc") else Register(template)


ROWS = [
    opcode
    for opcode in load("sm83")
    if opcode.canonical and opcode.variant is OpcodeVariant.DOCUMENTED and opcode.mnemonic != "stop"
]


@every_case("opcode", ROWS, ids=lambda opcode: opcode.syntax)
def test_rows(encoder: Encoder, opcode: Opcode) -> None:
    operands = [operand(text) for text in opcode.mode.split(", ") if text]
    size = opcode.size - len(opcode.prefix) - 1
    value = (0x1234 if size == 2 else 0x12).to_bytes(size, "little") if size else b""
    expected = opcode.prefix + bytes([opcode.byte]) + value
    assert encoder.bytes(opcode.mnemonic, *operands) == expected
    assert encoder.messages == []


A, B, C, HL = Register("a"), Register("b"), Register("c"), Register("[hl]")


@pytest.mark.parametrize(
    ("mnemonic", "operands", "code"),
    [
        ("add", (B,), "80"),
        ("ADD", (Immediate(known(5)),), "c605"),
        ("cp", (A,), "bf"),
        ("cpl", (A,), "2f"),
        ("stop", (), "1000"),
        ("stop", (Immediate(known(0xAB)),), "10ab"),
        ("ldi", (HL, A), "22"),
        ("ldd", (A, HL), "3a"),
        ("ld", (HighMemory(known(0xFF00)), A), "e2"),
        ("ldh", (A, HighMemory(known(0xFF00))), "f2"),
        ("ret", (C,), "d8"),
        ("jr", (Condition("c"), Immediate(known(0x20))), "3820"),
    ],
)
def test_other_spellings(
    encoder: Encoder, mnemonic: str, operands: tuple[Operand, ...], code: str
) -> None:
    assert encoder.bytes(mnemonic, *operands).hex() == code
    assert encoder.messages == []


@pytest.mark.parametrize(
    ("mnemonic", "operands", "message"),
    [
        ("ld", (HL, HL), '"LD [HL], [HL]" is not a valid instruction'),
        (
            "ld",
            (Register("de"), Register("hl")),
            '"LD DE, HL" is not a valid instruction; use "LD D, H" and "LD E, L"',
        ),
        (
            "ld",
            (Register("hl"), Register("sp")),
            '"LD HL, SP" is not a valid instruction; use "LD HL, SP + 0"',
        ),
        ("ld", (B, Register("[c]")), '"LD B, [C]" is not a valid instruction'),
        ("push", (Register("sp"),), '"PUSH SP" is not a valid instruction'),
        ("ldi", (Register("[hl+]"), A), '"LDI [HL+], A" is not a valid instruction'),
        ("nop", (A,), '"NOP A" is not a valid instruction'),
        ("bit", (Immediate(known(1)), Register("bc")), '"BIT N, BC" is not a valid instruction'),
        ("jp", (HL,), '"JP [HL]" is not a valid instruction'),
    ],
)
def test_refusals(
    encoder: Encoder, mnemonic: str, operands: tuple[Operand, ...], message: str
) -> None:
    assert encoder(mnemonic, *operands) is None
    assert encoder.messages == [message]


def test_help_names_the_forms(encoder: Encoder) -> None:
    encoder("push", Register("sp"))
    encoder("ld", B, MemoryOperand(known(1)))
    assert [item.help for item in encoder.diagnostics.items] == [
        "there is PUSH bc/de/hl/af",
        "there is LD b, n8/b/c/d/e/h/l/[hl]/a",
    ]


@pytest.mark.parametrize(
    ("mnemonic", "operands", "messages"),
    [
        ("ld", (A, Immediate(known(256))), ["Expression must be 8-bit"]),
        ("jp", (Immediate(known(0x10000)),), ["Expression must be 16-bit"]),
        (
            "bit",
            (Immediate(known(8)), A),
            ["Expression must be 3-bit", "Invalid bit index 8 for `BIT`"],
        ),
        ("rst", (Immediate(known(0x41)),), ["Invalid address $41 for `RST`"]),
        ("ldh", (A, MemoryOperand(known(0x22))), ["Source address $22 not between $FF00 to $FFFF"]),
        (
            "ld",
            (A, HighMemory(known(0xFF01))),
            ["Base value must be equal to $FF00 for [$FF00+C]"],
        ),
    ],
)
def test_values_that_do_not_fit(
    encoder: Encoder, mnemonic: str, operands: tuple[Operand, ...], messages: list[str]
) -> None:
    assert encoder(mnemonic, *operands) is not None
    assert [message.partition("; use `LOW")[0] for message in encoder.messages] == messages


@pytest.mark.parametrize(
    ("mnemonic", "operands", "code", "kind", "last", "pc_back"),
    [
        ("jp", (Immediate(UNKNOWN),), "c3", PatchKind.WORD, RpnOp.SYMBOL, 1),
        ("jr", (Condition("nz"), Immediate(UNKNOWN)), "20", PatchKind.JR, RpnOp.SYMBOL, 1),
        ("ldh", (MemoryOperand(UNKNOWN), A), "e0", PatchKind.BYTE, RpnOp.LDH, 1),
        ("rst", (Immediate(UNKNOWN),), "", PatchKind.BYTE, RpnOp.RST, 0),
        ("set", (Immediate(UNKNOWN), B), "cb", PatchKind.BYTE, RpnOp.BIT_INDEX, 0),
    ],
)
def test_values_for_the_linker(
    encoder: Encoder,
    mnemonic: str,
    operands: tuple[Operand, ...],
    code: str,
    kind: PatchKind,
    last: RpnOp,
    pc_back: int,
) -> None:
    encoded = encoder(mnemonic, *operands)
    assert encoded is not None
    assert encoded.value is not None
    assert (encoded.code.hex(), encoded.kind, encoded.pc_back) == (code, kind, pc_back)
    assert encoded.value.items()[-1][0] is last
