"""The deck of a tarot program for the Game Boy: its generator, draw and shuffle.

Vi Grey published the algorithm in the program's Dev Log 3 (vigrey.com, tarot/gb).
Two things printed there do not do what the text says: the feedback bytes are
not of full period (:mod:`fairdeck.tarot.feedback`) and the draw is not uniform
(:mod:`fairdeck.tarot.draw`). Both are kept, under names that say so, beside
the corrected forms, which are the default.
"""
