"""The contents of memory as terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from romproof.symbolic.execute.blocks import PointerBlock
from romproof.symbolic.execute.layout import MemoryLayout, MemoryObject
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import VariableName, byte_name, marks_name, stack_name
from romproof.symbolic.terms.term import Term

_K = TypeVar("_K")


class Memory:
    """The contents of memory, as far as they were written; all else is as at the start.

    The bytes of an object in ``indexed`` are one array: they may be reached with an index that
    is not known. All other bytes are terms of their own, and so are those of the stack, by their
    offset in the layout's frame. ``unsure`` are bytes about which nothing is known since an
    invariant, and that were not written after that. ``blocks`` are those behind pointers.
    """

    __slots__ = (
        "_arrays", "_bytes", "_marks", "_pending", "_stack", "_stack_when", "_when", "blocks",
        "bounds", "indexed", "layout", "unsure",
    )  # fmt: skip

    def __init__(
        self,
        layout: MemoryLayout,
        indexed: frozenset[MemoryObject] = frozenset(),
        bounds: Mapping[VariableName, tuple[int, int]] | None = None,
    ) -> None:
        self.layout = layout
        self.indexed = indexed
        self.bounds = bounds or {}
        self.unsure: set[int] = set()
        self.blocks: tuple[PointerBlock, ...] = ()
        self._bytes: dict[int, Term] = {}
        self._when: dict[int, Term] = {}
        self._arrays: dict[MemoryObject, Term] = {}
        self._marks: dict[MemoryObject, Term] = {}
        self._pending: dict[MemoryObject, dict[int, Term]] = {}
        self._stack: dict[int, Term] = {}
        self._stack_when: dict[int, Term] = {}

    def copy(self) -> Memory:
        """The same contents, to be changed on their own."""
        other = Memory(self.layout, self.indexed, self.bounds)
        other.unsure = self.unsure.copy()
        other.blocks = self.blocks
        other._bytes = self._bytes.copy()
        other._when = self._when.copy()
        other._arrays = self._arrays.copy()
        other._marks = self._marks.copy()
        other._pending = {key: pending.copy() for key, pending in self._pending.items()}
        other._stack = self._stack.copy()
        other._stack_when = self._stack_when.copy()
        return other

    def start(self, address: int) -> Term:
        """What a byte holds at the start."""
        layout = self.layout
        if layout.is_fixed[address]:
            return t.const(layout.fixed[address], 8)
        holder = layout.object_at(address)
        if holder is not None and holder in self.indexed:
            return t.load(t.array_var(holder.key), t.const(address, 16))
        name = byte_name(address)
        low, high = self.bounds.get(name, (0, 0xFF))
        return t.var(name, 8, low, high) if low <= high else t.var(name, 8)

    def stands(self, which: MemoryObject | None) -> bool:
        """Whether an object stands for a block, and for nothing at its own addresses."""
        return any(block.which == which for block in self.blocks)

    def block_at(self, address: Term) -> PointerBlock | None:
        """The block that an address plainly belongs to."""
        return next((block for block in self.blocks if block.must_cover(address)), None)

    def is_named(self, address: int) -> bool:
        """Whether a byte is a constant, a port or of an object: it belongs to no block then, or is
        one of those that are only read and has its contents here, too."""
        layout = self.layout
        holder = layout.object_at(address)
        named = holder is not None and not self.stands(holder)
        return named or bool(layout.is_fixed[address]) or address in layout.volatile

    def byte(self, address: int) -> Term:
        """What a byte holds now."""
        indexed = self._find_indexed(address)
        if indexed is None:
            value = self._bytes.get(address)
            return self.start(address) if value is None else value
        value = self._pending.get(indexed, {}).get(address)
        if value is None:
            value = t.load(self._flush(indexed), t.const(address, 16))
        return value

    def set_byte(self, address: int, value: Term, when: Term = t.TRUE) -> None:
        """Write a byte, where ``when`` holds."""
        if when is not t.TRUE:
            value = t.ite(when, value, self.byte(address))
        self.replace_byte(address, value, when)

    def replace_byte(self, address: int, value: Term, written: Term = t.FALSE) -> None:
        """Let a byte hold another value, which was ``written`` where that holds; elsewhere it is
        not known where it comes from, and to read it is to read what nobody has written."""
        indexed = self._find_indexed(address)
        if indexed is None:
            _note(self._when, address, t.or_(written, self.written(address)))
            self._bytes[address] = value
            if written is t.TRUE:
                self.unsure.discard(address)
        else:
            self._pending.setdefault(indexed, {})[address] = value
            if written is not t.FALSE:
                self.mark(indexed, t.const(address, 16), written)

    def mark(self, which: MemoryObject, address: Term, when: Term = t.TRUE) -> None:
        """Note that a byte of an array is written, where ``when`` holds."""
        if which in self.layout.marked:
            before = self.marks(which)
            after = t.store(before, address, t.const(1, 8))
            self._marks[which] = t.array_ite(when, after, before)

    def is_marked(self, which: MemoryObject, address: Term) -> Term:
        """One bit: was that byte of an array written since the beginning, or the last cut?"""
        if which not in self.layout.marked:
            return t.TRUE
        return t.eq(t.load(self.marks(which), address), t.const(1, 8))

    def marks(self, which: MemoryObject) -> Term:
        """An array with 1 where an array was written since the beginning, or the last cut. What
        the others are nobody knows: what must be marked has to be written."""
        return self._marks.get(which) or t.array_var(marks_name(which.address, which.size))

    def set_marks(self, which: MemoryObject, marks: Term) -> None:
        """Note what of an array was written, all at once; of one that is not looked at nothing."""
        if which in self.layout.marked:
            self._marks[which] = marks

    def written(self, address: int) -> Term:
        """The condition (one bit) under which a byte was written; of an array always TRUE, as
        nobody knows."""
        indexed = self._find_indexed(address)
        if indexed is not None:
            return t.TRUE
        return self._when.get(address, t.TRUE) if address in self._bytes else t.FALSE

    def pushed(self, offset: int) -> Term:
        """A byte of the stack."""
        value = self._stack.get(offset)
        return t.var(stack_name(offset), 8) if value is None else value

    def was_pushed(self, offset: int) -> Term:
        """The condition (one bit) under which a byte of the stack was written."""
        return self._stack_when.get(offset, t.TRUE) if offset in self._stack else t.FALSE

    def push(self, offset: int, value: Term, when: Term = t.TRUE) -> None:
        """Write a byte of the stack, where ``when`` holds."""
        value = t.ite(when, value, self.pushed(offset))
        _note(self._stack_when, offset, t.or_(when, self.was_pushed(offset)))
        self._stack[offset] = value

    def forget_pushed(self, offset: int, value: Term) -> None:
        """Let a byte of the stack hold a value that the routine must not read: whatever it had
        written there was pulled, and something else may have come in its place."""
        self._stack[offset], self._stack_when[offset] = value, t.FALSE

    def stack(self) -> dict[int, Term]:
        """The bytes of the stack that were written, by their offset."""
        return self._stack

    def array(self, which: MemoryObject) -> Term:
        """The contents of an indexed object."""
        pending = self._pending.pop(which, None)
        array = self._flush(which)
        if pending:
            for address, value in pending.items():
                array = t.store(array, t.const(address, 16), value)
            self._arrays[which] = array
        return array

    def set_array(self, which: MemoryObject, array: Term) -> None:
        """Replace the contents of an indexed object."""
        self._pending.pop(which, None)
        self._arrays[which] = array

    def changed_bytes(self) -> dict[int, Term]:
        """The bytes that were written, but for those of indexed objects and of the stack."""
        return self._bytes

    def changed_arrays(self) -> dict[MemoryObject, Term]:
        """The indexed objects that were written."""
        changed = dict.fromkeys([*self._arrays, *self._pending])
        return {which: self.array(which) for which in changed}

    def merge(self, other: Memory, condition: Term) -> None:
        """Become what this memory is where ``condition`` holds, and else the other."""
        self.unsure |= other.unsure
        for address in _keys(self._bytes, other._bytes):
            mine, theirs = self.byte(address), other.byte(address)
            one, two = self.written(address), other.written(address)
            self._bytes[address] = mine if mine is theirs else t.ite(condition, mine, theirs)
            _note(self._when, address, one if one is two else t.ite(condition, one, two))
        for offset in _keys(self._stack, other._stack):
            mine, theirs = self.pushed(offset), other.pushed(offset)
            one, two = self.was_pushed(offset), other.was_pushed(offset)
            self._stack[offset] = mine if mine is theirs else t.ite(condition, mine, theirs)
            _note(self._stack_when, offset, one if one is two else t.ite(condition, one, two))
        for which in _keys(self._marks, other._marks):
            mine, theirs = self.marks(which), other.marks(which)
            self._marks[which] = t.array_ite(condition, mine, theirs)
        arrays = _keys(self._arrays, self._pending) | _keys(other._arrays, other._pending)
        for which in arrays:
            ones, twos = self._pending.get(which, {}), other._pending.get(which, {})
            if self._flush(which) is other._flush(which):
                for address in _keys(ones, twos):
                    mine, theirs = self.byte(address), other.byte(address)
                    joined = mine if mine is theirs else t.ite(condition, mine, theirs)
                    self._pending.setdefault(which, {})[address] = joined
            else:
                joined = t.array_ite(condition, self.array(which), other.array(which))
                self.set_array(which, joined)

    def _flush(self, which: MemoryObject) -> Term:
        return self._arrays.get(which) or t.array_var(which.key)

    def _find_indexed(self, address: int) -> MemoryObject | None:
        if not self.indexed:
            return None
        holder = self.layout.object_at(address)
        return holder if holder is not None and holder in self.indexed else None


def _note(conditions: dict[int, Term], place: int, written: Term) -> None:
    """Note under which condition something was written, where there is one."""
    if written is t.TRUE:
        conditions.pop(place, None)
    else:
        conditions[place] = written


def _keys(one: Mapping[_K, object], other: Mapping[_K, object]) -> dict[_K, None]:
    """The keys of both, always in the same order."""
    return dict.fromkeys([*one, *other])
