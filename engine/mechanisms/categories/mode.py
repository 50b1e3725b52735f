"""The most frequent category, by the exponential mechanism or permute-and-flip."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.categories import Categories, CategoryDomain
from engine.mechanisms.categories.base import DRAWN, CategoriesMechanism
from engine.mechanisms.categories.numbers import CategoryNumbers
from engine.mechanisms.guarantee import EXPONENTIAL, FLIP, Guarantee, choice_guarantee
from engine.mechanisms.prepared import PreparedFields
from engine.mechanisms.relation import as_replaced, relation_parameter
from engine.mechanisms.release import Private
from engine.parameters import parameter
from engine.primitives.permute_and_flip import flip_probabilities, permute_and_flip
from engine.primitives.selection import exponential_mechanism, selection_probabilities
from engine.privacy import Privacy
from engine.progress import Progress, each, silent
from engine.sampling.exactness import CHOSEN


@dataclasses.dataclass(frozen=True)
class Mode(CategoriesMechanism, shape="category"):
    """Choose a combination of categories with probability proportional to exp(epsilon count/2).

    The score of a combination is its count; replacing a record changes it by at most 1.  Leaving a record
    empty only lowers one count, so that exp(epsilon count) suffices.  Permute-and-flip is on average at
    least as good, for the same epsilon, but costs more zCDP when many releases add up.

    Source: McSherry and Talwar 2007; McKenna and Sheldon 2020, also for scores that change in one
    direction.

    Examples
    --------
    60 answer no, 40 yes: "no" is e^10 times as probable as "yes".

    >>> from engine import Categories, CategoryDomain, Privacy, reproducible
    >>> answers = CategoryDomain(["answer"], [["no", "yes"]])
    >>> data = Categories([[0]] * 60 + [[1]] * 40, answers)
    >>> Mode().run(data, Privacy(1.0), reproducible(1)).value
    'no'
    """

    name: ClassVar[str] = "mode"
    label: ClassVar[str] = "Mode"
    summary: ClassVar[str] = "the most frequent category, or one that is nearly as frequent"
    source: ClassVar[str] = "McSherry, Talwar 2007"
    exact_because: ClassVar[str] = CHOSEN

    choice: str = parameter(
        default=EXPONENTIAL,
        choices=(EXPONENTIAL, FLIP),
        label="Choice",
        help="exponential: the exponential mechanism, best if many releases add up; permute-and-flip: on "
        "average never less frequent, best for a single release.",
        source="McKenna, Sheldon 2020",
    )
    relation: str = relation_parameter()

    @property
    def guarantee(self) -> Guarantee:
        return choice_guarantee(self.choice)

    def _largest_error(self, domain: CategoryDomain, n: int) -> float:
        """Return 1: the chosen category may have no records."""
        return 1.0

    _trivial_error = _largest_error

    def prepare(self, data: Categories, privacy: Privacy, progress: Progress = silent) -> ModePrepared:
        counts = data.table.ravel().astype(np.float64)
        return ModePrepared(
            counts=counts,
            epsilon=as_replaced(privacy, self.relation).epsilon,
            choice=self.choice,
            diagnostics=Private({"true_value": counts}),
        )

    def _released(self, value: Floats, domain: CategoryDomain) -> str | list[str]:
        named = domain.named(int(np.ravel(value)[0]))
        return named if len(named) > 1 else named[0]

    def _true_answer(self, true_value: Floats, domain: CategoryDomain) -> str | list[str]:
        return self._released(np.argmax(true_value, keepdims=True), domain)

    @classmethod
    def numbers(cls, value: Any, columns: Sequence[str], domain: CategoryDomain) -> CategoryNumbers:
        labels = tuple(", ".join(domain.named(cell)) for cell in range(domain.size))
        chosen = labels.index(value if isinstance(value, str) else ", ".join(value))
        return CategoryNumbers(domain.title, labels, np.full(len(labels), np.nan), chosen=chosen)

    def _errors(self, values: Floats, true_value: Any, domain: CategoryDomain) -> Floats:
        """Return the gap between the highest count and that of the choice, as a share of n, shape (size,)."""
        counts = np.asarray(true_value)
        chosen = counts[values[:, 0].astype(np.int64)]
        errors: Floats = (counts.max() - chosen) / counts.sum()
        return errors


@dataclasses.dataclass(frozen=True, repr=False)
class ModePrepared(PreparedFields):
    """The counts of all combinations (private), ready for a choice."""

    counts: Floats  # (m,), also the true value, from which the error of any choice follows
    epsilon: float
    choice: str  # as in `Mode`

    @property
    def probabilities(self) -> Floats:
        """Probability that each combination is chosen (private), shape (m,)."""
        law = selection_probabilities if self.choice == EXPONENTIAL else flip_probabilities
        return law(self.counts, self.epsilon)

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, DRAWN // self.counts.size))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        choose = exponential_mechanism if self.choice == EXPONENTIAL else permute_and_flip
        places = [choose(self.counts, self.epsilon, rng) for _ in each(size, progress)]
        return np.array(places, dtype=np.float64)[:, None]
