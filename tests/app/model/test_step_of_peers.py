"""No grid of ours is told where another library releases."""

from types import SimpleNamespace

from app.model.selection import step_of
from engine.domain import Interval
from engine.extras.libraries.diffprivlib import DiffprivlibRelease
from engine.mechanisms import LaplaceRelease
from engine.privacy import Privacy
from engine.queries import Mean


def test_what_another_library_releases_lies_on_no_grid_of_ours():
    source = SimpleNamespace(domain=Interval(0.0, 8.0), n=8)
    made = SimpleNamespace(source=source, privacy=Privacy(1.0), mechanism=LaplaceRelease(query=Mean()))
    assert step_of(made) == 2.0**-40
    made.mechanism = DiffprivlibRelease(query=Mean())
    assert step_of(made) is None
