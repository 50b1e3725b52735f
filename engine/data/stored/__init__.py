"""Columns that stay in their files: records are read piece by piece, as often as a question needs."""
