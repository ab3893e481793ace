"""What the assembler tells of itself, for an object file; see record.py beside it.

A :class:`Silent` hears and does nothing: it is for builds that write no object.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from romproof.text.span import Source
from romproof.toolchains.ca65.asm.record_rows import MacroLines
from romproof.toolchains.ca65.asm.symbol import Scope, SymbolEntry
from romproof.toolchains.ca65.asm.tokens import Token
from romproof.toolchains.ca65.obj.expr import Expr

LITERAL_BYTES: Final = 8
"""The longest literal: ca65 keeps it where a pointer would be, which has 64 bits."""


class Filled(Protocol):
    """A segment with its bytes so far."""

    number: int
    data: bytearray


class SegmentView(Protocol):
    """All segments of the source, and the one that bytes are put into."""

    @property
    def sections(self) -> Sequence[Filled]:
        """By number."""

    @property
    def current(self) -> Filled:
        """The active one."""

    @property
    def pc(self) -> int:
        """The program counter there."""

    @property
    def origin(self) -> int | None:
        """The address that .org gave, moved on; None where the linker gives it."""


class _First:
    number = 0
    data = bytearray()


class Nowhere:
    """The segments before there are any."""

    sections: Sequence[Filled] = ()
    current: Filled = _First()
    pc = 0
    origin: int | None = None


class Silent:
    """Is told what happens, and forgets it."""

    debug = False

    @property
    def has_listing(self) -> bool:
        """Whether it hears of each line that is read."""
        return False

    @property
    def expands(self) -> bool:
        """Whether it hears of each line of a macro or repeat that is read."""
        return False

    def expansion(self, token: Token, level: int) -> None:
        """A line of a macro or repeat begins, inside so many of them."""

    def fill_places(self, places: SegmentView) -> None:
        """The segments that bytes will be put into."""

    def intern(self, name: str) -> None:
        """A name is used for the first time, perhaps."""

    def file(self, name: str, time: int, size: int) -> None:
        """A file is opened."""

    def open_file(self, source: Source) -> None:
        """The file that was named last is read as this source."""

    def line_read(self, source: Source, number: int, depth: int) -> None:
        """A source was read up to a line; it is ``depth`` includes deep."""

    def statement(self) -> None:
        """A statement of a file begins."""

    def switch_listing(self, on: bool) -> bool:
        """``.list``; False where it is off already."""
        return True

    def list_bytes(self, most: int) -> None:
        """``.listbytes``; 0: all."""

    def page_length(self, lines: int) -> None:
        """``.pagelength``; 0: one page."""

    def line(self, token: Token) -> None:
        """A token on another line of a source follows."""

    def enter_macro(self) -> MacroLines | None:
        """A macro is called; its arguments follow."""
        return None

    def macro_token(self, lines: MacroLines | None, token: Token, is_parameter: bool) -> None:
        """A token of a macro's body, or of an argument, follows."""

    def leave_macro(self, lines: MacroLines | None) -> None:
        """An expansion has ended."""

    def enter_list(self) -> MacroLines | None:
        """Tokens that were collected before are read again."""
        return None

    def list_token(self, lines: MacroLines | None, token: Token) -> None:
        """One of them follows."""

    def leave_list(self, lines: MacroLines | None) -> None:
        """They have ended."""

    def touch(self) -> None:
        """Something remembers where it is."""

    def define(self, symbol: SymbolEntry, again: bool = False) -> None:
        """A symbol is defined or imported; ``again``: what was said of it before is void."""

    def refer(self, symbol: SymbolEntry) -> None:
        """A symbol is named."""

    def forget(self, symbol: SymbolEntry) -> None:
        """Where a symbol was declared does not count."""

    def note_size(self) -> None:
        """The size of something is known."""

    def literal(self, segment: int, offset: int, data: bytes, most: int = LITERAL_BYTES) -> None:
        """Known bytes are put into a segment, in pieces of ``most`` bytes."""

    def operand(self, segment: int, offset: int, data: bytes) -> None:
        """Known bytes belong to the opcode before them."""

    def fill(self, segment: int, offset: int, size: int) -> None:
        """Bytes are reserved."""

    def value(self, segment: int, offset: int, size: int, kind: int, expr: Expr) -> None:
        """A value is put into a segment that is to be worked out."""

    def known(self, segment: int, offset: int) -> None:
        """A value that was to be worked out has turned out to be a number."""

    def open_span(self, segment: int, offset: int) -> None:
        """Data whose type is known follow."""

    def close_span(self, end: int, type: str, size: int) -> None:
        """The data end, of elements of ``size`` bytes and a type."""

    def scope(self, scope: Scope, name: str) -> None:
        """There is a new scope."""

    def anonymous(self, what: str) -> str:
        """The name of a scope that has none."""
        return ""

    def open_scope(self, scope: Scope, segment: int) -> None:
        """A scope begins that may hold bytes."""

    def close_scope(self, scope: Scope) -> None:
        """It ends."""

    def option(self, type: int, text: str) -> None:
        """Something is said of the module."""

    def assertion(self, expr: Expr, action: int, message: str) -> None:
        """Something has to be checked."""

    def c_line(self, file: str | None, line: int) -> None:
        """What follows is of this line of C, or of none."""

    def c_symbol(
        self, flags: int, name: str, type: str, scope: Scope, asm_name: str, offset: int
    ) -> None:
        """There is a function or variable of C."""

    def local_name(self, marked: str, name: str) -> None:
        """A local of a macro, and what the object calls it."""
