; about: a segment with separate load and run areas, and the symbols made by define
; config: link_run.cfg
; = CC CC CC CC 28 80 00 02 04 00 00 80 00 80 26 00 00 02 40 00 0D 02 00 80
; = 00 01 2C 80 04 00 04 02 09 00 04 02 AD 03 02 8D 04 02 00 00 01 02 03 04

.import __DATA_LOAD__, __DATA_RUN__, __DATA_SIZE__, __CODE_LOAD__, __CODE_RUN__, __CODE_SIZE__
.import __RAM_START__, __RAM_SIZE__, __RAM_LAST__, __ROM_START__, __ROM_SIZE__, __ROM_LAST__, __ROM_FILEOFFS__
.import __BSS_RUN__, __BSS_SIZE__, __BSS_LOAD__
.code
        .addr __DATA_LOAD__, __DATA_RUN__, __DATA_SIZE__
        .addr __CODE_LOAD__, __CODE_RUN__, __CODE_SIZE__
        .addr __RAM_START__, __RAM_SIZE__, __RAM_LAST__
        .addr __ROM_START__, __ROM_SIZE__, __ROM_LAST__, __ROM_FILEOFFS__
        .addr __BSS_RUN__, __BSS_SIZE__, __BSS_LOAD__
        lda counter
        sta buffer
.data
        .byte 1, 2, 3
counter: .byte 4
.bss
buffer: .res 9
