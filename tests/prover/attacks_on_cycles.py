"""Claims on cycles, just right, too narrow by one, or wide, of calls that little is said of.

The fewest and the most cycles are measured: all inputs are executed. So a claim holds or is broken,
and nothing is between. Callees say nothing of their cycles, or no upper end, or call others, or
call themselves; accesses and branches cross pages, and arithmetic is decimal.
As a program it tries many:
``PYTHONPATH=tests/common python tests/prover/attacks_on_cycles.py --count 200 --seed 1000``.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from claims import Said, false, rom_of, source
from port_programs import Ended, run
from runs_of_claims import Drawn, Truth, each_of, main

from romproof.harness.rom import Rom

Registers = dict[str, Sequence[int]]


@dataclass(frozen=True)
class Timed:
    """Code whose time depends on its inputs, and the contract but for ``cycles:``."""

    contract: str
    code: str
    registers: Registers = field(default_factory=dict)
    memory: Registers = field(default_factory=dict)
    others: Mapping[str, tuple[str | None, str]] = field(default_factory=dict)
    head: str | None = None


def _says(draw: random.Random, wide: str) -> str:
    """What a callee says of its cycles: nothing, no upper end, or a wide one."""
    return draw.choice(("", "; cycles: 1..", f"; cycles: ..{wide}", "; cycles: ..60000"))


def callee_with_a_loop(draw: random.Random, is_6502: bool) -> Timed:
    """A loop over an input in the callee, which may have an invariant."""
    n, calls = draw.randint(1, 6), draw.randint(1, 3)
    said = _says(draw, "2000")
    if is_6502:
        cut = draw.choice(("", f"; invariant: @l: X in 1..{n}; decreases: @l: X"))
        contract = f"in: n; requires: n in 1..{n}; out: none; clobbers: X N Z{cut}{said}"
        loop = "ldx n/@l: nop/dex/bne @l/rts"
        own = f"in: n; requires: n in 1..{n}; out: none; clobbers: X N Z"
        call = draw.choice(("jsr callee/" * calls + "rts", "jsr callee/jmp callee"))
        others = {"callee": (draw.choice((None, contract)), loop)}
        return Timed(own, call, {}, {"n": range(1, n + 1)}, others)
    cut = draw.choice(("", f"; invariant: .l: B in 1..{n}; decreases: .l: B"))
    contract = f"in: A; requires: A in 1..{n}; out: none; clobbers: B F{cut}{said}"
    loop = "ld b, a/.l: nop/dec b/jr nz, .l/ret"
    own = f"in: A; requires: A in 1..{n}; out: none; clobbers: B F"
    call = draw.choice(("call callee/" * calls + "ret", "call callee/jp callee"))
    others = {"callee": (draw.choice((None, contract)), loop)}
    return Timed(own, call, {"a": range(1, n + 1)}, {}, others)


def callee_of_callee(draw: random.Random, is_6502: bool) -> Timed:
    """Three levels, each of which says little or nothing."""
    n = draw.randint(2, 5)
    if is_6502:
        own = f"in: X; requires: X in 1..{n}; out: none; clobbers: X N Z"
        cut = f"; invariant: @l: X in 1..{n}; decreases: @l: X"
        others = {
            "deep": (draw.choice((None, own + cut + _says(draw, "100"))), "@l: dex/bne @l/rts"),
            "callee": (
                draw.choice((None, own + _says(draw, "200"))),
                draw.choice(("jsr deep/rts", "jmp deep", "cpx #2/beq @e/jsr deep/@e: ldx #0/rts")),
            ),
        }
        if "cpx" in others["callee"][1]:
            said = others["callee"][0]
            contract = None if said is None else said.replace("N Z", "N Z C")
            others["callee"] = contract, others["callee"][1]
        own = own.replace("N Z", "N Z C")
        return Timed(own, "jsr callee/nop/rts", {"x": range(1, n + 1)}, {}, others)
    own = f"in: B; requires: B in 1..{n}; out: none; clobbers: B F"
    cut = f"; invariant: .l: B in 1..{n}; decreases: .l: B"
    others = {
        "deep": (draw.choice((None, own + cut + _says(draw, "100"))), ".l: dec b/jr nz, .l/ret"),
        "callee": (
            draw.choice((None, own + _says(draw, "200"))),
            draw.choice(("call deep/ret", "jp deep", "bit 0, b/call nz, deep/ret")),
        ),
    }
    return Timed(own, "call callee/nop/ret", {"b": range(1, n + 1)}, {}, others)


def callee_in_a_loop(draw: random.Random, is_6502: bool) -> Timed:
    """A callee that takes longer for some of the numbers that a loop calls it with."""
    n = draw.randint(2, 6)
    if is_6502:
        seen = f"in: X; requires: X in 0..{n}; out: none; clobbers: A N Z{_says(draw, '50')}"
        others = {"callee": (draw.choice((None, seen)), "txa/and #1/beq @e/nop/nop/@e: rts")}
        own = f"in: X; requires: X in 1..{n}; out: none; clobbers: A X N Z"
        cut = draw.choice(("", f"; invariant: @l: X in 1..{n}; decreases: @l: X"))
        return Timed(own + cut, "@l: jsr callee/dex/bne @l/rts", {"x": range(1, n + 1)}, {}, others)
    seen = f"in: B; requires: B in 0..{n}; out: none; clobbers: F{_says(draw, '50')}"
    others = {"callee": (draw.choice((None, seen)), "bit 0, b/ret z/nop/nop/ret")}
    own = f"in: B; requires: B in 1..{n}; out: none; clobbers: B F"
    cut = draw.choice(("", f"; invariant: .l: B in 1..{n}; decreases: .l: B"))
    return Timed(
        own + cut, ".l: call callee/dec b/jr nz, .l/ret", {"b": range(1, n + 1)}, {}, others
    )


def recursion(draw: random.Random, is_6502: bool) -> Timed:
    """It calls itself, or a callee does."""
    n, who = draw.randint(2, 5), draw.choice(("it", "callee"))
    if is_6502:
        own = f"in: X; requires: X in 1..{n}; out: none; clobbers: X N Z"
        code = f"dex/beq @e/jsr {who}/@e: nop/rts"
        call = "jsr callee/rts"
    else:
        own = f"in: B; requires: B in 1..{n}; out: none; clobbers: B F"
        code = f"dec b/jr z, .e/call {who}/.e: nop/ret"
        call = "call callee/ret"
    registers: Registers = {"x" if is_6502 else "b": range(1, n + 1)}
    if who == "it":
        return Timed(own, code, registers)
    contract = draw.choice((None, own + _says(draw, "500")))
    return Timed(own, call, registers, {}, {"callee": (contract, code)})


def crossing(draw: random.Random, is_6502: bool) -> Timed:
    """Accesses that cross a page for some indexes; on the SM83, ways that are taken or not."""
    if is_6502:
        last = draw.choice((0xFA, 0xFD, 0xFF))
        base = 0x0300 + last
        code = draw.choice(
            (
                f"lda ${base:04X},x/rts",
                f"lda ${base:04X},x/ldy ${base:04X},x/rts",
                f"clc/lda #0/adc ${base:04X},x/rts",
                f"lda #0/sta ${base:04X},x/rts",
                f"inc ${base:04X},x/rts",
            )
        )
        cells = f"${base:04X}[8]"
        own = f"in: X {cells}; requires: X in 0..7; out: {cells}; clobbers: A Y N V Z C"
        return Timed(own, code, {"x": range(8)})
    code = draw.choice(
        (
            "bit 0, b/jr z, .e/nop/.e: bit 1, b/ret nz/ret",
            "bit 0, b/call nz, callee/ret",
            "bit 0, b/jp nz, callee/call callee/ret",
            "bit 2, b/ret z/bit 0, b/jp z, callee/jr callee",
        )
    )
    others = {"callee": (draw.choice((None, "in: none; out: none; clobbers: none")), "nop/nop/ret")}
    own = "in: B; requires: B in 0..7; out: none; clobbers: F"
    return Timed(own, code, {"b": range(8)}, {}, others)


def branches_across_pages(draw: random.Random, is_6502: bool) -> Timed:
    """A loop somewhere about the end of a page, and pointers in zero page."""
    pad = draw.randint(220, 252)
    if is_6502:
        own = "in: X; requires: X in 1..6; out: none; clobbers: X N Z"
        filler = f".res {pad}, $EA"
        code = f"jmp @go/{filler}/@go:/@l: nop/dex/bne @l/rts"
        return Timed(own, code, {"x": range(1, 7)})
    own = "in: B; requires: B in 1..6; out: none; clobbers: B F"
    return Timed(own, f"jp .go/ds {pad}, 0/.go:/.l: nop/dec b/jr nz, .l/ret", {"b": range(1, 7)})


def through_a_pointer(draw: random.Random, is_6502: bool) -> Timed:
    """(ptr),y crosses a page where the sum does; on the SM83, a loop that compares with memory."""
    if is_6502:
        last = draw.choice((0xFC, 0xFE))
        code = f"lda #${last:02X}/sta ptr/lda #$03/sta ptr+1/lda (ptr),y/sta tmp/rts"
        own = f"in: Y $03{last:02X}[8]; requires: Y in 0..7; out: none; clobbers: A N Z ptr tmp"
        return Timed(own, code, {"y": range(8)})
    own = "in: B n; requires: B in 1..5, n in 0..6; out: none; clobbers: A B HL F"
    code = "ld hl, n/.l: ld a, b/cp [hl]/ret z/dec b/jr nz, .l/ret"
    return Timed(own, code, {"b": range(1, 6)}, {"n": range(7)})


def decimal(draw: random.Random, is_6502: bool) -> Timed:
    """A number of turns that a decimal sum decides."""
    n = draw.randint(2, 12)
    if is_6502:
        own = f"in: X; requires: X in 0..{n}; out: none; clobbers: A X N V Z C D tmp"
        code = "stx tmp/sed/lda #$07/clc/adc tmp/cld/lsr a/lsr a/tax/beq @e/@l: dex/bne @l/@e: rts"
        return Timed(own, code, {"x": range(n + 1)})
    own = f"in: B; requires: B in 0..{n}; out: none; clobbers: A B F"
    code = "ld a, 7/add b/daa/srl a/srl a/ret z/ld b, a/.l: dec b/jr nz, .l/ret"
    return Timed(own, code, {"b": range(n + 1)})


def whole_byte(draw: random.Random, is_6502: bool) -> Timed:
    """All 256 inputs of a loop in a callee: 0 means 256 turns."""
    said = _says(draw, "4000")
    if is_6502:
        contract = f"in: X; out: none; clobbers: X N Z{said}"
        cut = "; invariant: @l: X in 0..255; decreases: @l: (X - 1) % 256"
        others = {"callee": (draw.choice((None, contract + cut)), "@l: dex/bne @l/rts")}
        calls = draw.choice(("jsr callee/rts", "jsr callee/jsr callee/rts"))
        return Timed("in: X; out: none; clobbers: X N Z", calls, {"x": range(256)}, {}, others)
    contract = f"in: B; out: none; clobbers: B F{said}"
    cut = "; invariant: .l: B in 0..255; decreases: .l: (B - 1) % 256"
    others = {"callee": (draw.choice((None, contract + cut)), ".l: dec b/jr nz, .l/ret")}
    calls = draw.choice(("call callee/ret", "call callee/call callee/ret"))
    return Timed("in: B; out: none; clobbers: B F", calls, {"b": range(256)}, {}, others)


KINDS: tuple[Callable[[random.Random, bool], Timed], ...] = (
    callee_with_a_loop, callee_of_callee, callee_in_a_loop, recursion, crossing,
    branches_across_pages, through_a_pointer, decimal, whole_byte,
)  # fmt: skip


def drawn(seed: int) -> Drawn:
    """The claim of a number."""
    draw = random.Random(f"cycles {seed}")
    make = KINDS[seed % len(KINDS)]
    cpu = ("6502", "sm83")[seed // len(KINDS) % 2]
    timed = make(draw, cpu == "6502")
    runs = tuple(each_of(timed.registers, timed.memory))

    def claimed(cycles: str) -> Said:
        contract = timed.contract + cycles
        return false(contract, timed.code, others=timed.others, head=timed.head)

    rom = rom_of(cpu, source(cpu, claimed("")))
    times = [run(cpu, rom, each).cycles for each in runs]
    low, high = _limits(draw, min(times), max(times))

    def judge(rom: Rom, ended: Sequence[Ended]) -> Truth:
        kept = all(low <= one.cycles and (high is None or one.cycles <= high) for one in ended)
        return Truth.HOLDS if kept else Truth.BROKEN

    said = claimed(f"; cycles: {low}..{'' if high is None else high}")
    return Drawn(make.__name__.replace("_", " "), cpu, said, runs, judge)


def _limits(draw: random.Random, least: int, most: int) -> tuple[int, int | None]:
    """Limits that hold, or miss by little."""
    low = draw.choice((0, 1, least, least, least - 1, least + 1))
    high: int | None = draw.choice(
        (most, most, most - 1, most - 1, most + 1, most + draw.randint(2, 5000), 65_000, None)
    )
    if high is not None and high < low:
        high = low
    return low, high


if __name__ == "__main__":
    sys.exit(main(drawn))
