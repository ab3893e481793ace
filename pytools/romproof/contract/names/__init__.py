"""What names in a contract mean, and what expressions are worth."""
