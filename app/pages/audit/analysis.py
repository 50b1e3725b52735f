"""Requests for audits, and their computation in a worker.

The audit of a worst-case pair reads no data, so its result is public. An audit of the data is private.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from app.jobs.tasks import JobTask
from app.model.kept_data import DatabaseCache
from app.model.pages.audit import AUDIT
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.view_states import AuditChoice, ViewState
from app.pages.base.request import public_facts
from engine import audit
from engine.array_types import Floats
from engine.mechanisms import PLANTED, PointsMechanism, ScalarMechanism
from engine.mechanisms.base import Mechanism
from engine.mechanisms.points import lives_with_data
from engine.privacy import Privacy
from engine.progress import Progress

if TYPE_CHECKING:
    from app.plots.audit.low_bits import LowBitsView
    from app.plots.audit.view import AuditView


@dataclasses.dataclass(frozen=True)
class PairOffer:
    """A pair of neighbours, or a planted bug, to choose from."""

    name: str  # its name in lessons, and on the screen
    label: str
    why: str  # the mistake that the pair reveals, or the bug itself
    public: bool = True  # whether it depends on public facts only
    worst: str = ""  # the pair and the number of runs that reveal the bug best
    runs: int = 0
    low_bits: bool = False  # whether only the low bits of real releases reveal the bug


OF_DATA = PairOffer(
    audit.MOVED,
    "These data, one record moved",
    "the data, and the data with one record replaced; the result is confidential",
    public=False,
)


@dataclasses.dataclass(frozen=True)
class AuditRequest:
    """A request for an audit: a setup, and the choices on the tab.

    `private` allows pairs from the data; `low_bits` attacks the low bits of real releases.
    """

    setup: Selection
    choice: AuditChoice
    private: bool = True
    low_bits: bool = False

    @property
    def runs(self) -> int:
        """Number of releases from each database."""
        return min(self.choice.runs, audit.MAX_LOW_BITS_RUNS) if self.low_bits else self.choice.runs

    @property
    def mechanism(self) -> Mechanism[Any]:
        """The audited mechanism: the page's own, or a faulty variant."""
        return audit.with_bug(self.setup.mechanism, self.choice.bug)

    def same(self, other: AuditRequest) -> bool:
        """Tell whether both ask for the same audit, judged by public facts."""
        mine, others = self.setup, other.setup
        return (
            (self.choice, self.low_bits) == (other.choice, other.low_bits)
            and mine.mechanism == others.mechanism
            and (mine.privacy, mine.source.n) == (others.privacy, others.source.n)
            and type(mine.source) is type(others.source)
            and mine.source.domain == others.source.domain
        )

    def pairs(self, databases: DatabaseCache, task: JobTask) -> NeighbourPairs:
        """Return the pairs to choose from; pairs from the data only for the curator (in a worker)."""
        offered = [_offered(pair) for pair in public_pairs(self)]
        if self.private:
            task.publish(NeighbourPairs(self, (*offered, OF_DATA), complete=False))
            offered += [*(_offered(pair) for pair in self._pairs_of_data(databases, task)), OF_DATA]
        return NeighbourPairs(self, tuple(offered))

    def fitted(self, databases: DatabaseCache, progress: Progress) -> AuditRequest:
        """Return the request, without a pair or a bug that its mechanism lacks (in a worker)."""
        request, choice = self, self.choice
        if choice.bug not in [bug.name for bug in planted_bugs(self.setup)]:
            request = dataclasses.replace(request, choice=choice.but(bug=""))
        names = ["", *(pair.name for pair in public_pairs(request))]
        if request.private and choice.pair not in names:
            names += [audit.MOVED, *(pair.name for pair in request._pairs_of_data(databases, progress))]
        if choice.pair not in names:
            request = dataclasses.replace(request, choice=request.choice.but(pair=""))
        return request

    def compute(self, databases: DatabaseCache, task: JobTask) -> AuditResult:
        """Audit the mechanism on the chosen pair (in a worker)."""
        choice, setup = self.choice, self.setup
        data: Any = public_facts(setup.source)
        asked = choice.arguments(setup.source)
        if self.private and choice.pair == audit.MOVED:
            data = setup.source.before(asked["record"]).build()
        elif self.private and choice.pair not in ("", *(pair.name for pair in public_pairs(self))):
            data = databases.get(setup.source)
        picture = AUDIT.picture(f"audit {'low-bits' if self.low_bits else 'outcomes'}")
        assert picture.view is not None
        known = {"mechanism": setup.mechanism, "data": data, "privacy": setup.privacy, "progress": task}
        result = picture.analysis.call(asked | known)
        request = dataclasses.replace(self, choice=choice.but(pair=result.pair.name))
        view = picture.view()(result)
        if not self.low_bits:
            named = self._answering(view.run.game.answers)
            view = make_ready(dataclasses.replace(view, mechanism=named, coordinates=self._coordinates))
            view = with_better_pair(view, choice.bug, setup.mechanism, setup.source, setup.privacy)
        return AuditResult(request, _offered(result.pair), view)

    @property
    def _coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates of a released center; () if the answers are no points among the data."""
        from engine.mechanisms import BallMechanism  # which loads all mechanisms of balls

        right, source = self.setup.mechanism, self.setup.source
        if not isinstance(right, PointsMechanism) or not lives_with_data(right, source.domain):
            return ()
        return (*source.columns, "radius") if isinstance(right, BallMechanism) else source.columns

    def _answering(self, answers: Floats) -> str:
        """Name the mechanism; say that it is audited without clamping where answers leave the bounds."""
        right, source = self.setup.mechanism, self.setup.source
        if isinstance(right, ScalarMechanism):
            known = answers[np.isfinite(answers)]  # refusals are infinite
            if right.query.value_range(source.domain, source.n).outside(known):
                return f"{right.label},\nnot clamped to the bounds"
        return str(right.label)

    def _pairs_of_data(self, databases: DatabaseCache, progress: Progress) -> tuple[audit.Pair, ...]:
        data = databases.get(self.setup.source)
        return audit.pairs_from_data(self.mechanism, data, self.setup.privacy, progress=progress)


@dataclasses.dataclass(frozen=True, eq=False)
class AuditResult:
    """The result of an audit. `public`: it depends on public facts only."""

    request: AuditRequest
    pair: PairOffer
    view: AuditView | LowBitsView

    @property
    def public(self) -> bool:
        """Whether the result is public."""
        return self.pair.public

    def but(self, **changes: Any) -> AuditResult:
        """Return the same result with changes to its view."""
        return dataclasses.replace(self, view=dataclasses.replace(self.view, **changes))

    def answers(self, request: AuditRequest) -> bool:
        """Tell whether it answers `request`."""
        same_data = self.public or self.request.setup.source.same(request.setup.source)
        return self.request.same(request) and same_data

    def is_about(self, request: AuditRequest, *, curator: bool) -> bool:
        """Tell whether it may stay visible for `request`, even if choices have changed."""
        asked = request.setup.mechanism.question
        return (self.public or curator) and self.request.setup.mechanism.question == asked


@dataclasses.dataclass(frozen=True, eq=False)
class NeighbourPairs:
    """The pairs for a question; `complete` if these are all."""

    request: AuditRequest
    pairs: tuple[PairOffer, ...]
    complete: bool = True


def audit_arguments(state: SessionState, view_state: ViewState) -> dict[str, Any]:
    """Return the arguments of an audit and its pictures, by name."""
    chosen = view_state.audit
    return chosen.choice.arguments(selection(state).source) | {"prior": chosen.prior / 100}


def make_ready(view: AuditView) -> AuditView:
    """Return a view after importing its pictures and preparing their data, to spare the window's thread."""
    for load in AUDIT.drawn_by.values():
        load()
    from app.plots.audit.guess_who import databases_of
    from app.plots.audit.squares import tests_of

    _ = view.run.bins, view.run.game.luck
    tests_of(view.run)
    databases_of(view.run, view.pair)
    return view


