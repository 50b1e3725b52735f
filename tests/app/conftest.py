"""Real windows on real data, closed again after each test."""

import gc
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from lent_windows import NEXT, borrowed, kept, started
from loading import clusters, load, load_blocks, load_edges, load_points
from sparing import FEW


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Tell those who lend windows whether they come back for another test."""
    NEXT[:] = [nextitem is not None and nextitem.path == item.path]


@pytest.fixture(autouse=True)
def usual_numbers() -> Iterator[None]:
    """Write numbers with spaces between thousands; the command line follows the system, which is English."""
    from app.model.wording.numbers import use
    from engine.numerals import use_signs

    def restore() -> None:
        use("si")  # even if it is in use: a window in which it was chosen has told the engine, too
        use_signs()

    restore()  # of what a fixture of the module has left
    yield
    restore()


@pytest.fixture(autouse=True)
def usual_look() -> Iterator[None]:
    """Show light colours and ordinary type again, whatever the window of a test has chosen."""
    yield
    style = sys.modules.get("app.widgets.style")
    if style is not None and (style.THEME.palette, style.THEME.scale) != (style.LIGHT, 1.0):
        style.THEME.choose(style.LIGHT)


@pytest.fixture(scope="module", autouse=True)
def spared() -> Iterator[None]:
    """Let windows search for no garbage, a tenth of their time, and simulate little where that takes long."""
    nothing = SimpleNamespace(**dict.fromkeys(dir(gc), lambda *_: None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.window.layout.gc", nothing)
        for name, few in FEW.items():
            patch.setattr(name, few)
        yield


@pytest.fixture
def lateness(qtbot: Any, ordinary_garbage: None) -> Iterator[Any]:
    """Measure how late the window's thread is."""
    from lateness import Lateness

    meter = Lateness()
    yield meter
    meter.stop()


@pytest.fixture
def dataset() -> Callable[..., Any]:
    """Return a maker of datasets from columns."""
    from app.model.dataset import Dataset
    from engine.data import Table

    def make(name: str = "data.csv", **columns: Any) -> Dataset:
        return Dataset(Table(name, pa.table(columns)), f"file:{name}")

    return make


@pytest.fixture
def session(qtbot: Any, dataset: Callable[..., Any]) -> Any:
    """Return a session on 101 evenly spaced values between 0 and 100."""
    from app.session import Session

    load(made := Session(), dataset(x=np.arange(101.0)), "x", 0.0, 100.0)
    return made


@pytest.fixture
def window_of(qtbot: Any) -> Iterator[Callable[..., Any]]:
    """Return a maker of shown, idle windows on a session; they are closed after the test."""
    from app.window.main_window import MainWindow

    windows: list[MainWindow] = []

    def make(session: Any, patience: int = 10_000, **options: Any) -> MainWindow:
        window = MainWindow(session, **options)
        windows.append(window)
        window.show()
        assert window.wait_until_idle(patience)
        return window

    yield make
    for window in windows:
        window.close()
        window.deleteLater()


@pytest.fixture
def window_on(window_of: Callable[..., Any], dataset: Callable[..., Any]) -> Callable[..., Any]:
    """Return a maker of shown, idle windows on a column of values."""
    from app.session import Session

    def make(values: Any = None, lower: float = 0.0, upper: float = 100.0, **options: Any) -> Any:
        session = Session()
        if values is not None:
            load(session, dataset(x=np.asarray(values, dtype=float)), "x", lower, upper)
        return window_of(session, **options)

    return make


@pytest.fixture
def graph_on(window_of: Callable[..., Any], dataset: Callable[..., Any]) -> Callable[..., Any]:
    """Return a maker of shown, idle windows on the spanning-tree page, with the edges of a graph."""
    from app.session import Session

    def make(upper: float = 10.0, vertices: int | None = None, **columns: Any) -> Any:
        session = Session()
        session.show_page("spanning-tree")
        load_edges(session, dataset("graph.csv", **columns), upper, vertices)
        return window_of(session)

    return make


TWO_TRIANGLES = {
    "source": ["a", "b", "a", "b", "c"],
    "target": ["b", "c", "c", "d", "d"],
    "weight": [1.5, 2.03125, 4.0, 3.0, 7.0],
}
"""Edges of two triangles that share one."""


@pytest.fixture
def graph_window(graph_on: Callable[..., Any]) -> Any:
    """Return a window on two triangles that share an edge; a spanning tree costs 6.53125."""
    return graph_on(vertices=4, **TWO_TRIANGLES)


MEDIAN_OF_101 = np.concatenate([np.linspace(0, 30, 50), [31.25], np.linspace(33, 100, 50)])
"""Values of which one, 31.25, is the median."""


@pytest.fixture
def window(window_on: Callable[..., Any]) -> Any:
    """Return a window on 101 values of which one, 31.25, is the median."""
    return window_on(MEDIAN_OF_101)


