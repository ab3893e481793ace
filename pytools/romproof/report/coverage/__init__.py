"""Coverage for terminals, editors and browsers."""
