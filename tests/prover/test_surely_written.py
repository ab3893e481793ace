"""Which addresses a routine is known to write, in every call and with a flag: what is said of it
before any caller makes use of that."""

from __future__ import annotations

from dataclasses import dataclass
from unittest.mock import patch

import pytest
from claims import PROVED, few_runs, rom_of, source, told, true

from romproof.prover.calls import summaries as lemmas
from romproof.prover.calls.must_write import Flagged, Surely
from romproof.prover.conditions.memory import Filled, find_stored
from romproof.prover.replay.judge import Case
from romproof.prover.routines.program_proof import prove_rom
from romproof.prover.routines.routine import ProofOptions
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, using

LOOP = "invariant: @l: X in 0..1; decreases: @l: 2 - X"
FILL = "ldx #0/@l: sta two,x/inx/cpx #2/bne @l"
HEAD = """\
        .segment "BSS"
n:      .res 1
two:    .res 2
        .export n, two
        .segment "CODE"
"""


@dataclass(frozen=True)
class Writes:
    """A routine, and what it is known to write of ``n`` (0) and ``two`` (1, 2)."""

    contract: str
    code: str
    always: frozenset[int] = frozenset()
    with_c_clear: frozenset[int] = frozenset()


TWO = frozenset([1, 2])
WRITES = {
    "all of an array": Writes(
        "in: A; out: two[2]; clobbers: X N Z C; invariant: @l: X in 0..1; decreases: @l: 2 - X",
        f"{FILL}/rts",
        TWO,
    ),
    "all but the last": Writes(
        "in: A; out: two[2]; clobbers: X N Z C; invariant: @l: X in 0..0; decreases: @l: 1 - X",
        f"{FILL.replace('#2', '#1')}/rts",
        frozenset([1]),
    ),
    "all but the first": Writes(
        "in: A; out: two[2]; clobbers: X N Z C; invariant: @l: X in 1..1; decreases: @l: 2 - X",
        f"{FILL.replace('#0', '#1')}/rts",
        frozenset([2]),
    ),
    "with a flag": Writes(
        "in: A; out: C two[2]; clobbers: X N Z; invariant: @l: X in 0..1; decreases: @l: 2 - X",
        f"cmp #9/bcs @e/{FILL}/clc/@e: rts",
        with_c_clear=TWO,
    ),
    "a byte and an array": Writes(
        "in: A; out: n two[2]; clobbers: X N Z C; invariant: @l: X in 0..1; decreases: @l: 2 - X",
        f"sta n/{FILL}/rts",
        TWO | {0},
    ),
    "a byte in one way": Writes(
        "in: A; out: n two[2]; clobbers: X N Z C; invariant: @l: X in 0..1; decreases: @l: 2 - X",
        f"cmp #9/bne @n/sta n/@n: {FILL}/rts",
        TWO,
    ),
}


@pytest.mark.parametrize("writes", WRITES.values(), ids=WRITES)
def test_what_is_written_for_certain(writes: Writes) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    rom = rom_of("6502", source("6502", true(writes.contract, writes.code, head=HEAD)))
    found: list[Surely] = []

    def noted(case: Case, filled: Filled) -> Surely:
        found.append(surely_written(case, filled))
        return found[-1]

    surely_written = lemmas.find_must_write
    with patch.object(lemmas, "find_must_write", noted), few_runs():
        (proof,) = prove_rom(rom, (), ProofOptions(timeout=1000.0))
    assert proof.verdict is PROVED, told(proof)
    first = rom.image.address("n")
    assert {address - first for address in found[0].always} == writes.always
    flagged = [Flagged("c", 0, frozenset(first + n for n in writes.with_c_clear))]
    assert list(found[0].flagged) == (flagged if writes.with_c_clear else [])


def test_of_two_ways_each_has_to_write() -> None:
    with using(Terms()):
        array, which, byte = t.array_var("two"), t.var("c", 1), t.var("a", 8)
        first = t.store(array, t.const(0x200, 16), byte)
        both = t.store(first, t.const(0x201, 16), byte)
        somewhere = t.store(first, t.var("x", 16), byte)
        assert find_stored(t.array_ite(which, first, array)) == frozenset()
        assert find_stored(t.array_ite(which, array, first)) == frozenset()
        assert find_stored(t.array_ite(which, first, both)) == {0x200}
        assert find_stored(t.array_ite(which, both, first)) == {0x200}
        assert find_stored(both) == {0x200, 0x201}
        assert find_stored(somewhere) == {0x200}
