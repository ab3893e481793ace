"""Invariants: found for loops that nobody gave one, and handed to the prover.

Claim: none. What is found here is a guess in the language of contracts; it is put into the
contract and proved with everything else, as if somebody had written it. A wrong guess costs time
and no more.

How: loops are cut at their heads (``heads``). Candidates come from templates: where quantities
begin and by how much they move (``quantities``, ``templates``), what is ensured in the end, said
of the part that is done (``goals``, ``cells``, ``accumulators``). Runs throw out those that they
break (``samples``); of the rest the greatest set is kept that is inductive (``houdini``: Flanagan
and Leino, "Houdini, an annotation assistant for ESC/Java", 2001). ``search`` does it in this
order; ``wording`` reads and writes conditions of contracts.

search: Invariants for loops that are not executed to their end: found, and handed to the prover.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

Nothing here is trusted. What comes out is the contract with ``invariant:`` and ``decreases:``
added, and it is proved as if somebody had written them: that they hold at first and are kept up is
claimed and judged there, by the rule for invariants.

houdini: The greatest set of candidates that every leg keeps up.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

All are supposed at first. A leg that can arrive without one of them, although all that are left
hold where it began, takes that one away; so does a question without an answer. When nothing is
taken away any more, the rest is inductive. It is proved once more with everything else that the
contract says, so nothing rests on what is done here.

going: Iterations that do something, apart from those in which a loop only waits for a port.
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

``wait: ldh a, [rSTAT] / and 2 / jr nz, wait / ld [hl+], a / dec b / jr nz, wait`` comes back to one
label from two places. What its numbers do is seen from the iterations that do not wait. It is for
what may be looked for only: proofs are of all iterations.
"""
