"""The fixture ``picture``: screens compared with golden files.

    def test_title(rom, picture):
        machine = rom.machine()
        machine.run_frames(60)
        assert machine.screen == picture("title")

The file is ``pictures/title.png`` beside the test. One that is missing is written, and the test
fails once, so that somebody looks at it; ``--romproof-update`` writes all anew, and
``--romproof-update-new`` only those that are missing, and such tests pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from romproof.formats.sources import show_path
from romproof.machine.screen import Screen
from romproof.report.pictures import (
    Box,
    draw_difference,
    explain_difference,
    find_difference,
    png_of,
    read_png,
    to_image,
    write_png,
)
from romproof.support.files import write_all

FOLDER = "pictures"
KEY = "romproof_pictures"
"""What the pictures that a worker compared are called in its output."""
_LEFT_BEHIND = (".actual.png", ".diff.png")


class Update(Enum):
    """Which files are written without a failure."""

    NONE = "none"
    NEW = "new"
    ALL = "all"


@dataclass(eq=False, slots=True)
class Golden:
    """A file with which a screen is compared by ``==``; ``explanation`` says what the last
    comparison has found, nothing if all is equal."""

    path: Path
    update: Update
    masks: Sequence[Box] = ()
    explanation: list[str] = field(default_factory=list)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Screen):
            return NotImplemented
        self.explanation = self._compare(other)
        return not self.explanation

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"picture({self.path.stem!r})"

    def _compare(self, screen: Screen) -> list[str]:
        if self.update is Update.ALL or not self.path.exists():
            write_png(screen, self.path)
            self._clean()
            if self.update is Update.NONE:
                return [f"{show_path(self.path)} is new: look at it, and run the test again"]
            return []
        expected = read_png(self.path, screen)
        difference = find_difference(screen, expected, self.masks)
        if difference is None:
            self._clean()
            return []
        actual, diff = (self.path.with_suffix(suffix) for suffix in _LEFT_BEHIND)
        write_all(
            [
                (actual, png_of(to_image(screen))),
                (diff, png_of(draw_difference(screen, difference))),
            ]
        )
        return [
            *explain_difference(screen, difference),
            f"see {show_path(actual)} and {diff.name}; --romproof-update takes the new picture",
        ]

    def _clean(self) -> None:
        """What an earlier failure has left behind is of no use any more."""
        for suffix in _LEFT_BEHIND:
            self.path.with_suffix(suffix).unlink(missing_ok=True)


def explain(left: object, right: object) -> list[str] | None:
    """What pytest shows of a failed comparison, if it was one with a file."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Golden) and isinstance(other, Screen):
            return [f"the screen is not {one!r}", *one.explanation]
    return None


class Pictures:
    """``picture(name)`` of one test. ``masks`` are rectangles (x, y, width, height) that are not
    compared."""

    def __init__(self, folder: Path, update: Update, used: set[str]) -> None:
        self._folder, self._update, self._used = folder, update, used

    def __call__(self, name: str, *, masks: Iterable[Sequence[int]] = ()) -> Golden:
        path = self._folder / FOLDER / f"{name}.png"
        self._used.add(str(path))
        return Golden(path, self._update, tuple(Box(*mask) for mask in masks))


class PicturesPlugin:
    """Counts which files were compared, and names those that no test has asked for."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.used: set[str] = set()

    def of_test(self, request: pytest.FixtureRequest) -> Pictures:
        """What the fixture gives to a test."""
        option = request.config.getoption
        update = Update.NEW if option("--romproof-update-new") else Update.NONE
        if option("--romproof-update"):
            update = Update.ALL
        return Pictures(request.path.parent, update, self.used)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A worker tells which files its tests compared."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[KEY] = sorted(self.used)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker has ended."""
        output = getattr(node, "workeroutput", None)
        if isinstance(output, dict):
            self.used.update(output.get(KEY, ()))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name the files beside those that were compared; not after a part of the tests."""
        config = self._config
        if config.option.keyword or config.option.markexpr or not self.used:
            return
        if any("::" in arg for arg in config.args) or terminalreporter.stats.get("deselected"):
            return
        there = {
            str(path)
            for folder in {Path(name).parent for name in self.used}
            for path in folder.glob("*.png")
            if not path.name.endswith(_LEFT_BEHIND)
        }
        unused = sorted(there - self.used)
        if unused:
            terminalreporter.section("romproof: pictures that no test compared")
            for name in unused:
                terminalreporter.write_line(show_path(Path(name)))
