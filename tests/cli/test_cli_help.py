"""The help of every command, also of those with an original's name, with the click there is."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from fairdeck.cli.group import fairdeck
from romproof.cli.group import romproof
from romproof.cli.originals import TOOLS


def _paths(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        names = command.list_commands(context)
        for name in (*names, *(TOOLS if command is romproof else ())):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _paths(inner, (*path, name))


@pytest.mark.parametrize("program", [romproof, fairdeck], ids=["romproof", "fairdeck"])
def test_every_help(program: click.Group) -> None:
    paths = list(_paths(program, ()))
    assert len(paths) > 10
    for path in paths:
        done = CliRunner().invoke(program, [*path, "--help"], prog_name="program")
        assert done.exit_code == 0, (path, done.output[-500:], done.exception)
        assert done.output.startswith(" ".join(("Usage: program", *path))), path
        assert len(done.output.splitlines()) > 5, path
