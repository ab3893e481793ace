"""Chains of calls from bank to bank, made at random: what each step notes down is known.

All steps lie at one address, in as many banks; so do the bytes that they read. Each step notes its
number and its byte, calls the next by way of the fixed bank, which brings back the bank of the
caller, and returns. So the numbers noted say which code ran, and the order of the chain is right
by how it was made. Banks are those of MBC5, beyond 255 too, of cartridge RAM, and of UxROM, MMC1
and MMC3 (in both of its windows), in areas of whatever name.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import romproof
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

LIMIT = 100_000
TOKEN = 0x80
"""What the bytes of steps have besides their number."""


@dataclass(frozen=True)
class Chain:
    """A program; ``order`` are the steps as they call each other, ``banks`` where they are."""

    files: Mapping[str, str]
    order: tuple[int, ...]
    banks: Mapping[int, int]

    def rom(self, folder: Path) -> Rom:
        """The program, for its machine."""
        for name, text in self.files.items():
            (folder / name).write_text(text)
        return romproof.load(folder)

    def noted(self, steps: tuple[int, ...]) -> bytes:
        """What these steps note down."""
        return bytes(value for step in steps for value in (step, step | TOKEN))


# ---------------------------------------------------------------- Game Boy

GB_HEAD = """\
SECTION "entry", ROM0[$100]
 nop
 jp start
 ds $150 - @
start: jr start
SECTION "variables", WRAM0[$C100]
wNoted:: ds 40
wCount:: db
SECTION "high", HRAM
hBank:: dw
SECTION "fixed", ROM0
note::
 push hl
 push de
 ld e, a
 ld a, [wCount]
 ld l, a
 inc a
 ld [wCount], a
 ld h, 0
 ld a, e
 ld de, wNoted
 add hl, de
 ld [hl], a
 pop de
 pop hl
 ret
far::
 ldh a, [hBank]
 ld c, a
 ldh a, [hBank+1]
 ld b, a
 push bc
 call bring
 call jump
 pop de
bring::
 ld a, e
 ldh [hBank], a
 ld [$2000], a
 ld a, d
 ldh [hBank+1], a
 ld [$3000], a
 ret
jump: jp hl
"""


def game_boy(seed: int) -> Chain:
    """Steps in ROMX banks of MBC5; some seeds have banks beyond 255."""
    draw = random.Random(f"chain gb {seed}")
    count = draw.randint(3, 5)
    most = 300 if seed % 8 == 7 else 60
    banks = dict(enumerate(draw.sample(range(1, most), count)))
    order = tuple(draw.sample(range(count), count))
    at, data = draw.choice((0x4000, 0x4123, 0x7F00)), draw.choice((0x5000, 0x7FFF))
    source = [GB_HEAD, "all::", *_gb_call(order[0]), " ret"]
    places = list(range(count))
    draw.shuffle(places)
    for step in places:
        after = order[order.index(step) + 1 :]
        source += [
            f'SECTION "code {step}", ROMX[${at:04X}], BANK[{banks[step]}]',
            f"step_{step}::", f" ld a, {step}", " call note", f" ld a, [data_{step}]", " call note",
            *(_gb_call(after[0]) if after else []), " ret",
            f'SECTION "data {step}", ROMX[${data:04X}], BANK[{banks[step]}]',
            f"data_{step}:: db {step | TOKEN}",
        ]  # fmt: skip
    table = '[tool.romproof]\nname = "game"\ncpu = "sm83"\nmachine = "gameboy"\n'
    table += 'sources = ["game.asm"]\nheader = { mbc = "MBC5" }\n'
    return Chain({"game.asm": "\n".join(source) + "\n", "pyproject.toml": table}, order, banks)


def _gb_call(step: int) -> list[str]:
    return [f" ld de, BANK(step_{step})", f" ld hl, step_{step}", " call far"]


def game_boy_ram(seed: int) -> Chain:
    """Steps in the fixed bank, each with a variable in a bank of cartridge RAM."""
    draw = random.Random(f"chain ram {seed}")
    count = draw.randint(2, 4)
    banks = dict(enumerate(draw.sample(range(4), count)))
    order = tuple(draw.sample(range(count), count))
    source = [GB_HEAD, "all::", " ld a, $0A", " ld [$0000], a"]
    source += [*(f" call step_{step}" for step in order), " ret"]
    for step in range(count):
        source += [
            f"step_{step}::", f" ld a, {banks[step]}", " ld [$4000], a", f" ld a, {step}",
            " call note", f" ld a, {step | TOKEN}", f" ld [data_{step}], a",
            f" ld a, [data_{step}]", " call note", " ret",
        ]  # fmt: skip
    for step in range(count):
        source += [
            f'SECTION "ram {step}", SRAM[$A010], BANK[{banks[step]}]', f"data_{step}:: db",
        ]  # fmt: skip
    table = '[tool.romproof]\nname = "game"\ncpu = "sm83"\nmachine = "gameboy"\n'
    table += 'sources = ["game.asm"]\nheader = { mbc = "MBC5+RAM", ram_size = 3 }\n'
    return Chain({"game.asm": "\n".join(source) + "\n", "pyproject.toml": table}, order, banks)


# ---------------------------------------------------------------- NES

NES_CODE = """\
.segment "ZEROPAGE"
.exportzp noted, count, bank, target
noted: .res 40
count: .res 1
bank: .res 1
target: .res 2
.segment "FIXED"
.export note, far, all
note: sty saved
 ldy count
 sta noted,y
 inc count
 ldy saved
 rts
