.export zero = 0
