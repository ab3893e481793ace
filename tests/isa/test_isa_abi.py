"""How code of each CPU is called: the table agrees with the engines' registers and the isa."""

from __future__ import annotations

import pytest

from romproof.engine.registers import FLAG_BYTES, registers_of
from romproof.isa.abi import ABIS, MOS6502, SM83, Abi, NoAbi, abi_of
from romproof.isa.cpus import cpu_named
from romproof.isa.flow import Flow
from romproof.isa.load import load
from romproof.isa.transfers import transfers

each = pytest.mark.parametrize("abi", ABIS, ids=lambda abi: abi.cpu)


@each
def test_registers_and_flags_are_those_of_the_engines(abi: Abi) -> None:
    registers = registers_of(cpu_named(abi.cpu))
    single = {r.attribute for r in abi.registers} | {abi.stack_pointer.attribute, abi.flag_byte}
    assert single <= set(registers.names)
    assert cpu_named(abi.cpu).stack == abi.stack_pointer.attribute
    assert cpu_named(abi.cpu).registers[abi.stack_pointer.attribute] == abi.stack_pointer.bits
    flags, _ = FLAG_BYTES[abi.flag_byte]
    assert {flag.name.lower(): flag.mask for flag in abi.flags} == {n: 1 << b for n, b in flags}
    assert abi.poison.keys() == single - {abi.stack_pointer.attribute}
    for name in abi.widths:
        assert isinstance(abi.get(registers, name), int)


def test_pairs_are_two_registers() -> None:
    registers = registers_of(cpu_named("sm83"))
    SM83.set(registers, "hl", 0x1234)
    assert (registers.h, registers.l) == (0x12, 0x34)
    assert SM83.get(registers, "hl") == 0x1234
    assert [item.name for item in SM83.items["AF"]] == ["A", "ZF", "NF", "HF", "CF"]
    assert "af" not in SM83.settable
    assert SM83.settable["de"] == 16


@each
def test_poison_is_never_zero_and_no_two_registers_are_alike(abi: Abi) -> None:
    values = [abi.poison[register.attribute] for register in abi.registers]
    assert 0 not in values
    assert len(set(values)) == len(values)


def test_flags_as_text() -> None:
    assert MOS6502.format_flags(0xC1) == "NVdizC"
    assert SM83.format_flags(0xB0) == "ZnHC"


def test_the_bytes_of_a_stack() -> None:
    assert MOS6502.on_stack(0xFD, 0xFF) == range(0x1FE, 0x200)
    assert SM83.on_stack(0xDFFE, 0xE000) == range(0xDFFE, 0xE000)


def test_cpus_by_name() -> None:
    assert abi_of("6502X") is MOS6502
    assert abi_of("sm83") is SM83
    assert (MOS6502.cycles, SM83.cycles) == ("cycles", "M-cycles")
    with pytest.raises(NoAbi, match="code for the CPU 'z80' cannot be called"):
        abi_of("z80")


@each
def test_conditional_calls_and_returns_by_their_cycles(abi: Abi) -> None:
    table = transfers(abi.cpu)
    for opcode in load(abi.cpu)[:256]:
        cycles = opcode.cycles
        if opcode.conditional and opcode.flow in (Flow.CALL, Flow.RETURN):
            assert table.find_flow(opcode.byte, cycles.minimum) is Flow.NEXT
        assert table.find_flow(opcode.byte, cycles.maximum) is opcode.flow
    assert table.find_flow(-1, 1) is Flow.NEXT
