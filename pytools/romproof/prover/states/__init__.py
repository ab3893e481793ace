"""Entry states: what is known when the first instruction of a routine is executed, as terms.

Claim: every state in which the routine may be called, as far as its contract allows the call, is
the entry state for some values of its variables. So what holds of the entry state for all values
holds of every call. (In Viper this is the inhale of the precondition; in claripy a state whose
registers and memory are symbolic.)

Argument: each register, each byte that may change and each object is a variable of its own, of
which nothing is known but what the contract requires; the stack pointer has every value that
leaves room for the stack, and the return address any value at all. What is constant is so by an
assumption that is told with every verdict (``routines/assumptions.py``): read-only data of the
image, and flags that have their usual value in calls, or in a handler. The blocks behind pointers
are memory that may lie anywhere: an object stands for each of them (``pointer_blocks``,
``romproof.symbolic.execute.blocks``), which is right where they lie apart: a claim of its own
(``conditions/separation.py``).

Where to look: ``program`` says what of a program stays as it is; ``entry`` makes the state;
``pointer_blocks`` and ``overlaps`` treat blocks; ``requires`` adds preconditions; ``view`` turns
conditions of contracts into terms of a state; ``variables`` says what people call the variables,
whose origins are in ``romproof.symbolic.terms.origin``; ``places`` finds what Python models name.
"""
