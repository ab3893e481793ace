"""Terms: the values of symbolic execution, and the solver that answers questions on them."""
