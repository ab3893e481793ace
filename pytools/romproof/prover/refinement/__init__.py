"""Refinement: machine code does what a Python model says, for all inputs.

Claim: for every input that the contract and ``requires`` allow, the routine leaves what the model
returns for that input; or here is an input for which it does not, executed on both.

Argument: the model is followed on symbolic numbers (``romproof.prover.models``): its paths, each
with its conditions and its results, are all it can do. For each path of the model and each leg of
the code, equality of results is claimed where the conditions of both hold (``equivalence``). A
routine with invariants is compared leg by leg with a model that goes from place to place, which
is a forward simulation (``simulation``). The contract's own proof says that all legs are known,
that the invariants hold and what else changes: everything here rests on it.

Where to look: ``equivalence`` for whole routines, ``simulation`` and ``stages`` for models of
stages, ``abstraction`` for values in another form, ``oracle_calls`` for questions to callees,
``model_invariants`` for what always holds, ``case_split`` for one proof a value, ``fragment`` for
code that is no routine, ``permutation`` for exchanges.

simulation: A routine with invariants does what a model says that goes from place to place.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

The model is a machine of its own: in a place it has values, its state there, and one stage takes
it to the next place with the values there. Places are the routine's entry, its invariants and its
end; which registers and bytes hold the values of each is stated. It is claimed of each leg, all
paths from one place to the next, that the model goes where the code does and has the values that
the code leaves, whatever the values before that the invariant allows (a forward simulation:
Lynch and Vaandrager, "Forward and backward simulations", Information and Computation 121, 1995).
A run is a sequence of legs, so by induction over them the model, run from the routine's inputs,
comes to the end when the routine returns, and has its results. That all legs are known, that the
invariants hold and what else changes is the contract's proof, on which this rests.

What a stage asks of other routines is in ``refinement/oracle_calls.py``, and how a model has values
in another form than the machine in ``refinement/abstraction.py``. Where no call is made the claims
hold for every answer.

abstraction: What the values in a machine stand for, where a model has them in another form.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Of a stage with ``means`` the model's values in a place are a function of what the machine holds
there (a refinement mapping: Abadi and Lamport, "The existence of refinement mappings", Theoretical
Computer Science 82, 1991). On a leg from p to q it is claimed

    the stage of p, of means_p(x), goes to q and gives means_q(x')

and nothing else changes in the induction over legs, whatever the functions are: one that forgets
something leaves the model without what it would need for its next step, and the claim fails. At the
entry and at the end nothing is meant: what goes in and what comes out are the machine's own values.

model_invariants: What holds in all places of a model of stages, besides the contract's invariants.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

It is shown on the same legs as the model: of each that it holds at the end, if it holds where the
leg begins and that is not the entry. By induction it holds in each place, and the claims on the
model's values may rest on it. It is no part of the contract's proof, so nothing else becomes harder
to decide by it: an equation for each byte of an array would.

What is said of all numbers of a range is known of one that is unknown, as it is shown, and of the
one that the model names (``at``). It holds of all of them, so whatever ``at`` gives is right.

oracle_calls: What a stage of a model asks of a routine that was proved, and what that leaves.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

That routine is called by its contract: its results are new variables. They depend on what it lists
under ``in:`` and on nothing else, which is a statement of its contract's proof; so they are values
of a function F of these inputs, and the answer to a question is F of it. Claimed is that the call
was given what the model asks; then what the call left is the answer. So that F is one, nothing is
taken as an answer that the routine may leave as it was, unless that is an input, too.

case_split: A contract proved for each value that a register or a byte can have at the entry, one by
one.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Where code goes to one of several places by a small number, a proof for all of them at once has to
tell them apart in all that follows. Each case is the same contract with one requirement more. That
is enough:

- *all inputs*: that what is required leaves no other value is a question to the solvers;
- *one run* of the whole is one of a case, and so keeps all that the contract says of one run;
- *two runs* that agree on the inputs have the same value, since its place is one of the inputs:
  they are runs of one case, and what depends on what is proved of that.

A case may list less memory than the whole: so much as matters for its value. What it no longer
gives back it must not write at all. Then both runs leave that as they found it, as the whole may.

Limits of cycles that hold of each case hold of all; where a case has its own, within those of the
whole, callers know them of a call with its value. That limits are reached is a matter of all cases
together, and no secret may tell cases apart: contracts that claim either are refused. An invariant
that no path of a case comes to is left out of that case, of which it says nothing.
"""
