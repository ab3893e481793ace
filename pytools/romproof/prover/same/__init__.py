"""Two versions of a routine: the same for all inputs, or an input that tells them apart."""
