"""Expected errors of mechanisms that release one number, and how they fall with n."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.memory import remembered
from engine.analysis.sensitivity import prepare_scalar
from engine.array_types import Floats, Ints
from engine.data.order_statistics import Sample
from engine.findings import Finding
from engine.mechanisms import MECHANISMS
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.scalar import ScalarMechanism
from engine.mechanisms.smooth import SmoothRelease
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, each, part, parts, silent
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True)
class ExpectedError:
    """Half of the releases err by less than `typical`, 95 % by less than `most`; from `scalar_error`."""

    typical: float  # In the unit of the answer
    most: float
    private: bool  # Whether they depend on the data

    def findings(self) -> Iterator[Finding]:
        """Yield both."""
        yield Finding("typical error", self.typical, not self.private)
        yield Finding("95 % of all errors within", self.most, not self.private)


SIMPLER = ("laplace", "exponential", "piecewise-laplace", "ladder")
"""Mechanisms that smooth noise must beat to be worth its pains."""

STRICTER = 0.1
"""Share of epsilon with which alternatives are looked at, too: noise that follows the data grows fastest."""


@dataclasses.dataclass(frozen=True, repr=False)
class WithAlternative(ShownInALine):
    """How a mechanism and its best alternative do with another epsilon (private).

    Returned by `estimate_scalar_error`, in an `ErrorEstimate`.
    """

    epsilon: float
    errors: ExpectedError  # Of the mechanism
    alternative: str  # The name of the alternative with the least typical error
    alternative_errors: ExpectedError


@dataclasses.dataclass(frozen=True, repr=False)
class ErrorEstimate(ShownInALine):
    """What can be expected of a mechanism on these data (private, but for what says it is not).

    Returned by `estimate_scalar_error`.
    """

    errors: ExpectedError
    smooth: float | None  # S and GS, where the mechanism uses them
    global_: float | None
    width: float  # Of the public range of answers
    neighbours: str  # The relation between databases, as in `Query`
    alternative: str = ""  # The name of the best alternative that needs no noise family; "" if there is none
    alternative_errors: ExpectedError | None = None  # Its errors
    answers: float = 1.0  # Probability that the mechanism answers
    reach: float = 0.0  # Half of the range in which 95 % of the released values lie before they are clamped
    noise: Any = dataclasses.field(default_factory=dict)  # Public description of the noise
    scale: float | None = None  # Of the noise
    excess: float | None = None  # How many times S* the bound S is, where it is not S* itself
    bound: bool = False  # Whether the query knows an upper bound of S* alone, as `Query.smooth_is_bound` says
    exact: float | None = None  # Which share of the answers is without error; None where it is not known
    # The same with `STRICTER` of the epsilon, where there are alternatives
    stricter: WithAlternative | None = None

    @property
    def private(self) -> bool:
        """Whether what is to be expected depends on the data."""
        return self.errors.private

    def findings(self) -> Iterator[Finding]:
        """Yield errors, noise, and those of the best alternative."""
        yield from self.errors.findings()
        yield Finding("noise", dict(self.noise), public=True)
        if self.scale is not None:
            yield Finding("scale of the noise", self.scale)
        if self.excess is not None:
            yield Finding("bound that scales the noise, in multiples of S*", self.excess)
        if self.answers != 1:
            yield Finding("probability of an answer", self.answers)
        if self.exact:
            yield Finding("share of answers without error", self.exact)
        if self.alternative_errors is not None:
            label = MECHANISMS[self.alternative].label.lower()
            yield Finding(f"typical error, {label}", self.alternative_errors.typical)


def scalar_error(prepared: ScalarPrepared) -> ExpectedError:
    """Return how far releases of a prepared mechanism typically fall from the true value.

    How many are clamped depends on the true value, and so do errors then.
    """
    typical, most = prepared.error_quantiles([0.5, 0.95])
    clamped = np.isfinite(prepared.grid.ends).any()
    return ExpectedError(float(typical), float(most), prepared.error is None or bool(clamped))


def estimate_scalar_error(
    mechanism: ScalarMechanism, data: Any, privacy: PrivacyLike, *, progress: Progress = silent
) -> ErrorEstimate | None:
    """Compare a mechanism with the range of answers and with its best alternative (private).

    Parameters
    ----------
    mechanism : ScalarMechanism
    data : Database
    privacy : PrivacyLike
    progress : Progress, optional

    Returns
    -------
    ErrorEstimate or None
        None where the mechanism does not fit.

    Examples
    --------
    The median of 1 to 10 in [0, 1000]; noise scaled to GS = 1000 would be far too large.

    >>> from engine import Interval, Privacy, Sample, SmoothRelease
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> found = estimate_scalar_error(SmoothRelease(), data, Privacy(1.0))
    >>> found.global_, found.alternative, found.alternative_errors.typical < found.global_
    (1000.0, 'laplace', True)
    """
    privacy = as_privacy(privacy)
    domain, n = data.domain, data.n
    if mechanism.problems(privacy, domain, n):
        return None
    prepared = prepare_scalar(mechanism, data, privacy, progress=progress)
    facts = prepared.diagnostics
    alternative, errors = _best_alternative(mechanism, data, privacy, progress=progress) or ("", None)
    return ErrorEstimate(
        errors=scalar_error(prepared),
        smooth=facts.get("smooth"),
        global_=facts.get("global"),
        width=mechanism.query.value_range(domain, n).width,
        neighbours=mechanism.query.neighbours,
        alternative=alternative,
        alternative_errors=errors,
        answers=facts.get("answer_probability", 1.0),
        reach=float(np.ptp(prepared.unclamped().quantile([0.025, 0.975])) / 2),
        noise=prepared.noise,
        scale=facts.get("scale"),
        excess=facts.get("excess"),
        bound=mechanism.query.smooth_is_bound,
        stricter=_with_alternative(
            mechanism, data, Privacy(STRICTER * privacy.epsilon, privacy.delta), progress=progress
        ),
    )


def _best_alternative(
    mechanism: ScalarMechanism, data: Any, privacy: Privacy, *, progress: Progress
) -> tuple[str, ExpectedError] | None:
    """Return the simpler mechanism with the least typical error; None where none fits."""
    simpler = SIMPLER if isinstance(mechanism, SmoothRelease) else ()
    others: Any = [MECHANISMS[name] for name in simpler if name in MECHANISMS]
    asked = [kind(query=mechanism.query) for kind in others]
    fitting = [one for one in asked if not one.problems(privacy, data.domain, data.n)]
    results = [
        (one.name, scalar_error(prepare_scalar(one, data, privacy, progress=progress))) for one in fitting
    ]
    return min(results, key=lambda one: one[1].typical, default=None)


def _with_alternative(
    mechanism: ScalarMechanism, data: Any, privacy: Privacy, *, progress: Progress
) -> WithAlternative | None:
    """Return how a mechanism does beside its best alternative; None where either does not fit."""
    if mechanism.problems(privacy, data.domain, data.n):
        return None
    best = _best_alternative(mechanism, data, privacy, progress=progress)
    if best is None:
        return None
    own = scalar_error(prepare_scalar(mechanism, data, privacy, progress=progress))
    return WithAlternative(privacy.epsilon, own, *best)


SIZES = np.unique(np.round(10.0 ** np.arange(1.0, 5.01, 0.25)).astype(np.int64))
"""Numbers of records, from 10 to 100,000."""

DRAWS, PREPARED = 48, 24
"""Samples of each size of which the error of sampling is found, and for which noise is prepared."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ErrorAgainstSize(ShownInALine):
    """Typical errors over n, with the data at hand as the population (private).

    Returned by `error_against_size`.
    """

    sizes: Ints  # shape (m,); n, increasing
    # shape (m,); Median error that noise adds to the answer of a sample, the median over samples; NaN where
    # the mechanism does not fit
    noise: Floats
    sampling: Floats  # shape (m,); Median error of the answer of a sample, without any noise
    records: int  # How many records there are now

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
    return remembered(data, key, lambda: _compared(mechanism, data, privacy, progress=progress))


def _compared(
    mechanism: ScalarMechanism, data: Sample, privacy: Privacy, *, progress: Progress
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
    for index, size in enumerate(parts(len(SIZES), comparing)):
        n = int(SIZES[index])
        factor = data.n / n if grows else 1.0
        if query.problem(data.domain, n) is not None:
            continue
        samples = [Sample(one[:n], data.domain) for one in drawn]
        answers = np.empty(len(samples))
        for number, one in enumerate(samples):
            size(number / pieces, "errors")
            answers[number] = query.value(one) * factor
        sampling[index] = np.median(np.abs(answers - whole))
        if not mechanism.problems(privacy, data.domain, n):
            results = []
            for number, one in enumerate(samples[:PREPARED]):
                size((len(samples) + number) / pieces, "errors")
                results.append(_typical(mechanism, one, privacy))
            noise[index] = np.median(results) * factor
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
