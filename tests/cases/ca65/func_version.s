; about: .version is the number of the assembler, major times 256 plus minor times 16
; = 20 03

.word .version
