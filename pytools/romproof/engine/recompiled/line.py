"""A straight line of translated instructions."""

from __future__ import annotations

from typing import Any

from romproof.engine.llvm.frame import I64, Frame


class LineBuilder:
    """A straight line of instructions under construction.

    What registers hold is known here; they are written to the local variables where the line
    ends or is left. ``cycles`` and ``instructions`` are those of the line so far, ``more`` are
    cycles that depend on conditions.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._registers: dict[str, Any] = {}
        self._changed: set[str] = set()
        self.cycles = self.instructions = 0
        self.more: Any = None
        self._read = self._set = 0

    def note(self, read: int, written: int) -> None:
        """An instruction reads and sets registers: see engine/probe.py."""
        self._read |= read & ~self._set
        self._set |= written

    def get(self, name: str) -> Any:
        """What a register holds now."""
        if name not in self._registers:
            self._registers[name] = self._frame.get(name)
        return self._registers[name]

    def set(self, name: str, value: Any) -> None:
        """Change a register."""
        self._registers[name] = value
        self._changed.add(name)

    def flush(self) -> None:
        """Write everything to the local variables, at the builder's position."""
        b, frame = self._frame.builder, self._frame
        for name in sorted(self._changed):
            frame.set(name, self._registers[name])
        cycles = b.add(frame.get("cycles"), I64(self.cycles))
        frame.set("cycles", cycles if self.more is None else b.add(cycles, self.more))
        frame.set("instructions", b.add(frame.get("instructions"), I64(self.instructions)))
        if self._read | self._set:
            earlier = frame.get("set_registers")
            first = b.and_(I64(self._read), b.not_(earlier))
            frame.set("read_first", b.or_(frame.get("read_first"), first))
            frame.set("set_registers", b.or_(earlier, I64(self._set)))
