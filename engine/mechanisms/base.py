"""What a mechanism is: the one page to read before any of them.

A mechanism works in two steps.  `prepare` does all that depends on the data (and may take long); the
`Prepared` it returns draws as many values as wanted.  A release is one draw with operating-system entropy;
a simulation is many with a seed.

**Users** call `run`, which does both; `problems` says beforehand what would not work, without the data.

**Authors** write a frozen dataclass: its fields are the parameters.  Its head states `Facts`; below stand
`name`, `label`, `summary`, `source`, `exact_because`, and

* `guarantee`, a `Guarantee`: epsilon and delta, unless more is known;
* `problems`, if something can be asked that makes no sense (`_problems` of a `ScalarMechanism`);
* `prepare`, which returns what draws: `Draws`, or a `Prepared` of its own;
* `question`, which mechanisms share whose errors can be compared; `step`, if releases lie on a public grid;
* `public_facts`, if a release states more than parameters.

The engine calls these hooks, which have a default:

=========================  =====================================================================
`_released`                one drawn value as it is released
`_true_answer`             the true value in the same form
`_in_order`                drawn values as they are released: sets are sorted
`_errors`                  how far drawn values are from the true one
`_largest_error`           what no error need exceed
`_number_grid`             where the numbers of a release lie, if `step` does not say it
`_mistakes`                which mistakes can be planted in it, besides those that know it
`_prepare_release`         `prepare` for one release, where more than the noise has to be secret
`_release_parameters`      the parameters that a release states, if not all settings of its own
`_draw_value`              one release, if it is no drawn value
`_automatic`               what takes the place of a parameter left empty
=========================  =====================================================================

Rarely: `resources`, `resolve`, `unprocessed`, `shared_work`, `relation`, `inexact`, `release`; of points,
`vectors` and `estimand` (`points.py`).  What it `reads`, and the `worst_cases` for audits, most inherit.

**Front ends** ask `facts`, `guarantee`, `output`, `resources` and the declared parameters.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import math
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from engine.array_types import Floats
from engine.components import Component, asked_of, stated_pattern
from engine.data.database import AnyDatabase, check_bounded
from engine.data.look_only import missing_of
from engine.errors import ParameterError
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
from engine.randomness import is_release, secure
from engine.sampling.public_grid import PublicGrid

DataT = TypeVar("DataT", bound=AnyDatabase)


@dataclasses.dataclass(frozen=True)
class Mechanism(Component, abc.ABC, Generic[DataT], family="mechanism"):
    """Makes private releases of data; its fields are its parameters.  `SmoothRelease` is one.

    Attributes
    ----------
    facts : Facts
        What front ends ask about the class.
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

    if not TYPE_CHECKING:  # which would take any name for one of these

        def __getattr__(self, name: str) -> Any:
            return find_former(self, name)

    facts: ClassVar[Facts] = Facts()

    @property
    @abc.abstractmethod
    def reads(self) -> str:
        """What kind of data, as `engine.queries.Query.reads`."""

    @property
    @abc.abstractmethod
    def worst_cases(self) -> str:
        """What makes neighbours on which mistakes show, as `engine.queries.Query.worst_cases`."""

    @property
    def question(self) -> Hashable:
        """What is asked of the data: mechanisms whose errors can be compared have the same."""
        return self.name

    # What is promised

    @property
    def guarantee(self) -> Guarantee:
        """What a release costs of the budget that it is given."""
        return APPROXIMATE if self.facts.is_private else NOTHING

    @property
    def relation(self) -> str:
        """Between which databases a release states its privacy; some let it be chosen."""
        return neighbours_of(asked_of(self))

    @property
    def inexact(self) -> str:
        """Why a release may not be private to the last bit, in words; empty where that is shown.

        Empty for one that promises nothing, too.
        """
        return super().inexact if self.facts.is_private else ""

    def problems(self, privacy: Privacy, domain: Any, n: int) -> tuple[Problem, ...]:
        """Return what makes no sense, from public facts alone: at least a budget that is none."""
        return problems_of(check_bounds, privacy, 1)

    def refuse(self, privacy: Privacy, domain: Any, n: int) -> None:
        """Raise `ParameterError` for the first problem, and `SensiscopeError` if memory does not suffice.

        `prepare` begins with it.
        """
        for problem in self.problems(privacy, domain, n):
            raise ParameterError(problem.field, problem.message)
        self.resources(domain, n).memory.ask(f"{self.label} of n = {grouped(n)}")

    # How it works

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
        """Do what `prepare` does, for one release.

        Whatever besides the noise has to be secret in it, such as which record is in which block, is drawn
        here, from the operating system.
        """
        return self.prepare(data, privacy, progress)

    def shared_work(self, domain: Any) -> SharedWork | None:
        """Return the part of `prepare` that all budgets share, if there is one."""
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
        """Draw once from what was prepared, and state all that may be said about it.

        Where more than the noise has to be secret, what `prepare` returned is prepared anew for a release.
        """
        if prepared.only_simulates and not self._simulates(rng):
            here, progress = part(progress, 0.0, 0.9), part(progress, 0.9, 1.0)
            prepared = self._prepare_release(data, privacy, here)
        value = self._draw_value(prepared, data.domain, rng, progress)
        return Release(value=value, **self._release_fields(prepared, data, privacy, rng))

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
        prepare = self.prepare if self._simulates(source) else self._prepare_release
        prepared = prepare(data, budget, part(progress, 0.0, 0.5))
        return self.release(prepared, data, budget, source, part(progress, 0.5, 1.0))

    def _simulates(self, rng: np.random.Generator) -> bool:
        """Tell whether what is drawn from `rng` is a simulation, and no release."""
        return bool(stated_pattern(self)) or not is_release(rng)

    # What a release says

    def _draw_value(
        self, prepared: Prepared, domain: Any, rng: np.random.Generator, progress: Progress = silent
    ) -> Any:
        """Draw once, and return what is released."""
        return self._released(prepared.draw(rng, 1, progress)[0], domain)

    def _release_fields(
        self, prepared: Prepared, data: DataT, privacy: Privacy, rng: np.random.Generator
    ) -> dict[str, Any]:
        """Return all that a release says but its value."""
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
        """Return what else a release states: what follows from public facts alone."""
        return {}

    def step(self, domain: Any, n: int, privacy: Privacy) -> float | list[float] | None:
        """Return the spacing of the public grid of what is released, as `Release.step` says."""
        return None

    def _number_grid(self, data: DataT, privacy: Privacy) -> PublicGrid | None:
        """Return the grid of the numbers in a release, from bounds, size and resolution alone.

        None for a mechanism that releases no numbers, or such as are made of noisy ones and lie on no
        grid themselves.
        """
        step = self.step(data.domain, data.n, privacy) if self.facts.on_step else None
        return None if step is None else PublicGrid.multiples(step)

    # What drawn values mean

    @property
    def output(self) -> Output:
        """What drawn values mean: how they are released, and how far they are from the truth."""
        return Output(self._released, self._true_answer, self._in_order, self._errors, self._largest_error)

    @abc.abstractmethod
    def _released(self, value: Floats, domain: Any) -> Any:
        """Return what `draw` gave once as it is released: numbers, words and lists; None for a refusal."""

    def _true_answer(self, true_value: Any, domain: Any) -> Any:
        return self._released(true_value, domain)

    def _in_order(self, values: Floats, domain: Any) -> Floats:
        return values

    def _errors(self, values: Floats, true_value: Any, domain: Any) -> Floats:
        errors: Floats = np.abs(values - true_value)
        return errors

    def _largest_error(self, domain: Any, n: int) -> float:
        return math.inf

    # What else is asked

    def resources(self, domain: Any, n: int) -> Resources:
        """Return about what it takes, from public facts; nothing where it is hardly any."""
        return Resources()

    def resolve(self, privacy: Privacy | None = None, domain: Any = None) -> Self:
        """Return the same with whatever a public rule chooses chosen.

        A budget decides on noise, public bounds on a method: what it costs may follow from either.
        """
        return self

    def unprocessed(self) -> Mechanism[DataT]:
        """Return the same without the post-processing that can be left out: an audit sees more of it."""
        return self

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        return {}


