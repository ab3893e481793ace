"""A large object that a callee lists is read and changed all over, as far as the caller knows."""

from __future__ import annotations

import pytest
from claims import Said, cases, check, false, true

HEAD = """\
SECTION "Work", WRAM0[$C080]
big:: ds 1100
last:: ds 1
SECTION "Main", ROM0[$0150]
"""
NEEDS = "requires: HL >= &big, HL <= &big + 800, B >= 1"
TOUCH = (
    (
        "in: HL B big[1100]; requires: HL >= &big, HL <= &big + 800, B >= 1; "
        "out: none; clobbers: AF B HL big[1100]; "
        "invariant: .l: B >= 1, HL >= &big, HL + B <= &big + 1056; decreases: .l: B"
    ),
    ".l: ld a, [hl]/inc a/ld [hl+], a/dec b/jr nz, .l/ret",
)
OTHERS = {"touch": TOUCH}
CALLER = (
    "in: HL B big[1100] last[1]; requires: HL >= &big, HL <= &big + 800, B >= 1; "
    "out: none; clobbers: AF B HL big[1100]"
)
TWICE = "call touch/ld hl, big/ld b, 3/call touch/ret"


def less(contract: str, field: str) -> str:
    """A contract that lists one byte less in a field."""
    before, _, rest = contract.partition(f"{field}: ")
    return f"{before}{field}: {rest.replace('big[1100]', 'big[1099]', 1)}"


TRUE = {
    "sm83": {
        "what it lists is listed": true(CALLER, "call touch/ret", others=OTHERS, head=HEAD),
        "what lies behind it stays": true(
            "in: HL B big[1100] last[1]; requires: HL >= &big, HL <= &big + 800, B >= 1; "
            "out: none; clobbers: AF B HL big[1100]; ensures: last == old last",
            "call touch/ret",
            others=OTHERS,
            head=HEAD,
        ),
    }
}
FALSE = {
    "sm83": {
        "the last byte is not listed as read": false(
            less(CALLER, "in"), "call touch/ret", "reads only", others=OTHERS, head=HEAD
        ),
        "nor is it in the second call": false(
            less(CALLER, "in"), TWICE, "reads only", others=OTHERS, head=HEAD
        ),
        "the last byte is not listed as changed": false(
            less(CALLER, "clobbers"), "call touch/ret", "changes", others=OTHERS, head=HEAD
        ),
        **{
            f"byte {place} stays": false(
                f"{CALLER}; ensures: big[{place}] == old big[{place}]",
                "call touch/ret",
                f"big[{place}] ==",
                others=OTHERS,
                head=HEAD,
            )
            for place in (0, 5, 1099)
        },
    }
}


@pytest.mark.quick_cases("sm83 byte 5 stays")
@pytest.mark.parametrize(("cpu", "said"), cases(FALSE, TRUE))
def test_a_large_object_of_a_callee(cpu: str, said: Said) -> None:
    check(cpu, said)
