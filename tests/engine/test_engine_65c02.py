"""The 65C02s against an independent emulator, and what the chips do on the bus, from their papers:
Clark and Laughton, "65C02 Opcodes"; the W65C02S data sheet."""

from __future__ import annotations

import random
from typing import Any

import pytest
from every_case import every_case
from every_engine import engine_with, engines_with
from py65.devices.mpu65c02 import MPU

from romproof.engine.engines import Ability, NoSuchEngine, make_engine
from romproof.engine.plain.core import BusCycle
from romproof.engine.protocol import EngineFault, FaultKind
from romproof.engine.space import AddressSpace
from romproof.isa.load import load
from romproof.isa.model import Opcode, OpcodeVariant

CPUS = ("synertek65c02", "rockwell65c02", "wdc65c02")
MADE = engines_with(Ability.UNDOCUMENTED)
RUNS = 4
"""Random states of each opcode."""

ORDINARY = [
    pytest.param(opcode, id=f"{opcode.byte:02x} {opcode.syntax}")
    for opcode in load("wdc65c02")
    if opcode.variant is OpcodeVariant.DOCUMENTED
    and opcode.mnemonic[:3] not in ("wai", "bbr", "bbs")
]
DECIMAL, BREAK_AND_UNUSED = 0x08, 0x30
CYCLES_PY65_HAS_WRONG = (0x1E, 0x3E, 0x5E, 0x7E, 0x3C, 0x80, 0xCE)
"""The first four take 6 within a page, the next two one more over one; ``dec a16`` takes 6."""


@pytest.mark.slow
@every_case("opcode", ORDINARY)
def test_py65_comes_to_the_same(opcode: Opcode) -> None:
    """Registers, memory, cycles. What py65 1.2.0 does not know of the chips: decimal mode, branches
    on bits (one byte short), and pointers at $FF, whose high byte is at $00."""
    rng = random.Random(opcode.byte)
    for _ in range(RUNS):
        memory = bytearray(rng.randbytes(0x10000))
        pc = rng.randrange(0x0200, 0xFE00)
        memory[pc] = opcode.byte
        memory[pc + 1] &= 0x7F
        state = {name: rng.randrange(256) for name in ("a", "x", "y", "s")}
        p = rng.randrange(256) & ~(DECIMAL | BREAK_AND_UNUSED) | 0x20
        engine: Any = engine_with("plain", cpu="wdc65c02", pc=pc, p=p, **state)
        engine.memory[:] = memory
        mpu = MPU(memory=list(memory), pc=pc)
        mpu.a, mpu.x, mpu.y, mpu.sp, mpu.p = *(state[n] for n in "axys"), p
        engine.step()
        mpu.step()
        got = engine.registers
        theirs = (mpu.a, mpu.x, mpu.y, mpu.sp, mpu.pc & 0xFFFF)
        assert (got.a, got.x, got.y, got.s, got.pc) == theirs
        assert got.p & ~BREAK_AND_UNUSED == mpu.p & ~BREAK_AND_UNUSED
        assert list(engine.memory) == mpu.memory
        if opcode.byte not in CYCLES_PY65_HAS_WRONG:
            assert engine.cycles == mpu.processorCycles


BUS = {
    # a program at $02FD, X = 1; the cycles after the fetch: r, or w, and the address
    "asl a16,x within a page": ("1e 20 10", "r2fe r2ff r1021 r1021 w1021"),
    "asl a16,x over a page": ("1e ff 10", "r2fe r2ff r2ff r1100 r1100 w1100"),
    "inc a16,x within a page": ("fe 20 10", "r2fe r2ff r2ff r1021 r1021 w1021"),
    "lda a16,x over a page": ("bd ff 10", "r2fe r2ff r2ff r1100"),
    "lda (a8)": ("b2 ff", "r2fe r00ff r0000 r8070"),
    "jmp (a16) at the end of a page": ("6c ff 10", "r2fe r2ff r10ff r1100 r1100"),
    "jmp (a16,x)": ("7c fe 10", "r2fe r2ff r2fe r10ff r1100"),
    "stz a16,x": ("9e 20 10", "r2fe r2ff r2ff w1021"),
    "rmb0 a8": ("07 30", "r2fe r30 r30 w30"),
    "bbr0 a8,e8 taken": ("0f 30 02", "r2fe r30 r30 r2ff r300"),
    "phx": ("da", "r2fe w1ff"),
    "ply": ("7a", "r2fe r1ff r100"),
    "nop of one cycle": ("03", ""),
    "nop of eight cycles": ("5c 34 12", "r2fe r2ff rff34 rffff rffff rffff rffff"),
}


