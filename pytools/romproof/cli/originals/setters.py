"""What options do to the settings of a command: the setters that its table of options names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

Setter = Callable[[Any, str, str], Any]
"""What an option does: settings, how messages call the option, its argument -> new settings.

Raises BadCommandLine when the argument is wrong.
"""
Converter = Callable[[str, str], Any]
"""A value from how messages call an option, and its argument. Raises BadCommandLine."""


def text(_: str, argument: str) -> str:
    """The argument as it is: a Converter."""
    return argument


def put(field: str, convert: Converter = text) -> Setter:
    """Set ``field``; the last time counts."""
    return lambda settings, name, argument: replace(settings, **{field: convert(name, argument)})


def append(field: str, convert: Converter = text) -> Setter:
    """Add to the end of ``field``, a tuple."""

    def setter(settings: Any, name: str, argument: str) -> Any:
        return replace(settings, **{field: (*getattr(settings, field), convert(name, argument))})

    return setter


def switch(*fields: str, to: object = True) -> Setter:
    """Set all of ``fields`` to ``to``."""
    values = dict.fromkeys(fields, to)
    return lambda settings, *_: replace(settings, **values)


def ignore(settings: Any, *_: str) -> Any:
    """Change nothing: the setter of what is known and has no use here."""
    return settings
