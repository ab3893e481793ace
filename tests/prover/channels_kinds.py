"""Models of ``bump`` that tell numbers by types and by identity: see ``model_channels``."""

from __future__ import annotations

import functools
import numbers
import operator
from typing import Any, Protocol, runtime_checkable

from model_channels import false, right, wrong_if

# ---------------------------------------------------------------- types


@false
def by_isinstance(sum: Any) -> Any:
    return wrong_if(isinstance(sum, int), sum)


@false
def by_isinstance_of_bool(sum: Any) -> Any:
    return wrong_if(isinstance(sum < 3, bool), sum)


@false
def by_number_tower(sum: Any) -> Any:
    return wrong_if(isinstance(sum, numbers.Integral), sum)


@false
def by_type(sum: Any) -> Any:
    return wrong_if(type(sum) is int, sum)


@false
def by_type_equal(sum: Any) -> Any:
    return wrong_if(type(sum) == int, sum)  # noqa: E721


@false
def by_class(sum: Any) -> Any:
    return wrong_if(sum.__class__.__name__ == "int", sum)


@false
def by_class_of_class(sum: Any) -> Any:
    return wrong_if(sum.__class__.__class__(sum).__name__ == "int", sum)


@false
def by_pattern(sum: Any) -> Any:
    match sum:
        case int():
            return 0
        case _:
            return right(sum)


@false
def by_pattern_of_value(sum: Any) -> Any:
    match sum:
        case 5:
            return 0
        case int(n):
            return n + 1 & 0xFF
    return 7


@false
def by_pattern_of_bool(sum: Any) -> Any:
    match sum == 9:
        case True:
            return 0
    return right(sum)


@functools.singledispatch
def dispatched(sum: Any) -> Any:
    return right(sum)


@dispatched.register
def _(sum: int) -> Any:
    return 0


@false
def by_singledispatch(sum: Any) -> Any:
    return dispatched(sum)


@runtime_checkable
class HasTerm(Protocol):
    term: Any


@false
def by_protocol(sum: Any) -> Any:
    return right(sum) if isinstance(sum, HasTerm) else 0


KINDS = {int: 0}
LOOKS = [type]


@false
def by_a_table_of_types(sum: Any) -> Any:
    return KINDS.get(LOOKS[0](sum), right(sum))


@false
def by_default(sum: Any, look: Any = type) -> Any:
    return wrong_if(look(sum) == int, sum)  # noqa: E721


@false
def by_map(sum: Any) -> Any:
    return wrong_if(list(map(type, [sum])) == [int], sum)


# ---------------------------------------------------------------- identity


@false
def by_identity_with_a_literal(sum: Any) -> Any:
    five = 5
    return wrong_if(sum is five, sum)


FIVE = 5


@false
def by_identity_with_a_global(sum: Any) -> Any:
    return wrong_if(sum is FIVE, sum)


@false
def by_no_identity(sum: Any) -> Any:
    return right(sum) if sum is not sum + 0 else 0


@false
def by_operator(sum: Any) -> Any:
    return wrong_if(operator.is_(sum, 5), sum)


@false
def by_imported_operator(sum: Any) -> Any:
    from operator import is_

    return wrong_if(is_(sum, 5), sum)


@false
def by_imported_module(sum: Any) -> Any:
    import operator as o

    return wrong_if(o.is_(sum, 5), sum)


@false
def by_module_in_a_name(sum: Any) -> Any:
    o = operator
    return wrong_if(o.is_(sum, 5), sum)


@false
def by_id(sum: Any) -> Any:
    return wrong_if(id(sum) == id(5), sum)


@false
def by_identity_of_true(sum: Any) -> Any:
    return wrong_if((sum == 5) is True, sum)
