"""What an NES has at its addresses: mirrors, banks, the boards' registers."""

from __future__ import annotations

import pytest
from nes_programs import after, image, nes_with, run_to

from romproof.engine.engines import ENGINES
from romproof.formats.errors import BadImage
from romproof.machine.board import BoardError
from romproof.machine.nes.machine import Nes
from romproof.machine.nes.memory import NesMemory

COMPILED = [name for name in ("llvm", "recompiled") if ENGINES[name].missing() is None]


def test_ram_repeats_every_2_kib() -> None:
    nes = after("a9 77 8d 23 18 ad 23 08")  # lda #$77; sta $1823; lda $0823
    assert nes.registers.a == 0x77
    assert nes.peek(0x0023) == nes.peek(0x1023) == 0x77


def test_registers_of_the_ppu_repeat_every_8_bytes() -> None:
    # lda #$21; sta $2006; lda #$05; sta $3ffe; lda #$ab; sta $200f
    nes = after("a9 21 8d 06 20 a9 05 8d fe 3f a9 ab 8d 0f 20")
    assert nes.ppu.v == 0x2106
    assert nes.ppu.memory.read(0x2105) == 0xAB


def test_where_nothing_is_the_bus_keeps_the_last_byte_of_the_address() -> None:
    assert after("ad 12 50").registers.a == 0x50
    assert after("ad 18 40").registers.a == 0x40
    assert Nes(image()).peek(0x4FFF) == 0x4F


def test_a_silent_header_means_8_kib_of_ram_at_6000() -> None:
    nes = after("a9 81 8d ff 7f ad ff 7f")
    assert nes.registers.a == 0x81
    assert nes.cartridge_ram[0x1FFF] == 0x81
    without = image(submapper=0)
    none = without[:10] + b"\0" + without[11:]
    assert after("a9 81 8d ff 7f ad ff 7f", rom=none).registers.a == 0x7F


def test_a_trainer_is_at_7000() -> None:
    rom = image(flags=4)
    nes = Nes(rom[:16] + bytes(range(256)) * 2 + rom[16:])
    assert [nes.peek(0x7000 + i) for i in (0, 1, 511)] == [0, 1, 255]
    assert nes.peek(0x8000) == 0


def test_sixteen_kib_are_there_twice() -> None:
    nes = Nes(image(prg=1))
    assert [nes.peek(a) for a in (0x8000, 0xA000, 0xC000, 0xE000)] == [0, 1, 0, 1]
    assert nes.windows == ()
    assert nes.protected[0x8000]
    assert nes.protected[0xFFFF]
    assert not nes.protected[0x7FFF]


def shown(nes: Nes) -> list[int]:
    """The 8 KiB banks in sight at $8000, $A000, $C000, $E000."""
    return [nes.peek(address) for address in (0x8000, 0xA000, 0xC000, 0xE000)]


def mmc1_write(address: int, value: int) -> str:
    """The five writes (lda #…; sta; lsr a; sta …)."""
    store = f"8d {address & 255:02x} {address >> 8:02x}"
    return f"a9 {value:02x} " + " 4a ".join([store] * 5) + " "


def test_mmc1_is_written_a_bit_at_a_time() -> None:
    nes = after(mmc1_write(0xE000, 5), rom=image(1, prg=8))
    assert nes.banks() == (5, 7)
    assert shown(nes) == [10, 11, 14, 15]
    fixed_low = mmc1_write(0x8000, 0x08) + mmc1_write(0xE000, 3)
    assert after(fixed_low, rom=image(1, prg=8)).banks() == (0, 3)
    large = mmc1_write(0x8000, 0x00) + mmc1_write(0xE000, 3)
    assert after(large, rom=image(1, prg=8)).banks() == (2, 3)


def test_mmc1_begins_again_after_bit_7_and_takes_one_of_two_writes_in_a_row() -> None:
    broken_off = "a9 01 8d 00 80 a9 80 8d 00 80 " + mmc1_write(0xE000, 2)
    assert after(broken_off, rom=image(1, prg=8)).banks() == (2, 7)
    # inc $ffff on a byte of $ff: the dummy write of $ff resets, the write of 0 is ignored
    rom = image(1, prg=8, vectors=bytes.fromhex("00 03 00 02 00 ff"))
    nes = after("ee ff ff " + mmc1_write(0xE000, 4), rom=rom)
    assert nes.banks() == (4, 7)


def test_mmc1_with_512_kib_takes_the_upper_half_from_graphics() -> None:
    rom = image(1, prg=32, chr=0)
    nes = after(mmc1_write(0xA000, 0x10) + mmc1_write(0xE000, 1), rom=rom)
    assert nes.banks() == (0x11, 0x1F)


def test_uxrom_shows_the_last_bank_at_c000() -> None:
    nes = after("a9 03 8d 00 80", rom=image(2, prg=8, chr=0))
    assert nes.banks() == (3, 7)
    assert [window.addresses.start for window in nes.windows] == [0x8000, 0xC000]
    assert {window.kind for window in nes.windows} == {"PRG"}


