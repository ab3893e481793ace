"""Targets: the character sets and symbols that ``-t`` brings."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble, assemble_source
from romproof.toolchains.ca65.asm.targets import TARGETS, charmap

NAMES = sorted({name for names in TARGETS.values() for name in names})
PROBE = ".feature string_escapes\n" + "".join(
    [f'.byte "\\x{code:02x}"\n' for code in range(256)]
    + [f'.ifdef {name}\n.out "{name}"\n.endif\n' for name in NAMES]
)


def test_petscii_swaps_the_letters() -> None:
    source = Source("t.s", ".byte \"Ab\", 'c'\n")
    made = assemble_source(source, Options(target="c64"), Diagnostics())
    assert made.sections[0].data == bytes([0xC1, 0x42, 0x43])
    assert charmap("nes") == list(range(256))


@pytest.mark.skipif(shutil.which("ca65") is None, reason="ca65 (Debian's cc65) is not installed")
@pytest.mark.parametrize("target", TARGETS)
def test_the_original_agrees(target: str, tmp_path: Path) -> None:
    source, binary = tmp_path / "probe.s", tmp_path / "probe.bin"
    source.write_text(PROBE)
    made = subprocess.run(
        ["ca65", "-t", target, source, "-o", tmp_path / "probe.o"],
        check=True,
        capture_output=True,
        text=True,
    )
    subprocess.run(["ld65", "-t", "none", tmp_path / "probe.o", "-o", binary], check=True)
    printed: list[str] = []
    ours = assemble(source, Options(target=target, out=printed.append), Diagnostics())
    assert ours.sections[0].data == binary.read_bytes()
    assert printed == made.stdout.split()
