"""How fair each shuffle is, exactly, and what each system lets a player find out."""
