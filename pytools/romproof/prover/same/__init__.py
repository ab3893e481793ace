"""Two versions of a routine: the same for all inputs, or an input that tells them apart.

Claim: for every input that both contracts allow, both versions leave the same in all outputs that
correspond; or an input is shown for which they do not, executed with both.

Argument: both are executed symbolically, each for unknown inputs of its own, with all loops and
callees. The variables of the second are replaced by what the first finds in the cell that
corresponds (``sides`` says which, ``tied`` does it), so that both are terms of one set of inputs;
what the second assumes of its inputs becomes an assumption. Then each pair of outputs is a question
to the solver (``same``). Where ports are read nothing is compared: that both would read the same is
not known. What is proved, and what refutes, is executed (``runs``, ``sampled``).

Where to look: ``cost`` puts cycles, bytes and stack beside each other; ``paste`` makes a test.
"""
