"""Header blocks become contracts; what cannot be right becomes a diagnostic.

    ;; next_byte – advance the LFSR eight steps and return its high byte.
    ; in:       zp lfsr[4]
    ; out:      A, lfsr[4]
    ; clobbers: X N Z C
    ; stack:    0
    ; cycles:   234..290        (entry to RTS inclusive)

Items are registers (6502: A X Y S; SM83: A B C D E H L SP, pairs as AF BC DE HL),
flags (N V D I Z C; ZF NF HF CF, all of them as F) and memory: a symbol or a
``$`` address, with ``[size]`` in bytes unless the symbol's size is known, and
a word such as ``zp``, ``ram`` or ``hram`` before it for the reader. Commas or blanks part
them. ``none`` and ``-`` stand for nothing. Text in parentheses, and after two
blanks that follow an item, is for the reader. A line indented more deeply than its field
continues it. Other lines are prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from romproof.contract.blocks import FIELDS, FieldText, HeaderBlock, find_block
from romproof.contract.items import Item, MemoryRange
from romproof.contract.model import Contract, CycleClaim
from romproof.isa.abi import abi_of
from romproof.obj.image import Image, Symbol, UnknownSymbol
from romproof.text.diagnostic import Diagnostics, suggest
from romproof.text.span import Span

_NOTHING = ("none", "nothing", "-", "–")
_MEANT = {
    **dict.fromkeys(("input", "inputs", "args", "takes", "param", "params"), "in"),
    **dict.fromkeys(("output", "outputs", "return", "returns", "result"), "out"),
    **dict.fromkeys(("clobber", "clobbered", "destroys", "modifies", "changes"), "clobbers"),
    **dict.fromkeys(("cycle", "time", "timing", "duration"), "cycles"),
}
_ITEM = re.compile(
    r"(?:(?:zp|abs|[hwsv]?ram|oam|rom)\s+)?"
    r"(?P<name>\$[0-9A-Fa-f]+|\.?[A-Za-z_][\w@:#]*(?:\.[A-Za-z_][\w@#]*)*|-|–)"
    r"(?:\[(?P<size>[^\]]*)\])?"
)
_RANGE = re.compile(r"(?P<low>\d[\d_]*)\s*(?P<dots>\.\.)?\s*(?P<high>\d[\d_]*)?\s*$")


def parse_contracts(image: Image) -> Mapping[str, Contract]:
    """The contracts of all public routines, by the routine's name.

    A public routine is an exported label with a header block that has at
    least one of the fields. Raises BuildFailed with every malformed contract.
    """
    found = Diagnostics()
    contracts: dict[str, Contract] = {}
    for symbol in image.symbols:
        if symbol.exported and symbol.is_label and symbol.name not in contracts:
            contract = parse_contract(symbol, image, found)
            if contract is not None:
                contracts[symbol.name] = contract
    found.raise_if_failed()
    return contracts


def parse_contract(routine: Symbol, image: Image, found: Diagnostics) -> Contract | None:
    """The contract above ``routine``, or None when it has none; faults go to ``found``."""
    block = find_block(routine.span) if routine.span else None
    if block is None:
        return None
    fields = _fields(block, found)
    if not fields:
        return None
    if block.name not in (routine.name, routine.name.rpartition("::")[2]):
        found.error(
            f"the contract is for '{block.name}' but stands above '{routine.name}'",
            block.span,
            "the first line of a header block reads: ;; name – what the routine does",
        )
    reader = _Reader(image, routine, found)
    return Contract(
        name=routine.name,
        summary=block.summary,
        inputs=reader.items(fields.get("in")),
        outputs=reader.items(fields.get("out")),
        clobbers=reader.items(fields.get("clobbers")),
        stack=reader.stack(fields.get("stack")),
        cycles=reader.cycles(fields.get("cycles")),
        span=block.span,
        places=tuple((name, field.span) for name, field in fields.items()),
    )


def _fields(block: HeaderBlock, found: Diagnostics) -> dict[str, FieldText]:
    """The block's fields by name; a misspelt or repeated one is an error."""
    known: dict[str, FieldText] = {}
    strange: list[FieldText] = []
    for field in block.fields:
        if field.name not in FIELDS:
            strange.append(field)
        elif field.name in known:
            found.error(
                f"the field '{field.name}' stands twice in the contract",
                field.span,
                "join the two; a more deeply indented line continues a field",
                (("first", known[field.name].span),),
            )
        else:
            known[field.name] = field
    for field in strange:
        meant = _MEANT.get(field.name.lower())
        hint = f"did you mean '{meant}'?" if meant else suggest(field.name, FIELDS)
        # without any real field the block is plain documentation, whatever its words
        if hint and known:
            found.error(
                f"a contract has no field '{field.name}'",
                field.span,
                f"{hint} the fields are {', '.join(FIELDS)}",
            )
    return known


