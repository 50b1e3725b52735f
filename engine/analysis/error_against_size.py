"""When noise does not matter: the error of a release beside that of sampling, over the number of records."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.expected_error import scalar_error
from engine.analysis.memory import remembered
from engine.array_types import Floats, Ints
from engine.data.order_statistics import Sample
from engine.findings import Finding
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, each, part, parts, silent
from engine.shown import ShownInALine

SIZES = np.unique(np.round(10.0 ** np.arange(1.0, 5.01, 0.25)).astype(np.int64))
"""Numbers of records, from 10 to 100,000."""

DRAWS, PREPARED = 48, 24
"""Samples of each size of which the error of sampling is found, and for which noise is prepared."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ErrorAgainstSize(ShownInALine):
    """Typical errors over n, with the data at hand as the population (private).

    Returned by `error_against_size`.

    Attributes
    ----------
    sizes : ndarray of int, shape (m,)
        n, increasing.
    noise : ndarray, shape (m,)
        Median error that noise adds to the answer of a sample, the median over samples; NaN where the
        mechanism does not fit.
    sampling : ndarray, shape (m,)
        Median error of the answer of a sample, without any noise.
    records : int
        How many records there are now.
    """

    sizes: Ints
    noise: Floats
    sampling: Floats
    records: int

    @property
    def crossing(self) -> int | None:
        """The first n from which on noise errs less than sampling does; None where it never does."""
        above = np.flatnonzero(~(self.noise <= self.sampling))
        first = int(above[-1]) + 1 if above.size else 0
        return int(self.sizes[first]) if first < self.sizes.size else None

    def findings(self) -> Iterator[Finding]:
        """Yield where noise ceases to matter, and both errors."""
        crossing = "none up to the largest n" if self.crossing is None else self.crossing
        yield Finding("n from which on noise errs less than sampling", crossing)
        for n, noise, sampling in zip(self.sizes, self.noise, self.sampling, strict=True):
            yield Finding(f"typical error at n = {n}: noise, sampling", (float(noise), float(sampling)))


def error_against_size(
    mechanism: ScalarMechanism, data: Sample, privacy: PrivacyLike, *, progress: Progress = silent
) -> ErrorAgainstSize:
    """Compare the error of noise with that of sampling for samples of 10 to 100,000 records (private).

    The data are taken for the population, and samples are drawn from it; what lies between two
    neighbours of the sorted data is as likely as they are, so that samples larger than the data have no
    more ties than these.  The error of sampling is how far the answer of a sample is from that of the
    population; it falls like 1/sqrt(n) for most statistics, and noise for a mean like 1/n, so that from
    some n on it does not matter.  Noise that follows the data differs from sample to sample: its error is
    the median of what is typical for each of `PREPARED` samples.  A smaller sample is the beginning of a
    larger one, so that chance moves neighbouring points of a curve together.

    Source: the lectures ("when does noise not matter?"); Smith 2011 for the asymptotic statement.

    Parameters
    ----------
    mechanism : ScalarMechanism
        Of a query on a column.
    data : Sample
    privacy : PrivacyLike
    progress : Progress, optional

    Returns
    -------
    ErrorAgainstSize

    Examples
    --------
    A mean of values in [0, 1] at epsilon = 1: from about ten records on, noise errs less.

    >>> import numpy as np
    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample
    >>> data = Sample(np.linspace(0, 1, 1001), Interval(0, 1))
    >>> found = error_against_size(LaplaceRelease(query=Mean()), data, Privacy(1.0))
    >>> bool(found.noise[-1] < found.sampling[-1]), found.crossing < 100
    (True, True)
    """
    privacy = as_privacy(privacy)
    key = ("error against size", mechanism, privacy)
    return remembered(data, key, lambda: _compared(mechanism, data, privacy, progress))


def _compared(
    mechanism: ScalarMechanism, data: Sample, privacy: Privacy, progress: Progress
) -> ErrorAgainstSize:
    progress(0.0, "drawing samples")
    population = np.sort(data.values)
    query, whole, rng = mechanism.query, mechanism.query.value(data), np.random.default_rng(1)
    # what grows with the data, as a sum does, is compared per record
    grows = query.value_range(data.domain, 2 * data.n) != query.value_range(data.domain, data.n)
    drawing, comparing = part(progress, 0.0, 0.1), part(progress, 0.1, 1.0)
    turns = each(DRAWS, drawing, "drawing samples")
    drawn = [_drawn(population, int(SIZES[-1]), rng) for _ in turns]
    noise, sampling = np.full(len(SIZES), np.nan), np.full(len(SIZES), np.nan)
    pieces = len(drawn) + PREPARED
    for place, size in enumerate(parts(len(SIZES), comparing)):
        n = int(SIZES[place])
        factor = data.n / n if grows else 1.0
        if query.problem(data.domain, n) is not None:
            continue
        samples = [Sample(one[:n], data.domain) for one in drawn]
        answers = np.empty(len(samples))
        for number, one in enumerate(samples):
            size(number / pieces, "errors")
            answers[number] = query.value(one) * factor
        sampling[place] = np.median(np.abs(answers - whole))
        if not mechanism.problems(privacy, data.domain, n):
            found = []
            for number, one in enumerate(samples[:PREPARED]):
                size((len(samples) + number) / pieces, "errors")
                found.append(_typical(mechanism, one, privacy))
            noise[place] = np.median(found) * factor
    return ErrorAgainstSize(SIZES, noise, sampling, data.n)


def _drawn(population: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Draw records; between two neighbours of the sorted population, all places are equally likely."""
    ranks = rng.random(n) * (population.size - 1)
    below = ranks.astype(np.int64)
    lower, upper = population[below], population[np.minimum(below + 1, population.size - 1)]
    return np.clip(lower + (ranks - below) * (upper - lower), lower, upper)


def _typical(mechanism: ScalarMechanism, sample: Sample, privacy: Privacy) -> float:
    ready = mechanism.prepare(sample, privacy)
    assert isinstance(ready, ScalarPrepared)
    return scalar_error(ready).typical
