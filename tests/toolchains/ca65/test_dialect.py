"""The language of cc65 after 2.19, and what 2.19 says about it.

The bytes are those that ca65 of the commit in docs/conformance-ca65-git.md makes.
"""

from __future__ import annotations

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.asm.dialect import DIALECTS, V2_19, V2_19_GIT, Dialect
from romproof.toolchains.ca65.link import parse_config
from romproof.toolchains.ca65.link.linker import link_modules
from romproof.toolchains.ca65.link.state import LinkState

LAYOUT = "MEMORY{M:start=$200,size=$400;} SEGMENTS{CODE:load=M;}"


def _bytes_of(text: str) -> bytes:
    options = Options(dialect=V2_19_GIT)
    made = assemble_source(Source("test.s", text), options, Diagnostics())
    layout = parse_config(Source("test.cfg", LAYOUT), Diagnostics())
    linked = link_modules(LinkState((made,), layout, "a"), None, {}, Diagnostics())
    return bytes(linked.image.blocks[0].data)


def _faults(text: str, dialect: Dialect) -> list[tuple[str, str | None]]:
    with pytest.raises(BuildFailed) as failure:
        assemble_source(Source("test.s", text), Options(dialect=dialect), Diagnostics())
    return [(each.message, each.help) for each in failure.value.diagnostics]


UNNAMED = """
@: nop
  bne @-
  beq @+
  beq :>
: nop
@: jmp @<
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (UNNAMED, "ea d0 fd f0 02 f0 00 ea 4c 08 02"),
        ('.charmap \'a\', 5\n.byte "ab"\n.literal "ab", 3\n', "05 62 61 62 03"),
        ('.pushcharmap\n.charmap \'a\', 5\n.byte "a"\n.popcharmap\n.byte "a"\n', "05 61"),
        (".feature line_continuations\n.byte 1, \\\n 2\n", "01 02"),
        (".feature c_comments +\n.byte /* a */ 1\n", "01"),
        ("b = 5\n.refto b\n.referto b\n.byte .addrsize(b)\n", "01"),
        (".byte CPU_ISET_65SC02, CPU_65C02, .cpu\n", "10 32 02"),
        (".word .version\n", "13 02"),
    ],
)
def test_what_is_new_is_assembled(text: str, expected: str) -> None:
    assert _bytes_of(text) == bytes.fromhex(expected)


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (".refto b\n", "the dialect 2.19-git knows it: --dialect 2.19-git"),
        (".feature line_continuations\n", "the dialect 2.19-git knows it: --dialect 2.19-git"),
        (
            ".feature c_comments +\n",
            "the dialect 2.19-git switches features: --dialect 2.19-git",
        ),
    ],
)
def test_the_default_names_the_dialect_that_knows_a_word(text: str, help: str) -> None:
    assert help in [advice for _, advice in _faults(text, V2_19)]


def test_a_feature_is_switched_off() -> None:
    text = ".feature underline_in_numbers\n.byte 1_0\n.feature underline_in_numbers -\n.byte 1_0\n"
    assert len(_faults(text, V2_19_GIT)) >= 1
    assert _bytes_of(text.rsplit(".byte", 1)[0]) == b"\x0a"


def test_far_jumps_of_the_65816_need_a_feature() -> None:
    far = ".import far : far\njsr far\n"
    text = f".p816\n{far}"
    assert _faults(text, V2_19_GIT)[0][0] == "Illegal addressing mode"
    feature = f".feature long_jsr_jmp_rts\n{text}"
    options = Options(dialect=V2_19_GIT)
    assert assemble_source(Source("test.s", feature), options, Diagnostics())
    assert assemble_source(Source("test.s", text), Options(dialect=V2_19), Diagnostics())


def test_a_jump_through_a_page_s_end_is_an_error() -> None:
    assert _faults("jmp ($12ff)\n", V2_19_GIT)[0][0] == '"jmp (abs)" across page border'


def test_unnamed_labels_are_used_by_name_only() -> None:
    found = [message for message, _ in _faults("@+: nop\n bne @\n", V2_19_GIT)]
    assert found[:2] == ["Invalid unnamed label definition", "Invalid unnamed label reference"]


def test_each_dialect_is_called_by_its_name() -> None:
    assert all(DIALECTS[name].name == name for name in DIALECTS)
