"""Which ROMs there are: those of the project we stand in.

A project says so in its pyproject.toml:

    [tool.romproof]
    rom = "rom/game/manifest.toml"      # the one tests use; or its keys right here
    folders = ["rom"]                   # each sub-folder with a manifest is a ROM
    engine = "plain"                    # what executes the code, by default
    checks = { stray_writes = "warn" }  # of all its programs (romproof.engine.checks)

    [tool.romproof.roms.extra]          # further ones, described on the spot
    sources = ["extra.s"]

    [tool.romproof.roms.game]           # what another build system makes: see foreign.py
    image = "build/game.nes"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from romproof.engine.checks import faults_of
from romproof.engine.engines import engine_names
from romproof.formats.images import is_image
from romproof.program.budget import budget_faults
from romproof.projects.foreign import KEYS as FOREIGN_KEYS
from romproof.projects.foreign import Foreign
from romproof.projects.manifest import (
    FILE_NAME,
    Manifest,
    load_manifest,
    manifest_from,
    manifest_of_image,
    read_toml,
)
from romproof.projects.manifest import (
    KEYS as MANIFEST_KEYS,
)
from romproof.text.diagnostic import suggest
from romproof.text.errors import BadInput, RomproofError

_OWN_KEYS = ("rom", "folders", "roms", "engine", "checks", "coverage")


class BadProject(RomproofError):
    """The project does not say which ROM is meant."""


class NoProject(BadProject, BadInput):
    """We stand in no project."""

    def __init__(self) -> None:
        super().__init__(
            "no project in this folder or above: write a pyproject.toml with the table "
            '[tool.romproof] that has sources = ["main.s"], or image = "build/game.nes"'
        )


@dataclass(frozen=True, slots=True)
class Project:
    """A pyproject.toml with a table [tool.romproof]."""

    pyproject: Path
    table: Mapping[str, Any]

    @property
    def root(self) -> Path:
        """The folder all paths of the table start at."""
        return self.pyproject.parent

    def folders(self) -> list[Path]:
        """The folders whose sub-folders are ROMs."""
        names = self.table.get("folders", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadProject(f"{self.pyproject}: 'folders' must be a list of strings")
        return [self.root / name for name in names]

    def engine(self) -> str | None:
        """The engine that is to execute the project's code; None when it does not say."""
        name = self.table.get("engine")
        if name is not None and not isinstance(name, str):
            raise BadProject(
                f"{self.pyproject}: 'engine' must be the name of an engine, such as 'plain'"
            )
        if name is not None and name not in engine_names():
            hint = suggest(name, engine_names()) or f"there are {', '.join(engine_names())}"
            raise BadProject(f"{self.pyproject}: no engine '{name}'; {hint}")
        return name

    def with_checks(self, manifest: Manifest) -> Manifest:
        """A program of the project with the checks of all of them; its own go first. Raises
        BadProject."""
        levels = self._levels(self.table.get("checks", {}))
        return replace(manifest, checks=tuple({**levels, **dict(manifest.checks)}.items()))

    def _levels(self, levels: Any) -> Mapping[str, str]:
        faults = faults_of(levels) if isinstance(levels, dict) else ["'checks' must be a table"]
        if faults:
            raise BadProject("\n".join(f"{self.pyproject}: {fault}" for fault in faults))
        known: Mapping[str, str] = levels
        return known

    def _with_budgets(self, manifest: Manifest, table: Mapping[str, Any], where: str) -> Manifest:
        """A manifest with the budgets of the table that names it, too. Raises BadProject."""
        budgets = table.get("budgets", {})
        faults = ["'budgets' must be a table"]
        if isinstance(budgets, dict):
            faults = budget_faults(budgets, manifest.cpu)
        if faults:
            raise BadProject("\n".join(f"{self.pyproject}: {where}: {fault}" for fault in faults))
        return replace(manifest, budgets=(*manifest.budgets, *budgets.items()))

    def load(self, path: Path) -> Manifest:
        """The ROM of a manifest. Raises BadManifest and BadProject."""
        return self.with_checks(load_manifest(path))

    def rom_tables(self) -> Mapping[str, Any]:
        """The ROMs described by tables of their own."""
        roms = self.table.get("roms", {})
        if not isinstance(roms, dict):
            raise BadProject(f"{self.pyproject}: 'roms' must be tables [tool.romproof.roms.NAME]")
        return roms

    def default(self) -> Manifest | None:
        """The ROM of the table itself; None when it describes none. Raises BadManifest and
        BadProject."""
        if self.table.keys() & {"rom", "image", "sources"}:
            image = self.table.get("image")
            name = Path(image).stem if isinstance(image, str) else ""
            return self._read_description(self.table, name or "rom", "[tool.romproof]")
        known = (*_OWN_KEYS, *MANIFEST_KEYS, *FOREIGN_KEYS)
        others = self.table.keys() - {*_OWN_KEYS, "budgets"}
        for key in sorted(others, key=lambda key: (key in known, key)):  # a misspelt one first
            hint = None if key in known else suggest(key, known)
            raise BadProject(
                f"{self.pyproject}: '{key}' in [tool.romproof], which describes no program: "
                + (hint or "it needs 'sources', 'image' or 'rom' beside it")
            )
        if "budgets" in self.table:
            raise BadProject(
                f"{self.pyproject}: [tool.romproof.budgets] needs a program in [tool.romproof], "
                f"which describes none: write [tool.romproof.roms.NAME.budgets], or "
                f"[rom.budgets] in a manifest"
            )
        return None

    def from_table(self, name: str) -> Manifest:
        """The ROM described by [tool.romproof.roms.NAME]."""
        return self._read_description(self.rom_tables()[name], name, f"[tool.romproof.roms.{name}]")

    def _read_description(self, table: Any, name: str, where: str) -> Manifest:
        if not isinstance(table, dict):
            raise BadProject(f"{self.pyproject}: {where} must be a table")
        manifest = table.get("rom")
        if manifest is not None:
            if not isinstance(manifest, str):
                raise BadProject(f"{self.pyproject}: 'rom' of {where} must be a manifest's path")
            known = (*_OWN_KEYS, "budgets") if table is self.table else ("rom", "checks", "budgets")
            for key in sorted(table.keys() - set(known)):
                hint = suggest(key, known) or "its manifest is the place for keys of the program"
                raise BadProject(
                    f"{self.pyproject}: {where}: unknown key '{key}' beside 'rom'; {hint}"
                )
            made = self._with_budgets(self.load(self.root / manifest), table, where)
            if table is self.table or "checks" not in table:
                return made
            return replace(made, checks=(*made.checks, *self._levels(table["checks"]).items()))
        own = _OWN_KEYS if table is self.table else ()
        keys = {key: value for key, value in table.items() if key not in own}
        return self.with_checks(manifest_from(keys, self.root, name, f"{self.pyproject}: {where}"))


