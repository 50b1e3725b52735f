"""Requests for audits, and what a worker does for them.

An audit of a worst-case pair looks at no data: its result is public.  One of the data is private.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from app.jobs.tasks import JobTask
from app.model.kept_data import DatabaseCache
from app.model.pages.audit import AUDIT
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.view_states import AuditChoice, ViewState
from app.pages.base.request import public_facts
from engine import audit
from engine.mechanisms import PLANTED
from engine.mechanisms.base import Mechanism
from engine.progress import Progress

if TYPE_CHECKING:
    from app.plots.audit.low_bits import LowBitsView
    from app.plots.audit.view import AuditView


@dataclasses.dataclass(frozen=True)
class PairOffer:
    """A pair of neighbours, or a planted bug, that can be chosen."""

    name: str  # what it is called in a lesson, and on the screen
    label: str
    why: str  # a sentence: which mistake shows on the pair, or what is wrong
    public: bool = True  # whether it follows from public facts alone
    worst: str = ""  # the pair on which a bug shows best, and the runs in which it does
    runs: int = 0
    low_bits: bool = False  # whether a bug shows in the low bits of real releases alone


MOVED = audit.MOVED
OF_DATA = PairOffer(
    MOVED,
    "These data, one record moved",
    "the data as they are, and with one record replaced; what is found is as confidential as they are",
    public=False,
)


@dataclasses.dataclass(frozen=True)
class AuditRequest:
    """What a job is to audit: a setup, and the choices on the tab.

    `private` tells whether pairs that are made of the data may be looked at, `low_bits` whether the
    low bits of real releases are to be attacked.
    """

    setup: Selection
    choice: AuditChoice
    private: bool = True
    low_bits: bool = False

    @property
    def runs(self) -> int:
        """Releases of either database."""
        return min(self.choice.runs, audit.MAX_LOW_BITS_RUNS) if self.low_bits else self.choice.runs

    @property
    def mechanism(self) -> Mechanism[Any]:
        """What is audited: the mechanism of the page, or one with a mistake in it."""
        return audit.with_bug(self.setup.mechanism, self.choice.bug)

    def same(self, other: AuditRequest) -> bool:
        """Tell whether both ask for the same audit, as far as public facts tell."""
        mine, others = self.setup, other.setup
        return (
            (self.choice, self.low_bits) == (other.choice, other.low_bits)
            and mine.mechanism == others.mechanism
            and (mine.privacy, mine.source.n) == (others.privacy, others.source.n)
            and type(mine.source) is type(others.source)
            and mine.source.domain == others.source.domain
        )

    def pairs(self, databases: DatabaseCache, task: JobTask) -> NeighbourPairs:
        """Return the pairs to choose from; those made of the data only for the curator (in a worker)."""
        offered = [_offered(pair) for pair in public_pairs(self)]
        if self.private:
            task.publish(NeighbourPairs(self, (*offered, OF_DATA), complete=False))
            offered += [*(_offered(pair) for pair in self._pairs_of_data(databases, task)), OF_DATA]
        return NeighbourPairs(self, tuple(offered))

    def fitted(self, databases: DatabaseCache, progress: Progress) -> AuditRequest:
        """Return the request without a pair or a bug that its mechanism does not have (in a worker)."""
        request, choice = self, self.choice
        if choice.bug not in [bug.name for bug in planted_bugs(self.setup)]:
            request = dataclasses.replace(request, choice=choice.but(bug=""))
        names = ["", *(pair.name for pair in public_pairs(request))]
        if request.private and choice.pair not in names:
            names += [MOVED, *(pair.name for pair in request._pairs_of_data(databases, progress))]
        if choice.pair not in names:
            request = dataclasses.replace(request, choice=request.choice.but(pair=""))
        return request

    def compute(self, databases: DatabaseCache, task: JobTask) -> AuditResult:
        """Audit the mechanism on the chosen pair (in a worker)."""
        choice, setup = self.choice, self.setup
        data: Any = public_facts(setup.source)
        asked = choice.arguments(setup.source)
        if self.private and choice.pair == MOVED:
            data = before(setup.source, asked["record"])
        elif self.private and choice.pair not in ("", *(pair.name for pair in public_pairs(self))):
            data = databases.get(setup.source)
        picture = AUDIT.picture(f"audit {'low-bits' if self.low_bits else 'outcomes'}")
        assert picture.view is not None
        known = {"mechanism": setup.mechanism, "data": data, "privacy": setup.privacy, "progress": task}
        result = picture.analysis.call(asked | known)
        if not self.low_bits:
            make_ready(result.run)
        request = dataclasses.replace(self, choice=choice.but(pair=result.pair.name))
        return AuditResult(request, _offered(result.pair), picture.view()(result))

    def _pairs_of_data(self, databases: DatabaseCache, progress: Progress) -> tuple[audit.Pair, ...]:
        data = databases.get(self.setup.source)
        return audit.pairs_from_data(self.mechanism, data, self.setup.privacy, progress=progress)


@dataclasses.dataclass(frozen=True, eq=False)
class AuditResult:
    """What an audit has found.

    `public` is True where it follows from public facts alone.
    """

    request: AuditRequest
    pair: PairOffer
    view: AuditView | LowBitsView

    @property
    def public(self) -> bool:
        """Whether it is public."""
        return self.pair.public

    def with_prior(self, prior: float) -> AuditResult:
        """Return the same for an attacker who was so sure beforehand."""
        return dataclasses.replace(self, view=dataclasses.replace(self.view, prior=prior))

    def answers(self, request: AuditRequest) -> bool:
        """Tell whether it is what an audit of `request` would find."""
        same_data = self.public or self.request.setup.source.same(request.setup.source)
        return self.request.same(request) and same_data

    def is_about(self, request: AuditRequest, *, curator: bool) -> bool:
        """Tell whether it may stand where `request` is asked, even if choices have changed."""
        asked = request.setup.mechanism.question
        return (self.public or curator) and self.request.setup.mechanism.question == asked


@dataclasses.dataclass(frozen=True, eq=False)
class NeighbourPairs:
    """The pairs that there are for a question; `complete` is True for all of them."""

    request: AuditRequest
    pairs: tuple[PairOffer, ...]
    complete: bool = True


def audit_arguments(state: SessionState, view_state: ViewState) -> dict[str, Any]:
    """Return what an audit and its pictures take, by name."""
    chosen = view_state.audit
    return chosen.choice.arguments(selection(state).source) | {"prior": chosen.prior / 100}


def make_ready(run: audit.AuditRun) -> None:
    """Import the pictures, and count and sort what they show: the window's thread has no time for it."""
    for load in AUDIT.drawn_by.values():
        load()
    from app.plots.audit.squares import tests_of

    _ = run.bins
    tests_of(run)


def public_pairs(request: AuditRequest) -> tuple[audit.Pair, ...]:
    """Return the worst cases of a mechanism, which follow from public facts."""
    source = request.setup.source
    return audit.worst_case_pairs(request.mechanism, source.domain, source.n, request.setup.privacy)


def planted_bugs(setup: Selection) -> Iterator[PairOffer]:
    """Yield the mistakes that could be made in a mechanism."""
    for name, bug in PLANTED.items():
        if bug.applies_to(setup.mechanism):
            worst = bug.worst_for(setup.mechanism)
            shown = bug.shows_in_low_bits
            yield PairOffer(name, bug.label, bug.summary, worst=worst, runs=bug.runs, low_bits=shown)


def before(source: Any, record: int) -> Any:
    """Return the database in which a record is what it was before the user moved it by hand."""
    values = getattr(source, "modified_values", {})
    if record in values:
        others = {position: value for position, value in values.items() if position != record}
        source = dataclasses.replace(source, modified_values=others)
    return source.build()


def _offered(pair: audit.Pair) -> PairOffer:
    return PairOffer(pair.name, pair.label, pair.why, pair.public)
