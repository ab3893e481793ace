"""Random pairs of routines: what is said of them, against all their inputs executed.

    python tests/prover/fuzz_same.py --count 500 --seed 1

The second routine is the first one with a small change, which often changes nothing. Both have the
inputs A, carry and one bit of memory: 1,024 in all, each of which is executed. Ends with exit code
1 if a verdict, or the difference of cycles, is not what that shows.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import romproof
from romproof.prover.results import Verdict
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.same.same import Sameness, prove_same
from romproof.prover.same.sides import pairs_of, side_of

LENGTH = 7
"""Pieces of code of a routine, at most."""

SIMPLE = {
    "6502": (
        "clc", "sec", "asl a", "lsr a", "rol a", "ror a", "adc #{n}", "sbc #{n}", "and #{n}",
        "ora #{n}", "eor #{n}", "adc m", "eor m", "sta r", "adc r", "eor r", "inc r", "asl r",
        "tax", "txa", "inx", "dex", "stx r+1", "ldx m", "cmp #{n}", "cpx #{n}", "lda table,x",
        "and #7\n tax\n lda table,x", "ror r+1", "pha\n lda r\n pla", "jsr helper",
    ),
    "sm83": (
        "scf", "ccf", "add a", "srl a", "rla", "rra", "swap a", "daa", "cpl", "adc a, {n}",
        "sbc a, {n}", "sub {n}", "and {n}", "or {n}", "xor {n}", "adc a, b", "xor b", "ld b, a",
        "ld a, b", "inc b", "dec b", "sla b", "rr b", "cp {n}", "bit 3, a", "set 2, b", "res 7, a",
        "push af\n ld a, b\n pop bc", "ld hl, r\n xor [hl]", "ld hl, r\n ld [hl], a",
        "ld hl, r + 1\n inc [hl]", "call helper",
    ),
}  # fmt: skip
BRANCHES = {"6502": ("bcc", "bcs", "beq", "bne", "bpl"), "sm83": ("nc", "c", "z", "nz")}

IN_LOOPS = ("lsr r", "rol a", "adc r")

BEGIN = {
    "6502": """.zeropage
m: .res 1
r: .res 2
.rodata
table: .byte 1, 3, 7, 12, 0, 255, 128, 64
.code
helper: eor #$40
 lsr a
 rts
.export one, other
""",
    "sm83": """SECTION "v", HRAM
m:: db
r:: ds 2
SECTION "e", ROM0[$100]
 nop
 jp one
 ds $150 - @
SECTION "c", ROM0
helper: xor $40
 srl a
 ret
""",
}
HEADS = {
    "6502": """;; {name} – some code
; in: A C m
; requires: m <= 1
; out: A C r[2]
; clobbers: X N V Z
.proc {name}
 ldx #0
 stx r
 ldx m
 stx r+1
{body}
 rts
.endproc
""",
    "sm83": """;; {name} – some code
; in: A CF m
; requires: m <= 1
; out: A CF r[2]
; clobbers: B C HL ZF NF HF
{name}::
 ld b, a
 ld a, 0
 ldh [r], a
 ldh a, [m]
 ldh [r + 1], a
 ld a, b
 ld b, 3
 bit 0, a
{body}
 ret
