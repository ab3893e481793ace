"""What ``romproof same`` does between its options and its table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from click import UsageError

from romproof.cli.foreign import read_options
from romproof.cli.output import assembling, show_diagnostics, waiting
from romproof.cli.project import as_it_was, build_one, out_to_stderr, rom_names
from romproof.cli.unread import tell_unread
from romproof.cli.views import view_with, views_of
from romproof.formats.images import is_image
from romproof.harness.rom import Rom
from romproof.projects import Manifest, build, find_manifest
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.same.same import Sameness, prove_same
from romproof.prover.same.sides import Side, pairs_of, side_of
from romproof.report.paste import test_of
from romproof.text.errors import BadInput

NamedRoutine = tuple[str, str | int | None]
"""A program, and one of its routines."""


def compare(
    one: NamedRoutine,
    other: NamedRoutine | None,
    against: str | None,
    mapped: Sequence[tuple[str, str]],
    timeout: float,
    effort: float,
) -> tuple[Sameness, tuple[str, ...]]:
    """What is known of two routines, and a test where they differ.

    Raises UsageError, RomproofError and what building raises.
    """
    if (other is None) == (against is None):
        raise UsageError(
            "name a second routine, or a revision to compare with, such as --against HEAD~1"
            if other is None
            else "with --against, name one routine only"
        )
    with _sides(one, other, against) as (first, second):
        options = ProofOptions(timeout, effort=effort)
        with waiting(f"comparing {first.title} and {second.title}"):
            result = prove_same(pairs_of(first, second, mapped), options)
        return result, test_of(result)


@contextmanager
def _sides(
    one: NamedRoutine, other: NamedRoutine | None, against: str | None
) -> Iterator[tuple[Side, Side]]:
    name, routine = one[0], _routine(one)
    if against is not None and is_image(name):
        raise BadInput(
            f"--against needs a program of the project, and '{name}' has no manifest; declare "
            f"it with 'image' and 'command' in pyproject.toml"
        )
    built = build_one(name)
    rom = view_with(views_of(built), routine).rom
    called = _test_name(built.manifest)
    if other is None:
        assert against is not None
        with as_it_was(against) as folder:
            before = _build_in(folder, name)
            title = f"{name}:{routine}"
            now = side_of(title, rom, routine, rom_name=called)
            yield side_of(f"{title} at {against}", before, routine, now.contract), now
        return
    second = _routine(other)
    if other[0] == name and read_options(other=True) == read_options():
        theirs, their_name = view_with(views_of(built), second).rom, called
    else:
        made = build_one(other[0], other=True)
        theirs = view_with(views_of(made), second).rom
        their_name = _test_name(made.manifest)
    titles = [f"{name}:{routine}", f"{other[0]}:{second}"]
    known = theirs.contract_of(theirs.image.symbol(second).name)
    first = side_of(titles[0], rom, routine, known, called)
    yield first, side_of(titles[1], theirs, second, first.contract, their_name)


def _routine(named: NamedRoutine) -> str:
    name, routine = named
    if not isinstance(routine, str):
        raise UsageError(f"'{name}' names no routine: write {name}:ROUTINE")
    return routine


def _test_name(manifest: Manifest) -> str | None:
    known = [] if manifest.foreign is not None else list(rom_names())
    return manifest.name if manifest.name in known and len(known) > 1 else None


def _build_in(folder: Path, name: str) -> Rom:
    """The program of that name in another folder."""
    with out_to_stderr(), assembling() as seen:
        built = build(find_manifest(name, folder), progress=seen)
    show_diagnostics(built.diagnostics)
    tell_unread(name, built.image)
    return Rom(built.image, banks=built.manifest.banks)
