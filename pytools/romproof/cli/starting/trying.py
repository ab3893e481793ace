"""A draft of a project tried: the program is built or loaded, and does what its test says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from romproof.cli.output import message
from romproof.cli.starting.drafts import (
    Noted,
    ProjectDraft,
    choose_image,
    draft_of_image,
    draft_of_sources,
    link_calls,
)
from romproof.cli.starting.first_test import FirstTest, checks_for, find_calls, find_tests
from romproof.cli.starting.folder import Folder
from romproof.formats.errors import BadSymbols
from romproof.formats.ines import MAGIC
from romproof.formats.layout import C64, GAME_BOY, NES
from romproof.formats.plain import is_basic_program
from romproof.harness.built import rom_of
from romproof.harness.errors import CallFault
from romproof.harness.rom import Rom
from romproof.projects.built import Built
from romproof.projects.manifest import manifest_from
from romproof.projects.program_cache import build_cached
from romproof.text.diagnostic import BuildFailed, Diagnostic, Severity
from romproof.text.errors import BadInput, RomproofError

_WHERE = "[tool.romproof]"


class NothingFound(BadInput):
    """A folder has nothing that a project could be made of."""


class NotReady(RomproofError):
    """There is a program, and nothing can be done with it yet; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A draft whose program was built or loaded, and whose tests pass."""

    draft: ProjectDraft
    name: str
    tests: tuple[FirstTest, ...]


def try_folder(folder: Folder) -> Tried:
    """The project that a folder's contents suggest.

    Sources are assembled here if that gives a program, and the image that may be there. Raises
    NothingFound, and NotReady with what to do.
    """
    image = choose_image(folder)
    of_sources = draft_of_sources(folder)
    if image is None and of_sources is None:
        raise NothingFound(
            f"no program in {folder.root.resolve()}: there is neither an image (.gb, .nes, .prg) "
            f"nor assembly for ca65 or RGBDS; run this in the folder of the game"
        )
    why = ""
    if of_sources is not None:
        built = _build(folder, of_sources)
        if not isinstance(built, str) and _is_the_same(folder, image, built, of_sources):
            return _try(folder, of_sources, built)
        why = built if isinstance(built, str) else "its bytes are others than those of the image"
    if image is not None:
        draft = draft_of_image(folder, image)
        if why and of_sources is not None:
            draft.guesses.append(Noted("image", f"the sources are left to their makefile: {why}"))
        return _try(folder, draft, _load(folder, draft))
    raise NotReady(_what_to_do(folder, why))


def _what_to_do(folder: Folder, why: str) -> str:
    """How the image comes to be, where the sources alone do not give it."""
    for build, call in link_calls(folder)[:1]:
        output = call.last("o") or ""
        target = "" if set(output) & set("%$") else output
        return (
            f"romproof cannot build {target or 'the program'} from its sources alone ({why}). "
            f"Build it once, then run romproof init again:\n  {build.command(target)}"
        )
    return (
        f"the sources do not assemble as they are ({why}): correct them, or build the game with "
        f"its own tools; then run romproof init again"
    )


def _build(folder: Folder, draft: ProjectDraft) -> Built | str:
    """The program from its sources, with the machine that it is for in the table; else why not."""
    if draft.blockers:
        return draft.blockers[0]
    try:
        built = build_cached(_manifest(folder, draft))
    except (RomproofError, OSError) as fault:
        return _first_line(fault)
    machine = _machine_of(built, draft)
    if machine is None:
        return built
    draft.table["machine"] = machine
    try:
        return build_cached(_manifest(folder, draft))
    except (RomproofError, OSError) as fault:
        return _first_line(fault)


def _manifest(folder: Folder, draft: ProjectDraft) -> Any:
    image = draft.table.get("image")
    name = folder.root.resolve().name if image is None else Path(image).stem
    return manifest_from(draft.table, folder.root, name, _WHERE)


def _first_line(fault: RomproofError | OSError) -> str:
    """What went wrong, in short."""
    if isinstance(fault, BuildFailed) and fault.diagnostics:
        errors = [each for each in fault.diagnostics if each.severity is Severity.ERROR]
        more = f" (and {len(errors) - 1:,} more)" if len(errors) > 1 else ""
        return f"{_place(errors[0])}{errors[0].message}{more}"
    return message(fault).partition("\n")[0]


def _place(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    return "" if span is None else f"{span.source.name}:{span.line}: "


def _machine_of(built: Built, draft: ProjectDraft) -> str | None:
    files = built.image.files
    if built.manifest.is_gameboy:
        if any(line.address <= 0x100 < line.address + line.size for line in built.image.lines):
            return GAME_BOY
        draft.guesses.append(Noted("machine", "none, since nothing is at $0100 to begin with"))
        draft.table.pop("header", None)
        return None
    if files and files[0].data.startswith(MAGIC):
        return NES
    output = str(draft.table.get("output", ""))
    data = bytes(files[0].data) if files else b""
    if (data[:2] == b"\x01\x08" and is_basic_program(data)) or output.lower().endswith(".prg"):
        draft.guesses.append(Noted("machine", "c64, since the program is a .prg"))
        draft.table["output"] = output or f"{draft.table['name']}.prg"
        return C64
    return None


def _is_the_same(folder: Folder, image: Path | None, built: Built, draft: ProjectDraft) -> bool:
    """Whether a build gives the image that is there, if one is."""
    if image is None:
        return True
    there = (folder.root / image).read_bytes()
    same = any(file.data == there for file in built.image.files)
    if same:
        draft.found.append(Noted(image.as_posix(), "the same bytes as romproof builds"))
    return same


def _load(folder: Folder, draft: ProjectDraft) -> Built:
    """The program of an image; symbols that are not of it are left out."""
    try:
        return build_cached(_manifest(folder, draft))
    except BadSymbols as fault:
        draft.table.pop("symbols", None)
        draft.guesses.append(Noted("symbols", f"left out: {_first_line(fault)}"))
    return build_cached(_manifest(folder, draft))


def _try(folder: Folder, draft: ProjectDraft, built: Built) -> Tried:
    """The tests of a program. A check that refuses what it does becomes a warning."""
    checks: dict[str, str] = {}
    while True:
        rom: Rom = rom_of(built, checks=checks)
        try:
            tests = find_tests(rom)
            break
        except CallFault as fault:
            levels = checks_for(fault)
            if not levels or levels.items() <= checks.items():
                tests = find_calls(rom)
                if not tests:
                    message = f"the program does not run for a second: {fault.summary}"
                    raise NotReady(message) from None
                draft.guesses.append(Noted("test", f"a call only: {fault.summary}"))
                break
            checks.update(levels)
            draft.table["checks"] = dict(checks)
            draft.guesses.append(Noted("checks", f"a warning of {fault.summary}"))
    for diagnostic in built.diagnostics:
        if diagnostic.severity is Severity.WARNING:
            draft.found.append(Noted("a warning", diagnostic.message))
            break
    return Tried(draft, built.manifest.name, tuple(tests))
