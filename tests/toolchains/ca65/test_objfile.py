"""Objects on disk: nothing is lost, and nothing in a file is trusted."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.program.listing import listing
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.link import default_config, link
from romproof.toolchains.ca65.obj.object import Object
from romproof.toolchains.ca65.obj.objfile import MAGIC, BadObjectFile, write_object
from romproof.toolchains.ca65.obj.objread import read_object

SOURCE = """\
        .export start, table := data + 2, TOP = $C000
        .import elsewhere: zeropage
        .constructor start, 3
        .macro twice what
        what
        what
        .endmacro
        .proc start
        lda #<data
        twice {sta elsewhere}
@loop:  bne @loop
        rts
        .endproc
        .rodata
data:   .byte "text", 1, 2
        .res 3, $EA
        .dbyt data ^ %1010, .loword(-data)
        .bss
buffer: .res 40
        .assert buffer < $8000, lderror, "the buffer is too high"
        .code
        .org $9000
far:    .addr far
"""


def assembled(text: str = SOURCE) -> Object:
    return assemble_source(Source("a.s", text), Options(), Diagnostics())


def test_what_was_written_is_read() -> None:
    obj = assembled()
    data = write_object(obj)
    read = read_object(data, "a.o")
    assert write_object(read) == data
    # sources are equal when they are the same, so the spans are compared as text
    assert repr(read) == repr(obj)


def test_linking_what_was_read_gives_the_same_image_and_listing() -> None:
    other = assembled(".exportzp elsewhere\n.zeropage\nelsewhere: .res 1\n")

    def image(*objects: Object) -> tuple[str, str]:
        made = link(list(objects), default_config(), diagnostics=Diagnostics())
        return made.files[0].data.hex(" "), listing(made)

    direct = image(assembled(), other)
    again = image(*(read_object(write_object(o), "x.o") for o in (assembled(), other)))
    assert again == direct
    # as ca65 and ld65 2.19 have it
    code, data = "a9 0b 85 80 85 80 d0 fe 60 00 90", "74 65 78 74 01 02 ea ea ea 10 01 ef f5"
    assert direct[0] == f"{code} {data}"


def test_bytes_that_are_no_text_survive() -> None:
    obj = assembled('; "' + b"\xff\xfe".decode("utf-8", "surrogateescape") + '"\n')
    read = read_object(write_object(obj), "x.o")
    assert read.sources[0].text == obj.sources[0].text


def test_a_deep_expression_and_a_long_chain_of_calls_survive() -> None:
    deep = ".import far\n.word " + "(" * 300 + "far" + "+1)" * 300 + "\n"
    calls = ".macro m n\n.if n\n m n-1\n.else\n .byte n\n.endif\n.endmacro\n m 60\n"
    for text in (deep, calls):
        data = write_object(assembled(text))
        assert write_object(read_object(data, "x.o")) == data


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no object file of 'romproof ca65'"),
        (b"\x55\x7a\x6e\x61" + bytes(40), "an object file of cc65"),
        (b"\x6e\x61\x55\x7a" + bytes(40), "a library of cc65"),
        (b"RGB9" + bytes(40), "an object file of rgbasm"),
        (b"lda #1\n", "no object file of 'romproof ca65'"),
        (MAGIC + b"999\n", "version 999, not 2"),
        (MAGIC + b"2\nabc", "damaged"),
        (MAGIC + b"2\n" + zlib.compress(b"[]"), "damaged"),
        (MAGIC + b"2\n" + zlib.compress(b"{}"), "it has no 'nodes'"),
        (write_object(assembled())[:-5], "damaged"),
        (write_object(assembled()) + b"more", "something follows"),
    ],
    ids=lambda value: value[:24] if isinstance(value, bytes) else "",
)
def test_other_files_are_refused(data: bytes, told: str) -> None:
    with pytest.raises(BadObjectFile, match=r"^x\.o: ") as caught:
        read_object(data, "x.o")
    assert told in str(caught.value)


def document() -> dict[str, Any]:
    packed = write_object(assembled()).partition(b"\n")[2]
    found: dict[str, Any] = json.loads(zlib.decompress(packed))
    return found


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document, as keys and positions from its top."""
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    else:
        inner = []
    return [(*path, key) for key, _ in inner] + [
        place for key, item in inner for place in places(item, (*path, key))
    ]


DOCUMENT = document()
PLACES = places(DOCUMENT)
WRONG: list[Any] = [
    None,
    True,
    -1,
    3,
    10**6,
    10**30,
    1.5,
    "",
    "x",
    [],
    {},
    [[]],
    ["span", 0, 1, 1, 1, None],
]


@given(st.sampled_from(PLACES), st.sampled_from(WRONG))
def test_a_wrong_value_anywhere_is_refused_or_harmless(place: tuple[Any, ...], wrong: Any) -> None:
    changed = json.loads(json.dumps(DOCUMENT))
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = wrong
    data = MAGIC + b"2\n" + zlib.compress(json.dumps(changed).encode())
    try:
        read = read_object(data, "x.o")
    except BadObjectFile:
        return
    assert write_object(read)  # what was accepted is an object like any other
    assert all(0 <= line.section < len(read.sections) for line in read.lines)


def test_a_file_does_not_unpack_without_end(tmp_path: Path) -> None:
    zeros = zlib.compress(b" " * (1 << 20), 9)
    with pytest.raises(BadObjectFile, match="damaged"):
        read_object(MAGIC + b"2\n" + zeros, "x.o")
