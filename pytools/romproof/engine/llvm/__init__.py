"""The engine ``llvm``: microcode as machine code, an interpreter compiled at first use."""
