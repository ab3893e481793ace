"""Assertions that are left to the linker."""

from __future__ import annotations

from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.model import Expression, PendingPatch
from romproof.toolchains.rgbds.asm.nodes import Nodes
from romproof.toolchains.rgbds.asm.position import Position
from romproof.toolchains.rgbds.obj.model import AssertionKind, PatchKind


class Assertions:
    """The conditions, as patches of no bytes, with their kinds and messages."""

    def __init__(self, contexts: Contexts, nodes: Nodes, position: Position) -> None:
        self.all: list[tuple[PendingPatch, AssertionKind, str]] = []
        self._contexts = contexts
        self._nodes = nodes
        self._position = position

    def add(self, kind: AssertionKind, condition: Expression, message: str) -> None:
        """Leave an assertion, made here, to the linker."""
        place, position = self._contexts.place(), self._position
        self._nodes.register(place.node)
        self._nodes.number_symbols(condition)
        pending = PendingPatch(
            place,
            position.output_offset,
            position.current,
            position.offset,
            PatchKind.BYTE,
            condition,
        )
        self.all.append((pending, kind, message))
