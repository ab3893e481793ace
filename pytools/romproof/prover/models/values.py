"""The values that a model refers to beside its arguments: of which kinds, and are they kept.

They may be numbers, text, containers, enumerations, objects of the user's classes and functions.
What a model could change is written down, to see that no run of it does.
"""

from __future__ import annotations

import array
import collections
import functools
import operator
import sys
from abc import ABCMeta
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from enum import Enum, EnumMeta
from fractions import Fraction
from types import (
    BuiltinFunctionType,
    FunctionType,
    GenericAlias,
    MappingProxyType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    UnionType,
)
from typing import Any

import numpy as np

from romproof.prover.models.allowed import advice, is_allowed
from romproof.symbolic.numbers.author import Author, author_of
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.numbers.symbytes import ArrayBytes, SymBytes

PLAIN = (int, bool, str, bytes, float, complex, type(None), type(...), type(NotImplemented))
_RIGID = (*PLAIN, range, slice, Fraction, np.generic, GenericAlias, UnionType, operator.itemgetter)
_LISTS = (list, collections.deque)
_DICTS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
_META = (type, ABCMeta, EnumMeta)
_WRAPPERS = (staticmethod, classmethod)


class Captured:
    """The values, as they were when they were first seen."""

    def __init__(self) -> None:
        self._seen: dict[int, Any] = {}
        self._before: list[tuple[str, Any, list[Any]]] = []
        self._memos: list[Any] = []

    def forget_results(self) -> None:
        """Empty what functools.cache has kept: a run must not know of another one."""
        for memo in self._memos:
            memo.cache_clear()

    def find_change(self) -> str:
        """The name of something that is not any more what it was; "" if all is as before."""
        for name, value, before in self._before:
            now = list(_state(value))
            if len(now) != len(before) or not all(map(_is_same, now, before)):
                return name
        return ""

    def add(self, value: Any, name: str, line: str) -> None:
        """A value that a model refers to, with all in it.

        ``name`` says how and ``line`` where. Raises NotSymbolic if it is of no known kind.
        """
        todo = [(value, name)]
        while todo:
            item, called = todo.pop()
            if id(item) in self._seen or (isinstance(item, _RIGID) and not isinstance(item, Enum)):
                continue
            self._seen[id(item)] = item
            inner = self._inner(item, called, line)
            todo += [(each, called) for each in inner]

    def _inner(self, value: Any, name: str, line: str) -> Iterable[Any]:
        """What is in a value; writes down what can be changed."""
        kind = type(value)
        if kind in (tuple, frozenset):
            return list(value)
        if kind is MappingProxyType:
            self._write_down(value, name)
            return [*value, *value.values()]
        if isinstance(value, (SymBytes, bytearray, set, array.array, np.ndarray)):
            self._write_down(value, name)
            if isinstance(value, np.ndarray) and value.dtype == object:
                return list(value.flat)
            return list(value) if isinstance(value, set) else []
        if kind in (*_LISTS, *_DICTS):
            self._write_down(value, name)
            factory = getattr(value, "default_factory", None)
            return [*_state(value), *([factory] if factory is not None else [])]
        if isinstance(value, functools._lru_cache_wrapper):
            value.cache_clear()
            self._memos.append(value)
            return [value.__wrapped__]
        if isinstance(value, type):
            return self._of_class(value, name, line)
        function = self._of_function(value, name, line)
        if function is not None:
            return function
        if _is_users(kind):
            self._write_down(value, name)
            return [kind, *_state(value)]
        if is_dataclass(kind) and _home(kind.__module__) is Author.OWN:
            return []
        raise refuse_value(value, name, line)

    def _of_function(self, value: Any, name: str, line: str) -> Iterable[Any] | None:
        if callable(value) and is_allowed(value):
            return []
        if isinstance(value, MethodType):
            return [value.__func__, value.__self__]
        if isinstance(value, functools.partial):
            return [value.func, *value.args, *value.keywords.values()]
        if isinstance(value, _WRAPPERS):
            return [value.__func__]
        if isinstance(value, (property, functools.cached_property)):
            parts = (getattr(value, each, None) for each in ("fget", "fset", "fdel", "func"))
            return [part for part in parts if part is not None]
        if isinstance(value, FunctionType):
            whose = author_of(value.__code__.co_filename)
            if whose is Author.GENERATED:
                return [cell for n, cell in _cells(value) if "dflt" in n]
            if whose is Author.OWN and hasattr(value, "__wrapped__"):
                return [value.__wrapped__]
            if whose is not Author.USER:
                raise refuse_value(value, name, line)
            self._write_down(value, name)
            return _state(value)
        if isinstance(value, BuiltinFunctionType) and not isinstance(value.__self__, ModuleType):
            if not value.__name__.startswith("__"):
                return [value.__self__]  # a method, bound to something
        elif isinstance(value, MethodDescriptorType) and value.__objclass__ not in (type, object):
            return []
        return None

    def _of_class(self, value: type, name: str, line: str) -> Iterable[Any]:
        if is_allowed(value):
            return []
        if not _is_users(value) or not isinstance(value, type) or type(value) not in _META:
            raise refuse_value(value, name, line)
        self._write_down(value, name)
        inner: list[Any] = list(value.__bases__)
        if issubclass(value, Enum):
            inner += list(value)
        for key, each in vars(value).items():
            is_code = isinstance(each, (FunctionType, *_WRAPPERS, property))
            if is_code:
                inner += [part for part in _code_parts(each) if _is_users_code(part)]
            elif not issubclass(value, Enum) and not _is_dunder(key) and not _is_slot(each):
                inner.append(each)
        return inner

    def _write_down(self, value: Any, name: str) -> None:
        self._before.append((name, value, list(_state(value))))


