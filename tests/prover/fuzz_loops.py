"""Loops over arrays at random, with claims that are true or off by one, and what runs say of them.

A loop sets, copies or combines so many cells as an input says, upwards or downwards, at an address
that may be one too high or too low; the contract says of which cells what is in them afterwards,
and which counts are allowed. All counts that are allowed are executed, each with several contents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from claims import Said, rom_of, source

from romproof.text.errors import RomproofError

CPUS = ("6502", "sm83")
CONTENTS = 2
"""Contents of memory that each count is executed with."""


@dataclass(frozen=True)
class Loop:
    """A claim about a loop: the program, and the counts that the contract allows."""

    cpu: str
    said: Said
    count: str
    counts: range
    size: int


def loop_of(seed: int) -> Loop:
    """The loop of a seed."""
    random = Random(seed)
    cpu = random.choice(CPUS)
    size = random.randint(33, 40)
    low, high = random.choice((0, 1, 1, 1)), size + random.choice((-1, 0, 0, 0, 1))
    off = random.choice((0, 0, 0, 0, 1, -1))
    work = random.choice(("set", "copy", "eor"))
    if cpu == "6502":
        count, code, more = _code_6502(random, work, off)
    else:
        count, code, more = _code_sm83(random, work, off)
    guard = random.choice(("j <", "j <", "j <", "j <", "j <=", "j + 1 <"))
    said = {"set": "old A", "copy": "old src[j]", "eor": "old dst[j] ^ old src[j]"}[work]
    ensures = [f"all j in 0..{size - 1}: {guard} old {count} -> dst[j] == {said}"]
    if random.random() < 0.5:
        kept = random.choice(("j >=", "j >=", "j >", "j + 1 >="))
        ensures.append(f"all j in 0..{size - 1}: {kept} old {count} -> dst[j] == old dst[j]")
    inputs = (
        f"{count} " + {"set": "A", "copy": f"src[{size}]", "eor": f"src[{size}] dst[{size}]"}[work]
    )
    contract = (
        f"in: {inputs}; requires: {count} in {low}..{high}; out: dst[{size}]; "
        f"clobbers: {more}; stack: 0; ensures: {', '.join(ensures)}"
    )
    head = _HEADS[cpu].format(size=size)
    return Loop(cpu, Said(contract, code, head=head), count, range(low, high + 1), size)


_HEADS = {
    "6502": """\
        .segment "ZEROPAGE"
n:      .res 1
        .exportzp n
        .segment "BSS"
before: .res 1
src:    .res {size}
dst:    .res {size}
after:  .res 1
        .export src, dst
        .segment "CODE"
""",
    "sm83": """\
SECTION "Work", WRAM0[$C0E8]
before:: ds 1
src:: ds {size}
dst:: ds {size}
SECTION "Main", ROM0[$0150]
""",
}


def _at(name: str, off: int) -> str:
    return name if not off else f"{name}{off:+d}"


def _code_6502(random: Random, work: str, off: int) -> tuple[str, str, str]:
    form = random.choice(("down", "up", "both"))
    index, shift = ("x", -1) if form == "down" else ("y", 0)
    body = {
        "set": f"sta {_at('dst', shift + off)},{index}",
        "copy": f"lda {_at('src', shift)},{index}/sta {_at('dst', shift + off)},{index}",
        "eor": f"lda {_at('src', shift)},{index}/eor {_at('dst', shift)},{index}/"
        f"sta {_at('dst', shift + off)},{index}",
    }[work]
    flags = "N Z" if work == "set" else "A N Z"
    if form == "down":
        return "X", f"@l: {body}/dex/bne @l/rts", f"X {flags}"
    if form == "up":
        code = f"stx n/ldy #0/@l: {body}/iny/cpy n/bne @l/rts"
        return "X", code, f"Y n C {flags}"
    return "X", f"ldy #0/@l: {body}/iny/dex/bne @l/rts", f"X Y {flags}"


def _code_sm83(random: Random, work: str, off: int) -> tuple[str, str, str]:
    step = random.choice(("inc de", "inc de", "inc de", "inc e"))
    store = f"ld [de], a/{step}"
    begin = f"ld hl, src/ld de, {_at('dst', off)}"
    body = {
        "set": "ld [hl+], a/dec c/jr nz, .l/ret",
        "copy": f"ld a, [hl+]/{store}/dec c/jr nz, .l/ret",
        "eor": f"ld a, [de]/xor [hl]/inc hl/{store}/dec c/jr nz, .l/ret",
    }[work]
    if work == "set":
        return "C", f"ld hl, {_at('dst', off)}/.l: {body}", "C HL F"
    return "C", f"{begin}/.l: {body}", "A C DE HL F"


def broken(loop: Loop, seed: int) -> Iterator[int]:
    """The counts for which a run breaks the contract."""
    rom = rom_of(loop.cpu, source(loop.cpu, loop.said))
    random = Random(seed)
    for count in loop.counts:
        for _ in range(CONTENTS):
            given = {loop.count.lower(): count, "a": random.randrange(256)}
            memory = {name: random.randbytes(loop.size) for name in ("src", "dst")}
            try:
                rom.call("it", **given, mem=memory)
            except (AssertionError, RomproofError):
                yield count
                break
