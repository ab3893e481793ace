"""The quick path from characters to tokens gives what the plain path gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble
from romproof.toolchains.ca65.asm.assembler import Assembler
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.lexer import FEATURES, Lexer, Syntax
from romproof.toolchains.ca65.asm.quick.tokens import QuickLexer
from romproof.toolchains.ca65.asm.tokens import EOF, Token
from romproof.toolchains.ca65.obj.encode import encode_object

CASES = Path(__file__).parents[2] / "cases" / "ca65"
ROOT = Path(__file__).parents[3]


def read(lexer_of: type[Lexer], text: str, syntax: Syntax) -> list[object]:
    """All tokens of a text with their places, and what is said of them, in order."""
    seen: list[object] = []

    def token(made: Token) -> tuple[object, ...]:
        return (made.kind, made.value, made.space, made.line, made.col, made.length)

    lexer = lexer_of(
        Source("x.s", text),
        syntax,
        lambda message, at, help: seen.append((message, token(at)[3:], help)),
        lambda first: seen.append(("comment", token(first))),
    )
    while True:
        line = lexer.next_line()
        seen += map(token, line)
        seen.append(lexer.number)
        if line[-1].kind == EOF:
            return seen


def same(text: str, syntax: Syntax) -> None:
    assert read(QuickLexer, text, syntax) == read(Lexer, text, syntax)


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
    st.sets(st.sampled_from(sorted(FEATURES)), max_size=2),
    st.sampled_from([{}, {}, {"ignore_case": True}, {"local_start": "?"}]),
    st.booleans(),
)
def test_any_line_is_read_alike(
    text: str, features: set[str], other: dict[str, object], continued: bool
) -> None:
    same(text + "\nlast", Syntax(features, line_continuation=continued, **other))  # type: ignore[arg-type]


def test_objects_and_messages_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every case: the plain path still assembles, and to the same."""

    def outcome(path: Path) -> object:
        diagnostics = Diagnostics()
        options = Options(tables=True, debug_info=True, include=(CASES,), out=lambda text: None)
        try:
            made = assemble(path, options, diagnostics)
        except BuildFailed as failure:
            return str(failure)
        assert made.tables is not None
        return encode_object(made.tables), diagnostics.items.__repr__()

    paths = sorted(CASES.glob("*.s"))[::8]
    quick = [outcome(path) for path in paths]
    monkeypatch.setattr(Assembler, "feed_of", Feed)
    assert [outcome(path) for path in paths] == quick
