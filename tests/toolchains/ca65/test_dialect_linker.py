"""What ld65 after 2.19 does otherwise; the bytes and lines are its."""

from __future__ import annotations

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.link import parse_config
from romproof.toolchains.ca65.link.dbgfile import debug_info
from romproof.toolchains.ca65.link.linker import Linked, link_modules
from romproof.toolchains.ca65.link.mapfile import ld65_labels
from romproof.toolchains.ca65.link.state import LinkState
from romproof.toolchains.ca65.obj.dialect import V2_19, V2_19_GIT, Dialect

LAYOUT = """
MEMORY {
  A: start = $8000, size = 8, fill = yes, fillval = $33, bank = 5;
  B: start = $9000, size = 8, fillval = $44;
}
SEGMENTS {
  CODE: load = A;
  OVER: load = A, type = overwrite, start = $8004;
  DATA: load = B, type = rw;
  LAST: load = B, type = overwrite, start = $9005, optional = yes;
}
"""
TEXT = """
.export main
main: .byte 1, 2, 3
.macro named
.local inner
inner: .byte 4
.endmacro
named
.segment "OVER"
.byte 5, 6
.data
.byte 7
"""


def _link(dialect: Dialect, text: str = TEXT, layout: str = LAYOUT) -> tuple[Linked, Diagnostics]:
    found = Diagnostics()
    options = Options(dialect=dialect, tables=True, debug_info=True)
    made = assemble_source(Source("test.s", text), options, found)
    config = parse_config(Source("test.cfg", layout), found)
    state = LinkState((made,), config, "a", dialect=dialect, warn_align_waste=dialect is V2_19_GIT)
    return link_modules(state, None, {}, found), found


def test_a_segment_of_type_overwrite_may_go_into_what_is_filled() -> None:
    linked, _ = _link(V2_19_GIT)
    assert linked.files["a"] == bytes.fromhex("01 02 03 04 05 06 33 33 07")
    linked, _ = _link(V2_19_GIT, f'{TEXT}.segment "LAST"\n.byte 8\n')
    assert linked.files["a"] == bytes.fromhex("01 02 03 04 05 06 33 33 07 44 44 44 44 08")


def test_labels_are_ones_that_vice_reads() -> None:
    assert ".LOCAL-MACRO_SYMBOL-0000" in ld65_labels(_link(V2_19, layout=SIMPLE)[0])
    assert ".LOCAL_MACRO_SYMBOL_0000" in ld65_labels(_link(V2_19_GIT, layout=SIMPLE)[0])


SIMPLE = """
MEMORY { A: start = $8000, size = $100, bank = 5; }
SEGMENTS { CODE: load = A; OVER: load = A; DATA: load = A; }
"""


def test_debug_information_has_the_bank() -> None:
    assert ",bank=5" in debug_info(_link(V2_19_GIT, layout=SIMPLE)[0])
    assert ",bank=" not in debug_info(_link(V2_19, layout=SIMPLE)[0])


def test_only_alignments_nobody_asked_for_are_suspicious() -> None:
    text = ".byte 1\n.align 512\n.byte 2\n"
    layout = "MEMORY { A: start = 0, size = $1000; } SEGMENTS { CODE: load = A, align = 512; }"
    assert [each.message for each in _link(V2_19_GIT, text, layout)[1].items] == []
    assert len(_link(V2_19, text, layout)[1].items) == 2


def test_a_negative_size_is_an_error() -> None:
    layout = "MEMORY { A: start = 0, size = 2 - 4; } SEGMENTS { CODE: load = A; }"
    with pytest.raises(BuildFailed, match="the size of memory area 'A' is negative: -2"):
        _link(V2_19_GIT, ".byte 1\n", layout)