@pytest.fixture(scope="module")
def undrawn() -> Iterator[None]:
    """Draw no picture in the module's windows, which would take nearly half of its time.

    Pictures get their results and describe them all the same, and windows paint themselves once. For
    modules about something else: what is drawn is looked at in `tests/app/plots` and `widgets`, and that
    it is in `pages`.
    """
    from undrawing import draw_nothing

    with pytest.MonkeyPatch.context() as patch:
        draw_nothing(patch)
        yield


@pytest.fixture(scope="module")
def roughly_drawn() -> Iterator[None]:
    """Draw pictures in the module's windows, and look for no room for their labels.

    That takes more than half of the time, and is looked at in `tests/app/plots` and `widgets`.
    """
    from app.widgets.plot_canvas import PlotSurface

    def lay_out(surface: PlotSurface) -> None:
        surface._laid_out = True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlotSurface, "_lay_out", lay_out)
        yield


@pytest.fixture(scope="module")
def kept_window(qapp: Any) -> Iterator[Any]:
    """Return a window as `window`; take it from `shared`."""
    with kept("median", "data.csv", {"x": MEDIAN_OF_101}, load, "x", 0.0, 100.0) as window:
        yield window


@pytest.fixture
def shared(kept_window: Any) -> Iterator[Any]:
    """Return a window as `window`, borrowed from the module."""
    with borrowed(kept_window) as window:
        yield window


@pytest.fixture(scope="module")
def kept_first_window(qapp: Any) -> Iterator[Any]:
    """Return a window as a first start shows it, with an example; take it from `first_window`."""
    with started() as window:
        yield window


@pytest.fixture
def first_window(kept_first_window: Any) -> Iterator[Any]:
    """Return a window as a first start shows it, borrowed from the module."""
    with borrowed(kept_first_window) as window:
        yield window


@pytest.fixture(scope="module")
def kept_graph(qapp: Any) -> Iterator[Any]:
    """Return a window as `graph_window`; take it from `shared_graph`."""
    with kept("spanning-tree", "graph.csv", TWO_TRIANGLES, load_edges, 10.0, 4) as window:
        yield window


@pytest.fixture
def shared_graph(kept_graph: Any) -> Iterator[Any]:
    """Return a window as `graph_window`, borrowed from the module."""
    with borrowed(kept_graph) as window:
        yield window


@pytest.fixture(scope="module")
def kept_points(qapp: Any) -> Iterator[Any]:
    """Return a window as `points_window`; take it from `shared_points`."""
    with kept("clustering", "points.csv", clusters(3000), load_blocks, 0.0, 1.0) as window:
        yield window


@pytest.fixture
def shared_points(kept_points: Any) -> Iterator[Any]:
    """Return a window as `points_window`, borrowed from the module."""
    with borrowed(kept_points) as window:
        yield window


@pytest.fixture
def points_on(window_of: Callable[..., Any], dataset: Callable[..., Any]) -> Callable[..., Any]:
    """Return a maker of shown, idle windows on a page about points, with points in a box.

    What is `chosen` beforehand, by kind and name, need not be drawn twice.  On the page about clusters
    those by blocks are asked for.
    """
    from app.session import Session

    def make(
        lower: float = 0.0,
        upper: float = 1.0,
        *,
        page: str = "clustering",
        chosen: dict[str, dict[str, Any]] | None = None,
        query: str | None = None,
        **columns: Any,
    ) -> Any:
        session = Session()
        session.show_page(page)
        load_points(session, dataset("points.csv", **columns), lower, upper)
        for place, parameters in (chosen or {}).items():
            session.edit("choose", parameters={place: parameters})
        if query is not None or page == "clustering":
            session.edit("ask", query=query or "clusters")
        return window_of(session, 30_000)

    return make


@pytest.fixture
def points_window(points_on: Callable[..., Any]) -> Any:
    """Return a window on 3,000 points in three clusters of the unit square."""
    return points_on(**clusters(3000))


@pytest.fixture(scope="module")
def one_process() -> Iterator[None]:
    """Let comparisons of the module's tests run in one process: each takes half a second to start."""
    from engine.comparison import processes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "processors", lambda: 1)
        yield


@pytest.fixture(scope="session", autouse=True)
def answered():
    """Work as users do who have answered the question for a first limit; return what asks for it."""
    from app.window.release_confirmation import ReleaseConfirmation

    asks = ReleaseConfirmation.wants_limit
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReleaseConfirmation, "wants_limit", lambda *_: False)
        yield asks


@pytest.fixture
def asks_for_limit(answered, monkeypatch):
    """Be asked for a first limit."""
    monkeypatch.setattr("app.window.release_confirmation.ReleaseConfirmation.wants_limit", answered)
