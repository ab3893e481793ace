"""What an object has for the linker that an object for a file alone has not: see object.py."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.program.address_size import AddressSize
from romproof.text.span import Span
from romproof.toolchains.ca65.obj.expr import Expr


@dataclass(frozen=True)
class Import:
    """A symbol this object needs from another. ``forced``: even if unused."""

    name: str
    address_size: AddressSize
    forced: bool
    span: Span


@dataclass(frozen=True)
class Export:
    """A symbol this object offers to others.

    ``condes`` holds (table type, priority) pairs of .constructor and its kin.
    """

    name: str
    expr: Expr
    address_size: AddressSize
    span: Span
    condes: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """A symbol for people and tools: every one the source defines.

    ``name`` is qualified: ``scope::name``, and ``name@local`` for cheap locals.
    ``size`` counts the bytes that belong to it, None when not known.
    """

    name: str
    expr: Expr
    address_size: AddressSize
    is_label: bool
    exported: bool
    size: int | None
    span: Span


@dataclass(frozen=True)
class PlacedScope:
    """A ``.proc``: ``size`` bytes from ``offset`` of section number ``section``."""

    name: str
    section: int
    offset: int
    size: int
    span: Span
