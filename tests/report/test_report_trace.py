"""Lines of a trace in the forms of other people's logs."""

from __future__ import annotations

import re

import pytest

from romproof.engine.engines import make_engine
from romproof.engine.protocol import EngineFault
from romproof.engine.registers import Sm83Registers
from romproof.harness.replay.trace import Stepper, TraceStep
from romproof.isa.cpus import CPUS
from romproof.program.image import Image
from romproof.report.nestest import log_line, operands_of

# Lines of nestest.log (Kevin Horton's nestest, run from $C000), without its column of the picture
# unit: one of each addressing mode, documented and not. They say what memory held.
NESTEST = """\
C000  4C F5 C5  JMP $C5F5                       A:00 X:00 Y:00 P:24 SP:FD CYC:7
C5F5  A2 00     LDX #$00                        A:00 X:00 Y:00 P:24 SP:FD CYC:10
C5F7  86 00     STX $00 = 00                    A:00 X:00 Y:00 P:26 SP:FD CYC:12
C72F  B0 04     BCS $C735                       A:00 X:00 Y:00 P:27 SP:FB CYC:31
"""
MODES = {
    "0a": "ASL A",
    "a5 10": "LDA $10 = 5A",
    "b5 0e": "LDA $0E,X @ 10 = 5A",
    "b6 0d": "LDX $0D,Y @ 10 = 5A",
    "ad 00 03": "LDA $0300 = A7",
    "9d fe 02": "STA $02FE,X @ 0300 = A7",
    "b9 fd 02": "LDA $02FD,Y @ 0300 = A7",
    "a1 1e": "LDA ($1E,X) @ 20 = 0300 = A7",
    "b1 20": "LDA ($20),Y = 0300 @ 0303 = C3",
    "6c ff 03": "JMP ($03FF) = 1234",
    "20 00 03": "JSR $0300",
    "a7 10": "*LAX $10 = 5A",
    "e7 10": "*ISB $10 = 5A",
    "eb 01": "*SBC #$01",
    "1a": "*NOP",
}


def _first(code: str, cpu: str = "mos6502") -> str:
    engine = make_engine("plain", cpu)
    engine.memory[0x10], engine.memory[0x300], engine.memory[0x303] = 0x5A, 0xA7, 0xC3
    engine.memory[0x20:0x22] = b"\x00\x03"
    engine.memory[0x3FF], engine.memory[0x400] = 0x34, 0x99
    data = bytes.fromhex(code)
    engine.memory[0x800 : 0x800 + len(data)] = data
    before = engine.memory[0x300]
    engine.memory[0x300] = 0x12 if code.startswith("6c") else before
    if cpu == "sm83":
        engine.registers.set(Sm83Registers(1, 0xB0, 0, 0x13, 0, 0xD8, 1, 0x4D, 0xFFFE, 0x800))
    else:
        for name, value in {"a": 1, "x": 2, "y": 3, "s": 0xFD, "p": 0x24, "pc": 0x800}.items():
            setattr(engine.registers, name, value)
    steps: list[TraceStep] = []
    look = operands_of(cpu)
    engine.run((), 1, Stepper(engine, cpu, steps.append, engine.cycles, look))
    image = Image(cpu, (), (), (), (), (), (), (), ())
    return log_line(image, steps[0])


@pytest.mark.parametrize("code", MODES)
def test_operands_as_nestest_log_has_them(code: str) -> None:
    line = _first(code)
    text = MODES[code]
    shown = text if text.startswith("*") else f" {text}"
    assert line == (f"0800  {code.upper():<8} {shown:<33}A:01 X:02 Y:03 P:24 SP:FD CYC:0")


def test_the_columns_are_those_of_the_log() -> None:
    for line in NESTEST.splitlines():
        assert line.index("A:") == 48
    assert _first("a2 00").index("A:") == 48
    form = re.compile(
        r"[\dA-F]{4}  [\dA-F ]{8} [ *][A-Z]{3}.{29}A:\w\w X:\w\w Y:\w\w P:\w\w SP:\w\w"
    )
    assert all(form.match(line) for line in (*NESTEST.splitlines(), _first("a2 00")))


def test_the_form_that_gameboy_doctor_reads() -> None:
    # its README: A:00 F:11 B:22 C:33 D:44 E:55 H:66 L:77 SP:8888 PC:9999 PCMEM:AA,BB,CC,DD
    line = _first("cb 37 c3 13", "sm83")
    assert line == (
        "A:01 F:B0 B:00 C:13 D:00 E:D8 H:01 L:4D SP:FFFE PC:0800 PCMEM:CB,37,C3,13"
        "  ; M-cycle 0  swap a"
    )


@pytest.mark.parametrize("cpu", CPUS)
def test_every_opcode_of_every_cpu_has_a_line(cpu: str) -> None:
    for opcode in range(256):
        line = _executed(f"{opcode:02x} 10 03", cpu)
        assert line is None or ("PC:0800" in line if cpu == "sm83" else line.startswith("0800  "))


def _executed(code: str, cpu: str) -> str | None:
    """None for what no engine executes, such as one that locks the CPU."""
    try:
        return _first(code, cpu)
    except EngineFault:
        return None


@pytest.mark.parametrize(
    ("cpu", "code", "text"),
    [
        ("ricoh2a03", "6c ff 03", " JMP ($03FF) = 1234"),  # as nestest.log, from the NES
        ("wdc65c02", "6c ff 03", " JMP ($03FF) = 9934"),
        ("synertek65c02", "b2 20", " LDA ($20) = 0300 = A7"),
        ("wdc65c02", "7c fd 03", " JMP ($03FD,X) @ 03FF = 9934"),
        ("rockwell65c02", "0f 10 7d", " BBR0 $10,$0880 = 5A"),
        ("rockwell65c02", "64 10", " STZ $10 = 5A"),
    ],
)
def test_operands_of_the_kin_of_the_6502(cpu: str, code: str, text: str) -> None:
    assert _first(code, cpu).startswith(f"0800  {code.upper():<8} {text:<33}A:01")
