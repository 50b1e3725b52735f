"""Privacy-loss distributions: the total cost of releases from the laws of their log-ratios.

Notes
-----
The privacy loss is the log-ratio of an output's probabilities on two neighbours, a random number.  If one
pair of laws dominates all pairs of a mechanism, the losses of releases add up as independent numbers.
Then delta for an epsilon follows from the law of the sum (Sommer, Meiser, Mohammadi 2019; Koskela, Jälkö,
Honkela 2020; Zhu, Dong, Wang 2022, Theorem 10).  Google's dp-accounting, an extra, computes the sum.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from engine.errors import ParameterError
from engine.numerals import short
from engine.optional_packages import install_command
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, silent

INSTALL = install_command("accounting")
"""The command that installs dp-accounting."""

LAPLACE, GAUSSIAN, STATED = "laplace", "gaussian", "stated"

SPARE = 1e-3
"""Share of delta that covers the errors of floating-point transforms."""

MIN_SPARE = 1e-11
"""The least such share: sums of 10^6 products of probabilities have smaller errors."""

MIN_EPSILON = 1e-9
"""The least epsilon that is returned; a smaller one would make no difference."""

FINE, FINEST, COARSEST = 20_000, 1e-5, 1e-3
"""Losses are rounded to 1/`FINE` of the sum of the epsilons, within these two limits."""


@dataclasses.dataclass(frozen=True)
class Loss:
    """The pair of laws that dominates a release, by its name and numbers.

    `of_laplace`, `of_gaussian` and `of_stated` make one.
    """

    kind: str  # "laplace", "gaussian" or "stated"
    scale: float  # of the noise, for sensitivity 1; of what is stated, epsilon
    delta: float = 0.0  # of what is stated

    def __post_init__(self) -> None:
        if self.kind not in (LAPLACE, GAUSSIAN, STATED) or not (0 < self.scale < math.inf):
            raise ParameterError("loss", f"there is no privacy loss '{self.kind}' with {self.scale}")

    @classmethod
    def of_laplace(cls, scale: float) -> Loss:
        """Return the loss of Lap(scale) on a number of sensitivity 1: that of Lap(b) against 1 + Lap(b)."""
        return cls(LAPLACE, scale)

    @classmethod
    def of_gaussian(cls, sigma: float) -> Loss:
        """Return the loss of N(0, sigma^2) for sensitivity 1 in the Euclidean norm (Dong, Roth, Su 2022)."""
        return cls(GAUSSIAN, sigma)

    @classmethod
    def of_stated(cls, privacy: Privacy) -> Loss:
        """Return the loss of the pair that dominates everything (epsilon, delta)-private.

        Four outcomes: the database itself with probability delta, otherwise randomized response with
        e^epsilon (Kairouz, Oh, Viswanath 2017, Theorem 3.4 and Section 6).
        """
        return cls(STATED, privacy.epsilon, privacy.delta)

    def for_group(self, size: int) -> Loss | None:
        """Return the loss between databases `size` steps apart, or None without a promise.

        The trade-off function of several steps is the composition of that of one with itself (Dong, Roth,
        Su 2022, Theorem 2.14).  For noise on a number with a log-concave density and distribution F this is
        exact: with g(x) = 1 - F(F^-1(1 - x) - 1), g(g(x)) = 1 - F(F^-1(1 - x) - 2), the trade-off of the
        same noise moved twice as far.
        """
        if size == 1:
            return self
        if self.kind != STATED:
            return dataclasses.replace(self, scale=self.scale / size)
        privacy = Privacy(self.scale, self.delta).for_group(size)
        return None if privacy == NO_PROMISE else Loss.of_stated(privacy)

    @property
    def largest(self) -> float:
        """The largest loss but for what happens with probability delta; infinite of Gaussian noise."""
        return {LAPLACE: 1 / self.scale, GAUSSIAN: math.inf}.get(self.kind, self.scale)


def is_installed() -> bool:
    """Tell whether dp-accounting is there; it is not imported for that."""
    return find_spec("dp_accounting") is not None


def composed_losses(losses: Mapping[Loss, int], slack: float, *, progress: Progress = silent) -> Privacy:
    """Return what releases with these losses come to, fixed in advance.

    Losses are rounded pessimistically (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022), so that it
    is an upper bound; a thousandth of the slack is kept aside for floating point.

    Each loss occurs so often; the delta of the result is the sum of those that are stated, and the slack.
    """
    if not is_installed():
        raise ParameterError("library", f"dp-accounting is not installed; install it with: {INSTALL}")
    spare = max(SPARE * slack, MIN_SPARE)
    if spare >= slack:
        raise ParameterError("slack", f"{short(slack)} is too small; it must be above {MIN_SPARE}")
    largest = math.fsum(loss.largest * count for loss, count in losses.items())
    delta = math.fsum([slack, *(loss.delta * count for loss, count in losses.items())])
    step = min(COARSEST, max(FINEST, (largest if math.isfinite(largest) else 1.0) / FINE))
    total: Any = None
    for number, (loss, count) in enumerate(losses.items()):
        progress(number / len(losses), "adding up privacy losses")
        law = _law(loss, step).self_compose(count)
        total = law if total is None else total.compose(law)
    epsilon = float(total.get_epsilon_for_delta(delta - spare))
    return Privacy(max(min(largest, epsilon), MIN_EPSILON), delta)


def _law(loss: Loss, step: float) -> Any:
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as law

    if loss.kind == STATED:
        stated = common.DifferentialPrivacyParameters(loss.scale, loss.delta)
        return law.from_privacy_parameters(stated, value_discretization_interval=step)
    make = law.from_laplace_mechanism if loss.kind == LAPLACE else law.from_gaussian_mechanism
    return make(loss.scale, value_discretization_interval=step, pessimistic_estimate=True)
