"""Pieces of SM83 code, and Game Boy ROMs that run as many of them as fit.

A piece writes what came of it to RAM: run by two emulators, the RAM must be the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from romproof.isa.codec import encode
from romproof.isa.load import load
from romproof.isa.model import Opcode, OpcodeVariant

OPCODES = {opcode.syntax: opcode for opcode in load("sm83") if opcode.canonical}
TESTED = [
    opcode
    for opcode in load("sm83")
    if opcode.variant is OpcodeVariant.DOCUMENTED and opcode.mnemonic not in ("halt", "stop")
]

RAM, SCRATCH, DONE, RAM_END = 0xC000, 0xDD00, 0xDFFF, 0xE000
HIGH_RAM, IE = 0xFF80, 0xFFFF
SCRATCH_SIZE, HIGH_SIZE = 0x200, 0x7F
"""Results begin at RAM; the pieces may read and write all of SCRATCH and HIGH_RAM."""
DIV, TIMA, TAC = 0xFF04, 0xFF05, 0xFF07
TIMER_PERIOD, TIMER_ON = 4, 5
"""M-cycles in which TIMA counts once with this value in TAC."""
FINISHED = 0x42
"""What is at DONE when all pieces were run."""

_SIZE, _ENTRY, _MAIN = 0x8000, 0x0100, 0x0150
_SUMMED, _CHECKSUM = slice(0x0134, 0x014D), 0x014D
_ROOM = _SIZE - _MAIN - 0x400
"""Bytes of code, the rest is for the beginning and the end."""


@dataclass(frozen=True)
class Piece:
    """Code that tries ``opcode``; ``about`` says with which values.

    ``code`` gives its bytes for an address to run at and one to write its results to, which are
    ``size`` bytes.
    """

    opcode: Opcode
    about: str
    code: Callable[[int, int], bytes]
    size: int


@dataclass(frozen=True)
class Registers:
    """Values for all registers, 16 bits each."""

    af: int
    bc: int
    de: int
    hl: int
    sp: int


def op(syntax: str, operand: int = 0) -> bytes:
    """The bytes of an instruction."""
    return encode(OPCODES[syntax], operand)


def load_all(values: Registers, at: int) -> bytes:
    """Code for an address that gives all registers their values."""
    words = (values.af, values.bc, values.de, values.hl)
    data = b"".join(word.to_bytes(2, "little") for word in words)
    code = op("jr e8", len(data)) + data + op("ld sp, n16", at + 2)
    code += b"".join(op(f"pop {pair}") for pair in ("af", "bc", "de", "hl"))
    return code + op("ld sp, n16", values.sp)


def store_all(out: int) -> bytes:
    """Code that writes all registers, as 10 bytes: AF, BC, DE, HL, SP."""
    code = op("ld [a16], sp", out + 8) + op("ld sp, n16", out + 8)
    return code + b"".join(op(f"push {pair}") for pair in ("hl", "de", "bc", "af"))


def jump_to(opcode: Opcode, at: int, target: int) -> bytes:
    """A jump or call at an address to another address, whatever its operand."""
    operands = {"e8": target - at - opcode.size & 0xFF, "a16": target}
    return encode(opcode, operands.get(opcode.placeholder, 0))


@dataclass(frozen=True)
class Cartridge:
    """A ROM, the pieces in it and where their results are."""

    rom: bytes
    pieces: tuple[Piece, ...]
    places: tuple[int, ...]


def cartridges(pieces: Sequence[Piece], seed: int) -> Iterator[Cartridge]:
    """As many ROMs as are needed to run all pieces."""
    chance = random.Random(seed)
    todo = list(pieces)
    while todo:
        code, place = bytearray(_begin(chance)), RAM
        places = []
        for piece in todo:
            bytes_ = piece.code(_MAIN + len(code), place)
            if len(code) + len(bytes_) > _ROOM or place + piece.size > SCRATCH:
                break
            code += bytes_
            places.append(place)
            place += piece.size
        code += op("ld a, n8", FINISHED) + op("ld [a16], a", DONE) + op("jr e8", 0xFE)
        yield Cartridge(_rom(bytes(code)), tuple(todo[: len(places)]), tuple(places))
        todo = todo[len(places) :]


def _begin(chance: random.Random) -> bytes:
    """No interrupts, timer on, and the memory for the pieces filled."""
    code = op("di") + op("xor a, a") + op("ld [a16], a", IE)
    code += op("ld a, n8", TIMER_ON) + op("ldh [a8], a", TAC & 0xFF)
    for start, size in ((SCRATCH, SCRATCH_SIZE), (HIGH_RAM, HIGH_SIZE)):
        # a byte that changes by an odd number from place to place
        code += op("ld hl, n16", start) + op("ld bc, n16", size)
        loop = op("ld [hl+], a") + op("add a, n8", chance.randrange(1, 256, 2))
        loop += op("ld e, a") + op("dec bc") + op("ld a, b") + op("or a, c") + op("ld a, e")
        code += loop + op("jr nz, e8", -len(loop) - 2 & 0xFF)
    return code


def _rom(main: bytes) -> bytes:
    """A ROM of 32 KiB. The handlers of ``rst`` leave their number in E."""
    rom = bytearray(_SIZE)
    for vector in range(0, 0x40, 8):
        handler = op("ld e, n8", 0x80 | vector) + op("ret")
        rom[vector : vector + len(handler)] = handler
    start = op("jp a16", _MAIN)
    rom[_ENTRY : _ENTRY + len(start)] = start
    rom[_MAIN : _MAIN + len(main)] = main
    rom[_CHECKSUM] = -sum(byte + 1 for byte in rom[_SUMMED]) & 0xFF
    return bytes(rom)
