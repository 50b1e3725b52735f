"""Aggregate the outputs of many blocks: centers, and smooth bounds on how far they move."""
