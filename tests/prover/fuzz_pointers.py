"""Routines with pointers at random, with slips, and what runs at many places say of them.

A routine copies, combines or sets a few bytes of one block or two: as many as a constant or an
input says, upwards or downwards; a byte too many or too few, a pointer that moves within its page,
one that comes back or not, a variable beside. The runs are at places right beside the variables,
beside each other, across pages and at the ends of memory; calls check the contract of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from claims import Said, rom_of, source

from romproof.harness.errors import RequirementBroken
from romproof.text.errors import RomproofError

CPUS = ("6502", "sm83")
RUNS = 60
"""Places that are tried for each count."""
HEADS = {
    "6502": """\
        .segment "ZEROPAGE"
before: .res 2
n:      .res 1
tmp:    .res 1
ptr:    .res 2
buf:    .res 2
        .exportzp n, tmp, ptr, buf
        .segment "CODE"
""",
    "sm83": """\
SECTION "Work", WRAM0[$C0FD]
n:: ds 1
tmp:: ds 1
SECTION "Main", ROM0[$0150]
""",
}


@dataclass(frozen=True)
class Routine:
    """A claim about a routine, and what it is to do: ``counts`` are those that are allowed."""

    cpu: str
    said: Said
    work: str
    counts: tuple[int, ...]
    by_input: bool


def routine_of(seed: int) -> Routine:
    """The routine of a seed."""
    random = Random(seed)
    cpu, work = random.choice(CPUS), random.choice(("copy", "eor", "set"))
    most, by_input = random.randint(1, 5), random.random() < 0.5
    least = random.choice((0, 1, 1))
    name = "X" if cpu == "6502" else "C"
    count = name if by_input else str(most)
    code, more = (_code_6502 if cpu == "6502" else _code_sm83)(random, work, count, least)
    reads = {"copy": "src", "eor": "src dst", "set": "A"}[work]
    said = {"copy": "old src[j]", "eor": "old src[j] ^ old dst[j]", "set": "old A"}[work]
    source_of, into = ("ptr", "buf") if cpu == "6502" else ("HL", "DE")
    pointers = [f"pointer: {into} -> dst[{count}]"]
    if work != "set":
        pointers.append(f"pointer: {source_of} -> src[{count}]")
    guard = random.choice(("j <", "j <", "j <", "j <=", "j + 1 <"))
    given = f"{source_of} {into} {reads} {name if by_input else ''}"
    requires = f"requires: {name} in {least}..{most}; " if by_input else ""
    last = max(most - 1, 0)
    contract = (
        f"in: {given}; {requires}{'; '.join(pointers)}; out: dst; clobbers: {more}; stack: 0; "
        f"ensures: all j in 0..{last}: {guard} old ({count}) -> dst[j] == {said}"
    )
    counts = tuple(range(least, most + 1)) if by_input else (most,)
    return Routine(cpu, Said(contract, code, head=HEADS[cpu]), work, counts, by_input)


def _code_6502(random: Random, work: str, count: str, least: int) -> tuple[str, str]:
    load = {"copy": "lda (ptr),y", "eor": "lda (ptr),y/eor (buf),y", "set": "lda tmp"}[work]
    slip = random.choice(("", "", "", "", "", "", "inc buf/", "inc ptr/dec ptr/", "sta n/"))
    more = random.choice(("", "", "", "", "sta (buf),y/"))
    begin = "sta tmp/" if work == "set" else ""
    clobbers = "A Y N Z C tmp ptr[2] n" if slip else "A Y N Z C tmp"
    if count == "X":
        begin += "stx n/"
        clobbers += "" if slip else " n"
    limit = "n" if count == "X" else f"#{count}"
    if random.random() < 0.5:
        first = random.choice((0, 0, 0, 0, 1))
        test = f"cpy {limit}/beq @d/"
        code = f"{begin}ldy #{first}/@l: {test}{load}/{slip}sta (buf),y/iny/jmp @l/@d: {more}rts"
    else:
        start = "ldy n" if count == "X" else f"ldy #{count}"
        last = random.choice(("cpy #0/bne @l", "cpy #0/bne @l", "cpy #1/bne @l", "bpl @l"))
        guard = "beq @d/" if least == 0 or random.random() < 0.5 else ""
        code = f"{begin}{start}/{guard}@l: dey/{load}/{slip}sta (buf),y/{last}/@d: {more}rts"
    return code, clobbers


def _code_sm83(random: Random, work: str, count: str, least: int) -> tuple[str, str]:
    step = random.choice(("inc de", "inc de", "inc de", "inc e"))
    body = {
        "copy": f"ld a, [hl+]/ld [de], a/{step}",
        "eor": f"ld a, [de]/xor [hl]/{random.choice(('inc hl', 'inc hl', 'inc l'))}/"
        f"ld [de], a/{step}",
        "set": f"ld [de], a/{step}",
    }[work]
    begin = "" if count == "C" else f"ld c, {count}/"
    guard = "inc c/dec c/ret z/" if least == 0 and random.random() < 0.7 else ""
    more = random.choice(("", "", "", "ld [de], a/", "ld [tmp], a/"))
    clobbers = "C DE HL F" if work == "set" else "A C DE HL F"
    if "tmp" in more:
        clobbers += " tmp"
    return f"{begin}{guard}.l: {body}/dec c/jr nz, .l/{more}ret", clobbers


def broken(routine: Routine, seed: int) -> Iterator[tuple[int, int, int]]:
    """The counts and places for which a run breaks the contract."""
    rom = rom_of(routine.cpu, source(routine.cpu, routine.said))
    random = Random(seed)
    for count in routine.counts:
        for _ in range(RUNS):
            one, two = _places(random, routine.cpu, count)
            data, old = random.randbytes(max(count, 1)), random.randbytes(max(count, 1))
            value = random.randrange(256)
            if _on_code(routine.cpu, one, count) or _on_code(routine.cpu, two, count):
                continue
            memory: dict[str | int, bytes] = {two: old} if count else {}
            if count and routine.work != "set":
                memory[one] = data
            registers = {"a": value} if routine.work == "set" else {}
            if routine.cpu == "6502":
                memory |= {"ptr": one.to_bytes(2, "little"), "buf": two.to_bytes(2, "little")}
            else:
                registers |= {"hl": one, "de": two}
            if routine.by_input:
                registers["x" if routine.cpu == "6502" else "c"] = count
            try:
                rom.call("it", **registers, mem=memory)  # type: ignore[arg-type]
            except RequirementBroken:
                continue
            except (AssertionError, RomproofError):
                yield count, one, two
                break


def _on_code(cpu: str, place: int, count: int) -> bool:
    """Whether a block lies on the code: a call cannot put anything there."""
    code = range(0x1000, 0x1100) if cpu == "6502" else range(0x200)
    return place < code.stop and code.start < place + max(count, 1)


def _places(random: Random, cpu: str, count: int) -> tuple[int, int]:
    """Where the blocks are: notable places, often beside each other."""
    edges = (
        (0, 0x80, 0x88, 0x100, 0x200, 0x10000)
        if cpu == "6502"
        else (*(0x8000, 0xC0FD, 0xC0FF, 0xC100, 0xE000, 0xFF80, 0x10000),)
    )
    place = random.choice(edges) if random.random() < 0.5 else 0x100 * random.randrange(256)
    one = (place + random.randint(-count - 1, 2)) % 0x10000
    beside = random.choice((one + count, one - count, one + count + 1, one))
    far = random.choice(edges) + random.randint(-count - 1, 2)
    two = (beside if random.random() < 0.5 else far) % 0x10000
    limit = 0x10000 - max(count, 1)
    return min(one, limit), min(two, limit)
