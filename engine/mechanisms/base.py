"""The base class of all mechanisms; read the docstring of `Mechanism` first."""

from __future__ import annotations

import abc
import dataclasses
import functools
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar

import numpy as np

from engine.arguments import SeedLike, as_data, as_generator, as_mechanism
from engine.array_types import Floats
from engine.components import Component, asked_of, stated_pattern
from engine.data.database import AnyDatabase
from engine.data.look_only import missing_of
from engine.errors import ParameterError, WrongCall
from engine.mechanisms.facts import Facts, Mistake, Output, Resources
from engine.mechanisms.former import adopt_former, find_former
from engine.mechanisms.guarantee import APPROXIMATE, NOTHING, Guarantee
from engine.mechanisms.prepared import Prepared, SharedWork
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.relation import check_missing, check_releasable, refuses_look_only
from engine.mechanisms.release import Release
from engine.noise.base import check_bounds
from engine.numerals import grouped
from engine.primitives.accounting import Concentrated, for_row
from engine.privacy import NO_PROMISE, Privacy, PrivacyLike, as_privacy, neighbours_of, takes_budget
from engine.progress import Progress, part, silent
from engine.queries.base import Query
from engine.randomness import is_release
from engine.sampling.public_grid import PublicGrid
from engine.signatures import explained

DataT = TypeVar("DataT", bound=AnyDatabase)


