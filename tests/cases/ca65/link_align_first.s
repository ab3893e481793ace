; about: the first segment of an area that needs fill bytes for its alignment gives a warning
; config: link_align_first.cfg
; = 00 00 00 00 00 00 00 00 00 00 00 00 10 80
; warning: link: alignment

label:  .addr label
