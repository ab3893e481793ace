"""The cycles of a routine: both bounds, and whether calls attain them."""
