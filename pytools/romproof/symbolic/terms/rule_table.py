"""The rules by which terms are simplified, in one ordered table.

Where two bit fields side by side can be one term in several ways, the first of ``join`` that
finds one decides: equal values get one form, whatever else was computed before.
"""

from __future__ import annotations

from romproof.symbolic.terms.choice import ite, join_choice, take_choice
from romproof.symbolic.terms.logic import join_and, join_xor, take_and, take_xor
from romproof.symbolic.terms.multiples import join_sum, join_table
from romproof.symbolic.terms.node import AND, ITE, MUL, SUM, XOR
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.sums import (
    chosen_sum,
    invert_sum,
    join_carry,
    join_inverted,
    of_form,
    take_product,
    take_sum,
)

RULES.take = {XOR: take_xor, AND: take_and, ITE: take_choice, SUM: take_sum, MUL: take_product}
RULES.join = (
    join_carry,  # before XOR, which would keep the NOT of a carry
    join_xor,
    join_and,
    join_choice,
    join_table,
    join_sum,
    join_inverted,
)
RULES.choice = ite
RULES.inverted_sum = invert_sum
RULES.chosen_sum = chosen_sum
RULES.of_form = of_form
