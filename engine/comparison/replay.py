"""One run of a trial once more: what it would have released."""

from __future__ import annotations

from typing import Any

from engine.comparison.results import Trial
from engine.comparison.trial_runs import Samples, batch_size, check_seed, generator
from engine.errors import ParameterError
from engine.mechanisms.histograms import HistogramPrepared
from engine.progress import Progress, part, silent
from engine.simulation import batches


def replayed(trial: Trial, data: Any, run: int, seed: int, progress: Progress = silent) -> Any:
    """Return what a run of a comparison gave: simulated, hence no release.

    Parameters
    ----------
    trial : Trial
    data : Sample, Points, Categories or a graph
        All data of the comparison, also where the trial draws some of them.
    run : int
        Counted from 0, as in `Outcome.errors`.
    seed : int
        As the comparison was asked for.
    progress : Progress

    Returns
    -------
    float, list, dict, str or None
        As `engine.mechanisms.Release.value`; None where the mechanism refused.

    Raises
    ------
    ParameterError
        If `run` or `seed` is negative, or the mechanism does not fit.

    Examples
    --------
    The third simulated release of a comparison, within its error of the true mean:

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample, Sweep, compare, labelled
    >>> data = Sample([40.0] * 10, Interval(0, 100))
    >>> contenders = labelled([LaplaceRelease(query=Mean())])
    >>> found = compare(contenders, data, Privacy(1.0), Sweep("epsilon", (1.0,)), runs=5, seed=1)
    >>> [outcome] = found.outcomes
    >>> bool(abs(replayed(outcome.trial, data, run=2, seed=1) - 40.0) == outcome.errors[2])
    True
    """
    if run < 0:
        raise ParameterError("run", f"{run} is not possible; runs are counted from 0")
    check_seed(seed)
    here = Samples(data, seed).at(trial)
    prepared = trial.mechanism.prepare(here, trial.privacy, part(progress, 0.0, 0.5))
    size = batch_size(prepared)
    batch, row = divmod(run, size)
    drawing = part(progress, 0.5, 1.0)
    rng = generator(seed, trial.origin, batch)
    if isinstance(prepared, HistogramPrepared):  # the histogram is released, not its answers to ranges
        return prepared.histogram(rng, part(drawing, 0.0, 0.5)).value(part(drawing, 0.5, 1.0))
    (values,) = batches(prepared, [size], lambda _: rng, drawing)
    return trial.mechanism.released(values[row], here.domain)
