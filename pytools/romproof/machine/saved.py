"""The state of devices, taken out and put back, on the same machine or on another of its kind.

Devices refer to each other, to the address space and to the engine. Only what is a device's own
is copied; what it refers to of the others is noted by its number, so that it can be the same part
of another machine.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from romproof.engine.chips import Chip


class SavedPart:
    """Stands for one of the objects that a machine's devices share."""


@dataclass(frozen=True, slots=True)
class SavedChip:
    """The fields of a chip, and its own memory, by name; what else it has stays the same."""

    fields: bytes
    memory: dict[str, bytes]
    kind: type[Chip]


@dataclass(frozen=True, slots=True)
class SavedAttributes:
    """The attributes of a device by name: those whose values never change, and all others."""

    simple: dict[str, Any]
    others: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SavedDevices:
    """The attributes of each device, with ``parts`` in place of what devices share."""

    parts: tuple[SavedPart, ...]
    attributes: tuple[SavedAttributes | SavedChip, ...]


def copy_state(devices: Sequence[object], shared: Iterable[object] = ()) -> SavedDevices:
    """The attributes of each of ``devices``; ``shared`` is what they refer to besides."""
    there = (*devices, *shared)
    parts = tuple(SavedPart() for _ in there)
    memo: dict[int, Any] = {id(one): part for one, part in zip(there, parts, strict=True)}
    rows = (
        SavedChip(
            ctypes.string_at(ctypes.addressof(d), d.saved_size()),
            _memory(d, {id(one) for one in there}),
            type(d),
        )
        if isinstance(d, Chip)
        else _copy_attributes(d, memo)
        for d in devices
    )
    return SavedDevices(parts, tuple(rows))


def put_back(devices: Sequence[object], saved: SavedDevices, shared: Iterable[object] = ()) -> None:
    """Give ``devices`` the attributes that ``copied`` gave of them; ``saved`` stays as it is.

    Devices and ``shared`` are in the order that they had there.
    """
    there = (*devices, *shared)
    memo: dict[int, Any] = {id(part): one for one, part in zip(there, saved.parts, strict=True)}
    for device, attributes in zip(devices, saved.attributes, strict=True):
        if isinstance(attributes, SavedChip):
            assert isinstance(device, Chip)
            saved_fields = attributes.fields
            ctypes.memmove(ctypes.addressof(device), saved_fields, len(saved_fields))
            for name, data in attributes.memory.items():
                getattr(device, name)[:] = data
            continue
        for name, value in attributes.simple.items():
            setattr(device, name, value)
        for name, value in attributes.others.items():
            setattr(device, name, _copy(value, memo))


_UNCHANGING = frozenset((int, bool, float, str, bytes, type(None)))


def _copy_attributes(device: object, memo: dict[int, Any]) -> SavedAttributes:
    simple: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, value in _read_attributes(device).items():
        if type(value) in _UNCHANGING:
            simple[name] = value
        else:
            others[name] = _copy(value, memo)
    return SavedAttributes(simple, others)


def _copy(value: Any, memo: dict[int, Any]) -> Any:
    """``deepcopy``, with a shortcut for what most attributes are."""
    kind = type(value)
    if kind in _UNCHANGING:
        return value
    known = memo.get(id(value))
    if known is not None:
        return known
    if kind is bytearray:  # two devices may share it
        memo[id(value)] = copy = bytearray(value)
        return copy
    return deepcopy(value, memo)


def _memory(chip: Chip, shared: Collection[int]) -> dict[str, bytes]:
    """The bytearrays of a chip that are its own; ``shared`` has the numbers of others."""
    return {
        name: bytes(value)
        for name, value in vars(chip).items()
        if isinstance(value, bytearray) and id(value) not in shared
    }


def _read_attributes(device: object) -> dict[str, Any]:
    """The attributes of an object, with or without slots."""
    names = [name for kind in type(device).__mro__ for name in getattr(kind, "__slots__", ())]
    slots = {name: getattr(device, name) for name in names if hasattr(device, name)}
    return slots | vars(device) if hasattr(device, "__dict__") else slots
