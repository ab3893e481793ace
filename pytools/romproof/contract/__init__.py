"""Level 4: what a routine's header comment promises, and whether it is kept."""
