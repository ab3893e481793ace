"""Fields of a header block become a contract; what cannot be right becomes a diagnostic."""
