"""Shares of categories from answers that each person has randomized: local privacy."""

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


@dataclasses.dataclass(frozen=True)
class RandomizedResponse(CategoriesMechanism, shape="shares", most_columns=1):
    """Let every record answer truly with probability e^epsilon/(e^epsilon + k - 1), else by another category.

    Each of the k - 1 others is equally probable.  Every answer alone is epsilon-private, before
    it is collected: no curator has to be trusted with the records (local privacy), which costs
    an error of the order of 1/(epsilon sqrt(n)) where noise on the counts costs 1/(epsilon n).
    From the share a of an answer, (a - q)/(p - q) estimates the true share without bias; p and q
    are the probabilities of the true answer and of each other one.  The standard error is that of
    randomizing, for the share among these n records.

    For a release every record has a coin of its own, of exactly this probability; a simulation draws
    how many of them answer what, which has the same law.

    Source: Warner 1965, for k = 2; Kairouz, Bonawitz, Ramage 2016, section 3, for any k.

    Examples
    --------
    The true answer is given with probability 3/4 if epsilon is ln 3.

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
                Problem("columns", f"one question is answered, not {len(domain.columns)}; choose one column"),
            )
        if domain.size < 2:
            return (
                Problem("categories", "with one category there is nothing to hide; declare at least two"),
            )
        return super().problems(privacy, domain, n)

    def step(self, domain: CategoryDomain, n: int, privacy: Privacy) -> float:
        """Return 1: answers are counted, and shares follow from their numbers."""
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
        """Return shares with their standard errors, and how often each answer was given, by category."""
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
    """The true answers, counted (private): who has given which does not matter for what is released."""

    counts: Ints  # (k,)
    epsilon: float  # of every single answer

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, DRAWN // self.counts.size))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Randomize all answers `size` times.

        Returns shares, their standard errors and the counts of the answers, shape (size, 3 k):
        all that follows from an answer sheet.
        """
        n, k = int(self.counts.sum()), self.counts.size
        p, q = answer_probabilities(self.epsilon, k)
        gap = -math.expm1(-self.epsilon) * p  # p - q, with all its digits
        if is_release(rng):
            answers = np.stack(
                [randomize_answers(self.counts, self.epsilon, rng) for _ in each(size, progress)]
            )
        else:
            # with probability k q any of all k, else the truth: the same probabilities
            changed = rng.binomial(self.counts, k * q, (size, k))
            answers = self.counts - changed + rng.multinomial(changed.sum(axis=1), np.full(k, 1 / k))
        shares = (answers / n - q) / gap
        errors = np.sqrt((p * q + answers / n * (k - 2) * q) / n) / gap
        return np.concatenate([shares, errors, answers], axis=1)


def randomize_answers(counts: Ints, epsilon: float, rng: np.random.Generator) -> Ints:
    """Return how often each answer is given, by a coin for every record, shape (k,).

    `epsilon` enters as it is; with a generator of releases the coins are exact.
    """
    k = counts.size

    def enclosed() -> arb:
        from engine.sampling.balls import ball

        return 1 / (1 + (k - 1) * (-ball(epsilon)).exp())

    truths = np.repeat(np.arange(k), counts)
    truthful = coins(answer_probabilities(epsilon, k)[0], enclosed, truths.size, rng)
    hidden = truths[~truthful]
    # the smallest type takes the fewest calls of the operating system's generator
    others = rng.integers(0, k - 1, hidden.size, dtype=np.min_scalar_type(k)).astype(np.int64)
    others += others >= hidden
    return np.bincount(truths[truthful], minlength=k) + np.bincount(others, minlength=k)


def answer_probabilities(epsilon: float, k: int) -> tuple[float, float]:
    """Return the probabilities of the true answer and of each of the other ones."""
    least = math.exp(-epsilon)
    whole = 1 + (k - 1) * least
    return 1 / whole, least / whole
