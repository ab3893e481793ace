"""The check ``video``: writes to VRAM, OAM and palettes while the picture is drawn. When no byte is
taken is tested in tests/machine; here it has to be said, and nothing else."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import romproof
from romproof.engine.protocol import FaultKind
from romproof.harness.built import rom_of
from romproof.harness.errors import CallFault
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom

ENGINES = ["plain", "auto"]
NES = """
.segment "HEADER"
  .byte "NES", $1A, 2, 1, 0, 0
.segment "ZEROPAGE"
busy: .res 1
.segment "CODE"
.export wait_blank, show, hide, late, port, sprite, dma, mirror
; Waits until vertical blank begins.
.proc wait_blank
  bit $2002
@wait:
  bit $2002
  bpl @wait
  rts
.endproc
.proc show
  lda #$1E
  sta $2001
  rts
.endproc
.proc hide
  lda #0
  sta $2001
  rts
.endproc
; About 256 X cycles, then a byte for VRAM.
.proc late
  ldy #0
@wait:
  nop
  nop
  dey
  bne @wait
  dex
  bne @wait
  nop
  sta $2007               ; too late?
  rts
.endproc
.proc port
  sta $2007
  rts
.endproc
.proc sprite
  sta $2004
  rts
.endproc
.proc mirror
  sta $3FFF
  rts
.endproc
.proc dma
  lda #2
  sta $4014
  rts
.endproc
nmi:
  rti
reset:
  jmp reset
.segment "VECTORS"
  .word nmi, reset, nmi
.segment "CHARS"
  .res 8192
"""
LAYOUT = """
MEMORY {
  HEADER: start = 0, size = 16, fill = yes, file = %O;
  ZP:  start = $10,   size = $80,   type = rw;
  ROM: start = $8000, size = $8000, type = ro, fill = yes, file = %O;
  CHR: start = 0, size = $2000, type = ro, file = %O;
}
SEGMENTS {
  HEADER:   load = HEADER, type = ro;
  ZEROPAGE: load = ZP,  type = zp;
  CODE:     load = ROM, type = ro;
  VECTORS:  load = ROM, type = ro, start = $FFFA;
  CHARS:    load = CHR, type = ro;
}
"""
GAME_BOY = """
DEF rSTAT EQU $FF41
DEF rLY EQU $FF44
DEF rLCDC EQU $FF40
SECTION "entry", ROM0[$100]
    nop
    jp begin
    ds $150 - @, 0
SECTION "home", ROM0
begin:: jr begin

; Waits until line B begins.
wait_line::
    ldh a, [rLY]
    cp b
    jr z, wait_line
.wait
    ldh a, [rLY]
    cp b
    jr nz, .wait
    ret

wait_hblank::
    ldh a, [rSTAT]
    and 3
    cp 3
    jr nz, wait_hblank
.wait
    ldh a, [rSTAT]
    and 3
    jr nz, .wait
    ret

; Waits 4 C M-cycles and writes A to [HL].
write_later::
    dec c
    jr nz, write_later
    ld [hl], a            ; at this line
    ret

; Writes a byte to each of VRAM and OAM in HBlank, as programs do that are in a hurry.
legal::
    call wait_hblank
    ld [$8000], a
    call wait_hblank
    ld [$FE00], a
    ret

switch_off::
    ld b, 144
    call wait_line
    xor a
    ldh [rLCDC], a
    ret
