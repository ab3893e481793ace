"""Calls: what stands for a routine where its callers are proved.

Claim: a call of a proved routine leaves a state that its summary gives for some values of the new
variables in it; so what holds of the caller with the summary holds with the routine's code.

Argument: a routine is known to its callers only once it is proved, so no summary rests on itself. A
summary is either exact, the terms that exploration found, with the caller's values in the place of
the callee's variables; or it is the contract: all that it lists as changed is havoc, restricted by
what it ensures. What the callee requires becomes a claim about the caller. Each new variable is a
function of what the contract lists as input, which is a statement of the callee's proof; that is
what two runs of a caller are compared by.

Where to look: ``call_graph`` orders routines; ``summaries`` applies them, ``exact_results`` those
that are exact; ``must_write`` says what a callee surely writes, ``pointer_arguments`` where
blocks of a callee lie in the caller, ``ports`` which of its reads are ports of the caller,
``costs`` what calls take.

summaries: The rule for calls: a proved routine stands for its code.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

A routine without invariants has exact results, as terms of its inputs; of one with invariants all
that is known is what its contract ensures. Either way the summary is a function of all that the
routine finds, the stack pointer and its return address among it: nothing of the place where it was
proved is left in it. What it takes for granted becomes a claim about the caller: what it requires,
the flags that have their usual value, and room on the stack.

must_write: What a routine writes in every call, and what it does whenever it leaves a flag set, or
clear.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

A caller that knows the contract alone has to take what is not written for what was there before. So
what is told here makes outputs functions of the inputs alone. Bytes at constant addresses are
plain. Of an array that a loop fills it is asked at the return whether any cell of it may be left
out, of what is known to be filled at invariants (``conditions/memory.py``). Where it may, each flag
among the outputs is asked about: a routine may say by one whether its results are there.

pointer_arguments: The rule for calls, as far as blocks behind pointers go: a caller's memory at its
own pointers.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

A proved routine knows its block as an object that stands for it. In a caller the block is where
the caller's value of the pointer leads: byte number n is the byte at that address plus n, read and
written as any access of the caller is: in its variables, its stack or a block of its own; elsewhere
it is reported. Where blocks may lie, and how many bytes they have, is among what the routine
requires, which is a claim about the caller as always. So the two places agree byte by byte, and
what is not within the block is not touched.

Accesses are made for each number below the most that there can be, each under the condition that
the block has so many bytes.

ports: The rule for ports of callees: what is a port for a routine is one for all that come to it.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Whether an address is a port is a matter of the machine. So a routine has, besides the ports that
its own contract lists, those of each routine with a contract that it comes to, however deep. What
it says of its blocks is then what it would say if it listed them itself: that they lie apart from
these ports, too. Nothing else is added: what it reads has to be listed under ``in:`` all the same.

costs: Cycles of calls of which only limits are known, as bounds ask for them.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Where a callee is known by its contract, how long a call of it takes is a new variable within the
limits that the contract claims. What a sum with it comes to at most is the sum with its most, as
the sum grows with it; and with its least at least. Where that is not seen of a number in which a
single call is, as of a sum that is written in parts, all times that this call may take are tried.
What a call ensures is part of the ways behind it: it is left out of these where it holds anyhow.
"""
