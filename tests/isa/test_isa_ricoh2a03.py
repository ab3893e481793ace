"""The NES's CPU: a 6502 in everything but decimal mode."""

from __future__ import annotations

from typing import Any

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from py65.devices.mpu6502 import MPU
from test_isa_mos6502 import CASES, CASES_EACH, OF_THE_SIMULATION, TESTED, result_of

from romproof.engine.engines import ENGINES, NoSuchEngine, make_engine
from romproof.isa.abi import abi_of
from romproof.isa.mos6502 import mos6502
from romproof.isa.ricoh2a03 import ARITHMETIC, ricoh2a03

BYTE = st.integers(0, 0xFF)
HERE = [n for n, row in ENGINES.items() if row.missing() is None and row.cpus is None]
D, UNUSED = 0x08, 0x20


@every_case(
    "opcode",
    [o for o in TESTED if o.byte not in OF_THE_SIMULATION],
    ids=lambda o: f"{o.byte:02x} {o.syntax}",
)
def test_binary_arithmetic_and_all_else_are_the_6502s(opcode: Any) -> None:
    for case in CASES[opcode.byte][:CASES_EACH]:
        if opcode.mnemonic in ARITHMETIC and case["initial"]["p"] & D:
            continue
        after, bus = result_of(ricoh2a03(), case["initial"])
        assert bus == [[address, value, bool(read)] for address, value, read in case["cycles"]]
        assert {name: after[name] for name in ("a", "x", "y", "s", "pc")} == {
            name: case["final"][name] for name in ("a", "x", "y", "s", "pc")
        }
        assert (after["p"] | 0x30) == (case["final"]["p"] | 0x30)


def test_what_is_said_anew_is_decimal_mode_and_one_opcode() -> None:
    ours, theirs = ricoh2a03(), mos6502()
    other = {
        opcode.syntax
        for opcode, one, two in zip(
            ours.opcodes, ours.microcode[:256], theirs.microcode[:256], strict=True
        )
        if one != two
    }
    assert {syntax.split()[0] for syntax in other} == ARITHMETIC | {"lax"}
    assert [syntax for syntax in other if syntax.startswith("lax")] == ["lax #n8"]
    assert ours.microcode[256:] == theirs.microcode[256:]


@given(a=BYTE, value=BYTE, p=BYTE, opcode=st.sampled_from([0x69, 0xE9]))
def test_with_d_set_sums_are_those_of_py65_with_d_clear(
    a: int, value: int, p: int, opcode: int
) -> None:
    witness = MPU(memory=[opcode, value, *[0] * 0xFFFE], pc=0)
    witness.a, witness.p = a, p & ~D | UNUSED
    witness.step()
    for name in HERE[-1:]:  # plain: the others are its equals
        engine: Any = make_engine(name, "ricoh2a03")
        engine.memory[:2] = bytes((opcode, value))
        engine.registers.a, engine.registers.p = a, p | D | UNUSED
        engine.step()
        assert engine.registers.a == witness.a
        assert engine.registers.p & 0xCF == witness.p & 0xCF | D


@pytest.mark.parametrize("name", HERE)
def test_nine_and_one_on_every_engine(name: str) -> None:
    for cpu, total in (("mos6502", 0x10), ("ricoh2a03", 0x0A)):
        engine: Any = make_engine(name, cpu)
        engine.memory[0x200:0x206] = bytes.fromhex("f8 18 a9 09 69 01")
        engine.registers.pc = 0x200
        engine.run((0x206,), 100)
        assert engine.registers.a == total
        assert engine.registers.p & D  # D itself is kept


def test_py65_refuses_it_by_name() -> None:
    with pytest.raises(NoSuchEngine, match=r"'py65' cannot be used: it knows mos6502 only"):
        make_engine("py65", "ricoh2a03")


@pytest.mark.parametrize("name", ["2a03", "ricoh2a03"])
def test_manifests_may_use_the_short_name(name: str) -> None:
    assert abi_of(name).cpu == "ricoh2a03"
    assert abi_of(name).contents == abi_of("6502").contents
