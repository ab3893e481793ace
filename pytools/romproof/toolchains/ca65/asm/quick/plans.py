"""What a command does, by its text: worked out once, carried out as often as it comes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from romproof.isa.encodings import Encoding
from romproof.program.address_size import AddressSize
from romproof.toolchains.ca65.asm.instructions import IMMEDIATE, forms_for
from romproof.toolchains.ca65.asm.mnemonics import InstructionSet, instruction_set
from romproof.toolchains.ca65.asm.quick.templates import (
    Operand,
    Template,
    parse_operand,
    parse_value,
)
from romproof.toolchains.ca65.asm.settings import Settings
from romproof.toolchains.ca65.asm.study import literal_size
from romproof.toolchains.ca65.asm.symbol import Symbol
from romproof.toolchains.ca65.obj.cpus import CPUS

_MAX: Final = 20_000
"""Texts that are kept; then all are forgotten."""


class Plan:
    """What is done."""

    __slots__ = ()


class Fixed(Plan):
    """An instruction whose bytes are known."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data


class Choice:
    """An instruction for one address size: its opcode, and the bytes of its operand, which
    ``masked`` says are cut. ``guessed``: a smaller one was possible."""

    __slots__ = ("guessed", "masked", "opcode", "size")

    def __init__(self, opcode: bytes, size: int, masked: bool, guessed: bool) -> None:
        self.opcode = opcode
        self.size = size
        self.masked = masked
        self.guessed = guessed


class _Shape:
    """A mnemonic with a kind of operand: the forms that there are, the opcode of the first, and
    what is chosen by address size. ``warns``: there may be a warning; ``is_doubtful``: if it is a
    part of a name."""

    __slots__ = ("choices", "first", "forms", "is_doubtful", "warns")

    def __init__(
        self,
        forms: list[str],
        first: int,
        choices: list[Choice | None],
        warns: bool,
        is_doubtful: bool,
    ) -> None:
        self.forms = forms
        self.first = first
        self.choices = choices
        self.warns = warns
        self.is_doubtful = is_doubtful


class Sized(Plan):
    """An instruction by the address size of its operand; None where there is none for it.
    ``data`` are its bytes if the operand means ``symbol``, for one that is a number."""

    __slots__ = ("choices", "data", "symbol", "value")

    def __init__(self, value: Template, choices: list[Choice | None]) -> None:
        self.value = value
        self.choices = choices
        self.symbol: Symbol | None = None
        self.data = b""


class Relative(Plan):
    """A branch: opcode and target."""

    __slots__ = ("data", "value")

    def __init__(self, data: bytes, value: Template) -> None:
        self.data = data
        self.value = value


class Data(Plan):
    """``.byte`` and its kin: values of ``size`` bytes, or strings; ``data`` if all are numbers."""

    __slots__ = ("data", "items", "kind", "size")

    def __init__(
        self, size: int, kind: str, items: list[Template | bytes], data: bytes | None
    ) -> None:
        self.size = size
        self.kind = kind
        self.items = items
        self.data = data


class Gap(Plan):
    """``.res`` with a number."""

    __slots__ = ("count",)

    def __init__(self, count: int) -> None:
        self.count = count


