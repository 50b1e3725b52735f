"""Which of the releases that were made is shown in a picture."""

from __future__ import annotations

from collections.abc import Callable

from app.model.selection import Selection
from app.session import Session
from engine.mechanisms import Release


def newest_release(
    session: Session, setup: Selection, fits: Callable[[Selection, Release], bool], *, exactly: bool
) -> Release | None:
    """Return the newest release of what is asked that `fits`; with `exactly`, by this very mechanism."""
    state = session.state
    for record in reversed(state.releases):
        release = record.release
        same = session.is_here(record) and release.query == state.query
        if not same or not fits(setup, release):
            continue
        stated = setup.mechanism.release_parameters().items() if exactly else ()
        matches = all(release.parameters.get(name) == value for name, value in stated)
        if not exactly or (matches and release.privacy == setup.mechanism.cost(setup.privacy)):
            return release
    return None
