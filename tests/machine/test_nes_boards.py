"""Boards of NES cartridges beyond the first ones: what their pages on nesdev say of registers."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from nes_programs import image, nes_with, put, run_to

from romproof.engine.engines import ENGINES
from romproof.formats.errors import BadImage
from romproof.machine.board import BoardError
from romproof.machine.nes.machine import Nes

FULL = [name for name, row in ENGINES.items() if row.refusal("ricoh2a03") is None]
FOUR, BATTERY, VERTICAL = 8, 2, 1
"""Bits of byte 6."""

Writes = Iterable[tuple[int, int]]


def written(rom: bytes, writes: Writes, engine: str = "plain") -> Nes:
    """The machine after a program wrote these bytes at these addresses, in order."""
    code = "".join(f"a9 {value:02x} 8d {at & 255:02x} {at >> 8:02x} " for at, value in writes)
    nes = nes_with(code + "ea", engine=engine, rom=rom)
    if code:
        run_to(nes, 0x200 + len(bytes.fromhex(code)))
    return nes


def shown(nes: Nes) -> list[int]:
    """The 8 KiB banks in sight at $8000, $A000, $C000, $E000."""
    return [nes.peek(address) for address in (0x8000, 0xA000, 0xC000, 0xE000)]


def patterns(nes: Nes) -> list[int]:
    """The 1 KiB banks of CHR ROM in sight."""
    return [nes.ppu.memory.read(0x400 * place) for place in range(8)]


def nametables(nes: Nes) -> tuple[int, ...]:
    """Which nametables are the same: each by the first that it is."""
    memory = nes.ppu.memory
    for number in (3, 2, 1, 0):
        memory.write(0x2000 + 0x400 * number, number)
    return tuple(memory.read(0x2000 + 0x400 * number) for number in range(4))


HORIZONTALLY, VERTICALLY, ONE, ALL = (0, 0, 2, 2), (0, 1, 0, 1), (0, 0, 0, 0), (0, 1, 2, 3)


def which_screen(nes: Nes) -> int:
    """With one nametable: whether it is the first or the second memory."""
    nes.ppu.memory.write(0x2000, 0x77)
    return list(nes.ppu.vram[::0x400]).index(0x77)


# ---------------------------------------------------------------- 66: GxROM


@pytest.mark.parametrize("engine", FULL)
def test_gxrom_has_both_banks_in_one_register(engine: str) -> None:
    rom = bytearray(image(66, prg=8, chr=4))
    rom[16 + 0x100] = 0xFF  # there the ROM does not disturb
    nes = written(bytes(rom), [(0x8100, 0x32)], engine)
    assert nes.banks() == (3,)
    assert shown(nes) == [12, 13, 14, 15]
    assert patterns(nes) == [*range(16, 24)]
    assert nametables(nes) == HORIZONTALLY


def test_gxrom_has_bus_conflicts() -> None:
    """At $C000 of the first bank is a 2."""
    nes = written(image(66, prg=8, chr=4), [(0xC000, 0x13)])
    assert nes.banks() == (0,)
    assert patterns(nes)[0] == 16


# ---------------------------------------------------------------- 71: Camerica


@pytest.mark.parametrize("engine", FULL)
def test_camerica_takes_banks_from_c000_on(engine: str) -> None:
    nes = written(image(71, prg=8, chr=0), [(0xC000, 3), (0xBFFF, 5)], engine)
    assert nes.banks() == (3, 7)
    assert nametables(nes) == HORIZONTALLY
    nes = written(image(71, prg=8, chr=0, flags=VERTICAL), [(0xFFFF, 5)], engine)
    assert (nes.banks(), nametables(nes)) == ((5, 7), VERTICALLY)


@pytest.mark.parametrize(
    ("submapper", "at", "single"),
    [(1, 0x8000, True), (1, 0x9FFF, True), (0, 0x9000, False), (None, 0x9000, True),
     (None, 0x8000, False)],
)  # fmt: skip
def test_camericas_other_chip_has_one_nametable(
    submapper: int | None, at: int, single: bool
) -> None:
    rom = image(71, prg=8, chr=0, submapper=submapper)
    for value, screen in ((0x10, 1), (0x00, 0)):
        nes = written(rom, [(at, value)])
        assert nametables(nes) == (ONE if single else HORIZONTALLY)
        assert not single or which_screen(nes) == screen


# ---------------------------------------------------------------- 206: DxROM


@pytest.mark.parametrize("engine", FULL)
def test_dxrom_is_an_mmc3_without_modes(engine: str) -> None:
    writes = []
    for register, value in ((0x40 | 6, 3), (0x80 | 7, 5), (0, 9), (1, 12), (2, 20), (5, 31)):
        writes += [(0x8000, register), (0x9FFF, value)]
    nes = written(image(206, prg=8, chr=8), writes, engine)
    assert nes.banks() == (3, 5, 14, 15)
    assert shown(nes) == [3, 5, 14, 15]
    assert patterns(nes) == [8, 9, 12, 13, 20, 5, 6, 31]
    assert nametables(nes) == HORIZONTALLY


def test_dxrom_with_four_nametables_or_without_banks() -> None:
    assert nametables(Nes(image(206, prg=8, chr=8, flags=FOUR))) == ALL
    nes = written(image(206, prg=2, submapper=1), [(0x8000, 6), (0x8001, 3)])
    assert shown(nes) == [0, 1, 2, 3]


def test_dxrom_has_no_registers_from_a000_on() -> None:
    nes = Nes(image(206, prg=8, chr=8))
    assert not nes.protected[0x9FFF]
    assert nes.protected[0xA000]


# ---------------------------------------------------------------- 30: UNROM 512


@pytest.mark.parametrize("engine", FULL)
def test_unrom_512(engine: str) -> None:
    nes = written(image(30, prg=32, chr=0, flags=BATTERY), [(0xC000, 0x43)], engine)
    assert nes.banks() == (3, 31)
    assert shown(nes) == [6, 7, 62, 63]
    memory = nes.ppu.memory
    assert len(memory.chr) == 0x8000
    memory.write(0x0000, 0x99)
    assert memory.chr[0x4000] == 0x99


def test_unrom_512_with_flash_has_no_register_at_8000() -> None:
    writes = [(0x8000, 5), (0xBFFF, 6)]
    assert written(image(30, prg=32, chr=0, flags=BATTERY), writes).banks() == (0, 31)
    # without flash it is a board with bus conflicts: 5 & 0 and 6 & 0 at these places of bank 0
    rom = image(30, prg=32, chr=0, vectors=bytes(6))
    assert written(rom, writes).banks() == (0, 31)
    assert written(image(30, prg=32, chr=0), [(0xC000, 0x1D)]).banks() == (0x1C, 31)
    assert written(image(30, prg=32, chr=0, submapper=1), [(0xC000, 0x1D)]).banks() == (0x1D, 31)
    assert written(image(30, prg=32, chr=0, submapper=2), [(0xC000, 0x1D)]).banks() == (0x1C, 31)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [(0, HORIZONTALLY), (VERTICAL, VERTICALLY), (FOUR, ONE), (FOUR | VERTICAL, ALL)],
)
def test_unrom_512_reads_mirroring_in_its_own_way(flags: int, expected: tuple[int, ...]) -> None:
    rom = image(30, prg=32, chr=0, flags=flags | BATTERY)
    assert nametables(Nes(rom)) == expected
    if expected == ONE:
        assert which_screen(written(rom, [(0xC000, 0x80)])) == 1
        assert which_screen(written(rom, [(0xC000, 0x00)])) == 0


# ---------------------------------------------------------------- 28: Action 53


def action53(*settings: tuple[int, int]) -> list[tuple[int, int]]:
    """Registers and values, as a program writes them."""
    return [pair for register, value in settings for pair in ((0x5000, register), (0x8000, value))]


@pytest.mark.parametrize(
    ("settings", "banks"),
    [
        ([], (62, 63)),
        ([(0x81, 2)], (4, 5)),
        ([(0x80, 0x00), (0x81, 2), (0x01, 7)], (4, 5)),  # 32 KiB: nothing to choose
        ([(0x80, 0x20), (0x81, 4), (0x01, 3)], (14, 15)),  # a bank of 32 KiB in 128
        ([(0x80, 0x3C), (0x81, 8), (0x01, 5)], (21, 17)),  # UNROM in 256 KiB
        ([(0x80, 0x28), (0x81, 8), (0x01, 5)], (16, 21)),  # the other way around
        ([(0x80, 0x1C), (0x81, 8), (0x01, 5)], (17, 17)),  # in 64 KiB
        ([(0x80, 0x2C), (0x81, 11), (0x01, 1)], (17, 23)),  # the fixed bank is that of $81
    ],
)
def test_action_53(settings: list[tuple[int, int]], banks: tuple[int, int]) -> None:
    nes = written(image(28, prg=64, chr=0), action53(*settings))
    assert nes.banks() == banks
    assert shown(nes)[::2] == [2 * bank for bank in banks]


@pytest.mark.parametrize("engine", FULL)
def test_action_53_is_the_same_on_each_engine(engine: str) -> None:
    settings = [(0x80, 0x3C), (0x81, 8), (0x01, 5), (0x00, 3)]
    nes = written(image(28, prg=64, chr=0), action53(*settings), engine)
    assert nes.banks() == (21, 17)
    nes.ppu.memory.write(0, 0x55)
    assert nes.ppu.memory.chr[0x6000] == 0x55


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ([(0x80, 2)], VERTICALLY),
        ([(0x80, 3)], HORIZONTALLY),
        ([(0x80, 2), (0x01, 0x10)], VERTICALLY),
        ([(0x80, 0)], ONE),
    ],
)
def test_action_53_chooses_mirroring(
    settings: list[tuple[int, int]], expected: tuple[int, ...]
) -> None:
    assert nametables(written(image(28, prg=64, chr=0), action53(*settings))) == expected


@pytest.mark.parametrize(
    ("settings", "screen"),
    [
        ([(0x80, 0)], 0),
        ([(0x80, 1)], 1),
        ([(0x80, 0), (0x01, 0x10)], 1),
        ([(0x80, 1), (0x00, 0x00)], 0),
        ([(0x80, 0), (0x00, 0x10)], 1),
    ],
)
def test_action_53_chooses_the_one_nametable_as_axrom_does(
    settings: list[tuple[int, int]], screen: int
) -> None:
    assert which_screen(written(image(28, prg=64, chr=0), action53(*settings))) == screen


# ---------------------------------------------------------------- 9: MMC2


@pytest.mark.parametrize("engine", FULL)
def test_mmc2(engine: str) -> None:
    writes = [(0xA000, 5), (0xB000, 1), (0xC000, 2), (0xD000, 3), (0xEFFF, 4)]
    nes = written(image(9, prg=8, chr=16), writes, engine)
    assert nes.banks() == (5, 13, 14, 15)
    assert shown(nes) == [5, 13, 14, 15]
    assert patterns(nes) == [8, 9, 10, 11, 16, 17, 18, 19]
    assert nes.protected[0x9FFF], "there are no registers at $8000"


@pytest.mark.parametrize("engine", FULL)
@pytest.mark.parametrize(
    ("address", "banks"),
    [
        (0x0FD7, (2, 4)),
        (0x0FD8, (1, 4)),
        (0x0FD9, (2, 4)),
        (0x1FD8, (2, 3)),
        (0x1FDF, (2, 3)),
        (0x1FE0, (2, 4)),
        (0x2FD8, (2, 4)),
    ],
)
def test_mmc2_changes_graphics_by_reads_of_two_tiles(
    address: int, banks: tuple[int, int], engine: str
) -> None:
    """By $2007, which reads ahead: one address of the left half counts, eight of the right."""
    writes = [(0xB000, 1), (0xC000, 2), (0xD000, 3), (0xE000, 4)]
    nes = written(image(9, prg=8, chr=16), writes, engine)
    code = f"a9 {address >> 8:02x} 8d 06 20 a9 {address & 255:02x} 8d 06 20 ad 07 20"
    put(nes, nes.registers.pc, code)
    run_to(nes, nes.registers.pc + len(bytes.fromhex(code)))
    assert (patterns(nes)[0], patterns(nes)[4]) == (4 * banks[0], 4 * banks[1])


@pytest.mark.parametrize(("value", "expected"), [(0, VERTICALLY), (1, HORIZONTALLY)])
def test_mmc2_chooses_mirroring(value: int, expected: tuple[int, ...]) -> None:
    assert nametables(written(image(9, prg=8, chr=16), [(0xF000, value)])) == expected


# ---------------------------------------------------------------- 69: FME-7


def fme7(*settings: tuple[int, int]) -> list[tuple[int, int]]:
    """Commands and parameters, as a program writes them."""
    return [pair for command, value in settings for pair in ((0x8000, command), (0xA000, value))]


@pytest.mark.parametrize("engine", FULL)
def test_fme7_has_banks_of_8_kib_and_1_kib(engine: str) -> None:
    settings = [(9, 3), (10, 5), (11, 7), *((place, 20 + place) for place in range(8))]
    nes = written(image(69, prg=8, chr=8), fme7(*settings), engine)
    assert nes.banks() == (3, 5, 7, 15)
    assert shown(nes) == [3, 5, 7, 15]
    assert patterns(nes) == [*range(20, 28)]


@pytest.mark.parametrize("engine", FULL)
def test_fme7_shows_rom_or_ram_at_6000(engine: str) -> None:
    rom = image(69, prg=8, chr=8)
    nes = written(rom, [*fme7((8, 9)), (0x6123, 0x77)], engine)
    assert nes.peek(0x6123) == 9, "ROM, which is not written"
    nes = written(rom, [*fme7((8, 0xC0)), (0x6123, 0x77)], engine)
    assert nes.peek(0x6123) == 0x77
    nes = written(rom, [*fme7((8, 0xC0)), (0x6123, 0x77), *fme7((8, 0x40)), (0x6123, 1)], engine)
    assert nes.peek(0x6123) == 0x61, "RAM that is not enabled: the open bus"
    assert nes.cartridge_ram[0x123] == 0x77


@pytest.mark.parametrize(
    ("value", "expected"), [(0, VERTICALLY), (1, HORIZONTALLY), (2, ONE), (3, ONE)]
)
def test_fme7_chooses_mirroring(value: int, expected: tuple[int, ...]) -> None:
    nes = written(image(69, prg=8, chr=8), fme7((12, value)))
    assert nametables(nes) == expected
    assert expected != ONE or which_screen(nes) == value & 1


@pytest.mark.parametrize("engine", FULL)
@pytest.mark.parametrize("count", [20, 0x123])
def test_fme7_asks_for_an_irq_when_the_counter_runs_over(count: int, engine: str) -> None:
    """After so many cycles and one; until the control register is written."""
    settings = [(13, 0), (14, count & 0xFF), (15, count >> 8), (13, 0x81)]
    nes = written(image(69, prg=8, chr=8), fme7(*settings), engine)
    begin = nes.cycles
    put(nes, 0x400, "4c 00 04")
    put(nes, nes.registers.pc, "58" + "ea" * 200)  # cli; nop ...
    nes.registers.p |= 4
    run_to(nes, 0x400)
    # at the end of an instruction, and seven cycles to enter
    assert count + 1 <= nes.cycles - begin - 7 <= count + 1 + 3
    assert nes.space.signals.irq_from == begin + count
    nes.registers.pc = 0x200
    put(nes, 0x200, "a9 0d 8d 00 80 a9 00 8d 00 a0")
    run_to(nes, 0x20A)
    assert nes.space.signals.irq_from > nes.cycles


def test_fme7_counts_without_asking() -> None:
    nes = written(image(69, prg=8, chr=8), fme7((14, 5), (15, 0), (13, 0x80)))
    before = nes.space.signals.irq_from
    nes.run((), 100)
    assert nes.space.signals.irq_from == before


# ---------------------------------------------------------------- what a board has room for


@pytest.mark.parametrize("mapper", [0, 1, 2, 3, 4, 5, 7, 9, 28, 30, 66, 69, 71, 206])
def test_variants_of_a_board_that_are_not_emulated_are_refused(mapper: int) -> None:
    with pytest.raises(BadImage, match=f"submapper 15 of mapper {mapper} is not .* are 0[^\n]*8$"):
        Nes(image(mapper, submapper=15))


@pytest.mark.parametrize(
    ("mapper", "prg", "chr", "words"),
    [
        (0, 4, 1, "64 KiB of PRG, and mapper 0 reaches 32 KiB: the size .byte 4. or the mapper"),
        (2, 8, 2, "16 KiB of CHR, and mapper 2 reaches 8 KiB: the size .byte 5. or the mapper"),
        (66, 16, 1, "256 KiB of PRG, and mapper 66 reaches 128 KiB"),
        (206, 8, 16, "128 KiB of CHR, and mapper 206 reaches 64 KiB"),
        (9, 16, 1, "256 KiB of PRG, and mapper 9 reaches 128 KiB"),
    ],
)
def test_rom_that_no_register_reaches(mapper: int, prg: int, chr: int, words: str) -> None:
    with pytest.raises(BadImage, match=words) as caught:
        Nes(image(mapper, prg=prg, chr=chr))
    assert "clear them" not in str(caught.value)


def test_a_mapper_that_an_old_tool_wrote_over() -> None:
    """Mapper 66 with "DiskDude!" from byte 7 on is 2 with graphics that it cannot have."""
    rom = bytearray(image(66, prg=4, chr=2))
    rom[7:16] = b"DiskDude!"
    with pytest.raises(BadImage, match=r"mapper 2 reaches 8 KiB.*bytes 7 to 15 .* clear them"):
        Nes(bytes(rom))


@pytest.mark.parametrize(("ram", "shift", "banks"), [(9, 2, 4), (8, 2, 2), (0x77, 3, 2), (7, 2, 1)])
def test_mmc1_has_banks_of_ram(ram: int, shift: int, banks: int) -> None:
    """SXROM has 32 KiB; SOROM 8 KiB with a battery and 8 without."""
    rom = bytearray(image(1, prg=8, chr=0, submapper=0))
    rom[10] = ram
    nes = Nes(bytes(rom))
    assert len(nes.cartridge_ram) == banks * 0x2000
    for bank in range(banks):
        nes.cartridge_ram[bank * 0x2000] = 0x70 + bank
    for bank in range(4):
        for bit in range(5):
            nes.memory.write(0xA000, bank << shift >> bit, 10 * bit)
        assert nes.peek(0x6000) == 0x70 + bank % banks


def test_mmc1_without_banks_of_program() -> None:
    nes = Nes(image(1, prg=2, submapper=5))
    for bit in range(5):
        nes.memory.write(0xE000, 1, 10 * bit)
    assert nes.banks() == (0, 1)


def test_mmc3_has_up_to_2_mib() -> None:
    nes = written(image(4, prg=64, chr=0), [(0x8000, 6), (0x8001, 0x55)])
    assert nes.banks() == (0x55, 1, 126, 127)


@pytest.mark.parametrize(("value", "expected"), [(0x00, HORIZONTALLY), (0x80, VERTICALLY)])
def test_unrom_512_arranges_nametables(value: int, expected: tuple[int, ...]) -> None:
    rom = image(30, prg=32, chr=0, submapper=3, flags=BATTERY)
    assert nametables(written(rom, [(0xC000, value)])) == expected


def test_unrom_512_with_a_lamp() -> None:
    writes = [(0x8000, 5), (0xC000, 0x1D)]
    assert written(image(30, prg=32, chr=0, submapper=4), writes).banks() == (0x1D, 31)


# ---------------------------------------------------------------- all of them


@pytest.mark.parametrize("mapper", [9, 28, 30, 66, 69, 71, 206])
def test_a_test_shows_banks_as_the_program_would(mapper: int) -> None:
    nes = Nes(image(mapper, prg=8, chr=0 if mapper in (28, 30, 71) else 4))
    before = nes.banks()
    nes.select(0, 2)
    assert nes.banks()[0] == 2
    state = nes.save()
    nes.select(0, 0)
    nes.restore(state)
    assert nes.banks()[0] == 2
    with pytest.raises(BoardError, match="no bank"):
        nes.select(0, 1000)
    if len(before) > 1 and mapper != 28:
        with pytest.raises(BoardError, match="cannot be shown"):
            nes.select(len(before) - 1, 0)
