.export inner_ext
.import exported
inner_ext: jmp exported
