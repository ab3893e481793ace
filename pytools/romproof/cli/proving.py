"""What ``romproof prove`` does between its options and its table."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from click import BadParameter
from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from romproof.cli.naming import hint_of_symbols
from romproof.cli.output import console, show_diagnostics
from romproof.cli.project import build_one, choose_manifests, rom_names
from romproof.cli.views import view_with, views_of
from romproof.prover.routines.jobs import ignore_progress, job_of, prove_job
from romproof.prover.routines.program_proof import NoSuchRoutine
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.routines.survey import Survey, SurveyRow, Work, work_on
from romproof.symbolic.solve.backends import need_bitwuzla, need_z3
from romproof.text.diagnostic import BuildFailed
from romproof.text.errors import RomproofError
from romproof.text.messages import Message

_SILENT = 2.0
"""Seconds before there is a bar."""


class NoContracts(RomproofError):
    """There is nothing to prove."""


@dataclass(frozen=True, slots=True)
class ProveOptions:
    """The options of ``romproof prove``, read; ``timeout`` in seconds for each routine, ``effort``
    a multiple of the default, ``jobs`` the number of processes, ``scheduler`` the address of a
    cluster that proves in their place. ``fresh``: nothing is taken from earlier runs.
    ``tight``: cycles that are claimed have to be attained."""

    timeout: float
    loose: bool
    partial: bool = False
    effort: float = 1
    cross: bool = False
    jobs: int = 1
    fresh: bool = False
    scheduler: str | None = None
    tight: bool = False

    def options(self, on_progress: Callable[[int], None]) -> ProofOptions:
        """How to prove. Raises MissingExtra."""
        if self.cross:
            need_bitwuzla()
        return ProofOptions(
            self.timeout,
            self.loose,
            on_progress=on_progress,
            effort=self.effort,
            cross=self.cross,
            fresh=self.fresh,
        )


@dataclass(frozen=True, slots=True)
class Bar:
    """The progress display: which routine is next, how many instructions it had so far, what is
    asked of it, and that it is done."""

    begun: Callable[[str], None] = lambda name: None
    on_progress: Callable[[int], None] = lambda count: None
    done: Callable[[], None] = lambda: None
    asked: Callable[[Message], None] = lambda statement: None


def works_on(names: Sequence[tuple[str, str | int | None]]) -> list[Work]:
    """What is to be proved: ROMs with the routines that are named, without names all of them.

    Contracts that cannot be read are told of, unless there are no others. Raises MissingExtra,
    NoContracts, BadParameter for a routine that is not there, BuildFailed and what choosing a ROM
    raises.
    """
    need_z3()
    wanted: dict[str, list[str | int] | None] = {}
    for rom, routine in names or [(name, None) for name in all_names()]:
        known = wanted.setdefault(rom, [])
        if routine is None or known is None:
            wanted[rom] = None
        else:
            known.append(routine)
    works = [work for rom, routines in wanted.items() for work in _works(rom, routines or ())]
    faults = dict.fromkeys(each for w in works for found in w.malformed.values() for each in found)
    if not any(work.contracts for work in works):
        if faults:
            raise BuildFailed(tuple(faults))
        roms = ", ".join(f"'{work.title}'" for work in works)
        raise NoContracts(
            f"there is nothing to prove: no routine of {roms} has a contract, which is a "
            f"comment right above it that begins with ';;'"
            + hint_of_symbols(*(work.rom for work in works))
        )
    show_diagnostics(faults)
    return works


def all_names() -> list[str]:
    manifests, broken = choose_manifests(None)
    if broken:
        raise next(iter(broken.values()))
    return [manifest.name for manifest in manifests]


def _works(name: str, routines: Iterable[str | int]) -> Iterator[Work]:
    """The work on a program, a piece for each view of its banks."""
    built = build_one(name)
    views = views_of(built)
    wanted: dict[str, list[str | int]] = {view.title: [] for view in views}
    for routine in routines:
        wanted[view_with(views, routine).title].append(routine)
    is_whole = not any(wanted.values())
    known = [] if built.manifest.foreign is not None else list(rom_names())
    several = built.manifest.name if name in known and len(known) > 1 else None
    for view in views:
        names = wanted[view.title]
        if is_whole and view.bank is not None:
            names = [
                each for each in (*view.rom.readable, *view.rom.malformed) if each in view.names
            ]
        if not names and not (is_whole and view.bank is None):
            continue
        try:
            yield work_on(view.title, view.rom, names, several)
        except NoSuchRoutine as fault:
            raise BadParameter(str(fault), param_hint="'NAME:ROUTINE'") from None


def prove_all(works: Sequence[Work], wanted: ProveOptions) -> tuple[list[Survey], bool]:
    """What was proved, and whether somebody interrupted it before it was all."""
    if wanted.jobs > 1 or wanted.scheduler is not None:
        return _prove_at_once(works, wanted)
    surveys: list[Survey] = []
    rows: list[SurveyRow] = []
    with progress_bar(sum(len(work.contracts) for work in works), wanted.timeout) as bar:
        options = replace(wanted.options(bar.on_progress), on_statement=bar.asked)
        try:
            for work in works:
                rows = []
                for row in work.rows(options, bar.begun):
                    rows.append(row)
                    bar.done()
                surveys.append(work.survey(rows, wanted.partial, wanted.tight))
        except KeyboardInterrupt:
            at_work = len(surveys)
            surveys.append(works[at_work].survey(rows, wanted.partial, wanted.tight))
            left = (work.survey([], wanted.partial, wanted.tight) for work in works[at_work + 1 :])
            return [*surveys, *left], True
    return surveys, False


def _prove_at_once(works: Sequence[Work], wanted: ProveOptions) -> tuple[list[Survey], bool]:
    """The same in several processes, or by a cluster; the results are in the same order."""
    from concurrent.futures import as_completed

    from romproof.support.cluster import workers

    parts = [(number, part) for number, work in enumerate(works) for part in work.parts()]
    parts.sort(key=lambda each: -len(each[1].contracts))
    try:
        jobs = [(number, job_of(part)) for number, part in parts]
    except RecursionError:  # an image with macros within thousands of others stays in this process
        return prove_all(works, replace(wanted, jobs=1, scheduler=None))
    rows: list[dict[str, SurveyRow]] = [{} for _ in works]
    interrupted = False
    options = replace(wanted.options(lambda count: None), on_progress=ignore_progress)
    with progress_bar(sum(len(work.contracts) for work in works), wanted.timeout) as bar:
        bar.begun(wanted.scheduler or f"{wanted.jobs} at once")
        try:
            with workers(min(wanted.jobs, max(1, len(parts))), wanted.scheduler) as pool:
                waiting = {pool.submit(prove_job, job, options): number for number, job in jobs}
                for future in as_completed(waiting):
                    for row in future.result():
                        rows[waiting[future]][row.proof.routine] = row
                        bar.done()
        except KeyboardInterrupt:
            interrupted = True
    surveys = [
        work.survey(
            [known[c.name] for c in work.contracts if c.name in known], wanted.partial, wanted.tight
        )
        for work, known in zip(works, rows, strict=True)
    ]
    return surveys, interrupted


class _LateBar(Progress):
    """A bar that does not show before it is worth it."""

    def get_renderables(self) -> Iterable[RenderableType]:
        if self.tasks and (self.tasks[0].elapsed or 0) >= _SILENT:
            yield from super().get_renderables()


class _Seconds(ProgressColumn):
    """The time that the routine at work has had, of that which it has, and what is asked."""

    def render(self, task: Task) -> Text:
        passed = time.monotonic() - task.fields["since"]
        text = f"{passed:.0f} of {task.fields['timeout']:g} s"
        count = task.fields["count"]
        text = f"{text}, {count:,} instructions" if count else text
        asked = task.fields["asked"]
        return Text(f"{text}: {asked}" if asked else text, no_wrap=True, overflow="ellipsis")


@contextmanager
def progress_bar(total: int, timeout: float, doing: str = "proving") -> Iterator[Bar]:
    """A progress bar on stderr while a terminal looks on."""
    if not sys.stderr.isatty():
        yield Bar()
        return
    columns = (TextColumn(f"{doing} {{task.description}}"), BarColumn(20), MofNCompleteColumn())
    with _LateBar(*columns, _Seconds(), console=console(), transient=True) as shown:
        task = shown.add_task(
            "", total=total, since=time.monotonic(), timeout=timeout, count=0, asked=""
        )
        yield Bar(
            lambda name: shown.update(
                task, description=name, since=time.monotonic(), count=0, asked=""
            ),
            lambda count: shown.update(task, count=count, asked=""),
            lambda: shown.advance(task),
            lambda statement: shown.update(task, asked=statement),
        )
