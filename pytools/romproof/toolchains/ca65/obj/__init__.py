"""What the assembler hands to the linker, and the linker to everybody."""
