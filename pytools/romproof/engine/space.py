"""The address space as an engine sees it: memory in pages, and what happens at each address.

Plain memory costs nothing extra. Everything else is asked for by bits in ``actions``, one byte
for each address; an engine that meets one it cares about leaves its fast path and calls back.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from romproof.engine.chips import Chip, fields
from romproof.engine.devices import Clocked, Device, Steady, Watcher

SIZE = 0x10000
PAGE = 0x100
"""Bytes in a page, the unit in which memory can be mapped."""

STOP = 1
"""The run ends when the program counter comes here."""
OUTSIDE = 2
"""No instruction may start here."""
PROTECTED = 4
"""A write is a fault."""
READ_CALL = 8
"""A read is a matter of ``read_call``: a device, a watchpoint."""
WRITE_CALL = 16
UNINITIALISED = 32
"""Nothing was written here yet; the first write clears the bit."""
CODE = 64
"""A translation of the code depends on this byte: a write makes it invalid."""
ENTRY = 128
"""Translated code begins here: the interpreter hands over."""

ON_FETCH = STOP | OUTSIDE | ENTRY
ON_READ = READ_CALL | UNINITIALISED
ON_WRITE = PROTECTED | WRITE_CALL | UNINITIALISED | CODE

_ASKED = bytes(action | READ_CALL | WRITE_CALL for action in range(0x100))
_THROUGH = bytes(action & ~(READ_CALL | WRITE_CALL) for action in range(0x100))

DMA = ("", "OAM DMA", "DMC DMA", "VRAM DMA")
"""What takes cycles from the CPU, see ``AddressSpace.steal``: compiled code says it by number."""

NEVER = (1 << 63) - 1
"""The cycle of what does not come: the greatest number that a field of a chip can have."""

_MAX_NUMBERED = 0xFE
_UNNUMBERED = 0xFF
"""In ``owners``: one of the devices that came when all numbers were given."""


@fields()
class Signals(Chip):
    """The interrupt lines, to be set at any time: by the caller, or by devices.

    6502: ``irq_from`` is the cycle from which IRQ is held low, NEVER when it is not; ``nmi_at``
    that in which NMI fell, NEVER when the CPU has seen to it. SM83: ``enabled`` and
    ``requested`` are IE and IF; the CPU clears a bit of ``requested`` when it serves it.
    """

    irq_from: int
    nmi_at: int
    enabled: int
    requested: int
    late: int
    late_until: int
    """SM83: requests that came too late for a CPU that is halted to see them before a cycle."""
    horizon: int
    """The cycle of the devices' next event."""

    def __init__(self) -> None:
        self.irq_from = self.nmi_at = self.horizon = NEVER

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signals) and bytes(self) == bytes(other)

    __hash__ = None  # type: ignore[assignment]  # they change

    def request(self, lines: int, cycle: int, late: bool) -> None:
        """SM83: ask for interrupts, so that an access in ``cycle`` is the first to see it.

        ``late``: it was in the second half of the cycle before. A CPU that runs looks at the
        lines when a cycle ends, a halted one in the middle of it.
        """
        lines = int(lines)  # members of a Flag are slow
        self.requested |= lines
        if late:
            self.late = lines | (self.late if self.late_until > cycle else 0)
            self.late_until = cycle + 1

    def find_wake_cause(self, cycle: int) -> int:
        """SM83: what ends ``halt`` in a cycle: what is enabled and was requested in time."""
        late = self.late if cycle < self.late_until else 0
        return self.enabled & self.requested & ~late & 0x1F

    def quiet_until(self, horizon: int) -> int:
        """No line can be active before this cycle when no device acts before ``horizon``."""
        if self.enabled & self.requested:
            return 0
        irq = self.irq_from + 1 if self.irq_from != NEVER else NEVER
        nmi = self.nmi_at + 1 if self.nmi_at != NEVER else NEVER
        return min(horizon, irq, nmi)

    def acknowledge(self, line: str, value: int) -> None:
        """The CPU is serving what was asked for on a line of its microcode: ``nmi``, or, on
        ``interrupt``, the requests whose bits ``value`` has."""
        if line == "nmi":
            self.nmi_at = NEVER
        else:
            self.requested &= ~value


