"""Randomized response: shares of categories from answers that each person randomizes (local DP)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.categories import Categories, CategoryDomain
from engine.mechanisms.categories.base import DRAWN, CategoriesMechanism
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.randomness import is_release
from engine.sampling.choice import coins
from engine.sampling.exactness import CHOSEN

if TYPE_CHECKING:
    from flint import arb


class RandomizedResponse(CategoriesMechanism, shape="shares", most_columns=1):
    """Let each record answer truly with probability e^epsilon/(e^epsilon + k - 1), else falsely.

    Each of the k - 1 false categories is equally probable.  Every single answer is epsilon-DP before it is
    collected (local privacy), so nobody needs to be trusted with the records.  The error is of the order of
    1/(epsilon sqrt(n)), instead of 1/(epsilon n) with noise on the counts.  Let p and q be the probabilities
    of the true answer and of each false one.  If a is the share of an answer, (a - q)/(p - q) estimates the
    true share without bias.  The standard error is that of randomizing, for the share among these n records.

    In a release every record tosses its own coin, with exactly this probability.  A simulation draws the
    numbers of answers, which have the same distribution.

    Source: Warner 1965, for k = 2; Kairouz, Bonawitz, Ramage 2016, section 3, for any k.

    Examples
    --------
    If epsilon is ln 3, the true answer has probability 3/4.

    >>> import math
    >>> from engine import Categories, CategoryDomain, Privacy, reproducible
    >>> answers = CategoryDomain(["answer"], [["no", "yes"]])
    >>> data = Categories([[0]] * 60 + [[1]] * 40, answers)
    >>> simulated = RandomizedResponse().run(data, Privacy(math.log(3)), reproducible(1))
    >>> round(simulated.parameters["true_answer"], 6)
    0.75
    """

    name: ClassVar[str] = "randomized-response"
    label: ClassVar[str] = "Randomized response"
    summary: ClassVar[str] = "shares of categories from answers that each person randomizes (local privacy)"
    source: ClassVar[str] = "Warner 1965; Kairouz, Bonawitz, Ramage 2016, section 3"
    exact_because: ClassVar[str] = CHOSEN
    counted_first: ClassVar[str] = "answers"

    def problems(self, privacy: Privacy, domain: CategoryDomain, n: int) -> tuple[Problem, ...]:
        if len(domain.columns) != 1:
            return (
                Problem(
                    "columns",
                    f"each person answers one question; choose one column, not {len(domain.columns)}",
                ),
            )
        if domain.size < 2:
            return (Problem("categories", "one category leaves nothing to hide; declare at least two"),)
        return super().problems(privacy, domain, n)

    def step(self, domain: CategoryDomain, n: int, privacy: Privacy) -> float:
        """Return 1: the released counts of answers are whole numbers."""
        return 1.0

    def public_facts(self, domain: CategoryDomain, n: int, privacy: Privacy) -> dict[str, Any]:
        p, q = answer_probabilities(privacy.epsilon, domain.size)
        return {"true_answer": p, "other_answer": q}

    def prepare(self, data: Categories, privacy: Privacy, progress: Progress = silent) -> AnswersPrepared:
        counts = data.table.ravel()
        truth = np.concatenate([counts / data.n, np.zeros(counts.size), counts])
        return AnswersPrepared(
            counts=counts,
            epsilon=privacy.epsilon,
            diagnostics=Private({"true_value": truth}),
        )

    def _released(self, value: Floats, domain: CategoryDomain) -> dict[str, dict[str, float]]:
        """Return shares, their standard errors and the counts of answers, by category."""
        (labels,) = domain.labels
        shares, errors, answers = (
            dict(zip(labels, numbers.tolist(), strict=True)) for numbers in np.split(value, 3)
        )
        return {
            "shares": shares,
            "standard_errors": errors,
            "answers": {label: int(count) for label, count in answers.items()},
        }

    def _true_answer(self, true_value: Floats, domain: CategoryDomain) -> dict[str, float]:
        return self._released(true_value, domain)["shares"]

    @classmethod
    def numbers(cls, value: Any, columns: Sequence[str], domain: CategoryDomain) -> CategoryNumbers:
        shares, errors = (np.array([*value[part].values()], float) for part in ("shares", "standard_errors"))
        return CategoryNumbers(domain.title, tuple(value["shares"]), shares, "share of the records", errors)

    def _errors(self, values: Floats, true_value: Any, domain: CategoryDomain) -> Floats:
        errors: Floats = np.abs(values - true_value)[:, : domain.size].mean(axis=1)
        return errors


@dataclasses.dataclass(frozen=True, repr=False)
class AnswersPrepared(PreparedFields):
    """Counts of the true answers (private); the release does not depend on who gave which."""

    counts: Ints  # (k,)
    epsilon: float  # of each answer

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, DRAWN // self.counts.size))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Randomize all answers `size` times.

        Returns shares, their standard errors and the counts of the answers, shape (size, 3 k).  All follow
        from the randomized answers alone.
        """
        n, k = int(self.counts.sum()), self.counts.size
        p, q = answer_probabilities(self.epsilon, k)
        gap = -math.expm1(-self.epsilon) * p  # p - q without cancellation
        if is_release(rng):
            answers = np.stack(
                [randomize_answers(self.counts, self.epsilon, rng) for _ in each(size, progress)]
            )
        else:
            # answer at random among all k with probability k q, else truly: the same distribution
            changed = rng.binomial(self.counts, k * q, (size, k))
            answers = self.counts - changed + rng.multinomial(changed.sum(axis=1), np.full(k, 1 / k))
        shares = (answers / n - q) / gap
        errors = np.sqrt((p * q + answers / n * (k - 2) * q) / n) / gap
        return np.concatenate([shares, errors, answers], axis=1)


def randomize_answers(counts: Ints, epsilon: float, rng: np.random.Generator) -> Ints:
    """Return the number of times each answer is given, with one coin per record, shape (k,).

    The coins have exactly the probability for `epsilon` if the generator is that of a release.
    """
    k = counts.size

    def enclosed() -> arb:
        from engine.sampling.balls import ball

        return 1 / (1 + (k - 1) * (-ball(epsilon)).exp())

    truths = np.repeat(np.arange(k), counts)
    truthful = coins(answer_probabilities(epsilon, k)[0], enclosed, truths.size, rng)
    hidden = truths[~truthful]
    # the smallest integer type needs the fewest calls of the operating system's generator
    others = rng.integers(0, k - 1, hidden.size, dtype=np.min_scalar_type(k)).astype(np.int64)
    others += others >= hidden
    return np.bincount(truths[truthful], minlength=k) + np.bincount(others, minlength=k)


def answer_probabilities(epsilon: float, k: int) -> tuple[float, float]:
    """Return the probabilities of the true answer and of each false one."""
    least = math.exp(-epsilon)
    whole = 1 + (k - 1) * least
    return 1 / whole, least / whole
