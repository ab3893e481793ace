.import part1
.export part2 = part1 + 1
