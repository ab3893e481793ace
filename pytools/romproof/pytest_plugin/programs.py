"""The programs of a project, each built once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from romproof.build import build, find_project, load
from romproof.harness.rom import Rom
from romproof.text.errors import RomproofError


class Roms:
    """The programs of the project around one of ``folders``, on one engine.

    The first folder that lies in a project says which; when none does, the
    message is about the first.

    A program that cannot be built is tried once; the first test that wants it
    shows the diagnostics, all others refer to it.
    """

    def __init__(self, folders: Sequence[Path], engine: str) -> None:
        self._folders = folders
        self._engine = engine
        self._built: dict[str | None, Rom] = {}
        self._failed: dict[str | None, str] = {}

    def _pyproject(self) -> Path:
        for folder in self._folders:
            project = find_project(folder)
            if project is not None:
                return project.pyproject
        return self._folders[0] / "pyproject.toml"

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
                built = build(load(self._pyproject(), name))
                self._built[name] = Rom(built.image, self._engine, banks=built.manifest.banks)
                return self._built[name]
            except RomproofError as error:
                text = str(error)
            first = text.partition("\n")[0]
            self._failed[name] = f"no ROM to test, as an earlier error says: {first}"
        pytest.fail(text, pytrace=False)
