"""What the tab "Audit" asks of the engine; plain functions for worker threads.

An audit of a built-in pair looks at no data: what it finds is public.  One of these data is private.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from app.jobs import Task
from app.pages.audit_choice import AuditChoice, Offered
from app.pages.audit_tabs import PICTURES
from app.setups import Setup
from app.sources import Databases
from engine import audit
from engine.errors import ParameterError, UnknownName
from engine.mechanisms.base import Mechanism
from engine.progress import part

if TYPE_CHECKING:
    from app.plots.audit_view import AuditView

PLANTED: dict[str, Any] = {}


@dataclasses.dataclass(frozen=True)
class AuditQuestion:
    """What a job is to audit: a setup, and the choices on the tab.

    `private` tells whether pairs that are made of the data may be looked at.
    """

    setup: Setup
    choice: AuditChoice
    private: bool = True

    @property
    def mechanism(self) -> Mechanism[Any]:
        """What is audited: the mechanism of the page, or one with a mistake in it."""
        right, bug = self.setup.mechanism, self.choice.bug
        if not bug:
            return right
        if bug not in PLANTED:
            raise UnknownName("planted bug", bug, PLANTED)
        if not PLANTED[bug].applies_to(right):
            raise ParameterError("bug", f"{PLANTED[bug].label} is no bug of {right.label}; choose another")
        return PLANTED[bug].planted(right)

    def same(self, other: AuditQuestion) -> bool:
        """Tell whether both ask for the same audit, as far as public facts tell."""
        mine, others = self.setup, other.setup
        return (
            self.choice == other.choice
            and mine.mechanism == others.mechanism
            and (mine.privacy, mine.source.n) == (others.privacy, others.source.n)
            and type(mine.source) is type(others.source)
            and mine.source.domain == others.source.domain
        )


@dataclasses.dataclass(frozen=True, eq=False)
class Audited:
    """What an audit has found.

    `public` is True where it follows from public facts alone.
    """

    question: AuditQuestion
    pair: Offered
    view: AuditView

    @property
    def public(self) -> bool:
        """Whether everybody may see it."""
        return self.pair.public

    def believed(self, prior: float) -> Audited:
        """Return the same for somebody who was so sure beforehand."""
        return dataclasses.replace(self, view=dataclasses.replace(self.view, prior=prior))

    def answers(self, question: AuditQuestion) -> bool:
        """Tell whether it is what an audit of `question` would find."""
        same_data = self.public or self.question.setup.source.same(question.setup.source)
        return self.question.same(question) and same_data

    def is_about(self, question: AuditQuestion, *, curator: bool) -> bool:
        """Tell whether it may stand where `question` is asked, even if choices have changed."""
        asked = question.setup.mechanism.question
        return (self.public or curator) and self.question.setup.mechanism.question == asked


@dataclasses.dataclass(frozen=True, eq=False)
class Neighbours:
    """The pairs that there are of a setup."""

    setup: Setup
    pairs: tuple[Offered, ...]


class Audits:
    """Finds neighbours, and audits mechanisms on them."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def neighbours(self, setup: Setup, private: bool, task: Task) -> Neighbours:
        """Return which pairs there are; those that are made of the data only for who may see these."""
        return Neighbours(setup, tuple(_offered(pair) for pair in public_pairs(setup)))

    def answer(self, question: AuditQuestion, task: Task) -> Audited:
        """Audit a mechanism on the chosen pair."""
        from app.plots.audit_view import AuditView

        for module, _ in PICTURES.values():
            import_module(f"app.plots.{module}")
        mechanism, choice = question.mechanism, question.choice
        pair = self._pair(question, part(task, 0.0, 0.05))
        run = audit.audit_run(
            mechanism,
            pair,
            question.setup.privacy,
            choice.runs,
            choice.seed,
            confidence=choice.confidence,
            progress=part(task, 0.05, 1.0),
        )
        planted = PLANTED[choice.bug].label if choice.bug else ""
        question = dataclasses.replace(question, choice=choice.but(pair=pair.name))
        names = ("first database", "second database") if pair.public else ("the data", "their neighbour")
        return Audited(question, _offered(pair), AuditView(run, names, planted))

    def _pair(self, question: AuditQuestion, progress: Any) -> audit.Pair:
        """Return the chosen pair; `ParameterError` for one that there is not."""
        setup, choice = question.setup, question.choice
        found = {pair.name: pair for pair in public_pairs(setup)}
        if choice.pair not in ("", *found):
            raise UnknownName("pair of neighbours", choice.pair, found)
        return found[choice.pair] if choice.pair else next(iter(found.values()))


def public_pairs(setup: Setup) -> tuple[audit.Pair, ...]:
    """Return the worst cases of a mechanism, which follow from public facts."""
    return audit.built_in(setup.mechanism, setup.source.domain, setup.source.n, setup.privacy)


def planted_bugs(setup: Setup) -> Iterator[Offered]:
    """Yield the mistakes that could be made in a mechanism."""
    for name, bug in PLANTED.items():
        if bug.applies_to(setup.mechanism):
            yield Offered(name, bug.label, bug.summary)


def _offered(pair: audit.Pair) -> Offered:
    return Offered(pair.name, pair.label, pair.why, pair.public)
