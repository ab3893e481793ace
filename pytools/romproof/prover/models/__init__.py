"""Python models under proof: what they may do, and that they do the same with plain numbers.

Claim: what a model does with symbolic numbers is, for each value of these, what it does with plain
ones. So its paths on symbolic numbers say what it returns for every input.

Argument: a model could tell the two kinds of numbers apart, or keep something from one run to the
next; then its symbolic run would say nothing of plain ones. So all code that it reaches is looked
at before it runs, by its bytecode and by what it refers to, and what is not known to treat both
alike is refused (``screen``, ``code``, ``instructions``, ``handlers``, ``allowed``, ``values``).
It is run twice, to see that nothing is kept (``follow``). Then many plain inputs are drawn, at
least one for each of its paths (``inputs``), and for each the plain result is compared with the
symbolic one (``agreement``).

Where to look besides: ``mapping`` says how a model takes a routine's inputs and what its results
are compared with; ``predicate`` is for ``requires=``; the numbers are in
``romproof.symbolic.numbers``.

Needs numpy; importing this without it raises MissingExtra.
"""

from romproof.support.extras import need

need("models that are followed need {}", "romproof[prove]", "numpy")
