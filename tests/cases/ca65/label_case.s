; about: identifiers are case sensitive, instructions, registers and commands are not
; = A9 01 A2 02 03 04 9D 34 12 0A

Value = 1
value = 2
VALUE = 3
        LDA #Value
        Ldx #value
        .BYTE VALUE
        .Byte 4
        sta $1234,X
        ASL A
