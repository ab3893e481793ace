"""That routines on hands are their models on the 6502.

What each asks is proved by its contract, and the routine itself with its stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fairdeck.proofs import riichi_suits_6502, riichi_target_6502
from fairdeck.proofs.riichi_hands import (
    CHIITOI,
    COMPLETE,
    JOIN,
    KOKUSHI,
    NORMAL,
    SHANTEN,
    WANTED,
)
from fairdeck.proofs.riichi_shanten_6502 import complete, normal_shanten, shanten
from fairdeck.proofs.riichi_suits_6502 import SUIT_COSTS
from fairdeck.proofs.riichi_target_6502 import TARGET
from fairdeck.proofs.riichi_ukeire_6502 import (
    CALLS,
    DISCARD,
    LOWERS,
    UKEIRE,
    best_discard,
    call_options,
    lowers,
    ukeire,
)
from fairdeck.proofs.sha512_stages import Staged
from romproof import Proof, Prover

ASKED = {
    NORMAL: (),
    SHANTEN: (NORMAL,),
    COMPLETE: (NORMAL, SHANTEN),
    UKEIRE: (NORMAL, SHANTEN, LOWERS),
    CALLS: (NORMAL, SHANTEN, COMPLETE),
    DISCARD: (NORMAL, SHANTEN, LOWERS, UKEIRE),
}
"""What is proved before each, beside costs."""


def proofs(own: Prover, routine: str) -> Iterator[Proof]:
    """Of a routine, and of all that it asks."""
    if routine == TARGET:
        yield from riichi_target_6502.proofs(own)
        return
    yield from riichi_suits_6502.proofs(own, simulated=routine == SUIT_COSTS)
    if routine == SUIT_COSTS:
        return
    for name in (JOIN, WANTED, CHIITOI, KOKUSHI):
        yield own.routine(name, exact=False)
    for name in (*ASKED[routine], routine):
        one = staged(own, name)
        yield own.routine(name, own.contract(one.contract, name), exact=False)
        # that a tile lowers the shanten is said by no other statement
        if name in (routine, LOWERS):
            yield own.simulates(one.stages, one.gives)


def staged(own: Prover, name: str) -> Staged:
    """The model of a routine."""
    made: Mapping[str, Callable[[], Staged]] = {
        NORMAL: normal_shanten,
        SHANTEN: shanten,
        COMPLETE: complete,
        LOWERS: lowers,
        UKEIRE: lambda: ukeire(own.image, own.fixed),
        CALLS: call_options,
        DISCARD: lambda: best_discard(own.image, own.fixed),
    }
    return made[name]()
