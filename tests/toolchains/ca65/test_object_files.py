"""Objects as ca65 2.19 writes them: equal to recorded ones, and read back without loss."""

from __future__ import annotations

import base64
import random
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from object_sources import comparable, tables_of, write_sources
from recorded_objects import DEBUG, PLAIN

from romproof.cli import run
from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble, assemble_source
from romproof.toolchains.ca65.link import default_config, link, parse_config
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.encode import encode_object, variable
from romproof.toolchains.ca65.obj.from_file import Late, object_of
from romproof.toolchains.ca65.obj.library import Library, Member, read_library, write_library
from romproof.toolchains.ca65.obj.object import Object
from romproof.toolchains.ca65.obj.reader import ByteReader, Damaged
from romproof.toolchains.ca65.obj.tables import (
    LIBRARY_MAGIC,
    OBJECT_MAGIC,
    BadObjectFile,
    ObjectFile,
)

TABLES = Options(tables=True, debug_info=True)


def recorded(text: str) -> bytes:
    """An object of ca65 2.19 in recorded_objects.py."""
    return zlib.decompress(base64.b85decode(text))


ORIGINAL = recorded(DEBUG)
LAYOUT = """\
MEMORY { ZP: start = 0, size = $100; RAM: start = $1000, size = $1000, file = %O; }
SEGMENTS {
    OTHER: load = ZP, type = zp;
    CODE: load = RAM; RODATA: load = RAM; BSS: load = RAM, type = bss;
}
"""


def tables(text: str) -> ObjectFile:
    made = assemble_source(Source("a.s", text), TABLES, Diagnostics())
    assert made.tables is not None
    return made.tables


@pytest.mark.parametrize(("text", "debug"), [(PLAIN, False), (DEBUG, True)], ids=["", "-g"])
def test_the_object_of_a_source_is_that_of_ca65(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, debug: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    write_sources(tmp_path)
    ours = comparable(tables_of(Path("main.s"), debug))
    original = decode_object(recorded(text), "main.o")
    for table in ObjectFile.__dataclass_fields__:
        assert getattr(ours, table) == getattr(original, table), table
    assert encode_object(ours) == recorded(text)


@pytest.mark.parametrize("data", [recorded(PLAIN), ORIGINAL], ids=["", "-g"])
def test_what_is_read_is_written_the_same(data: bytes) -> None:
    assert encode_object(decode_object(data, "a.o")) == data


def test_linking_what_was_read_gives_the_image_of_what_was_assembled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_sources(tmp_path)
    assembled = assemble(Path("main.s"), TABLES, Diagnostics())
    names = ".exportzp elsewhere\nelsewhere = $90\n.export other, printer\nother = 1\nprinter = 2\n"
    other = assemble_source(Source("b.s", names), TABLES, Diagnostics())

    layout = parse_config(Source("a.cfg", LAYOUT), Diagnostics())

    def image(*objects: Object) -> bytes:
        return link(list(objects), layout, diagnostics=Diagnostics()).files[0].data

    read = [decode_object(encode_object(o.tables), "a.o") for o in (assembled, other) if o.tables]
    again = [object_of(rows, "a.o") for rows in read]
    assert image(*again) == image(assembled, other)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "not an object file of ca65"),
        (b"lda #1\n", "not an object file of ca65"),
        (LIBRARY_MAGIC + bytes(40), "not an object file of ca65"),
        (OBJECT_MAGIC, "cut off"),
        (OBJECT_MAGIC + b"\x12\0" + bytes(90), "object of version 0x12, not 0x11"),
        (OBJECT_MAGIC + b"\x11\0" + bytes(90), "outside of the file"),
        (ORIGINAL[:-5], "outside of the file"),
    ],
    ids=["empty", "text", "library", "magic", "version", "zeros", "cut"],
)
def test_other_files_are_refused(data: bytes, told: str) -> None:
    with pytest.raises(BadObjectFile, match=r"^x\.o: ") as caught:
        decode_object(data, "x.o")
    assert told in str(caught.value)


def damaged_copies(data: bytes, count: int, seed: int) -> list[bytes]:
    """``data`` cut off, with bytes changed, and with parts taken out or put in."""
    chance = random.Random(seed)
    copies = []
    for _ in range(count):
        copy = bytearray(data)
        match chance.randrange(4):
            case 0:
                del copy[chance.randrange(len(copy)) :]
            case 1:
                for _ in range(chance.randrange(1, 4)):
                    copy[chance.randrange(len(copy))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF))
            case 2:
                start = chance.randrange(len(copy))
                del copy[start : start + chance.randrange(1, 9)]
            case _:
                start = chance.randrange(len(copy))
                copy[start:start] = chance.randbytes(chance.randrange(1, 9))
        copies.append(bytes(copy))
    return copies


def link_or_refuse(data: bytes) -> None:
    """A damaged object is refused with one line, or it is an object that links or does not."""
    refused: str = ""
    try:
        read = object_of(decode_object(data, "x.o"), "x.o")
    except BadObjectFile as fault:
        refused = str(fault)
    if refused:
        assert len(refused.splitlines()) == 1
    else:
        with suppress(BuildFailed):
            link([read], default_config(), diagnostics=Diagnostics())


