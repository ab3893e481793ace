"""Where executed code stands: an address says so only while it is known which bank is in sight."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from romproof.isa.abi import abi_of
from romproof.isa.codec import decode
from romproof.isa.flow import Flow
from romproof.machine.board import Window
from romproof.machine.memory import SIZE, part_in_memory
from romproof.program.image import Image

BANK = SIZE
"""A location is an address, plus this for each bank."""

PAGE = 256
"""Windows begin and end at multiples of it."""


@dataclass
class CodeLocations:
    """The locations of a program's code; without ``windows``, its addresses.

    ``switch`` says which banks the windows show, always before the instructions that see them;
    -1 for none. Cycles are counted from the first instruction. ``offsets`` has, for each page of
    256 addresses, what its locations have more than their addresses now; ``coming`` are switches
    that ``advance`` has not come to.
    """

    image: Image
    windows: tuple[Window, ...] = ()
    offsets: list[int] = field(default_factory=lambda: [0] * (SIZE // PAGE))
    coming: deque[tuple[int, tuple[int, ...]]] = field(default_factory=deque)
    _shown: tuple[int, ...] = ()
    _views: dict[tuple[Window, int], Image] = field(default_factory=dict)
    _searched: set[tuple[Window | None, int]] = field(default_factory=set)

    def switch(self, cycle: int, banks: Sequence[int]) -> None:
        """From ``cycle`` on the windows show these ``banks``, one for each."""
        self.coming.append((cycle, tuple(banks)))

    def advance(self, cycle: int) -> bool:
        """Let it be ``cycle``; whether other banks are in sight than before."""
        before = self._shown
        while self.coming and self.coming[0][0] < cycle:
            self._shown = self.coming.popleft()[1]
        if self._shown == before:
            return False
        self.offsets[:] = self.offsets_of(self._shown)
        return True

    def offsets_of(self, banks: Sequence[int]) -> list[int]:
        """What ``offsets`` are while the windows show these ``banks``."""
        offsets = [0] * (SIZE // PAGE)
        for window, bank in zip(self.windows, banks, strict=True):
            first, last = window.addresses[0] // PAGE, window.addresses[-1] // PAGE
            offsets[first : last + 1] = [bank * BANK] * (last + 1 - first)
        return offsets

    def image_at(self, location: int) -> Image:
        """The image as it is seen at a location: without what other banks have there."""
        window, bank = self._window(location), location // BANK
        if window is None:
            return self.image
        if (window, bank) not in self._views:
            own = {f"{window.kind}[{bank}]", *([window.kind] if bank == window.first else [])}
            kinds = {area.name: area.name.partition("[")[0] for area in self.image.areas}
            others = [a for a, kind in kinds.items() if kind == window.kind and a not in own]
            self._views[window, bank] = part_in_memory(self.image, others)
        return self._views[window, bank]

    def bank_of(self, location: int) -> int | None:
        """The bank of a location; None where there is but one."""
        return None if self._window(location) is None else location // BANK

    def starts(self) -> set[int]:
        """Where routines begin that are known before execution, in banks now in sight that were
        not when this was asked before."""
        starts: set[int] = set()
        for window, bank in [(None, 0), *zip(self.windows, self._shown, strict=False)]:
            if (window, bank) in self._searched:
                continue
            self._searched.add((window, bank))
            if window is None:
                image, here = self.image, self._find_outside()
            else:
                image, here = self.image_at(window.addresses[0] + bank * BANK), window.addresses
            targets = (self._find_location(at, window, bank) for at in routine_starts(image, here))
            starts |= {at for at in targets if at is not None}
        return starts

    def _find_location(self, target: int, window: Window | None, bank: int) -> int | None:
        """The location that code in a bank means by an address; None where it may be several."""
        there = self._window(target)
        if there is None:
            return target
        if there is window:
            return target + bank * BANK
        only = any(area.name == there.kind for area in self.image.areas)
        return target + there.first * BANK if only else None

    def _window(self, location: int) -> Window | None:
        address = location % BANK
        return next((window for window in self.windows if address in window.addresses), None)

    def _find_outside(self) -> Container[int]:
        """The addresses of no window."""
        return frozenset(range(SIZE)).difference(*(window.addresses for window in self.windows))


def routine_starts(image: Image, within: Container[int] = range(SIZE)) -> set[int]:
    """Where routines begin that are known before execution: those of the image, and targets of
    calls in its code, ``within`` some addresses."""
    cpu = abi_of(image.cpu).cpu
    starts = {routine.address for routine in image.routines if routine.address in within}
    for line in image.lines:
        if not line.is_code or line.address not in within:
            continue
        called = decode(line.data, line.address, cpu)
        if called is not None and called.opcode.flow is Flow.CALL and called.target is not None:
            starts.add(called.target)
    return starts
