; about: .forceimport needs the symbol even without any use
; also: ext_label.part.s
; = EA 60

.forceimport ext_label
        nop
