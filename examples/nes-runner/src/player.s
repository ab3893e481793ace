.importzp keys
.export move_player, clear_sprites, draw_player, sprites
.exportzp player_x

LEFT  = 16
RIGHT = 232

.segment "ZEROPAGE"
player_x: .res 1

.segment "OAM"
sprites: .res 256                  ; 64 sprites: Y, tile, attributes, X

.segment "CODE"

;; move_player – a step of two pixels, between both walls.
; in:       keys player_x
; requires: LEFT <= player_x <= RIGHT
; out:      player_x
; ensures:  LEFT <= player_x <= RIGHT,
;           (keys & 3) == 0 -> player_x == old player_x,
;           (keys & 1) == 1 and old player_x <= RIGHT - 2 -> player_x == old player_x + 2,
;           (keys & 3) == 2 and old player_x >= LEFT + 2 -> player_x == old player_x - 2
; clobbers: A N V Z C
; stack:    0
; cycles:   19..30
.proc move_player
  lda keys
  lsr a
  bcc @not_right
  lda player_x
  cmp #RIGHT - 1
  bcs @done
  adc #2                           ; the carry is clear
  sta player_x
  rts
@not_right:
  lsr a
  bcc @done
  lda player_x
  cmp #LEFT + 2
  bcc @done
  sbc #2                           ; the carry is set
  sta player_x
@done:
  rts
.endproc

;; clear_sprites – all sprites below the picture, and the player between the walls.
; in:       none
; out:      sprites[256] player_x
; ensures:  player_x == 120, all i in 0..255: sprites[i] == $FF
; clobbers: A X N Z
; stack:    0
; cycles:   2574
.proc clear_sprites
  lda #$FF
  ldx #0
@next:
  sta sprites,x
  inx
  bne @next
  lda #120
  sta player_x
  rts
.endproc

;; draw_player – the first sprite is the player.
; in:       player_x
; out:      sprites[4]
; ensures:  sprites[0] == 200, sprites[1] == 1, sprites[2] == 0, sprites[3] == player_x
; clobbers: A N Z
; stack:    0
; cycles:   31
.proc draw_player
  lda #200
  sta sprites
  lda #1
  sta sprites+1
  lda #0
  sta sprites+2
  lda player_x
  sta sprites+3
  rts
.endproc
