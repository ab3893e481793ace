"""What was proved of a contract, executed for many inputs and compared.

Needs numpy; importing this without it raises MissingExtra.
"""

from romproof.support.extras import need

need("runs that are compared with statements need {}", "romproof[prove]", "numpy")
