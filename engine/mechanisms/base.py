"""What every mechanism offers, and what it returns.

A mechanism works in two steps.  `prepare` does all that depends on the data (and may
take long); the `Prepared` it returns draws as many values as wanted.  A release is
one draw with operating-system entropy; a simulation is many with a seed.
"""

from __future__ import annotations

import abc
import dataclasses
import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine import __version__
from engine.data.database import AnyDatabase
from engine.errors import ParameterError
from engine.parameters import Parameterised
from engine.primitives.accounting import Concentrated, of_pure
from engine.privacy import NEIGHBOURS, NO_PROMISE, Privacy
from engine.progress import Progress, part, silent
from engine.randomness import secure
from engine.sampling.output_grid import OutputGrid

DataT = TypeVar("DataT", bound=AnyDatabase)


class Private(Mapping[str, Any]):
    """What is computed from raw data and is not a release.

    Reads like a mapping, but never shows its content in ``repr``, so that it does
    not end in a log or a report by accident.

    Parameters
    ----------
    items : mapping
        What is known.
    later : mapping of functions, optional
        What is worked out when somebody asks for it, once.
    """

    def __init__(
        self, items: Mapping[str, Any], later: Mapping[str, Callable[[], Any]] | None = None
    ) -> None:
        self._later = dict(later or {})
        self._items = {**dict.fromkeys(self._later), **items}

    def __getitem__(self, key: str) -> Any:
        if key in self._later:
            self._items[key] = self._later[key]()
            del self._later[key]
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"Private({', '.join(self._items)})"


@dataclasses.dataclass(frozen=True)
class Problem:
    """A combination that makes no sense, in words, and the field it stands beside."""

    field: str
    message: str


def problems_of(check: Callable[..., object], *arguments: Any) -> tuple[Problem, ...]:
    """Return the problem for which `check` of these arguments raises `ParameterError`, if it does."""
    try:
        check(*arguments)
    except ParameterError as error:
        return (Problem(error.field, error.problem),)
    return ()


@dataclasses.dataclass(frozen=True)
class Release:
    """What may leave the room, and how it was made.

    Attributes
    ----------
    mechanism, query : str
        Names in the catalog: how it was released, and what.
    value : float, list or None
        The released value; None where the mechanism refused to answer.
    privacy : Privacy
        What the release cost.
    noise : mapping
        ``family``, its parameters, ``alpha`` and ``beta`` where they apply; public.
    parameters : mapping
        All other public parameters.
    error : float or None
        Half-width that holds the error with probability 95 %, only where it does not
        depend on the data.
    simulated : bool
        True when it was drawn with a seed: then it is not a release at all.
    step : float, list of float or None
        Spacing of the public grid on which the released numbers lie, one for each coordinate where
        they differ; of numbers that are made of noisy ones (counts that add up), that of the noisy
        ones.  None for what is not a number.
    exact : bool
        Whether the privacy holds for the program, to the last bit, and not for real numbers alone.
    diagnostics : Private
        Everything that must not leave: the true value, S*, the scale ...
    neighbours : str
        Between which databases the privacy holds.
    """

    mechanism: str
    query: str
    value: Any
    privacy: Privacy
    noise: Mapping[str, Any]
    parameters: Mapping[str, Any]
    error: float | None
    simulated: bool
    diagnostics: Private
    step: float | list[float] | None = None
    exact: bool = True
    neighbours: str = NEIGHBOURS
    version: str = __version__


class Prepared(abc.ABC):
    """A mechanism with its data looked at: ready to draw.  Everything in it is private.

    Attributes
    ----------
    diagnostics : Private
        Always holds ``true_value``.
    noise : mapping
        Public description of the noise, as in `Release`.
    error : float or None
        As in `Release`.
    """

    diagnostics: Private
    noise: Mapping[str, Any]
    error: float | None

    @property
    def at_once(self) -> int:
        """How many values to draw in one call, so that none takes long."""
        return 10_000

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> NDArray[np.float64]:
        """Draw `size` values along the first axis; NaN stands for "the mechanism refused to answer".

        What takes long for one value reports to `progress` on its way.
        """


