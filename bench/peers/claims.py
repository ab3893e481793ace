"""What routines.s claims, in Python: for numbers and for bit-vectors of claripy alike.

All values are unsigned and have room to spare (40 bits), so that nothing wraps around.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Values = Mapping[str, Any]
"""Registers and variables by their names; of ``buffer`` a sequence of its bytes."""
Choose = Callable[[Any, Any, Any], Any]
"""The second where the first holds, else the third."""
BUFFER = 32
MAX = 4
"""Bytes of a variable that is a number; a longer one is a sequence of them."""


def _nothing(old: Values) -> Sequence[Any]:
    return ()


@dataclass(frozen=True)
class Claim:
    """The claim of a routine. ``registers`` and ``memory`` (with its sizes in bytes) are all that
    the conditions speak of; both are inputs. ``holds`` is the truth."""

    name: str
    about: str
    registers: Sequence[str]
    memory: Mapping[str, int]
    ensures: Callable[[Values, Values, Choose], Sequence[Any]]
    requires: Callable[[Values], Sequence[Any]] = field(default=_nothing)
    holds: bool = True


def _maximum(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    return (new["a"] == choose(old["a"] >= old["b"], old["a"], old["b"]),)


def _average(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    return (new["a"] == (old["a"] + old["b"]) // 2,)


def _add_long(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    return (new["total"] == (old["total"] + old["addend"]) % 0x100000000,)


def _decimal(byte: Any) -> Any:
    return byte // 16 * 10 + byte % 16


def _digits(old: Values) -> Sequence[Any]:
    each = (old["a"], old["b"])
    return [condition for byte in each for condition in (byte % 16 < 10, byte < 0xA0)]


def _add_bcd(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    return (_decimal(new["a"]) == (_decimal(old["a"]) + _decimal(old["b"])) % 100,)


def _saturate(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    total = old["a"] + old["b"]
    return (new["a"] == choose(total > 255, 255 + 0 * total, total),)


def _multiply(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    return (new["product"] == old["a"] * old["b"],)


def _divide(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    return (new["quotient"] * old["b"] + new["a"] == old["a"], new["a"] < old["b"])


def _fill(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    return [
        new["buffer"][j] == choose(old["x"] > j, old["a"], old["buffer"][j]) for j in range(BUFFER)
    ]


def _shift(old: Values, new: Values, choose: Choose) -> Sequence[Any]:
    return (new["lfsr"] >= 1,)


CLAIMS = (
    Claim("maximum", "the larger of two bytes", "a", {"b": 1}, _maximum),
    Claim("average", "(a + b) / 2", "a", {"b": 1}, _average),
    Claim("average_lsr", "the same, the carry lost", "a", {"b": 1}, _average, holds=False),
    Claim("add_long", "a sum of 32 bits", "", {"total": 4, "addend": 4}, _add_long),
    Claim("add_bcd", "a sum of decimal digits", "a", {"b": 1}, _add_bcd, _digits),
    Claim("saturate_by_v", "min(a + b, 255), by V", "a", {"b": 1}, _saturate, holds=False),
    Claim("multiply", "a * b, 8 by 8 bits", "a", {"b": 1, "product": 2}, _multiply),
    Claim(
        "divide",
        "quotient and remainder",
        "a",
        {"b": 1, "quotient": 1},
        _divide,
        lambda old: (old["b"] >= 1,),
    ),
    Claim("fill", "x bytes of 32", "ax", {"buffer": BUFFER}, _fill, lambda old: (old["x"] <= 32,)),
    Claim(
        "shift", "8 steps of an LFSR, never 0", "", {"lfsr": 2}, _shift, lambda o: (o["lfsr"] >= 1,)
    ),
)
BY_NAME: Mapping[str, Claim] = {claim.name: claim for claim in CLAIMS}


def number(condition: Any, one: Any, other: Any) -> Any:
    """``Choose`` for numbers."""
    return one if condition else other
