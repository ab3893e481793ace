"""The memory of a board by symbols and addresses, in whatever bank they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from romproof.harness.state.values import BadValue, Target
from romproof.machine.board import Board, BoardError, InBank
from romproof.machine.memory import SIZE, part_in_memory
from romproof.program.image import Image


class BoardMemory:
    """Reads and writes on a board, and what the image says of the banks in sight."""

    def __init__(self, board: Board, image: Image) -> None:
        self._board = board
        self._image = image
        self._views: dict[tuple[int, ...], Image] = {}
        self._areas = {segment.name: segment.area for segment in image.segments}
        alone = board.space.flat and not (board.left_out or board.windows)
        self.plain: bytearray | None = board.space.store if alone else None
        """All memory where each address has one byte, and each symbol is in sight; else None."""

    @property
    def loaded(self) -> Image:
        """The image without what other banks have where these are in sight."""
        if self.plain is not None:
            return self._image
        banks = self._board.banks()
        if banks not in self._views:
            hidden = {*self._board.left_out}
            for window, bank in zip(self._board.windows, banks, strict=True):
                own = (f"{window.kind}[{bank}]", *([window.kind] if bank == window.first else []))
                for area in self._image.areas:
                    of_window = area.start in window.addresses and _kind(area.name) == window.kind
                    if of_window and area.name not in own:
                        hidden.add(area.name)
            self._views[banks] = part_in_memory(self._image, hidden)
        return self._views[banks]

    def home(self, target: Target, address: int) -> InBank | None:
        """The bank that a symbol is in; None where it is in sight in any case.

        Raises BadValue for a symbol whose area is not in the machine: another is there.
        """
        if not self._board.left_out and not self._board.windows:
            return None
        area = self._area(target)
        if area in self._board.left_out:
            raise BadValue(
                f"'{target}' is in area '{area}', which is not loaded; "
                f'load it with the key banks = ["{area}"], in Python banks=["{area}"]'
            )
        for index, window in enumerate(self._board.windows):
            if address in window.addresses and _kind(area) == window.kind:
                number = area.partition("[")[2].rstrip("]")
                return InBank(index, int(number) if number else window.first)
        return None

    def show(self, target: Target, address: int, bank: int | None) -> None:
        """Bring the bank of a place in sight: ``bank``, or that of the symbol.

        Raises BoardError when there is no such bank, BadValue when there are no banks at all.
        """
        home = self.home(target, address)
        if bank is None:
            if home is not None and not home.is_shown(self._board):
                self._board.select(home.window, home.bank)
            return
        windows = [i for i, w in enumerate(self._board.windows) if address in w.addresses]
        if not windows:
            raise BadValue(f"bank={bank}: there are no banks at ${address:04X} on this machine")
        self._board.select(windows[0], bank)

    def read(self, target: Target, address: int, count: int) -> bytes:
        """``count`` bytes at a place."""
        space = self._board.space
        if space.flat:
            self.home(target, address)
            return bytes(space.store[address : address + count])
        with self._in_sight(target, address):
            return bytes(self._board.peek(at) for at in range(address, address + count))

    def write(self, target: Target, address: int, data: bytes) -> None:
        """Change memory at a place, read-only memory too."""
        space = self._board.space
        if space.flat and address + len(data) <= SIZE:  # no banks, and no byte at two addresses
            self.home(target, address)
            space.store[address : address + len(data)] = data
            return
        with self._in_sight(target, address):
            for at, byte in enumerate(data, address):
                self._board.poke(at, byte)

    @contextmanager
    def _in_sight(self, target: Target, address: int) -> Iterator[None]:
        """For as long as the block lasts the bank of a symbol is in sight."""
        home = self.home(target, address)
        if home is None or home.is_shown(self._board):
            yield
            return
        window, before = home.window, self._board.banks()[home.window]
        self._board.select(window, home.bank)
        try:
            yield
        finally:
            with suppress(BoardError):  # there may have been none in sight: RAM that was off
                self._board.select(window, before)

    def _area(self, target: Target) -> str:
        """The area of a symbol's segment; empty for an address, a constant and a register."""
        if not isinstance(target, str) or not self._image.has_symbol(target):
            return ""
        segment = self._image.symbol(target).segment
        return "" if segment is None else self._areas[segment]


def _kind(area: str) -> str:
    return area.partition("[")[0]
