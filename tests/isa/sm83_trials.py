"""What every SM83 instruction does, and how long it takes, as pieces of code that find out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from sm83_pieces import (
    DIV,
    HIGH_RAM,
    HIGH_SIZE,
    OPCODES,
    SCRATCH,
    SCRATCH_SIZE,
    TESTED,
    TIMA,
    Piece,
    Registers,
    jump_to,
    load_all,
    op,
    store_all,
)

from romproof.isa.codec import encode
from romproof.isa.flow import Flow
from romproof.isa.model import Opcode

EDGES = (0x00, 0x01, 0x0F, 0x10, 0x7F, 0x80, 0x99, 0x9A, 0xF0, 0xFE, 0xFF)
"""Bytes at which something carries over, more often than chance brings them."""

# ---------------------------------------------------------------- what an instruction does


def effects(times: int, chance: random.Random) -> Iterator[Piece]:
    """Every opcode so many times with random values; the results are all registers."""
    for opcode in TESTED:
        for _ in range(times):
            values, operand = _values(opcode, chance), _operand(opcode, chance)
            shown = ", ".join(f"{name} ${value:04x}" for name, value in vars(values).items())
            about = f"{opcode.syntax} (operand ${operand:02x}) with {shown}"
            if opcode.flow is Flow.NEXT or opcode.mnemonic == "rst":
                code = partial(_straight, encode(opcode, operand), values)
            else:
                code = partial(_jump, opcode, values, chance.random() < 0.5)
            yield Piece(opcode, about, code, 10)


def _values(opcode: Opcode, chance: random.Random) -> Registers:
    """Any values, but where something is written there is RAM for it."""
    af, bc, de, hl, sp = (_byte(chance) << 8 | _byte(chance) for _ in range(5))
    values = Registers(af & 0xFFF0, bc, de, hl, sp)
    for pair in re.findall(r"\[(bc|de|hl)", opcode.mode):
        values = replace(values, **{pair: _address(chance)})
    if "[c]" in opcode.mode:
        values = replace(values, bc=values.bc & 0xFF00 | _high_byte(chance))
    if opcode.mnemonic in ("push", "pop", "call", "rst", "ret", "reti"):
        values = replace(values, sp=_address(chance))
    return values


def _operand(opcode: Opcode, chance: random.Random) -> int:
    match opcode.placeholder:
        case "a8":
            return _high_byte(chance)
        case "a16":
            return _address(chance)
        case "n16":
            return _byte(chance) << 8 | _byte(chance)
        case "":
            return 0
    return _byte(chance)


def _byte(chance: random.Random) -> int:
    return chance.choice(EDGES) if chance.random() < 0.4 else chance.randrange(256)


def _address(chance: random.Random) -> int:
    return SCRATCH + chance.randrange(0x10, SCRATCH_SIZE - 0x10)


def _high_byte(chance: random.Random) -> int:
    return (HIGH_RAM & 0xFF) + chance.randrange(HIGH_SIZE)


def _straight(instruction: bytes, values: Registers, at: int, out: int) -> bytes:
    return load_all(values, at) + instruction + store_all(out)


def _jump(opcode: Opcode, values: Registers, backwards: bool, at: int, out: int) -> bytes:
    """A jump, call or return to code that sets B to 1; what follows the jump sets B to 2."""
    hit, miss = op("ld b, n8", 1), op("ld b, n8", 2)
    returns = opcode.flow is Flow.RETURN
    before = len(_push(0, 0)) if returns else 0
    start = at + before + len(load_all(values, 0))
    target = start + (2 if backwards else opcode.size + len(miss) + 2)
    if opcode.mode == "hl":
        values = replace(values, hl=target)
    code = _push(target, values.sp) if returns else b""
    code += load_all(values, at + before)
    if backwards:
        jump = jump_to(opcode, target + len(hit) + 2, target) + miss
        code += op("jr e8", len(hit) + 2) + hit + op("jr e8", len(jump)) + jump
    else:
        code += jump_to(opcode, start, target) + miss + op("jr e8", len(hit)) + hit
    return code + store_all(out)


def _push(word: int, sp: int) -> bytes:
    """Put a word where SP will point."""
    return op("ld sp, n16", sp + 2) + op("ld hl, n16", word) + op("push hl")


# ---------------------------------------------------------------- how long it takes

REPEATED = 16
"""How often an instruction is run to see its time: TIMA then counts 4 for each M-cycle."""
AROUND = {"rst": 2 + 4, "jp hl": 3}
"""M-cycles of what is run with an instruction: a handler, a load."""
NO_FLAGS, ALL_FLAGS = 0x00, 0xF0


@dataclass(frozen=True)
class Timing:
    """A piece that finds out what an opcode takes, and the M-cycles that the table says."""

    piece: Piece
    cycles: int


def timings() -> Iterator[Timing]:
    """Every opcode; one with a condition for both outcomes. The result is TIMA."""
    for opcode in TESTED:
        for flags in (NO_FLAGS, ALL_FLAGS) if opcode.conditional else (NO_FLAGS,):
            holds = opcode.mode.startswith("n") == (flags == NO_FLAGS)
            cycles = opcode.cycles.maximum if holds else opcode.cycles.minimum
            cycles += AROUND.get(opcode.mnemonic, 0) + AROUND.get(opcode.syntax, 0)
            code = partial(_timed, opcode, flags, REPEATED)
            yield Timing(Piece(opcode, f"{opcode.syntax}, flags ${flags:02x}", code, 1), cycles)


def timing_of_nothing() -> Timing:
    """What the rest of such a piece takes."""
    nop = OPCODES["nop"]
    return Timing(Piece(nop, "nothing", partial(_timed, nop, NO_FLAGS, 0), 1), 0)


def _timed(opcode: Opcode, flags: int, times: int, at: int, out: int) -> bytes:
    """Clear TIMA, run the instruction so often, and write TIMA."""
    middle = SCRATCH + SCRATCH_SIZE // 2
    values = Registers(flags, (middle & 0xFF00) | 0x90, middle + 0x20, middle + 0x40, middle)
    code = b""
    if opcode.flow is Flow.RETURN:
        # SP goes through a list of the places behind each return
        values = replace(values, sp=at + 2)
        start = at + 2 + 2 * times + len(_clear_timer() + load_all(values, 0))
        places = [start + opcode.size * (number + 1) for number in range(times)]
        code = op("jr e8", 2 * times) + b"".join(place.to_bytes(2, "little") for place in places)
    code += _clear_timer()
    code += load_all(values, at + len(code))
    for _ in range(times):
        if opcode.syntax == "jp hl":
            code += op("ld hl, n16", at + len(code) + 4)
        if opcode.flow is Flow.NEXT:
            code += encode(opcode, _timed_operand(opcode))
        else:
            here = at + len(code)
            code += jump_to(opcode, here, here + opcode.size)
    return code + op("ldh a, [a8]", TIMA & 0xFF) + op("ld [a16], a", out)


def _clear_timer() -> bytes:
    return op("xor a, a") + op("ldh [a8], a", DIV & 0xFF) + op("ldh [a8], a", TIMA & 0xFF)


def _timed_operand(opcode: Opcode) -> int:
    return {"a8": 0x90, "a16": SCRATCH, "n16": SCRATCH, "n8": 1, "e8": 1}.get(opcode.placeholder, 0)
