"""The fast shuffle of the SM83 keeps the deck a permutation, whatever the flips.

Each draw is followed by its exchange. An invariant for each place of the state machine says for
which cards it is, and that the stream of flips does not run out. L is the number of cards that
are left: the next exchange is that of card L - 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from fairdeck.proofs.shuffle_groups import (
    COARSE,
    FLIPS_A_BYTE,
    GROUPS,
    cards_of,
    flips_after,
    without_dependences,
)
from fairdeck.proofs.statement import bank, together
from fairdeck.tarot.shuffle import CARDS
from romproof.program.image import Image
from romproof.prover.bank import Bank
from romproof.prover.case import Case, Claim
from romproof.prover.exchanges import Way, rearranges, ways
from romproof.prover.explore import Leg
from romproof.prover.piece import piece_of
from romproof.prover.results import Finding, RoutineProof, Verdict
from romproof.prover.routine import Options
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import using
from romproof.symbolic.terms.term import Term

DECK = "deck"

MAKE_STREAM = """
    ;; make_stream – all bytes of the stream, from the first four.
    ; in:       B C E L
    ; out:      shuffle_stream[67]
    ; clobbers: A BC DE HL F
    ; stack:    0
    """

RESTREAM = """
    ;; restream – make the stream anew.
    ; in:       C hram ${begun:04X}[66]
    ; requires: C in {first}..{last}
    ; out:      C shuffle_stream[67]
    ; ensures:  C == {first}
    ; clobbers: A F
    ; stack:    8
    """

SHUFFLE = """
    ;; shuffle – the registers and the memory that its invariants are about.
    ; in:       C D H L
    """


def prove_sm83(options: Options) -> RoutineProof:
    """The routine's own contract, and that all it does to the deck is to exchange cards in turn."""
    own = bank("tarot-gb", options)
    image = own.program.image
    lemmas = prove_stream(own)
    lines = "".join(f"    ; invariant: {line}\n" for line in invariants(image))
    # how long a shuffle takes is up to the flips: with invariants there is nothing to prove of it
    contract = own.program.rom.contracts["shuffle"]
    contract = replace(
        without_dependences(contract),
        invariants=piece_of(image, SHUFFLE + lines, "shuffle").contract.invariants,
        cycles=None,
    )
    kept, explored = own.prove(contract)
    facts: list[Finding] = []
    if explored is not None:
        with using(explored.terms):
            facts += exchanges(explored.case)
    return together("shuffle", *lemmas, kept, facts=facts)


def prove_stream(own: Bank) -> tuple[RoutineProof, RoutineProof]:
    """What makes the stream, and makes it anew; then they are lemmas in the bank."""
    image = own.program.image
    stream = Stream(image)
    made = piece_of(image, MAKE_STREAM, "make_stream")
    making, _ = own.prove_at(made.contract, image.address("make_stream"), exact=False)
    again = piece_of(
        image,
        RESTREAM.format(
            first=stream.first, last=stream.last, begun=image.address("shuffle_stream") + 1
        ),
        "restream",
    )
    remaking, _ = own.prove_at(
        without_dependences(again.contract), image.address("restream"), exact=False
    )
    return making, remaking


def exchanges(case: Case, cards: int = CARDS) -> Iterator[Finding]:
    """That the deck stays a permutation, and which of its first ``cards`` are exchanged."""
    first = rearranges(case, DECK)
    yield first
    if first.verdict is Verdict.PROVED:
        claims = (
            Claim("it is not so", way.path, _in_turn(case, leg, way, cards), leg)
            for leg in case.found.legs
            for way in ways(case, leg, DECK)
        )
        yield case.judge(
            f"cards {cards - 1} to 1 are exchanged one after the other, each with one at its own "
            "place or before it",
            claims,
        )


def _in_turn(case: Case, leg: Leg, way: Way, cards: int) -> Term:
    """What has to hold of the exchange on a way, and of the number of cards left after it."""
    found = case.found
    left, after, ended = leg.first.get("l"), leg.at.get("l"), leg.end in found.start.ends
    if leg.begin is None:
        return t.FALSE if way.places or ended else t.eq(after, t.const(cards, 8))
    if not way.places:
        return t.FALSE if ended else t.eq(after, left)
    if len(way.places) > 1:
        return t.FALSE
    before_deck = t.const(found.start.program.image.address(DECK) - 1, 16)
    card, (one, other) = t.add(before_deck, t.zext(left, 16)), way.places[0]
    return t.all_of(
        [
            t.or_(t.eq(one, card), t.eq(other, card)),
            t.not_(t.ult(card, one)),
            t.not_(t.ult(card, other)),
            # nothing is left to be exchanged when there is but one card
            t.eq(left, t.const(2, 8)) if ended else t.eq(after, t.sub(left, t.const(1, 8))),
        ]
    )


@dataclass(frozen=True)
class Stream:
    """Where the stream of flips is in the program ``image``, as low bytes of addresses."""

    image: Image

    @cached_property
    def first(self) -> int:
        """The byte that is under way at first."""
        return (self.image.address("shuffle_stream") & 0xFF) + 1

    @cached_property
    def last(self) -> int:
        """The last one that flips may come from: three must follow."""
        return self.first - 1 + self.image.symbol("STREAM_USABLE").value

    def draw(self, k: int, flips: int) -> str:
        """That it lasts, before a draw with ``flips`` left in the current byte."""
        if k > COARSE:
            return f"C + L <= {self.last + _end(k)}"
        after = flips_after(k) - k * (1 << k - 1)
        return f"8 * C + {k} * L <= {8 * self.last + flips - after}"

    def flip(self, k: int) -> str:
        """That it lasts, before a flip that an overshoot asks for; the rest of the current byte
        does not count."""
        if k > COARSE:
            return f"C + L <= {self.last + _end(k) + 1}"
        if k == COARSE:
            return f"2 * C + L <= {2 * self.last + 4}"
        return f"C <= {self.last - (k - 1)}"


def _end(k: int) -> int:
    """Cards that are left when bytes are counted in another way."""
    return 1 << COARSE if k == COARSE + 1 else 1 << COARSE + 1


def invariants(image: Image) -> Iterator[str]:
    """One for each place, as contracts write them."""
    stream = Stream(image)
    deck = image.address("deck") >> 8
    pages = f"D == {deck}, H == {deck}"
    for k in GROUPS:
        copies = image.symbol(f"COPIES_{k}").value
        fewest, most = (1 << k - 1) + 1, (1 << k - 1) + cards_of(k)
        for left in range(copies):
            which = f", L % {copies} == {left}" if copies > 1 else ""
            inside = f"{pages}, L in {fewest}..{most}{which}"
            for flips in FLIPS_A_BYTE:
                place = f"{k}_{flips}_{left}"
                # a shuffle may begin with a whole byte: then none is under way
                first = stream.first - (k == max(GROUPS) and not flips)
                under_way = f"C in {first}..{stream.last}"
                yield f"shuffle.draw{place}: {inside}, {under_way}, {stream.draw(k, flips)}"
                under_way = f"C in {stream.first}..{stream.last}"
                yield f"shuffle.flip{place}: {inside}, {under_way}, {stream.flip(k)}"
    for flips in FLIPS_A_BYTE:
        under_way = f"C in {stream.first}..{stream.last - (not flips)}"
        yield f"shuffle.draw1_{flips}_0: {pages}, L == 2, {under_way}"
