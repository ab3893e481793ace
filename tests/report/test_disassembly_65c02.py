"""Code of the 65C02 and the 65816 taken apart and put together again: the same bytes."""

from __future__ import annotations

import random

import pytest

from romproof.report.disassembly import ca65_for, disassemble, format_disassembly
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source

SIZE = 4000


@pytest.mark.parametrize("cpu", ["65SC02", "65C02", "65816"])
def test_random_bytes_come_back(cpu: str) -> None:
    data = random.Random(cpu).randbytes(SIZE)
    text = format_disassembly(disassemble(data, 0x8000, {}, ca65_for(cpu)), "random")
    assert f'.setcpu "{cpu}"' in text
    made = assemble_source(Source("random.s", text), Options(), Diagnostics())
    code = next(section for section in made.sections if section.name == "CODE")
    assert not code.fixups
    assert code.data == data
