"""Programs that test a 6502 from within: Klaus Dormann's and Bruce Clark's, and nestest."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from romproof.conformance.model import (
    PASSED,
    REFUSED,
    SuiteFile,
    SuiteOutcome,
    count_executed,
    fail,
)
from romproof.engine.engines import DEFAULT_CPU, ENGINES, Ability, make_engine
from romproof.engine.protocol import EngineFault, FaultKind
from romproof.engine.space import NEVER, SIZE, AddressSpace, Signals
from romproof.isa.load import load
from romproof.isa.ricoh2a03 import ARITHMETIC
from romproof.support.reading import read_input

_CHUNK = 1_000_000
_MAX_CYCLES = 300_000_000


class Feedback:
    """The port of the interrupt test: bit 0 holds IRQ low, a rising bit 1 lets NMI fall."""

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self._value = 0

    def read(self, address: int, cycle: int) -> int:
        """What was written last."""
        return self._value

    def write(self, address: int, value: int, cycle: int) -> None:
        """Set the lines."""
        risen = value & ~self._value
        if risen & 1:
            self._signals.irq_from = cycle
        if not value & 1:
            self._signals.irq_from = NEVER
        if risen & 2:
            self._signals.nmi_at = cycle
        self._value = value


def _functional_is_complete(engine: Any) -> str | None:
    """The trap's ``jmp`` was not executed yet; the totals have it."""
    engine.step()
    totals = (engine.instructions, engine.cycles)
    if totals != _FUNCTIONAL_TOTALS:
        return f"it took {_write_totals(totals)}, not {_write_totals(_FUNCTIONAL_TOTALS)}"
    return None


def _write_totals(totals: tuple[int, int]) -> str:
    return f"{totals[0]:,} instructions and {totals[1]:,} cycles"


def _interrupts_are_served(engine: Any) -> str | None:
    """Success, or a stop in the last test of all: there NMI comes together with BRK and takes
    its place. The source says that an NMOS 6502 may do so, and the transistor-level simulation
    perfect6502 stops there too, after 2,721 cycles as we do."""
    pc = engine.registers.pc
    if pc == _SERVED or (pc == _LOST_BRK and engine.memory[_SOURCES] == _ALL_AT_ONCE):
        return None
    return f"trapped at ${pc:04X}; success is ${_SERVED:04X}"


def _decimal_is_right(engine: Any) -> str | None:
    if engine.memory[_ERROR] == 0:
        return None
    n1, n2, a, predicted = (engine.memory[place] for place in (0, 1, 4, 6))
    return f"with ${n1:02X} and ${n2:02X}: A is ${a:02X}, not ${predicted:02X}, or a flag is wrong"


_FUNCTIONAL_TOTALS = (30_646_177, 96_241_367)
"""Instructions and cycles, the first turn of the trap's loop included; on Visual 6502."""
_ERROR = 0x000B
_SERVED, _LOST_BRK = 0x06F5, 0x075C
_SOURCES, _ALL_AT_ONCE = 0x0203, 7


@dataclass(frozen=True, slots=True)
class ProgramTest:
    """An image of 64 KiB. It ends in a loop of one instruction, at ``success`` if all is well;
    None: at any, and ``check`` tells. ``check`` says what is wrong, None when nothing is.
    ``port`` is where Feedback is."""

    start: int
    success: int | None
    check: Callable[[Any], str | None] | None = None
    port: int | None = None
    cpu: str = DEFAULT_CPU


PROGRAMS: Mapping[str, ProgramTest] = MappingProxyType(
    {
        "6502_functional_test.bin": ProgramTest(0x0400, 0x3469, _functional_is_complete),
        "6502_decimal_test.bin": ProgramTest(0x0200, None, _decimal_is_right),
        "6502_interrupt_test.bin": ProgramTest(0x0400, None, _interrupts_are_served, port=0xBFFC),
    }
)
"""By file name, at the addresses of their authors' default configuration."""
CMOS_PROGRAMS: Mapping[str, ProgramTest] = MappingProxyType(
    {"65C02_extended_opcodes_test.bin": ProgramTest(0x0400, 0x24F1, cpu="wdc65c02")}
)
"""The same, for the 65C02."""


