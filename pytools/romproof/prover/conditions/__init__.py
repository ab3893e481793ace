"""Conditions: the statements of a contract but for cycles, each a rule with its argument.

Claim: where all claims of a rule hold, the statement of the contract holds in every call that the
contract allows. A claim is one bit, a term of one leg or of one event on it, under the conditions
of its path; ``replay/judge.py`` has the solver search for values with which it fails.

Argument: each rule is an induction over the legs of a run (see ``romproof.prover.exploration``), so
what is claimed of every leg holds of every run. All rules rest on the frame condition, that nothing
but what is listed changes (``contract.py``): at a cut point only that is unknown. Where one of the
statements on which others rest is not proved, these are unknown (``routines/statements.py``); what
is open is never taken for proved, and a question without an answer counts as one that fails.

Where to look: the frame condition, reads, stack, registers, invariants and postconditions are in
``contract``; ``memory`` knows what was written before; noninterference and secrets are in
``noninterference``, by the self-composition of ``self_composition``; loops end by ``termination``
and are counted by ``loop_counts`` and ``counters``. In Viper's words the rules are the exhales at
the ends of legs; the permissions of Viper are the contract's lists here.

vacuity: The rule for claims about nothing: each condition is met by something.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

A contract that no input satisfies or that leaves no place for the stack, an invariant that is never
reached and a return that is never reached would make everything true that is said of them. So each
must be possible; where one is not, the clause is named and nothing is proved.

separation: The rule that blocks behind pointers lie apart, which all else rests on.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

An access in a block is one to the object that stands for it (romproof.symbolic.execute.blocks).
That is right if no byte of a block is anywhere else as well, where one of the two is written. So
this is a claim of its own, which has to follow from what the contract requires, for each block:

- it ends at $FFFF at the latest;
- if it is written: nothing of it is of an object, of another block, or stays as it is (code);
- if it is only read: nothing of it is written under another name;
- it has no port, and nothing of the stack that the routine may use, which is the return
  address and the room below it. More stack than that is not used: that is unknown (Frame).

What a routine calls has no memory beside: an access to none of these is reported, whoever makes it.
If the claim does not follow, nothing is proved.

memory: What was written before: single addresses, and cells of arrays up to an index.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

At a cut (an invariant) nothing is known of the memory that may have changed. Which bytes were
written on every path to it is found in two ways, each of which is an induction over the legs:

- a set of addresses: those that each leg to the cut writes, or that were written where it began;
- *extents* of an array: "the cells below the index X", below, up to, from or above a number of 8
  or 16 bits in registers or memory, and "all cells"; and of each of these every second, third and
  so on, where such a number changes by as much from cut to cut. At first every extent is taken to
  hold at every cut. One is taken away if some leg can arrive with a cell in it that was neither
  written on that leg nor lies in an extent that is taken to hold where the leg began. When none is
  taken away any more, what is left holds at the first arrival (legs from the entry begin with
  none), and is preserved by every leg. A question without an answer takes an extent away.

So a loop that fills an array, ``sta table,x`` / ``inx``, has written the cells below X.

self_composition: The rule for what depends on what: two runs at once.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

A value depends on nothing but the inputs if two runs that agree on the inputs, whatever else they
find, agree on it; a secret is kept if two runs that agree on all but the secret take the same
branches and use the same addresses. So each term is compared with itself with other variables in
place of those in which the runs may differ.

At an invariant the unknown values of both runs are new ones. They are taken to be equal where that
can be kept up: first all are; one that two runs bring to an invariant with different values is
taken away, until nothing changes (the greatest relation that is inductive). Of memory that is
given back there is a relation between: a byte is the same in both runs, or as each run found it.

cone_of_influence: Which of the unknown values at invariants have a part in what is claimed of two
runs.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

What the runs have in others, such as the bytes that a copy moves, makes no difference to any claim:
nobody has to show that it is the same in both.

needs: What a call's results depend on, where the call is made.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Of a callee by its contract each result is a new variable, with the terms that it is a function of.
Some of these are choices: of memory that is written on one path and not on another, or that a
callee before fills if it leaves a flag clear. Where the path to the call says which, they are what
is chosen there. Nothing else has to be the same in two runs: if both make the call they are on its
path, and if one does not, nothing depends there on what the call would have given.

sources: The rule for what a result of a call depends on: on the inputs that there are in its terms.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

A contract says that all its results depend on its inputs, which may be whole areas of memory. How
long a copy takes does not depend on what it moves. That is seen from the terms: the conditions of
all paths, the cycles on them and the result itself have variables in them; what is unknown at an
invariant depends on what comes there, and what a callee gives back on what that depends on. Two
runs that agree on all inputs among these variables take the same ways, as long, to the same result:
at each invariant on the way these unknown values are the same in both.

The result may have other variables of the entry in it as well. It does not depend on them, as is
proved of the contract: with the inputs of one run, and all else from the other, it is what it is in
both. As what is required speaks of inputs only, that is a run, too.

ensures: What a contract ensures of a register in so many words: an equation gives it its value.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Of a callee of which only the contract is known a register that may change is a new variable, of
which what is ensured is assumed. Where ``ensures: HL == old (...)`` has it on one side, and on the
other numbers and registers as they were at the call, every run has the value of the other side
there: as a number, so it is that number modulo the register's size as well. So the variable may be
that term from the beginning: what is assumed of it, the equation itself among it, is assumed of the
term, and that the sum does not wrap around is what is left of the equation.

termination: Termination: a routine ends if no path goes round a loop for ever.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Code without an invariant is executed one iteration at a time until it is over, so only the paths
from cut to cut could go on for ever. In a set of cuts that can reach each other, either

- one has a number (``decreases:``) that is not negative there and smaller than at the last visit,
  whichever path led back: then the cut is reached at most as often as its first value says; or
- one has a number that is not negative there, that no path between the cuts increases, and that
  some decrease: these are taken no more often than its first value says. A path from a cut back to
  it that reads a port is two, one that decreases it and one that does not.

Either way some paths are not taken for ever; without them the cuts split into smaller sets, to
which the same is applied. Numbers are integers of any size: nothing wraps around. The variables of
a cut describe the last visit to it: where a value is saved on the stack, its byte is a term of
these, and remains one until execution reaches the cut again.

The same reasons limit how often each path is taken, and so the cycles of a call
(``cycles/worst_case.py``).

loop_counts: Loop iterations counted across invariants.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Execution starts afresh at a cut (an invariant), where the number k of iterations so far is an
unconstrained variable. It is constrained through the number n that decreases at the cut
(``decreases:``): where every iteration takes d off n, d * k + n stays constant. So for a step d,

    n >= 0,   low <= d * k + n <= high

hold at the cut, by induction over the arrivals, if they hold on every arrival from outside of the
loop (the base case; ``low`` and ``high`` are its extremes) and if every path within it preserves
them (the induction step). In a loop with several cuts, such as one around another loop with an
invariant, each cut has limits of its own for the same sum: those of a cut that is only reached
from others in the loop are the extremes that these allow, and all of them are preserved together.
Any number of a ``decreases:`` may be n, at each of the cuts, and any register or small variable
that moves by a constant from cut to cut (counted down from the highest value where it moves up):
so a loop without an invariant around another one's is counted, too. d is 1 or a step seen in one
example; limits that are not preserved are not used. The upper limits come first: they show that k
does not wrap around, which the lower ones need.

k has sixteen bits. It does not wrap around as long as the claims on the iterations hold: ``high``
and the claimed numbers fit, and the first count beyond them breaks a claim.

waits: The rule for loops that wait: they end if a port, or a byte that interrupts write, changes.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

``assumes: PORT changes`` says: an instruction that reads the port again and again, without an end,
reads each of the 256 values again and again. Take a set of cuts that lead to each other, and an
instruction that reads the port once on each of some legs between them, and on no other leg between
them. If there is one value with which none of these legs is taken, they are not taken for ever: an
endless run would read that value there, in one of them. The value is a number, or what a register
or a byte of memory holds that none of the legs between the cuts changes: in an endless run that is
one number, too.

``assumes: VARIABLE changes`` is about a byte that is no port. It says: after finitely many
interrupts a read of it brings another value than the first read of the wait, and nothing more. Each
read of the byte is a new value, as of a port. Take cuts and an instruction as before, and suppose
that the legs are taken with one value only, a number or what a register or a byte holds that no leg
changes, and that no leg writes the byte. The first value read is this one, else the legs are left
at once; later another one is read, and they are left then. So a wait for one particular value,
which is taken with all others, is not shown to end.

interrupts: The rule for handlers that end a wait: they change what it waits for, and are not kept
away.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

``VARIABLE changes by HANDLER`` is checked as far as it can be. The contract of the handler is
proved (``kind: interrupt``), and with all that it ensures the byte is never left as it was: of a
wait with one number, where it was that number. The interrupts that enter the handler are those
whose vectors lead to it. Unless one is the 6502's NMI, the masking flag (I, IME) allows interrupts
at each cut of the loop: each leg between the cuts leaves it as it was or ends with it allowed, and
each leg from elsewhere ends with it allowed, or has it as at the entry, which is then assumed
there. On the SM83 the same holds of the handler's bit of IE. What nothing checks is that interrupts
come, that the byte is read between two of them, and that they change nothing else: that is assumed.

``halt`` and ``wai`` go on behind themselves, any number of cycles later, where a contract assumes
that some byte changes by interrupts and the masking flag allows them.

bank_switching: The rule for banks: what is in one is known only while none is brought in sight.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

A proof has an address space with some of a program's banks in it. A register of a mapper is a port
that lies where the program has code or read-only data, or on a 6502 where it has nothing, and that
is none of the machine's own. A routine that may write one may bring
another bank in sight, before or after anything else that it does; so nothing is known of it if it
executes or reads a byte where another bank has something, itself or in what it calls. What it may
write is what its contract lists: that it writes nothing else is proved, and where it is not, that
is refuted. Runs do not decide either: they have the same address space.
"""
