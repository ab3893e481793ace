"""What a routine's header comment promises, and whether it is kept."""
