"""``romproof init``: a first table and a first test from what lies in the folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from romproof.cli.options import json_option
from romproof.cli.output import failures_as_json, waiting
from romproof.text.errors import RomproofError

if TYPE_CHECKING:
    from romproof.cli.starting.trying import Tried

_PYPROJECT = Path("pyproject.toml")
_TESTS = Path("tests")


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file to write; ``action`` is what becomes of the one that may be there."""

    path: Path
    text: str
    action: str


@click.command(short_help="Write a first table and a first test of the program in this folder.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option(
    "--force",
    is_flag=True,
    help="Replace a table [tool.romproof] and a test that are there; each is named.",
)
@json_option("result")
def init(dry_run: bool, force: bool, as_json: bool) -> None:
    """Write the table [tool.romproof] and a first test for the program in this folder.

    The program is what a makefile builds with ca65, cl65, ld65, rgbasm and rgblink, what lies there
    as assembly, or an image (.gb, .nes, .prg) with its symbols. Makefiles are read, not executed.
    The program is built or loaded and run before anything is written, so the test passes.
    A pyproject.toml that is there gets the table at its end.

    \b
    Examples:
      romproof init --dry-run
      romproof init
      romproof init --force --json
    """
    from romproof.support.files import write_all

    with failures_as_json("init", as_json, files=[]):
        before = _read(_PYPROJECT)
        _check_table(before, force)
        tried, files = _plan(before, force)
        if not dry_run:
            write_all([(file.path, file.text) for file in files])
    if as_json:
        click.echo(_as_json(tried, files, dry_run))
    else:
        click.echo(_as_text(tried, files, dry_run), nl=False)


def _check_table(text: str | None, force: bool) -> None:
    from romproof.cli.starting.writing import has_table

    if text is not None and has_table(text) and not force:
        raise RomproofError(
            "pyproject.toml has a table [tool.romproof] already; --force replaces it"
        )


def _plan(before: str | None, force: bool) -> tuple[Tried, list[WrittenFile]]:
    """The project, and its files. Raises RomproofError, also for a test that is there."""
    from romproof.cli.starting.folder import look_into
    from romproof.cli.starting.trying import try_folder
    from romproof.cli.starting.writing import (
        has_table,
        name_test_file,
        table_text,
        test_file_text,
        with_table,
    )

    with waiting("trying"):
        tried = try_folder(look_into(Path()))
    table = table_text(tried.draft.table, tried.draft.comments)
    action = "created"
    if before is not None:
        action = "replaced the table in" if has_table(before) else "appended to"
    files = [WrittenFile(_PYPROJECT, with_table(before, table), action)]
    test = _TESTS / name_test_file(tried.name)
    if test.exists() and not force:
        raise RomproofError(f"{test} exists already; --force replaces it")
    action = "replaced" if test.exists() else "created"
    return tried, [*files, WrittenFile(test, test_file_text(tried.name, tried.tests), action)]


def _read(path: Path) -> str | None:
    """A file's text; None where there is none. Raises RomproofError."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise RomproofError(f"{path}: this is not UTF-8") from None


def _as_text(tried: Tried, files: list[WrittenFile], dry_run: bool) -> str:
    lines = [f"found    {each.about}: {each.text}" for each in tried.draft.found]
    lines += [f"guessed  {each.about}: {each.text}" for each in tried.draft.guesses]
    lines += [f"tried    it {test.says}" for test in tried.tests]
    if dry_run:
        for file in files:
            lines += ["", f"would be {file.action}: {file.path}", file.text.rstrip()]
        return "\n".join(lines) + "\n"
    lines += [f"{file.action} {file.path}" for file in files]
    return "\n".join([*lines, "next     pytest"]) + "\n"


def _as_json(tried: Tried, files: list[WrittenFile], dry_run: bool) -> str:
    from romproof.report.json import dumps

    draft = tried.draft
    return dumps(
        "init",
        {
            "ok": True,
            "dry_run": dry_run,
            "name": tried.name,
            "found": [{"path": each.about, "text": each.text} for each in draft.found],
            "guessed": [{"key": each.about, "text": each.text} for each in draft.guesses],
            "tried": [{"test": test.name, "text": test.says} for test in tried.tests],
            "files": [
                {"path": file.path.as_posix(), "action": file.action, "text": file.text}
                for file in files
            ],
        },
    )