"""
COPY_SPRITES = bytes.fromhex("e0463e283d20fdc9")
"""ldh [rDMA], a; ld a, 40; dec a; jr nz, -3; ret: while DMA copies, only high RAM is in reach."""
TABLE = """
[tool.romproof]
sources = ["{source}"]
machine = "{machine}"
{more}
"""


@pytest.fixture(scope="module")
def nes_image(tmp_path_factory: pytest.TempPathFactory) -> romproof.Image:
    folder = tmp_path_factory.mktemp("nes")
    (folder / "game.s").write_text(NES)
    (folder / "game.cfg").write_text(LAYOUT)
    more = 'config = "game.cfg"\noutput = "game.nes"'
    (folder / "pyproject.toml").write_text(TABLE.format(source="game.s", machine="nes", more=more))
    return romproof.build(folder).image


def game_boy_image(folder: Path, header: str = "") -> romproof.Image:
    (folder / "game.asm").write_text(GAME_BOY)
    more = f'cpu = "sm83"\nheader = {{ title = "GAME"{header} }}'
    (folder / "pyproject.toml").write_text(
        TABLE.format(source="game.asm", machine="gameboy", more=more)
    )
    return romproof.build(folder).image


@pytest.fixture(scope="module")
def dmg_image(tmp_path_factory: pytest.TempPathFactory) -> romproof.Image:
    return game_boy_image(tmp_path_factory.mktemp("dmg"))


@pytest.fixture(scope="module")
def cgb_image(tmp_path_factory: pytest.TempPathFactory) -> romproof.Image:
    return game_boy_image(tmp_path_factory.mktemp("cgb"), ', color = "only"')


@pytest.fixture(scope="module", params=ENGINES)
def nes_rom(request: pytest.FixtureRequest, nes_image: romproof.Image) -> Rom:
    return Rom(nes_image, request.param, machine="nes", checks={"video": "warn"})


@pytest.fixture(scope="module", params=ENGINES)
def dmg_rom(request: pytest.FixtureRequest, dmg_image: romproof.Image) -> Rom:
    return Rom(dmg_image, request.param, machine="gameboy", checks={"video": "warn"})


@pytest.fixture
def nes(nes_rom: Rom) -> Machine:
    """Vertical blank has begun."""
    machine = nes_rom.machine()
    machine.call("wait_blank")
    machine.call("wait_blank")
    return machine


@pytest.fixture
def dmg(dmg_rom: Rom) -> Machine:
    return dmg_rom.machine()


def texts(machine: Machine, routine: str | int, **registers: int) -> list[str]:
    """What a call warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        machine.call(routine, check=True, **registers)
    return [str(warning.message) for warning in caught]


@pytest.mark.slow_cases("plain")
def test_the_nes_is_free_in_blanking_and_with_rendering_off(nes: Machine) -> None:
    assert texts(nes, "show") == []
    assert [texts(nes, name, a=1) for name in ("port", "mirror", "sprite", "dma")] == [[]] * 4
    assert texts(nes, "hide") == []
    assert texts(nes, "late", x=4) == []  # in the middle of the picture, which is not drawn
    assert [texts(nes, name, a=1) for name in ("port", "sprite", "dma")] == [[]] * 3


@pytest.mark.slow_cases("plain")
def test_the_nes_renders(nes: Machine) -> None:
    nes.call("show")
    (late,) = texts(nes, "late", x=2)
    place = re.search(r"late@wait\+9\) writes \$A5 to \$2007 in line (\d+), dot (\d+), while", late)
    assert place is not None
    # 2 times 256 rounds of 9 cycles, 3 dots each, from line 241 on
    dots = 21 * 341 + int(place[1]) * 341 + int(place[2])
    assert 2 * 256 * 9 * 3 < dots < 2 * 256 * 9 * 3 + 400
    (mirror,) = texts(nes, "mirror", a=3)
    assert "(mirror) writes $03 to $3FFF in line" in mirror
    (sprite,) = texts(nes, "sprite", a=3)
    assert sprite.endswith("while the PPU renders: OAM stays as it is [video]")
    (dma,) = texts(nes, "dma")
    assert "(dma+2) writes $02 to $4014: DMA writes to OAM in line" in dma
    nes.call("hide")
    assert texts(nes, "port", a=1) == []


