; about: comments at all places, also with quotes and semicolons in strings
; = A9 3B 3B EA

; a whole line with "quotes and 'more
        lda #';' ; a comment behind
label: ; nothing else
        .byte ";" ; done
.macro mac ; comment
        nop ; inside
.endmacro ; end
        mac ; call
