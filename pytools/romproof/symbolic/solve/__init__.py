"""Questions about terms: can these conditions hold, are these two equal?"""
