"""A proved callee stands for its code: summaries, and what they have to say."""
