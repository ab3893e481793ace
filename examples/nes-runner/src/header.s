.import nmi, reset, irq

.segment "HEADER"
  .byte "NES", $1A, 2, 1, 0, 0     ; 32 KiB of program, 8 KiB of graphics, NROM

.segment "VECTORS"
  .word nmi, reset, irq

.segment "CHARS"
  .res 16                          ; tile 0 is empty
  .res 8, $FF                      ; tile 1 is a square
  .res 8, $00
