"""Limits and names of the choices for an audit; forms need no more of it."""

MIN_RUNS = 1000
"""Smallest useful number of draws on each side."""

DEFAULT_RUNS = 20_000
"""Default number of draws on each side."""

MOVED = "moved"
"""The name of the pair of the data and a copy with one record replaced."""
