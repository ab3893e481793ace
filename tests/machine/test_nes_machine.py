"""DMA, controllers, the counters of the sound, IRQs; a whole NES, on all engines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nes_programs import after, image, nes_with, put, run_to

from romproof.engine.engines import ENGINES, NoSuchEngine
from romproof.engine.protocol import EngineFault
from romproof.isa.load import load
from romproof.isa.model import OpcodeVariant
from romproof.machine.board import Board, BoardError
from romproof.machine.nes.machine import Nes

ENGINES_HERE = [n for n, row in ENGINES.items() if row.missing() is None and row.cpus is None]
IRQ = 0x0400


def test_it_is_a_board() -> None:
    board: Board = Nes(image())
    assert (board.name, board.nowhere, board.ports) == ("nes", 0x4FFF, ((0x2000, 0x4020),))
    assert not board.executable[board.nowhere]
    assert board.executable[0x0200]
    board.start()
    assert board.engine.registers.pc == 0x0200
    assert board.engine.cycles == 7


@pytest.mark.parametrize("engine", ENGINES_HERE)
@pytest.mark.parametrize("odd", [False, True])
def test_oam_dma_takes_513_or_514_cycles(engine: str, odd: bool) -> None:
    # cycle 7: lda #$07 (2), [bit $00 (3)], sta $4014 (4): written in cycle 12 or 15
    nes = nes_with("a9 07 " + ("24 00 " if odd else "") + "8d 14 40 ea", engine=engine)
    put(nes, 0x700, bytes(range(256)).hex())
    nes.ppu.picture.address = 4
    cycles = run_to(nes, 0x206 + 2 * odd)
    assert cycles == 2 + 3 * odd + 4 + (514 if odd else 513) + 2
    wanted = bytes((i - 4) & 0xFF & (0xE3 if i % 4 == 2 else 0xFF) for i in range(256))
    assert bytes(nes.ppu.oam) == wanted


def test_a_controller_is_read_a_button_at_a_time() -> None:
    nes = nes_with("a9 01 8d 16 40 a9 00 8d 16 40" + "ad 16 40 4a 26 10" * 8 + "ad 16 40")
    for button in ("a", "start", "right"):
        nes.press(button)
    nes.press("b", 1)
    run_to(nes, 0x20A + 8 * 6 + 3)
    assert nes.peek(0x10) == 0b10010001
    assert nes.registers.a == 0x41  # all further reads are 1
    assert nes.peek(0x4017) == 0x40
    nes.release("a")
    put(nes, 0x200, "a9 01 8d 16 40 ad 16 40 ad 16 40")
    nes.registers.pc = 0x200
    run_to(nes, 0x20B)
    assert nes.registers.a == 0x40  # strobed: A again and again
    with pytest.raises(BoardError, match="no button 'fire'; there are: a, b, select"):
        nes.press("fire")
    with pytest.raises(BoardError, match="no player 2"):
        nes.press("a", 2)


def test_two_reads_in_consecutive_cycles_are_one_to_a_controller() -> None:
    # lda $3f17,x with x=$ff reads $3f16, then $4016; inc $4016 reads once and writes twice
    nes = nes_with("a9 01 8d 16 40 a9 00 8d 16 40 a2 ff bd 17 3f ad 16 40")
    nes.press("b")
    run_to(nes, 0x212)
    assert nes.registers.a == 0x41


def test_length_counters_are_seen_in_4015() -> None:
    # enable pulse 1, length 2 half frames (index 3): after two halves it is silent
    nes = nes_with("a9 01 8d 15 40 a9 18 8d 03 40 4c 0a 02")
    nes.run((), 40)
    assert nes.peek(0x4015) & 1
    nes.run((), 30_000)
    assert not nes.peek(0x4015) & 1
    held = nes_with("a9 01 8d 15 40 a9 20 8d 00 40 a9 18 8d 03 40 4c 0f 02")
    held.run((), 60_000)
    assert held.peek(0x4015) & 1
    assert held.peek(0x4015) & 0x40  # to look does not acknowledge


def test_the_frame_counter_asks_for_an_irq_from_power_on() -> None:
    nes = nes_with("58 4c 01 02")
    run_to(nes, IRQ, 40_000)
    assert abs(nes.cycles - 29_829) <= 12
    put(nes, IRQ, "ad 15 40 40")
    run_to(nes, 0x201)
    taken = nes.cycles
    run_to(nes, IRQ, 40_000)
    assert abs(nes.cycles - taken - 29_830) <= 40
    quiet = nes_with("a9 40 8d 17 40 58 4c 06 02")
    assert quiet.run((IRQ,), 100_000).value == "limit"


def test_the_sample_channel_takes_cycles_and_asks_for_an_irq() -> None:
    # rate 15: 54 cycles a bit; 17 bytes
    code = "a9 8f 8d 10 40 a9 01 8d 13 40 a9 10 8d 15 40 a9 40 8d 17 40 58 4c 15 02"
    nes = nes_with(code)
    begin = nes.cycles
    run_to(nes, IRQ, 20_000)
    assert abs(nes.cycles - begin - 16 * 8 * 54) <= 8 * 54 + 60
    assert nes.peek(0x4015) & 0x80
    put(nes, IRQ, "a9 00 8d 15 40 40")
    run_to(nes, 0x215)
    assert not nes.peek(0x4015) & 0x90
    loop = "a2 00 a0 00 88 d0 fd ca d0 fa"  # 256 * 256 turns
    silent, playing = nes_with(loop), nes_with("a9 4f 8d 10 40 a9 10 8d 15 40 " + loop)
    run_to(silent, 0x20A, 2_000_000)
    used = run_to(playing, 0x214, 2_000_000) - 12
    assert 4 * (used // 432 - 1) <= used - silent.cycles + 7 <= 4 * (used // 432 + 1)


@pytest.mark.parametrize(("latch", "line"), [(3, 3), (20, 20)])
def test_mmc3_counts_lines(latch: int, line: int) -> None:
    # counting begins with the line before line 0; sprites have their patterns at $1000
    code = f"a9 {latch:02x} 8d 00 c0 8d 01 c0 8d 01 e0 a9 08 8d 00 20 a9 18 8d 01 20 58 4c 16 02"
    nes = nes_with(code, rom=image(4, prg=8))
    nes.apu.write(0x4017, 0x40, nes.cycles)
    run_to(nes, IRQ, 60_000)
    assert abs(nes.cycles - (line * 341 + 261) // 3) <= 14
    put(nes, IRQ, "8d 00 e0 40")
    run_to(nes, 0x216)
    assert nes.run((IRQ,), 60_000).value == "limit"


def test_an_irq_may_be_asked_for_and_is_acknowledged_as_its_device_says() -> None:
    nes = nes_with("58 ea ea 4c 03 02")
    nes.interrupt("irq")
    run_to(nes, IRQ, 20)
    put(nes, IRQ, "ad 15 40 40")
    run_to(nes, 0x203, 40)
    assert nes.run((IRQ,), 1_000).value == "limit"


def test_the_reset_button() -> None:
    nes = nes_with("a9 84 8d 00 20 a2 12 4c 07 02")
    nes.run((), 30)
    nes.reset()
    registers = nes.registers
    assert (registers.pc, registers.s, registers.x) == (0x0200, 0xFA, 0x12)
    assert nes.ppu.frames.control == 0
    assert nes.peek(0x0201) == 0x84  # RAM stays


BUSY = (
    "a9 88 8d 00 20 a9 18 8d 01 20 58 "  # NMI, picture, IRQ
    "ee 23 00 ad 02 20 a9 02 8d 14 40 a9 10 8d 15 40 a9 8f 8d 10 40 a2 01 8e 16 40 ca 8e 16 40 "
    "ad 16 40 ac 17 40 ad 15 40 4c 0b 02"
)


@pytest.mark.slow_cases("recompiled")
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_what_was_saved_goes_on_as_it_would_have(engine: str) -> None:
    nes = nes_with(BUSY, engine=engine, rom=image(4, prg=8))
    nes.run((), 50_000)
    saved, keys = nes.save(), []
    for _ in range(2):
        nes.run((), 70_000)
        keys.append(state_of(nes))
        nes.press("left")
        nes.poke(0x300, 0x02)
        nes.select(0, 3)
        nes.restore(saved)
        nes.release("left")
    assert keys[0] == keys[1]


def state_of(nes: Nes) -> dict[str, Any]:
    """All that must be the same on every engine. To look at the PPU brings it up to now, so that
    is done first."""
    reads = [nes.peek(a) for a in (0x2002, 0x2004, 0x2007, 0x4015, 0x4016, 0x4017)]
    return {
        "registers": nes.registers.copy(),
        "cycles": nes.cycles,
        "instructions": nes.engine.instructions,
        "memory": bytes(nes.space.store),
        "vram": bytes(nes.ppu.vram),
        "oam": bytes(nes.ppu.oam),
        "palette": bytes(nes.ppu.palette),
        "v": (_address(nes), nes.ppu.scroll.t, nes.ppu.scroll.second),
        "signals": bytes(nes.space.signals),
        "registers read": reads,
        "banks": nes.banks(),
    }


def _address(nes: Nes) -> int:
    """Where the PPU reads now: while lines are drawn that is worked out when somebody asks."""
    ppu = nes.ppu
    ppu.catch_up(ppu.region.read_dot(nes.cycles))
    if not ppu.picture.is_odd:
        ppu.frames.follow(ppu.region.read_dot(nes.cycles))
    return ppu.v


def fault_of(nes: Nes, limit: int) -> tuple[object, ...] | None:
    """Run for so many cycles; the fault that ended it."""
    try:
        nes.run((), limit)
    except EngineFault as fault:
        return fault.kind, fault.address
    return None


OPCODES = [o.byte for o in load() if o.variant is OpcodeVariant.DOCUMENTED]
PORTS = [
    *range(0x2000, 0x2008), 0x4000, 0x4003, 0x4010, 0x4013, 0x4014, 0x4015, 0x4016, 0x4017,
    0x5000, 0x8000, 0x8001, 0xA000, 0xC000, 0xC001, 0xE000, 0xE001,
]  # fmt: skip


def _port(opcode: int, port: int) -> bytes:
    return bytes((opcode, port & 0xFF, port >> 8))


TEXT = st.lists(
    st.one_of(
        st.builds(_port, st.sampled_from([0x8D, 0xAD, 0x2C, 0xEE, 0x8E]), st.sampled_from(PORTS)),
        st.builds(lambda value: bytes((0xA9, value)), st.integers(0, 255)),
        st.tuples(st.sampled_from(OPCODES), st.integers(0, 255), st.integers(0, 7)).map(bytes),
    ),
    min_size=5,
    max_size=60,
).map(b"".join)


@settings(max_examples=10)
@given(
    TEXT,
    st.sampled_from([0, 1, 4, 9, 28, 69]),
    st.lists(st.integers(1, 4_000), min_size=2, max_size=6),
)
@example(bytes.fromhex("8d0020 8d0020 8d0020 8d0020 8d0120"), 0, [1, 1, 30])
def test_engines_are_in_step(text: bytes, mapper: int, limits: list[int]) -> None:
    """Random programs with all devices, DMA, NMI and IRQ."""
    rom = image(mapper, prg=8 if mapper else 2)
    code = (bytes.fromhex("a9 88 8d 00 20 58") + text).hex() + "4c 06 02"
    first, *others = [nes_with(code, engine=name, rom=rom) for name in ENGINES_HERE[::-1]]
    for limit in limits:
        faults = [fault_of(nes, limit) for nes in (first, *others)]
        for nes, fault in zip(others, faults[1:], strict=True):
            assert fault == faults[0], nes.engine.name
            assert state_of(nes) == state_of(first), nes.engine.name
        if faults[0] is not None:
            break


def test_py65_is_refused_by_name() -> None:
    with pytest.raises(NoSuchEngine, match=r"'py65' cannot be used: it knows mos6502 only"):
        Nes(image(), "py65")


def test_nobody_counts_dma_twice() -> None:
    """What an observer is told adds up to the cycles."""

    class Sum:
        total = 0

        def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
            self.total += cycles

    for engine in ENGINES_HERE:
        nes, told = nes_with(BUSY, engine=engine), Sum()
        nes.run((), 20_000, told)
        assert told.total == nes.cycles - 7


def test_a_value_read_is_that_of_the_register() -> None:
    assert after("ad 16 40").registers.a & 0xE0 == 0x40


WAITS = (
    "2c 02 20 10 fb",
    "ad 02 20 10 fb",
    "ae 02 20 10 fb",
    "ad 02 20 29 80 f0 f9",
    "2c fa 3f 50 fb",
)


@pytest.mark.parametrize("engine", ENGINES_HERE[:-1])
@settings(max_examples=8)
@given(
    st.sampled_from(WAITS),
    st.sampled_from([0x0610, 0x06FB, 0x06FC]),
    st.integers(0, 3),
    st.lists(st.sampled_from([1, 5, 700, 9_000, 29_781]), min_size=3, max_size=8),
)
def test_waiting_for_the_ppu_is_exact(
    engine: str, wait: str, place: int, kind: int, limits: list[int]
) -> None:
    """Turns of a loop that are passed over are those that would have been executed: the loop
    counts frames, with NMI (kind & 1), with sprites that hit and the frame counter's IRQ (2)."""
    start = (
        "a2 00 "
        + ("a9 80 8d 00 20 " if kind & 1 else "")
        + ("a9 18 8d 01 20 58 " if kind & 2 else "a9 40 8d 17 40 ")
    )
    code = start + f"4c {place & 255:02x} {place >> 8:02x}"
    machines = []
    for name in ("plain", engine):
        nes = nes_with(code, engine=name)
        put(nes, place, wait + f"e6 10 4c {place & 255:02x} {place >> 8:02x}")
        put(nes, 0x380, "e6 11 ad 15 40 40")
        put(nes, 0x300, "e6 12 40")
        put(nes, 0x400, "4c 80 03")
        nes.ppu.vram[:] = bytes([2]) * len(nes.ppu.vram)
        nes.ppu.chr[0x20:0x28] = b"\xff" * 8
        nes.ppu.oam[:4] = bytes([29, 2, 0, 99])
        machines.append(nes)
    for limit in limits:
        for nes in machines:
            nes.run((), limit)
        assert state_of(machines[0]) == state_of(machines[1])


