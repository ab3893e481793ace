"""Small suites in the formats of the public ones, written into a folder.

The 6502's cases are the project's own vectors in other clothes, so that they are true.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

Case = dict[str, Any]

VECTORS = Path(__file__).parents[1] / "vectors" / "silicon-6502.json.gz"


def silicon(opcode: int) -> list[Case]:
    """The project's vectors of an opcode."""
    return [c for c in json.loads(gzip.decompress(VECTORS.read_bytes())) if c["op"] == opcode]


def step_case(vector: Case, number: int = 0) -> Case:
    """One of the project's vectors as a case of SingleStepTests/65x02."""
    before, after = dict(vector["initial"]["ram"]), dict(vector["initial"]["ram"])
    after |= {address: value for address, value, read in vector["cycles"] if not read}
    return {
        "name": f"{vector['op']:02x} {number:02x}",
        "initial": {**vector["initial"], "ram": sorted(before.items())},
        "final": {**vector["final"], "ram": sorted(after.items())},
        "cycles": [[a, v, "read" if read else "write"] for a, v, read in vector["cycles"]],
    }


def steps_6502(folder: Path, opcode: int, cases: list[Case] | None = None) -> list[Case]:
    """Write 6502/v1/XX.json; gives its cases."""
    if cases is None:
        cases = [step_case(vector, number) for number, vector in enumerate(silicon(opcode))]
    _write(folder / "6502" / "v1" / f"{opcode:02x}.json", json.dumps(cases).encode())
    return cases


_SM83 = {"a": 0x11, "b": 0x22, "c": 0x33, "d": 0x44, "e": 0x55, "f": 0, "h": 0xC0, "l": 0x66}


def steps_sm83(folder: Path) -> dict[str, Case]:
    """Write sm83/v1: ``push bc``, ``swap [hl]`` and a ``halt`` with its cycles that say nothing;
    gives the cases by opcode."""
    push = {
        "name": "c5 0000",
        "initial": {**_SM83, "pc": 0x0200, "sp": 0xD000, "ime": 0, "ie": 1, "ram": [[0x200, 0xC5]]},
        "final": {**_SM83, "pc": 0x0201, "sp": 0xCFFE, "ime": 0}
        | {"ram": [[0x200, 0xC5], [0xCFFE, 0x33], [0xCFFF, 0x22]]},
        "cycles": [
            [0x0200, 0xC5, "r-m"],
            [0xD000, 0xC5, "---"],
            [0xCFFF, 0x22, "-wm"],
            [0xCFFE, 0x33, "-wm"],
        ],
    }
    code = [[0x200, 0xCB], [0x201, 0x36]]
    swap = {
        "name": "cb 36 0000",
        "initial": {**_SM83, "pc": 0x0200, "sp": 0xD000, "ime": 1}
        | {"ram": [*code, [0xC066, 0xA5]]},
        "final": {**_SM83, "pc": 0x0202, "sp": 0xD000, "ime": 1} | {"ram": [*code, [0xC066, 0x5A]]},
        "cycles": [
            [0x0200, 0xCB, "r-m"],
            [0x0201, 0x36, "r-m"],
            [0xC066, 0xA5, "r-m"],
            [0xC066, 0x5A, "-wm"],
        ],
    }
    halt = {
        "name": "76 0000",
        "initial": {**_SM83, "pc": 0x0200, "sp": 0xD000, "ime": 0, "ram": [[0x200, 0x76]]},
        "final": {**_SM83, "pc": 0x0201, "sp": 0xD000, "ime": 0, "ram": [[0x200, 0x76]]},
        "cycles": [[0x0200, 0x76, "r-m"], *[[0x0201, 0x00, "r-m"], None] * 3],
    }
    cases = {"c5": push, "cb 36": swap, "76": halt}
    for name, case in cases.items():
        _write(folder / "sm83" / "v1" / f"{name}.json", json.dumps([case]).encode())
    return cases