""",
}
PROJECT = {
    "6502": '[tool.romproof]\nsources = ["p.s"]\n',
    "sm83": '[tool.romproof]\ncpu = "sm83"\nsources = ["p.asm"]\n',
}


@dataclass(frozen=True)
class Piece:
    """Some instructions, in a loop or behind a branch. ``head`` and ``tail`` go around them."""

    lines: tuple[str, ...]
    head: str = ""
    tail: str = ""

    def __str__(self) -> str:
        body = "\n".join(f" {line}" for line in self.lines)
        return "\n".join(part for part in (self.head, body, self.tail) if part)


def routine(chance: random.Random, cpu: str) -> list[Piece]:
    """A random routine."""
    return [_piece(chance, cpu, number) for number in range(chance.randint(2, LENGTH))]


def _simple(chance: random.Random, cpu: str) -> str:
    return chance.choice(SIMPLE[cpu]).format(n=chance.choice((0, 1, 7, 127, 128, 255)))


def _piece(chance: random.Random, cpu: str, number: int) -> Piece:
    lines = tuple(_simple(chance, cpu) for _ in range(chance.randint(1, 2)))
    kind, branch = chance.random(), chance.choice(BRANCHES[cpu])
    if kind < 0.25:
        label = f"@over{number}" if cpu == "6502" else f".over{number}"
        head = f" {branch} {label}" if cpu == "6502" else f" jr {branch}, {label}"
        return Piece(lines, head, f"{label}:")
    if kind < 0.35 and cpu == "6502":
        loop = f"@loop{number}"
        head, tail = f" ldx #3\n{loop}:", f" dex\n bne {loop}"
        return Piece((chance.choice(IN_LOOPS),), head, tail)
    return Piece(lines)


def changed(chance: random.Random, cpu: str, pieces: Sequence[Piece]) -> list[Piece]:
    """The routine with a small change."""
    new, at = list(pieces), chance.randrange(len(pieces))
    kind = chance.randrange(5)
    if kind == 0:
        # what changes the counter of a loop could make it endless
        line = chance.choice(IN_LOOPS) if "loop" in new[at].head else _simple(chance, cpu)
        new[at] = Piece((line,), new[at].head, new[at].tail)
    elif kind == 1:
        del new[at]
    elif kind == 2:
        new.insert(at, Piece((_simple(chance, cpu),)))
    elif kind == 3 and at + 1 < len(new):
        new[at], new[at + 1] = new[at + 1], new[at]
    else:
        new.append(Piece(("cmp #0" if cpu == "6502" else "cp 0",)))
    return new


def source_of(cpu: str, one: Sequence[Piece], other: Sequence[Piece]) -> str:
    """Both routines as a program."""
    text = BEGIN[cpu]
    for name, pieces in (("one", one), ("other", other)):
        text += HEADS[cpu].format(name=name, body="\n".join(map(str, pieces)))
    return text


def project(cpu: str, source: str, folder: Path) -> romproof.Rom:
    """The program, built."""
    (folder / ("p.s" if cpu == "6502" else "p.asm")).write_text(source, "utf-8")
    (folder / "pyproject.toml").write_text(PROJECT[cpu], "utf-8")
    return romproof.load(folder)


Outcome = tuple[int, int, bytes, int]
"""A, carry, ``r`` and the cycles."""


def outcomes(rom: romproof.Rom, name: str) -> Iterator[Outcome]:
    """What comes of each input."""
    for a in range(256):
        for carry in (0, 1):
            for bit in (0, 1):
                done = rom.call(name, a=a, flags={"c": carry}, mem={"m": bit})
                yield done.a, int(done.flags["c"]), bytes(done.mem["r"]), done.cycles


def wrong(result: Sameness, one: Sequence[Outcome], other: Sequence[Outcome]) -> str:
    """What is said and not so; "" when all is."""
    equal = all(a[:3] == b[:3] for a, b in zip(one, other, strict=True))
    if result.verdict is Verdict.UNKNOWN:
        return ""
    if (result.verdict is Verdict.PROVED) != equal:
        return f"{result.verdict.value}, but they are {'equal' if equal else 'not equal'}"
    more = [b[3] - a[3] for a, b in zip(one, other, strict=True)]
    if result.more_cycles not in (None, (min(more), max(more))):
        return f"{result.more_cycles} cycles more, but {min(more)}..{max(more)}"
    for cost, seen in ((result.one, one), (result.other, other)):
        assert cost is not None
        limits = min(each[3] for each in seen), max(each[3] for each in seen)
        if cost.cycles not in (None, limits):
            return f"{cost.cycles} cycles, but {limits}"
    return ""


def judge(cpu: str, seed: int, folder: Path) -> tuple[str, str]:
    """The verdict on one random pair, and what is wrong with it, with its source."""
    chance = random.Random(f"{cpu}{seed}")
    one = routine(chance, cpu)
    source = source_of(cpu, one, changed(chance, cpu, one))
    rom = project(cpu, source, folder)
    sides = [side_of(name, rom, name) for name in ("one", "other")]
    result = prove_same(pairs_of(*sides), ProofOptions())
    fault = wrong(result, [*outcomes(rom, "one")], [*outcomes(rom, "other")])
    return result.verdict.value, f"{cpu} {seed}: {fault}\n{source}" if fault else ""


def main() -> int:
    """The whole run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="how many pairs for each CPU")
    parser.add_argument("--seed", type=int, default=1, help="the first one's")
    chosen = parser.parse_args()
    counts: dict[str, int] = {}
    faults = 0
    with tempfile.TemporaryDirectory() as made:
        for seed in range(chosen.seed, chosen.seed + chosen.count):
            for cpu in SIMPLE:
                verdict, fault = judge(cpu, seed, Path(made))
                counts[verdict] = counts.get(verdict, 0) + 1
                if fault:
                    faults += 1
                    print(fault, flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
