"""Models of ``bump`` (sum + 1, modulo 256) that are wrong for some input, and look right where
numbers are symbolic: each by another way to tell the two apart.

The models themselves stand in the modules ``channels_…``; ``every()`` has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

Model = Callable[..., Any]

_MODELS: dict[str, Model] = {}
_MODULES = ("channels_kinds", "channels_numbers", "channels_errors", "channels_state")


def false(model: Model) -> Model:
    """A model that is wrong for some input."""
    return named(model.__name__, model)


def named(name: str, model: Model) -> Model:
    """The same for one that has no name of its own."""
    assert name not in _MODELS, "two models have one name"
    _MODELS[name] = model
    return model


def right(sum: Any) -> Any:
    return sum + 1 & 0xFF


def wrong_if(found: Any, sum: Any) -> Any:
    return 0 if found else right(sum)


def every() -> Mapping[str, Model]:
    """All of them, by name."""
    for module in _MODULES:
        import_module(module)
    return _MODELS
