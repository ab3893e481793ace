"""``--romproof-cycles`` and ``--romproof-budget``: what calls cost, against a file and budgets.

Registered only when it is asked for. As with coverage, workers of pytest-xdist send what they saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from romproof.contract.reading.parse import parse_contracts
from romproof.harness.calls.listening import LISTENERS, name_of
from romproof.harness.direct import listen
from romproof.harness.listeners.costs import CallCosts, join, to_records
from romproof.measure.cost_file import costs_text, read_costs
from romproof.measure.costs import Costs, RoutineCost, differences
from romproof.program.clocks import find_clock
from romproof.projects.program_cache import build_cached
from romproof.projects.project import find_project, manifests
from romproof.report.costs import annotation, budget_lines, difference_lines
from romproof.support.files import write_atomically
from romproof.support.reading import MAX_TEXT, read_input
from romproof.text.errors import RomproofError
from romproof.text.span import Source
from romproof.timing.budgets import BudgetRow, budget_rows, with_calls

KEY = "romproof_costs"
"""What a worker's costs are called in its output."""
_ACCEPT = "--romproof-cycles-update accepts the new cycles"
_Sums = dict[str, dict[str, RoutineCost]]


class CyclesPlugin:
    """Hooks of a session that is to be compared with a file, or with budgets."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        option = config.getoption
        path = option("--romproof-cycles")
        self._path = config.invocation_params.dir / path if path else None
        self._update = bool(option("--romproof-cycles-update"))
        self._budgets = bool(option("--romproof-budget"))
        self._github = bool(option("--romproof-github"))
        if self._github and not self._budgets:
            raise pytest.UsageError(
                "--romproof-github needs --romproof-budget: it prints the findings of "
                "--romproof-budget"
            )
        if self._update and self._path is None:
            raise pytest.UsageError("--romproof-cycles-update needs --romproof-cycles FILE")
        self._is_worker = hasattr(config, "workerinput")
        self._before: Costs = {}
        if self._path is not None and not self._is_worker:
            self._before = _read(self._path, self._update)
        self._costs = CallCosts()
        self._sums: _Sums = {}
        self._unseen: Counter[str] = Counter()
        self._lost = self._failed = False
        self._lines: list[str] = []
        self._rows: list[tuple[str, BudgetRow]] = []
        listen(self._costs)

    def pytest_unconfigure(self) -> None:
        """Listen no more."""
        if self._costs in LISTENERS:
            LISTENERS.remove(self._costs)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker of pytest-xdist has ended, or crashed."""
        output = getattr(node, "workeroutput", None)
        plain = output.get(KEY) if isinstance(output, dict) else None
        if plain is None:
            self._lost = True
            return
        costs, unseen = plain
        join(self._sums, _from_plain(costs))
        self._unseen.update(unseen)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Compare what was measured, before results are written to files."""
        self.pytest_unconfigure()
        if self._is_worker:
            output = self._config.workeroutput  # type: ignore[attr-defined]
            output[KEY] = (_to_plain(self._costs.costs()), self._costs.unseen)
            return
        join(self._sums, self._costs.costs())
        self._unseen.update(self._costs.unseen)
        if self._lost:
            self._lines.append("a worker crashed: calls of its tests are missing")
        if self._path is not None:
            self._compare(self._path, session.exitstatus)
        if self._budgets:
            self._judge()
        if self._failed and session.exitstatus in (
            pytest.ExitCode.OK,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _compare(self, path: Path, exitstatus: object) -> None:
        now = to_records(self._sums)
        different = differences(self._before, now)
        several = len({*self._before, *now}) > 1
        self._lines += difference_lines(different, several)
        if self._update and (self._lost or exitstatus != pytest.ExitCode.OK):
            self._failed = True
            self._lines.append("ERROR: file not written: not all tests passed")
            return
        if self._update:
            kept = {
                program: {**self._before.get(program, {}), **now.get(program, {})}
                for program in {*self._before, *now}
            }
            try:
                write_atomically(path, costs_text(kept))
                self._lines.append(f"written: {path}")
            except OSError as error:
                self._failed = True
                self._lines.append(f"ERROR: not written: {error.filename}: {error.strerror}")
            return
        slower = [d for d in different if d.fails]
        if slower:
            self._failed = True
            count = f"{len(slower)} routine{'s' if len(slower) > 1 else ''}"
            self._lines.append(f"ERROR: {count} slower than recorded in {path.name}; {_ACCEPT}")
        elif not different:
            calls = sum(cost.calls for program in self._sums.values() for cost in program.values())
            self._lines.append(f"as {path.name} says: {calls:,} calls")

    def _judge(self) -> None:
        """See whether budgets are kept: by static bounds, else by the calls that were observed."""

        folders = (self._config.rootpath, self._config.invocation_params.dir)
        try:
            rows = rows_of_project(folders)
        except (RomproofError, OSError) as error:
            self._failed = True
            self._lines.append(f"ERROR: budgets: {error}")
            return
        for program, image_name, row in rows:
            cost = self._sums.get(image_name, {}).get(row.routine, RoutineCost(""))
            self._rows.append((program, with_calls(row, cost.calls, cost.maximum, cost.most)))
        self._failed |= not all(row.ok for _, row in self._rows)
        self._record()

    def _record(self) -> None:
        """Properties of the test suite in the file of --junitxml."""
        from _pytest.junitxml import xml_key

        xml = self._config.stash.get(xml_key, None)
        if xml is None:
            return
        for program, row in self._rows:
            value = f"{row.verdict.value}; {row.budget.text}; {row.note}"
            xml.add_global_property(f"romproof_budget:{program}:{row.routine}", value)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """What became slower or faster; which budgets are kept."""
        write = terminalreporter.write_line
        if self._lines:
            where = f" against {self._path.name}" if self._path is not None else ""
            terminalreporter.section(f"romproof: cycles{where}")
            for line in self._lines:
                write(line, red=line.startswith("ERROR"))
        for name, count in self._unseen.items():
            write(f"{name}: {count:,} not measured")
        if self._budgets:
            terminalreporter.section("romproof: budgets")
            for line in budget_lines(self._rows, len({program for program, _ in self._rows}) > 1):
                write(line)
            if not self._rows:
                write("no contract has 'budget:', and no program has 'budgets'")
            for _, row in self._rows if self._github else ():
                if not row.ok:
                    write(annotation(row))


def _read(path: Path, update: bool) -> Costs:
    """The file; nothing where there is none, if it will be written. Raises UsageError."""
    try:
        text = read_input(path, MAX_TEXT).decode("utf-8")
        return read_costs(Source(str(path), text))
    except FileNotFoundError:
        if update:
            return {}
        hint = "--romproof-cycles-update creates it"
        raise pytest.UsageError(f"{path}: file not found; {hint}") from None
    except UnicodeDecodeError as error:
        raise pytest.UsageError(f"{path}: this is not UTF-8, from byte {error.start} on") from None
    except OSError as error:
        raise pytest.UsageError(f"{path}: {error.strerror}") from None
    except RomproofError as error:
        raise pytest.UsageError(str(error)) from None


def _to_plain(costs: _Sums) -> Any:
    return {
        program: {
            name: [
                c.code,
                c.calls,
                c.minimum,
                c.maximum,
                c.total,
                sorted(map(str, c.inputs)),
                c.most,
            ]
            for name, c in routines.items()
        }
        for program, routines in costs.items()
    }


def _from_plain(plain: Any) -> _Sums:
    return {
        program: {
            name: RoutineCost(code, calls, low, high, total, set(map(int, inputs)), most)
            for name, (code, calls, low, high, total, inputs, most) in routines.items()
        }
        for program, routines in plain.items()
    }


def rows_of_project(folders: Sequence[Path]) -> list[tuple[str, str, BudgetRow]]:
    """Each budget with the names of its program and of its image. Raises RomproofError, OSError."""
    project = next(filter(None, map(find_project, folders)), None)
    rows = []
    for manifest in manifests(project) if project is not None else ():
        program = build_cached(manifest)
        per_frame = find_clock(manifest.clock_name).cycles_per_frame
        contracts = parse_contracts(program.image)
        rows += [
            (manifest.name, name_of(program.image), row)
            for row in budget_rows(
                program.image, contracts, program.manifest.budgets, per_frame, manifest.banks
            )
        ]
    return rows