class Into(Plan):
    """Another segment."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


_SEGMENTS: Final = {
    ".bss": "BSS", ".code": "CODE", ".data": "DATA", ".rodata": "RODATA", ".zeropage": "ZEROPAGE"
}  # fmt: skip
_DATA: Final = {
    ".byte": (1, "\x20"),
    ".byt": (1, "\x20"),
    ".word": (2, "\x21"),
    ".addr": (2, "\x41\0"),
}
"""Bytes of a value, and the type for debuggers, as in directives/data.py."""
_MAX_RESERVED: Final = 0xFFFF
_item = re.compile(r'[ \t]*(?:"([^"\\]*)"[ \t]*|([^",]+))(?:,|$)')
"""A string or a value, and the comma or the end behind it."""


class Plans:
    """The plans of one source, for the CPU and the features of the moment."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._made_for: tuple[str, bool] = "", False
        self._modes = InstructionSet({})
        self._longest = 0
        self.masks = False
        self._known: dict[tuple[str, str], Plan | None] = {}
        self.lines: dict[str, tuple[Plan, int, int, int]] = {}  # by all of their text
        self._shapes: dict[tuple[str, tuple[str, ...]], _Shape] = {}
        self._values: dict[str, Template | None] = {}
        self._operands: dict[str, Operand | None] = {}

    def suit(self) -> None:
        """Plans are asked for next: forget those for other settings."""
        settings = self._settings
        made_for = settings.cpu, "force_range" in settings.syntax.features
        if made_for != self._made_for:
            self._made_for = made_for
            self._modes = instruction_set(settings.cpu)
            self._longest = max(map(len, self._modes), default=0)
            self.masks = made_for[1]
            self._known.clear()
            self._shapes.clear()
            self.lines.clear()

    def is_mnemonic(self, name: str) -> bool:
        """Whether the CPU has an instruction of this name."""
        return len(name) <= self._longest and name.lower() in self._modes

    def value(self, text: str) -> Template | None:
        """The value that a text is; None if it is not plain."""
        if text in self._values:
            return self._values[text]
        if len(self._values) >= _MAX:
            self._values.clear()
        made = self._values[text] = parse_value(text)
        return made

    def of(self, word: str, rest: str) -> Plan | None:
        """The plan of a command and what follows its word; None if it is not plain."""
        key = word, rest
        if key in self._known:
            return self._known[key]
        if len(self._known) >= _MAX:
            self._known.clear()
            self._operands.clear()
            self.lines.clear()
        made = self._known[key] = self._made(word.lower(), rest)
        return made

    def _made(self, word: str, rest: str) -> Plan | None:
        modes = self._modes.get(word)
        if modes is not None:
            return self._instruction(word, modes, rest)
        if word in _DATA:
            return self._data(*_DATA[word], rest)
        if word == ".res":
            count = parse_value(rest)
            if count is not None and count.number is not None:
                return Gap(count.number) if 0 <= count.number <= _MAX_RESERVED else None
        elif word in _SEGMENTS and not rest.strip(" \t"):
            return Into(_SEGMENTS[word])
        elif word == ".segment":
            _, opening, named = rest.partition('"')
            name, closing, tail = named.partition('"')
            if opening and closing and name.isidentifier() and name.isascii():
                return Into(name) if not (_.strip(" \t") or tail.strip(" \t")) else None
        return None

    # -- instructions ------------------------------------------------------------------

    def _instruction(self, word: str, modes: Mapping[str, Encoding], rest: str) -> Plan | None:
        first = next(iter(modes.values()))
        if first.placeholder == "e8":
            target = self.value(rest)
            return None if target is None else Relative(bytes((first.byte,)), target)
        if first.placeholder in ("e16", "a8,e8", "#n8,#n8"):
            return None
        if rest in self._operands:
            operand = self._operands[rest]
        else:
            operand = self._operands[rest] = parse_operand(rest)
        if operand is None:
            return None
        key = word, operand.forms
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = self._shape(modes, operand.forms)
        value = operand.value
        if value is None:
            return Fixed(bytes((shape.first,))) if shape.forms else None
        if shape.warns or (shape.is_doubtful and value.is_part):
            return None  # there may be a warning
        if value.number is None:
            return Sized(value, shape.choices)
        chosen = shape.choices[literal_size(value.number)]
        if chosen is None:
            return None
        number = value.number & 0xFF if chosen.masked else value.number
        if not 0 <= number < 1 << 8 * chosen.size:
            return None
        return Fixed(chosen.opcode + number.to_bytes(chosen.size, "little"))

    def _shape(self, modes: Mapping[str, Encoding], wanted: tuple[str, ...]) -> _Shape:
        forms = [form for form in wanted if form in modes]
        immediate = any(form in modes for form in IMMEDIATE)
        return _Shape(
            forms,
            modes[forms[0]].byte if forms else 0,
            [self._choice(modes, forms, size) for size in AddressSize],
            "(a16)" in forms,
            immediate and "a8" in forms,
        )

    def _choice(
        self, modes: Mapping[str, Encoding], forms: list[str], size: AddressSize
    ) -> Choice | None:
        fitting, guessed = forms_for(forms, size)
        if not fitting:
            return None
        chosen = modes[fitting[0]]
        masked = self.masks and chosen.mode in IMMEDIATE
        return Choice(bytes((chosen.byte,)), chosen.size - 1, masked, guessed)

    def use(self) -> None:
        """An instruction is assembled."""
        self._settings.used.add(CPUS[self._made_for[0]])

    # -- data --------------------------------------------------------------------------

    def _data(self, size: int, kind: str, rest: str) -> Plan | None:
        items: list[Template | bytes] = []
        pos, text = 0, rest.rstrip(" \t")
        if '"' not in text:
            for part in text.split(","):
                value = parse_value(part, pos)
                if value is None or (value.has_here and items):
                    return None
                items.append(value)
                pos += len(part) + 1
            return Data(size, kind, items, self._all_known(size, items))
        while True:
            match = _item.match(text, pos)
            if match is None:
                return None
            if match[1] is not None:
                if size > 1:
                    return None
                items.append(match[1].encode("utf-8", "surrogateescape"))
            else:
                value = parse_value(match[2], match.start(2))
                if value is None or (value.has_here and len(items)):
                    return None
                items.append(value)
            pos = match.end()
            if pos >= len(text) and text[-1:] != ",":
                break
        return Data(size, kind, items, self._all_known(size, items))

    def _all_known(self, size: int, items: list[Template | bytes]) -> bytes | None:
        numbers = [item.number for item in items if isinstance(item, Template)]
        data = b""
        mask = (1 << 8 * size) - 1
        if len(numbers) < len(items):
            return None
        for number in numbers:
            if number is None:
                return None
            cut = number & mask if self.masks else number
            if not 0 <= cut <= mask:
                return None
            data += cut.to_bytes(size, "little")
        return data
