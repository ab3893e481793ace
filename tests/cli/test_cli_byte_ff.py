"""The byte $FF in sources: a byte like any other that is no ASCII.

ca65 2.19 takes it for the end of the file where C's ``char`` has a sign, and drops the rest without
a word. What is expected here is what it does with $FE.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from cli_programs import Run
from every_case import every_case

CA65 = [
    (b'.byte "a\xffb"\n.byte 2\n', b"a\xffb\x02"),
    (b'.byte "\xff"\n.byte "\xff"', b"\xff\xff"),
    (b".byte '\xff'\n", b"\xff"),
    (b"; x \xff y\n.byte 1\n", b"\1"),
    (b".byte 1 ; \xff", b"\1"),
    (b".feature c_comments\n/* \xff\n\xff */ .byte 1\n", b"\1"),
    (b'.charmap $ff, $41\n.byte "\xff"\n', b"A"),
    (b'.define X "\xff"\n.byte X\n', None),  # an x is an index register: no name
    (b'.define TEXT "\xff"\n.byte TEXT\n', b"\xff"),
    (b'.macro m arg\n.byte arg\n.endmacro\n m "\xff"\n.byte 2\n', b"\xff\x02"),
    (b".if 0\n\xff\n.endif\n.byte 1\n", None),
    (b'.byte .strlen("\xff\xff")\n', b"\x02"),
    (b".byte 1\n\xff", None),
    (b"\xff.byte 1\n", None),
    (b".byte 1 \xff\n.byte 2\n", None),
    (b"la\xff: .byte 1\n", None),
]
HEAD = b'SECTION "a", ROM0\n'
RGBASM = [
    (b"; x \xff y\n db 1\n", b"\1"),
    (b"/* \xff\n\xff */ db 1\n", b"\1"),
    (b'CHARMAP "\xff", $41\n db "\xff"\n', b"A"),
    (b'IF 0\n db "\xff" \xff\nENDC\n db 1\n', b"\1"),
    (b' db "a\xffb"\n', None),  # a string is UTF-8
    (b" db '\xff'\n", None),
    (b" db 1\n\xff", None),
    (b" db 1 \xff\n", None),
    (b"la\xff: db 1\n", None),
]


def assembled(romproof: Run, cpu: str, source: bytes) -> bytes | None:
    """The bytes of a source, None where it is refused, at the place of the byte."""
    Path("x.bin").unlink(missing_ok=True)
    Path("x.asm").write_bytes(source)
    if cpu == "sm83":
        done = romproof("rgbasm", "-o", "x.o", "x.asm")
        if not done.returncode:
            done = romproof("rgblink", "-x", "-o", "x.bin", "x.o")
    else:
        done = romproof("asm", "x.asm", "-o", "x.bin", "--cpu", cpu)
    if done.returncode:
        assert "x.asm:" in done.stderr
        assert r"\udc" not in done.stderr
        assert not Path("x.bin").exists()
        return None
    return Path("x.bin").read_bytes()


@pytest.mark.parametrize("byte", [b"\xff", b"\xfe"])
def test_ca65(romproof: Run, byte: bytes) -> None:
    for source, expected in CA65:
        source, wanted = source.replace(b"\xff", byte), expected and expected.replace(b"\xff", byte)
        source = source.replace(b"$ff", b"$%x" % byte[0])
        assert assembled(romproof, "6502", source) == wanted, source


@pytest.mark.skipif(not shutil.which("cl65"), reason="cc65 is not installed")
def test_the_original_with_the_byte_below(tmp_path: Path) -> None:
    for source, expected in CA65:
        source = source.replace(b"\xff", b"\xfe").replace(b"$ff", b"$fe")
        (tmp_path / "x.s").write_bytes(source)
        (tmp_path / "x.cfg").write_text(
            "MEMORY { M: start = 0, size = $100; }\nSEGMENTS { CODE: load = M; }\n"
        )
        command = "ca65 x.s -o x.o && ld65 -C x.cfg -o x.bin x.o"
        done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, check=False)
        found = None if done.returncode else (tmp_path / "x.bin").read_bytes()
        assert found == (expected and expected.replace(b"\xff", b"\xfe")), source


@pytest.mark.parametrize("byte", [b"\xff", b"\xfe"])
def test_rgbasm(romproof: Run, byte: bytes) -> None:
    for source, expected in RGBASM:
        source = (HEAD + source).replace(b"\xff", byte)
        assert assembled(romproof, "sm83", source) == expected, source


@every_case("cpu, source", [("6502", b".byte 1 \xff+\n"), ("sm83", HEAD + b" db 1 + \xff+\n")])
def test_the_caret_is_below_the_byte(romproof: Run, cpu: str, source: bytes) -> None:
    Path("x.asm").write_bytes(source)
    done = romproof("asm", "x.asm", "-o", "x.bin", "--cpu", cpu)
    line, caret = done.stderr.splitlines()[1:3]
    assert line.index("\N{REPLACEMENT CHARACTER}") == caret.index("^")
    assert "0xFF" in done.stderr
