"""Numbers, texts and expressions in files of cc65, read with care: nothing in them is trusted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from romproof.toolchains.ca65.obj.encode import (
    BINARY_CODES,
    IMPORT_NODE,
    LITERAL_NODE,
    SECTION_NODE,
    UNARY_CODES,
)
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Imported,
    Literal,
    SectionOffset,
    Unary,
    wrap,
)
from romproof.toolchains.ca65.obj.tables import Import, text_of

T = TypeVar("T")
_BINARY: Final = {code: op for op, code in BINARY_CODES.items()}
_UNARY: Final = {code: op for op, code in UNARY_CODES.items()}


class Damaged(Exception):
    """A table that cannot be; the text says what is wrong."""


_number = re.compile(rb"[\x80-\xff]*[\x00-\x7f]")


class _Numbers(dict[bytes, int]):
    """Numbers of seven bits in each byte, by their bytes."""

    def __missing__(self, raw: bytes) -> int:
        if len(raw) == 2:  # as most are
            value = self[raw] = raw[0] & 0x7F | raw[1] << 7
            return value
        value = self[raw] = ByteReader(raw).variable()
        return value


class ByteReader:
    """Reads numbers and texts from ``data``, none of them beyond its end."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def read_bytes(self, size: int) -> bytes:
        """The next ``size`` bytes. Raises Damaged."""
        end = self.at + size
        if end > len(self.data):
            raise Damaged("the file is cut off")
        self.at, start = end, self.at
        return self.data[start:end]

    def byte(self) -> int:
        """The next byte. Raises Damaged."""
        if self.at >= len(self.data):
            raise Damaged("the file is cut off")
        self.at += 1
        return self.data[self.at - 1]

    def variable(self) -> int:
        """A number of seven bits in each byte. Raises Damaged."""
        data, at = self.data, self.at
        if at < len(data) and data[at] < 0x80:  # as most are
            self.at = at + 1
            return data[at]
        if at + 1 < len(data) and data[at + 1] < 0x80:
            self.at = at + 2
            return data[at] & 0x7F | data[at + 1] << 7
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise Damaged("a number of more than 64 bits")

    def numbers(self, limit: int, what: str) -> tuple[int, ...]:
        """A count and as many numbers below ``limit``. Raises Damaged."""
        data, at = self.data, self.at
        if at + 3 < len(data):  # most lists have one number of one or two bytes, or none
            count, number, more = data[at : at + 3]
            if count == 0:
                self.at = at + 1
                return ()
            if count == 1 and (number < 0x80 or more < 0x80):
                size = 2
                if number >= 0x80:
                    number, size = number & 0x7F | more << 7, 3
                if number < limit:
                    self.at = at + size
                    return (number,)
        count = self.variable()
        if count > len(data) - self.at:  # each has a byte at least
            raise Damaged("a list that is longer than the file")
        return tuple([self.below(limit, what) for _ in range(count)])

    def all_numbers(self) -> list[int]:
        """All numbers from here on, each of seven bits in each byte; what is cut off is left out.

        Raises Damaged.
        """
        data = self.data[self.at :]
        self.at = len(self.data)
        if data.isascii():
            return list(data)
        known = _Numbers()
        return [known[raw] for raw in _number.findall(data)]

    def word(self) -> int:
        """16 bits. Raises Damaged."""
        return int.from_bytes(self.read_bytes(2), "little")

    def long(self) -> int:
        """32 bits. Raises Damaged."""
        return int.from_bytes(self.read_bytes(4), "little")

    def text(self) -> str:
        """A length and as many bytes. Raises Damaged."""
        return text_of(self.read_bytes(self.variable()))

    def rows(self, read: Callable[[], T]) -> tuple[T, ...]:
        """A count and as many rows. Raises Damaged."""
        count = self.variable()
        if count > len(self.data) - self.at:  # a row has a byte at least
            raise Damaged("a list that is longer than the file")
        return tuple([read() for _ in range(count)])

    def below(self, limit: int, what: str) -> int:
        """A number that counts one of ``limit`` things. Raises Damaged."""
        number = self.variable()
        if number >= limit:
            raise Damaged(f"{what} {number} of {limit}")
        return number


def skip_expression(reader: ByteReader, counts: Mapping[str, int]) -> None:
    """Go behind an expression whose form is right. Raises Damaged."""
    open_nodes = 1
    while open_nodes:
        open_nodes -= 1
        code = reader.byte()
        if code == LITERAL_NODE:
            reader.read_bytes(4)
        elif code == IMPORT_NODE:
            reader.below(counts["imports"], "import")
        elif code == SECTION_NODE:
            reader.below(counts["segments"], "segment")
        elif code in _BINARY:
            open_nodes += 2
        elif code in _UNARY:
            open_nodes += 2  # the right operand is written, too, and is none
        elif code != 0:
            raise Damaged(f"an expression with an unknown operator {code:#x}")


def decode_expression(data: bytes, imports: Sequence[Import]) -> Expr:
    """The expression in ``data``, which was checked when the file was read.

    A missing operand counts as 0, as ld65 has it.
    """
    reader, waiting, done = ByteReader(data), [], []  # type: tuple[ByteReader, list[list[int]], list[Expr]]
    while True:
        code = reader.byte()
        if code in _BINARY or code in _UNARY:
            waiting.append([code, 2])
            continue
        done.append(_leaf(code, reader, imports))
        while waiting:
            waiting[-1][1] -= 1
            if waiting[-1][1]:
                break
            right, left = done.pop(), done.pop()
            done.append(_node(waiting.pop()[0], left, right))
        if not waiting:
            return done.pop()


def _leaf(code: int, reader: ByteReader, imports: Sequence[Import]) -> Expr:
    if code == LITERAL_NODE:
        value = reader.long()
        return Literal(value - (1 << 32) if value >> 31 else value)
    if code == IMPORT_NODE:
        return Imported(imports[reader.variable()].name)
    if code == SECTION_NODE:
        return SectionOffset(reader.variable(), 0)
    return Literal(0)


def _node(code: int, left: Expr, right: Expr) -> Expr:
    if code in _UNARY:
        return Unary(_UNARY[code], left)
    op = _BINARY[code]
    if isinstance(left, SectionOffset) and isinstance(right, Literal) and op is BinaryOp.ADD:
        return SectionOffset(left.section, wrap(left.offset + right.value))
    return Binary(op, left, right)
