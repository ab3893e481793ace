"""The sizes in which the machine code can be had: the same routines, quick or small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Variant:
    """``name`` is what command lines call it, ``define`` what TAROT_VARIANT is when assembling."""

    name: str
    define: int


SMALL = Variant("small", 0)
BALANCED = Variant("balanced", 1)
FAST = Variant("fast", 2)

VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {variant.name: variant for variant in (SMALL, BALANCED, FAST)}
)
"""By name, the smallest first."""

DEFAULT_VARIANT = BALANCED
"""What the ROMs are built with."""
