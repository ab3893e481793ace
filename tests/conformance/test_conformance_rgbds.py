"""The suites of RGBDS's tools: what is found, what is compared, what is told of a failure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from small_rgbds import FILES, write_suite

from romproof.conformance.model import NO_ENGINE, SuiteFile, SuiteOutcome
from romproof.conformance.rgbds_asm import find_asm, run_asm
from romproof.conformance.rgbds_fix import find_fix, run_fix
from romproof.conformance.rgbds_gfx import find_gfx, run_gfx
from romproof.conformance.rgbds_link import find_link, run_link
from romproof.conformance.rgbds_tools import Message, messages
from romproof.conformance.run import pieces_in, run_piece

Runner = Callable[[SuiteFile, str, int], SuiteOutcome]
ASM, LINK, FIX = (find_asm, run_asm), (find_link, run_link), (find_fix, run_fix)
GFX = (find_gfx, run_gfx)


def test_messages_of_the_original_are_read() -> None:
    text = """\
warning: look at
this [-Wuser]
    at main.asm::m(4) <- main.asm::REPT~1(6) <- main.asm(5)
error: `x` already defined
    at inc/a b.inc(12)
    and also:
    at main.asm(1)
error: Section "a" is too big
FATAL: Recursion limit (64) exceeded
    at main.asm(1) <- main.asm(2)
    while expanding symbol `x`
Assembly aborted with 3 errors
"""
    assert messages(text) == [
        Message("warning", "main.asm", 4, "-Wuser"),
        Message("error", "inc/a b.inc", 12),
        Message("error"),
        Message("error", "main.asm", 1, fatal=True),
    ]


def test_our_messages_are_read() -> None:
    text = """\
main.asm:4:6: warning: look [-Wuser]
    4 |   WARN "look"
      |   ^^^^
  in macro 'm', called at main.asm:6:3
error: no such file
<stdin>:1:1: error: `x` already defined [-Werror=obsolete]
  note: first defined at main.asm:1:2
