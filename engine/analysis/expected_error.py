"""Expected errors of mechanisms that release one number, and their decrease with n."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.memory import remembered
from engine.analysis.sensitivity import prepare_scalar
from engine.arguments import as_data
from engine.array_types import Floats, Ints
from engine.data.order_statistics import Sample
from engine.findings import Finding
from engine.mechanisms import MECHANISMS
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.scalar import ScalarMechanism, ScalarMechanismLike, checked_scalar
from engine.mechanisms.smooth import SmoothRelease
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, each, part, parts, silent
from engine.shown import ShownInALine
from engine.signatures import explained


@dataclasses.dataclass(frozen=True)
class ExpectedError:
    """Half of the releases err by less than `typical`, 95 % by less than `most`; from `scalar_error`."""

    typical: float  # in the unit of the answer
    most: float
    private: bool  # whether they depend on the data

    def findings(self) -> Iterator[Finding]:
        """Yield both."""
        yield Finding("typical error", self.typical, not self.private)
        yield Finding("95 % of all errors within", self.most, not self.private)


SIMPLER_MECHANISMS = ("laplace", "exponential", "piecewise-laplace", "ladder")
"""Simpler mechanisms that smooth noise should beat."""

SHARES = (np.arange(999) + 0.5) / 999
"""Shares of the releases, evenly spaced."""

STRICTER_EPSILON_SHARE = 0.1
"""Share of epsilon for a second comparison: data-dependent noise grows fastest as epsilon falls."""


@dataclasses.dataclass(frozen=True, repr=False)
class WithAlternative(ShownInALine):
    """Errors of a mechanism and its best alternative at another epsilon (private).

    Returned by `estimate_scalar_error`, in an `ErrorEstimate`.
    """

    epsilon: float
    errors: ExpectedError  # of the mechanism
    alternative: str  # name of the alternative with the smallest typical error
    alternative_errors: ExpectedError


@dataclasses.dataclass(frozen=True, repr=False)
class ErrorEstimate(ShownInALine):
    """Expected errors of a mechanism on these data (private, except as noted).

    Returned by `estimate_scalar_error`.
    """

    errors: ExpectedError
    smooth: float | None  # S and GS, if the mechanism uses them
    global_: float | None
    width: float  # of the public range of answers
    neighbours: str  # the neighbouring relation, as in `Query`
    alternative: str = ""  # name of the best alternative that needs no noise family; "" without one
    alternative_errors: ExpectedError | None = None  # its errors
    answers: float = 1.0  # probability that the mechanism answers
    reach: float = 0.0  # half-width of the range that holds 95 % of the values before clamping
    noise: Any = dataclasses.field(default_factory=dict)  # public description of the noise
    scale: float | None = None  # of the noise
    excess: float | None = None  # ratio of the bound S to S*, if they differ
    bound: bool = False  # whether the query has only an upper bound of S*: `Query.smooth_is_bound`
    exact: float | None = None  # share of answers without error; None if unknown
    measure: str = ""  # `OutputSpace.measure`: which distance the errors are
    fell_back: int = 0  # number of blocks for which a function returned nothing: they use the public default
    clamped: bool = False  # whether half of the answers have no error only because they are clamped
    # the same comparison at `STRICTER_EPSILON_SHARE` times epsilon, if there are alternatives
    stricter: WithAlternative | None = None

    @property
    def private(self) -> bool:
        """Whether the expected errors depend on the data."""
        return self.errors.private

    def findings(self) -> Iterator[Finding]:
        """Yield errors, noise, and the errors of the best alternative."""
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
    """Return the expected errors of a prepared mechanism.

    The probability of clamping depends on the true value; with clamping, so do the errors.
    """
    typical, most = prepared.error_quantiles([0.5, 0.95])
    clamped = np.isfinite(prepared.grid.ends).any()
    return ExpectedError(float(typical), float(most), prepared.error is None or bool(clamped))


@explained
def estimate_scalar_error(
    mechanism: ScalarMechanismLike, data: Any, privacy: PrivacyLike, *, progress: Progress = silent
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
        None if the mechanism does not fit.

    See Also
    --------
    error_against_size, simulate_releases

    Examples
    --------
    The median of 1 to 10 in [0, 1000]: noise scaled to GS = 1000 would be far too large.

    >>> from engine import Interval, Privacy, Sample, SmoothRelease
    >>> data = Sample(range(1, 11), Interval(0, 1000))
    >>> found = estimate_scalar_error(SmoothRelease(), data, Privacy(1.0))
    >>> found.global_, found.alternative, found.alternative_errors.typical < found.global_
    (1000.0, 'laplace', True)
    """
    privacy, mechanism = as_privacy(privacy), checked_scalar(mechanism)
    data = as_data(data, mechanism)
    domain, n = data.domain, data.n
    if mechanism.problems(privacy, domain, n):
        return None
    prepared = prepare_scalar(mechanism, data, privacy, progress=progress)
    facts, expected, unclamped = prepared.diagnostics, scalar_error(prepared), prepared.unclamped()
    mostly_exact = expected.typical == 0 < expected.most
    alternative, errors = _best_alternative(mechanism, data, privacy, progress=progress) or ("", None)
    return ErrorEstimate(
        errors=expected,
        smooth=facts.get("smooth"),
        global_=facts.get("global"),
        width=mechanism.query.value_range(domain, n).width,
        neighbours=mechanism.query.neighbours,
        alternative=alternative,
        alternative_errors=errors,
        answers=facts.get("answer_probability", 1.0),
        reach=float(np.ptp(unclamped.quantile([0.025, 0.975])) / 2),
        noise=prepared.noise,
        scale=facts.get("scale"),
        excess=facts.get("excess"),
        bound=mechanism.query.smooth_is_bound,
        exact=float(np.mean(prepared.error_quantiles(SHARES) == 0)) if mostly_exact else None,
        clamped=mostly_exact and bool(unclamped.error_quantiles(0.5) > 0),
        stricter=_with_alternative(
            mechanism,
            data,
            Privacy(STRICTER_EPSILON_SHARE * privacy.epsilon, privacy.delta),
            progress=progress,
        ),
    )


