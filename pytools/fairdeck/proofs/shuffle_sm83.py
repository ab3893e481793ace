"""The fast shuffle of the SM83 keeps the deck a permutation, whatever the flips.

Each draw is followed by its exchange. An invariant for each place of the state machine says for
which cards it is, and that the stream of flips does not run out. L is the number of cards that
are left: the next exchange is that of card L - 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from fairdeck.proofs.shuffle_groups import (
    COARSE,
    FLIPS_A_BYTE,
    GROUPS,
    cards_of,
    flips_after,
    without_dependences,
)
from fairdeck.proofs.stages import with_loops
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.proofs.turns import exchanges
from fairdeck.tarot.targets import SM83
from romproof import Contract, Image, Proof, ProofOptions, Prover

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


def prove_sm83(options: ProofOptions) -> Proof:
    """The routine's own contract, and that all it does to the deck is to exchange cards in turn."""
    own = tarot_bank(SM83, options)
    lemmas = prove_stream(own)
    whole = own.routine("shuffle", keeping_stream(own, "C D H L", invariants(own.image)))
    return Proof.join("shuffle", *lemmas, whole, facts=exchanges(own, "l"))


def keeping_stream(own: Prover, registers: str, lines: Iterable[str]) -> Contract:
    """The routine's own contract with invariants about some registers."""
    text = f"; in: {registers}\n" + "".join(f"; invariant: {line}\n" for line in lines)
    # how long a shuffle takes is up to the flips: with invariants there is nothing to prove of it
    return without_dependences(with_loops(own, "shuffle", text, cycles=None))


def prove_stream(own: Prover) -> tuple[Proof, Proof]:
    """What makes the stream, and makes it anew; then they are lemmas."""
    stream = StreamRoom(own.image)
    begun = own.image.address("shuffle_stream") + 1
    text = RESTREAM.format(first=stream.first, last=stream.last, begun=begun)
    return prove_lemmas(own, MAKE_STREAM, text)


def prove_lemmas(own: Prover, make: str, again: str) -> tuple[Proof, Proof]:
    """Both by contracts."""
    making = own.routine("make_stream", own.contract(make, "make_stream"), exact=False)
    contract = without_dependences(own.contract(again, "restream"))
    return making, own.routine("restream", contract, exact=False)


@dataclass(frozen=True)
class StreamRoom:
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
    stream = StreamRoom(image)
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
