"""Sums over arrays of which cells were written, at places that are inputs."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

HEAD = """\
        .segment "BSS"
cells:  .res 8
        .export cells
        .segment "CODE"
"""
SUM = "sum j in 0..7: cells[j]"
OLD = "sum j in 0..7: old cells[j]"
LESS, MORE = "cells[X] >= 1", "cells[X] <= 4"


def _said(requires: str, ensures: str) -> str:
    return (
        f"in: X Y cells[8]; requires: X <= 7, Y <= 7, {requires}; out: cells[8]; "
        f"ensures: {ensures}; clobbers: N Z"
    )


def _true(requires: str, ensures: str, code: str) -> Said:
    return true(_said(requires, ensures), code, head=HEAD)


def _false(requires: str, ensures: str, code: str) -> Said:
    return false(_said(requires, ensures), code, head=HEAD)


UP, DOWN = "inc cells,x/rts", "dec cells,x/rts"
BACK = "inc cells,x/dec cells,x/rts"

TRUE = {
    "6502": {
        "one more": _true(f"{MORE}, {SUM} <= 13", f"{SUM} <= 14", UP),
        "one less": _true(f"{LESS}, {SUM} <= 14", f"{SUM} <= 13", DOWN),
        "one more and one less": _true(f"{MORE}, {SUM} <= 13", f"{SUM} <= 13", BACK),
        "as many more as there are": _true(f"{MORE}", f"({SUM}) == ({OLD}) + 1", UP),
    }
}
FALSE = {
    "6502": {
        "a limit too low by one": _false(f"{MORE}, {SUM} <= 13", f"{SUM} <= 13", UP),
        "a limit too low by one of one less": _false(f"{LESS}, {SUM} <= 14", f"{SUM} <= 12", DOWN),
        "a cell that may be full": _false(f"{SUM} <= 300", f"({SUM}) == ({OLD}) + 1", UP),
        "a cell that may be empty": _false(f"{SUM} <= 14", f"{SUM} <= 14", DOWN),
        "all cells but one": _false(
            f"{MORE}, {SUM} <= 13", "(sum j in 0..6: cells[j]) == sum j in 0..6: old cells[j]", UP
        ),
        "of another cell": _false(f"cells[Y] <= 4, {SUM} <= 600", f"({SUM}) == ({OLD}) + 1", UP),
    }
}


@pytest.mark.slow_cases(
    "6502 a limit too low by one",
    "6502 a cell that may be full",
    "6502 of another cell",
    "6502 as many more as there are",
)
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE, long=["6502 one less"]))
def test_sums_over_cells_that_were_written(cpu: str, said: Said) -> None:
    check(cpu, said)
