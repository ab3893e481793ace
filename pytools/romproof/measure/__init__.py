"""What an execution cost, by routine, by call, by address and by line."""
