"""Manifests: a few lines of TOML that say what a ROM is made of."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from romproof.engine.checks import faults_of as check_faults
from romproof.formats.images import cpu_of
from romproof.formats.layout import FLAT, MACHINES
from romproof.formats.layout import GAME_BOY as GAME_BOY_MACHINE
from romproof.program.budget import budget_faults
from romproof.program.clocks import clock_faults
from romproof.projects.foreign import Foreign, foreign_from
from romproof.projects.settings import (
    HEADER_KEYS,
    LINK_KEYS,
    SettingValue,
    faults_of,
    from_here,
    model_faults,
    settings_of,
)
from romproof.support.reading import MAX_TEXT, read_input
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError
from romproof.toolchains.ca65.obj.cpus import CPUS as CPUS_6502
from romproof.toolchains.ca65.obj.dialect import DIALECTS, V2_19
from romproof.toolchains.rgbds.obj.types import SectionType

FILE_NAME = "manifest.toml"
GAME_BOY = "sm83"
"""The CPU of programs that are built with the RGBDS dialect."""
RICOH = "2a03"
"""The NES's CPU: assembled as the 6502, executed as itself."""
ROCKWELL = "R65C02"
"""Rockwell's 65C02: assembled as the 65C02, executed as itself."""
CPUS = (*CPUS_6502, ROCKWELL, RICOH, GAME_BOY)
"""What ``cpu`` may be."""


class BadManifest(RomproofError):
    """A manifest cannot be used; the text has a line for each fault."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a ROM is made of.

    ``sources``, ``include`` and ``config`` are paths as found from the current
    folder; ``config`` None takes the default layout. ``output`` is the image's
    file name; ``entry`` the symbol a run starts at; ``clock`` names the machine
    whose clock reports use (see romproof.program.clocks); ``banks`` the memory
    areas to load where several overlap (see romproof.machine.memory).

    For the Game Boy (``cpu`` is "sm83") ``config`` is a linker script, ``link`` has the
    settings of [rom.link] and ``header`` those of [rom.header], None without that table:
    then the header is left as it is (see romproof.projects.settings).

    ``foreign`` is what is said of a program that another build system makes; it has no sources
    here (see romproof.projects.foreign). ``machine`` is what a program is for, ""
    while that is not known: then its memory is flat. ``model`` is which Game Boy it runs on, "" for
    what the ROM's header says. ``checks`` are levels of
    romproof.engine.checks that are others than the machine's. ``budgets`` say of routines what no
    call may exceed (see romproof.program.budget). ``dialect`` is the release of ca65 whose language
    the sources are in.
    """

    name: str
    sources: tuple[Path, ...]
    include: tuple[Path, ...] = ()
    defines: tuple[tuple[str, int], ...] = ()
    cpu: str = "6502"
    config: Path | None = None
    output: str = ""
    entry: str | None = None
    clock: str = ""
    banks: tuple[str, ...] = ()
    link: tuple[SettingValue, ...] = ()
    header: tuple[SettingValue, ...] | None = None
    machine: str = ""
    foreign: Foreign | None = None
    checks: tuple[tuple[str, str], ...] = ()
    budgets: tuple[tuple[str, str], ...] = ()
    dialect: str = V2_19.name
    model: str = ""

    @property
    def is_gameboy(self) -> bool:
        """Whether it is built with the RGBDS dialect."""
        return self.cpu == GAME_BOY

    @property
    def image_name(self) -> str:
        """The file name of the image (``%O``): ``output``, or the name with .bin or .gb."""
        return self.output or f"{self.name}.{'gb' if self.is_gameboy else 'bin'}"

    @property
    def endings(self) -> tuple[str, str, str]:
        """Of the files beside the image: the listing, the labels, the map."""
        return (".lst", ".sym" if self.is_gameboy else ".lbl", ".map")

    @property
    def clock_name(self) -> str:
        """``clock``, or that of a usual machine with the CPU."""
        return self.clock or ("gb" if self.is_gameboy else "nes-ntsc")

    @property
    def stem(self) -> str:
        """The image's name without its ending: what listing and map are called after."""
        return Path(self.image_name).stem


KEYS = {
    "name": str,
    "cpu": str,
    "dialect": str,
    "machine": str,
    "model": str,
    "checks": dict,
    "budgets": dict,
    "sources": list,
    "include": list,
    "defines": dict,
    "config": str,
    "output": str,
    "entry": str,
    "clock": str,
    "banks": list,
    "link": dict,
    "header": dict,
}

