"""Source text, places in it, and what there is to say about them."""
