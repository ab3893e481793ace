"""What formulas that terms were turned into mean: for both solvers, without asking them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import count
from typing import Any

import pytest
import z3_numpy
from formula_numpy import Syntax, evaluate

from romproof.symbolic.solve.formulas import Formulas
from romproof.symbolic.solve.lower import Lowering
from romproof.symbolic.solve.z3_formulas import Z3Formulas
from romproof.symbolic.terms.node import ARRAY
from romproof.symbolic.terms.term import Term

Values = Any
How = tuple[Callable[[], Formulas], Syntax]


SHARED = 200
"""Terms are lowered so many times in one context of z3's: nothing is asked in it, and a context of
their own takes longer than most of them."""
_counted = count()


def by_z3() -> How:
    """z3's formulas."""
    return lambda: _z3_formulas(next(_counted) // SHARED), z3_numpy.SYNTAX


@lru_cache(maxsize=1)
def _z3_formulas(number: int) -> Z3Formulas:
    return Z3Formulas()


def by_bitwuzla() -> How:
    """Bitwuzla's; skips the test without it."""
    pytest.importorskip("bitwuzla", reason="formulas are those of Bitwuzla")
    import bitwuzla_numpy

    from romproof.symbolic.solve.bitwuzla_formulas import BitwuzlaFormulas

    return BitwuzlaFormulas, bitwuzla_numpy.SYNTAX


def lowered(
    how: How,
    roots: Iterable[Term],
    count: int,
    values: Mapping[str, Values],
    arrays: Mapping[str, Values],
    prepared: bool = True,
) -> tuple[list[Values], list[Values]]:
    """What the formulas for terms are for ``count`` inputs, and which bounds hold."""
    make, syntax = how
    formulas, roots = make(), list(roots)
    lowering = Lowering(formulas)
    if prepared:
        lowering.prepare(roots)
    made = [lowering.truth(root) if root.width == 1 else lowering.term(root) for root in roots]
    names = lowering.variables.items()
    found = evaluate(
        syntax,
        [shown(formulas, each) for each in [*made, *lowering.bounds]],
        count,
        {name: values[v.name] for v, name in names if v.op is not ARRAY},
        {name: arrays[v.name] for v, name in names if v.op is ARRAY},
    )
    return found[: len(roots)], found[len(roots) :]


def shown(formulas: Formulas, formula: Any) -> Any:
    """A formula as a tree that can be walked."""
    if isinstance(formulas, Z3Formulas):
        return formulas.context.ref(), formula
    return formula
