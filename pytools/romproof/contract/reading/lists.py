"""Fields that list registers, flags and memory, and those that are a number."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from romproof.contract.names.names import ScopeNames
from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.model import KINDS, ROUTINE, CycleClaim
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.explained import HOW, strip_explanations
from romproof.contract.text.fieldtext import FieldLines, on_one_line
from romproof.program.budget import BadBudget, Budget, parse_budget
from romproof.text.diagnostic import Diagnostics, suggest
from romproof.text.numbers import whole
from romproof.text.span import Span

_NOTHING = ("none", "nothing", "-", "–")
WORDS = ("zp", "abs", "ram", "hram", "wram", "sram", "vram", "oam", "rom", "volatile")
"""What may stand before an item; all but the last are for the reader."""
_ITEM = re.compile(
    rf"(?P<words>(?:(?:{'|'.join(WORDS)})\s+)*)"
    r"(?P<name>\$[0-9A-Fa-f]+|\.?[A-Za-z_][\w@:#]*(?:\.[A-Za-z_][\w@#]*)*|-|–)"
    r"(?P<part>\+(?:\$[0-9A-Fa-f]+|\w+))?"
    r"(?:\[(?P<size>[^\]]*)\])?"
)
_CONSTANT = re.compile(r"(?P<claim>\S.*?)\s+constant$")
_RANGE = re.compile(
    r"(?:(?P<only>\d[\d_]*)|(?P<low>\d[\d_]*)\s*\.\.\s*(?P<high>\d[\d_]*)?"
    r"|\.\.\s*(?P<most>\d[\d_]*))\s*$"
)


@dataclass(frozen=True, slots=True)
class ListWord:
    """An item as a field writes it: its name, which may be ``planes+80``, the text in brackets,
    whether the word "volatile" stands before it, and its place."""

    name: str
    size: str | None
    is_volatile: bool
    span: Span


class ListReader:
    """Reads the fields of one routine that list something or are a number.

    ``volatile`` has the memory that stood behind that word in the fields read so far, ``pointed``
    the fields that list each of the ``blocks`` behind pointers: they are among no items. ``field``
    is the field whose words are read.
    """

    def __init__(
        self, names: ScopeNames, diagnostics: Diagnostics, blocks: Collection[str] = ()
    ) -> None:
        self.names = names
        self.diagnostics = diagnostics
        self.abi = names.abi
        self.volatile: list[MemoryRange] = []
        self.pointed: dict[str, set[str]] = {name: set() for name in blocks}
        self.field = ""

    def items(
        self, field: FieldText | None, sizes: Mapping[str, int] = MappingProxyType({})
    ) -> tuple[Item, ...]:
        """The items of a list field; none of a missing field.

        ``sizes`` are those of memory that is named without one, by its name.
        """
        if field is None:
            return ()
        self.field = field.name
        words = list(words_of(field, self.diagnostics))
        if not words:
            self.diagnostics.error(
                f"the field '{field.name}' is empty", field.span, "write 'none' for nothing"
            )
        return self.read_items(words, sizes)

    def read_items(
        self,
        words: Sequence[ListWord],
        sizes: Mapping[str, int] = MappingProxyType({}),
        is_all: bool = True,
    ) -> tuple[Item, ...]:
        """The items that some words of a field stand for; ``sizes`` as above.

        ``is_all``: the field has no others.
        """
        items: list[Item] = []
        for word in words:
            name, span = word.name, word.span
            if name in _NOTHING:
                if len(words) > 1 or not is_all:
                    self.diagnostics.error(
                        f"'{name}' stands for an empty list but is not alone", span, HOW
                    )
                continue
            if name in self.pointed:
                self._block(word)
                continue
            named = self._items(name, word.size, span, sizes.get(name))
            if any(item in items for item in named):
                self.diagnostics.error(f"'{name}' is listed twice", span)
            items += named
            if word.is_volatile:
                self._mark_volatile(name, named, span)
        return tuple(items)

    def _block(self, word: ListWord) -> None:
        """The block behind a pointer, in the field at hand."""
        if word.size is not None or word.is_volatile:
            self.diagnostics.error(
                f"'{word.name}' is the block behind a pointer, which already has a size",
                word.span,
                f"write {word.name} alone",
            )
        elif self.field in self.pointed[word.name]:
            self.diagnostics.error(f"'{word.name}' is listed twice", word.span)
        self.pointed[word.name].add(self.field)

    def _mark_volatile(self, name: str, named: tuple[Item, ...], span: Span) -> None:
        for item in named:
            if isinstance(item, MemoryRange):
                if item not in self.volatile:
                    self.volatile.append(item)
            else:
                self.diagnostics.error(
                    f"'{name}' is a register or flag: only memory can be volatile", span
                )
                return

    def kind(self, field: FieldText | None) -> str:
        """The kind of ``kind:``; a routine where none is said."""
        text = ROUTINE if field is None else self._read_plain(field).lower()
        if field is not None and text not in KINDS:
            hint = suggest(text, KINDS)
            self.diagnostics.error(
                f"'{text}' is not a kind of code",
                field.span,
                f"{f'{hint} ' if hint else ''}it is one of: {', '.join(KINDS)}",
            )
            return ROUTINE
        return text

    def stack(self, field: FieldText | None) -> int | None:
        """The number of bytes of ``stack:``."""
        if field is None:
            return None
        text = self._read_plain(field)
        if text in _NOTHING:
            return 0
        most = self.abi.stack_mask
        if not text.isdecimal() or whole(text) > most:
            self.diagnostics.error(
                f"'{text}' is not a number of stack bytes",
                field.span,
                "write the most bytes the routine pushes, return addresses of its own "
                f"calls included: 0..{most}; {HOW}",
            )
            return None
        return whole(text)

    def cycles(self, field: FieldText | None) -> tuple[CycleClaim | None, bool]:
        """The bounds of ``cycles:``, and whether they are said to be constant."""
        if field is None:
            return None, False
        text = self._with_constants(field)
        constant = _CONSTANT.match(text)
        claim = self._claim(field, constant["claim"].strip() if constant else text)
        if constant and claim is not None and claim[0] != claim[1]:
            self.diagnostics.error(
                f"'{constant['claim'].strip()}' is not a constant: only one number of cycles is",
                field.span,
            )
        return claim, constant is not None

    def _with_constants(self, field: FieldText) -> str:
        """The value of a field, with the program's constants in place of their names."""
        names = self.names.with_diagnostics(Diagnostics())

        def number(name: re.Match[str]) -> str:
            symbol = None if name[0] == "constant" else names.symbol(name[0], field.span)
            return name[0] if symbol is None or symbol.is_label else str(symbol.value)

        return re.sub(r"(?<!\w)[A-Za-z_]\w*", number, self._read_plain(field))

    def _read_plain(self, field: FieldText) -> str:
        """The value of a number field on one line, without what is for the reader."""
        return on_one_line(FieldLines(strip_explanations(field, self.diagnostics)).whole)

    def budget(self, field: FieldText | None) -> Budget | None:
        """The number of frames or cycles of ``budget:``."""
        if field is None:
            return None
        try:
            return parse_budget(self._read_plain(field), self.abi.cpu)
        except BadBudget as fault:
            self.diagnostics.error(str(fault), field.span, fault.help)
            return None

    def _claim(self, field: FieldText, text: str) -> CycleClaim | None:
        match = _RANGE.match(text)
        if match is None:
            self.diagnostics.error(
                f"'{text}' is not a number of cycles",
                field.span,
                f"write N, N..M, N.. or ..M ({self.abi.cycles} from entry to return inclusive); "
                f"'N constant' for the same whatever the inputs; {HOW}",
            )
            return None
        if match["only"]:
            return (whole(match["only"]), whole(match["only"]))
        if match["most"]:
            return (0, whole(match["most"]))
        low = whole(match["low"])
        high = whole(match["high"]) if match["high"] else None
        if high is not None and high < low:
            self.diagnostics.error(f"the range of cycles {low}..{high} is empty", field.span)
        return (low, high)

    def _items(
        self, name: str, size: str | None, span: Span, usual: int | None
    ) -> tuple[Item, ...]:
        """What a name stands for: a register, a flag, several of them, or memory."""
        named = self.abi.items.get(name)
        if named is None:
            memory = self._memory(name, size, span, usual)
            return () if memory is None else (memory,)
        if size is not None:
            self.diagnostics.error(f"'{name}' is a register or flag and has no size", span)
        return named

    def _memory(
        self, name: str, size: str | None, span: Span, usual: int | None
    ) -> MemoryRange | None:
        if name == "?":
            self.diagnostics.error(
                "cannot read this as a register, flag or symbol",
                span,
                HOW,
            )
            return None
        base, plus, part = name.partition("+")
        address, known = self._place(base, span)
        offset: int | None = 0
        if address is None:
            return None
        if plus:
            offset = self._number(part, span, "number of bytes", "write e.g. +80 or +$50")
            if offset is None:
                return None
            name, address, known = f"{base}+{offset}", address + offset, None
        count = (usual or known) if size is None else self._number(size, span)
        if count is None:
            if size is None:
                self.diagnostics.error(
                    f"the size of '{name}' is not known",
                    span,
                    f"write it in bytes: {name}[1]",
                )
            return None
        if count < 1 or address + count > 0x10000:
            self.diagnostics.error(
                f"{count} bytes from ${address:04X} are not a range of memory", span
            )
            return None
        symbol = "" if base.startswith("$") else base
        return MemoryRange(name, address, count, symbol, offset or 0)

    def _place(self, name: str, span: Span) -> tuple[int | None, int | None]:
        """Address and size of a memory item; both None after an error."""
        if name.startswith("$"):
            address = whole(name[1:], 16)
            if address <= 0xFFFF:
                return address, 1  # it has no size that could be meant, so that it is a byte
            self.diagnostics.error(f"{name} is not an address of 16 bits", span)
            return None, None
        symbol = self.names.symbol(name, span)
        if symbol is None:
            return None, None
        if not 0 <= symbol.value <= 0xFFFF:
            self.diagnostics.error(f"'{name}' is {symbol.value}, not an address of 16 bits", span)
            return None, None
        return symbol.value, symbol.size

    def _number(
        self,
        text: str,
        span: Span,
        what: str = "size in bytes",
        advice: str = "write e.g. [4] or [$10]",
    ) -> int | None:
        text = text.strip()
        if re.fullmatch(r"\$[0-9A-Fa-f]+", text):
            return whole(text[1:], 16)
        if text.isdecimal():
            return whole(text)
        if re.fullmatch(r"[A-Za-z_][\w@:]*", text):
            symbol = self.names.symbol(text, span)
            return symbol.value if symbol else None
        self.diagnostics.error(f"'{text}' is not a {what}", span, advice)
        return None


def words_of(field: FieldText, diagnostics: Diagnostics) -> Iterator[ListWord]:
    """The items of a field, parted by commas, blanks and line ends; ``?`` for what is none.

    A parenthesis that is not closed is reported.
    """
    for piece in strip_explanations(field, diagnostics).pieces:
        text, at = piece.text, 0
        while at < len(text):
            if text[at].isspace() or text[at] == ",":
                at += 1
                continue
            span = replace(piece.span, col=piece.span.col + at, length=1)
            match = _ITEM.match(text, at)
            if match is None:
                yield ListWord("?", None, False, span)
                break
            is_volatile = "volatile" in match["words"].split()
            whole = replace(span, length=len(match[0]))
            name = match["name"] + (match["part"] or "")
            yield ListWord(name, match["size"], is_volatile, whole)
            at = match.end()