class _Reader:
    """Reads the values of one routine's fields."""

    def __init__(self, image: Image, routine: Symbol, found: Diagnostics) -> None:
        self.image = image
        self.routine = routine
        self.found = found
        self.abi = abi_of(image.cpu)

    def items(self, field: FieldText | None) -> tuple[Item, ...]:
        """The items of a list field; none of a missing field."""
        if field is None:
            return ()
        words = list(_words(field))
        items: list[Item] = []
        for name, size, span in words:
            if name in _NOTHING:
                if len(words) > 1:
                    self.found.error(f"'{name}' stands for an empty list but is not alone", span)
                continue
            named = self._items(name, size, span)
            if any(item in items for item in named):
                self.found.error(f"'{name}' is listed twice", span)
            items += named
        if not words:
            self.found.error(
                f"the field '{field.name}' is empty", field.span, "write 'none' for nothing"
            )
        return tuple(items)

    def stack(self, field: FieldText | None) -> int | None:
        """The number of bytes of ``stack:``."""
        if field is None:
            return None
        text = _plain(field)
        if text in _NOTHING:
            return 0
        most = self.abi.stack_mask
        if not text.isdigit() or int(text) > most:
            self.found.error(
                f"'{text}' is not a number of stack bytes",
                field.span,
                "write the most bytes the routine pushes, return addresses of its own "
                f"calls included: 0..{most}",
            )
            return None
        return int(text)

    def cycles(self, field: FieldText | None) -> CycleClaim | None:
        """The bounds of ``cycles:``."""
        if field is None:
            return None
        text = _plain(field)
        match = _RANGE.match(text)
        if match is None or (match["high"] and not match["dots"]):
            self.found.error(
                f"'{text}' is no number of cycles",
                field.span,
                f"write N, N..M or N.. ({self.abi.cycles} from entry to return inclusive)",
            )
            return None
        low = int(match["low"])
        if not match["dots"]:
            return (low, low)
        high = int(match["high"]) if match["high"] else None
        if high is not None and high < low:
            self.found.error(f"the range of cycles {low}..{high} is empty", field.span)
        return (low, high)

    def _items(self, name: str, size: str | None, span: Span) -> tuple[Item, ...]:
        """What a name stands for: a register, a flag, several of them, or memory."""
        named = self.abi.items.get(name)
        if named is None:
            memory = self._memory(name, size, span)
            return () if memory is None else (memory,)
        if size is not None:
            self.found.error(f"'{name}' is a register or flag and has no size", span)
        return named

    def _memory(self, name: str, size: str | None, span: Span) -> MemoryRange | None:
        if name == "?":
            self.found.error(
                "cannot read this as a register, flag or symbol",
                span,
                "put explanations into parentheses",
            )
            return None
        address, known = self._place(name, span)
        if address is None:
            return None
        count = known if size is None else self._number(size, span)
        if count is None:
            if size is None:
                self.found.error(
                    f"the size of '{name}' is not known",
                    span,
                    f"write it in bytes: {name}[1]",
                )
            return None
        if count < 1 or address + count > 0x10000:
            self.found.error(f"{count} bytes from ${address:04X} are no range of memory", span)
            return None
        return MemoryRange(name, address, count)

    def _place(self, name: str, span: Span) -> tuple[int | None, int | None]:
        """Address and size of a memory item; both None after an error."""
        if name.startswith("$"):
            address = int(name[1:], 16)
            if address <= 0xFFFF:
                return address, None
            self.found.error(f"{name} is not an address of 16 bits", span)
            return None, None
        symbol = self._symbol(name, span)
        if symbol is None:
            return None, None
        if not 0 <= symbol.value <= 0xFFFF:
            self.found.error(f"'{name}' is {symbol.value}, not an address of 16 bits", span)
            return None, None
        return symbol.value, symbol.size

    def _symbol(self, name: str, span: Span) -> Symbol | None:
        # names of the routine's own scope and module come before those of others
        own = [s for s in self.image.symbols if s.module == self.routine.module]
        full = f"{self.routine.name}{name}" if name.startswith(".") else name
        for wanted in (f"{self.routine.name}::{name}", full):
            for symbol in own:
                if symbol.name == wanted:
                    return symbol
        try:
            return self.image.symbol(full)
        except UnknownSymbol as error:
            help = f"items are {self._known_items()}, and symbols"
            self.found.error(str(error), span, help)
            return None

    def _known_items(self) -> str:
        abi = self.abi
        registers = [register.name for register in (*abi.registers, abi.stack_pointer)]
        flags = " ".join(flag.name for flag in abi.flags)
        groups = f", {' '.join(abi.groups)}" if abi.groups else ""
        return f"registers {' '.join(registers)}, flags {flags}{groups}"

    def _number(self, text: str, span: Span) -> int | None:
        text = text.strip()
        if re.fullmatch(r"\$[0-9A-Fa-f]+", text):
            return int(text[1:], 16)
        if text.isdigit():
            return int(text)
        if re.fullmatch(r"[A-Za-z_][\w@:]*", text):
            symbol = self._symbol(text, span)
            return symbol.value if symbol else None
        self.found.error(f"'{text}' is not a size in bytes", span, "write e.g. [4] or [$10]")
        return None


def _words(field: FieldText) -> Iterator[tuple[str, str | None, Span]]:
    """The items of a field: name, text of the size, place. ``?`` for what is none."""
    for piece in field.pieces:
        text, at, after_item = piece.text, 0, False
        while at < len(text):
            start, rest = at, text[at:].lstrip()
            at = len(text) - len(rest)
            gap = at - start
            if at == len(text):
                break
            if text[at] == "(":
                closing = text.find(")", at)
                at = len(text) if closing < 0 else closing + 1
            elif text[at] == ",":
                at, after_item = at + 1, False
            elif after_item and gap > 1:
                break
            else:
                span = replace(piece.span, col=piece.span.col + at, length=1)
                match = _ITEM.match(text, at)
                if match is None:
                    yield "?", None, span
                    break
                yield match["name"], match["size"], replace(span, length=len(match[0]))
                at, after_item = match.end(), True


def _plain(field: FieldText) -> str:
    """The value of a number field, without what is for the reader."""
    text = re.sub(r"\([^)]*\)?", "", field.pieces[0].text).strip()
    return re.split(r"\s\s+", text)[0].strip()
