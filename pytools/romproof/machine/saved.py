"""The state of devices, taken out and put back.

Devices refer to each other, to the address space and to the engine. Those are shared: only what
is a device's own is copied, and what it refers to stays the very object it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any


def copied(devices: Sequence[object], shared: Iterable[object] = ()) -> list[dict[str, Any]]:
    """The attributes of each of ``devices``; references among them and to ``shared`` are kept."""
    memo = {id(there): there for there in (*devices, *shared)}
    return [{name: deepcopy(value, memo) for name, value in _own(d).items()} for d in devices]


def put_back(
    devices: Sequence[object], saved: Sequence[dict[str, Any]], shared: Iterable[object] = ()
) -> None:
    """Give ``devices`` the attributes that ``copied`` gave of them; ``saved`` stays as it is."""
    memo = {id(there): there for there in (*devices, *shared)}
    for device, attributes in zip(devices, saved, strict=True):
        for name, value in attributes.items():
            setattr(device, name, deepcopy(value, memo))


def _own(device: object) -> dict[str, Any]:
    """The attributes of an object, with or without slots."""
    names = [name for kind in type(device).__mro__ for name in getattr(kind, "__slots__", ())]
    slots = {name: getattr(device, name) for name in names if hasattr(device, name)}
    return slots | vars(device) if hasattr(device, "__dict__") else slots
