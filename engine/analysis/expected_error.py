"""How far releases of one number typically fall from the true value, and how its alternatives do."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.analysis.shared.scalar import prepare_scalar
from engine.findings import Finding
from engine.mechanisms import MECHANISMS
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, silent
from engine.shown import ShownInALine


@dataclasses.dataclass(frozen=True)
class ExpectedError:
    """Half of the releases err by less than `typical`, 95 % by less than `most`; from `scalar_error`.

    Attributes
    ----------
    typical, most : float
        In the unit of the answer.
    private : bool
        Whether they depend on the data.
    """

    typical: float
    most: float
    private: bool

    def findings(self) -> Iterator[Finding]:
        """Yield both."""
        yield Finding("typical error", self.typical, not self.private)
        yield Finding("95 % of all errors within", self.most, not self.private)


STRICTER = 0.1
"""Share of epsilon with which alternatives are looked at, too: noise that follows the data grows fastest."""


@dataclasses.dataclass(frozen=True, repr=False)
class WithAlternative(ShownInALine):
    """How a mechanism and its best alternative do with another epsilon (private).

    Returned by `estimate_scalar_error`, in an `ErrorEstimate`.

    Attributes
    ----------
    epsilon : float
    errors : ExpectedError
        Of the mechanism.
    alternative : str
        The name of the alternative with the least typical error.
    alternative_errors : ExpectedError
    """

    epsilon: float
    errors: ExpectedError
    alternative: str
    alternative_errors: ExpectedError


@dataclasses.dataclass(frozen=True, repr=False)
class ErrorEstimate(ShownInALine):
    """What can be expected of a mechanism on these data (private, but for what says it is not).

    Returned by `estimate_scalar_error`.

    Attributes
    ----------
    errors : ExpectedError
    smooth, global_ : float or None
        S and GS, where the mechanism uses them.
    excess : float or None
        How many times S* the bound S is, where it is not S* itself.
    bound : bool
        Whether the query knows an upper bound of S* alone, as `Query.smooth_is_bound` says.
    exact : float or None
        Which share of the answers is without error; None where it is not known.
    stricter : WithAlternative or None
        The same with `STRICTER` of the epsilon, where there are alternatives.
    width : float
        Of the public range of answers.
    neighbours : str
        The relation between databases, as in `Query`.
    alternative : str
        The name of the best alternative that needs no noise family; "" if there is none.
    alternative_errors : ExpectedError or None
        Its errors.
    answers : float
        Probability that the mechanism answers.
    reach : float
        Half of the range in which 95 % of the released values lie before they are clamped.
    noise : mapping
        Public description of the noise.
    scale : float or None
        Of the noise.
    """

    errors: ExpectedError
    smooth: float | None
    global_: float | None
    width: float
    neighbours: str
    alternative: str = ""
    alternative_errors: ExpectedError | None = None
    answers: float = 1.0
    reach: float = 0.0
    noise: Any = dataclasses.field(default_factory=dict)
    scale: float | None = None
    excess: float | None = None
    bound: bool = False
    exact: float | None = None
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

    Parameters
    ----------
    prepared : ScalarPrepared
        What a mechanism that releases the value of a query returns from `prepare`.

    Returns
    -------
    ExpectedError

    Examples
    --------
    Laplace noise of scale 10: half of the errors are below 10 ln 2 = 6.9, 95 % below 10 ln 20 = 30.

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy, Sample
    >>> data = Sample([40.0] * 10, Interval(0, 100))
    >>> mechanism = LaplaceRelease(query=Mean(), clamp="none")
    >>> found = scalar_error(mechanism.prepare(data, Privacy(1.0)))
    >>> round(found.typical, 1), round(found.most, 1), found.private
    (6.9, 30.0, False)
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
    prepared = prepare_scalar(mechanism, data, privacy, progress)
    facts = prepared.diagnostics
    alternative, errors = _best_alternative(mechanism, data, privacy, progress) or ("", None)
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
            mechanism, data, Privacy(STRICTER * privacy.epsilon, privacy.delta), progress
        ),
    )


def _best_alternative(
    mechanism: ScalarMechanism, data: Any, privacy: Privacy, progress: Progress
) -> tuple[str, ExpectedError] | None:
    """Return the simpler mechanism with the least typical error; None where none fits."""
    fitting = [one for one in mechanism.simpler() if not one.problems(privacy, data.domain, data.n)]
    found = [(one.name, scalar_error(prepare_scalar(one, data, privacy, progress))) for one in fitting]
    return min(found, key=lambda one: one[1].typical, default=None)


def _with_alternative(
    mechanism: ScalarMechanism, data: Any, privacy: Privacy, progress: Progress
) -> WithAlternative | None:
    """Return how a mechanism does beside its best alternative; None where either does not fit."""
    if mechanism.problems(privacy, data.domain, data.n):
        return None
    best = _best_alternative(mechanism, data, privacy, progress)
    if best is None:
        return None
    own = scalar_error(prepare_scalar(mechanism, data, privacy, progress))
    return WithAlternative(privacy.epsilon, own, *best)
