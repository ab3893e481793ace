"""The page on the library tells of every public routine, and of statements that there are."""

from __future__ import annotations

import re
from pathlib import Path

from fairdeck.proofs.every import every
from fairdeck.proofs.statement import program
from fairdeck.riichi.on_machine import RIICHI_ROMS
from fairdeck.tarot.targets import TARGETS
from fairdeck.wall_roms import WALL_ROMS

PAGE = (Path(__file__).parents[2] / "docs" / "library.md").read_text("utf-8")
ROWS = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| `")]
ROUTINES = {name for row in ROWS for name in re.findall(r"`(\w+)`", row[0])}
GAME = {"compose", "edit", "seed", "orient", "rest", "card", "rows", "wait"}
"""How names of the tarot ROM's own routines begin, which are not the library's."""


def test_every_routine_with_a_contract_is_there() -> None:
    libraries = (*(target.library for target in TARGETS.values()), *WALL_ROMS.values())
    for name in (*libraries, *RIICHI_ROMS.values()):
        public = {each for each in program(name).contracts if each.partition("_")[0] not in GAME}
        assert public <= ROUTINES, name


def test_every_statement_that_it_names_is_one() -> None:
    subjects = {statement.subject for statement in every().values()}
    for row in ROWS:
        if len(row) != 4 or ("equal" not in row[3] and "pieces" not in row[3]):
            continue
        for listed in re.findall(
            r"(?:equal|pieces|before it)[^.]*?: ((?:`[\w*-]+`(?:, )?)+)", row[3]
        ):
            for name in re.findall(r"`([\w*-]+)`", listed):
                found = [each for each in subjects if re.fullmatch(name.replace("*", ".*"), each)]
                assert found, name


def test_every_statement_on_a_routine_is_named() -> None:
    named = set(re.findall(r"`([\w*-]+)`", PAGE))
    for statement in every().values():
        subject = statement.subject
        assert subject in named or re.sub(r"-\w+$", "-*", subject) in named, subject
