"""What the lower modules of this package call of the higher ones.

Taking bits, joining them, sums and choices need each other; imports can only go one way. The
one table, in which the order of the rules can be read, is in
``romproof.symbolic.terms.rule_table``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from romproof.symbolic.terms.node import Term

Take = Callable[[Term, int, int], Term]
"""(term, lowest bit, width) gives the bits, taken from the args."""

Join = Callable[[Term, Term], Term | None]
"""(higher, lower) gives one term for both side by side, if there is one."""


class Rules:
    """The rules; they are set once, by the table.

    ``take`` has a rule for each operation that bits can be taken through. ``join`` are tried
    one after the other. ``choice`` is ``ite``; ``sum_of_inverted`` gives a SUM with its highest
    bit inverted, or all, or all others; ``chosen_sum`` a choice (condition, then, otherwise)
    between terms with a constant between them; ``of_form`` the term (width, factors, number) of
    a form, see ``romproof.symbolic.terms.linear``.
    """

    __slots__ = ("choice", "chosen_sum", "inverted_sum", "join", "of_form", "take")

    take: Mapping[str, Take]
    join: tuple[Join, ...]
    choice: Callable[[Term, Term, Term], Term]
    inverted_sum: Callable[[Term, int], Term]
    chosen_sum: Callable[[Term, Term, Term], Term | None]
    of_form: Callable[[int, Mapping[Term, int], int], Term]


RULES = Rules()
