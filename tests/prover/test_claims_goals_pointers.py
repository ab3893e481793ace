"""Loops that copy, by pointers, as many bytes as an input says: what of the block is done is found.

What is nearly true must not be proved: the next byte. Each takes minutes.
"""

from __future__ import annotations

import pytest
from claims import Said, check, false, true

HEAD = """\
SECTION "Main", ROM0[$0150]
"""
COPY = (
    "in: B DE HL src; requires: B >= 1; pointer: DE -> src[B <= 40]; pointer: HL -> dst[B <= 40]; "
    "out: dst; clobbers: A F B DE HL; ensures: all j in 0..39: j < old B -> dst[j] == src[j]"
)
CODE = ".l: ld a, [de]/ld [hl+], a/inc de/dec b/jr nz, .l/ret"


@pytest.mark.long
@pytest.mark.parametrize(
    "said",
    [
        pytest.param(true(COPY, CODE, head=HEAD), id="copied"),
        pytest.param(
            false(
                "in: B DE HL src; requires: B >= 1; pointer: DE -> src[B <= 40]; "
                "pointer: HL -> dst[B <= 40]; out: dst; clobbers: A F B DE HL; "
                "ensures: all j in 0..39: j < old B -> dst[j] == src[j + 1]",
                CODE,
                head=HEAD,
            ),
            id="the next",
        ),
    ],
)
def test_what_is_copied_by_pointers(said: Said) -> None:
    check("sm83", said)
