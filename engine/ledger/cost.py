"""The cost of one release, and the limit of a dataset."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from engine.arguments import as_mechanism
from engine.errors import ParameterError
from engine.numerals import short
from engine.privacy import (
    NEIGHBOURS,
    NO_PROMISE,
    ROW_STEPS,
    Privacy,
    PrivacyLike,
    as_privacy,
    for_persons,
)
from engine.signatures import Explained

if TYPE_CHECKING:
    from engine.mechanisms.base import MechanismLike
    from engine.mechanisms.guarantee import Guarantee
    from engine.primitives.accounting import Concentrated
    from engine.primitives.losses import Loss

SLACK = 1e-6
"""Default delta that advanced and concentrated composition add."""


class Payable(Protocol):
    """Has a cost that a ledger can record: a `Mechanism`, or `SuggestedBounds`."""

    @property
    def relation(self) -> str: ...
    @property
    def inexact(self) -> str: ...
    @property
    def guarantee(self) -> Guarantee: ...
    def resolve(self, privacy: Privacy | None = None, domain: Any = None) -> Payable: ...


@dataclasses.dataclass(frozen=True)
class Cost:
    """The cost of one release, as the release states it; a ledger adds up `row`.

    Attributes
    ----------
    privacy : Privacy
        (epsilon, delta), or `NO_PROMISE`.
    concentrated : Concentrated or None
        The same release as delta-approximate rho-zCDP; None without a guarantee.
    neighbours : str
        The neighbouring relation of the guarantee.
    inexact : str
        Why the guarantee may fail in the last digits of floating point; "" if it cannot.
    loss : Loss or None
        The privacy loss that the mechanism states; None to use that of epsilon and delta.

    See Also
    --------
    Ledger, Limit

    Examples
    --------
    The exponential mechanism costs no delta, and at most epsilon^2/8 in zCDP.

    >>> from engine import ExponentialRelease, Privacy, SimpleGraph, SmoothRelease, TriangleCount
    >>> cost = Cost.of(ExponentialRelease(), Privacy(1.0, 1e-6))
    >>> cost.privacy, cost.concentrated.rho
    (Privacy(epsilon=1.0, delta=0.0), 0.125)

    To replace a row in a file of edges removes one edge and adds another:

    >>> cost = Cost.of(SmoothRelease(query=TriangleCount()), Privacy(0.5))
    >>> cost.neighbours, cost.row.privacy
    ('edge', Privacy(epsilon=1.0, delta=0.0))
    """

    privacy: Privacy
    concentrated: Concentrated | None
    neighbours: str
    inexact: str = ""
    loss: Loss | None = None

    @classmethod
    def of(
        cls, mechanism: Payable | MechanismLike, asked: PrivacyLike, domain: Any = None, rows: int = 0
    ) -> Cost:
        """Return the cost of a release by `mechanism` for the budget `asked`.

        With `domain`, the public bounds, the cost may be lower.  `rows` is the most records of a person, if
        records are those of persons: see `engine.privacy.for_persons`.
        """
        asked, paid = as_privacy(asked), as_mechanism(mechanism)
        if domain is not None:
            paid = paid.resolve(domain=domain)
        guarantee, between, inexact = paid.guarantee, paid.relation, paid.inexact
        privacy = guarantee.cost(asked)
        _, stated = for_persons(privacy, between, rows)
        if privacy == NO_PROMISE:
            return cls(NO_PROMISE, None, stated, inexact)
        concentrated, loss = guarantee.zcdp_cost(asked), guarantee.loss(asked)
        one = cls(privacy, concentrated, stated, inexact, loss)
        return one._for_steps(rows, stated) if rows > 1 else one

    @property
    def row(self) -> Cost:
        """The cost for one replaced row of the file: see `engine.privacy.ROW_STEPS`."""
        return self if self.neighbours == NEIGHBOURS else self._row

    @functools.cached_property
    def _row(self) -> Cost:
        steps = ROW_STEPS.get(self.neighbours)
        if steps is None:
            return Cost(NO_PROMISE, None, NEIGHBOURS, self.inexact)
        return self._for_steps(steps, NEIGHBOURS)

    def _for_steps(self, steps: int, neighbours: str) -> Cost:
        """Return the cost for databases so many steps apart, stated for other neighbours."""
        from engine.primitives.accounting import for_steps

        privacy, concentrated = for_steps(self.privacy, self.concentrated, steps)
        loss = None if concentrated is None or self.loss is None else self.loss.for_group(steps)
        return Cost(privacy, concentrated, neighbours, self.inexact, loss)

    @property
    def dominating(self) -> Loss:
        """The privacy loss of the guarantee."""
        from engine.primitives.losses import Loss

        return Loss.of_stated(self.privacy) if self.loss is None else self.loss


@dataclasses.dataclass(frozen=True)
class Limit(metaclass=Explained):
    """How much may be spent on a dataset, for one replaced row of the file.

    With delta 0 all releases together are (epsilon, 0)-private: their epsilons add up to at most epsilon, and
    none may have a delta.  With a delta above 0 they are (epsilon, delta + slack)-private, and concentrated
    composition may count them.

    The slack is not part of delta.  One reason: releases may switch between the rules, and then the sum of
    their deltas is not enough (`Composition.within`).  The other: a single release with the limit's delta
    should be allowed.

    Parameters
    ----------
    epsilon : float
        Above 0.
    delta : float, default 0
        The largest sum of the deltas of all releases.
    slack : float
        The additional delta of concentrated composition; unused if delta is 0.

    Raises
    ------
    ParameterError
        If epsilon is not a finite number above 0, delta not in [0, 1), slack not in (0, 1), or delta and
        slack together not below 1.

    See Also
    --------
    Ledger, Overspent

    Examples
    --------
    >>> Limit(3.0, delta=1e-6).whole, Limit(3.0).whole
    (Privacy(epsilon=3.0, delta=2e-06), Privacy(epsilon=3.0, delta=0.0))
    """

    epsilon: float
    delta: float = 0.0
    slack: float = SLACK

    def __post_init__(self) -> None:
        Privacy(self.epsilon, self.delta)
        if not (math.isfinite(self.slack) and 0 < self.slack < 1 - self.delta):
            raise ParameterError(
                "slack",
                f"{short(self.slack)} is not possible; it must be above 0, and below 1 together with delta",
            )

    @property
    def whole(self) -> Privacy:
        """The guarantee of all releases together, even if each is chosen after seeing the earlier ones."""
        return Privacy(self.epsilon, self.delta + self.extra)

    @property
    def extra(self) -> float:
        """The additional delta: the slack; 0 if delta is 0."""
        return self.slack if self.delta else 0.0


LimitLike: TypeAlias = Limit | PrivacyLike
"""Types that functions accept as a limit: one, or epsilon, or (epsilon, delta)."""


def as_limit(limit: LimitLike | None) -> Limit | None:
    """Convert to a limit; None stays none."""
    if limit is None or isinstance(limit, Limit):
        return limit
    privacy = as_privacy(limit)
    return Limit(privacy.epsilon, privacy.delta)


State = Literal["open", "spent", "void"]


@dataclasses.dataclass(frozen=True)
class LedgerEntry:
    """One release, as an entry of a `Ledger`."""

    id: int  # larger for later entries, regardless of the clock
    when: datetime  # with its time zone
    cost: Cost  # as the release states it; ``cost.row`` counts
    about: Mapping[str, Any]  # query and method; public
    value: Any = None  # if it was stored
    # public fields of the `Release` beside its value; None if they were not stored
    facts: Mapping[str, Any] | None = None
    # "open" until the value is returned, and permanently if the program was killed before: the value may have
    # been seen, so it counts.  "void" if there was no value: it does not count.
    state: State = "open"
    over: bool = False  # the user knowingly exceeded the limit
    # written by a version that added up releases separately for each neighbouring relation
    earlier: bool = False

    @property
    def exact(self) -> bool:
        """Whether the privacy holds to the last bit: see `engine.mechanisms.release.Release.exact`."""
        return not self.cost.inexact

    @property
    def counts(self) -> bool:
        return self.state != "void"
