"""Profiles in the formats that other programs open, and as a page."""
