"""The fewest and the most cycles of routines, from their code alone."""
