"""Translated code does what the plain engine does, to the cycle, whatever the program does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite")

from romproof.engine.plain.engine import PlainEngine
from romproof.engine.protocol import EngineFault, FaultKind, Guard, Stop
from romproof.engine.recompiled.engine import RecompiledEngine
from romproof.engine.space import NEVER, SIZE, AddressSpace
from romproof.isa.cpus import cpu_named

START = 0x0200
LONG = 20_000


def both(
    code: bytes, cpu: str = "mos6502", at: int = START, warm_up: int = 0
) -> tuple[PlainEngine, RecompiledEngine]:
    """The plain engine and one that translates at once, with the same program."""
    plain, fast = PlainEngine(cpu), RecompiledEngine(cpu, warm_up=warm_up)
    for engine in (plain, fast):
        engine.memory[at : at + len(code)] = code
        engine.registers.pc = at
    return plain, fast


def outcome(engine: Any, until: tuple[int, ...], limit: int) -> tuple[object, ...]:
    """All that can be seen of a run."""
    try:
        stop: object = engine.run(until, limit)
    except EngineFault as fault:
        stop = (fault.kind, fault.address, str(fault))
    registers = engine.registers.copy()
    memory = bytes(engine.memory)
    return stop, registers, engine.cycles, engine.instructions, engine.lowest_s, memory


# count down from 256 * 3, writing as it goes
LOOP = bytes.fromhex(
    "a003"  # 0200  ldy #3
    "a200"  # 0202  ldx #0
    "8a"  # 0204  txa
    "9d0004"  # 0205  sta $0400,x
    "ca"  # 0208  dex
    "d0f9"  # 0209  bne $0204
    "88"  # 020b  dey
    "d0f4"  # 020c  bne $0202
    "60"  # 020e  rts
)


@pytest.mark.parametrize("limit", [*range(1, 40), 999, 1000, 1001, LONG])
def test_a_budget_ends_at_the_same_instruction(limit: int) -> None:
    plain, fast = both(LOOP)
    assert outcome(plain, (), limit) == outcome(fast, (), limit)
    assert outcome(plain, (0x020E,), LONG) == outcome(fast, (0x020E,), LONG)
    assert fast.translations


def test_stops_within_translated_code() -> None:
    plain, fast = both(LOOP)
    for until in ((0x0208,), (0x0208,), (0x020B, 0x0204), (0x020E,)):
        assert outcome(plain, until, LONG) == outcome(fast, until, LONG)


def test_code_that_changes_itself() -> None:
    code = bytes.fromhex(
        "a220"  # 0200  ldx #$20
        "a900"  # 0202  lda #0      the operand is what counts
        "9500"  # 0204  sta $00,x
        "ee0302"  # 0206  inc $0203
        "ca"  # 0209  dex
        "d0f6"  # 020a  bne $0202
        "60"  # 020c  rts
    )
    plain, fast = both(code)
    assert outcome(plain, (0x020C,), LONG) == outcome(fast, (0x020C,), LONG)
    assert fast.memory[1:0x21] == bytes(range(0x1F, -1, -1))
    assert fast.translations <= 3  # what changes is left to the interpreter


def test_another_program_in_the_same_place() -> None:
    plain, fast = both(LOOP)
    assert outcome(plain, (0x020E,), LONG) == outcome(fast, (0x020E,), LONG)
    for engine in (plain, fast):
        engine.memory[START : START + 4] = bytes.fromhex("a9778502")  # lda #$77; sta $02
        engine.registers.pc = START
    assert outcome(plain, (0x0204,), LONG) == outcome(fast, (0x0204,), LONG)
    assert fast.memory[2] == 0x77


def test_jumps_to_where_nothing_was_seen_are_translated_in_the_end() -> None:
    code = bytes.fromhex(
        "a6f0"  # 0200  ldx $f0
        "bd0003"  # 0202  lda $0300,x
        "85f2"  # 0205  sta $f2
        "bd8003"  # 0207  lda $0380,x
        "85f3"  # 020a  sta $f3
        "6cf200"  # 020c  jmp ($00f2)
    )
    plain, fast = both(code)
    for engine in (plain, fast):
        for number in range(64):
            at = 0x1000 + 16 * number
            engine.memory[0x300 + number] = at & 0xFF
            engine.memory[0x380 + number] = at >> 8
            # inc number; inc $f0, in the last one sty $f0; jmp $0200
            step = 0xE6 if number < 63 else 0x84
            engine.memory[at : at + 7] = bytes((0xE6, number, step, 0xF0, 0x4C, 0x00, 0x02))
    assert outcome(plain, (), 100_000) == outcome(fast, (), 100_000)
    assert fast.translations >= 2


class Port:
    """Counts up with each read; keeps what is written, with the cycle."""

    def __init__(self) -> None:
        self.value = 0
        self.seen: list[tuple[int, int, int]] = []

    def read(self, address: int, cycle: int) -> int:
        self.value = (self.value + 1) & 0xFF
        self.seen.append((address, -1, cycle))
        return self.value

    def write(self, address: int, value: int, cycle: int) -> None:
        self.seen.append((address, value, cycle))


def test_a_device_among_translated_code() -> None:
    code = bytes.fromhex(
        "a240"  # 0200  ldx #$40
        "ad00d0"  # 0202  lda $d000
        "9d00cf"  # 0205  sta $cf00,x    below the device
        "fe01d0"  # 0208  inc $d001,x    dummy accesses, and both sides of its end
        "ca"  # 020b  dex
        "d0f4"  # 020c  bne $0202
        "60"  # 020e  rts
    )
    results = []
    for make in (PlainEngine, lambda space: RecompiledEngine("mos6502", space, warm_up=0)):
        space, port = AddressSpace(), Port()
        space.attach(0xD000, 0xD01F, port)
        engine: Any = make("mos6502", space) if make is PlainEngine else make(space)  # type: ignore[operator]
        engine.memory[START : START + len(code)] = code
        engine.registers.pc = START
        results.append((outcome(engine, (0x020E,), LONG), port.seen))
    assert results[0] == results[1]
    assert results[0][0][0] is Stop.REACHED


@pytest.mark.parametrize("cpu", ["mos6502", "wdc65c02"])
def test_dummy_reads_of_a_device_in_translated_code(cpu: str) -> None:
    """Only the dummy read is the device's: the access that counts goes to memory."""
    code = bytes.fromhex(
        "a240"  # 0200  ldx #$40
        "9df0d0"  # 0202  sta $d0f0,x    before the carry, at $d010 for one
        "bdf0d0"  # 0205  lda $d0f0,x    the same, where there is a carry
        "20ffcf"  # 0208  jsr $cfff      whose rts reads the byte that follows it
        "ca"  # 020b  dex
        "d0f4"  # 020c  bne $0202
        "a9d048"  # 020e  lda #$d0; pha
        "a91f48"  # 0211  lda #$1f; pha
        "60"  # 0214  rts             to $d020, by way of $d01f
    )
    results = []
    for kind in (PlainEngine, RecompiledEngine):
        space, port = AddressSpace(), Port()
        space.attach(0xD000, 0xD01F, port)
        engine: Any = kind(cpu, space)
        engine.warm_up = 0
        engine.memory[START : START + len(code)] = code
        engine.memory[0xCFFF] = 0x60
        engine.registers.pc = START
        results.append((outcome(engine, (0xD020,), LONG), port.seen))
    assert results[0] == results[1]
    assert results[0][0][0] is Stop.REACHED
    assert engine.translated_instructions > 100
    if cpu == "mos6502":  # the 65C02 reads elsewhere
        assert {address for address, *_ in results[0][1]} == set(range(0xD000, 0xD020))