def find_project(start: Path) -> Project | None:
    """The project around the folder ``start``; None outside of any."""
    for folder in [start.resolve(), *start.resolve().parents]:
        pyproject = folder / "pyproject.toml"
        if pyproject.is_file():
            table = _read_table(pyproject)
            if table is not None:
                return Project(pyproject, table)
    return None


def _read_table(pyproject: Path) -> Mapping[str, Any] | None:
    """The table [tool.romproof], None when there is none. Raises BadManifest, BadProject."""
    tools = read_toml(pyproject).get("tool", {})
    table = tools.get("romproof") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise BadProject(f"{pyproject}: [tool.romproof] must be a table")
    return table


def load(pyproject: Path, name: str | None = None) -> Manifest:
    """The ROM ``name`` of a pyproject.toml; None asks for the one tests use.

    Raises BadProject when there is none, or several and none is named;
    BadManifest when what is said of it cannot be used.
    """
    table = _read_table(pyproject) if pyproject.exists() else None
    if table is None:
        raise BadProject(
            f"{pyproject} has no table [tool.romproof]: describe the program to test there, "
            'e.g. sources = ["main.s"] and config = "layout.cfg", or image = "build/game.nes"'
        )
    project = Project(pyproject, table)
    if name is not None:
        return _choose(name, _manifests(project))
    default = project.default()
    if default is not None:
        return default
    known = _manifests(project)
    if len(known) == 1:
        return next(iter(known.values()))()
    if known:
        raise BadProject(
            f"{pyproject}: [tool.romproof] has several ROMs ({', '.join(sorted(known))}): "
            'name one with rom = "path/to/manifest.toml", or @pytest.mark.rom("NAME")'
        )
    raise BadProject(
        f"{pyproject}: [tool.romproof] names no ROM: add 'rom' (a manifest), 'sources' (files) "
        f"or 'image' (the output of another build system)"
    )


