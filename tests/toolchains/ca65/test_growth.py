"""Sources that make ever more of themselves, and what else must not bring the assemblers down."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from romproof.cli import run
from romproof.toolchains.ca65.asm import feed
from romproof.toolchains.rgbds.asm import growth

GAMEBOY = {
    "an EQUS in itself": 'DEF x EQUS "aa"\n' + 'REDEF x EQUS "{x}{x}"\n' * 40,
    "EQUS of EQUS": 'DEF x0 EQUS "a"\n'
    + "".join(f'DEF x{n + 1} EQUS "x{n} x{n} "\n' for n in range(40))
    + "x40\n",
    "STRCAT": 'DEF s EQUS "a"\nREPT 60\nREDEF s EQUS STRCAT(#s, #s)\nENDR\n',
    "STRRPL": 'DEF s EQUS "a"\nREPT 60\nREDEF s EQUS STRRPL(#s, "a", "aa")\nENDR\n',
    "STRFMT": 'DEF s EQUS "a"\nREPT 60\nREDEF s EQUS STRFMT("%s%s", #s, #s)\nENDR\n',
    "++": 'DEF s EQUS "a"\nREPT 60\nREDEF s EQUS #s ++ #s\nENDR\n',
    "an argument": "MACRO m\nm \\1\\1\nENDM\nm a\n",
    "a macro in itself": "MACRO m\nIF \\1 > 0\nm \\1 - 1\nm \\1 - 1\nENDC\nENDM\nm 40\n",
    "DS": 'SECTION "a", ROM0\nDS $7FFFFFFF\n',
    "one by one": 'SECTION "a", ROM0\nREPT 40000\nds 1\nENDR\n',
    "/dev/zero": 'SECTION "a", ROM0\nINCBIN "/dev/zero"\n',
    "/dev/zero as source": 'INCLUDE "/dev/zero"\n',
    "brackets": 'SECTION "a", ROM0\ndb ' + "(" * 5000 + "1\n",
}
C64 = {
    ".define of .define": ".define x0 1\n"
    + "".join(f".define x{n + 1} x{n} x{n}\n" for n in range(40))
    + ".byte x40\n",
    "a macro in itself": ".macro m n\n.if n > 0\n m n-1\n m n-1\n.endif\n.endmacro\nm 60\n",
    ".res": ".res $7FFFFFFF\n",
    ".res in .repeat": ".repeat 60000\n.res 65535\n.endrepeat\n",
    "/dev/zero": '.incbin "/dev/zero"\n',
    "/dev/zero as source": '.include "/dev/zero"\n',
    "a looping link": '.include "loop"\n.incbin "loop"\n',
    "a number": ".byte " + "1" * 5000 + "\n",
    "an escape": '.feature string_escapes\n.byte "\\\udc81"\n',
    "a zero byte": '.include "a\0b"\n.incbin "\0"\n',
    "brackets": ".byte " + "(" * 5000 + "1\n",
}


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The limits are there, however low: here it must not take long."""
    monkeypatch.setattr(growth, "MAX_WORK", 100_000)
    monkeypatch.setattr(growth, "MAX_TEXT", 10_000)
    monkeypatch.setattr(feed, "MAX_INSERTED", 20_000)
    monkeypatch.chdir(tmp_path)
    if os.name == "posix":
        Path("loop").symlink_to("loop")


@pytest.mark.slow_cases("brackets")
@pytest.mark.parametrize("source", GAMEBOY.values(), ids=GAMEBOY)
def test_rgbasm(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.asm").write_text(source)
    assert run(["rgbasm", "-o", "a.o", "a.asm"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("a.asm:")
    assert "internal fault" not in told
    assert not Path("a.o").exists()


@pytest.mark.parametrize("source", C64.values(), ids=C64)
def test_ca65(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.s").write_bytes(source.encode("utf-8", "surrogateescape"))
    assert run(["ca65", "-o", "a.o", "a.s"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("a.s:")
    assert "internal fault" not in told
    assert not Path("a.o").exists()


def test_what_is_large_is_no_fault() -> None:
    """Neither loops of loops nor as many calls of macros as there may be are limited."""
    loops = "REPT 60\nREPT 60\nDEF n = n + 1\nENDR\nENDR\n"
    calls = "MACRO m\nDEF n = n + \\1\nENDM\nREPT 3000\nm 1\nENDR\n"
    empty = "REPT 20000\nENDR\nFOR v, 20000\nENDR\n"
    text = f'DEF n = 0\n{loops}{calls}{empty}SECTION "a", ROM0\ndw n\nASSERT n == 6600\n'
    Path("a.asm").write_text(text)
    assert run(["rgbasm", "-o", "a.o", "a.asm"]) == 0
    loops = ".repeat 40\n.repeat 40\n.repeat 4\nn .set n + 1\n.endrep\n.endrep\n.endrep\n"
    calls = ".macro m q\nn .set n + q\n.endmacro\n.repeat 2000\n m 1\n.endrep\n"
    Path("a.s").write_text(f"n .set 0\n{loops}{calls}.assert n = 8400, error\n.word n\n")
    assert run(["ca65", "-o", "a.o", "a.s"]) == 0


def test_the_limits_leave_room() -> None:
    Path("a.asm").write_text('SECTION "a", ROM0\nREPT 100\nREPT 3\ndb 1\nENDR\nENDR\n')
    assert run(["rgbasm", "-o", "a.o", "a.asm"]) == 0
    Path("a.s").write_text(".repeat 40\n.repeat 30\n nop\n.endrepeat\n.endrepeat\n")
    assert run(["ca65", "-o", "a.o", "a.s"]) == 0