class ScalarPrepared(Prepared):
    """Ready to draw one number.

    Attributes
    ----------
    grid : OutputGrid
        Where released values lie.
    """

    grid: OutputGrid

    @abc.abstractmethod
    def density(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the density of the released value (of what is not refused)."""

    @abc.abstractmethod
    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Return quantiles of the released value, given that one is released."""

    @abc.abstractmethod
    def unclamped(self) -> ScalarPrepared:
        """Return the same, ready to draw numbers that are not clamped."""

    def error_quantiles(self, p: ArrayLike) -> NDArray[np.float64]:
        """Return quantiles of how far releases fall from the true value (private).

        From 9,999 evenly spread quantiles of what is released, so that nothing is left to chance.
        """
        spread = (np.arange(9999) + 0.5) / 9999
        distances = np.abs(self.quantile(spread) - self.diagnostics["true_value"])
        found: NDArray[np.float64] = np.quantile(distances, np.asarray(p, dtype=np.float64))
        return found


@dataclasses.dataclass(frozen=True)
class Mechanism(Parameterised, abc.ABC, Generic[DataT]):
    """A sanitizer; its fields are its parameters.

    Attributes
    ----------
    is_private : bool
        Whether it is differentially private at all; one that is not takes no budget, and says so.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""
    is_private: ClassVar[bool] = True

    @abc.abstractmethod
    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        """Return what makes no sense, from public facts alone and without the data."""

    @abc.abstractmethod
    def prepare(self, data: DataT, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Do everything that depends on the data.

        Raises
        ------
        ParameterError
            For the first of `problems`.
        """

    def true_value(self, prepared: Prepared, data: DataT, progress: Progress = silent) -> Any:
        """Return what errors are measured from (private); what takes long reports to `progress`."""
        return prepared.diagnostics["true_value"]

    @abc.abstractmethod
    def release(
        self,
        prepared: Prepared,
        data: DataT,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        """Draw once from what `prepare` returned, and say all that may be said about it."""

    @property
    def neighbours(self) -> str:
        """Between which databases the privacy holds."""
        return NEIGHBOURS

    @property
    def inexact(self) -> str:
        """Why a release is not private to the last bit, in words; empty where it is."""
        return ""

    @property
    def exact(self) -> bool:
        """Whether a release is private as a program, to the last bit."""
        return not self.inexact

    def unprocessed(self) -> Mechanism[DataT]:
        """Return the same without the post-processing that can be left out: an audit sees more of it."""
        return self

    @property
    def uses_delta(self) -> bool:
        """Whether delta is spent; without it, a release is private with delta = 0 whatever is asked."""
        return True

    def cost(self, privacy: Privacy) -> Privacy:
        """Return what a release costs of what is asked for: no delta where it does without."""
        if not self.is_private:
            return NO_PROMISE
        return privacy if self.uses_delta else Privacy(privacy.epsilon)

    def concentrated(self, privacy: Privacy) -> Concentrated:
        """Return the concentrated privacy of a release, which adds up more slowly than epsilon.

        Any (epsilon, delta)-private release is delta-approximate rho-zCDP with the rho of an epsilon
        alone, at most epsilon^2/2 (Bun, Steinke 2016, Lemma 8.8); a mechanism that knows better
        overrides this.

        Raises
        ------
        ParameterError
            If a release promises nothing.
        """
        cost = self.cost(privacy)
        return Concentrated(of_pure(cost.epsilon).rho, cost.delta)

    @property
    def question(self) -> Hashable:
        """What is asked of the data: mechanisms whose errors can be compared have the same."""
        return self.name

    def largest_error(self, domain: Any, n: int) -> float:
        """Return what no error need exceed, as bounds and n tell; inf where they tell nothing."""
        return math.inf

    def effort(self, domain: Any, n: int) -> float:
        """Return about how many seconds a draw takes, from public facts; 0 where it is hardly any."""
        return 0.0

    @abc.abstractmethod
    def released(self, value: NDArray[np.float64], domain: Any) -> Any:
        """Return what `draw` gave once as it is released: numbers, words and lists; None for a refusal."""

    def shaped(self, values: NDArray[np.float64], domain: Any) -> NDArray[np.float64]:
        """Return drawn values as they are released."""
        return values

    def errors(self, values: NDArray[np.float64], true_value: Any, domain: Any) -> NDArray[np.float64]:
        """Return how far drawn values are from the true one, shape (size,); NaN where refused."""
        errors: NDArray[np.float64] = np.abs(values - true_value)
        return errors

    def run(
        self,
        data: DataT,
        privacy: Privacy,
        rng: np.random.Generator | None = None,
        progress: Progress = silent,
    ) -> Release:
        """Make one release.

        Without `rng` the noise comes from the operating system; with a seeded `rng`
        the result says that it is simulated.
        """
        prepared = self.prepare(data, privacy, part(progress, 0.0, 0.5))
        source = rng if rng is not None else secure()
        return self.release(prepared, data, privacy, source, part(progress, 0.5, 1.0))

    def refuse(self, privacy: Privacy, domain: Any, n: int) -> None:
        """Raise `ParameterError` for the first problem, if there is one."""
        for problem in self.problems(privacy, domain, n):
            raise ParameterError(problem.field, problem.message)