far: lda bank
 pha
 stx bank
 jsr bring
 jsr jump
 pla
 sta bank
 tax
 jmp bring
jump: jmp (target)
reset: jmp reset
.segment "ZEROPAGE"
saved: .res 1
.segment "VECTORS"
 .word reset, reset, reset
.segment "FIXED"
"""
BOARDS = {
    "UxROM": (
        2,
        0x4000,
        "bring: lda numbers,x\n sta numbers,x\n rts\nnumbers: .byte 0,1,2,3,4,5,6,7\n",
    ),
    "MMC1": (
        1,
        0x4000,
        "bring: txa\n" + " sta $E000\n lsr a\n" * 5 + " rts\n",
    ),
    "MMC3": (
        4,
        0x2000,
        "bring: lda which\n sta $8000\n stx $8001\n rts\nwhich: .byte {register}\n",
    ),
}
"""By the board: its number, the bytes of a bank, and what brings bank X in sight."""
NAMES = [
    "PRG3", "PRG0", "B1", "BANK7", "MUSIC", "x2", "SIXTEEN", "PRGA", "TEN10", "LAST", "ROM0",
    "ROMX", "HIGH1", "LEVELS", "_2", "CODE",
]  # fmt: skip


def nes(seed: int) -> Chain:
    """Steps in banks of 8 or 16 KiB; a bank is one area, or several in parts."""
    draw = random.Random(f"chain nes {seed}")
    board = list(BOARDS)[seed % len(BOARDS)]
    mapper, size, bring = BOARDS[board]
    number = 0x20000 // size
    window = draw.choice((0x8000, 0xA000)) if board == "MMC3" else 0x8000
    fixed, count = number - 1, draw.randint(3, 5)
    # MMC3 has the last two banks in sight at all times
    usable = number - (2 if board == "MMC3" else 1)
    banks = dict(enumerate(draw.sample(range(usable), count)))
    order = tuple(draw.sample(range(count), count))
    names = iter(draw.sample(NAMES, len(NAMES)))
    memory = ["ZP: start=0, size=$100, type=rw;", "HEADER: start=0, size=$10, file=%O, fill=yes;"]
    segments = ["ZEROPAGE: load=ZP, type=zp;", "HEADER: load=HEADER, type=ro;"]
    offset = draw.choice((0, 0x123, 0x800))
    data = draw.choice((size // 2, size - 1))
    for place in range(number):
        start = 0x10000 - size if place == fixed else window
        if board == "MMC3" and place == fixed - 1:
            start = 0xC000
        steps = [step for step, bank in banks.items() if bank == place]
        fill = draw.choice((0, 0xFF))
        more = f", fillval=${fill:02X}" + draw.choice(("", f", bank={draw.randrange(16)}"))
        halves = bool(steps) and draw.random() < 0.4 and data == size // 2
        parts = [(start, size)]
        if halves:
            parts = [(start, size // 2), (start + size // 2, size // 2)]
        areas = []
        for begin, length in parts:
            name = next(names, f"AREA{place}_{begin:X}")
            areas.append(name)
            memory.append(
                f"{name}: start=${begin:X}, size=${length:X}, type=ro, file=%O, fill=yes{more};"
            )
        for step in steps:
            segments.append(f"S{step}: load={areas[0]}, type=ro, start=${start + offset:X};")
            segments.append(f"D{step}: load={areas[-1]}, type=ro, start=${start + data:X};")
        if place == fixed:
            segments.append(f"FIXED: load={areas[0]}, type=ro;")
            segments.append(f"VECTORS: load={areas[0]}, type=ro, start=$FFFA;")
    config = "MEMORY {\n" + "\n".join(memory) + "\n}\nSEGMENTS {\n" + "\n".join(segments) + "\n}\n"
    register = 6 if window == 0x8000 else 7
    source = [f'.segment "HEADER"\n .byte "NES", $1A, 8, 0, ${mapper << 4 & 0xF0:02X}, 0']
    source.append(NES_CODE + bring.format(register=register))
    source.append("all:\n" + _nes_call(order[0], banks) + " rts")
    places = list(range(count))
    draw.shuffle(places)
    for step in places:
        after = order[order.index(step) + 1 :]
        source.append(
            f'.segment "S{step}"\n.export step_{step}\nstep_{step}: lda #{step}\n jsr note\n'
            f" lda data_{step}\n jsr note\n{_nes_call(after[0], banks) if after else ''} rts\n"
            f'.segment "D{step}"\n.export data_{step}\ndata_{step}: .byte {step | TOKEN}'
        )
    table = '[tool.romproof]\nname = "game"\nmachine = "nes"\nsources = ["game.s"]\n'
    table += 'config = "game.cfg"\noutput = "game.nes"\n'
    files = {"game.s": "\n".join(source) + "\n", "game.cfg": config, "pyproject.toml": table}
    return Chain(files, order, banks)


def _nes_call(step: int, banks: Mapping[int, int]) -> str:
    return (
        f" lda #<step_{step}\n sta target\n lda #>step_{step}\n sta target+1\n"
        f" ldx #{banks[step]}\n jsr far\n"
    )


# ---------------------------------------------------------------- what is asked

KINDS: tuple[Callable[[int], Chain], ...] = (game_boy, nes, game_boy_ram)


def _names(machine: Machine) -> tuple[str, str]:
    symbols = {symbol.name for symbol in machine.image.symbols}
    return ("wNoted", "wCount") if "wNoted" in symbols else ("noted", "count")


def _begun(rom: Rom) -> Machine:
    machine = rom.machine()
    noted, count = _names(machine)
    machine.write(count, 0)
    machine.write(noted, bytes(40))
    return machine


def _noted(machine: Machine) -> bytes:
    noted, count = _names(machine)
    return machine.read(noted, 40)[: machine.read(count, 1)[0]]


def wrong(chain: Chain, folder: Path) -> Iterator[str]:
    """What is not as the chain says: of calls, stubs, watches, and places where runs end."""
    rom, order = chain.rom(folder), chain.order
    is_code = not any("SRAM" in text for text in chain.files.values())
    machine = _begun(rom)
    machine.call("all", check=False, limit=LIMIT)
    if _noted(machine) != chain.noted(order):
        yield f"all: {_noted(machine).hex()}"
    for step in order:
        at = order.index(step)
        before, after = order[:at], order[at + 1 :]
        yield from _stub_and_watch(rom, chain, step, is_code)
        machine = _begun(rom)
        machine.run_from("all", until=f"step_{step}", limit=LIMIT, check=False)
        if _noted(machine) != chain.noted(before):
            yield f"run until step_{step}: {_noted(machine).hex()}"
        machine.run_from(f"step_{step}", until="note", limit=LIMIT, check=False)
        if machine.registers.a != step:
            yield f"run on from step_{step}: {machine.registers.a}"
        if machine.read(f"data_{step}", 1)[0] != step | TOKEN and is_code:
            yield f"read of data_{step}"
        for other in after[:1] if is_code else ():
            start = f"step_{step}"
            machine.run_from(start, until=f"step_{other}", limit=LIMIT, check=False)
            if _noted(machine) != chain.noted((*before, step)):
                yield f"run from step_{step} until step_{other}: {_noted(machine).hex()}"
        machine = _begun(rom)
        for other in after:  # each in its bank, and none is what it would be in another
            if machine.read(f"data_{other}", 1)[0] != other | TOKEN and is_code:
                yield f"read of data_{other}"


def _stub_and_watch(rom: Rom, chain: Chain, step: int, is_code: bool) -> Iterator[str]:
    """A stub of one step while all bytes are watched, then without it, and all steps stubbed."""
    order = chain.order
    at = order.index(step)
    stops = order[:at] if is_code else tuple(one for one in order if one != step)
    machine, seen = _begun(rom), list[int]()
    logs = {other: machine.watch(f"data_{other}") for other in order}
    machine.stub(f"step_{step}", lambda m: seen.append(step))
    machine.call("all", check=False, limit=LIMIT)
    if seen != [step] or _noted(machine) != chain.noted(stops):
        yield f"stub of step_{step}: {seen}, {_noted(machine).hex()}"
    for other in order:
        if bool(logs[other].reads) != (other in stops):
            yield f"watch of data_{other} with a stub of step_{step}: {logs[other].reads}"
    machine.unstub(f"step_{step}")
    machine.write(_names(machine)[1], 0)
    machine.call("all", check=False, limit=LIMIT)
    if seen != [step] or _noted(machine) != chain.noted(order):
        yield f"unstub of step_{step}: {seen}, {_noted(machine).hex()}"
    if any(len(logs[other].reads) != 1 + (other in stops) for other in order):
        yield f"watches after unstub of step_{step}"
    machine, fixed = _begun(rom), list[int]()
    machine.stub("note", lambda m: fixed.append(m.registers.a))
    machine.stub(f"step_{step}", lambda m: fixed.append(0xFF))
    machine.call("all", check=False, limit=LIMIT)
    wanted = [value for one in order for value in (one, one | TOKEN)]
    if is_code:
        wanted = [*chain.noted(stops), 0xFF]
    else:
        wanted[2 * at : 2 * at + 2] = [0xFF]
    if fixed != wanted:
        yield f"stubs of note and step_{step}: {fixed}"
