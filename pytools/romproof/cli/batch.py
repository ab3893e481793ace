"""``romproof batch``: command lines of the assemblers and linkers, one after the other.

A start of Python takes longer than most sources take to be assembled: many small files are done in
half the time, or less, by one process.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path, PurePath

import click

from romproof.cli.guard import run_and_report
from romproof.cli.originals import TOOLS
from romproof.cli.originals.as_click import OriginalCommand
from romproof.cli.originals.command import load_tool
from romproof.cli.output import counting, error
from romproof.support.ctrl_c import INTERRUPTED
from romproof.support.reading import input_lines, read_bounded_lines

SCHEMA = "romproof.batch/1"


@dataclass(frozen=True, slots=True)
class _BatchLine:
    """A line of the batch: the tool and its words, or why it is none."""

    line: int
    words: tuple[str, ...]
    fault: str | None = None


@click.command()
@click.argument("file", default="-")
@click.option(
    "-C",
    "--directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Resolve the names of files against this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def batch(context: click.Context, file: str, directory: Path, as_json: bool) -> None:
    """Run many command lines of ca65, ld65, rgbasm and the other tools in one process.

    FILE, or standard input, has one command line per line, in the syntax of a shell, with or
    without `romproof` in front; `#` begins a comment. The commands run in order, and one
    that fails does not stop the rest. The exit code is 1 if any failed.

    \b
    Examples:
      romproof batch commands.txt
      make -n CA65=ca65 LD65=ld65 | grep -E '^(ca65|ld65) ' | romproof batch
      romproof batch commands.txt -C src --json

    \b
    With --json, this object follows the output of the tools: {"schema", "ok", "commands": [{"line",
    "command", "exit_code"}]}; exit_code is null of a line that is no command of a tool
    """
    commands = list(_commands(file))
    codes: list[int | None] = []
    with chdir(directory), counting("batch", len(commands)) as tick:
        for command in commands:
            codes.append(_carry_out(command, file))
            if codes[-1] == INTERRUPTED:
                raise KeyboardInterrupt
            tick(len(codes))
    ok = all(code == 0 for code in codes)
    if as_json:
        done = [
            {"line": one.line, "command": shlex.join(one.words), "exit_code": code}
            for one, code in zip(commands, codes, strict=True)
        ]
        click.echo(json.dumps({"schema": SCHEMA, "ok": ok, "commands": done}))
    context.exit(0 if ok else 1)


def _commands(file: str) -> Iterator[_BatchLine]:
    lines = read_bounded_lines(sys.stdin, "standard input") if file == "-" else input_lines(file)
    for number, line in enumerate(lines, 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as fault:  # a quotation that does not end
            yield _BatchLine(number, (line.strip(),), str(fault))
            continue
        if words and PurePath(words[0]).name == "romproof":
            del words[0]
        if words:
            tool = PurePath(words[0]).name
            unknown = None if tool in TOOLS else f"'{tool}' is not one of {', '.join(TOOLS)}"
            yield _BatchLine(number, (tool, *words[1:]), unknown)


def _carry_out(command: _BatchLine, file: str) -> int | None:
    """The exit code of the tool; None where there is none."""
    place = f"{'<stdin>' if file == '-' else os.fspath(file)}:{command.line}"
    if command.fault is not None:
        error(f"{place}: {command.fault}")
        return None
    tool, *words = command.words
    code = run_and_report(
        lambda: OriginalCommand(load_tool(tool)).main(words, tool, standalone_mode=False)
    )
    if code not in (0, INTERRUPTED):
        error(f"{place}: {command.words[0]} failed (exit code {code})")
    return code