def run_program(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """Run one of the programs to its end; it is one case."""
    program = {**PROGRAMS, **CMOS_PROGRAMS}[file.name]
    data = read_input(file.path)
    if len(data) != SIZE:
        return fail(file.name, f"the image has {len(data):,} bytes, not {SIZE:,}")
    space = AddressSpace() if program.port is not None else None
    if space is not None and program.port is not None:
        space.attach(program.port, program.port, Feedback(space.use_signals()))
    machine: Any = make_engine(engine, program.cpu, space)
    machine.memory[:] = data
    if program.port is not None:
        machine.memory[program.port] = 0
    machine.registers.pc = program.start
    return _outcome(file, program, machine) + count_executed(machine)


def _outcome(file: SuiteFile, program: ProgramTest, machine: Any) -> SuiteOutcome:
    try:
        end = _run_to_trap(machine, program.success)
    except EngineFault as fault:
        return fail(file.name, str(fault))
    if end is None:
        return fail(file.name, f"no end after {_MAX_CYCLES:,} cycles")
    if program.success is not None and end != program.success:
        return fail(file.name, f"trapped at ${end:04X}; success is ${program.success:04X}")
    wrong = program.check(machine) if program.check else None
    return PASSED if wrong is None else fail(file.name, wrong)


def _run_to_trap(engine: Any, success: int | None) -> int | None:
    """Where the program ends in a loop of one instruction; None when it does not."""
    until = () if success is None else (success,)
    while engine.cycles < _MAX_CYCLES:
        engine.run(until, _CHUNK)
        here: int = engine.registers.pc
        if here == success:
            return here
        engine.step()
        if engine.registers.pc == here:
            return here
    return None


# ---------------------------------------------------------------- nestest


def _step_binary(engine: Any) -> None:
    """One instruction of a 6502 whose arithmetic does not see the flag D: that of the NES, where
    the engine does not know it."""
    registers = engine.registers
    opcode = load("mos6502")[engine.memory[registers.pc]]
    hidden = registers.p & _DECIMAL if opcode.mnemonic in ARITHMETIC else 0
    registers.p &= ~hidden
    engine.step()
    registers.p |= hidden


_LINE = re.compile(
    r"(?P<pc>[0-9A-F]{4}) .* A:(?P<a>..) X:(?P<x>..) Y:(?P<y>..) P:(?P<p>..) SP:(?P<s>..) "
    r".*CYC: *(?P<cycles>\d+)"
)
_HEADER, _PRG = 16, 0x4000
_AUTOMATIC = 0xC000
"""Where the program begins when nobody looks at its screen."""
_RESET_CYCLES = 7
_DECIMAL = 0x08
_NES = "ricoh2a03"


def run_nestest(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """Kevin Horton's nestest against the log beside it; each line is a case.

    Every line needs those before it: ``sample`` is not heeded, and the first failure ends it.
    """
    rom = read_input(file.path)
    prg = rom[_HEADER : _HEADER + _PRG]
    row = ENGINES.get(engine)
    knows = row is None or row.cpus is None or _NES in row.cpus
    machine: Any = make_engine(engine, _NES) if knows else make_engine(engine)
    machine.memory[0x8000:0xC000] = machine.memory[0xC000:0x10000] = prg
    machine.registers.pc, machine.registers.s = _AUTOMATIC, 0xFD
    step = machine.step if knows else partial(_step_binary, machine)
    return _against_log(file, machine, step) + count_executed(machine)


def _against_log(file: SuiteFile, machine: Any, step: Callable[[], object]) -> SuiteOutcome:
    knows_all = Ability.UNDOCUMENTED in ENGINES[machine.name].abilities
    total = SuiteOutcome()
    log = read_input(file.path.with_suffix(".log")).decode("ascii").splitlines()
    for number, line in enumerate(log, 1):
        match = _LINE.match(line)
        if match is None:
            return total + fail(f"line {number}", f"this is not a line of the log: {line[:40]!r}")
        registers = machine.registers
        wanted = {name: int(match[name], 16) for name in ("pc", "a", "x", "y", "p", "s")}
        wanted["cycles"] = int(match["cycles"])
        got = {name: getattr(registers, name) for name in ("pc", "a", "x", "y", "p", "s")}
        got["cycles"] = machine.cycles + _RESET_CYCLES
        if got != wanted:
            name = next(name for name in wanted if got[name] != wanted[name])
            form = "{}" if name == "cycles" else "${:02X}"
            what = f"{name.upper()} is {form.format(got[name])}, not {form.format(wanted[name])}"
            return total + fail(f"line {number}", what)
        total += PASSED
        try:
            step()
        except EngineFault as fault:
            if fault.kind is FaultKind.UNDOCUMENTED and not knows_all:
                return total + SuiteOutcome(apart={REFUSED: len(log) - number})
            return total + fail(f"behind line {number}", str(fault))
    errors = (machine.memory[2], machine.memory[3])
    if any(errors):
        return total + fail("result", f"$02 and $03 hold ${errors[0]:02X} and ${errors[1]:02X}")
    return total
