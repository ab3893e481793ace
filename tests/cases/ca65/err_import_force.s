; about: .forceimport of an unknown symbol is an error, an unused .import is not
; error: link: unresolved external

.import nowhere
.forceimport somewhere
        nop
