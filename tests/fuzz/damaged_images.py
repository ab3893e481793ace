"""Images and symbol files as bad disks, wrong downloads and other people's tools leave them.

Case n is the same each time. What counts: the program is loaded, or there is one clear error.
"""

from __future__ import annotations

import random
import re
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from foreign_projects import Project, banked_project, gameboy_project, nes_project, prg_project

from romproof.formats.program import LoadedProgram, ProgramFiles, load_program
from romproof.harness.rom import Rom
from romproof.machine.memory import part_in_memory
from romproof.projects.foreign import banks_of
from romproof.text.diagnostic import BuildFailed, Severity
from romproof.text.errors import RomproofError

MAX_SECONDS = 20.0
"""Of the processor: on a busy machine a process waits for its turn."""
_NUMBERS = (b"0", b"-1", b"99999999999", b"0xFFFFFFFF", b"$FFFFFFFF", b"65536", b"1e9", b"")
_LINES = (
    b"\n", b"al C000 .x\n", b"NesPrgRom:FFFFFFFF:far\n", b"P:0-FFFFFFF:wide\n", b"$C000#x#y\\\n",
    b"7f:4000 far\n", b"BOOT:0100 boot\n", b"[labels]\n", b"name = $FFFFFFFF\n", b"\xff\xfe\n",
    b"version\tmajor=2,minor=0\n", b"info\tcsym=0\n", b"sym\tid=0,name=\"a\",parent=0\n",
    b"scope\tid=1,name=\"\",mod=0,parent=1\n", b"span\tid=0,seg=0,start=0,size=4294967295\n",
    b"seg\tid=0,name=\"A\",start=0xFFFFFF,size=0xFFFF\n", b"NES\x1a", b"\x00" * 100, b"(" * 300,
    b"ROMX bank #99999999999:\n", b"\tSECTION: $0000-$ffff ($10000 bytes) [\"x\"]\n",
)  # fmt: skip


@dataclass(frozen=True)
class Seed:
    """A program that can be loaded: the bytes of its files by name, the image first."""

    files: dict[str, bytes]
    load_address: int | None = None


def seeds(folder: Path) -> list[Seed]:
    """The programs that are damaged, each with one or two symbol files."""
    nes, banked = nes_project(folder / "nes"), banked_project(folder / "banked")
    gameboy, prg = gameboy_project(folder / "gameboy"), prg_project(folder / "prg")
    found: list[Seed] = []

    def add(project: Project, *kinds: str, load_address: int | None = None) -> None:
        paths = [project.image, *project.symbol_files(*kinds)]
        found.append(Seed({p.name: p.read_bytes() for p in paths}, load_address))

    add(nes, "dbg")
    add(nes, "mlb", "lbl")
    add(banked, "dbg")
    add(banked, "mlb")
    add(gameboy, "sym")
    add(gameboy, "sym", "map")
    add(gameboy, "mlb")
    add(prg, "dbg")
    add(prg, "lbl")
    names = b"start = $8000\nvalue = $10 ; text\n"
    found.append(Seed({"x.bin": bytes(range(256)), "x.txt": names}, 0x8000))
    lists = b"$C000#start#the beginning\n$C010/4#list#\n"
    found.append(Seed({banked.image.name: banked.image.read_bytes(), "banked.nes.3.nl": lists}))
    return found


def case(all_seeds: list[Seed], number: int, seed: int = 1) -> Seed:
    """Case ``number``: one of the programs with some of its bytes changed."""
    rng = random.Random(f"{seed} {number}")
    chosen = rng.choice(all_seeds)
    files = dict(chosen.files)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        name = rng.choice([*files, *list(files)[1:]])
        files[name] = _changed(rng, files[name], all_seeds)
    return Seed(files, chosen.load_address)


def _changed(rng: random.Random, data: bytes, all_seeds: list[Seed]) -> bytes:
    kinds: list[Callable[[], bytes]] = [
        lambda: data[: rng.randrange(len(data) + 1)],
        lambda: _flipped(rng, data, rng.choice((1, 3, 20))),
        lambda: _flipped(rng, data[:16], rng.choice((1, 2, 4))) + data[16:],
        lambda: _spliced(rng, data, rng.randbytes(rng.choice((1, 4, 100)))),
        lambda: _spliced(rng, data, rng.choice(_LINES)),
        lambda: _without(rng, data),
        lambda: _other_number(rng, data),
        lambda: _lines_moved(rng, data),
        lambda: rng.choice(list(rng.choice(all_seeds).files.values())),  # another kind of file
        lambda: data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\0", b""))),
        lambda: data * rng.choice((0, 2, 3)),
    ]
    return rng.choice(kinds)()


def _flipped(rng: random.Random, data: bytes, count: int) -> bytes:
    changed = bytearray(data)
    for _ in range(count if data else 0):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _spliced(rng: random.Random, data: bytes, new: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + new + data[at:]


def _without(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 10, 1000)) :]


def _other_number(rng: random.Random, data: bytes) -> bytes:
    found = list(re.finditer(rb"(?:0x|\$)?[0-9A-Fa-f]+", data[:200_000]))
    if not found:
        return data
    match = rng.choice(found)
    new = rng.choice((*_NUMBERS, b"%d" % rng.randrange(1000)))
    return data[: match.start()] + new + data[match.end() :]


def _lines_moved(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    line = lines.pop(at) if rng.random() < 0.5 else lines[at]
    lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def finding(changed: Seed, folder: Path) -> str | None:
    """What is wrong with what becomes of a case; None if all is well."""
    paths = [folder / name for name in changed.files]
    for path, data in zip(paths, changed.files.values(), strict=True):
        path.write_bytes(data)
    began = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            program = load_program(
                ProgramFiles(paths[0], tuple(paths[1:]), root=folder),
                load_address=changed.load_address,
            )
            _use(program)
    except BuildFailed as fault:
        errors = [d for d in fault.diagnostics if d.severity is Severity.ERROR]
        if len(errors) != 1 or not errors[0].message:
            return f"{len(errors)} errors: {fault}"
    except RomproofError as fault:
        if not str(fault):
            return "an error without a text"
    except Exception:
        return traceback.format_exc()
    finally:
        for path in paths:
            path.unlink()
    took = time.process_time() - began
    return f"took {took:.1f} s" if took > MAX_SECONDS else None


def _use(program: LoadedProgram) -> None:
    """Ask of a program what reports and calls ask of it."""
    image = program.image
    for address in (0, 0x10, 0x4000, 0x8000, 0xC000, 0xFFFF):
        image.describe(address)
        image.line_at(address)
    for symbol in image.symbols[:20]:
        image.label_at(symbol.value)
    rom = Rom(image, "plain", banks=banks_of(program, ()))
    part_in_memory(image, rom.memory_map.left_out)
    assert rom.contracts is not None
