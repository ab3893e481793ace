"""Claims are judged, and what is proved or refuted is confirmed by execution."""