NO_FRAME_IRQ = "a9 40 8d 17 40 a9 80 8d 00 20 "  # ten bytes; NMI is enabled
TRANSLATED = {
    "all devices": BUSY,
    # lda #0; adc $10; sta $10; inc $0a0b, which is the operand; inx; bne; jmp
    "code that changes itself through a mirror": (
        NO_FRAME_IRQ + "a9 00 65 10 85 10 ee 0b 0a e8 d0 f4 4c 0a 02"
    ),
    "a variable that NMI changes": NO_FRAME_IRQ + "a5 12 c5 12 f0 fc e6 13 4c 0a 02",
}


@pytest.mark.quick_cases("all devices")
@pytest.mark.skipif("recompiled" not in ENGINES_HERE, reason="llvmlite is not installed")
@pytest.mark.parametrize("program", TRANSLATED)
def test_translated_code_is_in_step(program: str) -> None:
    machines = []
    for name in ("plain", "recompiled"):
        nes = nes_with(TRANSLATED[program], engine=name)
        put(nes, 0x300, "e6 12 40")
        machines.append(nes)
    translated: Any = machines[1].engine
    translated.warm_up = 500
    for limit in (100, 101, 102, 103, 1_000, 3, 40_000, 29_781, 5, 70_000):
        for nes in machines:
            nes.run((), limit)
        assert state_of(machines[0]) == state_of(machines[1])
    share = translated.translated_instructions / translated.instructions
    assert share > (0 if program == "all devices" else 0.25)


def test_banks_are_not_translated() -> None:
    assert not Nes(image(1, prg=8)).space.fixed
    assert Nes(image(3, chr=4)).space.fixed
