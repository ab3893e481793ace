"""The functions of the language, by name: numbers of numbers, of strings, and strings.

Each reads its arguments up to the closing parenthesis, and only then works anything out.
"""

from __future__ import annotations

from collections.abc import Callable

from romproof.support.reading import MAX_TEXT, read_input
from romproof.toolchains.rgbds.asm import strings
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.fixed import FIXED_FUNCTIONS
from romproof.toolchains.rgbds.asm.format import format_string
from romproof.toolchains.rgbds.asm.keywords import REGISTERS, SECTION_TYPES
from romproof.toolchains.rgbds.asm.model import Expression, known
from romproof.toolchains.rgbds.asm.values import ValueParser
from romproof.toolchains.rgbds.obj.rpn import RpnOp
from romproof.toolchains.rgbds.obj.types import SectionType

_NAMES = ("SYMBOL", "LABEL", "LOCAL", "ANON")
_PAIRS = frozenset(["AF", "BC", "DE", "HL", "SP"])
_UNARY = {
    "HIGH": RpnOp.HIGH,
    "LOW": RpnOp.LOW,
    "BITWIDTH": RpnOp.BITWIDTH,
    "TZCOUNT": RpnOp.TZCOUNT,
}


def number(parser: ValueParser, asm: Assembly, name: str) -> Expression:
    """The value of the function ``name``, whose arguments follow. Raises SyntaxFault."""
    if name == "DEF":
        return _def(parser, asm)
    parser.expect("(")
    if name in _UNARY:
        operand = parser.expression()
        parser.expect(")")
        return asm.expressions.unary(_UNARY[name], operand)
    if name in FIXED_FUNCTIONS:
        return _fixed_point(parser, asm, name)
    if name in _OTHERS:
        return _OTHERS[name](parser, asm)
    return known(_OF_STRINGS[name](parser, asm))


def string(parser: ValueParser, asm: Assembly, name: str) -> str:
    """The text of the function ``name``, whose arguments follow. Raises SyntaxFault."""
    parser.expect("(")
    return _STRINGS[name](parser, asm)


def _def(parser: ValueParser, asm: Assembly) -> Expression:
    """DEF(name): the name is not expanded."""
    context = parser.lexer.context
    context.expanding_strings = False
    parser.expect("(")
    name = parser.name(*_NAMES)
    parser.expect(")")
    context.expanding_strings = True
    return known(int(asm.symbols.find_valid(name) is not None))


def _fixed_point(parser: ValueParser, asm: Assembly, name: str) -> Expression:
    count, function = FIXED_FUNCTIONS[name]
    operands = [parser.constant()]
    for _ in range(count - 1):
        parser.expect(",")
        operands.append(parser.constant())
    usual = asm.settings.precision
    precision = usual
    if parser.accept(","):
        precision = parser.constant()
        if not 1 <= precision <= 31:
            asm.report.error(f"Fixed-point precision must be between 1 and 31, not {precision}")
            precision = usual
    parser.expect(")")
    return known(function(*operands, precision))


def _isconst(parser: ValueParser, asm: Assembly) -> Expression:
    operand = parser.expression()
    parser.expect(")")
    return known(int(operand.is_known))


def _bank(parser: ValueParser, asm: Assembly) -> Expression:
    if parser.kind in _NAMES:
        name = parser.name(*_NAMES)
        parser.expect(")")
        return asm.expressions.bank_of_symbol(name)
    return asm.expressions.bank_of_section(_last_string(parser, asm))


def _sizeof(parser: ValueParser, asm: Assembly) -> Expression:
    kind = _section_type(parser)
    if kind is not None:
        return asm.expressions.size_of_type(kind)
    size = _register_size(parser)
    if size is not None:
        parser.expect(")")
        return known(size)
    return asm.expressions.size_of_section(_last_string(parser, asm))


def _section_type(parser: ValueParser) -> SectionType | None:
    if parser.kind not in SECTION_TYPES:
        return None
    name = parser.next()[0]
    parser.expect(")")
    return SectionType[name]


