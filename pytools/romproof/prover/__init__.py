"""Contracts and Python models proved for all inputs, or refuted by an input that runs.

The rooms, the lowest first; each has a head page (its ``__init__``) with its claim and the argument
why it is sound. A module imports from its own room and from lower ones.

- ``states``: the entry state as terms
- ``exploration``: all paths, as legs from one cut point to the next
- ``models``: what Python models may do, followed on symbolic numbers
- ``replay``: claims judged; verdicts confirmed by execution
- ``conditions``: a rule for each statement of a contract
- ``calls``: summaries of callees
- ``invariants``: candidates for loops without an invariant
- ``cycles``: bounds, potential, reachability
- ``routines``: one contract proved, and all of a program
- ``refinement``: a routine does what a model says
- ``infer``: contracts for code that has none
- ``same``: two versions compared

``prover.py`` is what other packages call, ``results.py`` what they get, ``catalogue.py`` has the
words of all that is said. In the words of other provers: a leg is a path of symbolic execution
between cut points (claripy: a state and its constraints), a claim is an assertion with its path
condition (Viper: exhale), an invariant cuts a loop by havoc and assume, a summary is a method's
contract at its call, and an oracle answers questions on terms (``romproof.symbolic.solve``).
docs/proved.md says what each verdict means, the glossary (docs/glossary.md) where each term lives.
"""
