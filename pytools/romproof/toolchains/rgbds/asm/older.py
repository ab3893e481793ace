"""Sources for older RGBDS: what is an error in one for 1.0, which version took it, what to write.

Read on in RGBDS's own list, rgbasm-old(5). A rule looks at the line of an error only, so it can
never change what a source means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from romproof.text.span import Span

_BEFORE: Mapping[str, str] = MappingProxyType(
    {
        "0.3.2": "0.3.1",
        "0.4.0": "0.3.10",
        "0.5.0": "0.4.2",
        "0.6.0": "0.5.2",
        "0.7.0": "0.6.1",
        "0.8.0": "0.7.0",
        "0.9.0": "0.8.0",
        "1.0.0": "0.9.4",
    }
)
"""The release before one that took something away: the last that a source fits."""

_DIALECT: Mapping[str, str] = MappingProxyType(
    {"0.6.0": "0.5", "0.7.0": "0.6", "0.8.0": "0.6", "0.9.0": "0.6", "1.0.0": "0.6"}
)
"""Which dialect of rgbasm's still takes what a release took away."""

_FAULTS = (
    "syntax error",
    "Undefined macro",
    "Undefined symbol",
    "Unknown option",
    "Strings as numbers",
    "Source address",
    "Destination address",
    "Invalid integer constant",
    "Constant must not be negative",
    "Expected constant expression: undefined symbol",
    "Illegal character escape",
)
_ENDS = ("is not a valid instruction", "is not a macro")
"""What messages begin or end with that an old feature may be behind."""

_SECTIONS = {"HOME": "ROM0", "CODE": "ROMX", "DATA": "ROMX", "BSS": "WRAM0"}
_PRINTED = {"T": "{0}", "I": 'STRFMT("%d", {0})', "V": "{0}", "F": 'STRFMT("%f", {0})'}
_LONGEST = 400
"""Characters of a line that is looked at: searching longer ones could take long."""
_NAME = r"[A-Za-z_][\w#@$.]*"
_START = r"(?:^|:)\s*"
_END = r"\s*(?:;.*)?$"


@dataclass(frozen=True, slots=True)
class Rule:
    """What the release ``gone`` took away ("": no release had it, but others' assemblers do).

    ``write`` says what to write in place of what ``old`` matches. ``in_dialect``: rgbasm takes it
    with ``--dialect``, if there is one for the release before.
    """

    gone: str
    old: re.Pattern[str]
    write: Callable[[re.Match[str]], str]
    in_dialect: bool = True


def _rule(
    gone: str, old: str, write: str | Callable[[re.Match[str]], str], in_dialect: bool = True
) -> Rule:
    """A rule; ``write`` may be a template as ``Match.expand`` takes it."""
    made = write if callable(write) else lambda match: f"write '{match.expand(write)}'"
    return Rule(gone, re.compile(old, re.IGNORECASE), made, in_dialect)