class Alarm:
    """Pulls IRQ every ``period`` cycles and lets go of it ``held`` cycles later."""

    def __init__(self, space: AddressSpace, period: int, held: int) -> None:
        self.signals, self.period, self.held = space.use_signals(), period, held
        self.next, self.low = period, False
        space.attach_clock(self)

    def due(self) -> int:
        return self.next

    def advance(self, cycle: int) -> None:
        while self.next <= cycle:
            self.low = not self.low
            self.signals.irq_from = self.next if self.low else NEVER
            self.next += self.held if self.low else self.period


@pytest.mark.slow_cases("100-9")
@pytest.mark.parametrize(("period", "held"), [(100, 9), (257, 30), (1000, 3), (40, 400)])
def test_interrupts_among_translated_code(period: int, held: int) -> None:
    handler = bytes.fromhex("e6104068")  # inc $10; rti
    results = []
    for name in ("plain", "recompiled"):
        space = AddressSpace()
        engine: Any = (
            PlainEngine("mos6502", space)
            if name == "plain"
            else RecompiledEngine("mos6502", space, warm_up=0)
        )
        Alarm(space, period, held)
        engine.memory[START : START + len(LOOP)] = LOOP
        engine.memory[0x0300:0x0304] = handler
        engine.memory[0xFFFE:0x10000] = b"\x00\x03"
        engine.registers.pc, engine.registers.p = START, 0x20
        results.append(outcome(engine, (0x020E,), 60_000))
        assert engine.memory[0x10] > 0
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("a200 9d00c0 ca 4c0202", FaultKind.ROM_WRITE),  # sta $c000,x in a loop
        ("a910 48 4c0202", FaultKind.STACK_OVERFLOW),  # push for ever
        ("a004 68 88 d0fc 4c0202", FaultKind.STACK_UNDERFLOW),  # pull too often
        ("a203 ca d0fd 4c0070", FaultKind.OUTSIDE),  # jump out of the program
        ("a203 ca d0fd 60", FaultKind.OUTSIDE),  # return to where nothing is
        ("a203 ca d0fd 00", FaultKind.BRK),
        ("a203 ca d0fd 02", FaultKind.JAM),
    ],
)
def test_faults_are_the_same(code: str, kind: FaultKind) -> None:
    executable, protected = bytearray(SIZE), bytearray(SIZE)
    executable[0x0200:0x0300] = b"\1" * 0x100
    protected[0xC010:0xC020] = b"\1" * 0x10
    plain, fast = both(bytes.fromhex(code))
    found = []
    for engine in (plain, fast):
        engine.guard = Guard(bytes(executable), bytes(protected), stack_top=0xFD)
        engine.registers.s = engine.lowest_s = 0xF9
        stop, *rest = outcome(engine, (), LONG)
        assert isinstance(stop, tuple)
        assert stop[0] is kind
        sentence = str(stop[2])
        found.append((stop[:2], sentence, rest[0:4]))
    assert found[0] == found[1]


