"""The KERNAL's calls for input, output and files; see ``calls.py`` for what they have in common."""

from __future__ import annotations

from romproof.engine.registers import Registers
from romproof.machine.c64 import files as disk
from romproof.machine.c64 import petscii
from romproof.machine.c64.kernal import (
    DEVICE,
    END_ADDRESS,
    FILE,
    FILES,
    INPUT,
    LOAD_ADDRESS,
    OUTPUT,
    SECONDARY,
    START_ADDRESS,
    STATUS,
    Kernal,
    fail,
    lose,
    result,
    set_carry,
)


def open_file(k: Kernal, r: Registers) -> None:
    number, device, secondary = k.store[FILE], k.store[DEVICE], k.store[SECONDARY]
    k.store[STATUS] = 0
    error = k.files.open(number, device, secondary, k.name())
    k.store[FILES] = len(k.files.table)
    lose(r, "axy")
    fail(r, error)


def close(k: Kernal, r: Registers) -> None:
    k.files.close(r.a)
    k.store[FILES] = len(k.files.table)
    lose(r, "axy")
    set_carry(r, False)


def clall(k: Kernal, r: Registers) -> None:
    # the original only forgets them: what was not closed is not complete on the disk
    k.files.table.clear()
    k.store[FILES] = 0
    clrchn(k, r)


def clrchn(k: Kernal, r: Registers) -> None:
    k.store[INPUT], k.store[OUTPUT] = disk.KEYBOARD, disk.SCREEN
    lose(r, "ax")


def chkin(k: Kernal, r: Registers) -> None:
    _direct(k, r, INPUT, "axy", writes=False)


def chkout(k: Kernal, r: Registers) -> None:
    _direct(k, r, OUTPUT, "ax", writes=True)


def _direct(k: Kernal, r: Registers, channel: int, lost: str, writes: bool) -> None:
    """CHKIN and CHKOUT: let input or output be that of the file X."""
    number = r.x
    opened = k.files.table.get(number)
    lose(r, lost)
    if opened is None:
        fail(r, disk.NOT_OPEN)
    elif writes and opened.device == disk.KEYBOARD:
        fail(r, disk.NOT_OUTPUT)
    else:
        k.store[channel], k.store[FILE] = opened.device, number
        k.store[DEVICE], k.store[SECONDARY] = opened.device, opened.secondary
        if writes:
            k.output_file = number
        else:
            k.input_file = number
        fail(r, 0)


def _from_file(k: Kernal) -> int:
    """The next byte of a file, with the status in $90."""
    opened = k.files.table.get(k.input_file)
    if opened is None or not opened.to_read:
        k.store[STATUS] |= disk.END | disk.TIMEOUT_READ
        return petscii.RETURN
    value = opened.to_read.pop(0)
    if not opened.to_read:
        k.store[STATUS] |= disk.END
    return value


def chrin(k: Kernal, r: Registers) -> None:
    """From the keyboard: the line that was typed, to its RETURN; without one, RETURN."""
    if k.store[INPUT] == disk.DRIVE:
        value = _from_file(k)
    else:
        value = k.scanner.pop_character() or petscii.RETURN
        k.fill_buffer()
    lose(r, "x")
    r.a = value
    set_carry(r, False)


def getin(k: Kernal, r: Registers) -> None:
    if k.store[INPUT] == disk.DRIVE:
        value = _from_file(k)
    else:
        value = k.scanner.pop_character()
        k.fill_buffer()
    lose(r, "xy")
    result(r, value)
    set_carry(r, False)


def chrout(k: Kernal, r: Registers) -> None:
    value = r.a
    if k.store[OUTPUT] == disk.DRIVE:
        opened = k.files.table.get(k.output_file)
        if opened is not None and opened.written is not None:
            opened.written.append(value)
        else:
            k.store[STATUS] |= disk.TIMEOUT_WRITE
    else:
        k.screen.append(value)
        k.editor.write(value)
    lose(r, "a")
    set_carry(r, False)


def load_address(k: Kernal, r: Registers) -> None:
    """LOAD before its vector: where to, for files without an address of their own."""
    k.store[LOAD_ADDRESS], k.store[LOAD_ADDRESS + 1] = r.x, r.y


def save_addresses(k: Kernal, r: Registers) -> None:
    """SAVE before its vector: from where, which A says where to find, and up to where."""
    at = r.a
    k.store[END_ADDRESS], k.store[END_ADDRESS + 1] = r.x, r.y
    for i in range(2):
        k.store[START_ADDRESS + i] = k.peek(at + i & 0xFF)
    r.x, r.a = at, k.store[START_ADDRESS + 1]


def load(k: Kernal, r: Registers) -> None:
    verify, device, name = r.a != 0, k.store[DEVICE], k.name()
    k.store[STATUS] = 0
    error = _cannot_transfer(device, name)
    data = None if error else k.files.load(name)
    lose(r, "axy")
    if data is None:
        fail(r, error or disk.NOT_FOUND)
        if not error:
            k.store[STATUS] = disk.END | disk.TIMEOUT_READ
        return
    k.store[STATUS] = disk.END
    at = k.word(LOAD_ADDRESS) if not k.store[SECONDARY] else int.from_bytes(data[:2], "little")
    for offset, byte in enumerate(data[2:]):
        if not verify:
            k.write(at + offset, byte)
        elif k.peek(at + offset & 0xFFFF) != byte:
            k.store[STATUS] |= disk.MISMATCH
    end = at + len(data[2:]) & 0xFFFF
    k.store[END_ADDRESS : END_ADDRESS + 2] = end.to_bytes(2, "little")
    r.x, r.y = end & 0xFF, end >> 8
    fail(r, 0)


def save(k: Kernal, r: Registers) -> None:
    device, name = k.store[DEVICE], k.name()
    start, end = k.word(START_ADDRESS), k.word(END_ADDRESS)
    k.store[STATUS] = 0
    error = _cannot_transfer(device, name)
    if not error:
        data = bytes(k.peek(address) for address in range(start, end))
        k.files.save(name, start.to_bytes(2, "little") + data)
    lose(r, "axy")
    fail(r, error)


def _cannot_transfer(device: int, name: bytes) -> int:
    """Why nothing can be loaded or saved; 0 when it can."""
    if device in (disk.KEYBOARD, disk.SCREEN):
        return disk.ILLEGAL_DEVICE
    if device != disk.DRIVE:
        return disk.NOT_PRESENT
    return 0 if name else disk.NO_NAME
