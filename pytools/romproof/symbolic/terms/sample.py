"""The values of terms for many inputs at once, by numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from romproof.symbolic.terms.node import Term
from romproof.symbolic.terms.sample_memory import Bytes, Chosen, Given, Samples, Stored
from romproof.symbolic.terms.walk import in_order

GivenArrays = Mapping[str, "NDArray[np.uint8] | Bytes"]


def evaluate(
    terms: Iterable[Term],
    values: Mapping[str, Samples],
    arrays: GivenArrays | None = None,
) -> list[Samples]:
    """What the terms are for the values of their variables, N samples of each.

    An array is given as its bytes, of shape (N, 65536), or as a function: bytes at addresses,
    both of shape (N,) or (any number, N). Raises KeyError for an unknown name.
    """
    terms = list(terms)
    done = all_values(terms, values, arrays)
    return [done[term] for term in terms]


def all_values(
    terms: Iterable[Term],
    values: Mapping[str, Samples],
    arrays: GivenArrays | None = None,
) -> dict[Term, Any]:
    """The same for all terms in the given ones."""
    count = len(next(iter(values.values()))) if values else 1
    done: dict[Term, Any] = {}
    for term in in_order(terms):
        done[term] = value_of(term, done, values, arrays or {}, count)
    return done


def _fit(value: Samples, width: int) -> Samples:
    """Cut to the width, as uint64 where that is wide enough."""
    if value.dtype == object:
        value = value & ((1 << width) - 1)
        return value.astype(np.uint64) if width <= 64 else value
    return value & np.uint64((1 << width) - 1) if width < 64 else value


def value_of(
    term: Term,
    done: Mapping[Term, Any],
    values: Mapping[str, Samples],
    arrays: GivenArrays,
    count: int,
) -> Any:
    """What one term is, of ``count`` samples; ``done`` has its args."""
    width = term.width
    kind = np.uint64 if width <= 64 else object
    args: list[Any] = [done[arg] for arg in term.args]
    match term.op:
        case "const":
            return np.full(count, term.number, dtype=kind)
        case "var":
            return values[term.name]
        case "array":
            return Given(arrays[term.name], count)
        case "store":
            return Stored(*args)
        case "load":
            return args[0].at(args[1])
        case "ite" if not width:
            return Chosen(*args)
        case "ite":
            return np.where(args[0] != 0, args[1], args[2])
        case "xor":
            result = np.full(count, term.number, dtype=kind)
            for arg in args:
                result = result ^ arg
            return result
        case "and":
            result = args[0]
            for arg in args[1:]:
                result = result & arg
            return result
        case "eq":
            return (args[0] == args[1]).astype(np.uint64)
        case "ult":
            return (args[0] < args[1]).astype(np.uint64)
        case "extract":
            if args[0].dtype == object:
                return _fit(args[0] >> term.number, width)
            return _fit(args[0] >> np.uint64(term.number), width)
        case "lookup":
            table = np.frombuffer(term.table, dtype=np.uint8).astype(np.uint64)
            last = len(table) - 1  # what is behind it is 0
            result = table[np.minimum(args[0], last).astype(np.int64)]
            return np.where(args[0] <= last, result, 0).astype(np.uint64)
        case "mul":
            return _fit(args[0].astype(kind) * args[1].astype(kind), width)
        case "rem":
            by_zero = args[1] == 0
            return np.where(by_zero, args[0], args[0] % np.where(by_zero, 1, args[1])).astype(kind)
        case "concat":
            result = np.zeros(count, dtype=kind)
            for arg, part in zip(args, term.args, strict=True):
                shift = part.width if kind is object else np.uint64(part.width % 64)
                result = (result << shift) | arg.astype(kind)
            return result
        case _:
            result = np.full(count, term.number, dtype=kind)
            for factor, arg in zip(term.factors, args, strict=True):
                number = factor if kind is object else np.uint64(factor)
                result = result + arg.astype(kind) * number
            return _fit(result, width)
