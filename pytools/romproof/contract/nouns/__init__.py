"""What contracts are made of: conditions, items, pointers, ports, and states they speak of."""
