; about: all undocumented instructions of 6502X in all their address modes
; = 4B 12 0B 12 6B 12 CB 12 C7 12 D7 12 CF 34 12 DF 34 12 DB 34 12 C3 12 D3
; = 12 E7 12 F7 12 EF 34 12 FF 34 12 FB 34 12 E3 12 F3 12 02 BB 34 12 A7 12
; = B7 12 AF 34 12 BF 34 12 A3 12 B3 12 AB 12 EA 80 12 04 12 14 12 0C 34 12
; = 1C 34 12 27 12 37 12 2F 34 12 3F 34 12 3B 34 12 23 12 33 12 67 12 77 12
; = 6F 34 12 7F 34 12 7B 34 12 63 12 73 12 87 12 97 12 8F 34 12 83 12 07 12
; = 17 12 0F 34 12 1F 34 12 1B 34 12 03 12 13 12 47 12 57 12 4F 34 12 5F 34
; = 12 5B 34 12 43 12 53 12

.setcpu "6502X"
        alr #$12
        anc #$12
        arr #$12
        axs #$12
        dcp $12
        dcp $12, x
        dcp $1234
        dcp $1234, x
        dcp $1234, y
        dcp ($12, x)
        dcp ($12), y
        isc $12
        isc $12, x
        isc $1234
        isc $1234, x
        isc $1234, y
        isc ($12, x)
        isc ($12), y
        jam
        las $1234, y
        lax $12
        lax $12, y
        lax $1234
        lax $1234, y
        lax ($12, x)
        lax ($12), y
        lax #$12
        nop
        nop #$12
        nop $12
        nop $12, x
        nop $1234
        nop $1234, x
        rla $12
        rla $12, x
        rla $1234
        rla $1234, x
        rla $1234, y
        rla ($12, x)
        rla ($12), y
        rra $12
        rra $12, x
        rra $1234
        rra $1234, x
        rra $1234, y
        rra ($12, x)
        rra ($12), y
        sax $12
        sax $12, y
        sax $1234
        sax ($12, x)
        slo $12
        slo $12, x
        slo $1234
        slo $1234, x
        slo $1234, y
        slo ($12, x)
        slo ($12), y
        sre $12
        sre $12, x
        sre $1234
        sre $1234, x
        sre $1234, y
        sre ($12, x)
        sre ($12), y
