"""What engines write down: the same on all of them, and nothing that was not asked for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from every_engine import engine_with, engines_with
from lockstep import START, Case, Log, Subject, Wiring
from slow import slow_but

from romproof.engine.engines import Ability
from romproof.engine.inputs import BadEngineInput, Unsupported
from romproof.engine.instruments import (
    EXECUTED,
    MAX_EVENTS,
    READ,
    WRITTEN,
    CallEvent,
    CallKind,
    Instruments,
    MemoryEvent,
    Recording,
    Traced,
    Watchpoint,
)
from romproof.engine.protocol import EngineFault, Guard, Stop
from romproof.engine.space import SIZE, AddressSpace
from romproof.isa.cpus import cpu_named
from romproof.isa.load import load
from romproof.isa.model import OpcodeVariant

NAMES = engines_with(Ability.INTERRUPTS)
CPUS = ("mos6502", "sm83")
LOWER, UPPER = b"\1" * 0x8000 + bytes(0x8000), bytes(0x8000) + b"\1" * 0x8000


def ordinary(cpu: str) -> list[int]:
    """The opcodes that do not stop the CPU for good."""
    fitting = (OpcodeVariant.DOCUMENTED, OpcodeVariant.UNDOCUMENTED, OpcodeVariant.PREFIX)
    return [o.byte for o in load(cpu)[:256] if o.variant in fitting and o.mnemonic not in ("stop",)]


def written_down(recording: Recording) -> dict[str, Any]:
    """All of a recording."""
    return {
        name: list(getattr(recording, name))
        for name in (
            "executions", "cycles", "access", "calls", "trace",
            "uninitialised", "rom_writes", "watched",
        )
    }  # fmt: skip


# ---------------------------------------------------------------- all engines alike


def _case(cpu: str, seed: int, wiring: Wiring, guard: Guard | None = None) -> Case:
    random = Random(seed)
    stack = {"sp": 0xDFF0} if cpu == "sm83" else {"s": 0xFF}
    registers = {"pc": random.randrange(0x1000, 0x7000), **stack}
    if cpu == "sm83":
        registers["ime"] = 1
    return Case(cpu, seed, ordinary(cpu), random.randbytes(16), registers, wiring, guard)


@pytest.mark.slow_cases("0-mos6502", "0-sm83", "1-mos6502", "1-sm83", "2-mos6502", "4-sm83")
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("seed", range(6))
def test_all_engines_write_down_the_same(cpu: str, seed: int) -> None:
    random = Random(seed)
    # one variant of compiled code for all seeds: interrupts, devices, no guard
    wiring = Wiring(devices=((0x2000, 0x27FF),), timer=150, held=60, observed=seed % 2 == 0)
    case = _case(cpu, seed, wiring)
    known = bytes(random.random() < 0.7 for _ in range(SIZE))
    wanted = Instruments(
        counts=True,
        access=True,
        calls=True,
        trace=random.choice((1, 100)),
        uninitialised=known,
        rom_writes=bytes(0x9000) + b"\1" * 0x1000 + bytes(0x6000),
        watch=(Watchpoint(0, 0x17FF), Watchpoint(0x2400, 0x5000, reads=False)),
    )
    found = []
    for name in engines_with(Ability.INTERRUPTS, cpu):
        subject = Subject(name, case)
        recording = subject.engine.instrument(wanted)
        for _ in range(3):
            subject.run(1500)
        found.append({**subject.seen(), "memory": subject.memory(), **written_down(recording)})
    assert found[0]["executions"].count(0) < SIZE
    assert found[0]["trace"]
    for other in found[1:]:
        assert other == found[0]


@pytest.mark.slow_cases("0-sm83")
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("seed", slow_but([0], range(4)))
def test_a_detached_observer_is_told_the_same(cpu: str, seed: int) -> None:
    class Later(Log):
        detached = True

    wiring = Wiring(timer=90, held=40, interrupts=True)
    case = _case(cpu, seed, wiring)
    told = []
    for name in engines_with(Ability.INTERRUPTS, cpu):
        for observer in (Log(), Later()):
            engine = Subject(name, case).engine
            for limit in (1, 2000, 16_000):
                with suppress(EngineFault):  # an opcode that stops the processor
                    engine.run((), limit, observer)
            assert len(observer.seen) == engine.instructions
            told.append(observer.seen)
    assert len(told[0]) > 3
    for other in told[1:]:
        assert other == told[0]


def test_an_interrupt_is_no_opcode() -> None:
    for name in NAMES:
        engine = engine_with(name, bytes.fromhex("58 ea ea ea"), s=0xFF)  # cli, nops
        engine.memory[0xFFFE:0x10000] = (0x0300).to_bytes(2, "little")
        engine.memory[0x300] = 0x40  # rti
        engine.space.use_signals().irq_from = 0
        log = Log()
        recording = engine.instrument(Instruments(counts=True, calls=True, trace=10))
        engine.run((0x300,), 100, log)
        assert [told[:2] for told in log.seen] == [(0x200, 0x58), (0x201, 0xEA), (0x202, -1)]
        interrupt = cpu_named("mos6502").sequences["interrupt"]
        assert recording.trace[-1] == Traced(4, 0x202, 0x300, 0xFC, interrupt)
        assert recording.calls == [CallEvent(CallKind.INTERRUPT, 0x202, 0x300, 0xFC, 4)]
        assert (recording.executions[0x202], recording.cycles[0x202]) == (0, 7)


# ---------------------------------------------------------------- what is in a recording


@pytest.mark.parametrize("name", NAMES)
def test_counts_add_up(name: str) -> None:
    engine = engine_with(name, bytes.fromhex("a2 05 ca d0 fd 60"))  # ldx #5; dex; bne; rts
    recording = engine.instrument(Instruments(counts=True))
    engine.run((START + 5,), 1000)
    executed = {a: n for a, n in enumerate(recording.executions) if n}
    assert executed == {START: 1, START + 2: 5, START + 3: 5}
    assert sum(recording.cycles) == engine.cycles
    assert recording.cycles[START + 3] == 4 * 3 + 2


@pytest.mark.parametrize("name", NAMES)
def test_the_access_map_has_no_dummy_accesses(name: str) -> None:
    # ldx #$FF; lda $12F0,x (reads $12EF first); inc $40; sta $1300; sta $1400,x
    code = bytes.fromhex("a2ff bdf012 e640 8d0013 9d0014")
    engine = engine_with(name, code, s=0xFF)
    recording = engine.instrument(Instruments(access=True))
    engine.run((START + len(code),), 100)
    there = {a: bits for a, bits in enumerate(recording.access) if bits}
    program = dict.fromkeys(range(START, START + len(code)), EXECUTED)
    data = {0x13EF: READ, 0x40: READ | WRITTEN, 0x1300: WRITTEN, 0x14FF: WRITTEN}
    assert there == program | data


@pytest.mark.parametrize("name", NAMES)
def test_calls_and_returns(name: str) -> None:
    engine = engine_with(name, bytes.fromhex("200602 00 ea ea 60"), s=0xFF)  # jsr; brk; rts
    engine.memory[0xFFFE:0x10000] = (0x0300).to_bytes(2, "little")
    engine.memory[0x300] = 0x40  # rti
    recording = engine.instrument(Instruments(calls=True))
    engine.run((0x205,), 100)
    assert recording.calls == [
        CallEvent(CallKind.CALL, 0x200, 0x206, 0xFD, 0),
        CallEvent(CallKind.RETURN, 0x206, 0x203, 0xFF, 6),
        CallEvent(CallKind.INTERRUPT, 0x203, 0x300, 0xFC, 12),
        CallEvent(CallKind.RETURN, 0x300, 0x205, 0xFF, 19),
    ]


@pytest.mark.parametrize("name", engines_with(Ability.INTERRUPTS, "sm83"))
def test_a_call_whose_condition_does_not_hold_is_none(name: str) -> None:
    # call nz, $0210; call z, $0210; rst $08
    engine = engine_with(name, bytes.fromhex("c41002 cc1002 cf"), cpu="sm83", sp=0xD000)
    engine.memory[0x210:0x212] = bytes.fromhex("c8 c0")  # ret z; ret nz
    recording = engine.instrument(Instruments(calls=True))
    engine.run((0x08,), 100)
    assert recording.calls == [
        CallEvent(CallKind.CALL, 0x200, 0x210, 0xCFFE, 0),
        CallEvent(CallKind.RETURN, 0x211, 0x203, 0xD000, 8),
        CallEvent(CallKind.CALL, 0x206, 0x08, 0xCFFE, 16),
    ]


@pytest.mark.slow_cases("1-recompiled", "100000-recompiled", "100000-llvm", "100000-plain")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kept", [1, 3, 5000, 100_000])
def test_the_trace_holds_the_last_instructions(name: str, kept: int) -> None:
    engine = engine_with(name, bytes.fromhex("e8 4c0002"), s=0x80)  # inx; jmp
    recording = engine.instrument(Instruments(trace=kept))
    assert recording.trace == []
    for limit in (1, 4, 50_000):
        engine.run((), limit)
    assert len(recording.trace) == min(kept, engine.instructions)
    number, pc, next_pc = (0x4C, START + 1, START) if engine.registers.pc == START else (
        0xE8, START, START + 1
    )  # fmt: skip
    taken = 3 if number == 0x4C else 2
    assert recording.trace[-1] == Traced(engine.cycles - taken, pc, next_pc, 0x80, number)
    for one, following in zip(recording.trace, recording.trace[1:], strict=False):
        assert one.next_pc == following.pc
        assert following.cycle - one.cycle == (2 if one.number == 0xE8 else 3)


@pytest.mark.slow_cases("recompiled")
@pytest.mark.parametrize("name", NAMES)
def test_reads_of_what_nobody_wrote_are_told_once(name: str) -> None:
    # lda $80; lda $80; sta $81; lda $81; inc $82; lda $8000 (a device)
    code = bytes.fromhex("a580 a580 8581 a581 e682 ad0080 60")
    engine = engine_with(name, code, s=0xFD)
    engine.memory[0x80], engine.memory[0x82] = 7, 8
    engine.space.attach(0x8000, 0x8000, _Port([]))
    known = bytes(START) + b"\1" * 0x100 + bytes(SIZE - START - 0x100)
    recording = engine.instrument(Instruments(uninitialised=known))
    engine.run((START + len(code) - 1,), 100)
    assert list(recording.uninitialised) == [
        MemoryEvent(START, 0x80, 7, 2, False),
        MemoryEvent(START + 8, 0x82, 8, 14, False),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_writes_to_rom_are_recorded_and_do_not_happen(name: str) -> None:
    code = bytes.fromhex("a901 8d0090 ee0190 8d0088")  # lda #1; sta $9000; inc $9001; sta $8800
    engine = engine_with(name, code)
    recording = engine.instrument(Instruments(rom_writes=UPPER))
    engine.run((START + len(code),), 100)
    assert list(recording.rom_writes) == [
        MemoryEvent(START + 2, 0x9000, 1, 5, True),
        MemoryEvent(START + 5, 0x9001, 1, 11, True),
        MemoryEvent(START + 8, 0x8800, 1, 15, True),
    ]
    assert not any(engine.memory[0x8000:])
    engine.registers.pc = START
    engine.guard = Guard(protected=UPPER)
    with pytest.raises(EngineFault, match=r"writes \$01 to \$9000, which is read-only"):
        engine.run((START + len(code),), 100)
    assert len(recording.rom_writes) == 3


@pytest.mark.parametrize("name", NAMES)
def test_watchpoints_are_told_after_the_access(name: str) -> None:
    engine = engine_with(name, bytes.fromhex("e640 a540 8541"))  # inc $40; lda $40; sta $41
    told: list[tuple[MemoryEvent, int]] = []

    def look(event: MemoryEvent) -> None:
        told.append((event, engine.memory[event.address]))

    points = (Watchpoint(0x40, 0x41, callback=look), Watchpoint(0x41, 0x41, reads=False))
    recording = engine.instrument(Instruments(watch=points))
    engine.run((START + 6,), 100)
    assert told == [
        (MemoryEvent(START, 0x40, 0, 2, False), 0),
        (MemoryEvent(START, 0x40, 1, 4, True), 1),
        (MemoryEvent(START + 2, 0x40, 1, 7, False), 1),
        (MemoryEvent(START + 4, 0x41, 1, 10, True), 1),
    ]
    assert list(recording.watched) == [told[-1][0]]


def test_only_the_last_events_are_kept() -> None:
    for name in NAMES:
        engine = engine_with(name, bytes.fromhex("8580 4c0002"))  # sta $80; jmp
        recording = engine.instrument(Instruments(watch=(Watchpoint(0x80, 0x80),), most=3))
        engine.run((), 60)
        assert [event.cycle for event in recording.watched] == [6 * n + 2 for n in (7, 8, 9)]


# ---------------------------------------------------------------- on and off


@pytest.mark.slow_cases("recompiled")
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_when_a_recording_ends(name: str) -> None:
    engine = engine_with(name, bytes.fromhex("ad0080 a580 8580 4c0002"))
    port = _Port([])
    engine.space.attach(0x8000, 0x8001, port)
    engine.space.use_signals()  # as in the first test: the same variant of compiled code
    before = bytes(engine.space.actions)
    weave = engine.weave() if name != "plain" else None
    recording = engine.instrument(
        Instruments(
            counts=True,
            access=True,
            calls=True,
            trace=10,
            uninitialised=bytes(SIZE),
            rom_writes=UPPER,
            watch=(Watchpoint(0, 0xFFFF),),
        )
    )
    engine.run((), 100)
    kept = written_down(recording)
    assert kept["trace"]
    engine.space.attach(0x9000, 0x9000, port)  # it stays
    engine.instrument(None)
    engine.run((), 100)
    assert written_down(recording) == kept
    assert engine.space.actions[0x9000] == engine.space.actions[0x8000] != 0
    assert bytes(engine.space.actions[:0x9000]) == before[:0x9000]
    assert weave is None or engine.weave() == replace(weave, writes=True, reads=True)
    assert engine.space.special_reads


def test_without_instruments_compiled_code_is_the_very_same() -> None:
    for name in set(NAMES) - {"plain"}:
        engine, other = engine_with(name), engine_with(name)
        engine.instrument(Instruments(counts=True, watch=(Watchpoint(0, 10),)))
        assert engine.weave() != other.weave()
        engine.instrument(None)
        assert engine.weave() == other.weave()


@pytest.mark.parametrize(
    "wanted", [{"counts": True}, {"access": True}, {"trace": 1}, {"watch": (Watchpoint(0, 1),)}]
)
def test_py65_says_what_it_cannot(wanted: dict[str, Any]) -> None:
    pytest.importorskip("py65")
    engine = engine_with("py65")
    with pytest.raises(Unsupported, match=r"'py65' .*use another engine"):
        engine.instrument(Instruments(**wanted))
    assert written_down(engine.instrument(None))["calls"] == []


@pytest.mark.parametrize("name", ["py65", *NAMES])
def test_reads_of_uninitialised_memory_on_every_engine(name: str) -> None:
    if name == "py65":
        pytest.importorskip("py65")
    engine = engine_with(name)
    # lda $10; sta $11; inc $11; lda $12; rts
    engine.memory[0x8000:0x8009] = bytes.fromhex("a5 10 85 11 e6 11 a5 12 60")
    engine.registers.pc = 0x8000
    recording = engine.instrument(
        Instruments(
            uninitialised=bytes(0x100) + b"\1" * 0xFF00,
            rom_writes=bytes(0x10) + b"\1" + bytes(0xFFEF),
        )
    )
    engine.run({0x8008}, 100)
    assert [(e.pc, e.address) for e in recording.uninitialised] == [(0x8000, 0x10), (0x8006, 0x12)]
    assert not recording.rom_writes
    engine.instrument(None)
    assert not any(engine.space.actions)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"uninitialised": b"x"}, "'uninitialised' has 1 bytes; it needs one for each"),
        ({"rom_writes": bytes(SIZE + 1)}, "'rom_writes' has 65,537 bytes"),
        ({"trace": -1}, f"trace=-1, most={MAX_EVENTS}: these cannot be stored"),
        ({"most": 0}, "trace=0, most=0"),
    ],
)
def test_instruments_that_cannot_be_meant(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(BadEngineInput, match=message):
        Instruments(**wrong)


def test_a_watchpoint_outside_of_memory() -> None:
    with pytest.raises(BadEngineInput, match="a watchpoint from 5 to 65536: not within 0 to 65535"):
        Watchpoint(5, SIZE)


# ---------------------------------------------------------------- devices


class Enough(Exception):
    """What a device of these tests raises."""


class _Port:
    """Gives 5, keeps a log, and raises on the address in ``fails``."""

    def __init__(self, log: list[tuple[str, int, int]], fails: tuple[str, int] | None = None):
        self._log, self._fails = log, fails

    def read(self, address: int, cycle: int) -> int:
        self._act("r", address, cycle)
        return 5

    def write(self, address: int, value: int, cycle: int) -> None:
        self._act("w", address, cycle)

    def _act(self, what: str, address: int, cycle: int) -> None:
        self._log.append((what, address, cycle))
        if self._fails == (what, address):
            raise Enough


@pytest.mark.slow_cases("recompiled")
@pytest.mark.parametrize("name", NAMES)
def test_devices_see_dummy_accesses(name: str) -> None:
    # ldx #$FF; lda $8001,x and sta $80F2,x (too low by a page at first); inc $8001
    code = bytes.fromhex("a2ff bd0180 9df280 ee0180")
    log: list[tuple[str, int, int]] = []
    space = AddressSpace()
    space.attach(0x8000, 0x80FF, _Port(log))
    engine = engine_with(name, code, space=space)
    engine.run((START + len(code),), 100)
    dummies = [("r", 0x8000, 5), ("r", 0x80F1, 10), ("w", 0x8001, 16)]
    assert log == [*dummies[:2], ("r", 0x8001, 15), dummies[2], ("w", 0x8001, 17)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("code", "fails", "accesses"),
    [
        ("ad0080", ("r", 0x8000), 1),  # lda $8000
        ("8d0080", ("w", 0x8000), 1),  # sta $8000
        ("ee0080", ("w", 0x8000), 2),  # inc $8000: at its dummy write
        ("ee0080", ("r", 0x8000), 1),  # and no write after the read
        ("6c0080", ("r", 0x8001), 2),  # jmp ($8000)
        ("200080", ("r", 0x8000), 1),  # jsr $8000, where nothing can be fetched
    ],
)
def test_what_a_device_raises_reaches_the_caller(
    name: str, code: str, fails: tuple[str, int], accesses: int
) -> None:
    log: list[tuple[str, int, int]] = []
    space = AddressSpace()
    space.attach(0x8000, 0x8001, _Port(log, fails))
    engine = engine_with(name, bytes.fromhex("a977 " + code), s=0xFF, space=space)
    with pytest.raises(Enough):
        engine.run((), 100)
    # as if the instruction had not begun
    broken = 0x8000 if code == "200080" else START + 2
    cycles = 8 if code == "200080" else 2
    assert (engine.registers.pc, engine.registers.a) == (broken, 0x77)
    assert (engine.cycles, engine.executing) == (cycles, broken)
    assert len(log) == accesses
    with pytest.raises(Enough):
        engine.step()
    space.attach(0x8000, 0x8001, _Port(log))
    assert engine.run((), 1) is Stop.LIMIT


@pytest.mark.parametrize("name", NAMES)
def test_an_instruction_that_is_broken_off_writes_no_memory(name: str) -> None:
    space = AddressSpace()
    space.attach(0x10, 0x10, _Port([], fails=("r", 0x10)))
    engine = engine_with(name, bytes.fromhex("a977 9110"), space=space)  # lda #$77; sta ($10),y
    with pytest.raises(Enough):
        engine.run((), 100)
    assert engine.memory.count(0x77) == 1


@pytest.mark.parametrize("name", NAMES)
def test_what_a_watchpoint_raises_ends_the_run(name: str) -> None:
    def stop(event: MemoryEvent) -> None:
        raise Enough

    engine = engine_with(name, bytes.fromhex("e8 8680 4c0002"))  # inx; stx $80; jmp
    engine.instrument(Instruments(watch=(Watchpoint(0x80, 0x80, callback=stop),)))
    with pytest.raises(Enough):
        engine.run((), 1000)
    assert (engine.registers.pc, engine.registers.x, engine.memory[0x80]) == (START + 1, 1, 1)
    engine.instrument(None)
    assert engine.run((START,), 1000) is Stop.REACHED