def _register_size(parser: ValueParser) -> int | None:
    """Bytes of the register that is next, or of what a pointer points to."""
    if parser.kind in ("HIGH", "LOW"):
        parser.next()
        parser.expect("(")
        parser.expect("AF", "BC", "DE", "HL")
        parser.expect(")")
        return 1
    if parser.accept("["):
        if not parser.accept("HLI", "HLD"):
            pair = parser.expect("BC", "DE", "HL")
            if pair[0] == "HL":
                parser.accept("+", "-")
        parser.expect("]")
        return 1
    if parser.kind in REGISTERS:
        return 2 if parser.next()[0] in _PAIRS else 1
    return None


def _startof(parser: ValueParser, asm: Assembly) -> Expression:
    kind = _section_type(parser)
    if kind is not None:
        return asm.expressions.start_of_type(kind)
    return asm.expressions.start_of_section(_last_string(parser, asm))


_OTHERS: dict[str, Callable[[ValueParser, Assembly], Expression]] = {
    "ISCONST": _isconst,
    "BANK": _bank,
    "SIZEOF": _sizeof,
    "STARTOF": _startof,
}


def _last_string(parser: ValueParser, asm: Assembly) -> str:
    """The only argument, or the last one."""
    text = parser.string()
    parser.expect(")")
    return text


def _two(parser: ValueParser, asm: Assembly) -> tuple[str, str]:
    left = parser.string()
    parser.expect(",")
    return left, _last_string(parser, asm)


def _and_index(parser: ValueParser) -> tuple[str, int]:
    text = parser.string()
    parser.expect(",")
    index = parser.constant()
    parser.expect(")")
    return text, index


def _and_two_numbers(parser: ValueParser) -> tuple[str, int, int | None]:
    """A string and one or two numbers."""
    text = parser.string()
    parser.expect(",")
    first = parser.constant()
    second = parser.constant() if parser.accept(",") else None
    parser.expect(")")
    return text, first, second


def _strcmp(parser: ValueParser, asm: Assembly) -> int:
    return strings.compare(*_two(parser, asm))


def _strfind(parser: ValueParser, asm: Assembly) -> int:
    text, part = _two(parser, asm)
    return text.find(part)


def _strrfind(parser: ValueParser, asm: Assembly) -> int:
    text, part = _two(parser, asm)
    return text.rfind(part)


def _strin(parser: ValueParser, asm: Assembly) -> int:
    text, part = _two(parser, asm)
    _warn_deprecated(parser, asm, "STRIN", "STRFIND")
    return text.find(part) + 1


def _strrin(parser: ValueParser, asm: Assembly) -> int:
    text, part = _two(parser, asm)
    _warn_deprecated(parser, asm, "STRRIN", "STRRFIND")
    return text.rfind(part) + 1


def _warn_deprecated(parser: ValueParser, asm: Assembly, old: str, new: str) -> None:
    asm.report.warning("obsolete", f"`{old}` is deprecated; use 0-indexed `{new}` instead")


def _strlen(parser: ValueParser, asm: Assembly) -> int:
    return strings.length(_last_string(parser, asm), asm.report)


def _bytelen(parser: ValueParser, asm: Assembly) -> int:
    return len(_last_string(parser, asm))


def _strbyte(parser: ValueParser, asm: Assembly) -> int:
    text, index = _and_index(parser)
    return strings.byte(text, index, asm.report)


def _charlen(parser: ValueParser, asm: Assembly) -> int:
    return strings.entries(_last_string(parser, asm), asm.charmaps)


def _incharmap(parser: ValueParser, asm: Assembly) -> int:
    return int(asm.charmaps.has(_last_string(parser, asm)))


def _charcmp(parser: ValueParser, asm: Assembly) -> int:
    left, right = _two(parser, asm)
    return strings.compare_entries(left, right, asm.charmaps)


def _charsize(parser: ValueParser, asm: Assembly) -> int:
    return strings.entry_size(_last_string(parser, asm), asm.report, asm.charmaps)


def _charval(parser: ValueParser, asm: Assembly) -> int:
    text = parser.string()
    index = parser.constant() if parser.accept(",") else None
    parser.expect(")")
    report, charmaps = asm.report, asm.charmaps
    if index is not None:
        return strings.entry_value_at(text, index, report, charmaps)
    return strings.entry_value(text, report, charmaps)


