.export ext: absolute = 5
.exportzp extzp = 6
