"""Mechanisms that release cells with counts, and what else is counted in cells."""
