"""The cost of one release, and the limit of a dataset."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from engine.errors import ParameterError
from engine.numerals import short
from engine.privacy import NEIGHBOURS, NO_PROMISE, ROW_STEPS, Privacy, PrivacyLike, as_privacy

if TYPE_CHECKING:
    from engine.mechanisms.guarantee import Guarantee
    from engine.primitives.accounting import Concentrated
    from engine.primitives.losses import Loss

SLACK = 1e-6
"""The delta that advanced and concentrated composition take, unless a limit says otherwise."""


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
    """The cost of one release, as it states it; a ledger adds up `row`.

    Attributes
    ----------
    privacy : Privacy
        (epsilon, delta), or `NO_PROMISE`.
    concentrated : Concentrated or None
        The same release as delta-approximate rho-zCDP; None where nothing is promised.
    neighbours : str
        Between which databases that holds.
    inexact : str
        Why the promise may fail in the last digits of floating point; "" where it does not.
    loss : Loss or None
        The privacy loss that the mechanism states; None for that of epsilon and delta.

    Examples
    --------
    The exponential mechanism costs no delta, and concentrated privacy of at most epsilon^2/8.

    >>> from engine import ExponentialRelease, Privacy, SimpleGraph, SmoothRelease, TriangleCount
    >>> cost = Cost.of(ExponentialRelease(), Privacy(1.0, 1e-6))
    >>> cost.privacy, cost.concentrated.rho
    (Privacy(epsilon=1.0, delta=0.0), 0.125)

    A row of a file of edges that is replaced is an edge that goes, and another one that comes.

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
    def of(cls, mechanism: Payable, asked: PrivacyLike, domain: Any = None) -> Cost:
        """Return the cost of a release by `mechanism` for the budget `asked`.

        With `domain`, the public bounds, it is less where it follows from them, too.
        """
        asked = as_privacy(asked)
        if domain is not None:
            mechanism = mechanism.resolve(domain=domain)
        guarantee, between, inexact = mechanism.guarantee, mechanism.relation, mechanism.inexact
        privacy = guarantee.cost(asked)
        if privacy == NO_PROMISE:
            return cls(NO_PROMISE, None, between, inexact)
        return cls(privacy, guarantee.zcdp_cost(asked), between, inexact, guarantee.loss(asked))

    @property
    def row(self) -> Cost:
        """The cost for one row of the file replaced by another: see `engine.privacy.ROW_STEPS`."""
        return self if self.neighbours == NEIGHBOURS else self._row

    @functools.cached_property
    def _row(self) -> Cost:
        from engine.primitives.accounting import for_row

        privacy, concentrated = for_row(self.privacy, self.concentrated, self.neighbours)
        steps = ROW_STEPS.get(self.neighbours, 1)
        loss = None if concentrated is None or self.loss is None else self.loss.for_group(steps)
        return Cost(privacy, concentrated, NEIGHBOURS, self.inexact, loss)

    @property
    def dominating(self) -> Loss:
        """The privacy loss of what is promised."""
        from engine.primitives.losses import Loss

        return Loss.of_stated(self.privacy) if self.loss is None else self.loss


@dataclasses.dataclass(frozen=True)
class Limit:
    """How much may be spent on a dataset, for one row of the file replaced by another.

    With a delta of 0 all releases together are (epsilon, 0)-private: their epsilons add up to no more, and
    none may have a delta.  With a delta above 0 they are (epsilon, delta + slack)-private, and may be
    counted by concentrated composition.  The slack is not taken out of delta: releases may be counted one
    way or the other as one goes along, for which the sum of their deltas does not suffice
    (`Composition.within`), and a single release with the delta of the limit is to keep it.

    Parameters
    ----------
    epsilon : float
        Above 0.
    delta : float, default 0
        The largest sum of the deltas of all releases.
    slack : float
        The delta that concentrated composition takes in addition; without meaning where delta is 0.

    Raises
    ------
    ParameterError
        If epsilon is not a finite number above 0, delta not in [0, 1), slack not in (0, 1), or
        delta and slack together not below 1.

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
        """The promise of all releases together, even if each is chosen after seeing the earlier ones."""
        return Privacy(self.epsilon, self.delta + self.extra)

    @property
    def extra(self) -> float:
        """The delta beside that of the releases: the slack; none where delta is 0."""
        return self.slack if self.delta else 0.0


State = Literal["open", "spent", "void"]


@dataclasses.dataclass(frozen=True)
class LedgerEntry:
    """One release, as it was written down in a `Ledger`."""

    id: int  # larger for later entries, whatever the clock says
    when: datetime  # with its time zone
    cost: Cost  # as the release states it; ``cost.row`` counts
    about: Mapping[str, Any]  # the question and the method; public
    value: Any = None  # if it was kept
    # "open" until the value is out, for ever if the program was killed before it could say so: the value may
    # have been seen, so it counts.  "void" where no value came about: it does not count.
    state: State = "open"
    over: bool = False  # the user went beyond the limit knowingly
    # written by a version that added up releases for each kind of neighbours apart
    earlier: bool = False

    @property
    def exact(self) -> bool:
        """Whether the privacy holds to the last bit, as `engine.mechanisms.release.Release.exact` says."""
        return not self.cost.inexact

    @property
    def counts(self) -> bool:
        return self.state != "void"
