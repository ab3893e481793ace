"""Translated code of memory whose banks are switched: a unit for each bank that was executed.

Which bank is in sight changes only when a device is written to, and that the interpreter does. So
while translated code runs nothing moves, and code of one bank may jump within it directly; to
another bank it goes by the driver, which looks up what stands at the place in the store that the
program counter shows. Only ROM is translated: no write changes it, and one bank's code need not
look out for another's. Code in RAM is left to the interpreter.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from romproof.engine.llvm.compile import compile_module
from romproof.engine.llvm.interpreter import FUNCTION
from romproof.engine.llvm.running import buffer_address
from romproof.engine.llvm.weave import Weave
from romproof.engine.recompiled.discover import DiscoveredCode, discover
from romproof.engine.recompiled.region import longest_run
from romproof.engine.recompiled.translate import HEAD, emit_unit
from romproof.engine.space import ENTRY, PAGE, SIZE, AddressSpace
from romproof.isa.cpu import Cpu

MAX_UNITS = 1000
SHELF = 4
"""Variants whose translations stay in memory."""
MAX_CODE = 5_000
"""Instructions of a unit at most: more than that is hardly ever code, and takes minutes."""
_HEADS = re.compile(bytes([HEAD]))

UnitKey = tuple[int, int]
"""A window, and the place in the store that its first page shows."""


@dataclass(slots=True)
class Unit:
    """A translation; ``number`` is 0 while it is not in use. ``places`` are those of its bytes in
    the store, with what they were; ``tried`` are the heads that were asked for, some of which may
    have no instruction."""

    number: int
    address: int
    code: DiscoveredCode
    tried: frozenset[int]
    places: tuple[tuple[int, bytes], ...]
    longest: int
    heads: tuple[tuple[int, int], ...] = field(default=())
    """Address and place of each."""

    def holds(self, store: bytearray) -> bool:
        """Whether the store still has the code that was translated."""
        return all(store[at : at + len(data)] == data for at, data in self.places)


class Units:
    """The units of one engine, for one variant of compiled code, ``weave``, and what was asked
    for at each address, ``assumed``, when they were made.

    ``entries`` has for each place of the store the number of the unit that can be entered there,
    0 for none, and ``functions`` where the functions of units are, by number.
    """

    def __init__(self, cpu: Cpu, space: AddressSpace) -> None:
        self._cpu, self._space = cpu, space
        self.entries = array("H", [0]) * len(space.store)
        self.functions = array("Q", [0]) * MAX_UNITS
        self.explored = bytearray(len(space.store))
        self.where = bytearray(-(-len(space.store) // PAGE))
        """The page of the CPU's memory in which each page of the store was executed last."""
        self.units: dict[UnitKey, Unit] = {}
        self.weave: Weave | None = None
        self.assumed = b""
        self.made = 0
        """How many units were translated."""
        self._shelf: dict[tuple[Weave, bytes], dict[UnitKey, Unit]] = {}
        self._window: list[int | None] = [None] * (SIZE // PAGE)
        self._windows = tuple(space.windows or ())
        for number, pages in enumerate(self._windows):
            for page in pages:
                self._window[page] = number

    @property
    def longest(self) -> int:
        """The most cycles any unit takes without looking at the budget."""
        return max((unit.longest for unit in self.units.values()), default=0)

    def note_head(self, address: int) -> None:
        """Execution may begin at an address, in the bank that is in sight."""
        place = self._space.read_pages[address // PAGE] + address % PAGE
        self.explored[place] |= HEAD
        self.where[place // PAGE] = address // PAGE

    def use(self, weave: Weave, assumed: bytes) -> None:
        """Another variant, or other things are asked for: the translations for that, if there were
        any. A device that is attached for a while, again and again, costs nothing anew."""
        for unit in self.units.values():
            self._leave_out(unit)
        if self.weave is not None:
            self._shelf[self.weave, self.assumed] = self.units
        while len(self._shelf) > SHELF:
            del self._shelf[next(iter(self._shelf))]
        self.weave, self.assumed = weave, assumed
        self.units = self._shelf.pop((weave, assumed), {})
        self.drop_changed()
        for unit in self.units.values():
            self._enter(unit)

    def drop_changed(self) -> bool:
        """Forget the units whose bytes somebody has changed; tells whether there were any."""
        store = self._space.store
        gone = [key for key, unit in self.units.items() if not unit.holds(store)]
        for key in gone:
            self._leave_out(self.units.pop(key))
        return bool(gone)

    def drop_at(self, addresses: Collection[int]) -> None:
        """Forget the units that have an instruction at one of the addresses."""
        for key, unit in list(self.units.items()):
            if not unit.code.placed.keys().isdisjoint(addresses):
                del self.units[key]
                self._leave_out(unit)

    def mark(self) -> None:
        """Ask for what translations need: to be called."""
        actions = self._space.actions
        for unit in self.units.values():
            for address, _ in unit.heads:
                actions[address] |= ENTRY

    def grow(self, allowed: bytes, stops: Collection[int]) -> bool:
        """Translate what was executed since; tells whether there was anything.

        ``allowed`` is nonzero where code may be, ``stops`` are addresses that are left out."""
        heads: dict[UnitKey, set[int]] = defaultdict(set)
        for match in _HEADS.finditer(self.explored):
            place = match.start()
            page = self.where[place // PAGE]
            window = self._window[page]
            if window is None:
                continue
            first = self._windows[window][0]
            base = place // PAGE * PAGE - (page - first) * PAGE
            if self._space.rom_end is not None and place >= self._space.rom_end:
                continue  # RAM
            heads[window, base].add(page * PAGE + place % PAGE)
        grown = False
        for key, wanted in heads.items():
            known = self.units.get(key)
            if known is not None and wanted <= known.tried:
                continue
            if len(self.units) < MAX_UNITS - 2:
                grown |= self._translate(key, frozenset(wanted), allowed, stops)
        return grown

    def _translate(
        self, key: UnitKey, heads: frozenset[int], allowed: bytes, stops: Iterable[int]
    ) -> bool:
        assert self.weave is not None
        space, weave, assumed = self._space, self.weave, self.assumed
        pages = self._pages(key)
        may = bytearray(SIZE)
        memory = bytearray(SIZE)
        for page, place in pages.items():
            start = page * PAGE
            may[start : start + PAGE] = allowed[start : start + PAGE]
            memory[start : start + PAGE] = space.store[place : place + PAGE]
        for address in stops:
            may[address] = 0
        code = discover(self._cpu, bytes(memory), heads, bytes(may), MAX_CODE, loops=True)
        if len(code.placed) > MAX_CODE:
            return False
        addresses = sorted(
            {p.address + i & 0xFFFF for p in code.placed.values() for i in range(p.size)}
        )
        known = self.units.pop(key, None)
        if known is not None:
            self._leave_out(known)
        if not addresses:
            self.units[key] = Unit(0, 0, DiscoveredCode({}, frozenset(), heads), heads, (), 0)
            return False
        data = bytes(memory[a] for a in addresses)
        digest = hashlib.sha256(repr((weave, sorted(code.heads), sorted(code.placed))).encode())
        digest.update(assumed + data)
        address = compile_module(
            digest.hexdigest(), FUNCTION, lambda: emit_unit(weave, code, assumed)
        ).address
        unit = Unit(
            0,
            address,
            code,
            heads,
            tuple(_pieces([pages[a // PAGE] + a % PAGE for a in addresses], data)),
            longest_run(weave, code),
            tuple((a, pages[a // PAGE] + a % PAGE) for a in code.heads),
        )
        self.units[key] = unit
        self._enter(unit)
        self.made += 1
        return True

    def _enter(self, unit: Unit) -> None:
        if not unit.heads:
            return
        unit.number = self.functions.index(0, 1)
        self.functions[unit.number] = unit.address
        for _, place in unit.heads:
            self.entries[place] = unit.number

    def _pages(self, key: UnitKey) -> dict[int, int]:
        """The pages of a unit, with their places."""
        window, base = key
        return {page: base + i * PAGE for i, page in enumerate(self._windows[window])}

    def _leave_out(self, unit: Unit) -> None:
        for _, place in unit.heads:
            if self.entries[place] == unit.number:
                self.entries[place] = 0
        if unit.number:
            self.functions[unit.number] = 0
        unit.number = 0

    @property
    def addresses(self) -> tuple[int, ...]:
        """Where compiled code finds ``entries``, ``functions``, ``explored`` and ``where``."""
        parts = (self.entries, self.functions, self.explored, self.where)
        return tuple(buffer_address(part) for part in parts)


def _pieces(places: list[int], data: bytes) -> Iterable[tuple[int, bytes]]:
    """The bytes at some places, neighbours together."""
    start = 0
    for i in range(1, len(places) + 1):
        if i == len(places) or places[i] != places[i - 1] + 1:
            yield places[start], data[start:i]
            start = i
