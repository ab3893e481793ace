"""What a test writes for places and values, as addresses and bytes."""

from __future__ import annotations

from collections.abc import Iterable

from romproof.isa.abi import SM83
from romproof.machine.gameboy.registers import find_register
from romproof.machine.memory import SIZE
from romproof.program.image import Image
from romproof.text.errors import RomproofError

Target = str | int
"""A symbol's name, or an address."""

GivenValue = bytes | bytearray | int | Iterable[int]
"""Bytes, their values, or one number (little-endian over the symbol's size)."""


class BadValue(RomproofError):
    """A value or place that a test gives cannot be meant."""


def place(image: Image, target: Target) -> tuple[int, int | None]:
    """Address and size in bytes (None: not known) of ``target``.

    A bare address has size 1. In programs for the SM83 the Game Boy's registers have the names of
    hardware.inc, unless the program has a symbol of that name. Raises UnknownSymbol and BadValue.
    """
    if isinstance(target, str):
        if image.cpu == SM83.cpu and not image.has_symbol(target):
            register = find_register(target)
            if register is not None:
                return register
        symbol = image.symbol(target)
        address, size = symbol.value, symbol.size
    else:
        address, size = target, 1
    if not 0 <= address < SIZE:
        raise BadValue(f"{_show(target)} is {address}, which is not an address of 16 bits")
    return address, size


def labels_code(image: Image, name: str) -> bool:
    """Whether a name is the label of an instruction; False where no line of a source says so."""
    if not image.has_symbol(name):
        return False
    symbol = image.symbol(name)
    return any(
        line.is_code and line.address == symbol.value and line.segment == symbol.segment
        for line in image.lines
    )


def encode(image: Image, target: Target, value: GivenValue) -> tuple[int, bytes]:
    """Where to write ``value`` and the bytes to write there.

    For a symbol of known size the value must fill it exactly; an integer
    becomes a little-endian number of that size, negative ones in two's
    complement. Bytes to an address, and to a symbol of unknown size, may have
    any length. Raises UnknownSymbol and BadValue.
    """
    if type(value) is bytes and type(target) is str and image.has_symbol(target):
        symbol = image.symbol(target)  # as in most calls: there is nothing to convert or to refuse
        address, size = symbol.value, symbol.size
        if len(value) == size and 0 <= address <= SIZE - size:
            return address, value
    address, size = place(image, target)
    if isinstance(value, int):
        count = 1 if size is None else size
        try:
            data = int(value).to_bytes(count, "little", signed=value < 0)
        except OverflowError:
            room = f"which has {_bytes(count)}" if size else "whose size is not known"
            more = _advise_bytes(value) if size is None or isinstance(target, int) else ""
            raise BadValue(f"{value} does not fit into {_show(target)}, {room}{more}") from None
        return address, data
    try:
        data = bytes(value)
    except (TypeError, ValueError):
        raise BadValue(
            f"{_show(target)} cannot be set to {value!r}: give bytes, an integer, "
            "or a list of integers within 0..255"
        ) from None
    if isinstance(target, str) and size is not None and len(data) != size:
        raise BadValue(
            f"{_show(target)} has {_bytes(size)}, the value given has {_bytes(len(data))}; to the "
            f"address, ${address:04X}, bytes of any number may be written"
        )
    if address + len(data) > SIZE:
        raise BadValue(f"{_bytes(len(data))} at ${address:04X} go past $FFFF")
    return address, data


def _advise_bytes(value: int) -> str:
    """How the bytes of a number are written to a place that may have any number of them."""
    count = max((value.bit_length() + (value < 0) + 7) // 8, 2)
    signed = ", signed=True" if value < 0 else ""
    return f'; for {count} bytes write ({value:#x}).to_bytes({count}, "little"{signed})'


def extent(image: Image, target: Target, size: int | None) -> tuple[int, int]:
    """Address and size to read: ``size``, or that of the symbol. Raises as place()."""
    address, known = place(image, target)
    count = known if size is None else size
    if count is None:
        raise BadValue(
            f"the size of {_show(target)} is not known; give the number of bytes: "
            f"read({target!r}, 1)"
        )
    if count < 0 or address + count > SIZE:
        raise BadValue(f"{_bytes(count)} from ${address:04X} are not a range of memory")
    return address, count


def _show(target: Target) -> str:
    return f"'{target}'" if isinstance(target, str) else f"${target:04X}"


def _bytes(count: int) -> str:
    return f"{count} byte" if count == 1 else f"{count} bytes"
