"""What of Python's own models may use: what does with a symbolic number as with a plain one."""

from __future__ import annotations

import bisect
import builtins
import collections
import collections.abc
import copy
import dataclasses
import enum
import functools
import heapq
import itertools
import math
import numbers
import operator
import os
import typing
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import romproof.symbolic.numbers.choices as choices
from romproof.text.errors import RomproofError

_BUILTINS = [
    "abs",
    "all",
    "any",
    "bin",
    "bool",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "format",
    "frozenset",
    "hash",
    "hex",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "object",
    "oct",
    "ord",
    "pow",
    "property",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "zip",
]
_REFUSED = {
    "operator": {"is_", "is_not", "attrgetter", "methodcaller"},
}
"""Of modules that may be used: what tells numbers apart."""


def _public(module: ModuleType) -> Iterable[Any]:
    refused = _REFUSED.get(module.__name__, set())
    for name, value in vars(module).items():
        if not name.startswith("_") and name not in refused and callable(value):
            yield value


ALLOWED: frozenset[Any] = frozenset(
    [
        *(getattr(builtins, name) for name in _BUILTINS),
        *(
            value
            for value in vars(builtins).values()
            if isinstance(value, type) and issubclass(value, Exception)
        ),
        *_public(math),
        *_public(operator),
        *_public(itertools),
        *_public(numbers),
        *_public(collections.abc),
        *_public(bisect),
        *_public(heapq),
        *(collections.deque, collections.defaultdict, collections.OrderedDict),
        *(collections.Counter, copy.copy, copy.deepcopy, dataclasses.replace),
        *(functools.partial, functools.reduce, functools.cmp_to_key, typing.cast),
        *(enum.Enum, enum.IntEnum, enum.Flag, enum.IntFlag, tuple.__new__, object.__new__),
        *(typing.NamedTuple, typing.Generic, typing.Protocol),
        *(choices.choose, choices.word, RomproofError),
    ]
)
"""Functions and classes."""

CATCHABLE = frozenset(
    {
        IndexError,
        KeyError,
        LookupError,
        ZeroDivisionError,
        OverflowError,
        ArithmeticError,
        ValueError,
        StopIteration,
        AssertionError,
    }
)
"""Exceptions of Python's own that mean the same for symbolic numbers."""

RUNNING = (
    *("enum.py", "copy.py", "dataclasses.py", "functools.py", "collections/__init__.py"),
    *("_collections_abc.py", "abc.py", "operator.py", "heapq.py", "bisect.py", "typing.py"),
    *("copyreg.py", "types.py", "numbers.py"),
)
"""Files of the standard library whose code may run in a model."""

ADVICE = {
    "type": "isinstance(x, int) is true of all numbers",
    "__class__": "isinstance(x, int) is true of all numbers",
    "id": "compare with ==",
    "is_": "compare with ==",
    "is_not": "compare with !=",
    "hasattr": "a model knows the types of its arguments",
    "getattr": "write the attribute's name",
    "print": "leave it out, and print the numbers in a test of the model",
    "random": "a model gives the same for the same input",
    "memoryview": "use slices",
}
"""What to do instead, by name."""


def may_run(filename: str) -> bool:
    """Whether code of the standard library may run in a model."""
    parts = filename.replace(os.sep, "/")
    return filename.startswith("<frozen ") or any(parts.endswith(f"/{each}") for each in RUNNING)


def is_allowed(value: Any) -> bool:
    """Whether a function or class of Python's own may be used."""
    try:
        return value in ALLOWED
    except TypeError:
        return False


def advice(name: str) -> str:
    """The end of a refusal: what to do in place of what ``name`` does, if that is known."""
    return f"; {ADVICE[name]}" if name in ADVICE else ""
