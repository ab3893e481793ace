"""Terms: what a value is when its inputs are unknown, and the rules that simplify it."""
