"""From the sources of a program to something that can be called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from romproof.engine.engines import DEFAULT_ENGINE, check_engine_name, engine_names
from romproof.harness.built import rom_of
from romproof.harness.rom import Rom
from romproof.projects import Built, program_cache
from romproof.projects import build as build_manifest
from romproof.projects import load as manifest_of
from romproof.projects.foreign import Foreign, warn_of
from romproof.projects.manifest import FILE_NAME, Manifest, load_manifest, manifest_of_image
from romproof.report.disassembly import disassemble as rows_of
from romproof.report.disassembly import format_disassembly
from romproof.report.gameboy_source import disassemble_gameboy, format_gameboy
from romproof.text.errors import BadInput

_Paths = str | Path | Sequence[str | Path]


def build(
    where: str | Path = ".",
    name: str | None = None,
    *,
    defines: Mapping[str, int] | None = None,
    folder: str | Path | None = None,
    symbols: _Paths = (),
    contracts: _Paths = (),
    sources: _Paths = (),
    machine: str | None = None,
    load_address: int | None = None,
    banks: Sequence[str] = (),
    command: str | Sequence[str] | None = None,
) -> Built:
    """Assemble and link a program; gives its ``image``.

    ``where`` is a manifest.toml, a pyproject.toml with a table [tool.romproof], or a folder with
    one of them; ``name`` is one of several programs of a project. ``defines`` are symbols that
    win over those of the manifest. With a ``folder`` image, listing, labels and map are written
    there. Without one nothing is written, and the result of an earlier build is used if none of
    its inputs has changed.

    Or ``where`` is an image that another build system made: .nes, .gb, .gbc, .prg, or .bin with
    the ``load_address`` of its first byte. ``symbols`` are files with symbols or debug information,
    ``contracts`` files with contracts, ``sources`` folders that are searched for sources;
    ``machine`` is "flat", "nes", "gameboy" or "c64", by default that of the image; ``banks`` are
    the areas to load if several share addresses. ``command`` is run before, in the current folder.

    Raises BuildFailed with all errors in the sources, and RomproofError if ``where`` does not
    identify one program, or an image cannot be loaded.
    """
    given = {
        "symbols": tuple(map(Path, _to_list(symbols))),
        "contracts": tuple(map(Path, _to_list(contracts))),
        "sources": tuple(map(Path, _to_list(sources))),
        "machine": machine,
        "load_address": load_address,
        "command": command if command is None or isinstance(command, str) else tuple(command),
    }
    manifest = _manifest(Path(where), name, given, tuple(banks))
    if folder is None:
        return program_cache.build_cached(manifest, defines)
    return build_manifest(manifest, Path(folder), defines)


def load(
    where: str | Path = ".",
    name: str | None = None,
    *,
    engine: str = DEFAULT_ENGINE,
    defines: Mapping[str, int] | None = None,
    symbols: _Paths = (),
    contracts: _Paths = (),
    sources: _Paths = (),
    machine: str | None = None,
    load_address: int | None = None,
    banks: Sequence[str] = (),
    command: str | Sequence[str] | None = None,
) -> Rom:
    """The same program, built in memory or loaded from its image, with its routines to be called.

    ``engine`` is one of ``engines()``; "auto" is the fastest one. The other arguments are those of
    ``build``. Doubtful contents of the files of an image are reported as warnings. Raises the
    errors of ``build`` and ``Rom``.
    """
    check_engine_name(engine)
    built = build(
        where,
        name,
        defines=defines,
        symbols=symbols,
        contracts=contracts,
        sources=sources,
        machine=machine,
        load_address=load_address,
        banks=banks,
        command=command,
    )
    if built.manifest.foreign is not None:
        warn_of(built.diagnostics)
    return rom_of(built, engine)


def _to_list(paths: _Paths) -> Sequence[str | Path]:
    return [paths] if isinstance(paths, (str, Path)) else paths


def _manifest(
    where: Path, name: str | None, given: Mapping[str, Any], banks: tuple[str, ...]
) -> Manifest:
    """The manifest that is meant; ``given`` is what was said of an image."""
    if where.is_dir():
        has_manifest = (where / FILE_NAME).is_file() and name is None
        where = where / (FILE_NAME if has_manifest else "pyproject.toml")
    if where.suffix != ".toml":
        if name is not None:
            raise BadInput(f"{where} is an image, not a project with several programs")
        return manifest_of_image(Foreign(where, Path(), **given), banks=banks)
    said = [key for key, value in given.items() if value] + (["banks"] if banks else [])
    if said:
        raise BadInput(
            f"{where} is a manifest, which describes the program: {said[0]}= is for images"
        )
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
