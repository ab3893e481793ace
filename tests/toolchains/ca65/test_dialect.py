"""The language of cc65 after 2.19, and what 2.19 says about it.

The bytes are those that ca65 of the commit in docs/conformance-ca65-git.md makes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble, assemble_source
from romproof.toolchains.ca65.link import parse_config
from romproof.toolchains.ca65.link.linker import link_modules
from romproof.toolchains.ca65.link.state import LinkState
from romproof.toolchains.ca65.obj.dialect import DIALECTS, V2_19, V2_19_GIT, Dialect

REQUEST = '--dialect 2.19-git, in a project dialect = "2.19-git"'
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


ESCAPES = r"""
.feature string_escapes
.charmap $41, 1
.byte "A\x41\?\a\e", '\n', '\\'
.asciiz "\X41"
"""
FORWARD = """
.proc main
 lda params::bar
 sta main::params::bar
.proc params
bar: .byte 5
.endproc
.endproc
"""
INNER = ".scope outer\n lda #foo::bar\n .scope foo\n bar = 2\n .endscope\n.endscope\n"
NARROW = "low = 2\n.byte <low & $ffff\n"
ENDMACRO = """
.macro other
 nop .endmacro
.endmacro
.macro begins
 .define ends .endmacro
.endmacro
 .byte 1
"""
LOCALS = """
on: .byte 1
value .set 1
@near: .byte 2
value .set 2
 .byte <@near
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ESCAPES, "01 41 3f 07 1b 0a 5c 41 00"),
        (FORWARD, "ad 06 02 8d 06 02 05"),
        (f"foo = 1\n.scope foo\nbar = 3\n.endscope\n{INNER}", "a9 03"),
        (INNER, "a9 02"),
        (NARROW, "02"),
        (ENDMACRO, "01"),
        (LOCALS, "01 02 01"),
        (".if 1 && !0\n.byte 1\n.endif\n.byte !0 && 0\n", "01 01"),
        (".byte .cap(CPU_HAS_STZ)\n.pc02\n.byte .cap(cpu_has_stz, CPU_HAS_INA)\n", "00 01"),
        ("brk\nbrk 1\nbrk #2\n", "00 00 01 00 02"),
        ("main: nop\n.export main\n.constructor main\n", "ea"),
    ],
)
def test_what_means_something_else_is_assembled(text: str, expected: str) -> None:
    assert _bytes_of(text) == bytes.fromhex(expected)


@pytest.mark.parametrize(
    "text",
    [
        FORWARD,
        ".byte 1 && !0\n",
        ENDMACRO,
        "brk 1\n",
        ".import small : zp\n.byte small & $ffff\n",
        '.feature string_escapes\n.byte "\\e"\n',
        ".byte .cap(CPU_HAS_STZ)\n",
        "main: nop\n.export main\n.constructor main\n",
    ],
)
def test_the_default_refuses_what_2_19_refuses(text: str) -> None:
    assert _faults(text, V2_19)
    assert assemble_source(Source("test.s", text), Options(dialect=V2_19_GIT), Diagnostics())


def test_what_is_the_default_s_is_refused_later() -> None:
    reopened = "value .set 1\n@near: .byte 2\non:\nvalue .set 2\n .byte <@near\n"
    assert "is undefined" in _faults(reopened, V2_19_GIT)[0][0]
    assert assemble_source(Source("test.s", reopened), Options(), Diagnostics())
    unended = ".macro one\n nop .endmacro\n"
    assert _faults(unended, V2_19_GIT)[0][0] == "'.ENDMACRO' expected"
    octal = '.feature string_escapes\n.byte "\\101"\n'
    assert _faults(octal, V2_19_GIT)[0][1] == "write \\xHH: ca65 misreads octal numbers"


def test_a_scope_that_never_comes_leaves_its_symbols_undefined() -> None:
    fault, help = _faults(".scope near\n.endscope\nlda nears::bar\n", V2_19_GIT)[0]
    assert fault == "Symbol 'bar' is undefined"
    assert help == "there is no scope 'nears'; did you mean 'near'?"


def test_debug_information_has_a_scope_that_never_comes() -> None:
    text = ".ifdef never::bar\n.endif\n.byte 1\n"
    options = Options(dialect=V2_19_GIT, tables=True, debug_info=True)
    made = assemble_source(Source("test.s", text), options, Diagnostics())
    assert made.tables is not None
    assert len(made.tables.scopes) == 2


def test_a_file_that_a_macro_includes_is_read_before_the_rest_of_it(tmp_path: Path) -> None:
    (tmp_path / "part.inc").write_text("foo: .byte 1\n")
    main = tmp_path / "main.s"
    main.write_text(
        '.macro has name\n.proc bar\n.include name\n.byte 2\n.endproc\n.endmacro\nhas "part.inc"\n'
        '.byte <bar::foo\n.repeat 2\n.include "rest.inc"\n.byte 4\n.endrepeat\n'
    )
    (tmp_path / "rest.inc").write_text(".byte 3\n")
    made = assemble(main, Options(dialect=V2_19_GIT), Diagnostics())
    assert bytes(made.sections[0].data)[:2] == b"\1\2"
    assert bytes(made.sections[0].data)[3:] == b"\3\4\3\4"


def test_lines_may_end_with_a_carriage_return(tmp_path: Path) -> None:
    source = tmp_path / "main.s"
    source.write_bytes(b"lda #1\rlda #2\r\nlda #3\n\rlda #4\n")
    made = assemble(source, Options(dialect=V2_19_GIT), Diagnostics())
    assert bytes(made.sections[0].data) == bytes.fromhex("a901 a902 a903 a904")


def test_bytes_that_alignment_skips_are_told_where_asked_for() -> None:
    found = Diagnostics()
    options = Options(dialect=V2_19_GIT, warn_align_waste=True)
    assemble_source(Source("test.s", ".byte 1\n.align 4\n.byte 1\n"), options, found)
    assert [each.message for each in found.items] == ["Wasting 3 bytes for alignment"]


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (".refto b\n", f"the dialect 2.19-git knows it: {REQUEST}"),
        (".feature line_continuations\n", f"the dialect 2.19-git knows it: {REQUEST}"),
        (
            ".byte 1 && !0\n",
            f"'!' stands first, or in parentheses; here with {REQUEST}",
        ),
        (
            "lda later::bar\n",
            f"a scope has to come first; it may come later with {REQUEST}",
        ),
        ("@: nop\n", f"a name must follow; for '@:' and '@-': {REQUEST}"),
        (
            ".feature c_comments +\n",
            f"the dialect 2.19-git switches features: {REQUEST}",
        ),
        (".feature c_comments x\n", "between features there is a comma"),
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


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (".db 1\n", "here that is .byte"),
        (".dw 1\n", "here that is .word"),
        (".ds 1\n", "here that is .res"),
        (".exprot a\n", "did you mean '.export'?"),
    ],
)
def test_words_of_other_assemblers_are_answered_with_ours(text: str, help: str) -> None:
    assert help in [advice for _, advice in _faults(text, V2_19)]
