"""What every mechanism offers.

A mechanism works in two steps.  `prepare` does all that depends on the data (and may
take long); the `Prepared` it returns draws as many values as wanted.  A release is
one draw with operating-system entropy; a simulation is many with a seed.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import math
from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from engine.array_types import Floats
from engine.components import Component
from engine.data.database import AnyDatabase, check_bounded
from engine.data.look_only import missing_of
from engine.errors import ParameterError
from engine.free_memory import MemoryNeeded
from engine.mechanisms.mistake import Mistake
from engine.mechanisms.prepared import Prepared, SharedWork
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import check_missing, check_releasable, refuses_look_only
from engine.mechanisms.release import Release
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.primitives.accounting import Concentrated, for_row, of_approximate
from engine.primitives.losses import Loss
from engine.privacy import NEIGHBOURS, NO_PROMISE, Privacy, PrivacyLike, as_privacy, takes_budget
from engine.progress import Progress, part, silent
from engine.randomness import is_release, secure
from engine.sampling.public_grid import PublicGrid

DataT = TypeVar("DataT", bound=AnyDatabase)


@dataclasses.dataclass(frozen=True)
class Mechanism(Component, abc.ABC, Generic[DataT], family="mechanism"):
    """Makes private releases of data; its fields are its parameters.  `SmoothRelease` is one.

    Attributes
    ----------
    is_private : bool
        Whether it is differentially private at all; one that is not takes no budget, and says so.
    topic : str
        What it is about; front ends show mechanisms of one topic together. "" is one number.
    shape : str
        What a released value looks like; front ends tell, table and draw each shape in one way.
    unordered : bool
        Whether what is released is a set of points, which has no order.
    on_step : bool
        Whether all released numbers are multiples of `step` themselves.
    most_columns : int or None
        How many columns of the data it takes; None for any number.
    neighbours : str
        Between which databases sensitivities are meant, and the privacy unless `relation` says another.
    library : Library or None
        Another library that draws it; None where it is our own.
    """

    def __init_subclass__(cls, **facts: Any) -> None:
        super().__init_subclass__(**facts)
        if "concentrated" in vars(cls):  # its former name, in plug-ins
            cls.zcdp_cost = cls.concentrated  # type: ignore[method-assign, attr-defined]
        for name in {"prepare", "prepare_release", "release"} & set(vars(cls)):
            method = takes_budget(getattr(cls, name))
            setattr(cls, name, _no_more_exact(refuses_look_only(method)) if name == "release" else method)

    is_private: ClassVar[bool] = True
    topic: ClassVar[str] = ""
    shape: ClassVar[str] = "number"
    unordered: ClassVar[bool] = False
    on_step: ClassVar[bool] = False
    most_columns: ClassVar[int | None] = None
    neighbours: ClassVar[str] = NEIGHBOURS
    library: ClassVar[Any] = None

    @property
    @abc.abstractmethod
    def reads(self) -> str:
        """What kind of data, as `engine.queries.Query.reads`."""

    @property
    @abc.abstractmethod
    def worst_cases(self) -> str:
        """What makes neighbours on which mistakes show, as `engine.queries.Query.worst_cases`."""

    @property
    def asked(self) -> Component:
        """What is asked of the data: a query, or the mechanism itself where its answer is its own."""
        return self

    @property
    def mistakes(self) -> Mapping[str, Mistake]:
        """Mistakes that can be planted in it besides those that know it, by their names."""
        return {}

    @classmethod
    def is_meant_for(cls, asked: Any, n: int) -> bool:
        """Tell whether it stands beside others for a question: one that never answers it does not."""
        return True

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        """Return what makes no sense, from public facts alone: at least a budget that is none."""
        return problems_of(check_bounds, privacy, 1)

    @abc.abstractmethod
    def prepare(self, data: DataT, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Do everything that depends on the data.

        Raises
        ------
        ParameterError
            For the first of `problems`.
        """

    def prepare_release(self, data: DataT, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Do what `prepare` does, for one release.

        Whatever besides the noise has to be secret in it, such as which record is in which block, is drawn
        here, from the operating system.

        Raises
        ------
        ParameterError
            For the first of `problems`.
        """
        return self.prepare(data, privacy, progress)

    def shared_work(self, domain: Any) -> SharedWork | None:
        """Return the part of `prepare` that all budgets share, if there is one."""
        return None

    def true_value(self, prepared: Prepared, data: DataT, progress: Progress = silent) -> Any:
        """Return what errors are measured from (private); what takes long reports to `progress`."""
        return prepared.diagnostics.fetch("true_value", progress)

    @refuses_look_only
    @takes_budget
    def release(
        self,
        prepared: Prepared,
        data: DataT,
        privacy: Privacy,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Release:
        """Draw once from what was prepared, and state all that may be said about it.

        Where more than the noise has to be secret, it takes what `prepare_release` returned; what `prepare`
        returned is prepared anew for a release.
        """
        if prepared.only_simulates and not self._simulates(rng):
            here, progress = part(progress, 0.0, 0.9), part(progress, 0.9, 1.0)
            prepared = self.prepare_release(data, privacy, here)
        value = self.draw_value(prepared, data.domain, rng, progress)
        return Release(value=value, **self._release_fields(prepared, data, privacy, rng))

    def draw_value(
        self, prepared: Prepared, domain: Any, rng: np.random.Generator, progress: Progress = silent
    ) -> Any:
        """Draw once, and return what is released."""
        return self.released(prepared.draw(rng, 1, progress)[0], domain)

    def _release_fields(
        self, prepared: Prepared, data: DataT, privacy: Privacy, rng: np.random.Generator
    ) -> dict[str, Any]:
        """Return all that a release says but its value."""
        return {
            "mechanism": self.name,
            "query": self.asked.name,
            "privacy": self.cost(privacy),
            "noise": prepared.noise,
            "parameters": {
                **self.release_parameters(),
                **self.public_facts(data.domain, data.n, privacy),
                **data.facts,
            },
            "error": prepared.error,
            "simulated": self._simulates(rng),
            "step": self.step(data.domain, data.n, privacy),
            "exact": self.exact,
            "diagnostics": prepared.diagnostics,
            "neighbours": self.relation,
        }

    def release_parameters(self) -> dict[str, Any]:
        """Return the public parameters that a release states."""
        return self.settings()

    def public_facts(self, domain: Any, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return what else a release states: what follows from public facts alone."""
        return {}

    @property
    def relation(self) -> str:
        """Between which databases a release states its privacy: `neighbours`, unless it can be chosen."""
        return self.neighbours

    @property
    def inexact(self) -> str:
        """Why a release may not be private to the last bit, in words; empty where that is shown.

        Empty for one that promises nothing, too.
        """
        return super().inexact if self.is_private else ""

    @property
    def simulated_by(self) -> str:
        """The setting that makes each run a simulation, such as a stated pattern; "" where none does."""
        return ""

    def _simulates(self, rng: np.random.Generator) -> bool:
        """Tell whether what is drawn from `rng` is a simulation, and no release."""
        return bool(self.simulated_by) or not is_release(rng)

    @property
    def exact(self) -> bool:
        """Whether a release is private as a program, to the last bit."""
        return not self.inexact

    def resolve_noise(self, privacy: Privacy) -> Self:
        """Return the same with whatever a public rule chooses for a budget, such as noise, chosen."""
        return self

    def resolve_bounds(self, domain: Any) -> Self:
        """Return the same with whatever public bounds choose chosen: what it costs may follow from that."""
        return self

    def unprocessed(self) -> Mechanism[DataT]:
        """Return the same without the post-processing that can be left out: an audit sees more of it."""
        return self

    def number_grid(self, data: DataT, privacy: Privacy) -> PublicGrid | None:
        """Return the grid of the numbers in a release, from bounds, size and resolution alone.

        None for a mechanism that releases no numbers, or such as are made of noisy ones and lie on no
        grid themselves.
        """
        step = self.step(data.domain, data.n, privacy) if self.on_step else None
        return None if step is None else PublicGrid.multiples(step)

    def step(self, domain: Any, n: int, privacy: Privacy) -> float | list[float] | None:
        """Return the spacing of the public grid of what is released, as `Release.step` says."""
        return None

    @property
    def uses_delta(self) -> bool:
        """Whether delta is spent; without it, a release is private with delta = 0 whatever is asked."""
        return True

    def cost(self, privacy: Privacy) -> Privacy:
        """Return what a release costs of what is asked for: no delta where it does without."""
        if not self.is_private:
            return NO_PROMISE
        return privacy if self.uses_delta else Privacy(privacy.epsilon)

    def zcdp_cost(self, privacy: Privacy) -> Concentrated:
        """Return the concentrated privacy of a release, which adds up more slowly than epsilon.

        Any (epsilon, delta)-private release is delta-approximate rho-zCDP with the rho of an epsilon
        alone, at most epsilon^2/2 (Bun, Steinke 2016, Lemma 8.8); a mechanism that knows better
        overrides this.

        Raises
        ------
        ParameterError
            If a release promises nothing.
        """
        return of_approximate(self.cost(privacy))

    def loss(self, privacy: Privacy) -> Loss:
        """Return the privacy loss of a release.

        Of a mechanism that knows no better it is that of its epsilon and delta, which dominates whatever
        keeps them.

        Raises
        ------
        ParameterError
            If a release promises nothing.
        """
        return Loss.of_stated(self.cost(privacy))

    @property
    def question(self) -> Hashable:
        """What is asked of the data: mechanisms whose errors can be compared have the same."""
        return self.name

    def largest_error(self, domain: Any, n: int) -> float:
        """Return what no error need exceed, as bounds and n tell; inf where they tell nothing."""
        return math.inf

    def load(self) -> None:
        """Import what is imported late, before a clock starts."""
        import scipy.optimize  # noqa: F401 - mechanisms need it

    def effort(self, domain: Any, n: int) -> float:
        """Return about how many seconds a draw takes, from public facts; 0 where it is hardly any."""
        return 0.0

    def memory(self, domain: Any, n: int) -> MemoryNeeded:
        """Return about how much memory `prepare` takes, from public facts, if it is more than the data's."""
        return MemoryNeeded()

    @abc.abstractmethod
    def released(self, value: Floats, domain: Any) -> Any:
        """Return what `draw` gave once as it is released: numbers, words and lists; None for a refusal."""

    def true_answer(self, true_value: Floats, domain: Any) -> Any:
        """Return the true value, which is private, in the form of a release."""
        return self.released(true_value, domain)

    def to_release_form(self, values: Floats, domain: Any) -> Floats:
        """Return drawn values as they are released."""
        return values

    def errors(self, values: Floats, true_value: Any, domain: Any) -> Floats:
        """Return how far drawn values are from the true one, shape (size,); NaN where refused."""
        errors: Floats = np.abs(values - true_value)
        return errors

    def run(
        self,
        data: DataT,
        privacy: PrivacyLike,
        rng: np.random.Generator | None = None,
        progress: Progress = silent,
    ) -> Release:
        """Make one release; epsilon alone, or (epsilon, delta), will do for `privacy`.

        Without `rng` the noise comes from the operating system; with a seeded `rng`, or a stated pattern of
        blocks, the result says that it is simulated.

        Raises
        ------
        DataError
            If the data have no public bounds, as a list has none, or no release may be made of them, and
            there is no seeded `rng`.
        ParameterError
            If `privacy` is no budget, or for the first of `problems`.
        """
        check_bounded(data)
        source = rng if rng is not None else secure()
        check_releasable(data, source)  # before anything is worked out
        check_missing(self.relation, missing_of(data))
        budget = as_privacy(privacy)
        prepare = self.prepare if self._simulates(source) else self.prepare_release
        prepared = prepare(data, budget, part(progress, 0.0, 0.5))
        return self.release(prepared, data, budget, source, part(progress, 0.5, 1.0))

    def refuse(self, privacy: Privacy, domain: Any, n: int) -> None:
        """Raise `ParameterError` for the first problem, and `SensiscopeError` if memory does not suffice."""
        for problem in self.problems(privacy, domain, n):
            raise ParameterError(problem.field, problem.message)
        self.memory(domain, n).ask(f"{self.label} of n = {grouped(n)}")


def ledger_cost(mechanism: Mechanism[Any], privacy: Privacy) -> tuple[Privacy, Concentrated | None]:
    """Return what a release costs for one row of the file replaced, by which budgets are added up."""
    cost = mechanism.cost(privacy)
    zcdp = None if cost == NO_PROMISE else mechanism.zcdp_cost(privacy)
    return for_row(cost, zcdp, mechanism.relation)


def _no_more_exact(release: Callable[..., Release]) -> Callable[..., Release]:
    """Have a method that may come from outside state no release to be exact if its mechanism is not."""

    @functools.wraps(release)
    def stated(self: Mechanism[Any], *given: Any, **named: Any) -> Release:
        made = release(self, *given, **named)
        return dataclasses.replace(made, exact=False) if made.exact and not self.exact else made

    return stated


Sanitizer = Mechanism
"""Its former name where it has no query: plug-ins use it."""
