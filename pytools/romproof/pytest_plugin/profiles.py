"""``--romproof-profile``: where the cycles of all that the tests run go.

Registered only when it is asked for. Where pytest-xdist runs the tests, each worker sends its
profiles when it has ended, and the process that started them puts them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from romproof.harness.calls.listening import LISTENERS
from romproof.harness.direct import listen
from romproof.harness.listeners.profiled import Profiled
from romproof.measure.merging import merge_by_title
from romproof.measure.plain import as_text, from_text
from romproof.measure.recorded import RecordedProfile
from romproof.report.profiles.files import format_of, text_of
from romproof.support.files import write_all
from romproof.text.errors import RomproofError

KEY = "romproof_profiles"
"""What a worker's profiles are called in its output."""


class ProfilePlugin:
    """Hooks of a session whose profile is wanted, in some files. Raises UsageError."""

    def __init__(self, config: pytest.Config, names: Sequence[str]) -> None:
        folder = config.invocation_params.dir
        try:
            self._files = {folder / name: format_of(name) for name in names}
        except RomproofError as error:
            raise pytest.UsageError(f"--romproof-profile: {error}") from None
        self._config = config
        self._profiled = Profiled("html" in self._files.values())
        self._found: list[RecordedProfile] = []
        self._notes: list[str] = []
        self._failed = ""
        listen(self._profiled)

    def pytest_unconfigure(self) -> None:
        """Listen no more."""
        if self._profiled in LISTENERS:
            LISTENERS.remove(self._profiled)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker of pytest-xdist has ended, or crashed."""
        output = getattr(node, "workeroutput", None)
        sent = output.get(KEY) if isinstance(output, dict) else None
        if sent is None:
            called = getattr(getattr(node, "gateway", None), "id", "a worker")
            self._notes.append(f"worker {called} crashed: its cycles are missing from the profile")
            return
        self._found += from_text(sent[0])
        self._notes += sent[1]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Put together what was executed, and write it."""
        if self._profiled in LISTENERS:
            LISTENERS.remove(self._profiled)
        programs, notes = self._profiled.programs(), self._profiled.notes()
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[KEY] = [as_text(programs), notes]
            return
        self._found = list(merge_by_title((*self._found, *programs)))
        self._notes += notes
        files: list[tuple[Path, bytes | str]] = [
            (path, text_of(kind, self._found)) for path, kind in self._files.items()
        ]
        try:
            write_all(files)
        except OSError as error:
            self._failed = f"the profile is not written: {error.filename}: {error.strerror}"
            if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was profiled, and where it is written."""
        if hasattr(self._config, "workeroutput"):
            return
        write = terminalreporter.write_line
        terminalreporter.section("romproof: profile")
        for program in self._found:
            profile = program.profile
            write(
                f"{program.title}: {profile.cycles:,} {program.unit} in {program.runs:,} runs, "
                f"{len(profile.routines):,} routines"
            )
        if not self._found:
            write("no test ran a program")
        for note in self._notes:
            write(note)
        if self._failed:
            write(f"ERROR: {self._failed}", red=True, bold=True)
            return
        for path in self._files:
            write(f"written: {path}")
