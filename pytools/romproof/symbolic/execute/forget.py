"""Values that are too large to be worth knowing: something unknown takes their place.

What holds of any value holds of theirs. So a contract can be proved of a long computation
whose results are nothing a person could read, in the time it takes to execute it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from romproof.symbolic.terms.node import ARRAY, VAR, Term, new_name, var
from romproof.symbolic.terms.origin import HAVOC, OriginKind
from romproof.symbolic.terms.walk import variables


@dataclass
class Forgetting:
    """Forgets values of more than ``most`` terms, each counted wherever it stands.

    Those that depend on anything but ``inputs`` (names of variables and arrays) are kept: it
    matters that they do.
    """

    most: int
    inputs: Collection[str]
    _sizes: dict[Term, int] = field(default_factory=dict)
    _known: dict[Term, Term] = field(default_factory=dict)

    def __call__(self, value: Term) -> Term:
        """The value, or an unknown one within its bounds: always the same for one value."""
        if value in self._known:
            return self._known[value]
        fresh = value
        if self._size(value) > self.most and all(map(self._is_input, variables([value]))):
            name = new_name(HAVOC)
            fresh = var(name, value.width, value.low, value.high)
        self._known[value] = fresh
        return fresh

    def _is_input(self, variable: Term) -> bool:
        return variable.name.kind is OriginKind.HAVOC or variable.name in self.inputs

    def _size(self, root: Term) -> int:
        sizes, stack = self._sizes, [root]
        while stack:
            term = stack[-1]
            waiting = [arg for arg in term.args if arg not in sizes]
            if waiting and term.op not in (VAR, ARRAY):
                stack += waiting
                continue
            sizes[term] = 1 + sum(sizes[arg] for arg in term.args)
            stack.pop()
        return sizes[root]
