; about: broken numbers
; error: 11: Invalid integer constant, no digits after '$'
; error: 13: Invalid integer constant, '_' after another '_'
; error: 13: Invalid integer constant, trailing '_'
; error: 14: Invalid fixed-point constant, '_' after '.'
; error: 15: Invalid fixed-point constant, no digits after 'q'
; error: 16: Fixed-point constant precision must be between 1 and 31
; error: 17: Invalid graphics constant, no digits after '`'

SECTION "a", ROM0
	dl $
	dl %_1
	dl 1__0, 2_
	dl 1._5
	dl 1.5q
	dl 1.5q40
	dl `