@pytest.mark.slow_cases("plain")
def test_each_write_of_the_nes_is_judged_as_the_ppu_takes_it(nes: Machine) -> None:
    """Over the end of the picture and that of vertical blank, cycle by cycle."""
    ppu = nes.board.ppu  # type: ignore[attr-defined]
    nes.call("show")
    begin = nes.save()
    judged = set()
    for line in (239, 240, 241, 260, 261):
        for dot in (1, 100, 339):
            nes.restore(begin)
            nes.call("show")  # the machine's own state is caught up
            ahead = ((line - 241) % 262) * 341 + dot
            nes.board.engine.cycles += ahead // 3  # nothing else runs meanwhile
            nes.board.space.advance(nes.cycles)
            ppu.catch_up(place := ppu.region.read_dot(nes.cycles))
            ppu.frames.follow(place)
            before = ppu.v
            said = texts(nes, "port", a=1)
            moved = ppu.v - before & 0x7FFF
            assert (said == []) is (moved == 1), (line, dot)
            judged.add((line, bool(said)))
    assert {(240, False), (241, False)} < judged
    assert {(239, True), (261, True)} < judged


@pytest.mark.slow_cases("plain")
def test_sprite_dma_of_the_nes_may_last_longer_than_blanking(nes: Machine) -> None:
    nes.call("show")
    begin = nes.save()
    answers = []
    for cycles in (0, 1000, 1600, 1900):  # vertical blank has 2273
        nes.restore(begin)
        nes.board.engine.cycles += cycles
        nes.board.space.advance(nes.cycles)
        answers.append(texts(nes, "dma"))
    assert answers[:3] == [[], [], []]
    (last,) = answers[3]
    assert "DMA writes to OAM in line 261, dot 1, while the PPU renders" in last


@pytest.mark.slow_cases("plain")
def test_each_write_of_the_game_boy_is_judged_as_memory_takes_it(dmg: Machine) -> None:
    for line, address in ((20, 0x8000), (20, 0xFE00), (143, 0x9FFF)):
        judge_writes(dmg, line, address)


def judge_writes(dmg: Machine, line: int, address: int) -> None:
    """Over the length of a line."""
    answers = []
    for wait in range(1, 31 if line == 20 else 10):
        dmg.write(address, b"\0")
        dmg.call("wait_line", b=line)
        said = texts(dmg, "write_later", c=wait, hl=address, a=0x55)
        assert bool(said) is (dmg.read(address, 1) == b"\0"), (wait, said)
        answers.append(bool(said))
        name = "OAM" if address >= 0xFE00 else "VRAM"
        assert all(f"of the LCD writes to {name} are lost [video]" in text for text in said)
    assert set(answers) == {True, False}


@pytest.mark.slow_cases("plain")
def test_the_game_boy_is_free_in_blanking_and_with_the_lcd_off(dmg: Machine) -> None:
    for _ in range(12):
        assert texts(dmg, "legal") == []
    for wait in (1, 20, 200):
        dmg.call("wait_line", b=144)
        assert texts(dmg, "write_later", c=wait, hl=0x8000) == []
        dmg.call("wait_line", b=144)
        assert texts(dmg, "write_later", c=wait, hl=0xFE00) == []
    dmg.call("wait_line", b=10)
    dmg.write(0xFF80, COPY_SPRITES, code=True)
    assert texts(dmg, 0xFF80, a=0xC1) == []  # DMA fills OAM at any time
    dmg.call("switch_off")
    for wait in (5, 10, 50):
        assert texts(dmg, "write_later", c=wait, hl=0x8000) == []
        assert texts(dmg, "write_later", c=wait, hl=0xFE00) == []


