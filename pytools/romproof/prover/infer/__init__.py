"""Inference: contracts for routines that have none; proposed, proved, and shown to be tight.

Claim: a contract that is given is proved, by the same prover as one that somebody wrote. "Tight"
says more: nothing of it can be dropped, shown by an execution for each part. Everything before the
proof is a guess and needs no argument.

How: a routine is explored with a contract that allows nothing. What it touches all the same
becomes an object or a requirement, and exploration begins again, until nothing is missing
(``examine``, ``growth``, ``addresses``, ``intended``). Loops that depend on inputs are cut, and
their counts become requirements (``loops``, ``counts``, ``pointers``, ``walks``, ``sentinels``);
what is left says what the contract is (``collected``, ``leaves``, ``ends``, ``draft``). ``infer``
takes callees first, has each draft proved, and claims less where that fails; ``tight`` and
``tight_loops`` look for executions. ``flows``, ``regions``, ``hints``, ``stored`` and
``liveness`` are what is known of the program around. Why a routine has no contract is a kind and
its data (``reasons``); ``edit`` puts contracts into sources.
"""

from __future__ import annotations

from romproof.support.extras import need

need("contracts that are inferred need {}", "romproof[prove]", "numpy")
