"""Cycles of loops with many iterations: limits that the inputs reach with which a loop is as long
and as short as it can be."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true, wide


def _words(cycles: str, most: str = "$0234") -> str:
    number = "(B - 1) % 256 * 256 + (C - 1) % 256"
    return (
        f"in: BC; requires: BC in $0101..{most}; out: none; clobbers: BC F; cycles: {cycles}; "
        f"invariant: .l: {number} <= {number.replace('B', 'old B').replace('C', 'old C')}; "
        f"decreases: .l: {number}"
    )


WORDS = ".l: dec c/jr nz, .l/dec b/jr nz, .l/ret"
"""As many iterations as BC says, where C == 0 stands for 256 and B counts the rows begun."""

FALSE = {
    "sm83": {
        "one less at the top": false(_words("10..2056"), WORDS, "cycles"),
        "one more at the top": wide(false(_words("10..2058"), WORDS, "cycles")),
        "one more at the bottom": false(_words("11..2057"), WORDS, "cycles"),
        "one less at the bottom": wide(false(_words("9..2057"), WORDS, "cycles")),
        "one less for many": false(_words("10..53406", "$3456"), WORDS, "cycles"),
        "one more for many": wide(false(_words("10..53408", "$3456"), WORDS, "cycles")),
    },
    "6502": {},
}
TRUE = {
    "sm83": {
        "both ends": true(_words("10..2057"), WORDS),
        "both ends of many": true(_words("10..53407", "$3456"), WORDS),
    },
    "6502": {},
}
LONG = ("sm83 both ends of many", "sm83 one less for many", "sm83 one more for many")


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE, long=LONG))
def test_the_longest_loop_is_found(cpu: str, said: Said) -> None:
    check(cpu, said)
