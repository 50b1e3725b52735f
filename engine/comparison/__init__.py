"""Compare mechanisms: on the same data, with the same seeds, over a sweep of a setting.

Results are private: they are computed from raw data, and errors reveal the true value.

Examples
--------
Which method for a median, and which epsilon for an error of at most 2 in 95 % of releases?  The best is
hardly better than the next one: with so few runs that may be chance.

>>> import numpy as np
>>> from engine import Interval, Privacy, Sample, SmoothRelease
>>> ages = Sample(np.random.default_rng(1).normal(40, 12, 500), Interval(0, 120))
>>> methods = alternatives(SmoothRelease(), Privacy(1.0), ages.domain, ages.n)
>>> contenders = contenders_from([m for m in methods if not m.problems(Privacy(1.0), ages.domain, ages.n)])
>>> [contender.label for contender in contenders[:4]]
['Smooth sensitivity', 'Global sensitivity, Laplace', 'Exponential mechanism', 'Inverse sensitivity']
>>> sweep = sweep_between("epsilon", 0.1, 10.0, 3, integer=False)
>>> found = compare(contenders, ages, Privacy(1.0), sweep, runs=400, seed=1)
>>> won = verdict(found.at(1))
>>> contenders[won.best.trial.contender].label, won.significant
('Piecewise Laplace', False)
>>> needed = needed_epsilon(contenders[2], ages, 0.0, within=2.0, share=0.95, runs=400, seed=1)
>>> needed.low < needed.epsilon < needed.high
True

For long comparisons, give `compare` some `Processes`.
"""

from engine.comparison.audited import AuditedContenders, ContenderAudit, audit_contenders
from engine.comparison.compared import Comparison
from engine.comparison.comparing import compare, trials
from engine.comparison.contenders import alternatives, contenders_from, same_task
from engine.comparison.needed import needed_epsilon, needed_epsilons
from engine.comparison.processes import Processes, side_by_side
from engine.comparison.results import ComparedMechanism, Needed, NeededEpsilons, Outcome, Sweep, Trial
from engine.comparison.sweeps import MAX_TRIALS, default_sweep, size, sweep_between, sweepable, vary
from engine.comparison.trial_runs import replay
from engine.comparison.verdict import Verdict, verdict

__all__ = [
    "MAX_TRIALS",
    "AuditedContenders",
    "ComparedMechanism",
    "Comparison",
    "ContenderAudit",
    "Needed",
    "NeededEpsilons",
    "Outcome",
    "Processes",
    "Sweep",
    "Trial",
    "Verdict",
    "alternatives",
    "audit_contenders",
    "compare",
    "contenders_from",
    "default_sweep",
    "needed_epsilon",
    "needed_epsilons",
    "replay",
    "same_task",
    "side_by_side",
    "size",
    "sweep_between",
    "sweepable",
    "trials",
    "vary",
    "verdict",
]