@pytest.mark.slow
def test_palettes_of_the_color(cgb_image: romproof.Image) -> None:
    machine = Rom(cgb_image, "auto", machine="gameboy", checks={"video": "warn"}).machine()
    board = machine.board
    answers = []
    for wait in range(1, 31):
        board.poke(0xFF68, 0)
        before = 0x21 if wait & 1 else 0x42
        machine.call("wait_line", b=144)
        machine.call("write_later", c=1, hl=0xFF69, a=before)
        machine.call("wait_line", b=30)
        said = texts(machine, "write_later", c=wait, hl=0xFF69, a=0x55)
        palettes = board.machine.palettes  # type: ignore[attr-defined]
        assert palettes[0] == (before if said else 0x55)
        assert all("mode 3 of the LCD writes to the palettes are lost" in text for text in said)
        answers.append(bool(said))
    assert set(answers) == {True, False}


def test_dma_of_the_color(cgb_image: romproof.Image) -> None:
    machine = Rom(cgb_image, "auto", machine="gameboy", checks={"video": "warn"}).machine()

    def general(line: int, blocks: int) -> list[str]:
        machine.call("wait_line", b=line)
        return texts(machine, "write_later", c=1, hl=0xFF55, a=blocks - 1)

    assert general(144, 100) == []
    assert general(151, 1) == []
    (long,) = general(140, 127)
    assert "writes $7E to $FF55: DMA still writes to VRAM in line 140, dot" in long
    (over,) = general(152, 60)  # goes on into line 0
    assert "DMA still writes to VRAM in line 0, dot" in over
    machine.call("wait_line", b=20)
    assert texts(machine, "write_later", c=1, hl=0xFF55, a=0x82) == []  # a block in each HBlank
    assert texts(machine, "write_later", c=1, hl=0xFF55, a=0x02) == []  # which is given up


def test_the_check_is_off_at_first_and_may_be_an_error(
    nes_image: romproof.Image, dmg_image: romproof.Image
) -> None:
    for image, name in ((nes_image, "nes"), (dmg_image, "gameboy")):
        assert Rom(image, "auto", machine=name).checks.video == "off"
    machine = Rom(dmg_image, "auto", machine="gameboy").machine()
    for wait in range(30):
        assert texts(machine, "write_later", c=wait + 1, hl=0x8000) == []
    machine.call("wait_line", b=50)
    with pytest.raises(CallFault, match=r"in mode 3 of the LCD writes to VRAM are lost") as caught:
        machine.call("write_later", c=8, hl=0x8000, checks={"video": "error"})
    fault = caught.value
    assert fault.kind is FaultKind.MISTIMED_WRITE
    assert fault.address == dmg_image.address("write_later") + 3
    assert "ld [hl], a            ; at this line" in str(fault)
    assert machine.call("write_later", c=1, hl=0x8000).cycles > 0


def test_a_table_sets_it(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    game_boy_image(folder)
    table = folder / "pyproject.toml"
    table.write_text(table.read_text() + 'checks = { video = "warn" }\n')
    built = romproof.build(folder)
    assert dict(built.manifest.checks) == {"video": "warn"}
    assert rom_of(built, "auto").checks.video == "warn"


BANKED = """
SECTION "entry", ROM0[$100]
    nop
    jp far
    ds $150 - @, 0
SECTION "home", ROM0
far::
    ld a, 2
    ld [$2000], a
    jp in_two
SECTION "one", ROMX[$4000], BANK[1]
in_one:: ret
SECTION "two", ROMX[$4000], BANK[2]
in_two::
    ld b, 9
.wait
    dec b
    jr nz, .wait
    ld [$8000], a
    ret
"""


@pytest.mark.parametrize("level", ["warn", "error"])
def test_the_bank_that_is_in_sight_is_named(tmp_path: Path, level: str) -> None:
    game_boy_image(tmp_path, ', mbc = "MBC1"')
    (tmp_path / "game.asm").write_text(BANKED)
    machine = rom_of(romproof.build(tmp_path), "auto", checks={"video": level}).machine()
    if level == "warn":
        (text,) = texts(machine, "far")
        assert "(in_two.wait+3) writes $02 to $8000 in line 0" in text
    else:
        with pytest.raises(CallFault, match=r"\(in_two\.wait\+3\) writes \$02 to \$8000"):
            machine.call("far")
