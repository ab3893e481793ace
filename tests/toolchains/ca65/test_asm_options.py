"""What the caller chooses: defines, folders, CPU and features."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble, assemble_source
from romproof.toolchains.ca65.obj.object import Object


def data(object_: Object) -> bytes:
    """The bytes of the first segment, CODE."""
    return object_.sections[0].data


def code(text: str, options: Options) -> bytes:
    return data(assemble_source(Source("test.s", text), options, Diagnostics()))


def faults(text: str, options: Options) -> list[str]:
    with pytest.raises(BuildFailed) as failed:
        assemble_source(Source("test.s", text), options, Diagnostics())
    return [d.message for d in failed.value.diagnostics]


def test_defines_are_symbols_and_take_any_order() -> None:
    options = Options(defines=(("LEVEL", 3), ("DEBUG", 0)))
    assert code(".byte LEVEL, DEBUG\n.ifdef DEBUG\n.byte $DD\n.endif\n", options) == b"\3\0\xdd"


def test_a_name_is_defined_once_on_the_command_line() -> None:
    assert faults("nop\n", Options(defines=(("A", 1), ("A", 1)))) == ["'A' is already defined"]
    options = Options(defines=(("__NES__", 1),), target="nes")
    assert faults("nop\n", options) == ["'__NES__' is already defined"]


def test_the_source_cannot_define_it_again() -> None:
    assert faults("MAX = 2\n", Options(defines=(("MAX", 1),))) == [
        "Symbol 'MAX' is already defined"
    ]


def test_defines_count_as_zero_page_when_they_are_small() -> None:
    assert code("lda PORT\n", Options(defines=(("PORT", 0x20),))) == b"\xa5\x20"
    assert code("lda PORT\n", Options(defines=(("PORT", 0x2000),))) == b"\xad\x00\x20"


@pytest.mark.parametrize(
    ("cpu", "expected"), [("6502", "':' expected"), ("6502X", ""), ("none", "':' expected")]
)
def test_only_6502x_knows_lax(cpu: str, expected: str) -> None:
    if expected:
        assert faults("lax $20\n", Options(cpu=cpu))[0].startswith(expected)
    else:
        assert code("lax $20\n", Options(cpu=cpu)) == b"\xa7\x20"


def test_features_hold_from_the_first_line() -> None:
    assert code(".byte 'ab'\n", Options(features=("loose_string_term",))) == b"ab"


def test_printed_lines_go_to_the_caller() -> None:
    printed: list[str] = []
    code('.out "one"\n.out .sprintf("%02X", 10)\n', Options(out=printed.append))
    assert printed == ["one", "0A"]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_an_include_is_looked_for_beside_its_includer_then_in_the_folders_in_order(
    tmp_path: Path,
) -> None:
    main = write(tmp_path, "src/main.s", '.include "one.inc"\n.include "two.inc"\n')
    write(tmp_path, "src/one.inc", ".byte 1\n")
    write(tmp_path, "a/one.inc", ".byte $A1\n")
    write(tmp_path, "a/two.inc", '.byte $A2\n.include "deep/three.inc"\n')
    write(tmp_path, "a/deep/three.inc", ".byte $A3\n")
    write(tmp_path, "b/two.inc", ".byte $B2\n")
    options = Options(include=(tmp_path / "a", tmp_path / "b"))
    assert data(assemble(main, options, Diagnostics())) == b"\x01\xa2\xa3"


def test_a_missing_file_tells_where_it_was_looked_for(tmp_path: Path) -> None:
    main = write(tmp_path, "main.s", '.include "gone.inc"\n')
    with pytest.raises(BuildFailed) as failed:
        assemble(main, Options(include=(tmp_path / "inc",)), Diagnostics())
    (found,) = failed.value.diagnostics
    assert "gone.inc" in found.message
    assert found.help is not None
    assert str(tmp_path) in found.help
    assert str(tmp_path / "inc") in found.help


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "", ".", ".."])
def test_names_no_file_can_have_are_not_found(name: str) -> None:
    text = f'.include "{name}"\n.incbin "{name}"\n'
    assert [m.rpartition(": ")[2] for m in faults(text, Options())] == ["not found"] * 2


def test_a_macro_package_of_any_length_of_name_is_not_found() -> None:
    assert faults(f".macpack {'x' * 5000}\n", Options())[0].endswith("not found")


def test_a_source_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="Cannot open input file"):
        assemble(tmp_path / "gone.s", Options(), Diagnostics())


def test_progress_is_told_in_lines() -> None:
    seen: list[tuple[str, int, int]] = []
    source = Source("long.s", "  nop\n" * 1000)
    options = Options(progress=lambda *told: seen.append(told))
    assemble_source(source, options, Diagnostics())
    assert [done for _, done, _ in seen] == [200, 400, 600, 800, 1000]
    assert {(name, known) for name, _, known in seen} == {("long.s", 1001)}
