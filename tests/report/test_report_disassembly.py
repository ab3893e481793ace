from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from romproof.isa.load import load
from romproof.report.disassembly import DoesNotFit, disassemble, format_disassembly, readable_names
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.link import link, parse_config

EVERY_OPCODE = b"".join(bytes([o.byte, 0x34, 0x12][: o.size]) for o in load())
NAMES = ["main", "a", "X", "lda", "zp::ptr", "sub@loop", "@l", "L8000", "1st", "ä", "foo.bar"]

needs_ca65 = pytest.mark.skipif(
    shutil.which("ca65") is None or shutil.which("ld65") is None,
    reason="ca65 and ld65 are not installed (Debian's package cc65)",
)


def config_in(source: str) -> str:
    """The configuration that the disassembly tells its reader to use."""
    lines = [line[2:] for line in source.splitlines() if line.startswith(("; MEM", "; SEG"))]
    assert len(lines) == 2
    return "\n".join(lines)


def assembled_by_us(source: str) -> bytes:
    diagnostics = Diagnostics()
    config = parse_config(Source("x.cfg", config_in(source)), diagnostics)
    assembled = assemble_source(Source("x.s", source), Options(), diagnostics)
    image = link([assembled], config, output="x.bin", diagnostics=diagnostics)
    assert not diagnostics.items
    return image.files[0].data


def assembled_by_ca65(source: str, folder: Path) -> bytes:
    (folder / "x.s").write_text(source)
    (folder / "x.cfg").write_text(config_in(source))
    for command in ("ca65 x.s -o x.o", "ld65 -C x.cfg x.o -o x.bin"):
        done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    return (folder / "x.bin").read_bytes()


@st.composite
def programs(draw: st.DrawFn) -> tuple[bytes, int, dict[int, str]]:
    """Bytes, their address, and labels in, around and below them."""
    data = draw(st.binary(min_size=1, max_size=300))
    edges = [0, 0x20, 0xF0, 0x100, 0x8000, 0x10000 - len(data)]
    start = min(draw(st.sampled_from(edges)), 0x10000 - len(data))
    near = st.integers(start, start + len(data) - 1)
    places = st.one_of(near, st.integers(0, 0xFF), st.integers(0, 0xFFFF))
    labels = draw(st.dictionaries(places, st.sampled_from(NAMES), max_size=12))
    return data, start, labels


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(programs())
def test_our_assembler_makes_the_same_bytes(program: tuple[bytes, int, dict[int, str]]) -> None:
    data, start, labels = program
    assert assembled_by_us(format_disassembly(disassemble(data, start, labels), "x")) == data


@needs_ca65
@settings(max_examples=60, deadline=None)
@given(programs())
def test_ca65_makes_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, program: tuple[bytes, int, dict[int, str]]
) -> None:
    data, start, labels = program
    source = format_disassembly(disassemble(data, start, labels), "x")
    assert assembled_by_ca65(source, tmp_path_factory.mktemp("round")) == data


@needs_ca65
@pytest.mark.parametrize("start", [0, 0x12, 0x1200, 0x8000])
def test_every_opcode_survives_ca65(tmp_path: Path, start: int) -> None:
    labels = {0x34: "low", 0x1234: "high", start + 7: "inside"}
    source = format_disassembly(disassemble(EVERY_OPCODE, start, labels), "x")
    assert assembled_by_ca65(source, tmp_path) == EVERY_OPCODE


def test_what_it_looks_like() -> None:
    data = bytes.fromhex("a205 ca d0fd 200b80 a734 60 8d34 12 ad1200")[:-1]
    text = format_disassembly(disassemble(data, 0x8000, {0x8000: "main", 0x1234: "port"}), "x.bin")
    assert text == (
        "; x.bin\n"
        "; assembles to the same bytes with a linker configuration of these two lines:\n"
        "; MEMORY { ROM: start = $8000, size = $0010, file = %O; }\n"
        "; SEGMENTS { CODE: load = ROM, type = ro; }\n"
        "\n"
        '.setcpu "6502"\n'
        "port := $1234\n"
        ".org $8000\n"
        "\n"
        "main:\n"
        "        ldx #$05                ; 8000  A2 05     2\n"
        "L8002:\n"
        "        dex                     ; 8002  CA        2\n"
        "        bne L8002               ; 8003  D0 FD     2/3\n"
        "        jsr L800B               ; 8005  20 0B 80  6\n"
        "        .byte $a7, $34          ; 8008  A7 34     3      lax $34\n"
        "        rts                     ; 800A  60        6\n"
        "L800B:\n"
        "        sta port                ; 800B  8D 34 12  4\n"
        "        .byte $ad               ; 800E  AD               lda a16, cut off\n"
        "        .byte $12               ; 800F  12        -      jam\n"
    )


def test_a_branch_across_the_end_of_memory_is_data() -> None:
    rows = disassemble(bytes.fromhex("d07f"), 0xFFFE, {}).rows
    assert (rows[0].source, rows[0].note) == (".byte $d0, $7f", "bne $007f")


def test_names_become_readable_and_unique() -> None:
    names = readable_names({1: "lda", 2: "scope::x", 3: "scope_x", 4: "@l", 5: "9", 6: "Y"})
    assert names == {
        1: "lda_0001",
        2: "scope_x",
        3: "scope_x_0003",
        4: "l",
        5: "_9",
        6: "Y_0006",
    }


@pytest.mark.parametrize(("size", "start"), [(2, 0xFFFF), (0x10001, 0), (1, 0x10000)])
def test_what_does_not_fit_is_refused(size: int, start: int) -> None:
    with pytest.raises(DoesNotFit, match="do not fit into 64 KiB"):
        disassemble(bytes(size), start, {})


def test_a_large_image_in_reasonable_time() -> None:
    data = bytes(range(256)) * 128
    result = disassemble(data, 0x8000, {})
    assert b"".join(row.data for row in result.rows) == data
