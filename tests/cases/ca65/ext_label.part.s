.export ext_label
ext_label: rts
