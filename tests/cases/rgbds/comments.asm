; about: comments, line continuations and spaces
; = 01 02 03 04 05 73 65 6D 69 3B 63 6F 6C 6F 6E 06 74 72 69 70 6C 65 20 22 71 75 6F 74 65 64 22 20
; = 74 65 78 74 0A 73 65 63 6F 6E 64 72 61 77 20 5C 20 7B 78 7D 72 61 77 0A 74 77 6F 63 6F 6E 74 69
; = 6E 75 65 64

SECTION "a", ROM0 ; comment
	db 1, /* inside */ 2, \ ; comment
	   3, \
	   4
/* over
several lines */ db 5
	db "semi;colon", 6 ; "
	db """triple "quoted" text
second""", #"raw \ {x}", #"""raw
two"""
	db "con\
tinued"
