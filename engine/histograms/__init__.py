"""Cells that tile a public space, the counts in them, and what can be learned from both."""
