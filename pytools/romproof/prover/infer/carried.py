"""What comes to a loop that is cut as it was at the entry, and matters there.

No term of such a loop says what a register at the entry has to do with a result: at the cut it is
anything. But what an iteration does depends on what the one before left, and the first one on what
came there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from romproof.prover.explore import Exploration, Leg
from romproof.prover.names import is_at_entry
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import VAR
from romproof.symbolic.terms.term import Term


def carried(
    exploration: Exploration,
    outputs: Collection[str],
    with_calls: Callable[[Sequence[Term]], list[Term]],
) -> frozenset[str]:
    """The registers of which the entry's value, unchanged, is a result of one of the ways, or
    comes to a loop where results, ways or times depend on it.

    ``with_calls`` gives terms with those that results of callees in them depend on.
    """
    needed: dict[int, set[str]] = {place: set() for place in exploration.cuts}

    def wanted(leg: Leg) -> list[Term]:
        """The values at the end of a leg that matter there, but for memory."""
        names = needed.get(leg.end, outputs)
        return [leg.at.get(name) for name in sorted(names) if name in leg.at.registers]

    def of(leg: Leg) -> list[Term]:
        memory = leg.at.memory
        terms = [*wanted(leg), *leg.at.path, leg.at.total_cycles()]
        terms += [*memory.changed_arrays().values(), *memory.changed_bytes().values()]
        return with_calls(terms)

    inside = [leg for leg in exploration.legs if leg.begin in needed]
    growing = True
    while growing:
        growing = False
        for leg in inside:
            assert leg.begin is not None, "only those that begin at a cut"
            variables = frozenset(t.variables(of(leg)))
            known = exploration.cuts[leg.begin].unknown
            more = {name for name, term in known.items() if term in variables}
            growing |= not more <= needed[leg.begin]
            needed[leg.begin] |= more
    arriving = (term for leg in exploration.legs if leg.begin is None for term in wanted(leg))
    return frozenset(term.name for term in arriving if term.op is VAR and is_at_entry(term.name))
