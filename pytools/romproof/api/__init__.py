"""What romproof offers to other programs, under the names that ``romproof`` itself exports."""
