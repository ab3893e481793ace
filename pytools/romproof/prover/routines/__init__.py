"""Routines: one contract proved, all contracts of a program proved, and what is kept between runs.

Claim: the verdict on a routine is the worst of its findings; it is "proved" only if every statement
of its contract is, if no statement rests on one that is open, and if its executions agree.

Argument: ``routine`` explores, asks the rules (``statements`` has their order) and marks as
unknown whatever rests on what is not proved. ``program_proof`` takes callees first, so a summary
is used only of what was proved under the same assumptions; ``assumptions`` names those, and they
are told with each verdict. ``cache`` keeps a proof under a name in which all is that it depends
on: the image with its contracts, the banks, the options, our own code and the solvers; and
nothing that time ended.

Where to look: ``jobs`` is what goes to other processes, ``survey`` what a command shows,
``without_cycles`` how a proof serves a contract that says less.
"""
