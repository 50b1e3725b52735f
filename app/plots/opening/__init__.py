"""The scene that a first start shows."""
