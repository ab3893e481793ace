"""The rule for assertions: what holds at a place is claimed there, and known from there on.

The argument stands in the head page: ``romproof.prover.exploration``.
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.prover.states.entry import Start
from romproof.prover.states.view import for_any, term_of
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.execute.iterations import Tell
from romproof.symbolic.execute.state import State


def make_assertion_check(start: Start, entry: State) -> Callable[[State, Tell], None] | None:
    """What sees to the assertions of a contract during execution; None where it has none.

    Each of its events is about a condition.
    """
    conditions = [
        (address, condition)
        for claim in start.contract.assertions
        for address in claim.addresses
        for condition in claim.conditions
    ]
    if not conditions:
        return None
    abi, places = start.program.abi, {address for address, _ in conditions}

    def come_to(state: State, tell: Tell) -> None:
        if state.pc not in places:
            return
        for address, condition in conditions:
            if address == state.pc:
                claim = for_any(condition, abi, state, entry)
                tell(EventKind.ASSERTS, state, claim, condition)
                state.assume(term_of(condition, abi, state, entry))

    return come_to
