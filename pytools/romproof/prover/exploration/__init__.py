"""Exploration: all paths through a routine, from its entry and from cut points to the next.

Claim: every run of the routine is a sequence of legs that are known here. A leg is all that may
happen between one place and the next, where places are the entry, the cut points (loops with an
invariant) and the ends; its end state is a term of its first state, under the conditions of its
path. Events on the way (accesses, branches, calls, assertions) are noted with their paths.

Argument: by induction over the legs of a run. The first begins in the entry state; each ends in a
state that either returns, or comes to a cut point. Of that state the invariant is claimed, and
the next leg begins in a state of which nothing but the invariant is known of all that may have
changed, so it begins in that state for some values of its variables. A branch whose condition is
not known is followed both ways, unless the solver shows that one is impossible; where execution
cannot go on (a computed jump, too many iterations) the routine is unknown. Termination is a claim
of its own (``conditions/termination.py``): what is shown here holds of every leg, and so of runs
without an end.

Where to look: ``explore`` makes the legs, ``cut_points`` the states at invariants, ``assertions``
what is claimed and known at labels; ``joins`` and ``pages`` make questions about legs smaller. What
instructions do is executed by ``romproof.symbolic.execute``.

cut_points: The rule for invariants: a loop is cut where one stands.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

What comes to a cut has to satisfy the invariant, with the stack pointer and the stack that
execution had when it came there first (each arrival is a claim: see ``checks``). What goes on from
there knows nothing but the invariant of all that may have changed. What may have changed is what
the contract lists as output or clobbered: that nothing else changes is proved of every leg, so
it holds at each cut, by induction over the legs that were executed before. In a handler of
interrupts, which saves what it uses, these are also the registers and flags that any leg changes.

assertions: The rule for assertions: what holds at a place is claimed there, and known from there
on.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Each time a state comes to the place, the condition is noted as a claim under the path that leads
there, and then assumed. The claim is judged under that path, which has nothing of this assumption;
so a later claim may rest on an earlier one and never the other way round, and all of them hold by
induction over the steps of a run. Where one is not proved, nothing that rests on it is
(romproof.prover.routines.routine).

joins: Ways that met again, asked about one by one.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Where states were merged, an array is one of two, by a condition. That condition holds or does not:
so a claim is one under it and one under its opposite, with the array that is there then. Each is
about one way, and often is what is known of that way already.

pages: Whether a sum of addresses stays in its page is a matter of what is added to the page alone.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

An access across pages takes longer, so cycles ask whether the upper byte of an address with an
index is the one before. With x of b bits, and R whatever else is added,

    x  ==  (2^n * x + R) / 2^n  modulo 2^b       <=>       R / 2^n  modulo 2^b  ==  0

since both sides have x. So how long it takes does not depend on x, the page.
"""
