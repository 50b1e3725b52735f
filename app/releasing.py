"""Making releases: in a job, one at a time, each recorded for good."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.jobs import Jobs, Task
from app.plots.numbers import number
from app.session import Session
from app.state import ReleaseRecord, Samples, SessionState, Setup
from engine.noise.base import Admissible
from engine.noise.certificate import Certificate


def make_release(state: SessionState, samples: Samples, task: Task) -> ReleaseRecord:
    """Make one release of what `state` says (in a worker)."""
    setup = state.setup()
    release = setup.mechanism.run(samples.get(setup.source), setup.privacy, progress=task)
    # a release that was cancelled while it was made is never seen, and so costs nothing
    task(1.0)
    return ReleaseRecord.of(release, state)


class Releaser(QObject):
    """Runs the mechanism of the session and records what it releases.

    Signals
    -------
    released(ReleaseRecord)
        It is in the history already.
    """

    released = Signal(object)

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self.channel = jobs.channel("run")
        self.channel.result.connect(self._on_result)

    def run(self) -> None:
        """Make one release, unless something is wrong or one is being made."""
        state = self._session.state
        if state.dataset is not None and not self.channel.busy and not state.problems():
            self.channel.request(partial(make_release, state, self._session.samples))

    def _on_result(self, record: ReleaseRecord) -> None:
        self._session.add_release(record)
        self.released.emit(record)


def certificate_words(setup: Setup, pair: Admissible, found: Certificate) -> tuple[str, str]:
    """Say in one line, and in a longer text, what the chosen pair really gives."""
    asked = setup.privacy
    if asked.delta:
        gives = f"ε = {number(asked.epsilon)}, δ = {number(found.joint_delta)}"
    else:
        gives = f"ε = {number(found.joint_epsilon)}"
    verdict = f"certified: {gives}" if found.private else f"NOT private as asked: gives {gives}"
    if setup.constants == "published":
        verdict += "; Definition 2.4 " + ("holds" if found.admissible else "is violated")
    details = (
        f"The pair α = {number(pair.alpha)}, β = {number(pair.beta)} ({pair.source}), checked numerically "
        "between replace-one neighbours (n public).\n"
        f"Together: {'private as asked' if found.private else 'not private as asked'} "
        f"(ε = {number(found.joint_epsilon)} at δ = {number(asked.delta)}; "
        f"δ = {number(found.joint_delta)} at ε = {number(asked.epsilon)}).\n"
        f"Definition 2.4, which gives sliding and dilation half of ε and δ each: "
        f"{'holds' if found.admissible else 'does not hold'} "
        f"(sliding δ = {number(found.sliding_delta)}, dilation δ = {number(found.dilation_delta)})."
    )
    return verdict, details