def program(folder: Path, name: str, code: dict[int, str]) -> None:
    """Write an image of 64 KiB with pieces of code, in hexadecimal, at addresses."""
    image = bytearray(0x10000)
    for address, text in code.items():
        data = bytes.fromhex(text)
        image[address : address + len(data)] = data
    _write(folder / name, bytes(image))


DECIMAL = {0x0200: "f8 a9 09 18 69 01 c9 10 d0 04 a9 00 85 0b 4c 0e 02"}
"""sed, lda #$09, clc, adc #$01, cmp #$10, bne end, lda #0, sta $0B, end: jmp end."""

INTERRUPTS = {
    # lda #2, sta $bffc: NMI; nop; lda #1, sta $bffc: IRQ; nop, jmp $06f5
    0x0400: "58 a9 02 8d fc bf ea a9 01 8d fc bf ea 4c f5 06",
    # success only if both were served, and in this order
    0x06F5: "4c f5 06",
    0x0700: "a9 00 8d fc bf e8 40",  # NMI: lda #0, sta $bffc, inx, rti
    0x0710: "a9 00 8d fc bf e0 01 d0 fe 40",  # IRQ: the same, cpx #1, bne *, rti
    0xFFFA: "00 07 00 04 10 07",
}

_NESTEST_CODE = "a2 05 ca d0 fd"
_NESTEST_LOG = """\
C000  A2 05     LDX #$05                        A:00 X:00 Y:00 P:24 SP:FD PPU:  0, 21 CYC:7
C002  CA        DEX                             A:00 X:05 Y:00 P:24 SP:FD PPU:  0, 27 CYC:9
C003  D0 FD     BNE $C002                       A:00 X:04 Y:00 P:24 SP:FD PPU:  0, 33 CYC:11
C002  CA        DEX                             A:00 X:04 Y:00 P:24 SP:FD PPU:  0, 42 CYC:14
"""


def nestest(folder: Path, code: str = _NESTEST_CODE, log: str = _NESTEST_LOG) -> None:
    """Write nestest.nes with some code in it, and nestest.log with its first instructions."""
    prg = bytes.fromhex(code).ljust(0x4000, b"\0")
    _write(folder / "nestest.nes", b"NES\x1a\x01\x01".ljust(16, b"\0") + prg + bytes(0x2000))
    _write(folder / "nestest.log", log.encode())


def game_boy_rom(code: str) -> bytes:
    """A cartridge without banks that runs ``code``, in hexadecimal."""
    rom = bytearray(0x8000)
    rom[0x100:0x104] = bytes.fromhex("00 c3 50 01")
    data = bytes.fromhex(code)
    rom[0x150 : 0x150 + len(data)] = data
    return bytes(rom)


def mooneye(folder: Path, name: str, passes: bool = True) -> None:
    """Write a ROM that ends as those of mooneye-test-suite do."""
    numbers = (3, 5, 8, 13, 21, 34) if passes else (0x42,) * 6
    loads = "".join(
        f"{opcode:02x}{number:02x}"
        for opcode, number in zip((0x06, 0x0E, 0x16, 0x1E, 0x26, 0x2E), numbers, strict=True)
    )
    _write(folder / name, game_boy_rom(loads + "40 18fe"))


def blargg(folder: Path, name: str, text: str) -> None:
    """Write a ROM that prints ``text`` to the screen, with the LCD off."""
    prints = "".join(f"3e{byte:02x}22" for byte in text.encode("ascii"))
    _write(folder / name, game_boy_rom("af e040 21 00 98" + prints + "18fe"))


def microtest(folder: Path, name: str, passes: bool = True) -> None:
    """Write a ROM that ends as those of gbmicrotest do: it got $12."""
    verdict = "3e12 e080 3e12 e081 3e01" if passes else "3e12 e080 3e34 e081 3eff"
    _write(folder / name, game_boy_rom(verdict + "e082 18fe"))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
