; about: .define replaces tokens, also names of instructions and registers
; = 05 05 74 65 78 74 04 A9 05 9D 34 12

.define LIMIT 5
.define SUM 1 + 2
.define TEXT "text"
.define COUNTER x
.define EMPTY
.define LOAD lda
        .byte LIMIT, SUM * 2, TEXT, EMPTY .strlen(TEXT)
        LOAD #LIMIT
        sta $1234, COUNTER
