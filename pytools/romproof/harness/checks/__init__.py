"""What is checked of a run besides its contract: the stack, memory nobody wrote, places."""