class Mechanism(Component, abc.ABC, Generic[DataT], family="mechanism"):
    """Base class of all mechanisms: makes private releases of data.  Its fields are its parameters.

    A mechanism works in two steps.  `prepare` does everything that depends on the data and may take long.
    The `Prepared` that it returns draws values: one, with the operating system's entropy, for a release, or
    many, with a seed, for a simulation.  `SmoothRelease` is an example.

    Attributes
    ----------
    facts : Facts
        Facts about the class that front ends show.

    Notes
    -----
    **Users** call `run`, which does both steps; `problems` checks the settings without the data.

    **Authors** write a frozen dataclass.  Its head sets `Facts`; its body sets `name`, `label`, `summary`,
    `source` and `exact_because`, and defines

    * `guarantee`, a `Guarantee`; default: the given epsilon and delta;
    * `problems`, if some settings make no sense (`_problems` of a `ScalarMechanism`);
    * `prepare`, which returns `Draws` or another `Prepared`;
    * `question`, equal for mechanisms whose errors can be compared;
    * `step`, if releases lie on a public grid;
    * `public_facts`, if a release states more than its parameters.

    The engine also calls these methods, which have a default:

    * `_released`: convert one drawn value to its released form;
    * `_true_answer`: convert the true value to the same form;
    * `_in_order`: sort drawn values as a release does (sets only);
    * `_errors`: return the distances of drawn values from the true value;
    * `_largest_error`: return an upper bound on the error;
    * `_trivial_error`: return the largest error of an answer that ignores the data;
    * `_number_grid`: return the grid of the released numbers, if `step` does not define it;
    * `_mistakes`: return the mistakes that can be planted, besides those that name the mechanism;
    * `_prepare_release`: do `prepare` for one release, if more than the noise must be secret;
    * `_release_parameters`: return the parameters that a release states; default: all settings;
    * `_draw_value`: draw one release, if it is not a drawn value;
    * `_automatic`: describe the choice made for an empty parameter.

    Rarely needed: `resources`, `resolve`, `for_columns`, `unprocessed`, `shared_work`, `relation`,
    `inexact`, `release`; for points, `vectors` and `estimand`.  Most classes inherit `reads` and
    `worst_cases`.

    **Front ends** use `facts`, `guarantee`, `output`, `resources` and the declared parameters.
    """

    def __init_subclass__(cls, family: str = "", **facts: Any) -> None:
        super().__init_subclass__(family=family)
        if facts:
            cls.facts = dataclasses.replace(cls.facts, **facts)
        adopt_former(cls)
        for name in {"prepare", "_prepare_release"} & set(vars(cls)):
            setattr(cls, name, takes_budget(_refusing(getattr(cls, name))))
        if "release" in vars(cls):
            cls.release = _no_more_exact(refuses_look_only(takes_budget(cls.release)))  # type: ignore[method-assign]

    if not TYPE_CHECKING:  # a type checker would accept any name

        def __getattr__(self, name: str) -> Any:
            return find_former(self, name)

    facts: ClassVar[Facts] = Facts()

    @property
    @abc.abstractmethod
    def reads(self) -> str:
        """Kind of data, as in `engine.queries.Query.reads`."""

    @property
    @abc.abstractmethod
    def worst_cases(self) -> str:
        """Source of the worst-case neighbours for audits, as in `engine.queries.Query.worst_cases`."""

    @property
    def question(self) -> Hashable:
        """Key of the question; mechanisms whose errors can be compared share it."""
        return self.name

    # Privacy

    @property
    def guarantee(self) -> Guarantee:
        """Privacy cost of a release for a given budget."""
        return APPROXIMATE if self.facts.is_private else NOTHING

    @property
    def relation(self) -> str:
        """The neighbour relation of the stated privacy; some mechanisms have a parameter for it."""
        return neighbours_of(asked_of(self))

    @property
    def inexact(self) -> str:
        """Why a release may not be private to the last bit; empty if exactness is shown.

        Also empty if the mechanism promises no privacy.
        """
        return super().inexact if self.facts.is_private else ""

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        """Return the problems of these settings, from public facts alone; by default, of the budget."""
        return problems_of(check_bounds, privacy, 1)

    def refuse(self, privacy: Privacy, domain: Any, n: int) -> None:
        """Raise `ParameterError` for the first problem, or `SensiscopeError` if memory does not suffice.

        `prepare` calls this first.
        """
        for problem in self.problems(privacy, domain, n):
            raise ParameterError(problem.field, problem.message)
        self.resources(domain, n).memory.ask(f"{self.label} of n = {grouped(n)}")

    # Preparing and drawing

    def _check(self, data: DataT, privacy: Privacy) -> None:
        self.refuse(privacy, data.domain, data.n)

    @abc.abstractmethod
    def prepare(self, data: DataT, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Do everything that depends on the data.

        Raises
        ------
        ParameterError
            For the first of `problems`.
        """

    def _prepare_release(self, data: DataT, privacy: Privacy, progress: Progress = silent) -> Prepared:
        """Do the work of `prepare` for one release.

        Draws everything that must be secret besides the noise (such as which record is in which block) with
        the operating system's entropy.
        """
        return self.prepare(data, privacy, progress)

    def shared_work(self, domain: Any) -> SharedWork | None:
        """Return the part of `prepare` that does not depend on the budget; None if there is no such part."""
        return None

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
        """Draw one value and return it as a `Release`.

        If `prepared` only simulates and this is a release, the data are prepared again, with secret coins.
        """
        if prepared.only_simulates and not self._simulates(rng):
            here, progress = part(progress, 0.0, 0.9), part(progress, 0.9, 1.0)
            prepared = self._prepare_release(data, privacy, here)
        value = self._draw_value(prepared, data.domain, rng, progress)
        return Release(value=value, **self._release_fields(prepared, data, privacy, rng))

    @explained
    def run(
        self,
        data: DataT,
        privacy: PrivacyLike,
        seed: SeedLike | None = None,
        progress: Progress = silent,
        *,
        rng: SeedLike | None = None,
    ) -> Release:
        """Make one release, which enters no ledger.

        `privacy` may be epsilon or (epsilon, delta).  Without `seed`, the noise comes from the operating
        system.  With a seed, or a stated pattern of blocks, the result is marked as simulated.  `rng` is
        another name of `seed`; each takes a whole number or a generator of numpy.

        Raises
        ------
        DataError
            If the data have no public bounds, or if they must not be released and `rng` is not seeded.
        ParameterError
            If `privacy` is not a valid budget, or for the first of `problems`.
        """
        if not isinstance(self, Mechanism):
            raise WrongCall("run: write the mechanism with parentheses: SmoothRelease().run(data, privacy)")
        budget = as_privacy(privacy)
        data = as_data(data, self)
        source = as_generator(seed if rng is None else rng)
        check_releasable(data, source)  # before any computation
        check_missing(self.relation, missing_of(data))
        own = self.for_columns(getattr(data, "columns", ()))
        prepare = own.prepare if own._simulates(source) else own._prepare_release
        prepared = prepare(data, budget, part(progress, 0.0, 0.5))
        return own.release(prepared, data, budget, source, part(progress, 0.5, 1.0))

    def _simulates(self, rng: np.random.Generator) -> bool:
        """Return whether a draw from `rng` is a simulation and not a release."""
        return bool(stated_pattern(self)) or not is_release(rng)

    # The release

    def _draw_value(
        self, prepared: Prepared, domain: Any, rng: np.random.Generator, progress: Progress = silent
    ) -> Any:
        """Draw one value and return it in its released form."""
        return self._released(prepared.draw(rng, 1, progress)[0], domain)

    def _release_fields(
        self, prepared: Prepared, data: DataT, privacy: Privacy, rng: np.random.Generator
    ) -> dict[str, Any]:
        """Return all fields of a release but its value."""
        return {
            "mechanism": self.name,
            "query": asked_of(self).name,
            "privacy": self.guarantee.cost(privacy),
            "noise": prepared.noise,
            "parameters": {
                **self._release_parameters(),
                **self.public_facts(data.domain, data.n, privacy),
                **data.facts,
            },
            "error": prepared.error,
            "simulated": self._simulates(rng),
            "step": self.step(data.domain, data.n, privacy),
            "exact": not self.inexact,
            "diagnostics": prepared.diagnostics,
            "neighbours": self.relation,
        }

    def _release_parameters(self) -> dict[str, Any]:
        return self.settings()

    def public_facts(self, domain: Any, n: int, privacy: Privacy) -> dict[str, Any]:
        """Return further public facts for a release, computed from public facts alone."""
        return {}

    def step(self, domain: Any, n: int, privacy: Privacy) -> float | list[float] | None:
        """Return the spacing of the public grid of released values, as in `Release.step`."""
        return None

    def _number_grid(self, data: DataT, privacy: Privacy) -> PublicGrid | None:
        """Return the grid of the released numbers, from bounds, size and resolution alone.

        None if the mechanism releases no numbers, or only numbers computed from noisy ones that lie on no
        grid themselves.
        """
        step = self.step(data.domain, data.n, privacy) if self.facts.on_step else None
        return None if step is None else PublicGrid.multiples(step)

    # The meaning of drawn values

    @property
    def output(self) -> Output:
        """Functions that convert drawn values and measure their errors."""
        return Output(self._released, self._true_answer, self._in_order, self._errors, self._trivial_error)

    @abc.abstractmethod
    def _released(self, value: Floats, domain: Any) -> Any:
        """Convert one drawn value to its released form: numbers, text and lists; None for a refusal."""

    def _true_answer(self, true_value: Any, domain: Any) -> Any:
        return self._released(true_value, domain)

    def _in_order(self, values: Floats, domain: Any) -> Floats:
        return values

    def _errors(self, values: Floats, true_value: Any, domain: Any) -> Floats:
        errors: Floats = np.abs(values - true_value)
        return errors

    def _largest_error(self, domain: Any, n: int) -> float:
        return math.inf

    def _trivial_error(self, domain: Any, n: int) -> float:
        """Return the largest error of the middle of all answers; override it where they have no middle."""
        return self._largest_error(domain, n) / 2

    # Costs and variants

    def resources(self, domain: Any, n: int) -> Resources:
        """Estimate memory and time, from public facts; zero if negligible."""
        return Resources()

    def resolve(self, privacy: Privacy | None = None, domain: Any = None) -> Self:
        """Return a copy in which every automatic choice is made.

        The budget decides on noise, and public bounds on a method; either may change the cost.
        """
        return self

    def for_columns(self, columns: Sequence[str]) -> Self:
        """Return the mechanism with numbers instead of the names of columns in its parameters."""
        return self

    def unprocessed(self) -> Mechanism[DataT]:
        """Return a copy without optional post-processing, so that an audit sees more."""
        return self

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        return {}


MechanismLike: TypeAlias = Mechanism[Any] | type[Mechanism[Any]] | Query[Any] | type[Query[Any]] | str
"""Types that functions accept as a mechanism: one, its class or name, or a query for the automatic method."""


def checked_mechanism(mechanism: MechanismLike) -> Mechanism[Any]:
    """Convert to a mechanism."""
    made: Mechanism[Any] = as_mechanism(mechanism)
    return made


def ledger_cost(mechanism: Mechanism[Any], privacy: Privacy) -> tuple[Privacy, Concentrated | None]:
    """Return the cost of a release for one row of the file replaced; the ledger adds up these costs."""
    cost = mechanism.guarantee.cost(privacy)
    zcdp = None if cost == NO_PROMISE else mechanism.guarantee.zcdp_cost(privacy)
    return for_row(cost, zcdp, mechanism.relation)


def _refusing(prepare: Callable[..., Prepared]) -> Callable[..., Prepared]:
    """Have `prepare` check the settings first, but only once if it calls `super`."""

    @functools.wraps(prepare)
    def refusing(self: Any, data: Any, privacy: Privacy, *given: Any, **named: Any) -> Prepared:
        if getattr(getattr(type(self), prepare.__name__), "__wrapped__", None) is refusing:
            data = as_data(data, self)
            self._check(data, privacy)
        return prepare(self, data, privacy, *given, **named)

    return refusing


def _no_more_exact(release: Callable[..., Release]) -> Callable[..., Release]:
    """Wrap a `release` method that may come from outside: no release is exact if its mechanism is not."""

    @functools.wraps(release)
    def stated(self: Mechanism[Any], *given: Any, **named: Any) -> Release:
        made = release(self, *given, **named)
        return dataclasses.replace(made, exact=False) if made.exact and self.inexact else made

    return stated


Sanitizer = Mechanism
"""Former name of a mechanism without a query, used by plug-ins."""
