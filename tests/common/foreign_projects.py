"""Small programs as other people's build systems leave them: an image, and its symbols as files.

The sources are ours, assembled and linked with romproof's own tools; the images are then loaded as
those of strangers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from romproof.projects import build
from romproof.projects.manifest import manifest_from

NROM = """\
MEMORY {
  HEADER: start = 0, size = $10, type = ro, file = %O, fill = yes;
  ROM:    start = $C000, size = $4000, type = ro, file = %O, fill = yes, fillval = $FF;
  CHR:    start = 0, size = $2000, type = ro, file = %O, fill = yes;
  ZP:     start = $10, size = $F0, type = rw;
  RAM:    start = $0300, size = $0500, type = rw;
}
SEGMENTS {
  HEADER:   load = HEADER, type = ro;
  ZEROPAGE: load = ZP, type = zp;
  BSS:      load = RAM, type = bss;
  CODE:     load = ROM, type = ro;
  RODATA:   load = ROM, type = ro, align = $100;
  MOVED:    load = ROM, run = RAM, type = rw, optional = yes;
  VECTORS:  load = ROM, type = ro, start = $FFFA;
  TILES:    load = CHR, type = ro;
}
"""
GAME = """\
.macro increment cell
        inc cell
        bne :+
        inc cell+1
:
.endmacro
POINTS_MOST = 200
MINUS = -1
.segment "HEADER"
header: .byte "NES", $1A, 1, 1, 1, 0
.segment "ZEROPAGE"
        .exportzp score
score:  .res 2
score_high = score + 1
.segment "BSS"
        .export table
table:  .res 16
.segment "CODE"
        .export add_points, count_up, reset
;; add_points - add A to the score.
; in:       A score[2]
; out:      score[2]
; clobbers: A N V Z C
; cycles:   17..21
.proc add_points
        clc
        adc score
        sta score
        bcc @done
        inc score+1
@done:  rts
.endproc
.proc count_up
        increment score
        rts
.endproc
.proc reset
        ldx #$FF
        txs
loop:   jmp loop
.endproc
.proc nmi
        rti
.endproc
.scope tools
.proc double
        asl a
        rts
.endproc
.endscope
.segment "RODATA"
limits: .byte 1, 2, 3
        .word add_points
.segment "MOVED"
        .export in_ram
.proc in_ram
        lda limits
        rts
.endproc
.segment "VECTORS"
        .addr nmi, reset, nmi
.segment "TILES"
tile:   .byte 1
"""
OTHER_FILE = """\
        .import add_points, table
        .export twice
.segment "CODE"
.proc twice
        pha
        jsr add_points
        pla
        jsr add_points
loop:   rts
.endproc
"""

BANKED = """\
MEMORY {
  HEADER: start = 0, size = $10, type = ro, file = %O, fill = yes;
  BANK0:  start = $8000, size = $4000, type = ro, file = %O, fill = yes, fillval = $FF;
  BANK1:  start = $8000, size = $4000, type = ro, file = %O, fill = yes, fillval = $FF;
  BANK2:  start = $8000, size = $4000, type = ro, file = %O, fill = yes, fillval = $FF;
  FIXED:  start = $C000, size = $4000, type = ro, file = %O, fill = yes, fillval = $FF;
  ZP:     start = $10, size = $F0, type = rw;
}
SEGMENTS {
  HEADER:   load = HEADER, type = ro;
  ZEROPAGE: load = ZP, type = zp;
  BANK0:    load = BANK0, type = ro;
  BANK1:    load = BANK1, type = ro;
  BANK2:    load = BANK2, type = ro;
  CODE:     load = FIXED, type = ro;
  VECTORS:  load = FIXED, type = ro, start = $FFFA;
}
"""
BANKED_GAME = """\
.segment "HEADER"
        .byte "NES", $1A, 4, 0, $10, 0
.segment "ZEROPAGE"
        .exportzp value
value:  .res 1
.segment "BANK0"
        .export zero, one, two, fixed
.proc zero
        lda #0
        sta value
        rts
.endproc
.segment "BANK1"
.proc one
        lda #1
        sta value
        rts
.endproc
.segment "BANK2"
.proc two
        lda #2
        sta value
        rts
