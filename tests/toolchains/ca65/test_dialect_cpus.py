"""CPUs that ca65 assembles for after 2.19. The bytes are those of the chips' manuals, which ca65 of
the commit in docs/conformance-ca65-git.md makes as well."""

from __future__ import annotations

import pytest

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.asm import Options, assemble_source
from romproof.toolchains.ca65.obj.dialect import V2_19, V2_19_GIT, Dialect
from romproof.toolchains.ca65.obj.object import Object


def _assemble(text: str, cpu: str, dialect: Dialect = V2_19_GIT) -> Object:
    options = Options(dialect=dialect, cpu=cpu)
    return assemble_source(Source("test.s", text), options, Diagnostics())


def _bytes_of(text: str, cpu: str) -> bytes:
    made = _assemble(f".org $200\n{text}\n", cpu)
    return b"".join(bytes(section.data) for section in made.sections)


@pytest.mark.parametrize(
    ("cpu", "text", "expected"),
    [
        ("6502", "brk\nbrk 5\nbrk #5", "00 00 05 00 05"),
        ("65816", "brk\ncop\ncop #5\nwdm 5", "00 02 02 05 42 05"),
        ("6502DTV", "bra *\nsac #1\nsir #2\nlax $12", "12 fe 32 01 42 02 a7 12"),
        ("65C02", "smb3 $12\ndea", "b7 12 3a"),
        ("W65C02", "wai\nstp", "cb db"),
        ("65CE02", "lda ($12),z\nlda ($12)\nlda ($12,sp),y\nldz #1", "b2 12 b2 12 e2 12 a3 01"),
        ("65CE02", "phw #$1234\nphd $1234\nasw $12\ndew $12", "f4 34 12 fc 34 12 cb 12 00 c3 12"),
        (
            "65CE02",
            "on: lbne on\nbsr on\njsr ($1234,x)\nrtn #2",
            "d3 fe ff 63 fb ff 23 34 12 62 02",
        ),
        ("65CE02", "aug\neom\nneg\nstx $1234,y\nsty $1234,x", "5c ea 42 9b 34 12 8b 34 12"),
        ("4510", "map\ntza\ninz", "5c 6b 1b"),
        ("45GS02", "lda [$12],z\nldq $12\nldq ($12),z", "ea b2 12 42 42 a5 12 42 42 b2 12"),
        ("45GS02", "ldq [$12]\nstq [$12]\ninq\ndeq q", "4242eab212 4242ea9212 42421a 42423a"),
        ("45GS02", "aslq $12,x\nasrq\nbitq $1234\nbrk", "42421612 424243 42422c3412 00"),
        ("HuC6280", "tii 1,2,3\ntst #1,$12", "73 0100 0200 0300 83 01 12"),
        ("HuC6280", "tst #1,$1234,x\ntam #1\ntam7\ntma0", "b3 01 3412 53 01 53 80 43 01"),
        ("m740", "bbs1 $12, *\nbbc2 a, *\nseb3 a\nclb4 $12\nrmb4 $12", "2712ff 53fe 6b 9f12 9f12"),
        ("m740", "ldm $12, #5\njsr ($12)\njsr $ff12\njsr $1234", "3c1205 0212 2212 203412"),
        ("m740", "jmp ($12)\njmp ($1234)\nclt\nfst\ncom $12", "b212 6c3412 12 e2 4412"),
        ("sweet16", "set r5, $1234\nset 5, $1234\nld @r1\nst 2\nrtn", "153412 153412 41 32 00"),
        ("sweet16", "on: br on\nbm1 on\npopd @15", "01fe 08fc cf"),
        ("HuC6280", "on: bsr on\nst0 #5\nset\nsxy", "44 fe 03 05 f4 02"),
    ],
)
def test_bytes_of_a_cpu(cpu: str, text: str, expected: str) -> None:
    assert _bytes_of(text, cpu) == bytes.fromhex(expected)


@pytest.mark.parametrize(
    ("cpu", "text", "fault"),
    [
        ("65C02", "wai", "':' expected: 'wai' is not an instruction, macro or command"),
        ("45GS02", "brk 5", "Illegal addressing mode"),
        ("4510", "lda ($12)", "Illegal addressing mode"),
        ("65CE02", "lda ($1234),z", "Illegal addressing mode"),
        ("45GS02", "ldq $12,x", "Illegal addressing mode"),
        ("m740", "brk 5", "Illegal addressing mode"),
        ("sweet16", "add @r1", "Illegal addressing mode"),
        ("sweet16", "add 16", "Register expected"),
        ("HuC6280", "tma #3", "Argument of TMA must be a power of two"),
        ("HuC6280", "tst $12", "Illegal addressing mode"),
    ],
)
def test_what_a_cpu_does_not_have(cpu: str, text: str, fault: str) -> None:
    with pytest.raises(BuildFailed) as failure:
        _bytes_of(text, cpu)
    assert fault in [each.message for each in failure.value.diagnostics]


@pytest.mark.parametrize(
    "cpu", ["6502DTV", "W65C02", "65CE02", "4510", "45GS02", "HuC6280", "m740"]
)
def test_the_default_says_which_dialect_has_the_cpu(cpu: str) -> None:
    with pytest.raises(BuildFailed) as failure:
        _assemble(f'.setcpu "{cpu}"\n', "6502", V2_19)
    help = failure.value.diagnostics[0].help
    assert help == f"the dialect 2.19-git knows it: {V2_19_GIT.request}"


def test_each_cpu_is_asked_for_by_its_word() -> None:
    words = {
        "6502X": "p02x",
        "6502DTV": "pdtv",
        "W65C02": "pwc02",
        "65CE02": "pce02",
        "4510": "p4510",
        "45GS02": "p45gs02",
        "HuC6280": "p6280",
        "m740": "pm740",
        "sweet16": "psweet16",
    }
    for number, word in enumerate(words.values(), 1):
        text = "\n".join(
            f".if{each}\n.byte {n}\n.endif" for n, each in enumerate(words.values(), 1)
        )
        assert _bytes_of(f".{word}\n{text}", "6502") == bytes([number]), word


def test_registers_of_another_cpu_are_names() -> None:
    assert _bytes_of("q = 5\nz = 6\nsp = 7\n.byte q, z, sp", "6502") == b"\5\6\7"
