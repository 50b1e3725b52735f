"""Making releases: in a job, one at a time, each recorded for good."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.dataset import ReleaseRecord
from app.jobs import Jobs, Task
from app.lessons.place import LessonPlace
from app.session import Session
from app.sources import Databases
from app.state import SessionState
from engine.randomness import reproducible


def make_release(state: SessionState, databases: Databases, task: Task) -> ReleaseRecord:
    """Make one release of what `state` says, in a lesson a simulated one (in a worker)."""
    setup = state.setup()
    # a second simulation in the same step is another one
    rng = None if state.seed is None else reproducible(state.seed + len(state.releases))
    release = setup.mechanism.run(databases.get(setup.source), setup.privacy, rng, task)
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
        self._begun: LessonPlace | None = None
        self.channel = jobs.channel("run")
        self.channel.result.connect(self._on_result)

    @property
    def ready(self) -> bool:
        """Whether nothing is wrong, and no release is being made."""
        state = self._session.state
        return state.dataset is not None and not self.channel.busy and not state.problems()

    def run(self) -> None:
        """Make one release, unless something is wrong or one is being made."""
        if self.ready:
            self._begun = self._session.state.lesson
            work = partial(make_release, self._session.state, self._session.databases)
            self.channel.request(work)

    def _on_result(self, record: ReleaseRecord) -> None:
        if record.release.simulated and self._begun is not self._session.state.lesson:
            return  # the step of the lesson that it belongs to is over
        self._session.add_release(record)
        self.released.emit(record)
