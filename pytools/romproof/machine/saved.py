"""The state of devices, taken out and put back, into another machine of the same kind as well.

Devices refer to each other, to the address space and to the engine. Those are shared: only what
is a device's own is copied; what it refers to is noted as a place in the list of all of them, and
becomes what has this place in the machine it is put back into.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from functools import cache
from typing import Any


def copied(devices: Sequence[object], shared: Iterable[object] = ()) -> list[dict[str, Any]]:
    """The attributes of each of ``devices``, without the objects themselves and ``shared``."""
    memo = {id(there): _place(i) for i, there in enumerate((*devices, *shared))}
    return [{name: deepcopy(value, memo) for name, value in _own(d).items()} for d in devices]


def put_back(
    devices: Sequence[object], saved: Sequence[dict[str, Any]], shared: Iterable[object] = ()
) -> None:
    """Give ``devices`` the attributes that ``copied`` gave of them; ``saved`` stays as it is.

    ``devices`` and ``shared`` are those that ``copied`` was given, or those of another machine
    in the same order.
    """
    memo = {id(_place(i)): there for i, there in enumerate((*devices, *shared))}
    for device, attributes in zip(devices, saved, strict=True):
        for name, value in attributes.items():
            setattr(device, name, deepcopy(value, memo))


class _Place:
    """Stands for an object that is not copied."""


@cache
def _place(index: int) -> Any:
    """The one that stands for the object at an index: always the same."""
    return _Place()


def _own(device: object) -> dict[str, Any]:
    """The attributes of an object, with or without slots."""
    names = [name for kind in type(device).__mro__ for name in getattr(kind, "__slots__", ())]
    slots = {name: getattr(device, name) for name in names if hasattr(device, name)}
    return slots | vars(device) if hasattr(device, "__dict__") else slots
