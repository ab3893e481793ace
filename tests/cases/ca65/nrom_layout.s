; about: a whole cartridge: header, program with vectors at the end, tiles in the same file
; config: nrom.cfg
; = 4E 45 53 1A 01 01 00 00 00 00 00 00 00 00 00 00 78 D8 A2 FF 9A 2C 02 20
; = 10 FB 4C CA FF E6 00 40 FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF
; = FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF
; = FF FF CD FF C0 FF CF FF 3C 42 00 00 00 00 00 00 00 00 00 00 00 00 00 00

.segment "HEADER"
        .byte "NES", $1A, 1, 1, 0, 0
.zeropage
frames: .res 1
.segment "CODE"
.proc reset
        sei
        cld
        ldx #$FF
        txs
wait:   bit $2002
        bpl wait
loop:   jmp loop
.endproc
.proc nmi
        inc frames
irq:    rti
.endproc
.segment "VECTORS"
        .addr nmi, reset, nmi::irq
.segment "CHARS"
        .byte $3C, $42
