"""Mechanisms of recent papers, beside the usual ones."""
