"""The engine ``llvm``: microcode as machine code, an interpreter compiled at first use.

Needs llvmlite; importing this without it raises MissingExtra.
"""

from romproof.support.extras import need

need("compiled code needs {}", "romproof[fast]", "llvmlite")
