"""Running the commands of projects before their tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from romproof.projects.command import key_of, mark_done, run_command
from romproof.projects.project import commands_of, find_project
from romproof.text.errors import RomproofError


def run_commands(folders: Sequence[Path]) -> None:
    """Run the commands of the projects around some folders, each once; the processes of this test
    run will not run them again.

    Raises UsageError with the output of one that fails: pytest then runs no test.
    """
    mark_done(())
    done: list[str] = []
    for folder in dict.fromkeys(folders):
        start = folder if folder.is_dir() else folder.parent
        try:
            project = find_project(start)
            commands = [] if project is None else commands_of(project)
        except (RomproofError, OSError):
            continue  # the first test that wants a program says what is wrong
        for command, where in commands:
            key = key_of(command, where)
            if key in done:
                continue
            try:
                run_command(command, where)
            except RomproofError as fault:
                raise pytest.UsageError(str(fault)) from None
            done.append(key)
    mark_done(done)
