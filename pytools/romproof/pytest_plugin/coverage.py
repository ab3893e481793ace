"""``--romproof-cov``: which lines of assembly the tests executed, and which outcomes branches had.

Registered only when it is asked for. Where pytest-xdist runs the tests, each worker sends what it
saw when it has ended, and the process that started them puts it together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from romproof.harness.calls.listening import LISTENERS
from romproof.harness.direct import listen
from romproof.harness.listeners.covered import Covered
from romproof.measure.coverage.model import Coverage, as_plain, from_plain, merge
from romproof.measure.coverage.summary import CoverageReport, report_of
from romproof.projects.coverage import CoverageSettings, coverage_settings
from romproof.projects.project import find_project
from romproof.report.coverage.html import coverage_pages
from romproof.report.coverage.lcov import lcov_text
from romproof.report.coverage.text import coverage_lines, show_path
from romproof.support.files import write_all
from romproof.text.errors import RomproofError

KEY = "romproof_coverage"
"""What a worker's coverage is called in its output."""


def settings_of(config: pytest.Config) -> CoverageSettings:
    """What the options say, else the project. Raises UsageError."""
    try:
        project = find_project(config.rootpath) or find_project(config.invocation_params.dir)
        said = coverage_settings(project)
    except (RomproofError, OSError) as error:
        raise pytest.UsageError(str(error)) from None
    folder = config.invocation_params.dir
    lcov, html = config.getoption("--romproof-cov-lcov"), config.getoption("--romproof-cov-html")
    least = config.getoption("--romproof-cov-fail-under")
    if least is not None and not 0 <= least <= 100:
        raise pytest.UsageError("--romproof-cov-fail-under is a share in percent, from 0 to 100")
    return CoverageSettings(
        folder / lcov if lcov else said.lcov,
        folder / html if html else said.html,
        said.fail_under if least is None else least,
        said.omit,
    )


class CoveragePlugin:
    """Hooks of a session whose coverage is wanted."""

    def __init__(self, config: pytest.Config, settings: CoverageSettings) -> None:
        self._config = config
        self._settings = settings
        self._covered = Covered(config.invocation_params.dir)
        self._workers = Coverage()
        self._lost: list[str] = []
        self._report: CoverageReport | None = None
        self._written: list[str] = []
        self._failed = ""
        listen(self._covered)

    def pytest_unconfigure(self) -> None:
        """Listen no more."""
        if self._covered in LISTENERS:
            LISTENERS.remove(self._covered)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker of pytest-xdist has ended, or crashed."""
        name = getattr(node, "gateway", None)
        output = getattr(node, "workeroutput", None)
        plain = output.get(KEY) if isinstance(output, dict) else None
        if plain is None:
            called = getattr(name, "id", "a worker")
            self._lost.append(
                f"worker {called} crashed: its coverage is missing from these numbers"
            )
            return
        self._workers = merge(self._workers, from_plain(plain))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Put together what was executed; write the files; see whether it is enough."""
        if self._covered in LISTENERS:
            LISTENERS.remove(self._covered)
        coverage = self._covered.coverage()
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[KEY] = as_plain(coverage)
            return
        total = merge(self._workers, coverage)
        total = Coverage(total.files, (*self._lost, *total.notes))
        self._report = report_of(total, self._settings.omit)
        self._write(self._report)
        least = self._settings.fail_under
        if least is not None and self._report.percent < least and not self._failed:
            self._failed = f"coverage is {self._report.percent:.2f} %, less than {least:g} %"
        if self._failed and session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _write(self, report: CoverageReport) -> None:
        folder = str(self._config.rootpath)
        files: list[tuple[Path, bytes | str]] = []
        if self._settings.lcov is not None:
            files.append((self._settings.lcov, lcov_text(report)))
            self._written.append(f"written: {show_path(str(self._settings.lcov), folder)}")
        if self._settings.html is not None:
            html = self._settings.html
            files += [(html / name, page) for name, page in coverage_pages(report, folder)]
            self._written.append(f"written: {show_path(str(html / 'index.html'), folder)}")
        try:
            write_all(files)
        except OSError as error:
            self._written = []
            self._failed = f"coverage is not written: {error.filename}: {error.strerror}"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The table."""
        if self._report is None:
            return
        write = terminalreporter.write_line
        terminalreporter.section("romproof: coverage of assembly")
        width = terminalreporter._tw.fullwidth
        for line in coverage_lines(self._report, str(self._config.rootpath), width):
            write(line)
        for line in self._written:
            write(line)
        if self._failed:
            write(f"ERROR: {self._failed}", red=True, bold=True)
