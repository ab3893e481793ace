"""Replay: claims are judged, and every verdict is confirmed by execution before it is told.

Claim: "refuted" comes with an input for which the machine, executed, does what the contract
excludes. "Proved" was executed as well, for all inputs where they are few, else for many, and no
run did otherwise. Execution proves nothing: it guards against faults of the prover itself, and what
it finds to be otherwise than proved makes the verdict unknown and is reported as such a fault.

Argument: those who execute (``romproof.witness``, the engine ``plain``) share no terms, rules or
solvers with the prover, so that one mistake does not hide the other. A model of the solver is an
input only if a run of the code does what the claim says (``run``); where it begins at an invariant
it may be a state that no call comes to, and then nothing is refuted.

Where to look: ``judge`` asks the solver about claims and sorts what comes back; ``run`` executes
models; ``confirm`` executes what is proved; ``examples``, ``counterexample``, ``testcase``,
``call_code`` and ``trial`` show inputs to people, as calls and as tests.
"""
