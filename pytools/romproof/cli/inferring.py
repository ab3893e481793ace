"""What ``romproof infer`` does between its options and its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from click import BadParameter

from romproof.cli.naming import why_none
from romproof.cli.project import build_one
from romproof.cli.proving import all_names, progress_bar
from romproof.cli.views import BankView, view_with, views_of
from romproof.harness.rom import Rom
from romproof.prover.infer.edit import Edit, UnwrittenContract, append_contracts, edits_of
from romproof.prover.infer.examine import EFFORT
from romproof.prover.infer.infer import Inference, Inferred
from romproof.prover.infer.survey import InferenceSurvey
from romproof.prover.routines.program_proof import NoSuchRoutine
from romproof.prover.routines.routine import ProofOptions
from romproof.support.files import write_all
from romproof.symbolic.solve.backends import need_z3
from romproof.text.errors import RomproofError


class NoRoutines(RomproofError):
    """There is nothing to infer."""


@dataclass(frozen=True)
class InferredProgram:
    """What was inferred of a program; ``folders`` are where the names of its sources begin."""

    survey: InferenceSurvey
    rom: Rom
    folders: tuple[Path, ...]


def infer_all(
    names: Sequence[tuple[str, str | int | None]],
    timeout: float,
    effort: float,
    private: bool = False,
) -> tuple[list[InferredProgram], bool]:
    """What was inferred, and whether somebody interrupted it before it was all; ``private``: of
    routines that are called and not exported as well.

    Raises MissingExtra, NoRoutines, BadParameter for a routine that is not there, BuildFailed and
    what choosing a ROM raises.
    """
    need_z3()
    wanted: dict[str, list[str | int]] = {}
    whole: set[str] = set()
    for name, routine in names or [(name, None) for name in all_names()]:
        routines = wanted.setdefault(name, [])
        if routine is None:
            whole.add(name)
        else:
            routines.append(routine)
    results: list[InferredProgram] = []
    for name, routines in wanted.items():
        views = views_of(build_one(name))
        asked: dict[str, list[str | int]] = {view.title: [] for view in views}
        for routine in routines:
            asked[view_with(views, routine).title].append(routine)
        found = False
        for view in views:
            is_whole = name in whole
            if not is_whole and not asked[view.title]:
                continue
            work = Inference(view.rom, private=private)
            try:
                order = _order(work, view, is_whole, asked[view.title])
            except NoSuchRoutine as fault:
                raise BadParameter(str(fault), param_hint="'NAME:ROUTINE'") from None
            if not order:
                continue
            found = True
            rows, interrupted = _infer_all(work, order, timeout, effort)
            left = tuple(work.flows.routines[a].name for a in order[len(rows) :])
            survey = InferenceSurvey(view.title, view.rom.image.cpu, tuple(rows), left)
            results.append(InferredProgram(survey, view.rom, (Path.cwd(),)))
            if interrupted:
                return results, True
        if not found:
            raise NoRoutines(
                f"'{views[0].title}' has no routine: " + why_none(views[0].rom, views[0].title)
            )
    return results, False


def _order(
    work: Inference, view: BankView, is_whole: bool, routines: Sequence[str | int]
) -> Sequence[int]:
    """What is to be inferred in a view, callees first; of all banks but the first those of the bank
    itself. Raises NoSuchRoutine."""
    asked = work.order(routines) if routines else []
    if not is_whole:
        return asked
    return [
        address
        for address in work.order(())
        if view.bank is None or address in asked or work.flows.routines[address].name in view.names
    ]


def _infer_all(
    work: Inference, order: Sequence[int], timeout: float, effort: float
) -> tuple[list[Inferred], bool]:
    """What came of each, and whether somebody interrupted it."""
    rows: list[Inferred] = []
    with progress_bar(len(order), timeout, "inferring") as bar:
        work.options = ProofOptions(timeout, on_progress=bar.on_progress, effort=EFFORT * effort)
        try:
            for row in work.infer(order, bar.begun):
                rows.append(row)
                bar.done()
        except KeyboardInterrupt:
            return rows, True
    return rows, False


def put(results: Sequence[InferredProgram], target: Path | None) -> None:
    """Write the contracts, all files or none, and show what changes. Raises OSError."""
    edits: list[Edit] = []
    left: list[UnwrittenContract] = []
    for each in results:
        if target is not None:
            edits.append(append_contracts(target, each.survey.rows))
            continue
        more, without = edits_of(each.rom.image, each.survey.rows, each.folders)
        edits += more
        left += without
    changed = [edit for edit in edits if edit.new != edit.old]
    write_all([(e.path, e.new.encode("utf-8", "surrogateescape")) for e in changed])
    for edit in changed:
        click.echo(edit.diff(), nl=False, err=True)
    for one in left:
        click.echo(f"{one.routine}: contract not written: {one.why}", err=True)
    count = sum(len(edit.routines) for edit in changed)
    files = f"{len(changed)} file{'s' * (len(changed) != 1)}"
    click.echo(f"{count} contract{'s' * (count != 1)} written to {files}", err=True)