def public_pairs(request: AuditRequest) -> tuple[audit.Pair, ...]:
    """Return the worst-case pairs of a mechanism, from public facts."""
    source = request.setup.source
    return audit.worst_case_pairs(request.mechanism, source.domain, source.n, request.setup.privacy)


def with_better_pair(
    view: AuditView, bug: str, right: Mechanism[Any], facts: Any, privacy: Privacy
) -> AuditView:
    """Return a view that names the pair that shows a planted bug best, if its own pair does not show it.

    `right`: the mechanism without the bug. `facts`: have the public range and size of the data.
    """
    if not bug or view.run.audit.violated or PLANTED[bug].shows_in_low_bits or view.pair is None:
        return view
    worst, own = PLANTED[bug].worst_for(right), view.pair.name
    pairs = audit.worst_case_pairs(audit.with_bug(right, bug), facts.domain, facts.n, privacy)
    better = (pair.label for pair in pairs if pair.name == worst != own)
    return dataclasses.replace(view, better_pair=next(better, ""))


def planted_bugs(setup: Selection) -> Iterator[PairOffer]:
    """Yield the bugs that can be planted in a mechanism."""
    for name, bug in PLANTED.items():
        if bug.applies_to(setup.mechanism):
            worst = bug.worst_for(setup.mechanism)
            shown = bug.shows_in_low_bits
            yield PairOffer(name, bug.label, bug.summary, worst=worst, runs=bug.runs, low_bits=shown)


def _offered(pair: audit.Pair) -> PairOffer:
    return PairOffer(pair.name, pair.label, pair.why, pair.public)
