"""That routines on hands are their models on the SM83.

What each asks is proved by its contract, and the routine itself with its stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fairdeck.proofs import riichi_suits_sm83, riichi_target_sm83
from fairdeck.proofs.riichi_hands import CHIITOI, COMPLETE, JOIN, KOKUSHI, NORMAL, SHANTEN, WANTED
from fairdeck.proofs.riichi_shanten_sm83 import JOIN_CONTRACT, complete, normal_shanten, shanten
from fairdeck.proofs.riichi_suits_sm83 import SUIT_COSTS
from fairdeck.proofs.riichi_target_sm83 import TARGET
from fairdeck.proofs.riichi_ukeire_sm83 import (
    CALLS,
    DISCARD,
    FEWER,
    UKEIRE,
    best_discard,
    call_options,
    fewer,
    ukeire,
)
from fairdeck.proofs.sha512_stages import Staged
from romproof import Image, Proof, Prover

ASKED = {
    NORMAL: (),
    SHANTEN: (NORMAL,),
    COMPLETE: (NORMAL, SHANTEN),
    UKEIRE: (NORMAL, SHANTEN, FEWER),
    CALLS: (NORMAL, SHANTEN, COMPLETE),
    DISCARD: (NORMAL, SHANTEN, FEWER, UKEIRE),
}
"""What is proved before each, beside costs."""


def proofs(own: Prover, routine: str) -> Iterator[Proof]:
    """Of a routine, and of all that it asks."""
    if routine == TARGET:
        yield from riichi_target_sm83.proofs(own)
        return
    yield from riichi_suits_sm83.proofs(own, simulated=routine == SUIT_COSTS)
    if routine == SUIT_COSTS:
        return
    yield own.routine(JOIN, own.contract(JOIN_CONTRACT, JOIN), exact=False)
    for name in (WANTED, CHIITOI, KOKUSHI):
        yield own.routine(name, exact=False)
    for name in (*ASKED[routine], routine):
        one = staged(own, name)
        yield own.routine(name, own.contract(one.contract, name), exact=False)
        # that a tile lowers the shanten is said by no other statement
        if name in (routine, FEWER):
            yield own.simulates(one.stages, one.gives)


def staged(own: Prover, name: str) -> Staged:
    """The model of a routine."""
    if name in (UKEIRE, DISCARD):
        return {UKEIRE: ukeire, DISCARD: best_discard}[name](own.image, own.fixed)
    made: Mapping[str, Callable[[Image], Staged]] = {
        NORMAL: normal_shanten,
        SHANTEN: shanten,
        COMPLETE: complete,
        FEWER: fewer,
        CALLS: call_options,
    }
    return made[name](own.image)
