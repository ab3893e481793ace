; SPDX-License-Identifier: MIT
; Making the chosen round, and the bar that shows how far it is.
INCLUDE "gameboy.inc"
INCLUDE "tenhou/tenhou.inc"
INCLUDE "wall_names.inc"
INCLUDE "wall_rom.inc"

DEF TEXT_ROW   EQU 14
DEF BAR_ROW    EQU 16
DEF BAR_TILES  EQU COLUMNS - 2
DEF TILE_STEPS EQU 8
DEF CHUNK_STEPS EQU 16
STATIC_ASSERT BAR_TILES * TILE_STEPS == TENHOU_CHUNKS * CHUNK_STEPS, "the bar must end with the last chunk"

SECTION "work state", WRAM0
bar_chunk:  ds 1        ; chunks that were still to come when the bar was drawn last
bar_frames: ds 1        ; pictures since then

SECTION "work", ROM0

; The chosen round into tenhou_wall and tenhou_dice.  The generator runs on from
; round to round: for an earlier one it is seeded anew.  All registers are lost.
make_round::
  ld a, SCREEN_WORK
  ld [screen], a
  ld hl, made
  ld a, [chosen]
  cp [hl]
  jr nc, .next
  inc a
  cp [hl]
  ret z                   ; it is there already
    ld a, NOT_SEEDED
    ld [made], a
    ld de, .seeding
    call begin_work
    ld a, LOW(built_in_key)
    ldh [mt_key + 0], a
    ld a, HIGH(built_in_key)
    ldh [mt_key + 1], a
    ld a, [built_in_words + 0]
    ldh [mt_key_length + 0], a
    ld a, [built_in_words + 1]
    ldh [mt_key_length + 1], a
    call mt_init_by_array
    di
    xor a
    ld [made], a
.next
  ld de, .making
  call begin_work
  ld a, TENHOU_TILES
  ldh [tenhou_tiles], a
  call tenhou_round
  di
  ld hl, made
  inc [hl]
  ld a, [chosen]
  cp [hl]
  jr nc, .next
  ret
.seeding
  db "SEEDING        ", 0
.making
  db "ROUND    OF    ", 0

; Say what begins, an empty bar; from now on the bar is drawn between pictures.
; in: DE what to say, with room for two numbers; all registers are lost
begin_work:
  call wait_for_vblank
  map_place hl, TEXT_ROW, 1
  call put_string
  ld a, [made]
  cp NOT_SEEDED
  jr z, .no_number
    map_place hl, TEXT_ROW, 7
    call put_number
    map_place hl, TEXT_ROW, 13
    call put_chosen
.no_number
  ld a, TENHOU_CHUNKS
  ldh [tenhou_chunk], a
  ld [bar_chunk], a
  xor a
  ld [bar_frames], a
  map_place hl, BAR_ROW, 0
  ld [hl], TILE_BAR_LEFT
  map_place hl, BAR_ROW, COLUMNS - 1
  ld [hl], TILE_BAR_RIGHT
  xor a
  ldh [IO_IF], a
  ei
  ret

; The bar: 16 steps for each chunk that is done, and one for each picture that the
; next one has taken so far, which is about 13 in all.
show_progress::
  push af
  push bc
  push hl
  ldh a, [tenhou_chunk]
  ld b, a
  ld hl, bar_chunk
  cp [hl]
  ld [hl], a
  ld hl, bar_frames
  jr z, .same
    ld [hl], -1
.same
  ld a, [hl]
  cp CHUNK_STEPS - 1
  jr z, .slow
    inc [hl]
.slow
  ld a, TENHOU_CHUNKS
  sub b
  swap a
  add [hl]
  cp BAR_TILES * TILE_STEPS
  jr c, .within
    ld a, BAR_TILES * TILE_STEPS
.within
  ld b, a                 ; steps
  ld c, BAR_TILES
  map_place hl, BAR_ROW, 1
.tile
    ld a, b
    sub TILE_STEPS
    jr nc, .full
      ld a, b
      ld b, 0
      jr .put
.full
      ld b, a
      ld a, TILE_STEPS
.put
    add TILE_BAR
    ld [hl+], a
    dec c
    jr nz, .tile
  pop hl
  pop bc
  pop af
  reti