def _best_alternative(
    mechanism: ScalarMechanism, data: Any, privacy: Privacy, *, progress: Progress
) -> tuple[str, ExpectedError] | None:
    """Return the simpler mechanism with the smallest typical error; None if none fits."""
    simpler = SIMPLER_MECHANISMS if isinstance(mechanism, SmoothRelease) else ()
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
    """Return the errors of a mechanism and its best alternative; None if either does not fit."""
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
"""Number of samples per size for the sampling error, and for the noise."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class ErrorAgainstSize(ShownInALine):
    """Typical errors over n, with the present data as the population (private).

    Returned by `error_against_size`.
    """

    sizes: Ints  # shape (m,); n, increasing
    # shape (m,); median error from noise in the answer of a sample, then the median over samples; NaN where
    # the mechanism does not fit
    noise: Floats
    sampling: Floats  # shape (m,); median error of a sample's answer without noise
    records: int  # present number of records
    present: float = np.nan  # typical error on the present data, as in `ExpectedError`; NaN if none

    @property
    def crossing(self) -> int | None:
        """The smallest n at which noise errs less than sampling; None without one."""
        above = np.flatnonzero(~(self.noise <= self.sampling))
        first = int(above[-1]) + 1 if above.size else 0
        return int(self.sizes[first]) if first < self.sizes.size else None

    def findings(self) -> Iterator[Finding]:
        """Yield the n at which noise ceases to matter, the error on the present data, and both errors."""
        crossing = "none up to the largest n" if self.crossing is None else self.crossing
        yield Finding("smallest n at which noise errs less than sampling", crossing)
        yield Finding("typical error on these data", self.present)
        for n, noise, sampling in zip(self.sizes, self.noise, self.sampling, strict=True):
            yield Finding(f"typical error at n = {n}: noise, sampling", (float(noise), float(sampling)))


@explained
def error_against_size(
    mechanism: ScalarMechanismLike, data: Any, privacy: PrivacyLike, *, progress: Progress = silent
) -> ErrorAgainstSize:
    """Compare the errors of noise and sampling for samples of 10 to 100,000 records (private).

    Samples are drawn from the data as the population.  Values between two neighbours of the sorted data are
    as likely as these: samples larger than the data get no additional ties.

    The sampling error is the distance of a sample's answer from that of the population.  It falls like
    1/sqrt(n) for most statistics, and noise for a mean like 1/n, so that noise does not matter from some n
    on.  Data-dependent noise varies between samples: its error is the median over the typical errors of
    `PREPARED` samples, and that on the present data may be another.  A smaller sample is a prefix of a
    larger one, which makes the curves smoother.

    Source: the lectures ("when does noise not matter?"); Smith 2011 for the asymptotic statement.

    Parameters
    ----------
    mechanism : ScalarMechanism
        With a query on a column.
    data : Sample
    privacy : PrivacyLike
    progress : Progress, optional

    Returns
    -------
    ErrorAgainstSize

    See Also
    --------
    estimate_scalar_error, needed_epsilons

    Examples
    --------
    A mean of values in [0, 1] at epsilon = 1: noise errs less from about ten records on.

    >>> import numpy as np
    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample
    >>> data = Sample(np.linspace(0, 1, 1001), Interval(0, 1))
    >>> found = error_against_size(LaplaceRelease(query=Mean()), data, Privacy(1.0))
    >>> bool(found.noise[-1] < found.sampling[-1]), found.crossing < 100
    (True, True)
    """
    privacy, mechanism = as_privacy(privacy), checked_scalar(mechanism)
    data = as_data(data, mechanism)
    key = ("error against size", mechanism, privacy)
    return remembered(data, key, lambda: _compared(mechanism, data, privacy, progress=progress))


def _compared(
    mechanism: ScalarMechanism, data: Sample, privacy: Privacy, *, progress: Progress
) -> ErrorAgainstSize:
    progress(0.0, "drawing samples")
    population = np.sort(data.values)
    query, whole, rng = mechanism.query, mechanism.query.value(data), np.random.default_rng(1)
    # answers that grow with the data, such as sums, are compared per record
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
    fits = not mechanism.problems(privacy, data.domain, data.n)
    present = _typical(mechanism, data, privacy) if fits else np.nan
    return ErrorAgainstSize(SIZES, noise, sampling, data.n, present)


def _drawn(population: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Draw records; between two neighbours of the sorted population, all values are equally likely."""
    ranks = rng.random(n) * (population.size - 1)
    below = ranks.astype(np.int64)
    lower, upper = population[below], population[np.minimum(below + 1, population.size - 1)]
    return np.clip(lower + (ranks - below) * (upper - lower), lower, upper)


def _typical(mechanism: ScalarMechanism, sample: Sample, privacy: Privacy) -> float:
    ready = mechanism.prepare(sample, privacy)
    assert isinstance(ready, ScalarPrepared)
    return scalar_error(ready).typical
