; about: macros with and without parameters, called before an instruction line and with a label
; = A9 00 AA A9 05 8D 34 12 A9 03 85 12

.macro nothing
.endmacro
.macro clear
        lda #0
        tax
.endmacro
.mac store value, target
        lda #value
        sta target
.endmac
        nothing
        clear
label:  store 5, $1234
        STORE2 = 5
        store <label, $12
