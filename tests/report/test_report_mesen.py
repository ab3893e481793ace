"""Lines of a trace as the trace logger of Mesen 2 writes them.

No log of Mesen's is published with its program, so what nestest.log says (Kevin Horton's nestest;
``nestest_opcodes.log`` has its first line of each opcode) is written again as Mesen would.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.engine.registers import Registers
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.nes.machine import Nes
from romproof.report.mesen import mesen_line

NESTEST = Path(__file__).with_name("nestest_opcodes.log").read_text("ascii").splitlines()
_LINE = re.compile(
    r"(?P<pc>\w{4})  (?P<data>[\w ]{8}) [ *](?P<text>.{32})"
    r"A:(?P<a>..) X:(?P<x>..) Y:(?P<y>..) P:(?P<p>..) SP:(?P<s>..) "
    r"PPU: *(?P<line>\d+), *(?P<dot>\d+) CYC:(?P<cycle>\d+)"
)
_NAMES = {"ISB": "ISC"}


def _nes() -> Nes:
    header = b"NES\x1a\2\1\0\0" + bytes(8)
    return Nes(header + bytes(0x8000) + bytes(0x2000), "plain", fill=0)


def _put(machine: Nes, line: str) -> str:
    """Bring a machine to where a line of nestest.log is; the line as Mesen has it."""
    match = _LINE.fullmatch(line)
    assert match is not None, line
    for place, byte in enumerate(bytes.fromhex(match["data"]), int(match["pc"], 16)):
        machine.poke(place, byte)
    registers = machine.registers
    for name in ("a", "x", "y", "p", "s"):
        setattr(registers, name, int(match[name], 16))
    registers.pc, machine.engine.cycles = int(match["pc"], 16), int(match["cycle"])
    name, _, operand = match["text"].strip().partition(" ")
    text = f"{_NAMES.get(name, name)} {_operand(machine, operand)}"
    p = int(match["p"], 16)
    flags = "".join(c if p & 0x80 >> i else c.lower() for i, c in enumerate("NV--DIZC"))
    return (
        f"{match['pc']}  {text}".ljust(38)
        + f" A:{match['a']} X:{match['x']} Y:{match['y']} S:{match['s']} P:{flags}"
        + f" V:{int(match['line']):<3} H:{int(match['dot']):<3}"
    )


def _operand(machine: Nes, operand: str) -> str:
    """An operand of nestest.log as Mesen writes it; memory gets what the log says of it."""
    short, *values = re.split(r" @ | = ", operand)
    numbers = [int(value, 16) for value in values]
    if not numbers:
        return short
    if ",X)" in short:  # ($80,X) @ 80 = 0200 = 5A
        at, to, value = numbers
        machine.poke(at, to & 0xFF)
        machine.poke(at + 1 & 0xFF, to >> 8)
    elif short.endswith("),Y"):  # ($89),Y = 0300 @ 0300 = 89
        base, to, value = numbers
        zero = int(short[2:4], 16)
        machine.poke(zero, base & 0xFF)
        machine.poke(zero + 1 & 0xFF, base >> 8)
    elif short.startswith("("):  # ($0200) = DB7E: the log does not say what is there
        to, value, at = numbers[0], 0x5A, int(short[2:6], 16)
        machine.poke(at, to & 0xFF)
        machine.poke(at & 0xFF00 | at + 1 & 0xFF, to >> 8)
    elif len(numbers) == 2:  # $33,X @ 78 = 00
        to, value = numbers
    else:  # $00 = 00
        value = numbers[0]
        machine.poke(int(short[1:], 16), value)
        return f"{short} = ${value:02X}"
    machine.poke(to, value)
    return f"{short} [${to:04X}] = ${value:02X}"


def test_each_opcode_of_nestest_has_its_line() -> None:
    machine = _nes()
    assert len(NESTEST) > 220
    wanted = [_put(_nes(), line) for line in NESTEST]
    got: list[str] = []
    for line in NESTEST:
        _put(machine, line)
        got.append(mesen_line(machine))
    assert got == wanted


QUOTED = {
    (29, "f0 f9", 0xFF, 0xFF): (
        "FF5F  BEQ $FF5A                        A:00 X:FF Y:1A S:FF P:nv--dIZc V:0   H:87"
    ),
    (39251, "a5 eb", 0x00, 0xFB): (
        "EAC3  LDA $EB = $00                    A:00 X:00 Y:1A S:FB P:nv--dIZc V:83  H:108"
    ),
}
"""Lines of Mesen's logs, as public scripts that compare with them quote them: by our cycle, the
instruction, X and S."""


@pytest.mark.parametrize("given", QUOTED)
def test_quoted_lines(given: tuple[int, str, int, int]) -> None:
    machine, line = _nes(), QUOTED[given]
    machine.engine.cycles, code, x, s = given
    pc = int(line[:4], 16)
    for place, byte in enumerate(bytes.fromhex(code), pc):
        machine.poke(place, byte)
    machine.registers.set(Registers(x=x, y=0x1A, s=s, p=0x26, pc=pc))
    assert mesen_line(machine).rstrip() == line


def test_the_line_before_the_picture_is_minus_1() -> None:
    machine = _nes()
    machine.engine.cycles = (261 * 341 + 30) // 3
    assert mesen_line(machine).endswith("V:-1  H:30 ")
    machine.engine.cycles = 262 * 341 // 3
    assert mesen_line(machine).endswith("V:-1  H:339")
    machine.engine.cycles += 1
    assert mesen_line(machine).endswith("V:0   H:1  ")


@pytest.mark.parametrize(
    ("code", "name"), [("02", "STP"), ("cb 12", "SBX #$12"), ("8b 12", "ANE #$12"), ("00", "BRK")]
)
def test_names_of_the_6502(code: str, name: str) -> None:
    machine = _nes()
    for place, byte in enumerate(bytes.fromhex(code), 0x200):
        machine.poke(place, byte)
    machine.registers.pc = 0x200
    assert re.split(r"  +", mesen_line(machine))[1] == name


def _gameboy(code: str) -> GameBoyBoard:
    rom = bytearray(0x8000)
    rom[0x104:0x108], rom[0x14D] = b"TEST", 0x55
    rom[0x150 : 0x150 + len(bytes.fromhex(code))] = bytes.fromhex(code)
    board = GameBoyBoard(bytes(rom), "plain")
    for name, value in {"b": 0xC0, "c": 0x10, "d": 0xC0, "e": 0x20, "h": 0xC0, "l": 0x30}.items():
        setattr(board.machine.registers, name, value)
    board.machine.registers.pc = 0x150
    for address in range(0xC000, 0xC100):
        board.poke(address, address & 0xFF)
    board.poke(0xFF90, 0x99)
    return board


SM83 = {
    "00": "NOP",
    "01 34 12": "LD BC, $1234",
    "02": "LD (BC), A [$C010] = $10",
    "08 40 c0": "LD ($C040), SP = $41",
    "0a": "LD A, (BC) [$C010] = $10",
    "10 00": "STOP $00",
    "12": "LD (DE), A [$C020] = $20",
    "18 fe": "JR $0150",
    "20 05": "JR NZ, $0157",
    "22": "LD (HL+), A [$C030] = $30",
    "3a": "LD A, (HL-) [$C030] = $30",
    "34": "INC (HL) [$C030] = $30",
    "36 77": "LD (HL), $77 [$C030] = $30",
    "46": "LD B, (HL) [$C030] = $30",
    "76": "HALT",
    "86": "ADD A, (HL) [$C030] = $30",
    "88": "ADC A, B",
    "90": "SUB B",
    "96": "SUB (HL) [$C030] = $30",
    "98": "SBC A, B",
    "a0": "AND B",
    "a8": "XOR B",
    "b0": "OR B",
    "b8": "CP B",
    "c0": "RET NZ",
    "c1": "POP BC",
    "c2 34 12": "JP NZ, $1234",
    "c3 34 12": "JP $1234",
    "c4 34 12": "CALL NZ, $1234",
    "c5": "PUSH BC",
    "c6 77": "ADD A, $77",
    "c7": "RST 00H",
    "cb 06": "RLC (HL) [$C030] = $30",
    "cb 40": "BIT 0, B",
    "cb fe": "SET 7, (HL) [$C030] = $30",
    "cd 34 12": "CALL $1234",
    "ce 77": "ADC A, $77",
    "d3": "ILL_D3",
    "d6 77": "SUB $77",
    "d9": "RETI",
    "de 77": "SBC A, $77",
    "e0 90": "LDH ($FF90), A = $99",
    "e2": "LD ($FF00+C), A [$FF10] = $80",
    "e6 77": "AND $77",
    "e8 fe": "ADD SP, $FE",
    "e9": "JP HL",
    "ea 40 c0": "LD ($C040), A = $40",
    "f0 90": "LDH A, ($FF90) = $99",
    "f2": "LD A, ($FF00+C) [$FF10] = $80",
    "f5": "PUSH AF",
    "f8 05": "LD HL, SP+$05",
    "f9": "LD SP, HL",
    "fa 40 c0": "LD A, ($C040) = $40",
    "fe 77": "CP $77",
    "ff": "RST 38H",
}
"""As the templates of GameboyDisUtils.cpp have them, with what they read or write."""


@pytest.mark.parametrize("code", SM83)
def test_instructions_of_the_sm83(code: str) -> None:
    board = _gameboy(code)
    line, dot = board.beam()
    assert mesen_line(board) == (
        f"0150  {SM83[code]}".ljust(38)
        + " A:01 B:C0 C:10 D:C0 E:20 F:ZnHC HL:C030 S:FFFE"
        + f" V:{line:<3} H:{dot:<3}"
    )


def test_the_picture_of_a_game_boy_that_is_off() -> None:
    board = _gameboy("e0 40 00")
    before = board.beam()
    assert before != (0, 0)
    board.machine.registers.a = 0
    board.machine.engine.step()
    assert board.beam() == (0, 0)
    assert mesen_line(board).endswith(" V:0   H:0  ")
    board.machine.registers.a, board.machine.registers.pc = 0x80, 0x150
    board.machine.engine.step()
    assert mesen_line(board).endswith(" V:0   H:11 ")  # dot 7 when it is written, and 4 dots more


@given(st.binary(min_size=4, max_size=4))
def test_every_byte_has_a_line(data: bytes) -> None:
    nes, game_boy = _nes(), _gameboy(data.hex())
    for place, byte in enumerate(data, 0x200):
        nes.poke(place, byte)
    nes.registers.pc = 0x200
    assert re.fullmatch(r"0200  \w{3}.* A:00 X:00 Y:00 S:FD P:nv--dIzc V:\d+ .*", mesen_line(nes))
    assert re.fullmatch(r"0150  [A-Z_0-9]+.* F:ZnHC HL:C030 S:FFFE V:\d+ .*", mesen_line(game_boy))