.endproc
.segment "CODE"
.proc fixed
        lda #$55
        rts
.endproc
reset:  jmp reset
.segment "VECTORS"
        .addr reset, reset, reset
"""

GAMEBOY = """\
SECTION "Entry", ROM0[$100]
Entry:
        nop
        jp Start
        ds $150 - @, 0
SECTION "Main", ROM0[$150]
Start::
        jr Start
;; AddPoints - add A to the score.
; in:       A wScore[1]
; out:      A wScore[1]
; clobbers: F HL
; cycles:   11
AddPoints::
        ld hl, wScore
        add a, [hl]
        ld [hl], a
        ret
.unused
        ret
SECTION "Far", ROMX[$4000], BANK[2]
InBank2::
        ld a, 2
        ret
SECTION "Far too", ROMX[$4000], BANK[3]
InBank3::
        ld a, 3
        ret
SECTION "Variables", WRAM0[$C010]
wScore:: db
wList:: ds 8
SECTION "High", HRAM[$FF90]
hFlag:: db
DEF POINTS EQU 100
EXPORT POINTS
"""

PRG_LAYOUT = """\
MEMORY {
  START: start = $07FF, size = 2, type = ro, file = %O;
  MAIN:  start = $0801, size = $1000, type = rw, file = %O;
  ZP:    start = $02, size = $20, type = rw;
}
SEGMENTS {
  LOADADDR: load = START, type = ro;
  CODE:     load = MAIN, type = rw;
  ZEROPAGE: load = ZP, type = zp;
}
"""
PRG_GAME = """\
.segment "LOADADDR"
        .word $0801
.segment "ZEROPAGE"
        .exportzp sum
sum:    .res 1
.segment "CODE"
        .export start, add_three
start:  rts
add_three:
        clc
        adc #3
        sta sum
        rts
"""


@dataclass(frozen=True)
class Project:
    """The files of a program that was built in a folder."""

    folder: Path
    image: Path
    symbols: dict[str, Path]

    def symbol_files(self, *kinds: str) -> list[Path]:
        """The symbol files of some kinds: ``dbg``, ``lbl``, ``mlb``, ``sym``, ``map``."""
        return [self.symbols[kind] for kind in kinds]


def make(folder: Path, name: str, files: dict[str, str], **keys: object) -> Project:
    """Build sources with romproof's tools, into ``build`` of the folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    table = {"name": name, **keys}
    kinds = ("mlb",) if keys.get("cpu") == "sm83" else ("dbg", "mlb", "lbl")
    if not str(table.get("output", "")).endswith(".nes"):
        kinds = tuple(kind for kind in kinds if kind != "mlb" or keys.get("cpu") == "sm83")
    target = folder / "build"
    built = build(manifest_from(table, folder, name, "test"), target, also=kinds)
    files_there = {path.suffix.removeprefix("."): path for path in built.files[1:]}
    return Project(folder, built.files[0], files_there)


def nes_project(folder: Path) -> Project:
    """A game on an NROM board, from two files."""
    files = {"src/game.s": GAME, "src/other.s": OTHER_FILE, "nrom.cfg": NROM}
    sources = ["src/game.s", "src/other.s"]
    return make(folder, "game", files, sources=sources, config="nrom.cfg", output="game.nes")


def banked_project(folder: Path) -> Project:
    """A program with four banks of 16 KiB on an MMC1 board."""
    files = {"src/banked.s": BANKED_GAME, "banked.cfg": BANKED}
    sources = ["src/banked.s"]
    return make(folder, "banked", files, sources=sources, config="banked.cfg", output="banked.nes")


def gameboy_project(folder: Path) -> Project:
    """A cartridge of four banks."""
    files = {"src/main.asm": GAMEBOY}
    header = {"title": "TEST", "mbc": "MBC5"}
    return make(folder, "gb", files, sources=["src/main.asm"], cpu="sm83", header=header)


def prg_project(folder: Path) -> Project:
    """A program that is loaded to $0801."""
    files = {"src/prg.s": PRG_GAME, "prg.cfg": PRG_LAYOUT}
    return make(folder, "prg", files, sources=["src/prg.s"], config="prg.cfg", output="prg.prg")
