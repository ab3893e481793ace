"""All paths through a routine, from its entry and from cut points to the next."""
