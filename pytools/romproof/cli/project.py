"""The ROMs of the project, as commands name them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from romproof.cli.foreign import manifest_called
from romproof.cli.output import assembling, show_diagnostics
from romproof.cli.unread import tell_unread
from romproof.cli.values import LazyChoice, PlaceArgument, engines, place
from romproof.text.errors import RomproofError

if TYPE_CHECKING:
    from romproof.projects import Built, Manifest
    from romproof.projects.unchanged import MadeFiles


class NoRoms(RomproofError):
    """There is nothing to build, or the ROMs cannot be told apart."""


def rom_names() -> Iterable[str]:
    """The names of all ROMs of the project. Raises NoProject."""
    from romproof.projects import manifest_names

    return manifest_names()


class RomName(LazyChoice):
    """The name of a ROM, or the path of an image, of a manifest or of the folder it lies in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from romproof.formats.images import is_image

        if isinstance(value, str) and is_image(value):
            return str(value)
        if isinstance(value, str) and (value.endswith(".toml") or os.sep in value):
            if not os.path.lexists(value):
                self.fail(f"there is no file or folder '{value}'", param, ctx)
            return str(value)
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            return super().shell_complete(ctx, param, incomplete)
        except (RomproofError, OSError):
            return []  # a broken project is reported when the command runs


class RoutineArgument(PlaceArgument):
    """A symbol of the ROM named before; shells complete those of its last build."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        # click gives up on the other words when the option has no value yet
        words = [ctx.params.get("name"), *ctx.args]
        rom = next((word for word in words if word), None)
        names = [] if rom is None else read_built_labels(rom)
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class RomRoutine(RomName):
    """``NAME`` or ``NAME:ROUTINE``: a ROM, and maybe one of its routines."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, tuple):
            return value
        name, colon, routine = value.partition(":")
        if colon and not routine:
            self.fail(f"'{value}' names no routine after the colon", param, ctx)
        return self._rom(name, colon, param, ctx), place(routine) if colon else None

    def _rom(
        self, name: str, colon: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The ROM. Of a project with one, who leaves it out hears how its routines are named."""
        try:
            return super().convert(name, param, ctx)
        except click.BadParameter as fault:
            known = list(self.names())
            if colon or len(known) != 1:
                raise
            self.fail(f"{fault.message}; to name a routine, write {known[0]}:{name}", param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        name, colon, start = incomplete.partition(":")
        if not colon:
            return super().shell_complete(ctx, param, incomplete)
        return [
            CompletionItem(f"{name}:{r}") for r in read_built_labels(name) if r.startswith(start)
        ]


def read_built_labels(rom: str) -> list[str]:
    """The labels of a ROM as it was built last; none when it was not."""
    from romproof.projects import find_manifest
    from romproof.report.labelfile import read_labels

    try:
        manifest = find_manifest(rom)
        ending = ".sym" if manifest.is_gameboy else ".lbl"
        return sorted(read_labels(output_folder() / f"{manifest.stem}{ending}").values())
    except (RomproofError, OSError):
        return []


ROM = RomName("ROM", rom_names)
ROM_ROUTINE = RomRoutine("ROM", rom_names)


def _choose_only(context: click.Context, parameter: click.Parameter, name: str | None) -> str:
    """The ROM that was named, else that of a project with one. Raises MissingParameter."""
    if name is not None or context.resilient_parsing:
        return name or ""
    names = list(rom_names())
    if len(names) == 1:
        return names[0]
    raise click.MissingParameter(
        f"Choose one of the ROMs: {', '.join(names)}." if names else "There are no ROMs.",
        context,
        parameter,
    )


def rom_argument(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``[NAME]``, which may be left out where the project has one ROM; the command gets it."""
    return click.argument(
        "name", type=ROM, required=False, metavar="[NAME]", callback=_choose_only
    )(command)


def _engine(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str:
    """The engine that was named, else that of the project, else the default."""
    from romproof.engine.engines import DEFAULT_ENGINE
    from romproof.projects.project import find_project

    if name is not None:
        return name
    try:
        project = find_project(Path.cwd())
    except RomproofError:
        return DEFAULT_ENGINE  # a broken project is reported when it is used
    return (project.engine() if project else None) or DEFAULT_ENGINE


def engine_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--engine``; the command gets the name."""
    return click.option(
        "--engine",
        type=LazyChoice("engine", engines),
        callback=_engine,
        help="Engine that executes the code: see 'romproof engines'. Default: 'engine' in "
        "pyproject.toml, else auto, the fastest one.",
    )(command)


def choose_manifests(name: str | None) -> tuple[list[Manifest], dict[str, RomproofError]]:
    """The manifest called ``name``, or all of them, and what is wrong with the others.

    Raises NoRoms, and BadManifest when it is the one that was named.
    """
    names = [name] if name else list(rom_names())
    if not names:
        raise NoRoms(
            "there is no ROM to build: [tool.romproof] in pyproject.toml names none; add "
            "sources = [\"main.s\"], or 'rom' or 'folders' with manifests"
        )
    manifests: list[Manifest] = []
    broken: dict[str, RomproofError] = {}
    stems: dict[str, str] = {}
    for called in names:
        try:
            manifest = manifest_called(called)
        except RomproofError as fault:
            if name:
                raise
            broken[called] = fault
            continue
        manifests.append(manifest)
        other = stems.setdefault(manifest.stem, called)
        if other != called:
            raise NoRoms(
                f"the ROMs '{other}' and '{called}' have the same outputs '{manifest.stem}.*': "
                f"give one of them another 'name' or 'output'"
            )
    return manifests, broken


def output_folder() -> Path:
    """build/rom/ of the project we stand in; of the current folder outside of any."""
    from romproof.projects.project import find_project

    project = find_project(Path.cwd())
    folder = (project.root if project else Path.cwd()) / "build" / "rom"
    return folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder


def as_it_was(revision: str) -> AbstractContextManager[Path]:
    """The current folder at a revision, or the one above it where it was not there yet, within the
    project. Raises BadInput."""
    from romproof.projects.project import find_project
    from romproof.projects.revision import check_out

    project = find_project(Path.cwd())
    return check_out(Path.cwd(), revision, None if project is None else project.root)


def out_to_stderr() -> AbstractContextManager[object]:
    """What the source prints with .out goes to stderr: stdout has one result only."""
    return redirect_stdout(sys.stderr)


def build_one(name: str, other: bool = False) -> Built:
    """Build the ROM ``name`` in memory; its warnings are shown. ``other``: it is the second one
    that the command line names. Raises BuildFailed, with --strict also for comments that look like
    contracts and are not read."""
    from romproof.projects import build

    with out_to_stderr(), assembling() as seen:
        built = build(manifest_called(name, other), progress=seen)
    show_diagnostics(built.diagnostics)
    tell_unread(built.manifest.name, built.image)
    return built


def rom_json(name: str, made: MadeFiles) -> Mapping[str, object]:
    """A ROM that was built, for JSON."""
    from romproof.report.json import diagnostics_json

    return {
        "name": name,
        "ok": True,
        "reused": made.reused,
        "files": [{"path": str(path), "size": size} for path, size in made.files],
        "diagnostics": diagnostics_json(made.diagnostics),
    }
