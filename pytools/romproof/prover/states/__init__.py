"""States as terms: the one that a routine is entered in, and what contracts say of them."""
