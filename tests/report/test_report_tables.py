"""Text as the parts of a report: what is to be pasted keeps its lines, prose is wrapped."""

from __future__ import annotations

import ast

import pytest
from rich.text import Text

from romproof.report.tables import render

TEST = (
    'def test_it(rom):\n    assert rom.call("it", mem={"cells": bytes.fromhex("'
    + "00" * 40
    + '")})'
)


@pytest.mark.parametrize("colour", [False, True])
def test_what_is_pasted_has_the_lines_it_had(colour: bool) -> None:
    shown = render([Text(TEST, no_wrap=True, overflow="ignore")], 40, colour)
    assert shown.rstrip("\n") == TEST
    ast.parse(shown)


def test_prose_is_wrapped_beside_it() -> None:
    prose = Text("word " * 20)
    shown = render([prose, Text(TEST, no_wrap=True, overflow="ignore"), prose], 40, False)
    lines = shown.splitlines()
    assert TEST.splitlines()[1] in lines
    assert max(len(line) for line in lines if line.startswith("word")) <= 40
    assert len([line for line in lines if line.startswith("word")]) > 4
