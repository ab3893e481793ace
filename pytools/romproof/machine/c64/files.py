"""Files of the KERNAL: what is open, and a drive whose disk is a dictionary."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field

from romproof.machine.c64.petscii import RETURN, from_text, to_text

KEYBOARD, SCREEN, DRIVE = 0, 3, 8
PRESENT = frozenset({KEYBOARD, SCREEN, DRIVE})
"""The devices that are there."""
MAX_FILES = 10
COMMAND_CHANNEL = 15

TOO_MANY, FILE_OPEN, NOT_OPEN, NOT_FOUND, NOT_PRESENT = 1, 2, 3, 4, 5
NOT_OUTPUT, NO_NAME, ILLEGAL_DEVICE = 7, 8, 9
"""What the KERNAL's calls return in A with carry set (Programmer's Reference Guide, "Error
codes")."""
END, TIMEOUT_READ, TIMEOUT_WRITE, MISMATCH = 0x40, 0x02, 0x01, 0x10
"""Bits of the status byte at $90."""
_OK, _NOT_FOUND, _EXISTS = "00, OK,00,00", "62, FILE NOT FOUND,00,00", "63, FILE EXISTS,00,00"
"""What the drive's command channel says (1541 User's Guide)."""


@dataclass(slots=True)
class OpenFile:
    """An entry of the KERNAL's table. ``to_read`` is what is still to come, None when there is
    nothing to be read; ``written`` what was written, None when it is no file to be written."""

    device: int
    secondary: int
    name: str = ""
    to_read: bytearray | None = None
    written: bytearray | None = None


@dataclass(slots=True)
class DiskFiles:
    """``disk`` has the files of drive 8 by name: text as ``petscii.to_text`` gives it."""

    disk: MutableMapping[str, bytes]
    table: dict[int, OpenFile] = field(default_factory=dict)
    status: str = _OK

    def open(self, number: int, device: int, secondary: int, name: bytes) -> int:
        """Open a file; 0 or the number of an error."""
        if number in self.table:
            return FILE_OPEN
        if len(self.table) >= MAX_FILES:
            return TOO_MANY
        if device not in PRESENT:
            return NOT_PRESENT
        opened = OpenFile(device, secondary)
        if device == DRIVE:
            self._open_on_disk(opened, name)
        self.table[number] = opened
        return 0

    def close(self, number: int) -> None:
        """Close a file: what was written is on the disk now. Nothing when it is not open."""
        closed = self.table.pop(number, None)
        if closed is not None and closed.written is not None:
            self.disk[closed.name] = bytes(closed.written)

    def load(self, name: bytes) -> bytes | None:
        """A file as it is on the disk; None when there is none of the name."""
        text = _plain(to_text(name))[0]
        if text == "*" and self.disk:
            text = next(iter(self.disk))
        data = self.disk.get(text)
        self.status = _NOT_FOUND if data is None else _OK
        return data

    def save(self, name: bytes, data: bytes) -> None:
        """Write a file, unless there is one of this name; ``@`` in front allows that."""
        text, replaces, _ = _plain(to_text(name))
        self.status = _OK if replaces or text not in self.disk else _EXISTS
        if self.status == _OK:
            self.disk[text] = data

    def _open_on_disk(self, opened: OpenFile, name: bytes) -> None:
        if opened.secondary == COMMAND_CHANNEL:
            opened.to_read = bytearray(from_text(self.status.lower())) + bytes([RETURN])
            self.status = _OK
            return
        opened.name, replaces, writes = _plain(to_text(name))
        if not (writes or opened.secondary == 1):
            data = self.load(name)
            opened.to_read = None if data is None else bytearray(data)
        elif opened.name in self.disk and not replaces:
            self.status = _EXISTS
        else:
            self.status = _OK
            opened.written = bytearray()


def _plain(name: str) -> tuple[str, bool, bool]:
    """A name without ``@0:`` in front and ``,s,w`` behind; whether it replaces a file, and
    whether it is to be written."""
    replaces = name.startswith("@")
    text, *options = name.split(",")
    before, colon, after = text.partition(":")
    if colon and before.lstrip("@") in ("", "0"):
        text = after
    return text, replaces, "w" in (option.strip().lower() for option in options)
