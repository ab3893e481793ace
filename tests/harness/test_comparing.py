"""``compare`` ends where a contract allows few inputs, or none, and says how many it looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.harness.comparing import ComparedSide, Comparison, compare
from romproof.harness.rom import Rom
from romproof.harness.state.values import BadValue
from romproof.projects import build
from romproof.projects.manifest import manifest_from

SOURCE = """\
        .segment "ZEROPAGE"
n:      .res 1
        .exportzp n
        .segment "CODE"
        .export add
;; add – adds.
; in:       A n
; out:      A
; clobbers: N V Z C
; requires: {requires}
.proc add
        clc
        adc n
        rts
.endproc
"""
MANY = 0x8000


def _compared(folder: Path, requires: str, calls: int, seen: list[int] | None = None) -> Comparison:
    def on_refused(routine: str, count: int) -> None:
        assert routine == "add"
        (seen if seen is not None else []).append(count)

    (folder / "it.s").write_text(SOURCE.format(requires=requires), "utf-8")
    table = {"name": "it", "cpu": "6502", "sources": ["it.s"]}
    rom = Rom(build(manifest_from(table, folder, "it", "test")).image)
    return compare(
        [ComparedSide("one", rom), ComparedSide("two", rom)],
        "add",
        calls,
        1000,
        on_refused=on_refused,
    )


def test_few_inputs_are_allowed(tmp_path: Path) -> None:
    seen: list[int] = []
    found = _compared(tmp_path, "(A * n) % 251 == 17", MANY, seen)
    assert 0 < found.calls == found.tried < 100
    # 4,000 in vain, and 20 for each call that was made
    assert found.drawn - found.tried == len(seen) == 4000 + 20 * found.calls
    assert seen == list(range(1, len(seen) + 1))
    assert [one.code for one in found.figures] == [4, 4]  # calls that were made are followed
    assert [one.refused for one in found.figures] == [0, 0]


def test_none_is_allowed(tmp_path: Path) -> None:
    with pytest.raises(
        BadValue, match="of 4,000 inputs that were drawn its contract in 'one' allo"
    ):
        _compared(tmp_path, "A * n == 65025, A == 254", MANY)


def test_half_are_allowed(tmp_path: Path) -> None:
    found = _compared(tmp_path, "A < n", 50)
    assert (found.calls, found.tried) == (50, 50)
    assert 50 < found.drawn < 50 * 20
