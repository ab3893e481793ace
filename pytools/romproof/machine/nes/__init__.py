"""The NES, without a picture and without sound."""
