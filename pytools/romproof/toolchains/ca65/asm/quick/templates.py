"""Operands and values by their text: taken apart once, filled in as often as they come.

A :class:`Template` has what does not depend on the place: which addressing modes the text may
denote, its operators, its numbers. Names are looked up when it is used. What is not here
(functions, ``::``, strings, registers of the 65816) is left to the parser of tokens, which decides;
``parse_operand`` and ``parse_value`` give None for it.
"""

from __future__ import annotations

import re
from typing import Final

from romproof.toolchains.ca65.asm.expressions import OPERATORS, PREFIX, unary
from romproof.toolchains.ca65.obj.expr import (
    BinaryOp,
    Expr,
    Literal,
    UnaryOp,
    Unresolved,
    apply_binary,
)

_tokens = re.compile(
    r"[ \t]*(?:"
    r"([@A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_:])"
    r"|(\$[0-9A-Fa-f]{1,8}|%[01]{1,32}|[0-9]{1,9})(?![0-9A-Za-z_])"
    r"|(:(?:\++|-+)(?![^ \t,)]))"
    r"|'([ -&(-~])'"
    r"|(<<|>>|<>|<=|>=|&&|\|\||[-+*/^&|<>=!~()])"
    r")"
)
"""One token."""
_NAME: Final = 1
_NUMBER: Final = 2
_UNNAMED: Final = 3
_CHARACTER: Final = 4
_REGISTERS: Final = frozenset("AXYaxy")


class Name:
    """A symbol that is looked up; ``at`` is its offset in the text."""

    __slots__ = ("at", "text")

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at


class Here:
    """The program counter."""


class Unnamed:
    """An unnamed label, ``count`` ahead, or back; ``at`` is its offset in the text."""

    __slots__ = ("at", "count", "length")

    def __init__(self, count: int, at: int, length: int) -> None:
        self.count = count
        self.at = at
        self.length = length


class Character:
    """A character, whose code is looked up."""

    __slots__ = ("code",)

    def __init__(self, code: int) -> None:
        self.code = code


class Applied:
    """An operator; ``right`` is None where it has one operand."""

    __slots__ = ("left", "op", "right")

    def __init__(self, op: UnaryOp | BinaryOp, left: Node, right: Node | None = None) -> None:
        self.op = op
        self.left = left
        self.right = right


Node = Literal | Name | Here | Unnamed | Character | Applied


class Template:
    """A value: its root, and its first token's place. ``number`` is what it is, if known;
    ``simple`` the name where it is one, ``op plus`` a number or nothing; ``has_here``: it depends
    on the program counter."""

    __slots__ = ("at", "has_here", "length", "number", "op", "plus", "root", "simple")

    def __init__(self, root: Node, has_here: bool, at: int, length: int) -> None:
        self.root = root
        self.has_here = has_here
        self.at = at
        self.length = length
        self.number = root.value if isinstance(root, Literal) else None
        self.simple: Name | None = root if isinstance(root, Name) else None
        self.plus: Literal | None = None
        self.op = BinaryOp.ADD
        if isinstance(root, Applied) and isinstance(root.op, BinaryOp):
            left, right = root.left, root.right
            if isinstance(left, Name) and isinstance(right, Literal):
                self.simple, self.op, self.plus = left, root.op, right

    @property
    def is_part(self) -> bool:
        """Whether it is the low or high byte of a name: what a missing ``#`` looks like."""
        root = self.root
        return (
            isinstance(root, Applied)
            and root.op in (UnaryOp.BYTE0, UnaryOp.BYTE1)
            and isinstance(root.left, Name)
        )


class Operand:
    """What stands behind a mnemonic: the modes that it may denote, smallest first, and a value."""

    __slots__ = ("forms", "value")

    def __init__(self, forms: tuple[str, ...], value: Template | None) -> None:
        self.forms = forms
        self.value = value


class _NotPlain(Exception):
    """Something is for the other parser."""


def parse_value(text: str, at: int = 0) -> Template | None:
    """The value that ``text`` is; ``at`` is the offset of its beginning in the line's rest."""
    bare = text.strip(" \t")
    if bare != text:
        at += len(text) - len(text.lstrip(" \t"))
    single = _single(bare, at)
    if single is not None:
        return Template(single, False, at, len(bare))
    try:
        reader = _Reader(bare, at)
        root = reader.expression()
    except (_NotPlain, Unresolved):
        return None
    if reader.kind:
        return None
    return Template(root, reader.has_here, *reader.first)


def _single(text: str, at: int) -> Literal | Name | None:
    """The value where it is one word or number, as most are; None if it is something else."""
    if text.isidentifier():
        return Name(text, at) if text.isascii() and text not in _REGISTERS else None
    number = number_of(text)
    return None if number is None else Literal(number)


