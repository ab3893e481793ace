; about: values have 64 bits at assembly time
; = 00 00 00 80 FF FF FF FF 00 00 00 80 00 00 01 00 00 00 00 80 00 00 00 01
; = 00 00 00 80 01 00 00 01 01 01 00

.dword ($FFFFFFFF+1)>>1, ($FFFFFFFF*2)>>1, $7FFFFFFF+1, ($10000*$10000)>>16, 1<<31, (1<<32)>>8, (1<<33)>>2
.byte ($FFFFFFFF+1)>0, ($10000*$10000)=0, (1<<32)=0, $FFFFFFFF+1>$FFFFFFFF
.byte ($10000*$10000)/$1000000/$100, (1<<40)>>40, ^(1<<32)
