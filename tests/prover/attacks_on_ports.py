"""Claims that rest on a port bringing the same again, by ways on which that is not plain to see.

Indexes that wrap around in zero page or past the last address, pointers of which one byte is a
port, instructions that read and write, the stack over a port, chains of summaries, and ports in
constants. Each is made for a port and once more for memory: for memory the claim is true.
As a program it tries many:
``PYTHONPATH=tests/common python tests/prover/attacks_on_ports.py --count 200 --seed 1000``.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from claims import Said, false
from port_programs import CODE_AT_8000, ROM_GB, Begun, Ended, ensured
from runs_of_claims import Drawn, Truth, main

from romproof.harness.rom import Rom

VALUES = ((1, 2, 3, 4), (0, 0xFF, 0, 0x7F), (0xA5, 0x5A, 0x3C, 0xC3), (2, 4, 8, 16), (128, 1, 7))


@dataclass(frozen=True)
class Read:
    """Code that leaves 0 in A if ``port`` brings the same each time; ``inputs`` are further items
    of ``in:``, ``written`` of ``out:``, and ``registers`` those that it needs to be as they are."""

    port: str
    code: str
    inputs: str = ""
    written: str = ""
    requires: str = ""
    others: Mapping[str, tuple[str | None, str]] = field(default_factory=dict)
    registers: Mapping[str, int] = field(default_factory=dict)
    head: str | None = None
    memory: Mapping[str, int] = field(default_factory=dict)


CLOBBERS = {"6502": "A X Y N V Z C D ptr tmp", "sm83": "A B C D E HL F ptr tmp"}


def zero_page_wraps(draw: random.Random) -> Read:
    """n is at $80: 16 bytes beyond the last of zero page it comes again."""
    port, address = draw.choice((("n", 0x80), ("m", 0x81), ("tmp", 0x82)))
    x = draw.randint(0xC0, 0xFF)
    base = (address - x) & 0xFF
    two = draw.choice((f"eor ${base:02X},x", f"sec/sbc ${base:02X},x", f"eor {port}"))
    return Read(port, f"ldx #${x:02X}/lda ${base:02X},x/{two}/rts")


def past_the_last_address(draw: random.Random) -> Read:
    """An index past $FFFF comes to zero page."""
    port, address = draw.choice((("n", 0x80), ("m", 0x81)))
    x = draw.randint(address + 1, 0xFF)
    base = 0x10000 + address - x
    return Read(
        port, f"ldx #${x:02X}/lda a:${base:04X},x/eor {draw.choice((port, f'a:${base:04X},x'))}/rts"
    )


def half_a_pointer(draw: random.Random) -> Read:
    """The port is one byte of the pointer that is read through."""
    port = draw.choice(("ptr", "ptr+1"))
    other, value = ("ptr+1", 3) if port == "ptr" else ("ptr", 0x10)
    return Read(
        port,
        f"lda #{value}/sta {other}/ldy #0/lda (ptr),y/eor (ptr),y/rts",
        "$0300[256] " if port == "ptr" else "$0000[1] $0310[1] $0110[1]",
        memory={f"${0x0300 + i:04X}": i for i in range(256)}
        if port == "ptr"
        else {"$0310": 9, "$0110": 4},
    )


def indexed_pointer(draw: random.Random) -> Read:
    """(zp,x) with an index that wraps around, and the place it leads to is a port."""
    x = draw.randint(0x90, 0xFF)
    base = (0x83 - x) & 0xFF
    return Read(
        "arr",
        f"lda #<arr/sta ptr/lda #>arr/sta ptr+1/ldx #${x:02X}/lda (${base:02X},x)/"
        f"eor {draw.choice(('arr', f'(${base:02X},x)'))}/rts",
    )


def reads_and_writes(draw: random.Random) -> Read:
    """An instruction that changes a port reads it, and what it wrote is not there."""
    port = draw.choice(("n", "arr"))
    code = draw.choice(
        (
            f"lda {port}/inc {port}/clc/adc #1/eor {port}/rts",
            f"lda {port}/asl a/sta tmp/asl {port}/lda {port}/eor tmp/rts",
            f"lda {port}/dec {port}/inc {port}/eor {port}/rts",
            f"lda #5/sta {port}/lda {port}/eor #5/rts",
            f"clc/lda #0/ror {port}/bcc @e/rol {port}/lda {port}/and #1/eor #1/@e: rts",
            f"lda {port}/bit {port}/bpl @p/and #$80/eor #$80/rts/@p: and #$80/rts",
            f"ldx {port}/cpx {port}/beq @e/lda #1/rts/@e: lda #0/rts",
            f"lda {port}/sec/sbc {port}/beq @e/lda #1/@e: rts",
        )
    )
    return Read(port, code, written=port)


def by_an_index(draw: random.Random) -> Read:
    """One cell of an array is the port, and an input says which is read."""
    cell = draw.randint(0, 3)
    two = draw.choice(("eor arr,x", "sec/sbc arr,x"))
    return Read(
        f"arr+{cell}",
        f"lda arr,x/{two}/rts",
        "X arr[4]",
        requires="X in 0..3",
        registers={"x": cell},
    )


def summaries(draw: random.Random) -> Read:
    """Chains of callees with contracts, each with a loop that only a summary passes."""
    read = "lda n/eor n"
    loop = f"ldx #3/@l: {read}/bne @e/dex/bne @l/@e: rts"
    cut = "; invariant: @l: X in 1..3; decreases: @l: X"
    deep = "in: n; out: A; ensures: A == 0; clobbers: X N V Z C"
    own = deep.replace("X", "X Y")
    others: dict[str, tuple[str | None, str]] = {"deep": (draw.choice((deep, deep + cut)), loop)}
    above = draw.choice(
        ("jsr deep/rts", "jmp deep", "ldy #2/@o: jsr deep/bne @e/dey/bne @o/@e: rts")
    )
    more = "; invariant: @o: Y in 1..2; decreases: @o: Y" if "@o" in above else ""
    others["mid"] = (draw.choice((None, own, own + more)), above)
    others["top"] = (draw.choice((None, own)), draw.choice(("jsr mid/rts", "jmp mid")))
    return Read("n", draw.choice(("jsr top/rts", "jmp top", "jsr mid/jmp top")), others=others)


def two_callees(draw: random.Random) -> Read:
    """One callee stores what it read, another compares; neither knows of a port."""
    one = "in: n; out: X; ensures: X == n; clobbers: N Z"
    two = "in: n X; out: A; ensures: X == n -> A == 0; clobbers: N Z tmp"
    others: dict[str, tuple[str | None, str]] = {
        "fetch": (draw.choice((None, one)), "ldx n/rts"),
        "same": (
            draw.choice((None, two)),
            "txa/eor n/rts",
        ),
    }
    return Read("n", draw.choice(("jsr fetch/jsr same/rts", "jsr fetch/jmp same")), others=others)


def in_constants(draw: random.Random) -> Read:
    """A port among read-only data."""
    index = draw.randint(0, 3)
    port = draw.choice(("reg", f"table+{index}"))
    if port == "reg":
        code = draw.choice(
            ("lda reg/eor reg/rts", "lda reg/cmp #7/beq @e/lda #1/rts/@e: lda #0/rts")
        )
    else:
        code = draw.choice(
            (
                f"ldx #{index}/lda table,x/eor #{index + 1}/rts",
                f"lda #<table/sta ptr/lda #>table/sta ptr+1/ldy #{index}/lda (ptr),y/"
                f"eor #{index + 1}/rts",
            )
        )
    others: dict[str, tuple[str | None, str]] = {}
    if draw.random() < 0.5:
        own = "in: none; out: A; ensures: A == 0; clobbers: X Y N V Z C ptr"
        others["callee"] = (draw.choice((None, own)), code)
        code = draw.choice(("jsr callee/rts", "jmp callee"))
    return Read(port, code, others=others, head=CODE_AT_8000)


def copied(draw: random.Random) -> Read:
    """Blocks are copied from over the port, twice, by a callee with a pointer."""
    contract = (
        "pointer: ptr -> block[2]; in: ptr block; out: A; "
        "ensures: A == (block[0] ^ block[1]); clobbers: Y N Z"
    )
    others: dict[str, tuple[str | None, str]] = {
        "mix": (draw.choice((None, contract)), "ldy #0/lda (ptr),y/iny/eor (ptr),y/rts")
    }
    cell = draw.randint(0, 1)
    return Read(
        f"arr+{cell}",
        "lda #<arr/sta ptr/lda #>arr/sta ptr+1/jsr mix/sta tmp/jsr mix/eor tmp/rts",
        "arr[2]",
        others=others,
    )


def gb_pointer(draw: random.Random) -> Read:
    """[hl] in all its forms."""
    port = draw.choice(("arr", "n"))
    code = draw.choice(
        (
            "ld a, [hl]/xor [hl]/ret",
            "ld a, [hl+]/dec hl/xor [hl]/ret",
            "ld a, [hl-]/inc hl/sub [hl]/ret",
            "ld a, [hl]/inc [hl]/inc a/xor [hl]/ret",
            "ld [hl], 5/ld a, [hl]/xor 5/ret",
            "set 0, [hl]/ld a, [hl]/and 1/xor 1/ret",
            "res 0, [hl]/ld a, [hl]/and 1/ret",
            "swap [hl]/ld a, [hl]/swap a/swap [hl]/xor [hl]/ret",
            "bit 0, [hl]/jr z, .z/bit 0, [hl]/jr nz, .e/ld a, 1/ret/"
            ".z: bit 0, [hl]/jr z, .e/ld a, 1/ret/.e: xor a/ret",
            "ld a, [hl]/cp [hl]/jr z, .e/ld a, 1/ret/.e: xor a/ret",
            "ld d, h/ld e, l/ld a, [de]/ld b, a/ld a, [de]/xor b/ret",
            "sla [hl]/ld a, [hl]/and 1/ret",
        )
    )
    return Read(port, f"ld hl, {port}/{code}", written=port)


def gb_stack(draw: random.Random) -> Read:
    """A port is read by what takes words: the stack pointer over it."""
    code = draw.choice(
        (
            "ld [tmp], sp/ld sp, arr/pop bc/ld sp, arr/pop de/ld a, [tmp]/ld l, a/"
            "ld a, [tmp+1]/ld h, a/ld sp, hl/ld a, c/xor e/ret",
            "ld a, [arr]/ld b, a/ld hl, arr/ld a, [hl]/xor b/ret",
        )
    )
    return Read("arr", code, "arr[2]")


def gb_high(draw: random.Random) -> Read:
    """ldh with C, and n at $FF90 by the long way."""
    one = draw.choice(("ldh a, [c]", "ldh a, [n]", "ld a, [n]", "ld a, [hl]"))
    two = draw.choice(("ldh a, [c]", "ldh a, [n]", "ld a, [n]", "ld a, [hl]"))
    return Read("n", f"ld c, LOW(n)/ld hl, n/{one}/ld b, a/{two}/xor b/ret")


def gb_around(draw: random.Random) -> Read:
    """HL runs past $FFFF: the next byte is the first of ROM."""
    first = draw.choice(("$0000", "$0001"))
    steps = 1 + int(first[1:], 16)
    return Read(
        first,
        "ld hl, $FFFF/" + "inc hl/" * steps + "ld a, [hl]/xor [hl]/ret",
    )


def gb_summaries(draw: random.Random) -> Read:
    """Chains of callees with contracts, and loops in them."""
    loop = "ld c, 3/.l: ld a, [n]/ld b, a/ld a, [n]/xor b/ret nz/dec c/jr nz, .l/ret"
    cut = "; invariant: .l: C in 1..3; decreases: .l: C"
    deep = "in: n; out: A; ensures: A == 0; clobbers: B C F"
    own = deep.replace("C", "C D")
    others: dict[str, tuple[str | None, str]] = {"deep": (draw.choice((deep, deep + cut)), loop)}
    above = draw.choice(
        ("call deep/ret", "jp deep", "ld d, 2/.o: call deep/ret nz/dec d/jr nz, .o/ret")
    )
    more = "; invariant: .o: D in 1..2; decreases: .o: D" if ".o" in above else ""
    others["mid"] = (draw.choice((None, own, own + more)), above)
    others["top"] = (
        draw.choice((None, own)),
        draw.choice(("call mid/ret", "jp mid", "call mid/jp mid")),
    )
    return Read("n", draw.choice(("call top/ret", "jp top", "call mid/jp top")), others=others)


def gb_in_constants(draw: random.Random) -> Read:
    """A port in ROM, as registers of mappers are."""
    index = draw.randint(0, 3)
    port = draw.choice(("reg", f"table+{index}"))
    if port == "reg":
        code = draw.choice(("ld a, [reg]/xor 7/ret", "ld hl, reg/ld a, [hl]/xor [hl]/ret"))
    else:
        code = f"ld hl, table/ld de, {index}/add hl, de/ld a, [hl]/xor {index + 1}/ret"
    others: dict[str, tuple[str | None, str]] = {}
    if draw.random() < 0.5:
        own = "in: none; out: A; ensures: A == 0; clobbers: D E HL F"
        others["callee"] = (draw.choice((None, own)), code)
        code = draw.choice(("call callee/ret", "jp callee"))
    return Read(port, code, others=others, head=ROM_GB)


KINDS: dict[str, tuple[Callable[[random.Random], Read], ...]] = {
    "6502": (
        zero_page_wraps, past_the_last_address, half_a_pointer, indexed_pointer, reads_and_writes,
        by_an_index, summaries, two_callees, in_constants, copied,
    ),
    "sm83": (gb_pointer, gb_stack, gb_high, gb_around, gb_summaries, gb_in_constants),
}  # fmt: skip
ALL = [(cpu, make) for cpu, kinds in KINDS.items() for make in kinds]


def drawn(seed: int) -> Drawn:
    """The claim of a number: of a port, each fourth of memory."""
    draw = random.Random(f"ports {seed}")
    cpu, make = ALL[seed % len(ALL)]
    read = make(draw)
    is_port = seed // len(ALL) % 4 != 3
    inputs = f"{'volatile ' if is_port else ''}{read.port}[1] {read.inputs}".strip()
    if not is_port and read.inputs:
        inputs = read.inputs.strip()
        if half_a_pointer is make or read.port.partition("+")[0] not in inputs:
            inputs = f"{read.port}[1] {inputs}"
    required = f"requires: {read.requires}; " if read.requires else ""
    written = f" {read.written}[1]" if read.written else ""
    names = CLOBBERS[cpu].split()
    named = set(inputs.replace("[", " ").replace("+", " ").split())
    clobbers = " ".join(n for n in names[1:] if not (n in named and n in ("ptr", "tmp")))
    if read.written in names:
        clobbers = clobbers.replace(read.written, "").strip()
    if make is half_a_pointer:
        other = "ptr[1]" if read.port == "ptr+1" else "ptr+1[1]"
        clobbers += f" {other}"
    contract = f"in: {inputs}; {required}out: A{written}; ensures: A == 0; clobbers: {clobbers}"
    said: Said = false(contract, read.code, others=read.others, head=read.head)
    given = VALUES[draw.randrange(len(VALUES))]
    begun = [
        Begun({read.port: stream} if is_port else {}, read.registers, read.memory)
        for stream in ((given, *VALUES) if is_port else ((0,),))
    ]

    def judge(rom: Rom, ended: Sequence[Ended]) -> Truth:
        return Truth.OPEN if ensured(rom, ended) else Truth.BROKEN

    return Drawn(make.__name__.replace("_", " "), cpu, said, tuple(begun), judge)


if __name__ == "__main__":
    sys.exit(main(drawn))
