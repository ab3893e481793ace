"""Level 1: what each CPU's instructions are; one row per opcode."""
