"""Level 1: what the assembler hands to the linker, and the linker to everybody."""
