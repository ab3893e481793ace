"""What shares its parts is a net, not a tree: assemblers and linkers look at each part once."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.cli import run
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.link import link, parse_config

LEVELS = 80
"""Each doubles the tree: nobody would live to see its end."""
CONFIG = """
MEMORY { ROM: start = $8000, size = $1000; }
SEGMENTS { CODE: load = ROM, type = ro; }
"""


def chain(operator: str) -> str:
    return "".join(f"x{n + 1} = x{n} {operator} x{n}\n" for n in range(LEVELS))


SOURCES = {
    "imported": f".import x0\n{chain('+')}.word x{LEVELS} & $FFFF\n.export x{LEVELS}\n",
    "multiplied": f".import x0\n{chain('*')}.assert x{LEVELS} = x{LEVELS}, lderror\n.word 0\n",
    "used before": f".word <x{LEVELS}\n{chain('|')}.import x0\n",
    "a label": f"x0: .word 0\n{chain('-')}.byte x{LEVELS}\n",
    "in .if": f".import x0\n{chain('^')}.if .const(x{LEVELS})\n.error\n.else\n.word 1\n.endif\n",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_in_one_source(source: str) -> None:
    texts = (source, ".exportzp x0\nx0 = 1\n")
    objects = [assemble_source(Source("a.s", text), Options(), Diagnostics()) for text in texts]
    layout = parse_config(Source("a.cfg", CONFIG), Diagnostics())
    assert link(objects, layout, diagnostics=Diagnostics()).files[0].data


def test_an_object_file_has_no_shared_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.s").write_text(SOURCES["imported"])
    assert run(["ca65", "-g", "main.s"]) == 1
    assert "error: An expression has too many parts for an object file" in capsys.readouterr().err
    assert not Path("main.o").exists()


def test_across_objects_and_in_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    objects = []
    for n in range(LEVELS):
        Path(f"{n}.s").write_text(f".import e{n}\n.export e{n + 1}\ne{n + 1} = e{n} + e{n}\n")
        assert run(["ca65", f"{n}.s"]) == 0
        objects.append(f"{n}.o")
    Path("main.s").write_text(f".export e0\ne0: .byte <e{LEVELS}\n.import e{LEVELS}, y{LEVELS}\n")
    assert run(["ca65", "main.s"]) == 0
    more = "".join(f"y{n + 1}: type = export, value = y{n} + y{n};\n" for n in range(LEVELS))
    Path("a.cfg").write_text(f"{CONFIG} SYMBOLS {{ y0: type = export, value = 1; {more} }}")
    assert run(["ld65", "-C", "a.cfg", "-o", "a.bin", "-m", "a.map", "main.o", *objects]) == 0
    assert Path("a.bin").read_bytes() == b"\0"
