"""Mechanisms side by side: the same data, the same seeds, a sweep of what can be varied."""

from engine.comparison.results import Comparison, Contender, Outcome, Sweep, Trial

__all__ = ["Comparison", "Contender", "Outcome", "Sweep", "Trial"]
