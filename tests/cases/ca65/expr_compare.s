; about: comparisons give 0 or 1, and negative values are less than positive ones
; = 01 00 00 01 01 00 00 01 01 00 01 00 01 01 01 00 00 01 02 01 01 00

.byte 1=1, 1=2, 1<>1, 1<>2, 1<2, 2<1, 1>2, 2>1, 1<=1, 2<=1, 1>=1, 1>=2
.byte -1<0, -1<1, $FFFFFFFF>0, -1=$FFFFFFFF, $80000000<0
.byte 3=1+2, 1+(2=2), 2*3>5, 1<2<3, 3>2>1
