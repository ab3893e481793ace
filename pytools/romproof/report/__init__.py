"""Level 6: results as text for people and as JSON for programs; bytes as source."""
