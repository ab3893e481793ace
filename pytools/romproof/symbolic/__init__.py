"""Values that depend on unknown inputs: terms, solvers, and code executed with them.

Needs numpy; importing this without it raises MissingExtra.
"""

from romproof.support.extras import need

need("values that depend on unknown inputs need {}", "romproof[prove]", "numpy")
