"""Manifests: a few lines of TOML that say what a ROM is made of."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from romproof.asm.options import CPUS
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError

FILE_NAME = "manifest.toml"


class BadManifest(RomproofError):
    """A manifest cannot be used; the text has a line for each fault."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a ROM is made of.

    ``sources``, ``include`` and ``config`` are paths as found from the current
    folder; ``config`` None takes the default layout. ``output`` is the image's
    file name; ``entry`` the symbol a run starts at; ``clock`` names the machine
    whose clock reports use (see romproof.measure.clocks); ``banks`` the memory
    areas to load where several overlap (see romproof.machine.memory).
    """

    name: str
    sources: tuple[Path, ...]
    include: tuple[Path, ...] = ()
    defines: tuple[tuple[str, int], ...] = ()
    cpu: str = "6502"
    config: Path | None = None
    output: str = ""
    entry: str | None = None
    clock: str = "nes-ntsc"
    banks: tuple[str, ...] = ()

    @property
    def image_name(self) -> str:
        """The file name of the image (``%O``): ``output``, or the name with .bin."""
        return self.output or f"{self.name}.bin"

    @property
    def stem(self) -> str:
        """The image's name without its ending: what listing and map are called after."""
        return Path(self.image_name).stem


_KEYS = {
    "name": str,
    "cpu": str,
    "sources": list,
    "include": list,
    "defines": dict,
    "config": str,
    "output": str,
    "entry": str,
    "clock": str,
    "banks": list,
}

_BESIDE = (".lst", ".lbl", ".map")
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
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as fault:
        raise BadManifest(f"{path}: {fault.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise BadManifest(f"{path}: {fault}") from None


def manifest_from(
    table: Mapping[str, Any], folder: Path, default_name: str, where: str
) -> Manifest:
    """The manifest a TOML table describes; its paths start at ``folder``.

    ``where`` names the table in messages. Raises BadManifest with all faults.
    """
    faults: list[str] = []
    for key, value in table.items():
        wanted = _KEYS.get(key)
        if wanted is None:
            hint = suggest(key, _KEYS) or "the keys are " + ", ".join(_KEYS)
            faults.append(f"unknown key '{key}'; {hint}")
        elif not isinstance(value, wanted):
            kind = {str: "a string", list: "a list of strings", dict: "a table"}[wanted]
            faults.append(f"'{key}' must be {kind}")
        elif wanted is list and not all(isinstance(item, str) for item in value):
            faults.append(f"'{key}' must be a list of strings")
    for name, value in _dict(table, "defines").items():
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            faults.append(f"define '{name}' is no name for a symbol")
        if not isinstance(value, int):
            faults.append(f"the value of define '{name}' must be a number")
    for key in ("name", "output"):
        if isinstance(table.get(key), str):
            faults += _file_name_faults(key, table[key])
    cpu = table.get("cpu", "6502")
    if cpu not in CPUS:
        faults.append(f"cpu '{cpu}' is not known; the CPUs are {', '.join(CPUS)}")
    if not table.get("sources"):
        faults.append("'sources' is missing: it lists the files to assemble")
    if faults:
        raise BadManifest("\n".join(f"{where}: {fault}" for fault in faults))
    name = table.get("name", default_name)
    config = table.get("config")
    return Manifest(
        name=name,
        sources=tuple(_from_here(folder / item) for item in table["sources"]),
        include=tuple(_from_here(folder / item) for item in table.get("include", [])),
        defines=tuple((key, int(value)) for key, value in _dict(table, "defines").items()),
        cpu=cpu,
        config=_from_here(folder / config) if config is not None else None,
        output=table.get("output", ""),
        entry=table.get("entry"),
        clock=table.get("clock", "nes-ntsc"),
        banks=tuple(table.get("banks", ())),
    )


def _file_name_faults(key: str, value: str) -> list[str]:
    """Why ``value`` cannot be what files in the output folder are called after."""
    if not value.strip(". ") or "/" in value or "\\" in value or "\0" in value:
        return [f"'{key}' must be a file name without a folder, not '{value}'"]
    if key == "output" and Path(value).suffix in _BESIDE:
        ending = Path(value).suffix
        return [f"'output' cannot end in '{ending}': the file beside the image is called so"]
    return []


def _dict(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    return value if isinstance(value, dict) else {}


def _from_here(path: Path) -> Path:
    """The path without detours, relative when it is below the current folder."""
    full = Path(os.path.normpath(Path.cwd() / path))
    return full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full
