"""What the lower modules of this package call of the higher ones, which put it here when loaded.

Taking bits, joining them, sums and choices need each other; imports can only go one way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from romproof.engine.smt.node import Term

TAKE: dict[str, Callable[[Term, int, int], Term]] = {}
"""By operation: (term, lowest bit, width) gives the bits, taken from the args."""

JOIN: list[Callable[[Term, Term], Term | None]] = []
"""(higher, lower) gives one term for both side by side, if there is one."""

CHOICE: list[Callable[[Term, Term, Term], Term]] = []
"""``ite`` of ``romproof.engine.smt.choice``."""

INVERTED_SUM: list[Callable[[Term, int], Term]] = []
"""A SUM with its highest bit inverted, or all, or all others, is a sum too."""

CHOSEN_SUM: list[Callable[[Term, Term, Term], Term | None]] = []
"""A choice (condition, then, otherwise) with a constant between both is a sum."""

OF_FORM: list[Callable[[int, Mapping[Term, int], int], Term]] = []
"""(width, factors, number) gives the term of a form, see ``romproof.engine.smt.linear``."""
