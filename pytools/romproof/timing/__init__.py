"""Level 5: the fewest and the most cycles of routines, from their code alone."""
