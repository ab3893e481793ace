; about: commands about listings, debugging and object files do not change the output
; = EA

.list on
.list -
.list +
.listbytes 16
.listbytes unlimited
.pagelength 50
.pagelength unlimited
.debuginfo +
.debuginfo off
.fileopt author, "somebody"
.fopt comment, "text"
.fileopt compiler, "none"
.fileopt 5, "text"
        nop