class AddressSpace:
    """What is at each of the 65,536 addresses.

    ``store`` holds all memory, that of banks not in sight too. Page n of the CPU's memory
    (256 bytes) is read at ``read_pages[n]`` in it and written at ``write_pages[n]``.
    """

    def __init__(self, store: bytearray | None = None) -> None:
        self.store = bytearray(SIZE) if store is None else store
        self.flat = store is None
        """All pages are at their own addresses and stay there."""
        self.fixed = self.flat
        """All pages stay where they are: what is at an address is changed by writes only."""
        self.read_pages = array("I", range(0, SIZE, PAGE))
        self.write_pages = array("I", range(0, SIZE, PAGE))
        self.windows: Sequence[range] | None = None
        """Pages of ROM, in parts that are switched as a whole, each of which shows one piece of the
        store, that no page is written to. Only devices switch them, when they are written to.
        None: there are no such parts."""
        self.rom_end: int | None = None
        """Where ROM ends in the store, if a window may also show RAM that lies behind it."""
        self.actions = bytearray(SIZE)
        self.varying: list[tuple[int, int]] = []
        """Addresses, from the first to the last, whose READ_CALL and WRITE_CALL come and go while
        the program runs."""
        self.version = 0
        """Changes whenever more is asked for in ``actions``."""
        self.signals = Signals()
        self.clocked: list[Clocked] = []
        self.interrupts = False
        """Whether the CPU looks at ``signals`` at all."""
        self.special_reads = self.special_writes = False
        """Whether any address has a bit of ON_READ or ON_WRITE, PROTECTED not counted."""
        self.steals = False
        """Whether devices may take cycles from the CPU; to be set before the first run."""
        self.stolen = 0
        """Cycles that devices have taken and that no engine has counted yet."""
        self.on_steal: Callable[[int, int, str], None] | None = None
        """Is told of cycles that a device takes: of the cycle in which it does, how many, what."""
        self.steady: dict[int, Steady] = {}
        """Devices, by address, at which a program may wait for something to change."""
        self._devices: list[tuple[int, int, Device, int]] = []
        """The last one that was attached first; with the bits of ``actions`` that ask it."""
        self.owners = bytearray(SIZE)
        """Which of ``numbered`` is at an address, counted from 1; 0 for none."""
        self.numbered: list[Device] = []
        self._watcher: Watcher | None = None
        self._for_watcher = 0
        self._wanted = b""

    def attach(
        self, first: int, last: int, device: Device, bits: int = READ_CALL | WRITE_CALL
    ) -> None:
        """Put a device at the addresses ``first`` to ``last``; a later one hides earlier ones.

        ``bits`` are those of READ_CALL and WRITE_CALL for which it is asked: reads of memory that
        has only something to say of writes are as fast as any.

        Raises ValueError when the addresses are not within 0..$FFFF.
        """
        if not 0 <= first <= last < SIZE:
            raise ValueError(f"a device at ${first:04X} to ${last:04X}: not within $0000 to $FFFF")
        self._devices.insert(0, (first, last, device, bits))
        self._set_owner(first, last, device)
        self.mark(first, last, bits)
        for address in [a for a in self.steady if first <= a <= last]:
            del self.steady[address]  # the device that is hidden is not asked

    def detach(self, device: Device) -> None:
        """Take a device away from all its addresses: those that it hid are there again."""
        watcher, wanted = self._watcher, self._wanted
        self.unwatch()
        for first, last, other, _ in self._devices:
            if other is device:
                part = slice(first, last + 1)
                self.actions[part] = self.actions[part].translate(_THROUGH)
        self._devices = [entry for entry in self._devices if entry[2] is not device]
        self.owners[:] = bytes(SIZE)
        for first, last, other, bits in reversed(self._devices):
            self._set_owner(first, last, other)
            self.mark(first, last, bits)
        if watcher is not None:
            self.watch(wanted, watcher)

    def has(self, device: Device) -> bool:
        """Whether a device is attached."""
        return any(entry[2] is device for entry in self._devices)

    def attach_clock(self, clocked: Clocked) -> None:
        """Tell ``clocked`` when its time has come. Interrupts are checked from now on."""
        self.clocked.append(clocked)
        self.interrupts = True
        self.horizon = self._due()

    def use_signals(self) -> Signals:
        """The interrupt lines; the CPU looks at them from now on."""
        self.interrupts = True
        return self.signals

    def steal(self, cycles: int, cycle: int = NEVER, what: str = "") -> None:
        """Stop the CPU for so many cycles: DMA has the bus, ``what`` of DMA it is, in ``cycle``.

        To be called by a device while it is accessed or its clock advances. The cycles pass at
        once: after that access, or, when its clock advances, before the last cycle of the
        instruction. They count as the instruction's.
        """
        self.stolen += cycles
        if self.on_steal is not None and cycle != NEVER:
            self.on_steal(cycle, cycles, what)

    def take_stolen(self) -> int:
        """The cycles that were taken since this was last asked; for engines."""
        stolen, self.stolen = self.stolen, 0
        return stolen

    def mark(self, first: int, last: int, bits: int) -> None:
        """Set bits of ``actions`` from ``first`` to ``last``."""
        part = slice(first, last + 1)
        self.actions[part] = self.actions[part].translate(bytes(a | bits for a in range(0x100)))
        self.version += 1
        self.special_reads |= bool(bits & ON_READ)
        self.special_writes |= bool(bits & ON_WRITE & ~PROTECTED)

    def let_through(self, first: int, last: int, through: bool) -> bool:
        """Whether accesses from ``first`` to ``last`` now go to memory without asking the device
        that is attached there; they do not while somebody watches.

        A device that has nothing to say for a while makes them as fast as any by this, and has to
        take it back in time. ``restore`` of a board takes it back as well.
        """
        if (first, last) not in self.varying:
            self.varying.append((first, last))
            self.version += 1
        through = through and self._watcher is None
        part = slice(first, last + 1)
        self.actions[part] = self.actions[part].translate(_THROUGH if through else _ASKED)
        return through

    def watch(self, bits: bytes, watcher: Watcher) -> None:
        """Set ``bits`` (one byte for each address) in ``actions``; what they ask for goes to
        ``watcher``, which takes the place of the one before."""
        self.unwatch()
        before, wanted = _number(self.actions), _number(bits)
        self._watcher, self._for_watcher, self._wanted = watcher, wanted & ~before, bits
        self._set(before | wanted)

    def unwatch(self) -> None:
        """Ask for no more than before ``watch``."""
        if self._watcher is None:
            return
        self._watcher = None
        self._set(_number(self.actions) & ~self._for_watcher)
        for first, last, _, bits in self._devices:  # one may have come in the meantime
            self.mark(first, last, bits)

    def _set(self, actions: int) -> None:
        self.actions[:] = actions.to_bytes(SIZE, "little")
        self.version += 1
        there = set(self.actions)
        self.special_reads = any(action & ON_READ for action in there)
        self.special_writes = any(action & (WRITE_CALL | UNINITIALISED) for action in there)

    def read_call(self, address: int, cycle: int, dummy: bool) -> int:
        """A read at an address with a bit of ON_READ: what the CPU gets."""
        actions = self.actions[address]
        device = self._device_at(address) if actions & READ_CALL else None
        if device is None:
            value = self.peek(address)
        else:
            value = device.read(address, cycle) & 0xFF
            self.horizon = self._due()
        watcher = self._watcher
        if dummy or watcher is None:
            return value
        if actions & UNINITIALISED:
            self.actions[address] &= ~UNINITIALISED  # once is enough
            if device is None:
                watcher.on_uninitialised(address, value, cycle)
        if actions & READ_CALL:
            watcher.on_access(address, value, cycle, is_write=False)
        return value

    def write_call(self, address: int, value: int, cycle: int, dummy: bool = False) -> bool:
        """A write at an address with a bit of ON_WRITE; False when it is a fault.

        A dummy write is none: it writes back what was there, and the one that follows counts.
        """
        actions = self.actions[address]
        if actions & PROTECTED:
            return dummy
        watcher = self._watcher if actions & WRITE_CALL else None
        if watcher is not None and watcher.forbids(address, value, cycle, dummy):
            return True
        if actions & UNINITIALISED:
            self.actions[address] &= ~UNINITIALISED
        device = self._device_at(address) if actions & WRITE_CALL else None
        if device is None:
            self.store[self.write_pages[address >> 8] + (address & 0xFF)] = value
        else:
            device.write(address, value, cycle)
            self.horizon = self._due()
        if watcher is not None and not dummy:
            watcher.on_access(address, value, cycle, is_write=True)
        return True

    def peek(self, address: int) -> int:
        """The byte in memory, without asking a device."""
        return self.store[self.read_pages[address >> 8] + (address & 0xFF)]

    def read_all(self) -> bytes | bytearray:
        """All memory as the CPU reads it, one byte for each address; not to be changed."""
        if self.flat:
            return self.store
        return self._copy(_find_pieces(self.read_pages.tobytes()))

    def read_once(self) -> bytes:
        """As ``read_all``, but of RAM that repeats each byte at its first address only; 0 at the
        others. A page that is written elsewhere than it is read is no repetition."""
        if self.flat:
            return bytes(self.store)
        return self._copy(_find_pieces(self.read_pages.tobytes(), self.write_pages.tobytes()))

    def _copy(self, pieces: Iterable[slice | int]) -> bytes:
        store = memoryview(self.store)
        parts = [store[piece] if isinstance(piece, slice) else bytes(piece) for piece in pieces]
        return b"".join(parts)

    def find_write_addresses(self, addresses: Iterable[int]) -> list[int]:
        """The addresses at which a write changes what is read at one of ``addresses``."""
        if self.flat:
            return list(addresses)
        pages = defaultdict[int, list[int]](list)
        for page, start in enumerate(self.write_pages):
            pages[start].append(page * PAGE)
        return [
            page + address % PAGE
            for address in addresses
            for page in pages[self.read_pages[address // PAGE]]
        ]

    def advance(self, cycle: int) -> None:
        """Tell the devices that ``cycle`` cycles have passed; sets ``horizon`` anew."""
        for clocked in self.clocked:
            if clocked.due() <= cycle:
                clocked.advance(cycle)
        self.horizon = self._due()

    def _set_owner(self, first: int, last: int, device: Device) -> None:
        """Note whose the addresses are from now on."""
        numbers = (n for n, known in enumerate(self.numbered, 1) if known is device)
        number = next(numbers, 0)
        if not number and len(self.numbered) < _MAX_NUMBERED:
            self.numbered.append(device)
            number = len(self.numbered)
        self.owners[first : last + 1] = bytes([number or _UNNUMBERED]) * (last + 1 - first)

    def _device_at(self, address: int) -> Device | None:
        number = self.owners[address]
        if number != _UNNUMBERED:
            return self.numbered[number - 1] if number else None
        for first, last, device, _ in self._devices:
            if first <= address <= last:
                return device
        return None

    @property
    def horizon(self) -> int:
        """The cycle of the devices' next event."""
        return self.signals.horizon

    @horizon.setter
    def horizon(self, cycle: int) -> None:
        self.signals.horizon = cycle

    @property
    def is_watched(self) -> bool:
        """Whether somebody watches, see ``watch``."""
        return self._watcher is not None

    def python_due(self) -> int:
        """The cycle of the next event of devices that are no chips."""
        return min((c.due() for c in self.clocked if not isinstance(c, Chip)), default=NEVER)

    @property
    def has_chips(self) -> bool:
        """Whether any device is a chip."""
        return bool(self.numbered) and any(isinstance(each, Chip) for each in self.numbered)

    def _due(self) -> int:
        first = NEVER
        for clocked in self.clocked:
            due = clocked.due()
            if due < first:
                first = due
        return first


# Few pages begin elsewhere than where the one before ends, and a program shows the same ones again
# and again: to find the pieces takes longer than to copy them.


@lru_cache(maxsize=256)
def _find_pieces(reads: bytes, writes: bytes = b"") -> tuple[slice | int, ...]:
    """The pieces of the store that pages show which are read there; the bytes of an array of them.

    With ``writes``, in the same form, pages that repeat a lower one are numbers: of how many
    bytes. One that is written elsewhere than it is read repeats nothing.
    """
    pieces: list[slice | int] = []
    seen: set[int] = set()
    written = array("I", writes or reads)
    for start, same in zip(array("I", reads), written, strict=True):
        last = pieces[-1] if pieces else None
        if writes and start == same and start in seen:
            pieces.append(PAGE)
        elif isinstance(last, slice) and last.stop == start:
            pieces[-1] = slice(last.start, start + PAGE)
        else:
            pieces.append(slice(start, start + PAGE))
        seen.add(start)
    return tuple(pieces)


def _number(actions: bytes | bytearray) -> int:
    """One byte for each address as one number: all are combined at once."""
    return int.from_bytes(actions, "little")