_Loaders = dict[str, Callable[[], Manifest]]
"""Names of ROMs and how to load each; only the one that is wanted gets read."""


def _manifests(project: Project) -> _Loaders:
    """Every ROM of the project."""
    known: _Loaders = {name: partial(project.from_table, name) for name in project.rom_tables()}
    default = project.default()
    if default is not None:
        chosen = default
        known[chosen.name] = lambda: chosen
    for folder in project.folders():
        for path in sorted(folder.glob(f"*/{FILE_NAME}")):
            known.setdefault(path.parent.name, partial(project.load, path))
    return known


def manifests(project: Project) -> list[Manifest]:
    """All programs of a project, by name. Raises BadManifest and BadProject."""
    return [make() for _, make in sorted(_manifests(project).items())]


def commands_of(project: Project) -> list[tuple[tuple[str, ...] | str, Path]]:
    """The commands that bring the project's images up to date, each once, with their folders.

    What is wrong with a program is reported when it is used.
    """
    commands: dict[tuple[tuple[str, ...] | str, Path], None] = {}
    makers: list[Callable[[], Manifest | None]] = [project.default]
    makers += [partial(project.from_table, name) for name in project.rom_tables()]
    for make in makers:
        try:
            manifest = make()
        except RomproofError:
            continue
        foreign = manifest.foreign if manifest is not None else None
        if foreign is not None and foreign.command is not None:
            commands.setdefault((foreign.command, foreign.folder))
    return list(commands)


def _find_project(folder: Path) -> Project:
    project = find_project(folder)
    if project is None:
        raise NoProject
    return project


def _choose(name: str, known: _Loaders) -> Manifest:
    if name in known:
        return known[name]()
    hint = suggest(name, known)
    listed = ", ".join(sorted(known)) or "none"
    raise BadProject(f"no ROM '{name}'; " + (hint or f"there are: {listed}"))


def manifest_names() -> list[str]:
    """The ROMs that can be named from the current folder, sorted. Raises NoProject."""
    return sorted(_manifests(_find_project(Path.cwd())))


def _manifest_at(path: Path) -> Manifest:
    """The ROM of a manifest, with what the project around it says."""
    project = find_project(path.parent)
    return project.load(path) if project is not None else load_manifest(path)


def find_manifest(name: str, folder: Path | None = None) -> Manifest:
    """The ROM ``name``: a path of a manifest (or of its folder) or of an image, or a known name.

    Paths and projects are looked for from ``folder``, by default the current one. Raises
    NoProject, BadProject with a suggestion, or BadManifest.
    """
    path = Path(name) if folder is None else folder / name
    if is_image(name):
        return manifest_of_image(Foreign(path, path.parent))
    if path.suffix == ".toml":
        return _manifest_at(path)
    if (path / FILE_NAME).is_file() and len(Path(name).parts) > 1:
        return _manifest_at(path / FILE_NAME)
    return _choose(name, _manifests(_find_project(folder or Path.cwd())))
