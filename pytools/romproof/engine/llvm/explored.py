"""Where compiled code notes what was executed: by address, or by place in the store."""

from __future__ import annotations

from typing import Any

from romproof.engine.llvm.frame import I8, I16, I64, Frame


def explored_cell(frame: Frame, address: Any, banked: bool) -> Any:
    """Where it is noted what was executed at an address."""
    b = frame.builder
    place = place_of(frame, address) if banked else b.zext(address, I64)
    return b.gep(frame.pointer("explored"), [place])


def note_place(frame: Frame, address: Any) -> None:
    """Note in which page of the CPU's memory a page of the store is executed."""
    b = frame.builder
    page = b.lshr(place_of(frame, address), I64(8))
    high = b.trunc(b.lshr(address, I16(8)), I8)
    b.store(high, b.gep(frame.pointer("where"), [page]))


def place_of(frame: Frame, address: Any) -> Any:
    """The place in the store that is read at an address."""
    b = frame.builder
    wide = b.zext(address, I64)
    page = b.gep(frame.pointer("read_pages"), [b.lshr(wide, I64(8))])
    return b.add(b.zext(b.load(page), I64), b.and_(wide, I64(0xFF)))