def test_bus_conflicts_are_those_of_nes_2_0() -> None:
    code = "a9 03 8d 00 c0"  # the byte there is 14: bank 3 & 14 is 2
    assert after(code, rom=image(2, prg=8, chr=0, submapper=2)).banks() == (2, 7)
    assert after(code, rom=image(2, prg=8, chr=0, submapper=1)).banks() == (3, 7)
    assert after(code, rom=image(2, prg=8, chr=0)).banks() == (3, 7)


def test_cnrom_has_banks_of_graphics_only() -> None:
    nes = after("a9 02 8d 00 80", rom=image(3, chr=4))
    assert nes.windows == ()
    assert nes.banks() == ()
    assert [nes.ppu.memory.read(a) for a in (0x0000, 0x1C00)] == [16, 23]


def test_axrom_shows_32_kib_and_one_nametable() -> None:
    nes = after("a9 12 8d 00 80", rom=image(7, prg=8, chr=0))
    assert nes.banks() == (2,)
    nes.ppu.memory.write(0x2C12, 0x99)
    assert nes.ppu.vram[0x412] == 0x99
    assert nes.ppu.memory.read(0x2012) == 0x99


@pytest.mark.parametrize(("flags", "places"), [(0, (0, 0, 1, 1)), (1, (0, 1, 0, 1))])
def test_nametables_are_wired_as_the_header_says(flags: int, places: tuple[int, ...]) -> None:
    memory = Nes(image(flags=flags)).ppu.memory
    for number in range(4):
        memory.write(0x2000 + 0x400 * number, number)
        assert memory.vram[0x400 * places[number]] == number


def test_mmc3_swaps_8000_and_c000() -> None:
    def mmc3(choice: int) -> Nes:
        code = f"a9 {choice | 6:02x} 8d 00 80 a9 03 8d 01 80 a9 {choice | 7:02x} 8d 00 80 "
        return after(code + "a9 05 8d 01 80", rom=image(4, prg=8))

    assert mmc3(0).banks() == (3, 5, 14, 15)
    assert mmc3(0x40).banks() == (14, 5, 3, 15)
    assert shown(mmc3(0x40)) == [14, 5, 3, 15]


def test_a_test_shows_banks_as_the_program_would() -> None:
    nes = Nes(image(1, prg=8))
    nes.select(0, 6)
    assert nes.banks() == (6, 7)
    assert shown(nes)[:2] == [12, 13]
    with pytest.raises(BoardError, match=r"bank 3 cannot be shown at \$C000 .* bank 7 is selected"):
        nes.select(1, 3)
    assert nes.banks() == (6, 7)
    with pytest.raises(BoardError, match="no bank 8: this cartridge has 8"):
        nes.select(0, 8)
    with pytest.raises(BoardError, match="no window 2"):
        nes.select(2, 0)
    with pytest.raises(BoardError, match="no program banks"):
        Nes(image()).select(0, 0)


def test_changes_of_banks_are_told_with_their_cycle() -> None:
    told = []
    nes = nes_with("a9 03 8d 00 80 8d 00 80", rom=image(2, prg=8, chr=0))
    nes.tell_banks(lambda cycle, banks: told.append((cycle, tuple(banks))))
    run_to(nes, 0x208)
    assert told == [(-1, (0, 7)), (7 + 2 + 3, (3, 7))]


def test_a_mapper_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        BadImage, match="mapper 16 is not emulated; the emulated ones are 0, 1, 2, 3, 4, 5, 7"
    ):
        Nes(image(16))


@pytest.mark.parametrize("engine", COMPILED)
def test_compiled_code_switches_banks_without_python(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = mmc1_write(0xE000, 2) + "ad 00 80 " + mmc1_write(0xE000, 5) + "ad 00 80 4c 00 02"
    nes = nes_with(code, engine=engine, rom=image(1, prg=8))
    nes.run((), 1)  # everything is compiled by now

    def write(*_: object) -> None:
        raise AssertionError("the mapper was asked in Python")

    monkeypatch.setattr(NesMemory, "write", write)
    seen = set()
    for _ in range(40):
        nes.run((), 7)
        seen.add(nes.banks())
        assert shown(nes)[0] == 2 * nes.banks()[0]
    assert seen == {(0, 7), (2, 7), (5, 7)}


def test_a_bank_of_less_program_than_a_window_is_there_more_than_once() -> None:
    nes = Nes(image(7, prg=3))  # 48 KiB, in windows of 32
    pages = []
    for bank in range(3):
        if bank:
            nes.space.write_call(0x8000, bank, 0)
        pages.append([nes.peek(address) for address in range(0x8000, 0x10000, 0x2000)])
    assert pages == [[0, 1, 2, 3], [4, 5, 0, 1], [2, 3, 4, 5]]
