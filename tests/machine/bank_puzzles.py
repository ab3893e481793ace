"""Programs whose routines say which bank they are in, made at random: what runs tells is right.

Each bank has a routine that gives back the bank's number, at an address that others have one at,
too. A layout calls the banks as it likes, in any order; so what decides is the place in the image.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import romproof
from romproof.harness.rom import Rom


@dataclass(frozen=True)
class Puzzle:
    """A program: its files, and by the name of each routine the number that it gives back."""

    files: dict[str, str]
    numbers: dict[str, int]

    def rom(self, folder: Path) -> Rom:
        """The program, for its machine."""
        for name, text in self.files.items():
            (folder / name).write_text(text)
        return romproof.load(folder)


def game_boy(seed: int) -> Puzzle:
    """Routines in ROMX banks, and in the fixed one callers that bring them in sight."""
    draw = random.Random(seed)
    banks = draw.sample(range(1, 8), 4)
    source = ['SECTION "entry", ROM0[$100]', " nop", " jp start", " ds $150 - @", "start: jr start"]
    for bank in banks:
        source += [
            f"call_{bank}::", f" ld a, {bank}", " ld [$2000], a", f" call give_{bank}", " ret",
        ]  # fmt: skip
    source += ["all::", *(f" call call_{bank}" for bank in banks), " ret"]
    for bank in banks:
        at = draw.choice(("[$4000]", "[$4000]", "[$4100]"))
        source += [
            f'SECTION "b{bank}", ROMX{at}, BANK[{bank}]',
            f"give_{bank}::",
            f" ld a, {bank}",
            " ret",
        ]
    table = '[tool.romproof]\nname = "game"\ncpu = "sm83"\nmachine = "gameboy"\n'
    table += 'sources = ["game.asm"]\nheader = { mbc = "MBC5" }\n'
    numbers = {f"give_{bank}": bank for bank in banks}
    return Puzzle({"game.asm": "\n".join(source) + "\n", "pyproject.toml": table}, numbers)


MAPPERS = {"UxROM": (2, 0x4000, 4), "MMC1": (1, 0x4000, 4), "MMC3": (4, 0x2000, 8)}
"""By the board: its number, the bytes of a bank, and how many there are in 64 KiB."""


def nes(seed: int) -> Puzzle:
    """Areas of any name, in any order of the configuration's names, each a bank of PRG."""
    draw = random.Random(seed)
    mapper, size, count = MAPPERS[draw.choice(list(MAPPERS))]
    fixed = count - 1
    names = draw.sample(
        ["ALPHA", "MUSIC", "LEVEL", "PRG0", "PRG1", "CODE9", "BANKX", "LAST"], count
    )
    last = 0x10000 - size
    memory = ["HEADER: start=0, size=$10, file=%O, fill=yes;"]
    segments = ["HEADER: load=HEADER, type=ro;"]
    for place, name in enumerate(names):
        start = last if place == fixed else 0x8000
        number = draw.choice(("", f", bank={draw.randrange(9)}"))
        memory.append(f"{name}: start=${start:X}, size=${size:X}, file=%O, fill=yes{number};")
        segments.append(f"S{place}: load={name}, type=ro;")
    segments.append(f"VECTORS: load={names[fixed]}, type=ro, start=$FFFA;")
    config = "MEMORY {\n" + "\n".join(memory) + "\n}\nSEGMENTS {\n" + "\n".join(segments) + "\n}\n"
    # 64 KiB of PRG, no graphics
    source = [f'.segment "HEADER"\n .byte "NES", $1A, 4, 0, ${mapper << 4 & 0xFF:02X}, 0']
    wanted = draw.sample(range(fixed), min(3, fixed))
    for place in wanted:
        source.append(
            f'.segment "S{place}"\n.export give_{place}\ngive_{place}: lda #{place}\n rts'
        )
    source.append(f'.segment "S{fixed}"\n.export give_{fixed}\ngive_{fixed}: lda #{fixed}\n rts')
    source.append('reset: jmp reset\n.segment "VECTORS"\n .word reset, reset, reset')
    table = '[tool.romproof]\nname = "game"\nmachine = "nes"\nsources = ["game.s"]\n'
    table += 'config = "game.cfg"\noutput = "game.nes"\n'
    numbers = {f"give_{place}": place for place in (*wanted, fixed)}
    files = {"game.s": "\n".join(source) + "\n", "game.cfg": config, "pyproject.toml": table}
    return Puzzle(files, numbers)


def wrong(puzzle: Puzzle, folder: Path) -> Iterator[str]:
    """What is not as the numbers say: of calls, stubs, watches and places where runs end."""
    rom = puzzle.rom(folder)
    for name, number in puzzle.numbers.items():
        if rom.call(name, check=False).a != number:
            yield f"call of {name}"
    if "all" not in {symbol.name for symbol in rom.image.symbols}:
        return
    for name, number in puzzle.numbers.items():
        machine, seen = rom.machine(), list[str]()
        machine.stub(name, lambda m, seen=seen, name=name: seen.append(name))
        machine.call("all", check=False)
        if seen != [name]:
            yield f"stub of {name}: {seen}"
        machine.unstub(name)
        machine.call("all", check=False)
        if seen != [name]:
            yield f"unstub of {name}: {seen}"
        machine = rom.machine()
        machine.run_from("all", until=name, limit=10_000)
        if machine.registers.a != number:
            yield f"run until {name}: {machine.registers.a}"
        machine = rom.machine()
        log = machine.watch(name)
        for other in puzzle.numbers:
            if other != name:
                machine.call(f"call_{other.removeprefix('give_')}", check=False)
        if log.reads:
            yield f"watch of {name}: {log.reads}"
        machine.call(f"call_{number}", check=False)
        if not log.reads:
            yield f"watch of {name}: nothing"
    machine, order = rom.machine(), list[str]()
    for name in puzzle.numbers:
        machine.stub(name, lambda m, name=name: order.append(name))
    machine.call("all", check=False)
    if order != list(puzzle.numbers):
        yield f"all stubs: {order}"