RULES = (
    _rule(
        "0.4.0",
        r"(?<=,)\s*(?P<type>HOME|CODE|DATA|BSS)\b",
        lambda m: f"write '{_SECTIONS[m['type'].upper()]}' in place of '{m['type']}'",
    ),
    _rule("0.4.0", r"\bjp\s+[\[(]\s*hl\s*[\])]", "jp hl"),
    _rule("0.4.0", r"\bld([id])\s+a\s*,\s*hl\b", r"ld\1 a, [hl]"),
    _rule("0.4.0", r"\bld([id])\s+hl\s*,\s*a\b", r"ld\1 [hl], a"),
    _rule("0.4.0", r"\bld\s+hl\s*,\s*\[\s*(sp\s*[+-][^]]*?)\s*\]", r"ld hl, \1"),
    _rule("", r"\bldhl\s+sp\s*,\s*([^;]*?)" + _END, r"ld hl, sp + \1"),
    _rule(
        "0.4.0",
        _START + r"(IMPORT|XREF)\b",
        lambda m: "remove the line, as exports of other files are known without it",
    ),
    _rule("0.5.0", _START + r"(?:GLOBAL|XDEF)\b\s*([^;]*?)" + _END, r"EXPORT \1"),
    _rule("0.5.0", _START + r"OPT\s+z(\w+)", r"OPT p\1"),
    _rule("0.5.0", r"^\*", lambda m: "write ';' in place of '*'"),
    _rule("0.5.0", r"\badd\s+(bc|de|hl|sp)" + _END, r"add hl, \1"),
    _rule(
        "0.6.0",
        _START + r"PRINT(?P<kind>[TIVF])\s+(?P<what>[^;]*?)" + _END,
        lambda m: f"write 'PRINT {_PRINTED[m['kind'].upper()].format(m['what'])}'",
    ),
    _rule("0.6.0", r"\b_PI\b", "3.141592653"),
    _rule(
        "0.6.0",
        rf"(?:\bDEF\s+)?(?P<name>{_NAME})\s+SET\s+(?P<value>[^;]*?){_END}",
        r"DEF \g<name> = \g<value>",
    ),
    _rule("0.7.0", rf"({_NAME})\s*::?\s*\bMACRO\b", r"MACRO \1"),
    _rule("", rf"^({_NAME})\s+MACRO\b", r"MACRO \1"),
    _rule(
        "0.7.0",
        r"\b__(FILE|LINE)__\b",
        lambda m: "this symbol no longer exists; WARN and FAIL show the position",
    ),
    _rule("0.7.0", rf"({_NAME}):\s+:", r"\1::"),
    _rule("0.7.0", r"\\,", ",", in_dialect=False),
    _rule(
        "0.8.0",
        rf"^({_NAME})\s+(EQUS?|R[BWL]|=|[-+*/%&|^]=|<<=|>>=)\s*([^;]*?){_END}",
        r"DEF \1 \2 \3",
    ),
    _rule("0.9.0", rf"^({_NAME})\s+(::?)", r"\1\2"),
    _rule("1.0.0", r"\bldio\b\s*([^;]*?)" + _END, r"ldh \1"),
    _rule("1.0.0", r"\bld\s+a\s*,\s*[\[(]\s*c\s*[\])]", "ldh a, [c]"),
    _rule("1.0.0", r"\bld\s+[\[(]\s*c\s*[\])]\s*,\s*a\b", "ldh [c], a"),
    _rule("1.0.0", r"\bldh\s+a\s*,\s*\[\s*\$([0-9a-f]{2})\s*\]", r"ldh a, [$ff\1]"),
    _rule("1.0.0", r"\bldh\s+\[\s*\$([0-9a-f]{2})\s*\]\s*,\s*a\b", r"ldh [$ff\1], a"),
    _rule(
        "1.0.0",
        r'"[^"]{2,}"',
        lambda m: "write its characters one by one, such as 'A' << 8 | 'B'",
        in_dialect=False,
    ),
    _rule(
        "1.0.0",
        r"\b\w*?(?:__+|_\b)\w*",
        lambda m: f"write '{re.sub('_+', '_', m[0]).rstrip('_')}'",
        in_dialect=False,
    ),
    _rule("0.3.2", r"\bds\s+-", lambda m: "use UNION, where several names share memory"),
)
_LABEL = re.compile(rf"^({_NAME}){_END}")


def old_form(message: str, span: Span | None, help: str | None) -> str | None:
    """What to write where an error is about an old feature; else ``help``."""
    if span is None or not (message.startswith(_FAULTS) or message.endswith(_ENDS)):
        return help
    line, at = span.text, span.col - 1
    if len(line) > _LONGEST:
        return help
    for rule in RULES:
        for match in rule.old.finditer(line):
            if match.start() <= at < max(match.end(), match.start() + 1) and _fits(rule, message):
                return f"{_taken_until(rule.gone)}: {rule.write(match)}{_or_dialect(rule)}"
    label = _LABEL.match(line)
    if at == 0 and label is not None and message.startswith("Undefined macro"):
        other = f"{help} " if help else ""
        return f"{other}{_taken_until('0.5.0')} as a label: write '{label[1]}:'"
    return help


def _fits(rule: Rule, message: str) -> bool:
    """Whether a rule about numbers or strings is meant by the message."""
    if rule.old.pattern.startswith('"'):
        return message.startswith("Strings as numbers")
    if rule.old.pattern.startswith(r"\b\w*?"):
        return message.startswith("Invalid integer constant")
    return True


def _or_dialect(rule: Rule) -> str:
    """That there is another way: to say how old the source is."""
    dialect = _DIALECT.get(rule.gone) if rule.in_dialect else None
    return f", or assemble with 'rgbasm --dialect {dialect}'" if dialect else ""


def _taken_until(gone: str) -> str:
    return f"RGBDS {_BEFORE[gone]} is the last that takes this" if gone else "no RGBDS takes this"