def refuse_value(value: Any, name: str, line: str) -> NotSymbolic:
    """The refusal of a value that a model refers to."""
    if isinstance(value, ModuleType):
        what = f"the module {value.__name__} as a value: import it at the top, write module.name"
    elif isinstance(value, type) or callable(value):
        own = getattr(value, "__name__", type(value).__name__)
        module = (getattr(value, "__module__", "") or "").removeprefix("builtins")
        where = f"{module}.{own}" if module else own
        what = f"{where}, which may behave differently with symbolic numbers"
        what += advice(module if module == "random" else own)
    else:
        what = f"a {type(value).__name__} that outlives its call"
    return NotSymbolic(f"the model uses {what} ({name})", line)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_users(kind: type) -> bool:
    """Whether a class is the user's: made in Python, and not by the standard library."""
    if not kind.__flags__ & 1 << 9:
        return False
    return _home(kind.__module__) is Author.USER


@functools.cache
def _home(module: str) -> Author:
    file = getattr(sys.modules.get(module), "__file__", None)
    if module.partition(".")[0] in sys.stdlib_module_names and module != "__main__":
        return Author.STANDARD
    return Author.USER if file is None else author_of(file)


def _code_parts(value: Any) -> Iterator[Any]:
    if isinstance(value, property):
        yield from (part for part in (value.fget, value.fset, value.fdel) if part is not None)
    else:
        yield value.__func__ if isinstance(value, _WRAPPERS) else value


def _is_users_code(value: Any) -> bool:
    """Code of the user's; what Python adds to classes is checked when it runs."""
    if not isinstance(value, FunctionType):
        return True
    return author_of(value.__code__.co_filename) in (Author.USER, Author.GENERATED)


def _is_slot(value: Any) -> bool:
    kind = type(value)
    return kind.__name__ in ("member_descriptor", "getset_descriptor", "_tuplegetter", "_abc_data")


def _cells(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The names and values of what a function has from around it."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # it has none yet
            continue


def _state(value: Any) -> Iterable[Any]:
    """What in a value can be changed."""
    if isinstance(value, ArrayBytes):
        return [value.array]
    if isinstance(value, SymBytes):
        return list(value)
    if isinstance(value, bytearray):
        return [bytes(value)]
    if isinstance(value, (array.array, np.ndarray)):
        return [value.tobytes()]
    if isinstance(value, set):
        return sorted(map(id, value))
    if type(value) in _LISTS:
        return list(value)
    if type(value) in _DICTS or type(value) is MappingProxyType:
        return [*value, *value.values()]
    if isinstance(value, FunctionType):
        named = value.__kwdefaults__ or {}
        own = [each for name, each in vars(value).items() if not _is_dunder(name)]
        wrapped = [vars(value)["__wrapped__"]] if "__wrapped__" in vars(value) else []
        around = [each for _, each in _cells(value)]
        return [*(value.__defaults__ or ()), *named.values(), *own, *wrapped, *around]
    if isinstance(value, type):
        return [each for name, each in vars(value).items() if not _is_dunder(name)]
    return _fields(value)


def _fields(value: Any) -> list[Any]:
    """The attributes of an object, and what it is made of if it is a container itself."""
    values = list(getattr(value, "__dict__", {}).values())
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for slot in [slots] if isinstance(slots, str) else slots:
            if hasattr(value, slot) and slot not in ("__dict__", "__weakref__"):
                values.append(getattr(value, slot))
    if isinstance(value, (list, tuple, set, frozenset)):
        values += list(value)
    if isinstance(value, dict):
        values += [*value, *value.values()]
    return values


def _is_same(one: Any, two: Any) -> bool:
    return one is two or (type(one) is type(two) and type(one) in PLAIN and one == two)
