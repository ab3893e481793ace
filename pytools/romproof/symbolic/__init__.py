"""Values that depend on unknown inputs: terms, solvers, and code executed with them."""
