"""From the sources of a program to something that can be called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from romproof.engine.engines import DEFAULT_ENGINE, engine_names
from romproof.harness.rom import Rom
from romproof.projects import Built, kept
from romproof.projects import build as build_manifest
from romproof.projects import load as manifest_of
from romproof.projects.manifest import FILE_NAME, Manifest, load_manifest
from romproof.report.disassembly import disassemble as rows_of
from romproof.report.disassembly import format_disassembly
from romproof.report.gameboy_source import disassemble_gameboy, format_gameboy


def build(
    where: str | Path = ".",
    name: str | None = None,
    *,
    defines: Mapping[str, int] | None = None,
    folder: str | Path | None = None,
) -> Built:
    """Assemble and link a program; gives its ``image``.

    ``where`` is a manifest.toml, a pyproject.toml with a table [tool.romproof], or a folder with
    one of them; ``name`` is one of several programs of a project. ``defines`` are symbols that
    win over those of the manifest. With a ``folder`` image, listing, labels and map are written
    there; without one nothing is, and what an earlier build kept is taken as it is while nothing
    has changed that it was made of.

    Raises BuildFailed with all that is wrong in the sources, and RomproofError where ``where`` does
    not say which program is meant.
    """
    manifest = _manifest(Path(where), name)
    if folder is None:
        return kept.built(manifest, defines)
    return build_manifest(manifest, Path(folder), defines)


def load(
    where: str | Path = ".",
    name: str | None = None,
    *,
    engine: str = DEFAULT_ENGINE,
    defines: Mapping[str, int] | None = None,
) -> Rom:
    """The same program, built in memory, with its routines to be called.

    ``engine`` is one of ``engines()``; "auto" is the fastest one. Raises what ``build`` and
    ``Rom`` raise.
    """
    built = build(where, name, defines=defines)
    return Rom(built.image, engine, banks=built.manifest.banks)


def _manifest(where: Path, name: str | None) -> Manifest:
    if where.is_dir():
        has_manifest = (where / FILE_NAME).is_file() and name is None
        where = where / (FILE_NAME if has_manifest else "pyproject.toml")
    if where.name == "pyproject.toml":
        return manifest_of(where, name)
    return load_manifest(where)


def engines() -> tuple[str, ...]:
    """The names of all engines: "auto" first, then from the fastest to the slowest."""
    return engine_names()


def disassemble(
    data: bytes,
    start: int = 0,
    *,
    cpu: str = "6502",
    labels: Mapping[int, str] | None = None,
    title: str = "image",
) -> str:
    """Machine code as source that assembles to the same bytes: ca65's, of the SM83 RGBDS's.

    ``start`` is the address of the first byte; ``labels`` names addresses. ``cpu`` is "6502" or
    "sm83": then ``data`` is a cartridge, and a bank follows each 16 KiB. Raises ValueError for
    another CPU, DoesNotFit for more bytes than there are addresses.
    """
    if cpu == "sm83":
        names: dict[tuple[int | None, int], str] = {
            (None, address): name for address, name in (labels or {}).items()
        }
        return format_gameboy(disassemble_gameboy(data, start, names), title)
    if cpu != "6502":
        raise ValueError(f"no disassembler for '{cpu}'; there are 6502 and sm83")
    return format_disassembly(rows_of(data, start, labels or {}), title)