def number_of(text: str) -> int | None:
    """The number that ``text`` is, without a space around it; None if it is something else, or not
    written as most are."""
    if text[:1] == "$":
        digits = text[1:]
        if digits.isalnum() and digits.isascii() and len(digits) <= _MAX_DIGITS:
            try:
                return int(digits, 16)
            except ValueError:
                return None
    elif text.isdecimal() and text.isascii() and len(text) <= _MAX_DIGITS:
        return int(text)
    return None


_MAX_DIGITS: Final = 8
_IMPLIED: Final = Operand(("", "a"), None)
_ACCUMULATOR: Final = Operand(("a",), None)
_IMMEDIATE: Final = ("#nm", "#nx", "#n8")
_INDIRECT: Final = ("(a8)", "(a16)", "[a16]")
_DIRECT: Final = ("a8", "n8", "a16", "a24")
_INDEXED: Final = {"x": ("a8,x", "a16,x", "a24,x"), "y": ("a8,y", "a16,y")}


def parse_operand(text: str) -> Operand | None:
    """The operand that ``text`` is, as operands.py reads it."""
    bare = text.strip(" \t")
    if not bare:
        return _IMPLIED
    at = len(text) - len(text.lstrip(" \t"))
    if bare in ("a", "A"):
        return _ACCUMULATOR
    forms: tuple[str, ...]
    head, comma, index = bare.rpartition(",")
    if bare[0] == "#":
        forms, value, at = _IMMEDIATE, bare[1:], at + 1
    elif not comma:
        forms, value = _DIRECT, bare
        if bare[0] == "(":
            if bare[-1] != ")":
                return None
            forms, value, at = _INDIRECT, bare[1:-1], at + 1
    else:
        head, index = head.rstrip(" \t"), index.strip(" \t").lower()
        if bare[0] != "(" and index in _INDEXED:
            forms, value = _INDEXED[index], head
        elif index == "y" and head[-1:] == ")":
            forms, value, at = ("(a8),y",), head[1:-1], at + 1
        elif bare[0] == "(" and index[:1] == "x" and index[1:].lstrip(" \t") == ")":
            forms, value, at = ("(a8,x)", "(a16,x)"), head[1:], at + 1
        else:
            return None
    made = parse_value(value, at)
    return None if made is None else Operand(forms, made)


class _Reader:
    """Reads one expression, as expressions.py does; ``kind`` is that of the current token, 0 at the
    end."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._offset = at
        self._pos = 0
        self.has_here = False
        self.kind = 0
        self._token = ""
        self._at = 0
        self._next()
        self.first = self._at, max(1, self._pos + at - self._at)

    def _next(self) -> None:
        if self._pos >= len(self._text):
            self.kind, self._token = 0, ""
            return
        match = _tokens.match(self._text, self._pos)
        if match is None or match.lastindex is None:
            raise _NotPlain
        self.kind = match.lastindex
        self._token = match[self.kind]
        self._at = self._offset + match.start(self.kind) - (self.kind == _CHARACTER)
        self._pos = match.end()

    def expression(self) -> Node:
        if self._token == "!" and self.kind > _CHARACTER:
            self._next()
            return _applied(UnaryOp.NOT, self.expression())
        return self._binary(0)

    def _binary(self, level: int) -> Node:
        left = self._factor()
        while self.kind > _CHARACTER:
            operator = OPERATORS.get(self._token)
            if operator is None or operator[0] < level:
                break
            self._next()
            left = _applied(operator[1], left, self._binary(operator[0] + 1))
        return left

    def _factor(self) -> Node:
        kind, token = self.kind, self._token
        made: Node
        if kind == _NUMBER:
            first = token[0]
            made = Literal(
                int(token[1:], 16)
                if first == "$"
                else int(token[1:], 2)
                if first == "%"
                else int(token)
            )
        elif kind == _NAME:
            if token in _REGISTERS or token == "@":
                raise _NotPlain
            made = Name(token, self._at)
        elif kind == _UNNAMED:
            count = len(token) - 1
            made = Unnamed(count if token[1] == "+" else -count, self._at, len(token))
        elif kind == _CHARACTER:
            made = Character(ord(token))
        elif token == "*":
            made = Here()
            self.has_here = True
        elif token == "(":
            self._next()
            made = self.expression()
            if self._token != ")":
                raise _NotPlain
        elif token == "+":
            self._next()
            return self._factor()
        elif token in PREFIX and kind:
            self._next()
            return _applied(PREFIX[token], self._factor())
        else:
            raise _NotPlain
        self._next()
        return made


def _applied(op: UnaryOp | BinaryOp, left: Node, right: Node | None = None) -> Node:
    """An operator, worked out where its operands are numbers. Raises Unresolved."""
    if isinstance(left, Literal):
        if isinstance(op, UnaryOp):
            made: Expr = unary(op, left)
            assert isinstance(made, Literal), "of a number"
            return made
        if isinstance(right, Literal):
            return Literal(apply_binary(op, left.value, right.value))
    return Applied(op, left, right)
