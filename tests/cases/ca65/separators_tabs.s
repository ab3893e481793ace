; about: any blanks separate, and an empty source line is fine
; = A9 01 EA BD 34 12 A9 05 01 02 03

	lda	#1
   label  :   nop
        lda   $1234  ,  x
value=5
        lda #value
	.byte	1,2 ,3