def ledger_cost(mechanism: Mechanism[Any], privacy: Privacy) -> tuple[Privacy, Concentrated | None]:
    """Return what a release costs for one row of the file replaced, by which budgets are added up."""
    cost = mechanism.guarantee.cost(privacy)
    zcdp = None if cost == NO_PROMISE else mechanism.guarantee.zcdp_cost(privacy)
    return for_row(cost, zcdp, mechanism.relation)


def _refusing(prepare: Callable[..., Prepared]) -> Callable[..., Prepared]:
    """Have `prepare` refuse what makes no sense before anything else; not again where it calls `super`."""

    @functools.wraps(prepare)
    def refusing(self: Any, data: Any, privacy: Privacy, *given: Any, **named: Any) -> Prepared:
        if getattr(getattr(type(self), prepare.__name__), "__wrapped__", None) is refusing:
            self._check(data, privacy)
        return prepare(self, data, privacy, *given, **named)

    return refusing


def _no_more_exact(release: Callable[..., Release]) -> Callable[..., Release]:
    """Have a method that may come from outside state no release to be exact if its mechanism is not."""

    @functools.wraps(release)
    def stated(self: Mechanism[Any], *given: Any, **named: Any) -> Release:
        made = release(self, *given, **named)
        return dataclasses.replace(made, exact=False) if made.exact and self.inexact else made

    return stated


Sanitizer = Mechanism
"""Its former name where it has no query: plug-ins use it."""
