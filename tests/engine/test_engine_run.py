"""Runs, limits, observers and guards, the same on every engine; choosing an engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from every_engine import HERE, engine_with
from py65.devices.mpu6502 import MPU

from romproof.engine import engines
from romproof.engine.engines import ENGINES, Ability, NoSuchEngine, choose_engine, make_engine
from romproof.engine.protocol import Engine, EngineFault, FaultKind, Guard, Stop
from romproof.engine.registers import Registers
from romproof.isa.cpus import NoSuchCpu
from romproof.text.errors import MissingExtra

START = 0x0200
COUNTDOWN = bytes.fromhex("a205 ca d0fd 60")  # ldx #5; dex; bne; rts
ONLY_HERE = bytes(START) + b"\1" * 16 + bytes(0x10000 - START - 16)

Make = Callable[..., Any]


@pytest.fixture(params=HERE)
def engine_of(request: pytest.FixtureRequest) -> Make:
    """``engine_of(code, at=…, x=…)``: an engine with a program; once for each engine."""

    def make(code: bytes, at: int = START, **registers: int) -> Any:
        return engine_with(request.param, code, at, **registers)

    return make


@dataclass
class _Log:
    engine: Engine
    seen: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    states: list[tuple[int, int]] = field(default_factory=list)

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        self.seen.append((pc, byte, cycles, s, next_pc))
        self.states.append((self.engine.registers.x, self.engine.cycles))


def test_a_run_stops_where_it_is_told_to(engine_of: Make) -> None:
    engine = engine_of(COUNTDOWN)
    assert engine.run((START + 5,), 1000) is Stop.REACHED
    assert engine.registers.pc == START + 5
    assert engine.registers.x == 0
    assert engine.cycles == 2 + 5 * 2 + 4 * 3 + 2
    assert engine.instructions == 11


def test_a_run_stops_at_the_limit_after_whole_instructions(engine_of: Make) -> None:
    engine = engine_of(COUNTDOWN)
    assert engine.run((0xFFFF,), 5) is Stop.LIMIT
    assert (engine.cycles, engine.instructions) == (7, 3)
    assert engine.run((START + 5,), 1000) is Stop.REACHED
    assert engine.cycles == 26


def test_at_least_one_instruction_is_executed(engine_of: Make) -> None:
    engine = engine_of(bytes.fromhex("ea 4c0002"))
    assert engine.run((START,), 1000) is Stop.REACHED
    assert engine.instructions == 2


def test_an_observer_sees_each_instruction_and_the_live_state(engine_of: Make) -> None:
    engine = engine_of(COUNTDOWN)
    log = _Log(engine)
    assert engine.run((START + 5,), 1000, log) is Stop.REACHED
    plain = engine_of(COUNTDOWN)
    plain.run((START + 5,), 1000)
    assert (engine.cycles, engine.instructions) == (plain.cycles, plain.instructions)
    assert log.seen[0] == (START, 0xA2, 2, 0xFF, START + 2)
    assert log.seen[2] == (START + 3, 0xD0, 3, 0xFF, START + 2)
    assert log.seen[-1] == (START + 3, 0xD0, 2, 0xFF, START + 5)
    assert log.states[:3] == [(5, 2), (4, 4), (4, 7)]
    assert log.states[-1] == (0, 26)


def test_an_observer_may_stop_a_run_by_raising(engine_of: Make) -> None:
    class Enough(Exception):
        pass

    class Stopper:
        def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
            if byte == 0xCA:
                raise Enough

    engine = engine_of(COUNTDOWN)
    with pytest.raises(Enough):
        engine.run((START + 5,), 1000, Stopper())
    assert (engine.registers.pc, engine.registers.x) == (START + 3, 4)
    assert engine.run((START + 5,), 1000) is Stop.REACHED


def test_registers_can_be_copied_and_set() -> None:
    registers = Registers(1, 2, 3, 4, 5, 6)
    copy = registers.copy()
    copy.a = 9
    assert registers.a == 1
    registers.set(copy)
    assert registers == Registers(9, 2, 3, 4, 5, 6)


def test_the_program_counter_and_operands_wrap_at_the_end_of_memory(engine_of: Make) -> None:
    engine = engine_of(bytes.fromhex("ad 34"), at=0xFFFE)  # lda $1234 across $FFFF
    engine.memory[0x0000] = 0x12
    engine.memory[0x1234] = 0x77
    engine.step()
    assert (engine.registers.a, engine.registers.pc) == (0x77, 0x0001)


def test_bits_four_and_five_of_the_flags_are_never_stored(engine_of: Make) -> None:
    engine = engine_of(bytes.fromhex("28"), s=0xFE)  # plp
    engine.memory[0x1FF] = 0x10
    engine.step()
    assert engine.registers.p == 0x20


def test_a_guard_keeps_the_lowest_stack_pointer(engine_of: Make) -> None:
    code = bytes.fromhex("48 48 68 68")  # pha pha pla pla
    engine = engine_of(code, s=0xF0)
    engine.guard = Guard()
    engine.lowest_s = 0xF0
    engine.run((START + 4,), 100)
    assert (engine.registers.s, engine.lowest_s) == (0xF0, 0xEE)
    engine = engine_of(bytes.fromhex("a280 9a"))  # ldx #$80; txs
    engine.guard = Guard()
    engine.run((START + 3,), 100)
    assert engine.lowest_s == 0x80


@pytest.mark.parametrize(
    ("code", "guard", "kind", "address"),
    [
        ("4c0003", Guard(executable=ONLY_HERE), FaultKind.OUTSIDE, START),
        ("ea8d0502", Guard(protected=ONLY_HERE), FaultKind.ROM_WRITE, START + 1),
        ("eaee0502", Guard(protected=ONLY_HERE), FaultKind.ROM_WRITE, START + 1),
        ("00", Guard(), FaultKind.BRK, START),
        ("200002", Guard(), FaultKind.STACK_OVERFLOW, START),
        ("4868 68", Guard(stack_top=0xFF), FaultKind.STACK_UNDERFLOW, START + 2),
        ("60", Guard(), FaultKind.STACK_UNDERFLOW, START),
        ("a2f1 9a", Guard(stack_top=0xF0), FaultKind.STACK_UNDERFLOW, START + 2),
    ],
)
def test_a_guard_is_obeyed_with_and_without_observer(
    engine_of: Make, code: str, guard: Guard, kind: FaultKind, address: int
) -> None:
    for observe in (False, True):
        engine = engine_of(bytes.fromhex(code))
        engine.guard = guard
        assert engine.guard is guard
        with pytest.raises(EngineFault) as caught:
            engine.run((0xFFF0,), 10_000, _Log(engine) if observe else None)
        assert (caught.value.kind, caught.value.address) == (kind, address)
        assert f"${address:04X}" in str(caught.value)
        assert "{at}" not in str(caught.value)
        assert "here" in caught.value.explain("here")


def test_without_a_guard_nothing_but_unknown_opcodes_is_a_fault(engine_of: Make) -> None:
    engine = engine_of(bytes.fromhex("68 68 8d0002 4c0003"))
    engine.memory[0x300] = 0xEA
    assert engine.run((0x301,), 1000) is Stop.REACHED
    engine.guard = Guard()
    engine.guard = None
    engine.registers.pc = START + 1
    engine.registers.s = 0xFF
    engine.step()
    assert engine.registers.s == 0


def test_a_start_outside_of_the_program_is_a_fault(engine_of: Make) -> None:
    engine = engine_of(b"")
    engine.guard = Guard(executable=ONLY_HERE)
    engine.registers.pc = 0x4000
    with pytest.raises(EngineFault, match=r"nothing was loaded at \$4000$") as caught:
        engine.run((1,), 100)
    assert caught.value.kind is FaultKind.OUTSIDE
    assert engine.registers.pc == 0x4000


def test_memory_can_be_written_from_outside_while_it_is_protected_for_the_program(
    engine_of: Make,
) -> None:
    engine = engine_of(COUNTDOWN)
    engine.guard = Guard(protected=b"\1" * 0x10000)
    engine.run((START + 5,), 100)
    engine.memory[START] = 0xA0
    engine.memory[0:4] = b"abcd"
    assert engine.memory[0:4] == b"abcd"


def test_making_an_engine_by_name() -> None:
    engine = make_engine()
    assert engine.name == choose_engine()
    assert len(engine.memory) == 0x10000
    assert make_engine("py65").name == "py65"
    with pytest.raises(NoSuchEngine, match=r"no engine 'py6'; did you mean 'py65'.*: .*, py65$"):
        make_engine("py6")
    with pytest.raises(NoSuchCpu, match=r"no CPU 'mos6503'; did you mean 'mos6502'"):
        make_engine("auto", "mos6503")
    with pytest.raises(NoSuchEngine, match=r"'py65' cannot be used: it knows mos6502 only, not x"):
        make_engine("py65", "x")


def test_an_engine_whose_package_is_missing_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = replace(ENGINES["plain"], name="fast", packages=("no_such_package_here",), extra="fast")
    monkeypatch.setattr(engines, "ENGINES", {"fast": row, "plain": ENGINES["plain"]})
    with pytest.raises(MissingExtra) as caught:
        make_engine("fast")
    assert str(caught.value) == (
        "the engine 'fast' cannot be used: the package no_such_package_here is not installed; "
        'pip install "romproof[fast]"'
    )
    with pytest.raises(NoSuchEngine, match=r"available: plain$"):
        make_engine("other")
    assert make_engine().name == choose_engine() == "plain"


def test_an_engine_whose_package_does_not_load_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(cpu: str, space: object) -> Any:
        raise ImportError("libLLVM.so.20: cannot open shared object file")

    row = replace(ENGINES["plain"], name="fast", make=broken, packages=("click",))
    monkeypatch.setattr(engines, "ENGINES", {"fast": row})
    with pytest.raises(MissingExtra, match=r"'fast' cannot be used: libLLVM.*reinstall.*click$"):
        make_engine("fast")


def test_what_engines_can_do_is_known() -> None:
    assert ENGINES["plain"].abilities == set(Ability) - {Ability.BATCH}
    assert ENGINES["py65"].abilities == {Ability.DEVICES}
    assert Ability.BUS_TRACE not in ENGINES["llvm"].abilities
    assert all(row.refusal("sm83") is None for row in (ENGINES["plain"],))
    assert ENGINES["py65"].refusal("sm83") == "it knows mos6502 only, not sm83"


def test_the_inner_loop_does_what_py65_step_does(engine_of: Make) -> None:
    """Bytes as a program: documented opcodes, in step with bare py65."""
    code = bytes((i * 89 + 41) & 0xFF for i in range(256)) * 4
    allowed = bytes(b for b in code if MPU.instruct[b] is not MPU.inst_not_implemented)
    engine = engine_of(allowed)
    mpu = MPU(memory=list(engine.memory), pc=START)
    mpu.sp, mpu.p = 0xFF, 0x24
    cycles = 0
    for _ in range(3000):
        byte = engine.memory[engine.registers.pc]
        if MPU.instruct[byte] is MPU.inst_not_implemented:
            break
        engine.step()
        mpu.step()
        cycles += 3 if byte == 0xCE else 0
        now = engine.registers
        assert (now.a, now.x, now.y, now.s, now.pc) == (mpu.a, mpu.x, mpu.y, mpu.sp, mpu.pc)
        assert now.p | 0x30 == mpu.p | 0x30
        assert engine.cycles == mpu.processorCycles + cycles
    assert engine.instructions > 50
    assert list(engine.memory) == mpu.memory
