"""Reading what :mod:`romproof.toolchains.ca65.obj.objfile` writes, trusting nothing in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from romproof.program.address_size import AddressSize
from romproof.text.span import Source, Span, Via
from romproof.toolchains.ca65.obj.expr import (
    Binary,
    BinaryOp,
    Expr,
    Imported,
    Literal,
    Place,
    Unary,
    UnaryOp,
)
from romproof.toolchains.ca65.obj.object import (
    Action,
    Assertion,
    Export,
    Fixup,
    Import,
    Label,
    Line,
    Object,
    Scope,
    Section,
)
from romproof.toolchains.ca65.obj.objfile import damaged, read_document

T = TypeVar("T")
_WORD = 1 << 63
"""Numbers are signed with 64 bits."""


def read_object(data: bytes, name: str) -> Object:
    """The object in the contents of a file called ``name``.

    Raises BadObjectFile when ``data`` is something else, of another version or damaged.
    """
    document = read_document(data, name)
    try:
        return _Reader(document).read()
    except KeyError as fault:
        raise damaged(name, f"it has no {fault}") from None
    except (ValueError, TypeError, IndexError) as fault:
        raise damaged(name, fault) from None


class _Reader:
    """The nouns in a document. Everything raises ValueError for values that cannot be."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._nodes: list[object] = []
        self._sections: tuple[Section, ...] = ()

    def read(self) -> Object:
        """The whole object."""
        for row in _list(self._document["nodes"]):
            self._nodes.append(self._node(row))
        self._sections = self._all("sections", self._section)
        for node in self._nodes:
            if isinstance(node, Place):  # its offset may be outside: a label minus a number
                self._inside(node.section, 0, 0)
        return Object(
            name=_text(self._document["name"]),
            cpu=_text(self._document["cpu"]),
            sections=self._sections,
            imports=self._all("imports", self._import),
            exports=self._all("exports", self._export),
            labels=self._all("labels", self._label),
            scopes=self._all("scopes", self._scope),
            lines=self._all("lines", self._line),
            assertions=self._all("assertions", self._assertion),
            sources=tuple(self._at(n, Source) for n in _list(self._document["sources"])),
            macro_labels=self._all("macro_labels", self._label),
        )

    def _all(self, key: str, make: Callable[..., T]) -> tuple[T, ...]:
        return tuple(make(*_list(row)) for row in _list(self._document[key]))

    # -- nodes -------------------------------------------------------------------

    def _at(self, number: object, kind: type[T]) -> T:
        """The node at a position, which has to be one of that kind, and read already."""
        node = self._nodes[_natural(number)]
        if not isinstance(node, kind):
            raise ValueError(f"node {number} is no {kind.__name__}")
        return node

    def _via(self, number: object) -> Via | None:
        return None if number is None else self._at(number, Via)

    def _node(self, row: object) -> Source | Span | Via | Expr:
        match row:
            case ["source", name, text, via]:
                return Source(_text(name), _text(text), self._via(via))
            case ["span", source, line, col, length, via]:
                where = (_natural(line), _natural(col), _natural(length))
                return Span(self._at(source, Source), *where, self._via(via))
            case ["via", what, span]:
                return Via(_text(what), self._at(span, Span))
            case ["value", value]:
                return Literal(_number(value))
            case ["place", section, offset]:
                return Place(_natural(section), _number(offset))
            case ["import", name]:
                return Imported(_text(name))
            case ["unary", op, operand]:
                return Unary(UnaryOp(op), self._at(operand, Expr))
            case ["binary", op, left, right]:
                return Binary(BinaryOp(op), self._at(left, Expr), self._at(right, Expr))
        raise ValueError("a node of unknown form")

    # -- what is in the lists ----------------------------------------------------

    def _inside(self, section: int, offset: int, size: int) -> None:
        """A range of bytes that has to be in a section; its end may be the section's."""
        if section >= len(self._sections):
            raise ValueError("a place in no section")
        if offset + size > len(self._sections[section].data):
            raise ValueError("a place outside of its section")

    def _section(
        self,
        name: object,
        contents: object,
        fixups: object,
        gaps: object,
        alignment: object,
        address_size: object,
    ) -> Section:
        data = bytes.fromhex(_text(contents))
        section = Section(
            _text(name),
            data,
            tuple(self._fixup(*_list(fixup)) for fixup in _list(fixups)),
            tuple((_natural(at), _natural(size)) for at, size in map(_list, _list(gaps))),
            _natural(alignment),
            _address_size(address_size),
        )
        ends = [fixup.offset + fixup.size for fixup in section.fixups]
        if max([*ends, *(at + size for at, size in section.gaps)], default=0) > len(data):
            raise ValueError("something outside of its section")
        if section.alignment < 1:
            raise ValueError("an alignment of 0")
        return section

    def _fixup(
        self, offset: object, size: object, expr: object, signed: object, span: object
    ) -> Fixup:
        if size not in (1, 2, 3, 4):
            raise ValueError("a value of impossible size")
        return Fixup(
            _natural(offset),
            _natural(size),
            self._at(expr, Expr),
            _flag(signed),
            self._at(span, Span),
        )

    def _import(self, name: object, size: object, forced: object, span: object) -> Import:
        return Import(_text(name), _address_size(size), _flag(forced), self._at(span, Span))

    def _export(
        self, name: object, expr: object, size: object, span: object, condes: object
    ) -> Export:
        pairs = tuple((_natural(kind), _natural(at)) for kind, at in map(_list, _list(condes)))
        place = self._at(span, Span)
        return Export(_text(name), self._at(expr, Expr), _address_size(size), place, pairs)

    def _label(
        self,
        name: object,
        expr: object,
        address_size: object,
        is_label: object,
        exported: object,
        size: object,
        span: object,
    ) -> Label:
        return Label(
            _text(name),
            self._at(expr, Expr),
            _address_size(address_size),
            _flag(is_label),
            _flag(exported),
            None if size is None else _natural(size),
            self._at(span, Span),
        )

    def _scope(
        self, name: object, section: object, offset: object, size: object, span: object
    ) -> Scope:
        where = (_natural(section), _natural(offset), _natural(size))
        self._inside(*where)
        return Scope(_text(name), *where, self._at(span, Span))

    def _line(
        self,
        section: object,
        offset: object,
        size: object,
        is_code: object,
        span: object,
        origin: object,
    ) -> Line:
        where = (_natural(section), _natural(offset), _natural(size))
        self._inside(*where)
        claimed = None if origin is None else _number(origin)
        return Line(*where, _flag(is_code), self._at(span, Span), claimed)

    def _assertion(self, expr: object, action: object, message: object, span: object) -> Assertion:
        what = (self._at(expr, Expr), Action(action), _text(message))
        return Assertion(*what, self._at(span, Span))


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("no list where there should be one")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("no text where there should be one")
    return value


def _number(value: object) -> int:
    if type(value) is not int or not -_WORD <= value < _WORD:
        raise ValueError("no number where there should be one")
    return value


def _natural(value: object) -> int:
    if _number(value) < 0:
        raise ValueError("a negative number")
    return _number(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither true nor false")
    return value


def _address_size(value: object) -> AddressSize:
    return AddressSize(_natural(value))
