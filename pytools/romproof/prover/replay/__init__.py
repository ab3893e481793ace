"""Claims are judged, and every verdict is confirmed by execution."""
