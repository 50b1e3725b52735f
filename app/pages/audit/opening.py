"""The game of the first start: is Ana on the list from which an answer comes?"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from app.model.view_states import AuditChoice
from app.model.wording.numbers import format_exact
from app.pages.audit.analysis import make_ready, with_better_pair
from app.plots.audit.view import AuditView
from engine import audit, catalog
from engine.data.examples import EXAMPLES, load_example
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import PLANTED, ScalarMechanism, SmoothRelease
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries import Median

EXAMPLE, RECORD, BEN = "anas-firm", 0, 90_000.0
"""The data, the index of Ana's record, and the salary of Ben, who replaces her."""
EPSILON, RUNS = 1.0, 20_000
SLOW_SHARE = 4  # of the affordable runs, where these are fewer
SIDES, PEOPLE = ("with Ana", "without Ana"), ("", "Ben")


@dataclasses.dataclass(frozen=True)
class GameMechanism:
    """A mechanism that makes the answers: its name, and the name of its planted mistake."""

    mechanism: str = SmoothRelease.name
    bug: str = ""
    example: ClassVar[str] = EXAMPLE

    @property
    def choice(self) -> AuditChoice:
        """The audit of the same game in the workbench."""
        return AuditChoice(audit.MOVED, self.bug, RUNS, record=RECORD, value=format_exact(BEN))


AT_LOCAL, AT_SMOOTH = GameMechanism(bug="local-noise"), GameMechanism()


def opening_game(player: GameMechanism, seed: int = 1, progress: Progress = silent) -> AuditView:
    """Return the game with the answers of a mechanism (in a worker)."""
    card, domain = EXAMPLES[EXAMPLE], _domain()
    data = Sample(load_example(EXAMPLE).numbers(card.column).values, domain)
    mechanism, privacy = _mechanism(player.mechanism), Privacy(EPSILON)
    affordable = mechanism.prepare(data, privacy).most_runs(RUNS)
    if affordable < RUNS:  # other libraries are slow, and the player waits
        affordable //= SLOW_SHARE
    result = audit.audit_neighbours(
        mechanism,
        data,
        privacy,
        pair=audit.MOVED,
        bug=player.bug,
        record=RECORD,
        value=BEN,
        runs=max(audit.MIN_RUNS, affordable),
        seed=seed,
        progress=progress,
    )
    view = make_ready(AuditView.of(result, names=SIDES, people=PEOPLE, plain=True))
    return with_better_pair(view, player.bug, mechanism, data, privacy)


def players() -> dict[GameMechanism, str]:
    """Return the mechanisms that can make the answers, with their labels; faulty variants last."""
    budget, domain, n = Privacy(EPSILON), _domain(), EXAMPLES[EXAMPLE].n
    names = [name for name in catalog.methods() if not _mechanism(name).problems(budget, domain, n)]
    own = {GameMechanism(name): catalog.methods()[name].label for name in names}
    smooth = _mechanism(SmoothRelease.name)
    bugs = {name: bug for name, bug in PLANTED.items() if bug.applies_to(smooth)}
    return own | {GameMechanism(bug=name): f"Not DP: {bug.label}" for name, bug in bugs.items()}


def _domain() -> Interval:
    column = EXAMPLES[EXAMPLE].columns[0]
    return Interval(column.lower, column.upper)


def _mechanism(name: str) -> ScalarMechanism:
    return catalog.methods()[name](query=Median())
