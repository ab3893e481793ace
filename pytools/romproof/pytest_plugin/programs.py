"""The programs of a project, each built once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from romproof.build import build, find_project, load
from romproof.engine.engines import DEFAULT_ENGINE
from romproof.harness.rom import Rom
from romproof.text.errors import RomproofError


class Roms:
    """The programs of the project around one of ``folders``, on one engine.

    The first folder that lies in a project says which; when none does, the
    message is about the first. ``engine`` None: the one the project names. ``uninitialised`` is
    what calls do about variables that nobody has written (see Machine.call).

    A program that cannot be built is tried once; the first test that wants it
    shows the diagnostics, all others refer to it.
    """

    def __init__(
        self, folders: Sequence[Path], engine: str | None, uninitialised: bool | None = None
    ) -> None:
        self._folders = folders
        self._engine = engine
        self._uninitialised = uninitialised
        self._built: dict[str | None, Rom] = {}
        self._failed: dict[str | None, str] = {}

    def _load(self, name: str | None) -> Rom:
        """Build a program. Raises RomproofError."""
        projects = (find_project(folder) for folder in self._folders)
        project = next((found for found in projects if found is not None), None)
        pyproject = project.pyproject if project else self._folders[0] / "pyproject.toml"
        engine = self._engine or (project.engine() if project else None) or DEFAULT_ENGINE
        built = build(load(pyproject, name))
        banks = built.manifest.banks
        return Rom(built.image, engine, banks=banks, uninitialised=self._uninitialised)

    def built(self) -> list[Rom]:
        """The programs that were built so far."""
        return list(self._built.values())

    def forget(self) -> None:
        """Forget which calls were made."""
        for rom in self._built.values():
            rom.forget()

    def get(self, name: str | None = None) -> Rom:
        """The program ``name``; fails the running test when there is none."""
        if name in self._built:
            return self._built[name]
        text = self._failed.get(name)
        if text is None:
            try:
                self._built[name] = self._load(name)
                return self._built[name]
            except RomproofError as error:
                text = str(error)
            first = text.partition("\n")[0]
            self._failed[name] = f"no ROM to test, as an earlier error says: {first}"
        pytest.fail(text, pytrace=False)
