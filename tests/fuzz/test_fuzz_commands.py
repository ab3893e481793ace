"""A few of the fuzzer's inputs; ``make fuzz`` tries more."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fuzz_changes import Changes
from fuzz_runs import in_process
from fuzz_seeds import seeds

COUNT = 60
SLOW = {"prove", "infer", "same", "engines"}
"""What takes seconds when all is well: not here."""


NOT_TRIED = {
    "audit": "it takes no input but names, and a minute",
    "prove": "what it proves is named, and takes minutes",
    "viewer": "without --html and --json, which a slip takes away, it serves until it is stopped",
}
"""Commands of fairdeck that the fuzzer leaves out, and why."""


def test_every_command_is_tried() -> None:
    from fairdeck.cli.group import fairdeck
    from romproof.cli.group import romproof
    from romproof.cli.originals import TOOLS

    tried = {(seed.program, seed.words[0]) for seed in seeds()}
    commands = {("romproof", name) for name in (*TOOLS, *_commands(romproof))}
    commands |= {("fairdeck", name) for name in _commands(fairdeck) if name not in NOT_TRIED}
    assert commands == tried


def _commands(group: click.Group) -> list[str]:
    return group.list_commands(click.Context(group))


@pytest.mark.skipif(os.name != "posix", reason="it makes links and pipes")
def test_no_input_is_too_bad() -> None:
    found = [seed for seed in seeds() if seed.words[0] not in SLOW]
    changes = Changes(found, 1)
    findings = [finding for n in range(COUNT) for finding in in_process(changes.case(n))]
    assert findings == []


@pytest.mark.parametrize("number", range(0, 200, 7))
def test_a_seed_that_is_not_changed_works(number: int) -> None:
    found = [seed for seed in seeds() if seed.weight > 2 and seed.words[0] not in SLOW]
    seed = found[number % len(found)]
    assert seed.words
    assert Changes(found, 3).case(number) == Changes(found, 3).case(number)
