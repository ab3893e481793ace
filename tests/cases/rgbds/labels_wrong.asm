; about: labels that are defined twice, in no section, and names that make no sense
; error: 7: Cannot define label `outside` outside of a `SECTION`
; error: 10: `twice` already defined
; error: 12: `twice.x` already defined
; error: 14: Reference to anonymous label 2 before, when only 0 have been created so far

outside:
SECTION "a", ROM0
twice:
twice:
.x
.x
	dw undefined
	dw :--