_OF_STRINGS: dict[str, Callable[[ValueParser, Assembly], int]] = {
    "STRCMP": _strcmp,
    "STRFIND": _strfind,
    "STRRFIND": _strrfind,
    "STRIN": _strin,
    "STRRIN": _strrin,
    "STRLEN": _strlen,
    "BYTELEN": _bytelen,
    "STRBYTE": _strbyte,
    "CHARLEN": _charlen,
    "INCHARMAP": _incharmap,
    "CHARCMP": _charcmp,
    "CHARSIZE": _charsize,
    "CHARVAL": _charval,
}


def _readfile(parser: ValueParser, asm: Assembly) -> str:
    name = parser.string()
    most = parser.count() if parser.accept(",") else None
    parser.expect(")")
    path = asm.files.find(name)
    fault = "No such file or directory"
    if path is not None:
        try:
            data = read_input(path, MAX_TEXT)
            return (data if most is None else data[:most]).decode("latin-1")
        except OSError as error:
            fault = error.strerror or str(error)
    asm.files.missing(name, "`READFILE`", fault)
    return ""


def _strcat(parser: ValueParser, asm: Assembly) -> str:
    text = ""
    while parser.kind != ")":
        text = asm.growth.check(text + parser.string())
        if parser.kind != ")":
            parser.expect(",")
            if parser.kind == ")":
                parser.refuse_token()
    parser.expect(")")
    return text


def _strslice(parser: ValueParser, asm: Assembly) -> str:
    text, start, stop = _and_two_numbers(parser)
    return strings.cut(text, start, stop, asm.report)


def _strsub(parser: ValueParser, asm: Assembly) -> str:
    text, position, size = _and_two_numbers(parser)
    if size is not None and size < 0:
        asm.report.fatal(f"Constant must not be negative: {size}")
    return strings.cut_by_length(text, position, size, asm.report)


def _strchar(parser: ValueParser, asm: Assembly) -> str:
    text, index = _and_index(parser)
    return strings.entry(text, index, asm.report, asm.charmaps)


def _charsub(parser: ValueParser, asm: Assembly) -> str:
    text, position = _and_index(parser)
    return strings.entry_by_position(text, position, asm.report, asm.charmaps)


def _revchar(parser: ValueParser, asm: Assembly) -> str:
    values = [parser.constant()]
    while parser.accept(","):
        values.append(parser.constant())
    parser.expect(")")
    return strings.from_values(values, asm.report, asm.charmaps)


def _strrpl(parser: ValueParser, asm: Assembly) -> str:
    text = parser.string()
    parser.expect(",")
    old, new = _two(parser, asm)
    if old:
        asm.growth.check(text, text.count(old) * (len(new) - len(old)))
    return strings.replace(text, old, new, asm.report)


def _strfmt(parser: ValueParser, asm: Assembly) -> str:
    template = ""
    arguments: list[int | str] = []
    if parser.kind != ")":
        template = parser.string()
        while parser.accept(","):
            value = parser.value()
            if not isinstance(value, str):
                arguments.append(asm.expressions.constant(value))
            else:
                arguments.append(value)
    parser.expect(")")
    settings = asm.settings
    return format_string(template, arguments, asm.report, settings.precision)


def _section(parser: ValueParser, asm: Assembly) -> str:
    name = parser.name(*_NAMES)
    parser.expect(")")
    symbols, report = asm.symbols, asm.report
    symbol = symbols.find_valid(name)
    if symbol is None:
        purged = "; it was purged" if symbols.was_purged(name) else ""
        report.fatal(f"Undefined symbol `{name}`{purged}")
    section = symbols.section_of(symbol)
    if section is None:
        report.fatal(f"`{symbol.name}` does not belong to any section")
    return section.name


_STRINGS: dict[str, Callable[[ValueParser, Assembly], str]] = {
    "READFILE": _readfile,
    "STRCAT": _strcat,
    "STRSLICE": _strslice,
    "STRSUB": _strsub,
    "STRCHAR": _strchar,
    "CHARSUB": _charsub,
    "REVCHAR": _revchar,
    "STRUPR": lambda parser, asm: strings.upper(_last_string(parser, asm)),
    "STRLWR": lambda parser, asm: strings.lower(_last_string(parser, asm)),
    "STRRPL": _strrpl,
    "STRFMT": _strfmt,
    "SECTION": _section,
}
