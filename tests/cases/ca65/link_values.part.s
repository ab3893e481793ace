.export one = 1
.export minus = -7
.export big = $87654321
