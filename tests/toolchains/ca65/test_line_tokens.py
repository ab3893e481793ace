"""A line that one pattern reads has the tokens that are found in it one after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.text.span import Source
from romproof.toolchains.ca65.asm.dialect import V2_19
from romproof.toolchains.ca65.asm.lexer import Lexer, Syntax
from romproof.toolchains.ca65.asm.line_tokens import read_plain_line
from romproof.toolchains.ca65.asm.tokens import EOF, REGISTERS, Token

CASES = Path(__file__).parents[2] / "cases" / "ca65"
ROOT = Path(__file__).parents[3]


def read(next_line: Callable[[Lexer], list[Token]], text: str, syntax: Syntax) -> list[object]:
    """All tokens of a text with their places, and what is said of them, in order."""
    seen: list[object] = []

    def token(made: Token) -> tuple[object, ...]:
        return (made.kind, made.value, made.space, made.line, made.col, made.length)

    lexer = Lexer(
        Source("x.s", text),
        syntax,
        lambda message, at, help: seen.append((message, token(at)[3:], help)),
        lambda first: seen.append(("comment", token(first))),
    )
    while True:
        line = next_line(lexer)
        seen += map(token, line)
        seen.append(lexer.number)
        if line[-1].kind == EOF:
            return seen


def same(text: str, syntax: Syntax) -> None:
    assert read(Lexer.next_line, text, syntax) == read(Lexer.scan_line, text, syntax)


@pytest.mark.parametrize("folder", [CASES, ROOT / "asm" / "6502", ROOT / "rom"], ids=str)
def test_whole_sources_are_read_alike(folder: Path) -> None:
    sources = [path for path in folder.rglob("*") if path.suffix in (".s", ".inc", ".mac")]
    assert sources
    for path in sources[::4]:
        same(path.read_text("utf-8", "surrogateescape"), Syntax())


WORDS = r"""
a A a: A: x: Z: F: z f F X Y x y b B _ lda Label @l @ @@ : :: := :+ :++ :- :--- :+- $ $1F
$123456789 $g $1_0 % %101 %2 12 0 99999999999 1Fh 0x10 12h 1_0 . .byte .BYT .foo .and .addrsize
.end1 ' 'a' '' " "a" "; ; /* */ // / * << <= <> < >> >= = != ! && & || | ^ ~ ( ) [ ] { } # , + - \
` é
"""
PIECES = st.sampled_from(
    [*WORDS.split(), " ", "\t", "\n", "\r\n", "\\\n", "\xa0", "\x01", "\ufeff"]
)


@given(
    st.lists(PIECES, max_size=12).map("".join),
    st.sets(st.sampled_from(sorted(V2_19.features)), max_size=2),
    st.sampled_from([{}, {}, {"ignore_case": True}, {"local_start": "?"}]),
    st.booleans(),
)
def test_any_line_is_read_alike(
    text: str, features: set[str], other: dict[str, object], continued: bool
) -> None:
    same(text + "\nlast", Syntax(features, line_continuation=continued, **other))  # type: ignore[arg-type]


def test_most_lines_are_plain() -> None:
    """The other tests would pass, too, if none were."""
    for path in sorted((ROOT / "asm" / "6502").rglob("*.s"))[:4]:
        lines = [line.rstrip() for line in path.read_text().splitlines()]
        source = Source("x.s", path.read_text())
        read_at_once = [read_plain_line(line, source, 1, REGISTERS) for line in lines]
        assert sum(tokens is not None for tokens in read_at_once) > 0.9 * len(lines)
