"""Level 4: what an execution cost, by routine, by call, by address and by line."""