@pytest.mark.parametrize("name", BUS)
def test_the_bus(name: str) -> None:
    code, wanted = BUS[name]
    engine: Any = engine_with("plain", cpu="wdc65c02", pc=0x02FD, x=1, s=0xFF)
    engine.memory[0x02FD : 0x02FD + len(bytes.fromhex(code))] = bytes.fromhex(code)
    engine.memory[0x0000], engine.memory[0x00FF] = 0x80, 0x70
    seen: list[BusCycle] = []
    engine.watch(seen.append)
    engine.step()
    shown = [f"{'w' if c.kind.is_write else 'r'}{c.address:x}" for c in seen[1:]]
    assert shown == [each[0] + each[1:].lstrip("0").rjust(1, "0") for each in wanted.split()]


@pytest.mark.slow_cases("f8 69 01-153-0-0-Z C-5-recompiled")
@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize(
    ("code", "a", "c", "after", "flags", "cycles"),
    [
        # Clark, appendix A: N and Z are those of the decimal result; one cycle more
        ("f8 69 01", 0x99, 0, 0x00, "Z C", 5),
        ("f8 69 01", 0x79, 0, 0x80, "N V", 5),
        ("f8 e9 01", 0x00, 1, 0x99, "N", 5),
        ("f8 65 10", 0x12, 1, 0x47, "", 6),
        ("d8 69 01", 0x99, 0, 0x9A, "N", 4),
    ],
)
def test_decimal_mode(
    name: str, code: str, a: int, c: int, after: int, flags: str, cycles: int
) -> None:
    engine: Any = engine_with(name, bytes.fromhex(code), cpu="wdc65c02", a=a, p=0x20 | c)
    engine.memory[0x10] = 0x34
    engine.run((), 4)
    got = engine.registers
    shown = " ".join(f for f, mask in zip("NVZC", (0x80, 0x40, 2, 1), strict=True) if got.p & mask)
    assert (got.a, shown, engine.cycles) == (after, flags, cycles)


@pytest.mark.slow_cases("False-recompiled")
@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("masked", [False, True])
def test_wai_waits_for_an_interrupt(name: str, masked: bool) -> None:
    """It goes on with an IRQ that is masked, too, without its handler."""
    space = AddressSpace()
    signals = space.use_signals()
    program = bytes.fromhex("cb e8 e8 e8")  # wai; inx; inx; inx
    engine: Any = engine_with(
        name, program, cpu="wdc65c02", space=space, p=0x28 | 4 * masked, s=0xFF, x=0
    )
    engine.memory[0xFFFE], engine.memory[0xFFFF] = 0x00, 0x90
    start = engine.registers.pc
    signals.irq_from = 1000
    engine.run((), 500)
    assert (engine.registers.interrupt, engine.registers.pc) == (2, start + 1)
    if masked:
        engine.run((start + 2,), 600)
        assert (engine.registers.x, engine.cycles) == (1, 1003)
    else:
        engine.run((0x9000,), 600)
        assert engine.registers.x == 0
        assert engine.memory[0x1FE] | engine.memory[0x1FF] << 8 == start + 1
        assert not engine.registers.p & DECIMAL  # interrupts clear it
        assert engine.memory[0x1FD] & DECIMAL
        assert engine.cycles == 1008


@pytest.mark.parametrize("name", MADE)
def test_stp_and_undefined_opcodes(name: str) -> None:
    engine: Any = engine_with(name, bytes.fromhex("02 00 44 00 5c 00 00 fb db"), cpu="wdc65c02")
    with pytest.raises(EngineFault) as caught:
        engine.run((), 100)
    assert caught.value.kind is FaultKind.JAM
    assert engine.cycles == 2 + 3 + 8 + 1


@pytest.mark.parametrize("cpu", CPUS)
def test_the_three_differ_in_what_the_makers_added(cpu: str) -> None:
    rows = load(cpu)
    assert rows[0x07].mnemonic == ("nop" if cpu == "synertek65c02" else "rmb0")
    assert rows[0xCB].mnemonic == ("wai" if cpu == "wdc65c02" else "nop")
    assert {row.cpu for row in rows} == {cpu}
    with pytest.raises(NoSuchEngine, match="it knows mos6502 only"):
        make_engine("py65", cpu)