_BESIDE = (".lst", ".lbl", ".sym", ".map")
"""Endings of the files that are written beside an image."""


def load_manifest(path: Path) -> Manifest:
    """Read a manifest file: its table ``[rom]``. Raises BadManifest."""
    table = read_toml(path).get("rom")
    if not isinstance(table, dict):
        raise BadManifest(f"{path}: a manifest needs a table [rom] with at least 'sources'")
    return manifest_from(table, path.parent, path.parent.resolve().name, str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The contents of a TOML file. Raises BadManifest, with the place of the fault."""
    try:
        return tomllib.loads(read_input(path, MAX_TEXT).decode("utf-8"))
    except OSError as fault:
        raise BadManifest(f"{path}: {fault.strerror}") from None
    except ValueError as fault:  # no TOML, no UTF-8, a number of thousands of digits
        raise BadManifest(f"{path}: {fault}") from None
    except RecursionError:
        raise BadManifest(f"{path}: this is nested too deeply") from None


def manifest_from(
    table: Mapping[str, Any], folder: Path, default_name: str, where: str
) -> Manifest:
    """The manifest a TOML table describes; its paths start at ``folder``.

    ``where`` names the table in messages. Raises BadManifest with all faults.
    """
    if "image" in table:
        return _foreign_manifest(table, folder, default_name, where)
    faults: list[str] = []
    for key, value in table.items():
        wanted = KEYS.get(key)
        if wanted is None:
            hint = suggest(key, KEYS) or "the keys are " + ", ".join(KEYS)
            faults.append(f"unknown key '{key}'; {hint}")
        elif not isinstance(value, wanted):
            kind = {str: "a string", list: "a list of strings", dict: "a table"}[wanted]
            faults.append(f"'{key}' must be {kind}")
        elif wanted is list and not all(isinstance(item, str) for item in value):
            faults.append(f"'{key}' must be a list of strings")
    for name, value in _dict(table, "defines").items():
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            faults.append(f"define '{name}' is not a valid name of a symbol")
        if not isinstance(value, int):
            faults.append(f"the value of define '{name}' must be a number")
    faults += check_faults(_dict(table, "checks"))
    faults += faults_of(_dict(table, "link"), "link", LINK_KEYS)
    faults += faults_of(_dict(table, "header"), "header", HEADER_KEYS)
    for key in ("name", "output"):
        if isinstance(table.get(key), str):
            faults += _file_name_faults(key, table[key])
    cpu = table.get("cpu", "6502")
    dialect = table.get("dialect", V2_19.name)
    faults += _dialect_faults(table, dialect, cpu)
    if cpu != GAME_BOY:
        only = [key for key in ("link", "header") if key in table]
        faults += [f"the table '{key}' is for cpu = \"{GAME_BOY}\" only" for key in only]
    machine = table.get("machine", "")
    if isinstance(machine, str):
        faults += _machine_faults(machine, cpu)
    faults += model_faults(table.get("model"), machine == GAME_BOY_MACHINE)
    faults += budget_faults(_dict(table, "budgets"), str(cpu), table.get("clock"))
    faults += _clock_faults(table)
    if cpu == GAME_BOY:
        faults += _bank_faults(table)
    if not table.get("sources"):
        faults.append(
            "'sources' is missing: list the files to assemble (or set 'image' to the output of "
            "another build system)"
        )
    if faults:
        raise BadManifest("\n".join(f"{where}: {fault}" for fault in faults))
    name = table.get("name", default_name)
    config = table.get("config")
    return Manifest(
        name=name,
        sources=tuple(from_here(folder / item) for item in table["sources"]),
        include=tuple(from_here(folder / item) for item in table.get("include", [])),
        defines=tuple((key, int(value)) for key, value in _dict(table, "defines").items()),
        cpu=cpu,
        config=from_here(folder / config) if config is not None else None,
        output=table.get("output", ""),
        entry=table.get("entry"),
        clock=table.get("clock", ""),
        banks=tuple(table.get("banks", ())),
        machine=machine,
        model=table.get("model", ""),
        checks=tuple(_dict(table, "checks").items()),
        budgets=tuple(_dict(table, "budgets").items()),
        dialect=dialect,
        link=settings_of(_dict(table, "link"), LINK_KEYS, folder),
        header=settings_of(table["header"], HEADER_KEYS, folder) if "header" in table else None,
    )


def _dialect_faults(table: Mapping[str, Any], dialect: object, cpu: object) -> list[str]:
    """What is wrong with the keys ``dialect`` and ``cpu``."""
    if cpu == GAME_BOY:
        return ["the key 'dialect' is of programs for ca65"] if "dialect" in table else []
    known = DIALECTS.get(dialect) if isinstance(dialect, str) else V2_19
    if known is None:
        hint = suggest(str(dialect), DIALECTS) or "the dialects are " + ", ".join(DIALECTS)
        return [f"no dialect '{dialect}'; {hint}"]
    cpus = dict.fromkeys((*known.cpus, *CPUS))
    if cpu in cpus:
        return []
    others = [name for name, other in DIALECTS.items() if cpu in other.cpus]
    if others:
        return [f"cpu '{cpu}' is not of the dialect {known.name}; set dialect = \"{others[0]}\""]
    return [f"cpu '{cpu}' is not known; the CPUs are {', '.join(cpus)}"]


def _machine_faults(machine: str, cpu: object) -> list[str]:
    """Why a program for ``cpu`` cannot be for a machine; "" is none that is named."""
    if machine in ("", FLAT):
        return []
    if machine not in MACHINES:
        hint = suggest(machine, MACHINES) or f"the machines are {', '.join(MACHINES)}"
        return [f"no machine '{machine}'; {hint}"]
    if (machine == GAME_BOY_MACHINE) != (cpu == GAME_BOY):
        return [f"the machine '{machine}' has another CPU than {cpu}"]
    return []


def _clock_faults(table: Mapping[str, Any]) -> list[str]:
    clock = table.get("clock", "")
    return clock_faults(clock) if isinstance(clock, str) and clock else []


def _bank_faults(table: Mapping[str, Any]) -> list[str]:
    """Names in ``banks`` that no memory of a Game Boy has."""
    banks = table.get("banks", [])
    names = [each for each in banks if isinstance(each, str)] if isinstance(banks, list) else []
    kinds = [memory.name for memory in SectionType]
    faults = []
    for name in names:
        kind = name.partition("[")[0]
        if kind not in kinds or not re.fullmatch(r"\w+(\[\d+\])?", name):
            hint = suggest(kind, kinds) if kind not in kinds else "write a bank as ROMX[2]"
            faults.append(f"no memory '{name}' for 'banks'; {hint or 'known: ' + ', '.join(kinds)}")
    return faults


def _foreign_manifest(
    table: Mapping[str, Any], folder: Path, default_name: str, where: str
) -> Manifest:
    """The manifest of a program that another build system makes. Raises BadManifest."""
    foreign, faults = foreign_from(table, folder)
    faults += _clock_faults(table)
    if foreign is None or faults:
        raise BadManifest("\n".join(f"{where}: {fault}" for fault in faults))
    own = {key: table[key] for key in ("entry", "clock") if key in table}
    own["model"] = table.get("model", "")
    own["checks"] = tuple(_dict(table, "checks").items())
    own["budgets"] = tuple(_dict(table, "budgets").items())
    banks = tuple(table.get("banks", ()))
    return manifest_of_image(foreign, name=table.get("name", default_name), banks=banks, **own)


def manifest_of_image(foreign: Foreign, **others: Any) -> Manifest:
    """The manifest of a program that another build system makes; ``others`` are its fields."""
    given: dict[str, Any] = {"name": foreign.image.stem, "sources": (), **others}
    cpu = foreign.cpu or cpu_of(foreign.image.name, foreign.machine)
    machine = foreign.machine or ""
    return Manifest(**given, cpu=cpu, output=foreign.image.name, machine=machine, foreign=foreign)


def _file_name_faults(key: str, value: str) -> list[str]:
    """Why ``value`` cannot be what files in the output folder are called after."""
    if not value.strip(". ") or "/" in value or "\\" in value or "\0" in value:
        return [f"'{key}' must be a file name without a folder, not '{value}'"]
    if key == "output" and Path(value).suffix in _BESIDE:
        ending = Path(value).suffix
        return [f"'output' cannot end in '{ending}': another output file has that ending"]
    return []


def _dict(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    return value if isinstance(value, dict) else {}
