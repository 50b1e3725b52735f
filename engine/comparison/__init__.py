"""Mechanisms side by side: the same data, the same seeds, a sweep of what can be varied."""

from engine.comparison.comparing import compare, trials
from engine.comparison.contenders import labelled, rivals, same_task
from engine.comparison.needed import Needed, needed_epsilon
from engine.comparison.processes import Processes
from engine.comparison.replay import replayed
from engine.comparison.results import Comparison, Contender, Outcome, Sweep, Trial
from engine.comparison.sweeps import MOST, default_sweep, size, sweep_between, sweepable, varied
from engine.comparison.verdict import Verdict, verdict

__all__ = [
    "MOST",
    "Comparison",
    "Contender",
    "Needed",
    "Outcome",
    "Processes",
    "Sweep",
    "Trial",
    "Verdict",
    "compare",
    "default_sweep",
    "labelled",
    "needed_epsilon",
    "replayed",
    "rivals",
    "same_task",
    "size",
    "sweep_between",
    "sweepable",
    "trials",
    "varied",
    "verdict",
]