@pytest.mark.parametrize("seed", range(3))
def test_damaged_objects_are_refused_or_harmless(seed: int) -> None:
    for copy in damaged_copies(ORIGINAL, 60, seed):
        link_or_refuse(copy)


@pytest.mark.slow
def test_thousands_of_damaged_objects_and_libraries_are_refused_or_harmless() -> None:
    for copy in damaged_copies(ORIGINAL, 4_000, 99):
        link_or_refuse(copy)
    for copy in damaged_copies(library(), 1_000, 98):
        read_or_refuse(copy)


def library() -> bytes:
    member = Member("main.o", 0, 1234, ORIGINAL)
    return write_library(Library("x.lib", (member, Member("plain.o", 0, 5, recorded(PLAIN)))))


def read_or_refuse(data: bytes) -> None:
    refused = ""
    try:
        for member in read_library(data, "x.lib").members:
            assert len(member.exports) + len(member.imports) + len(member.tables) >= 0
    except BadObjectFile as fault:
        refused = str(fault)
    assert len(refused.splitlines()) <= 1


def test_libraries_are_read_as_they_were_written() -> None:
    data = library()
    found = read_library(data, "x.lib")
    assert [(m.name, m.time, len(m.data)) for m in found.members] == [
        ("main.o", 1234, len(ORIGINAL)),
        ("plain.o", 5, len(recorded(PLAIN))),
    ]
    assert write_library(found) == data
    assert "start" in found.members[0].exports
    assert "printer" in found.members[0].imports
    assert found.members[0].tables == (0, 2)


def test_damaged_libraries_are_refused_or_harmless() -> None:
    for copy in damaged_copies(library(), 60, 1):
        read_or_refuse(copy)


def test_a_value_with_more_parts_than_a_file_can_have_is_one_error() -> None:
    chain = "".join(f"x{n + 1} = x{n} + x{n}\n" for n in range(40))
    with pytest.raises(BuildFailed, match="too many parts for an object file"):
        tables(f".import x0\n{chain}.word x40\n")


def test_shared_line_and_scope_names_of_macros() -> None:
    text = ".macro m\n.local inner\n.proc inner\n nop\n.endproc\n.endmacro\n m\n m\n"
    found = tables(text)
    assert [scope.name for scope in found.scopes] == [
        "",
        "LOCAL-MACRO_SYMBOL-0000",
        "LOCAL-MACRO_SYMBOL-0001",
    ]


def test_the_tools_for_objects_need_no_cc65(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    Path("original.o").write_bytes(ORIGINAL)
    assert run(["od65", "--dump-segsize", "-H", "--dump-scopes", "original.o", "none.s"]) == 1
    told = capsys.readouterr().out
    # as od65 2.19 has it
    assert told.startswith("original.o:\n  Header:\n    Magic:                 0x616E7A55\n")
    assert "    Flags:                     0x0001  (OBJ_FLAGS_DBGINFO)\n" in told
    scope = '      Name:                   "_main"\n      Size:                    0x0001  (1)\n'
    assert scope in told
    assert "    BSS:                         45\n" in told
    Path("main.s").write_text(".import twice\n.word twice\n")
    Path("twice.s").write_text(".export twice\ntwice = 2\n")
    Path("a.cfg").write_text("MEMORY { M: start = 0, size = 9; } SEGMENTS { CODE: load = M; }")
    assert run(["cl65", "-t", "none", "-c", "twice.s"]) == 0
    assert run(["ar65", "r", "x.lib", "twice.o"]) == 0
    assert run(["cl65", "-C", "a.cfg", "--no-target-lib", "main.s", "x.lib"]) == 0
    assert Path("main").read_bytes() == b"\x02\x00"
    assert run(["ar65", "d", "x.lib", "twice.o", "other.o"]) == 0
    assert "module 'other.o' not found in library 'x.lib'" in capsys.readouterr().err
    assert run(["ar65", "t", "x.lib"]) == 0
    assert capsys.readouterr().out == ""
    assert run(["cl65", "-C", "a.cfg", "--no-target-lib", "main.s", "x.lib"]) == 1
    assert "unresolved external 'twice'" in capsys.readouterr().err


def test_numbers_read_at_once_are_those_read_one_by_one() -> None:
    rng = random.Random(5)
    numbers = [rng.randrange(1 << rng.choice((3, 7, 8, 14, 15, 33))) for _ in range(500)]
    data = b"\7" + b"".join(map(variable, numbers))
    one_by_one = ByteReader(data, 1)
    assert [one_by_one.variable() for _ in numbers] == numbers
    at_once = ByteReader(data, 1)
    assert at_once.all_numbers() == numbers
    assert at_once.at == len(data)
    assert ByteReader(data[:-1] + b"\x80", 1).all_numbers() == numbers[:-1]  # the last is cut off
    with pytest.raises(Damaged):
        ByteReader(b"\xff" * 10 + b"\0").all_numbers()


def test_lines_and_labels_are_made_when_they_are_asked_for() -> None:
    made: list[int] = []

    def rows() -> list[int]:
        made.append(1)
        return [3, 4, 5]

    late = Late(rows)
    assert not made
    assert (len(late), list(late), late[1], late[1:]) == (3, [3, 4, 5], 4, [4, 5])
    assert len(made) == 1
