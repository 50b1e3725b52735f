"""Formats of files: one file each, which says how it is recognised and read."""
