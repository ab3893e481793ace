"""The debug file: records as ld65 2.19 --dbgfile writes them, compared without their numbers."""

from __future__ import annotations

from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.link import default_config
from romproof.toolchains.ca65.link.dbgfile import debug_info
from romproof.toolchains.ca65.link.linker import link_modules
from romproof.toolchains.ca65.link.state import LinkState

SOURCE = """\
.macro put q
 lda #q
 sta $10
.endmacro
.export go
CONST = 5
.proc go
  ldx #CONST
@l: put 3
  dex
  bne @l
  .scope inner
foo: nop
  .endscope
  rts
.endproc
.data
tab: .res 4
"""
OTHER = ".export far := $1234\n"

Record = dict[str, str]


def records(text: str) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for line in text.splitlines():
        kind, _, pairs = line.partition("\t")
        record = dict(pair.split("=") for pair in pairs.split(","))
        assert kind in ("version", "info") or int(record["id"]) == len(found.get(kind, []))
        found.setdefault(kind, []).append({k: v.strip('"') for k, v in record.items()})
    return found


def linked(*texts: tuple[str, str]) -> dict[str, list[Record]]:
    diagnostics = Diagnostics()
    options = Options(tables=True, debug_info=True)
    objects = [assemble_source(Source(*text), options, diagnostics) for text in texts]
    state = LinkState(tuple(objects), default_config(), "a.out")
    return records(debug_info(link_modules(state, None, {}, diagnostics)))


def written() -> dict[str, list[Record]]:
    return linked(("main.s", SOURCE), ("other.s", OTHER))


def test_counts_are_those_of_the_records() -> None:
    found = written()
    assert found["version"] == [{"major": "2", "minor": "0"}]
    (info,) = found["info"]
    for kind in ("file", "line", "mod", "scope", "seg", "span", "sym"):
        assert int(info[kind]) == len(found[kind])
    assert info["lib"] == info["csym"] == info["type"] == "0"


def test_lines_have_the_bytes_they_made() -> None:
    found = written()
    names = [segment["name"] for segment in found["seg"]]

    def bytes_of(line: Record) -> list[tuple[str, int, int]]:
        spans = [found["span"][int(n)] for n in line.get("span", "").split("+") if n]
        return [(names[int(s["seg"])], int(s["start"]), int(s["size"])) for s in spans]

    lines = {
        (line["file"], int(line["line"]), line.get("type"), line.get("count")): bytes_of(line)
        for line in found["line"]
    }
    assert lines["0", 8, None, None] == [("CODE", 0, 2)]
    assert lines["0", 2, "2", "1"] == [("CODE", 2, 2)]  # in the macro's body
    assert lines["0", 3, "2", "1"] == [("CODE", 4, 2)]
    assert lines["0", 9, None, None] == [("CODE", 2, 4)]  # the call: all it made
    assert lines["0", 13, None, None] == [("CODE", 9, 1)]
    assert lines["0", 18, None, None] == [("DATA", 0, 4)]
    assert lines["0", 6, None, None] == []


def test_symbols_scopes_and_files() -> None:
    found = written()
    assert [(f["name"], f["size"], f["mod"]) for f in found["file"]] == [
        ("main.s", str(len(SOURCE)), "0"),
        ("other.s", str(len(OTHER)), "1"),
    ]
    symbols = {symbol["name"]: symbol for symbol in found["sym"]}
    go = symbols["go"]
    assert (go["val"], go["size"], go["type"], go["addrsize"]) == (
        "0x1000",
        "11",
        "lab",
        "absolute",
    )
    assert found["sym"][int(symbols["@l"]["parent"])] == go
    assert (symbols["CONST"]["type"], symbols["CONST"]["addrsize"]) == ("equ", "zeropage")
    scope = found["scope"][int(symbols["foo"]["scope"])]
    assert (scope["name"], found["scope"][int(scope["parent"])]["name"]) == ("inner", "go")
    far = found["scope"][int(symbols["far"]["scope"])]
    assert (far["name"], found["mod"][int(far["mod"])]["name"]) == ("", "other.o")
    procedure = next(scope for scope in found["scope"] if scope["name"] == "go")
    assert found["sym"][int(procedure["sym"])] == go
    span = found["span"][int(procedure["span"])]
    assert (span["start"], span["size"]) == ("0", "11")


def test_segments_say_where_their_bytes_are() -> None:
    (code,) = (segment for segment in written()["seg"] if segment["name"] == "CODE")
    assert code == {
        "id": code["id"],
        "name": "CODE",
        "start": "0x001000",
        "size": "0x000B",
        "addrsize": "absolute",
        "type": "rw",
        "oname": "a.out",
        "ooffs": "0",
    }


def test_spans_are_where_the_bytes_lie_whatever_org_claims() -> None:
    text = ".org $9000\nhere: nop\n.reloc\n nop\n"
    found = linked(("a.s", text))
    made_by_lines = [found["span"][int(line["span"])] for line in found["line"] if "span" in line]
    assert [(s["start"], s["size"]) for s in made_by_lines] == [("0", "1"), ("1", "1")]
    assert found["sym"][0]["val"] == "0x9000"
