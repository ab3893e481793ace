"""A game of Tenhou followed event by event: whose turn it is, who holds what, who owes what."""
