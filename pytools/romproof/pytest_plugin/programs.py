"""The programs of a project, each built once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from romproof.engine.engines import DEFAULT_ENGINE, check_engine_name
from romproof.harness.built import rom_of
from romproof.harness.rom import Rom
from romproof.projects.foreign import warn_of
from romproof.projects.program_cache import build_cached
from romproof.projects.project import Project, find_project, load
from romproof.report.unread import find_lost, findings_of, refuse, warn_of_lost
from romproof.text.errors import RomproofError

_ProgramKey = tuple[Path | None, str | None]
"""The pyproject.toml of a project, and the name of one of its programs."""


class Roms:
    """The programs of the projects that tests are in, on one engine.

    A test's project is the one around its own folder; where it is in none, the first of
    ``folders`` that lies in a project says which, and when none does, the message is about the
    first. ``engine`` None: the one the project names. ``uninitialised`` is what calls do about
    uninitialised variables (see Machine.call). ``strict``: comments that look like contracts and
    that nobody reads fail the tests of their program; else they are warned of.

    A program that cannot be built is tried once; the first test that wants it
    shows the diagnostics, all others refer to it. ``compared`` are the two sides of the comparison
    that failed last in the running test.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        engine: str | None,
        uninitialised: bool | None = None,
        strict: bool = False,
    ) -> None:
        self.compared: tuple[object, object] | None = None
        self._folders = folders
        self._engine = engine
        self._uninitialised = uninitialised
        self._strict = strict
        self._projects: dict[Path, Project | None] = {}
        self._built: dict[_ProgramKey, Rom] = {}
        self._failed: dict[_ProgramKey, str] = {}

    def _project(self, beside: Path | None) -> Project | None:
        """The project of a test in the folder ``beside``. Raises BadManifest and BadProject."""
        for folder in [beside, *self._folders] if beside else self._folders:
            if folder not in self._projects:
                self._projects[folder] = find_project(folder)
            project = self._projects[folder]
            if project is not None:
                return project
        return None

    def _load(self, name: str | None, project: Project | None) -> Rom:
        """Build a program. Raises RomproofError."""
        pyproject = project.pyproject if project else self._folders[0] / "pyproject.toml"
        engine = self._engine or (project.engine() if project else None) or DEFAULT_ENGINE
        check_engine_name(engine)
        program = build_cached(load(pyproject, name))
        if program.manifest.foreign is not None:
            warn_of(program.diagnostics)
        findings = findings_of(find_lost(program.image), program.manifest.name, self._strict)
        refuse(findings)
        warn_of_lost(findings)
        return rom_of(program, engine, uninitialised=self._uninitialised)

    def built(self) -> list[Rom]:
        """The programs that were built so far."""
        return list(self._built.values())

    def forget(self) -> None:
        """Forget which calls were made, and what was compared."""
        self.compared = None
        for rom in self._built.values():
            rom.forget()

    def get(
        self,
        name: str | None = None,
        beside: Path | None = None,
        checks: Mapping[str, str] | None = None,
    ) -> Rom:
        """The program ``name`` of the project around the folder ``beside``; ``checks`` are levels
        that go before its own.

        Fails the running test when there is none.
        """
        rom = self._get(name, beside)
        return rom.with_checks(checks) if checks else rom

    def _get(self, name: str | None, beside: Path | None) -> Rom:
        try:
            project = self._project(beside)
        except RomproofError as error:
            pytest.fail(str(error), pytrace=False)
        key = (project.pyproject if project else None, name)
        if key in self._built:
            return self._built[key]
        text = self._failed.get(key)
        if text is None:
            try:
                self._built[key] = self._load(name, project)
                return self._built[key]
            except (RomproofError, OSError) as error:
                text = _text_of(error)
            first = text.partition("\n")[0]
            self._failed[key] = f"no ROM to test because of an earlier error: {first}"
        pytest.fail(text, pytrace=False)


def _text_of(error: RomproofError | OSError) -> str:
    """What went wrong; a file that cannot be read is named."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)
