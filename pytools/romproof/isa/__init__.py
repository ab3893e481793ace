"""What each CPU's instructions are; one row per opcode."""
