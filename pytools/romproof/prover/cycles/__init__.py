"""Cycles: the fewest and the most cycles of a call, claimed and attained.

Claim: no call takes fewer or more cycles than the limits say. Whether some call takes as few, and
some as many, is a second word (attained or loose), for which an input is executed.

Argument: the cycles of a leg are a term, so without cut points the limits are the extremes of one
term, which the solver finds. Across cut points there are three arguments, and any of them is
enough: a potential that pays for the cycles still to come (``potential``), all values that decide
how long a run takes, followed from place to place (``reachability``), and how often each leg can
be taken, from why its loop ends (``worst_case``). Each of them bounds more runs than there are,
never fewer; the strictest limits count.

Where to look: ``bounds`` asks, ``liveness`` finds the variables that decide how long a run takes.

potential: Cycles across invariants, by what a number of ``decreases:`` says of those still to come.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Let P be any number of a place and the state there that is 0 at the entry and at the return. Over
the legs of a run the sum of (cycles + P after - P before) is the run's cycles, as all else is added
once and taken away once. So if w is the least of (cycles + P after - P before) on a leg, over all
states in which it can begin, no run takes less than the shortest walk from the entry to a return
along legs as long as their w; and with the greatest none takes more than the longest. Walks are
compared as long as no circle makes them shorter (longer) for ever; if one does there is no bound.

P is A / D times a number of ``decreases:`` at the cuts of one circle, and others at those of
another. A / D, cycles for each unit of the number, is a guess from examples: whatever it is, the
bounds hold. Where the cycles of an iteration do not vary they are exact.

Where they vary with a counter, as those of an inner loop that is begun anew, so many times what is
in that counter may be added to P: a register or a byte or word that the contract lists. Both
factors are guesses again, from two examples that they make exact.

reachability: Cycles across invariants, by the states that are really there at them.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

The best bounds of legs, each wherever it may begin, are reached in no single run where what one
iteration takes depends on what others left. But often few bytes are handed on: those variables that
cycles, ways and what is handed on depend on (``cycles/liveness.py``). Here all values that these
can have are followed from the entry, leg by leg, each with the fewest cycles and the most so far.
An input that stays what it is keeps the value that it has where it is asked about first. What a leg
reads besides, such as the input's next byte, may be anything then that is required of it by itself:
each time anew, which can only allow more; so may what a call leaves of which its contract alone is
known, and how long it takes. So these are bounds. An input that has all of what was chosen on the
way reaches one, which is seen when it is executed.

liveness: What of the past decides how long a run still takes: which variables matter at each place.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

At a cut these are new variables, for registers and memory there; and inputs of the entry, which
stay what they are, from where they are asked about first to where they are the last time. A
variable matters where cycles or ways depend on it, or what is handed on to one that matters at the
next place. Arrays that change are not followed, nor is what else an invariant says: without that
more runs are allowed, never fewer.
"""
