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

from engine.comparison.audited import AuditedContenders as AuditedContenders
from engine.comparison.audited import ContenderAudit as ContenderAudit
from engine.comparison.audited import audit_contenders as audit_contenders
from engine.comparison.compared import Comparison as Comparison
from engine.comparison.comparing import compare as compare
from engine.comparison.comparing import trials as trials
from engine.comparison.contenders import alternatives as alternatives
from engine.comparison.contenders import contenders_from as contenders_from
from engine.comparison.contenders import same_task as same_task
from engine.comparison.needed import needed_epsilon as needed_epsilon
from engine.comparison.needed import needed_epsilons as needed_epsilons
from engine.comparison.processes import Processes as Processes
from engine.comparison.processes import side_by_side as side_by_side
from engine.comparison.results import ComparedMechanism as ComparedMechanism
from engine.comparison.results import Needed as Needed
from engine.comparison.results import NeededEpsilons as NeededEpsilons
from engine.comparison.results import Outcome as Outcome
from engine.comparison.results import Sweep as Sweep
from engine.comparison.results import Trial as Trial
from engine.comparison.sweeps import MAX_TRIALS as MAX_TRIALS
from engine.comparison.sweeps import default_sweep as default_sweep
from engine.comparison.sweeps import size as size
from engine.comparison.sweeps import sweep_between as sweep_between
from engine.comparison.sweeps import sweepable as sweepable
from engine.comparison.sweeps import vary as vary
from engine.comparison.trial_runs import replay as replay
from engine.comparison.verdict import Verdict as Verdict
from engine.comparison.verdict import verdict as verdict
