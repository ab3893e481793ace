"""Interrupts, DMA and HALT in profiles. Cycles are counted by hand from the instructions; of random
programs the instruction table bounds them: what is booked to an address is what its opcode takes.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from measure_programs import image_of

from romproof.engine.engines import ENGINES, make_engine
from romproof.engine.protocol import EngineFault
from romproof.isa.load import load
from romproof.isa.model import OpcodeVariant
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.machine.nes.machine import Nes
from romproof.measure.code_locations import CodeLocations
from romproof.measure.model import CycleProfile
from romproof.measure.paths import call_records, merge_paths, totals
from romproof.measure.profile import Profiler
from romproof.program.image import Image

BACK = 0x7F00


def engines_for(cpu: str) -> list[str]:
    return [name for name, row in ENGINES.items() if row.refusal(cpu) is None and name != "py65"]


def checked(profiler: Profiler, cycles: int) -> CycleProfile:
    """The profile, in which every cycle is in exactly one row of each kind."""
    profile = profiler.profile()
    machine = sum(r.exclusive for r in profile.routines if r.kind == "machine")
    assert profile.cycles == cycles
    assert sum(r.exclusive for r in profile.routines) == cycles
    assert sum(cost.cycles for cost in profile.costs) + machine == cycles
    assert sum(a.cycles for a in profile.addresses) + machine <= cycles
    assert sum(path.cycles for path in profile.paths) == cycles
    by_path: dict[int, int] = {}
    for path in profile.paths:
        by_path[path.routine] = by_path.get(path.routine, 0) + path.cycles
    own = {n: r.exclusive for n, r in enumerate(profile.routines)}
    assert {n: c for n, c in by_path.items() if c} == {n: c for n, c in own.items() if c}
    assert sum(path.cycles for path in merge_paths(profile.paths)) == cycles
    roots = [n for n, path in enumerate(profile.paths) if path.parent < 0]
    assert sum(totals(profile.paths)[n] for n in roots) == cycles
    inclusive = dict.fromkeys(own, 0)
    for record in call_records(profile.paths):
        inclusive[record.callee] += record.cycles
    assert inclusive == {n: r.inclusive for n, r in enumerate(profile.routines)}
    return profile


def numbers(profile: CycleProfile, name: str) -> tuple[int, int, int, int, int]:
    r = profile.routine(name)
    return r.calls, r.exclusive, r.inclusive, r.minimum, r.maximum


@pytest.mark.parametrize("engine", engines_for("mos6502"))
def test_an_nmi_is_a_call_of_its_own(engine: str) -> None:
    # main: jsr sub (6) nop (2) rts (6); sub: 10 nop (20) rts (6)
    # nmi: sequence 7, jsr leaf (6) jmp out (3); leaf: rts (6); out: rti (6)
    image = image_of(
        {
            0x8000: "20 10 80 ea 60",
            0x8010: "ea" * 10 + "60",
            0x8020: "20 30 80 4c 40 80",
            0x8030: "60",
            0x8040: "40",
        },
        {"main": (0x8000, 5), "sub": (0x8010, 11), "nmi": (0x8020, 6)}
        | {"leaf": (0x8030, 1), "out": (0x8040, 1)},
    )
    profile = on_engine(image, engine, nmi=12)
    assert numbers(profile, "main") == (1, 14, 40, 40, 40)
    assert numbers(profile, "sub") == (1, 26, 26, 26, 26)
    assert numbers(profile, "nmi") == (1, 16, 28, 28, 28)
    assert numbers(profile, "leaf") == (1, 6, 6, 6, 6)
    assert numbers(profile, "out") == (1, 6, 6, 6, 6)
    assert {r.name for r in profile.routines if r.kind == "interrupt"} == {"nmi"}
    assert not profile.callers("nmi")
    assert [e.callee for e in profile.callees("nmi")] == ["leaf", "out"]
    assert profile.cycles == 40 + 28


@pytest.mark.parametrize("engine", engines_for("mos6502"))
def test_a_handler_that_calls_what_it_interrupts(engine: str) -> None:
    # main: jsr sub (6) rts (6); sub: 5 nop (10) rts (6); nmi: sequence 7, jsr sub (6) rti (6)
    image = image_of(
        {0x8000: "20 10 80 60", 0x8010: "ea" * 5 + "60", 0x8020: "20 10 80 40"},
        {"main": (0x8000, 4), "sub": (0x8010, 6), "nmi": (0x8020, 4)},
    )
    profile = on_engine(image, engine, nmi=10)
    assert numbers(profile, "sub") == (2, 32, 32, 16, 16)  # twice, neither in the other
    assert numbers(profile, "nmi") == (1, 19, 35, 35, 35)
    assert numbers(profile, "main") == (1, 12, 28, 28, 28)


def on_engine(image: Image, name: str, nmi: int) -> CycleProfile:
    engine = make_engine(name, "mos6502")
    for block in image.blocks:
        engine.memory[block.address : block.address + len(block.data)] = block.data
    engine.memory[0xFFFA:0xFFFC] = (0x8020).to_bytes(2, "little")
    engine.memory[0x1FE:0x200] = (BACK - 1).to_bytes(2, "little")
    engine.registers.pc, engine.registers.s = 0x8000, 0xFD
    engine.space.use_signals().nmi_at = nmi
    profiler = Profiler(CodeLocations(image))
    engine.run((BACK,), 1_000, profiler)
    return checked(profiler, engine.cycles)


def nes_of(code: dict[int, str], engine: str) -> Nes:
    header = b"NES\x1a" + bytes([2, 1]) + bytes(10)
    vectors = bytes.fromhex("00 03 00 02 00 04")
    rom = header + bytes([0x60]) * (0x8000 - 6) + vectors + bytes(0x2000)
    nes = Nes(rom, engine, warm=True)
    for address, text in code.items():
        for place, byte in enumerate(bytes.fromhex(text), address):
            nes.poke(place, byte)
    nes.registers.pc = 0x200
    nes.registers.s = 0xFD
    return nes


@pytest.mark.slow_cases("recompiled")
@pytest.mark.parametrize("engine", engines_for("mos6502"))
def test_oam_dma_has_a_row_of_its_own(engine: str) -> None:
    # cycle 7: lda #7 (2) sta $4014 (4 and 513) sta $4014 (4 and 513 or 514) inx (2)
    nes = nes_of({0x200: "a9 07 8d 14 40 8d 14 40 e8"}, engine)
    profiler, began = watching(nes, {"main": (0x200, 10)}), nes.cycles
    nes.run((0x209,), 10_000, profiler)
    profile = checked(profiler, nes.cycles - began)
    assert numbers(profile, "main")[:2] == (1, 2 + 4 + 4 + 2)
    dma = profile.routine("(OAM DMA)")
    assert (dma.kind, dma.calls, dma.minimum) == ("machine", 2, 513)
    assert dma.exclusive == dma.inclusive == profile.cycles - 12
    assert dma.exclusive in (1026, 1027)
    assert [(e.caller, e.callee, e.calls) for e in profile.edges] == [("main", "(OAM DMA)", 2)]
    assert {a.address: a.cycles for a in profile.addresses} == {
        0x200: 2,
        0x202: 4,
        0x205: 4,
        0x208: 2,
    }


@pytest.mark.slow
def test_the_samples_of_sound_are_the_machines() -> None:
    # 54 cycles a bit, 4 taken for each byte; dex (2) bne (3)
    code = "a9 4f 8d 10 40 a9 10 8d 15 40 a2 00 a0 00 88 d0 fd ca d0 fa"
    for engine in engines_for("mos6502"):
        nes = nes_of({0x200: code}, engine)
        profiler, began = watching(nes, {"main": (0x200, 20)}), nes.cycles
        nes.run((0x214,), 2_000_000, profiler)
        profile = checked(profiler, nes.cycles - began)
        # lda sta lda sta (12), ldx ldy (4), 256 times 256 * 5 - 1 and dex bne (5), the last (4)
        assert profile.routine("main").exclusive == 12 + 2 + 2 + 256 * (256 * 5 - 1 + 5) - 1
        dmc = profile.routine("(DMC DMA)")
        assert dmc.maximum <= 4
        assert abs(dmc.calls - profile.cycles // 432) <= 1


def watching(
    board: Nes | GameBoyBoard, procs: dict[str, tuple[int, int]] | None = None
) -> Profiler:
    cpu = "mos6502" if isinstance(board, Nes) else "sm83"
    profiler = Profiler(CodeLocations(image_of({}, procs, cpu=cpu)))
    profiler.watch(board)
    profiler.begins(board.engine.cycles)
    return profiler


OPCODES = {cpu: {o.byte: o for o in load(cpu)[:256]} for cpu in ("mos6502", "sm83")}


def in_bounds(profile: CycleProfile, board: Nes | GameBoyBoard, code: range, cpu: str) -> None:
    """What was executed of some addresses took what the table says."""
    handlers = {r.address for r in profile.routines if r.kind == "interrupt"}
    for at in profile.addresses:
        if at.address in code and at.address not in handlers:
            cycles = OPCODES[cpu][board.peek(at.address)].cycles
            assert at.count * cycles.minimum <= at.cycles <= at.count * cycles.maximum


@pytest.mark.slow
def test_random_programs_with_dma_and_interrupts_on_the_nes() -> None:
    harmless = [
        o.byte
        for o in OPCODES["mos6502"].values()
        if o.variant is OpcodeVariant.DOCUMENTED
        and o.size == 1
        and o.mnemonic not in ("brk", "rti")
    ]
    kinds: set[str] = set()
    ports = [0x2000, 0x2002, 0x4010, 0x4013, 0x4014, 0x4015, 0x4016, 0x4017]
    for seed in range(12):
        chance = Random(seed)
        text = bytearray.fromhex("a9 88 8d 00 20 58")
        while len(text) < 200:
            kind = chance.randrange(6)
            if kind == 0:
                text += bytes([chance.choice([0x8D, 0xAD, 0x2C, 0x8E]), 0, 0])
                text[-2:] = chance.choice(ports).to_bytes(2, "little")
            elif kind == 1:
                text += bytes([0xA9, chance.randrange(256)])
            elif kind == 2:
                text += bytes([0x20, 0x00, 0x05])
            elif kind == 3:
                text += bytes([chance.choice([0x90, 0xD0, 0x30]), 0])
            elif kind == 4:
                text += bytes([0xBD, 0xF0, 0x06])
            else:
                text.append(
                    chance.choice([b for b in harmless if b not in (0x60, 0x9A, 0x68, 0x28)])
                )
        text += bytes.fromhex("4c 06 02")
        code = {0x200: text.hex(), 0x300: "48 ad 15 40 20 00 05 68 40", 0x400: "48 ad 15 40 68 40"}
        code[0x500] = "ea 60"
        seen: list[CycleProfile] = []
        for engine in engines_for("mos6502"):
            nes = nes_of(code, engine)
            profiler, began = watching(nes), nes.cycles
            with suppress(EngineFault):  # where the stack was overwritten
                nes.run((), 60_000, profiler)
            profile = checked(profiler, nes.cycles - began)
            in_bounds(profile, nes, range(0x200, 0x600), "mos6502")
            seen.append(profile)
        assert all(profile == seen[0] for profile in seen)
        kinds |= {r.kind for r in seen[0].routines}
        kinds |= {r.name for r in seen[0].routines if r.kind == "machine"}
    assert kinds == {"routine", "interrupt", "machine", "(OAM DMA)", "(DMC DMA)"}


@pytest.mark.slow
def test_random_programs_that_rest_and_are_interrupted_on_the_game_boy() -> None:
    harmless = [0x00, 0x04, 0x05, 0x0C, 0x0D, 0x3C, 0x3D, 0x76, 0xFB, 0xF3, 0x07, 0x37, 0x3F, 0xA7]
    for seed in range(10):
        chance = Random(seed)
        main = bytearray.fromhex("31 00 d0 3e 04 e0 ff 3e 05 e0 07 af e0 0f fb")
        start = len(main)
        while len(main) < 150:
            kind = chance.randrange(5)
            if kind == 0:
                main += bytes.fromhex("cd 00 03") if chance.random() < 0.7 else b"\xff"
            elif kind == 1:
                main += bytes([chance.choice([0xDC, 0xD4, 0xCC, 0xC4]), 0x00, 0x03])
            elif kind == 2:
                main += bytes([chance.choice([0x20, 0x28, 0x30, 0x38]), 0])
            else:
                main.append(chance.choice(harmless))
        main += bytes([0xFB, 0xC3]) + (0x150 + start).to_bytes(2, "little")
        rom = bytearray([0xC9]) * 0x8000
        rom[0x147:0x14A] = bytes(3)
        rom[0x50:0x58] = bytes.fromhex("f5 cd 00 03 f1 d9 00 00")
        rom[0x150 : 0x150 + len(main)] = main
        rom[0x300:0x306] = bytes.fromhex("d8 3c d0 c8 00 c9")
        seen = []
        for engine in engines_for("sm83"):
            board = GameBoyBoard(bytes(rom), engine)
            board.engine.registers.pc = 0x150
            profiler, began = watching(board), board.engine.cycles
            board.run((), 20_000, profiler)
            profile = checked(profiler, board.engine.cycles - began)
            in_bounds(profile, board, range(0x150, 0x310), "sm83")
            seen.append(profile)
        assert all(profile == seen[0] for profile in seen)
        kinds = {r.name: r.kind for r in seen[0].routines}
        assert "interrupt" in kinds.values()
        assert kinds.get("(HALT)") == "machine"
