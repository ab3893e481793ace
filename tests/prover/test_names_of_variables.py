"""No verdict depends on how the names of variables read: with others all is proved as before."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from hashlib import blake2b

import pytest
from claims import Said, proofs_of
from hypothesis import given
from hypothesis import strategies as st

from romproof.prover.results import Finding
from romproof.symbolic.terms import origin
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, new_name, using
from romproof.symbolic.terms.origin import (
    STACK,
    LocationKind,
    Origin,
    OriginKind,
    VariableName,
    any_name,
    array_name,
    byte_name,
    count_name,
    cut_name,
    marks_name,
    name_untouched,
    part_name,
    register_variable,
    second_name,
    stack_name,
    stem_of,
)

COUNT = "invariant: @l: X in 1..4; decreases: @l: X"
STEP = {"step": ("in: n; out: n; clobbers: A N Z; stack: 2", "lda n/eor #1/sta n/rts")}
CLAIMS = {
    "a loop and a secret": Said(
        f"in: buf[4]; secret: buf[4]; out: A; clobbers: X N Z; {COUNT}",
        "lda #0/ldx #4/@l: eor buf-1,x/dex/bne @l/rts",
    ),
    "a secret that is not kept": Said(
        f"in: buf[4]; secret: buf[4]; clobbers: A X N Z; {COUNT}",
        "ldx #4/@l: lda buf-1,x/beq @n/nop/@n: dex/bne @l/rts",
    ),
    "a callee": Said(
        "in: n; out: n; clobbers: A N Z; stack: 2", "jsr step/jsr step/rts", others=STEP
    ),
    "a callee in a loop": Said(
        f"in: n; out: n; clobbers: A X N Z; stack: 2; {COUNT}",
        "ldx #4/@l: jsr step/dex/bne @l/rts",
        others=STEP,
    ),
    "a byte that is put back": Said(
        "in: n; out: A; clobbers: N Z", "lda n/pha/inc n/pla/sta n/rts"
    ),
    "an array that is filled": Said(
        f"in: A; out: buf[4]; clobbers: X N Z; {COUNT}", "ldx #4/@l: sta buf-1,x/dex/bne @l/rts"
    ),
    "a port": Said("in: volatile n; out: A; clobbers: N Z", "lda n/eor n/rts"),
    "a result that depends on more": Said("in: n; out: A; clobbers: N Z", "lda n/eor m/rts"),
}


def _opaque(text: str, what: Origin) -> VariableName:
    """A name that tells nothing; registers are called what the microcode calls them."""
    is_register = what.location.kind is LocationKind.REGISTER and what.kind is OriginKind.ENTRY
    is_plain = (is_register and not what.is_second) or not text
    name = text if is_plain else f"v{blake2b(text.encode(), digest_size=8).hexdigest()}"
    known = str.__new__(VariableName, name)
    known.origin = what
    return known


@pytest.fixture
def opaque_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All names made from now on tell nothing."""

    def forget() -> None:
        for each in vars(origin).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()

    forget()
    monkeypatch.setattr(VariableName, "__new__", lambda _, text, what: _opaque(text, what))
    assert byte_name(0xC000).startswith("v")
    assert byte_name(0xC000).address == 0xC000
    yield
    monkeypatch.undo()
    forget()


def _found(said: Said) -> list[Finding]:
    return [each for proof in proofs_of("6502", said).values() for each in proof.findings]


@pytest.mark.parametrize("claim", CLAIMS)
def test_names_decide_nothing(claim: str, request: pytest.FixtureRequest) -> None:
    pytest.importorskip("z3")
    before = _found(CLAIMS[claim])
    request.getfixturevalue("opaque_names")
    after = _found(CLAIMS[claim])
    assert [(str(each.statement), each.verdict, each.causes) for each in after] == [
        (str(each.statement), each.verdict, each.causes) for each in before
    ]
    assert before


NAMES = [
    register_variable("a"),
    byte_name(0xC000),
    stack_name(-2),
    array_name(0xC000, 16),
    marks_name(0xC000, 16),
    cut_name(byte_name(0xC000).location, 0x8000),
    cut_name(array_name(0xC000, 16).location, 0x8000),
    stem_of(OriginKind.CALL, STACK),
    stem_of(OriginKind.PORT, byte_name(0xD012).location),
    stem_of(OriginKind.HAVOC),
    any_name("index"),
    count_name(0x8000, 0x8010),
    name_untouched(byte_name(0xC000)),
    second_name(byte_name(0xC000)),
    second_name(array_name(0xC000, 16), 0xC001),
    part_name(array_name(0xC000, 16), "?0"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_knows_its_origin_wherever_it_goes(name: VariableName) -> None:
    there = pickle.loads(pickle.dumps(name))
    assert (there, there.origin) == (name, name.origin)
    assert {name: 1}[str(name)] == 1


def test_names_of_different_origin_are_different() -> None:
    assert len(set(NAMES)) == len(NAMES)


@given(st.integers(0, 0xFFFF), st.integers(0, 0xFFFF))
def test_an_address_is_known_without_reading_the_name(address: int, place: int) -> None:
    name = byte_name(address)
    with using(Terms()):
        names = [
            cut_name(name.location, place),
            new_name(stem_of(OriginKind.PORT, name.location)),
            new_name(stem_of(OriginKind.CALL, name.location)),
            second_name(name),
        ]
        assert [t.var(each, 8).name.address for each in names] == [address] * 4
    assert [each.is_at_entry for each in names] == [False, False, False, True]
    assert names[0].location.name is name