2 errors and 1 warning
"""
    assert messages(text) == [
        Message("warning", "main.asm", 4, "-Wuser"),
        Message("error"),
        Message("error", "<stdin>", 1, "-Werror=obsolete"),
    ]


@pytest.mark.slow
def test_everything_is_found_and_passes(tmp_path: Path) -> None:
    write_suite(tmp_path)
    names = ("rgbds-asm", "rgbds-link", "rgbds-fix", "rgbds-gfx")
    pieces = pieces_in(tmp_path, names, engine="plain")
    assert {piece.engine for piece in pieces} == {NO_ENGINE}
    found = {name: [p.file.name for p in pieces if p.suite == name] for name in names}
    assert found["rgbds-asm"] == [
        "cli/pad.flags",
        "invalid-source-date-epoch.asm",
        "missing/a.asm",
        "notexist.asm",
        "print.asm",
        "state-file/a.asm",
        "wrong.asm",
    ]
    assert found["rgbds-link"] == [
        "bank.asm",
        "call.asm",
        "place.asm",
        "section-union/size.asm",
        "two/a.asm",
    ]
    assert found["rgbds-fix"] == ["no-input.err", "short.flags", "title.flags"]
    assert found["rgbds-gfx"] == [
        "back.1bpp",
        "few.png",
        "seed0.bin",
        "two.png",
        "write_stdout.bin",
    ]
    cases = {}
    for piece in pieces:
        _, outcome, _ = run_piece(piece)
        assert not outcome.failed, outcome.failures
        cases[piece.suite] = cases.get(piece.suite, 0) + outcome.passed
    # sources also from stdin; variants and scripts; the ways of rgbfix; four numberings of tiles
    assert cases == {"rgbds-asm": 10, "rgbds-link": 8, "rgbds-fix": 7, "rgbds-gfx": 10}


@pytest.mark.quick_cases("a byte of a header", "bytes of a picture", "bytes on stdout")
@pytest.mark.parametrize(
    ("suite", "name", "path", "content", "told"),
    [
        (ASM, "print.asm", "test/asm/print.out", "n is 9\n", "stdout, line 1: 'n is 8', "),
        (
            ASM,
            "print.asm",
            "test/asm/print.err",
            str(FILES["test/asm/print.err"]).replace("::m(3)", "::m(4)"),
            "message 2 is warning at print.asm:3 [-Wtruncation], "
            "expected warning at print.asm:4 [-Wtruncation]",
        ),
        (
            ASM,
            "print.asm",
            "test/asm/print.err",
            str(FILES["test/asm/print.err"]).replace("-Wtruncation", "-Wuser"),
            "message 2 is warning at print.asm:3 [-Wtruncation], ",
        ),
        (
            ASM,
            "print.asm",
            "test/asm/print.err",
            str(FILES["test/asm/print.err"]) + "error: one more\n    at print.asm(8)\n",
            "message 4 is missing: error at print.asm:8",
        ),
        (ASM, "wrong.asm", "test/asm/wrong.err", "", "one message too many: error at wrong.asm:2"),
        (
            ASM,
            "print.asm",
            "test/asm/print.out.bin",
            b"\x05\x2d",
            "byte $0001 of the ROM is $2C, expected $2D",
        ),
        (
            ASM,
            "state-file/a.asm",
            "test/asm/state-file/a.dump.asm",
            str(FILES["test/asm/state-file/a.dump.asm"]).replace("$c", "$d"),
            "state file, line 4: 'def x equ $c', expected 'def x equ $d'",
        ),
        (LINK, "call.asm", "test/link/call.out.bin", bytes(99), "byte $0010 of the ROM is $CD, "),
        (
            LINK,
            "two/a.asm",
            "test/link/two/ref.out.sym",
            "; File generated by rgblink\n00:0003 There\n",
            "sym, line 2: '00:0002 There', expected '00:0003 There'",
        ),
        (
            LINK,
            "place.asm",
            "test/link/place-good.out",
            'error: Undefined section "c"\n    at place-bad.link(2)\n',
            "message 1 is missing: error at place-bad.link:2",
        ),
        (FIX, "title.flags", "test/fix/title.gb", bytes(0x150), "byte $0104 of the ROM is $CE, "),
        (FIX, "short.flags", "test/fix/short.err", "", "one message too many: error"),
        (GFX, "two.png", "test/gfx/two.out.2bpp", b"\xaa", "the ROM has 16 bytes, expected 1"),
        (GFX, "few.png", "test/gfx/few.err", "", 'stderr, line 1: "error: Number of palettes '),
        (GFX, "write_stdout.bin", "test/gfx/write_stdout.out.2bpp", b"", "16 bytes on stdout are"),
    ],
    ids=[
        "a line on stdout",
        "the place of a message",
        "the kind of a message",
        "a message more is expected",
        "a message less is expected",
        "a byte of a ROM",
        "a line of a state file",
        "a byte of a linked ROM",
        "a line of symbols",
        "a message of a linker script",
        "a byte of a header",
        "a message of rgbfix",
        "bytes of a picture",
        "a message of rgbgfx",
        "bytes on stdout",
    ],
)
def test_a_difference_is_told(
    tmp_path: Path,
    suite: tuple[Callable[[list[Path]], list[SuiteFile]], Runner],
    name: str,
    path: str,
    content: str | bytes,
    told: str,
) -> None:
    write_suite(tmp_path)
    data = content.encode() if isinstance(content, str) else content
    (tmp_path / path).write_bytes(data)
    find, run = suite
    files = sorted(file for file in tmp_path.rglob("*") if file.is_file())
    (file,) = (file for file in find(files) if file.name == name)
    outcome = run(file, NO_ENGINE, 1)
    assert outcome.failed
    assert told in outcome.failures[0].what


def test_what_a_fatal_error_ended_may_go_on(tmp_path: Path) -> None:
    write_suite(tmp_path)
    wrong = tmp_path / "test" / "asm" / "wrong.err"
    wrong.write_text("FATAL: `x` already defined\n    at wrong.asm(2)\n")
    outcome = run_asm(SuiteFile(wrong.with_name("wrong.asm"), "wrong.asm"), NO_ENGINE)
    assert (outcome.passed, outcome.failed) == (2, 0)
