"""Parsing the tokens of plain lines: expressions, and the operands of instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.keywords import CONDITIONS, MOVING_POINTERS, REGISTERS
from romproof.toolchains.rgbds.asm.model import known
from romproof.toolchains.rgbds.asm.operands import (
    Condition,
    Immediate,
    MemoryOperand,
    Operand,
    Register,
)
from romproof.toolchains.rgbds.asm.quick import values
from romproof.toolchains.rgbds.asm.quick.scan import PlainToken, tokens
from romproof.toolchains.rgbds.asm.quick.values import NotPlain, PlainValue
from romproof.toolchains.rgbds.asm.values import OPERATORS, POWER, PREFIXES
from romproof.toolchains.rgbds.obj.rpn import RpnOp

_ANY = known(0)
"""The value of operands when their form is all that counts."""
_BEFORE_VALUES = frozenset({",", "DB", "DW", "DL", "DS"})
_MAX_VALUES = 5_000
"""Texts of an argument whose values are remembered at a time."""
_LONGEST = 200
_PLAIN_STRING = re.compile(r'"([^"\\{\r\n]+)"')
_POINTERS = frozenset({"BC", "DE", "HL", "C"})
_NAMED: dict[str, Operand] = {name: Register(name.lower()) for name in REGISTERS}
_NAMED |= {name: Condition(name.lower()) for name in CONDITIONS}
_POINTED = {name: Register(f"[{name.lower()}]") for name in (*_POINTERS, "HL+", "HL-")}
_POINTED |= {name: Register(f"[{text}]") for name, text in MOVING_POINTERS.items()}
_NUMBER, _ADDRESS = Immediate(_ANY), MemoryOperand(_ANY)
"""All forms that operands have here: each is one object, so that what they make is known by them.
"""


class Scanner:
    """Goes over the tokens of a line. All methods raise NotPlain."""

    def __init__(self, asm: Assembly, tokens: Sequence[PlainToken], at: int = 0) -> None:
        self._asm = asm
        self._tokens = tokens
        self._at = at

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self._tokens[self._at][0]

    @property
    def column(self) -> int:
        """Where the next token is in the line."""
        return self._tokens[self._at][2]

    def take(self) -> PlainToken:
        """The next token, which is gone past."""
        token = self._tokens[self._at]
        self._at += 1
        return token

    def accept(self, kind: str) -> bool:
        """Go past the next token if it is of a kind."""
        if self._tokens[self._at][0] != kind:
            return False
        self._at += 1
        return True

    def expect(self, kind: str) -> str:
        """Go past the next token, which must be of a kind; gives its text."""
        if self._tokens[self._at][0] != kind:
            raise NotPlain
        return str(self.take()[1])

    # -- expressions ------------------------------------------------------------------------

    def expression(self) -> PlainValue:
        """A number."""
        return self._climb(self._unary(), 0)[0]

    def _climb(self, left: tuple[PlainValue, str], level: int) -> tuple[PlainValue, str]:
        """See Values.climb; with each value the name that it is, if it is nothing else."""
        while True:
            row = OPERATORS.get(self.kind)
            if row is None or row[0] < level:
                return left
            binds, op = row
            self._at += 1
            right = self._climb(self._unary(), binds if binds == POWER else binds + 1)
            names = left[1], right[1]
            left = values.binary(self._asm, op, left[0], right[0], names), ""

    def _unary(self) -> tuple[PlainValue, str]:
        kind = self.kind
        if kind not in PREFIXES:
            return self._primary()
        op = PREFIXES[kind]
        self._at += 1
        operand = self._climb(self._unary(), POWER)[0]
        return (operand if op is None else values.unary(self._asm, op, operand)), ""

    def _primary(self) -> tuple[PlainValue, str]:
        kind, value, _ = self.take()
        if kind == "NUMBER":
            assert isinstance(value, int)
            return values.number(value), ""
        name = str(value)
        if kind in ("NAME", "LOCAL"):
            return values.symbol(self._asm, name), name
        if kind == "CHARACTER":
            return values.character(self._asm, name), ""
        if kind == "ARGUMENT" and name != "#":
            return _argument(self._asm, int(name), self._is_alone()), values.SOME_NAME
        if kind == "(":
            inner, name = self._climb(self._unary(), 0)
            self.expect(")")
            return inner, name
        if kind not in ("BANK", "LOW", "HIGH", "DEF", "STRFIND", "CHARLEN"):
            raise NotPlain
        self.expect("(")
        if kind == "STRFIND":
            text = self.expect("STRING")
            self.expect(",")
            made = values.number(text.find(self.expect("STRING")))
        elif kind == "CHARLEN":
            made = values.entries(self._asm, self.expect("STRING"))
        elif kind in ("LOW", "HIGH"):
            made = values.unary(self._asm, RpnOp[kind], self.expression())
        elif kind == "DEF":
            made = values.is_defined(self._asm, self.expect("NAME"))
        else:
            name = str(self.take()[1]) if self.kind in ("NAME", "LOCAL") else self.expect("NAME")
            made = values.bank(self._asm, name)
        self.expect(")")
        return made, ""

    def arguments(self) -> Given | None:
        """Macro arguments that stand alone between two commas, and are gone past; None: others
        are next."""
        kind, name, _ = self._tokens[self._at]
        if kind != "ARGUMENT" or self._tokens[self._at + 1][0] not in (",", "END"):
            return None
        self._at += 1
        return _arguments_now(self._asm, str(name))

    def _is_alone(self) -> bool:
        """Whether the token that was taken is all between two commas."""
        before = self._tokens[self._at - 2][0]
        return before in _BEFORE_VALUES and self.kind in (",", "END")

    # -- operands ---------------------------------------------------------------------------

    def operands(self) -> tuple[list[Operand], list[PlainValue]]:
        """Those of an instruction, up to the end, and the values in them."""
        forms: list[Operand] = []
        used: list[PlainValue] = []
        while self.kind != "END":
            if forms:
                self.expect(",")
            form, value = self._operand()
            forms.append(form)
            if value is not None:
                used.append(value)
        return forms, used

    def _operand(self) -> tuple[Operand, PlainValue | None]:
        kind = self.kind
        known = _NAMED.get(kind)
        if known is not None:
            self._at += 1
            return known, None
        if kind == "[":
            self._at += 1
            return self._memory()
        if kind == "!":
            raise NotPlain
        return _NUMBER, self.expression()

    def _memory(self) -> tuple[Operand, PlainValue | None]:
        kind = self.kind
        if kind in _POINTERS or kind in MOVING_POINTERS:
            self._at += 1
            if kind == "HL" and self.kind in ("+", "-"):
                kind += self.take()[0]
            self.expect("]")
            return _POINTED[kind], None
        value = self.expression()
        self.expect("]")
        return _ADDRESS, value


Item = tuple[PlainValue | None, str]
"""A number, or the text of a string."""
Given = Callable[[], Sequence[Item]]
"""Gives what arguments are now. Raises NotPlain."""


def _arguments_now(asm: Assembly, name: str) -> Given:
    contexts = asm.contexts
    known: dict[str, Item | None] = {}

    def item(text: str | None) -> Item:
        if text is None:
            raise NotPlain
        if text not in known:
            if len(known) >= _MAX_VALUES:
                known.clear()
            known[text] = _item_of(asm, text)
        found = known[text]
        if found is None:
            raise NotPlain
        return found

    def given() -> Sequence[Item]:
        arguments = contexts.arguments
        if arguments is None:
            raise NotPlain
        if name != "#":
            return (item(arguments.get(int(name))),)
        return [item(text) for text in arguments.texts[arguments.shifted :]]

    return given


def _item_of(asm: Assembly, text: str) -> Item | None:
    match = _PLAIN_STRING.fullmatch(text)
    if match is not None:
        return None, match[1]
    value = _value_of(asm, text, is_alone=True)
    return None if value is None else (value, "")


def _argument(asm: Assembly, number: int, is_alone: bool) -> PlainValue:
    """A macro argument that is a name or number, or any value if it stands alone."""
    contexts = asm.contexts
    known: dict[str, PlainValue | None] = {}

    def value() -> PlainValue:
        arguments = contexts.arguments
        text = None if arguments is None else arguments.get(number)
        if text is None:
            raise NotPlain
        if text not in known:
            if len(known) >= _MAX_VALUES:
                known.clear()
            known[text] = _value_of(asm, text, is_alone)
        found = known[text]
        if found is None:
            raise NotPlain
        return found

    return (lambda: value()[0]()), (lambda: value()[1]())


def _value_of(asm: Assembly, text: str, is_alone: bool) -> PlainValue | None:
    if "\\" in text or len(text) > _LONGEST:
        return None
    try:
        scanned = tokens(text, 0)
        if not is_alone and (len(scanned) != 2 or scanned[0][0] not in ("NAME", "NUMBER")):
            return None
        scanner = Scanner(asm, scanned)
        value = scanner.expression()
        scanner.expect("END")
    except NotPlain:
        return None
    return value
