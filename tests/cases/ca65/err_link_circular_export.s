; about: exports of two sources that depend on each other
; also: circular.part.s
; error: link: circular

.import part2
.export part1 = part2 + 1
        .word part1
