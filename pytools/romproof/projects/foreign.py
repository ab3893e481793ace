"""Programs that another build system makes: what a table says of one that names an ``image``.

[tool.romproof]
image = "build/game.nes"            # .nes .gb .gbc .prg, or .bin with a load_address
symbols = ["build/game.dbg"]        # ld65 .dbg, RGBDS .sym and others
command = "make"                    # brings the image up to date
machine = "nes"                     # flat, nes, gameboy, c64; else what the image says
contracts = ["tests/contracts.s"]   # comments with contracts, by the names of routines
sources = ["src"]                   # where sources are looked for; else in the project's folder
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from romproof.engine.checks import faults_of as check_faults
from romproof.formats.errors import BadImage, SymbolWarning
from romproof.formats.images import cpu_of
from romproof.formats.layout import GAME_BOY, MACHINES
from romproof.formats.program import LoadedProgram, ProgramFiles, load_program
from romproof.program.budget import budget_faults
from romproof.projects.settings import from_here, model_faults
from romproof.support.collecting import without_collecting
from romproof.text.diagnostic import Diagnostic, Severity, render, suggest
from romproof.text.errors import BadInput


@dataclass(frozen=True, slots=True)
class Foreign:
    """Where the files of such a program are; ``folder`` is where ``command`` runs.

    ``symbols`` may have patterns such as ``build/game.nes.*.nl``.
    """

    image: Path
    folder: Path
    symbols: tuple[Path, ...] = ()
    contracts: tuple[Path, ...] = ()
    sources: tuple[Path, ...] = ()
    command: tuple[str, ...] | str | None = None
    machine: str | None = None
    load_address: int | None = None
    cpu: str | None = None


KEYS: Mapping[str, type | tuple[type, ...]] = {
    "image": str,
    "symbols": list,
    "contracts": list,
    "sources": list,
    "command": (str, list),
    "machine": str,
    "model": str,
    "checks": dict,
    "budgets": dict,
    "load_address": (int, str),
    "cpu": str,
    "name": str,
    "entry": str,
    "clock": str,
    "banks": list,
}
"""The keys of a table with ``image``."""

_KINDS = {
    str: "a string",
    dict: "a table",
    list: "a list of strings",
    (str, list): "a string, or a list of strings",
    (int, str): "an address, such as 0x8000",
}
_BUILT_ONLY = ("include", "defines", "config", "output", "link", "header")
_CPUS = ("6502", "6502X", "2a03", "6510", "65SC02", "65C02", "R65C02", "sm83")


def foreign_from(table: Mapping[str, Any], folder: Path) -> tuple[Foreign | None, list[str]]:
    """What a table says, or what is wrong with it, a sentence each."""
    faults = list(_faults(table))
    address = _address(table.get("load_address"))
    if "load_address" in table and address is None and not faults:
        faults.append("'load_address' must be an address within 0..0xFFFF, such as 0x8000")
    if faults:
        return None, faults
    command = table.get("command")

    def paths(key: str) -> tuple[Path, ...]:
        return tuple(from_here(folder / item) for item in table.get(key, []))

    made = Foreign(
        image=from_here(folder / table["image"]),
        folder=folder,
        symbols=paths("symbols"),
        contracts=paths("contracts"),
        sources=paths("sources") or (folder,),
        command=tuple(command) if isinstance(command, list) else command,
        machine=table.get("machine"),
        load_address=address,
        cpu=table.get("cpu"),
    )
    return made, []


def _faults(table: Mapping[str, Any]) -> Sequence[str]:
    faults: list[str] = []
    for key, value in table.items():
        wanted = KEYS.get(key)
        if key in _BUILT_ONLY:
            faults.append(f"'{key}' is for programs that romproof builds, not for an 'image'")
        elif wanted is None:
            hint = suggest(key, KEYS) or "the keys are " + ", ".join(KEYS)
            faults.append(f"unknown key '{key}'; {hint}")
        elif not isinstance(value, wanted) or isinstance(value, bool):
            faults.append(f"'{key}' must be {_KINDS[wanted]}")
        elif isinstance(value, list) and not all(isinstance(item, str) for item in value):
            faults.append(f"'{key}' must be {_KINDS[list]}")
        elif value in ("", []) and key in ("image", "command"):
            faults.append(f"'{key}' must not be empty")
    checks = table.get("checks")
    faults += check_faults(checks) if isinstance(checks, dict) else []
    machine, cpu = table.get("machine"), table.get("cpu")
    budgets = table.get("budgets")
    known = cpu_of(str(table.get("image")), machine if isinstance(machine, str) else None)
    faults += model_faults(table.get("model"), known == cpu_of("", GAME_BOY))
    if isinstance(budgets, dict):
        faults += budget_faults(budgets, cpu if isinstance(cpu, str) else known, table.get("clock"))
    if isinstance(machine, str) and machine not in MACHINES:
        hint = suggest(machine, MACHINES) or f"the machines are {', '.join(MACHINES)}"
        faults.append(f"no machine '{machine}'; {hint}")
    if isinstance(cpu, str) and cpu not in _CPUS:
        faults.append(f"cpu '{cpu}' is not known; the CPUs are {', '.join(_CPUS)}")
    return faults


def _address(value: object) -> int | None:
    """An address as a table has it: a number, or text such as "$8000"."""
    if isinstance(value, str):
        text = value.strip().lower()
        digits, base = (text[1:], 16) if text.startswith("$") else (text, 0)
        try:
            value = int(digits[:20], base)
        except ValueError:
            return None
    return value if isinstance(value, int) and 0 <= value <= 0xFFFF else None


def read_program(foreign: Foreign) -> LoadedProgram:
    """The program as its files have it now. Raises OSError, BadImage, BadSymbols."""
    if not foreign.image.exists():
        how = "its 'command' did not create it" if foreign.command else "build it first"
        raise BadImage(f"there is no image {foreign.image}: {how}")
    files = ProgramFiles(
        foreign.image,
        tuple(_expand(foreign.symbols)),
        foreign.contracts,
        foreign.sources,
        foreign.folder,
    )
    with without_collecting():
        return load_program(files, foreign.machine, foreign.load_address, foreign.cpu)


def _expand(paths: Sequence[Path]) -> list[Path]:
    """The files that some paths mean, those with patterns among them."""
    files: list[Path] = []
    for path in paths:
        if path.exists() or not set("*?[") & set(str(path)):
            files.append(path)
            continue
        base = Path(path.anchor or ".")
        pattern = str(path.relative_to(path.anchor)) if path.anchor else str(path)
        matching = sorted(base.glob(pattern))
        if not matching:
            raise BadInput(f"no file is called {path}")
        files += matching
    return files


def banks_of(program: LoadedProgram, wanted: Sequence[str]) -> tuple[str, ...]:
    """The areas to load: those that are wanted, and at other addresses those of power-on."""
    if program.machine == GAME_BOY:
        return tuple(wanted)  # which its CPU knows
    areas = {area.name: area for area in program.image.areas}
    chosen = [areas[name] for name in wanted if name in areas]
    others = [
        areas[name]
        for name in program.first
        if not any(
            areas[name].start < area.start + area.size
            and area.start < areas[name].start + areas[name].size
            for area in chosen
        )
    ]
    return (*wanted, *(area.name for area in others))


def clock_of(program: LoadedProgram) -> str:
    """The clock of the machine; "" where the machine says none."""
    if program.header is not None:
        return {"pal": "nes-pal", "dendy": "nes-dendy"}.get(program.header.timing, "nes-ntsc")
    return {"gameboy": "gb", "c64": "c64-pal"}.get(program.machine, "")


def warn_of(notes: Sequence[Diagnostic]) -> None:
    """What is strange in the files of a program as warnings of Python: pytest shows those at its
    end. What is only remarkable is reported on the command line."""
    for note in notes:
        if note.severity is Severity.WARNING:
            text = render(note)
            warnings.warn(text.removeprefix("warning: "), SymbolWarning, stacklevel=3)
