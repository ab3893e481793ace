"""What ``romproof infer`` does between its options and its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from click import BadParameter

from romproof.cli.naming import hint_of_symbols
from romproof.cli.project import build_one
from romproof.cli.proving import all_names, progress_bar
from romproof.harness.rom import Rom
from romproof.prover.bank import NoSuchRoutine
from romproof.prover.infer.edit import Edit, Left, appended, edits_of
from romproof.prover.infer.examine import EFFORT
from romproof.prover.infer.infer import Inference, Inferred
from romproof.prover.infer.survey import InferenceSurvey
from romproof.prover.routine import ProofOptions
from romproof.symbolic.solve.witnesses import first_witness
from romproof.text.errors import RomproofError
from romproof.text.files import write_all


class NoRoutines(RomproofError):
    """There is nothing to infer."""


@dataclass(frozen=True)
class Found:
    """What was inferred of a program; ``folders`` are where the names of its sources begin."""

    survey: InferenceSurvey
    rom: Rom
    folders: tuple[Path, ...]


def infer_all(
    names: Sequence[tuple[str, str | int | None]], timeout: float, effort: float
) -> tuple[list[Found], bool]:
    """What was inferred, and whether somebody interrupted it before it was all.

    Raises MissingExtra, NoRoutines, BadParameter for a routine that is not there, BuildFailed and
    what choosing a ROM raises.
    """
    first_witness()
    wanted: dict[str, list[str | int]] = {}
    whole: set[str] = set()
    for name, routine in names or [(name, None) for name in all_names()]:
        routines = wanted.setdefault(name, [])
        if routine is None:
            whole.add(name)
        else:
            routines.append(routine)
    results: list[Found] = []
    for name, routines in wanted.items():
        built = build_one(name)
        rom = Rom(built.image, banks=built.manifest.banks)
        work = Inference(rom)
        try:
            order = work.order(() if name in whole else routines)
        except NoSuchRoutine as fault:
            raise BadParameter(str(fault), param_hint="'NAME:ROUTINE'") from None
        if not order:
            raise NoRoutines(
                f"'{built.manifest.name}' has no routine: no public label with code"
                + hint_of_symbols(rom)
            )
        rows: list[Inferred] = []
        interrupted = False
        with progress_bar(len(order), timeout, "inferring") as bar:
            work.options = ProofOptions(
                timeout, on_progress=bar.on_progress, effort=EFFORT * effort
            )
            try:
                for row in work.infer(order, bar.begun):
                    rows.append(row)
                    bar.done()
            except KeyboardInterrupt:
                interrupted = True
        left = tuple(work.flows.routines[a].name for a in order[len(rows) :])
        survey = InferenceSurvey(built.manifest.name, rom.image.cpu, tuple(rows), left)
        results.append(Found(survey, rom, (Path.cwd(),)))
        if interrupted:
            return results, True
    return results, False


def put(results: Sequence[Found], target: Path | None) -> None:
    """Write the contracts, all files or none, and show what changes. Raises OSError."""
    edits: list[Edit] = []
    left: list[Left] = []
    for each in results:
        if target is not None:
            edits.append(appended(target, each.survey.rows))
            continue
        more, without = edits_of(each.rom.image, each.survey.rows, each.folders)
        edits += more
        left += without
    changed = [edit for edit in edits if edit.new != edit.old]
    write_all([(e.path, e.new.encode("utf-8", "surrogateescape")) for e in changed])
    for edit in changed:
        click.echo(edit.diff(), nl=False, err=True)
    for one in left:
        click.echo(f"{one.routine}: not written: {one.why}", err=True)
    count = sum(len(edit.routines) for edit in changed)
    files = f"{len(changed)} file{'s' * (len(changed) != 1)}"
    click.echo(f"{count} contract{'s' * (count != 1)} written to {files}", err=True)
