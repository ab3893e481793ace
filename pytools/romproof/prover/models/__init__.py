"""Python models under proof: what they may do, and that they do the same with plain numbers.

A model is run on symbolic numbers, and what it does there counts for all plain ones. So nothing
it does may tell the two apart: ``screen`` looks at the code that is run and at what it refers to,
``follow`` runs it, ``inputs`` draws plain inputs, and ``agreement`` compares for each of them what
the model does with what it did with symbolic numbers.

Needs numpy; importing this without it raises MissingExtra.
"""

from romproof.support.extras import need

need("models that are followed need {}", "romproof[prove]", "numpy")
