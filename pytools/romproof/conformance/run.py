"""Finding suites in a folder and running them, in several processes."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from pathlib import Path

from romproof.conformance.model import (
    NO_ENGINE,
    FailedFile,
    NoSuites,
    SuiteOutcome,
    SuitePiece,
    SuiteRow,
    fail,
    set_apart,
)
from romproof.conformance.suites import SUITES
from romproof.engine.engines import DEFAULT_ENGINE, ENGINES, usable_engine
from romproof.engine.inputs import Unsupported
from romproof.support.cluster import workers
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError


def pieces_in(
    folder: Path, only: Sequence[str] = (), engine: str = DEFAULT_ENGINE, sample: int = 1
) -> list[SuitePiece]:
    """The work that the suites below ``folder`` are, or those named by ``only``.

    ``engine``: the one to run on; by default each suite says. ``sample``: run every n-th case
    only, where a file has many. Raises NoSuites, and what usable_engine raises.
    """
    for name in only:
        if name not in SUITES:
            hint = suggest(name, SUITES)
            raise NoSuites(f"no suite '{name}'; {hint or 'the suites are: ' + ', '.join(SUITES)}")
    if engine != DEFAULT_ENGINE and engine not in ENGINES:
        usable_engine(engine)
    if not folder.is_dir():
        raise NoSuites(f"{folder} is not a folder")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    pieces: list[SuitePiece] = []
    for suite in SUITES.values():
        if only and suite.name not in only:
            continue
        chosen = suite.find(files)
        if chosen:
            fixed = engine == DEFAULT_ENGINE or suite.engines == (NO_ENGINE,)
            names = _engines(suite.engines if fixed else (engine,))
            pieces += [
                SuitePiece(suite.name, name, file, sample) for name in names for file in chosen
            ]
    if not pieces:
        wanted = [suite.looks_like for suite in SUITES.values() if not only or suite.name in only]
        raise NoSuites(f"no test suite below {folder}; looked for: {'; '.join(wanted)}")
    return pieces


def _engines(names: tuple[str, ...]) -> list[str]:
    """Those that can be used here. Raises MissingExtra when none can."""
    always = (DEFAULT_ENGINE, NO_ENGINE)
    usable = [name for name in names if name in always or not ENGINES[name].missing()]
    return usable or [usable_engine(names[0]).name]


def run_pieces(
    pieces: Sequence[SuitePiece],
    jobs: int | None = None,
    tick: Callable[[], None] = lambda: None,
    scheduler: str | None = None,
) -> list[SuiteRow]:
    """Run everything; a row for each suite and engine. ``tick`` is called after each piece.

    ``jobs`` is the number of processes; None: one for each core. ``scheduler`` is the address of a
    cluster that does the work in their place; its workers read the files at the same paths.
    Raises NoScheduler, WorkerFailed and MissingExtra for it.
    """
    rows: dict[tuple[str, str], SuiteRow] = {}
    for piece, outcome, seconds in _run_pieces(pieces, jobs or os.cpu_count() or 1, scheduler):
        key = (piece.suite, piece.engine)
        before = rows.get(key, SuiteRow(*key))
        failures = (FailedFile(piece.file.name, outcome),) if outcome.failed else ()
        rows[key] = SuiteRow(
            *key,
            before.outcome + outcome,
            before.failed_files + failures,
            before.seconds + seconds,
        )
        tick()
    order = list(dict.fromkeys((piece.suite, piece.engine) for piece in pieces))
    return [rows[key] for key in order]


_PieceOutcome = tuple[SuitePiece, SuiteOutcome, float]


def _run_pieces(
    pieces: Sequence[SuitePiece], jobs: int, scheduler: str | None
) -> Iterator[_PieceOutcome]:
    """The pieces in their order, with what came of them."""
    if scheduler is None and (jobs == 1 or len(pieces) == 1):
        yield from map(run_piece, pieces)
        return
    with workers(max(1, min(jobs, len(pieces))), scheduler) as pool:
        waiting = {pool.submit(run_piece, piece): number for number, piece in enumerate(pieces)}
        early: dict[int, _PieceOutcome] = {}
        following = 0
        for future in as_completed(waiting):
            early[waiting[future]] = future.result()
            while following in early:
                yield early.pop(following)
                following += 1


def run_piece(piece: SuitePiece) -> _PieceOutcome:
    """One file on one engine. A file without cases, or that cannot be read, has failed."""
    begin = time.perf_counter()
    suite = SUITES[piece.suite]
    row = ENGINES.get(piece.engine)  # those without a row know every CPU
    refusal = row.refusal(suite.cpu) if row is not None else None
    name = piece.file.name
    if refusal is not None:
        return piece, set_apart(f"file that the engine cannot run: {refusal}"), 0.0
    try:
        outcome = suite.run(piece.file, piece.engine, piece.sample)
        if not outcome.cases and not outcome.apart:
            outcome = fail(name, "this file has no cases")
    except Unsupported as fault:
        outcome = set_apart(f"file that the engine cannot run: {fault}")
    except (RomproofError, OSError, EOFError, zlib.error, MemoryError) as fault:
        outcome = fail(name, str(fault) or type(fault).__name__)
    except (ValueError, KeyError, TypeError, IndexError) as fault:
        what = f"this is not a file of the suite, or it is damaged: {type(fault).__name__}: {fault}"
        outcome = fail(name, what)
    return piece, outcome, time.perf_counter() - begin


def all_passed(rows: Iterable[SuiteRow]) -> bool:
    """Whether nothing failed."""
    return all(row.outcome.failed == 0 for row in rows)
