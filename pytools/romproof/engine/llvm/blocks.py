"""Blocks of memory that compiled code fills with Records, and what is read from them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from romproof.engine.executed import RECORD
from romproof.engine.instruments import Raw
from romproof.engine.llvm.frame import I16, I64, Frame
from romproof.engine.llvm.state import TraceRecord

LEAST_RECORDS = 16_384
"""Records in a block; so many instructions can be executed until Python has to look at it."""

assert RECORD.size == ctypes.sizeof(TraceRecord)


class RecordBlock:
    """Records, the last ``retained`` of which stay when the block is full.

    ``start``, ``end`` and ``limit`` are addresses: of the first record, where the next one
    goes, and where the block is full. Compiled code moves ``end``.
    """

    def __init__(self, retained: int = 0) -> None:
        size = RECORD.size
        self._data = bytearray(size * (2 * retained + LEAST_RECORDS))
        self._retained = retained * size
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self._data))
        self.end = self._reported = self.start
        self.limit = self.start + len(self._data)

    def __iter__(self) -> Iterator[Raw]:
        """The last ``retained`` records."""
        first = max(self.start, self.end - self._retained)
        return RECORD.iter_unpack(self._part(first, self.end))

    def mark_reported(self) -> None:
        """What is there now is not fresh."""
        self._reported = self.end

    def fresh(self) -> memoryview:
        """The records that came since ``mark_reported`` or since the last time."""
        records = self._part(self._reported, self.end)
        self._reported = self.end
        return records

    def make_room(self) -> None:
        """Forget all but the last ``retained`` records when there is no more room."""
        if self.end >= self.limit or not self._retained:
            used = self.end - self.start
            self._data[: self._retained] = self._data[max(0, used - self._retained) : used]
            self.end = self._reported = self.start + min(self._retained, used)

    def _part(self, first: int, last: int) -> memoryview:
        return memoryview(self._data)[first - self.start : last - self.start]


def append_record(frame: Frame, where: str, number: Any, start: Any) -> None:
    """Emit what appends the record of an instruction to a block: ``records`` or ``calls``."""
    b = frame.builder
    at = frame.load(where)
    stack = frame.get(frame.cpu.stack)
    if stack.type != I16:
        stack = b.zext(stack, I16)
    values: Sequence[tuple[str, Any]] = (
        ("cycle", frame.get("cycles")),
        ("pc", start),
        ("next_pc", frame.get("pc")),
        ("stack", stack),
        ("number", number),
    )
    for name, value in values:
        place = b.add(at, I64(getattr(TraceRecord, name).offset))
        b.store(value, b.inttoptr(place, value.type.as_pointer()))
    frame.store(where, b.add(at, I64(ctypes.sizeof(TraceRecord))))
