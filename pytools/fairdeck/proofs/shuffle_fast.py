"""The fast shuffle of the SM83 is the model's, flip by flip.

The contract is that of ``shuffle_sm83.py``, with what a model needs besides: of a draw under way
that its number is below its range, and where the byte under way may be none of the stream. That
each byte of the stream is made of those before it is shown with the stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fairdeck.proofs.draws import SHUFFLED
from fairdeck.proofs.fast_stages import fast_stages
from fairdeck.proofs.shuffle_groups import GROUPS, without_dependences
from fairdeck.proofs.shuffle_sm83 import SHUFFLE, Stream, invariants
from fairdeck.proofs.stream import BEGUN, FIRST, made_in_turn
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import SM83
from romproof import Image, Proof, ProofOptions, Prover

MAKE_STREAM = """
    ;; make_stream – all bytes of the stream, from the first four.
    ; in:       B C E L
    ; out:      shuffle_stream+5[62]
    ; ensures:  {turn}
    ; clobbers: A BC DE HL F
    ; stack:    0
    """

RESTREAM = """
    ;; restream – make the stream anew.
    ; ghost:    begun = C
    ; in:       C hram shuffle_stream+1[66]
    ; requires: C in {first}..{last}
    ; out:      C shuffle_stream[67]
    ; ensures:  C == {first}, {begun}, {turn}, {kept}
    ; clobbers: A F
    ; stack:    8
    """

ROLLED = "E % 2 == 0, 2 * B < E, E < 2 * L"
"""Of a draw under way: its number is below its range, which is below the number of results."""


def prove_fast(options: ProofOptions) -> Proof:
    """What makes the stream, the contract, and that it does what the model does."""
    own = tarot_bank(SM83, options)
    proofs = prove_contract(own)
    same = own.simulates(fast_stages(own.image), SHUFFLED, always_holds(own), under_way(own))
    return Proof.joined("shuffle", *proofs, same)


def prove_contract(own: Prover) -> tuple[Proof, ...]:
    """What makes the stream, and the contract with all that the model needs."""
    lemmas = prove_stream(own)
    lines = "".join(f"    ; invariant: {line}\n" for line in _places(own.image))
    about = SHUFFLE.replace("C D H L", "B C D E H L")
    contract = replace(
        without_dependences(own.contracts["shuffle"]),
        invariants=own.contract(about + lines, "shuffle").invariants,
        cycles=None,
    )
    return *lemmas, own.routine("shuffle", contract)


def always_holds(own: Prover) -> str:
    """In all places: each byte of the stream is made of those before it."""
    return made_in_turn(_last(own))


def under_way(own: Prover) -> Callable[[Any], Any]:
    """Of which byte a stage needs that."""
    low = own.image.address("shuffle_stream") & 0xFF
    return lambda at: at - low


def _places(image: Image) -> Iterator[str]:
    """The invariants; and that a first byte which is not of the stream is used up in group 7."""
    first = Stream(image).first
    for line in invariants(image):
        place = line.partition(":")[0]
        k, flips = int(place[-5]), int(place[-3])
        begun = f"C != {first} or {BEGUN}"
        if k == max(GROUPS):
            # a first try and the flip after it take all of a byte, or more
            begun += f" or L == {CARDS}" if "draw" in place or not flips else ""
            if "draw" in place and flips <= 1:
                begun += f" or L == {CARDS - 1}"
            if "draw" in place and not flips:  # a whole byte is under way at the beginning only
                begun += f", C != {first - 1} or L == {CARDS}"
        yield f"{line}, {begun}{f', {ROLLED}' * ('flip' in place)}"


def _last(own: Prover) -> int:
    return own.image.symbol("STREAM_LAST").value


def prove_stream(own: Prover) -> tuple[Proof, Proof]:
    """What makes the stream, and makes it anew; then they are lemmas."""
    stream, last = Stream(own.image), _last(own)
    begins = made_in_turn(last, ("old E", "old L", "old B", "old C"))
    made = own.contract(MAKE_STREAM.format(turn=begins), "make_stream")
    making = own.routine("make_stream", made, exact=False)
    turn = made_in_turn(last)
    # one by one: of a long condition on all of them a caller would know little
    kept = ", ".join(
        f"{FIRST.format(n)} == old {FIRST.format(f'begun - {stream.first} + {n}')}"
        for n in range(1, 5)
    )
    text = RESTREAM.format(first=stream.first, last=stream.last, turn=turn, begun=BEGUN, kept=kept)
    again = without_dependences(own.contract(text, "restream"))
    return making, own.routine("restream", again, exact=False)