def test_banked_memory_is_interpreted() -> None:
    space = AddressSpace(bytearray(2 * SIZE))
    engine = RecompiledEngine("mos6502", space, warm_up=0)
    engine.memory[START : START + len(LOOP)] = LOOP
    engine.registers.pc = START
    assert engine.run((0x020E,), LONG) is Stop.REACHED
    assert engine.translations == 0


@pytest.mark.slow_cases("1-sm83", "3-sm83", "10-mos6502", "11-sm83")
@pytest.mark.parametrize("cpu", ["mos6502", "sm83"])
@pytest.mark.parametrize("seed", range(12))
def test_random_programs(cpu: str, seed: int) -> None:
    """Few sane programs are as nasty: they run through their own data and overwrite themselves."""
    random = Random(seed)
    described = cpu_named(cpu)
    runs = [n for n in range(256) if described.microcode[n].stop is None]
    size = random.choice((16, 40, 120))
    plain, fast = both(
        bytes(random.choices(runs, k=size)), cpu, warm_up=random.choice((0, 0, 50, 300))
    )
    filling = bytes(random.choices((*range(256), *[0xEA if cpu == "mos6502" else 0] * 256), k=SIZE))
    for engine in (plain, fast):
        engine.memory[:START] = filling[:START]
        engine.memory[START + size :] = filling[START + size :]
    for _ in range(6):
        until = tuple(
            random.randrange(START, START + size) for _ in range(random.choice((0, 0, 1, 2)))
        )
        limit = random.choice((1, 7, 60, 500, 3000))
        one, other = outcome(plain, until, limit), outcome(fast, until, limit)
        if isinstance(one[0], tuple):  # the engine's name may be in the sentence
            assert one[0][:2] == other[0][:2]  # type: ignore[index]
            assert one[1:4] == other[1:4]
            return
        assert one == other
        if random.random() < 0.3:
            at, byte = START + random.randrange(size), random.choice(runs)
            plain.memory[at] = fast.memory[at] = byte


@pytest.mark.slow
@pytest.mark.parametrize("warm_up", [0, 10**9])
def test_many_runs_are_those_of_one_after_the_other(warm_up: int) -> None:
    numpy = pytest.importorskip("numpy")
    counts = numpy.arange(1, 101, dtype=numpy.uint8)
    budgets = numpy.where(counts % 7 == 0, 50, LONG)
    fast = RecompiledEngine(warm_up=warm_up)
    fast.memory[START : START + len(LOOP)] = LOOP
    found = fast.run_many(
        {"pc": START + 2, "y": counts % 4 + 1}, (0x020E,), budgets, outputs=[(0x0400, 256)]
    )
    for number, (count, budget) in enumerate(zip(counts, budgets, strict=True)):
        plain, _ = both(LOOP, at=START)
        plain.registers.pc, plain.registers.y = START + 2, int(count) % 4 + 1
        plain.run((0x020E,), int(budget))
        assert found.cycles[number] == plain.cycles
        assert found.instructions[number] == plain.instructions
        assert bytes(found.outputs[0x0400, 256][number]) == plain.memory[0x0400:0x0500]
    assert (fast.translations > 0) == (warm_up == 0)


def test_patched_code_is_interpreted_in_a_batch() -> None:
    numpy = pytest.importorskip("numpy")
    fast = RecompiledEngine(warm_up=0)
    fast.memory[START : START + 3] = bytes.fromhex("a90060")  # lda #0; rts
    values = numpy.arange(200, dtype=numpy.uint8)
    found = fast.run_many({"pc": START}, (START + 2,), 100, patches={START + 1: values})
    assert list(found.registers["a"]) == list(values)
