"""What the page about histograms asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `Histograms.public` publishes.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from app.jobs import Task
from app.pages.histogram_attacks import Aim, advantage_words, aimed, swept, threshold
from app.pages.histogram_compare import MOST_POINTS, TREELESS, Contest
from app.pages.histogram_others import matrix_view, points_view
from app.pages.histogram_radii import diameters, radii_problem
from app.pages.histogram_tables import NO_TABLE, bars_view, table_view
from app.pages.histogram_tabs import OF_CATEGORIES
from app.pages.histogram_trees import drawn_tree, on_cells, resampled, tree_words, true_tree
from app.pages.histogram_views import cells, coordinates, deepest, levels, of_release, shift
from app.pages.kept import Kept
from app.pages.projections import Axes, Projection, among_data
from app.pages.sensitivity_work import Drawn
from app.plots.cloud_view import Records
from app.plots.histogram_chart_view import LevelsView
from app.plots.histogram_view import Cells, HistogramView, IsolationView, TreeView, Verdict, some_records
from app.plots.numbers import number
from app.setups import PointsSetup
from app.sources import Databases
from engine.data.points import Points
from engine.data.writing import write_points
from engine.domain import Interval
from engine.histograms.histogram import Histogram
from engine.histograms.isolation import Isolation
from engine.histograms.synthetic import synthetic_points
from engine.mechanisms import ShiftedHistogram
from engine.mechanisms.base import Prepared, Release
from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared
from engine.progress import Progress, part
from engine.randomness import reproducible, secure

MOST_HISTOGRAMS = 6
"""Histograms that are kept: each may have hundreds of thousands of cells."""

AROUND, BEYOND, CLOSEST = 0.1, 1.5, 1e-6
"""How far a close-up reaches: in shares of the bounds without the data, in c δ with them, and at least."""

MOST_BEHIND = 3_000
"""Cells behind a tree or a query point: with more of them, nothing else could be seen."""

CORNER = 0.1
"""Where the query point is at first, in shares of the bounds: a public place."""

MOST_DRAWN = 24
"""What is drawn of them, level by level."""


@dataclasses.dataclass(frozen=True)
class HistogramQuestion:
    """What a job is to answer: a setup, the open picture, and the choices on it.

    Attributes
    ----------
    released : Release or None
        The newest release of what is asked, if it is to be shown in the place of a simulated one.
    level : int or None
        How often cells are cut at most; None for as often as they are.
    records : bool
        Whether the data are drawn, too.
    grid : {"cells", "after", "before"}
        Of shifted cubes: the cells alone, with the planes that are left, or with those that are dropped.
    per_area : bool
        Whether cells are shaded by density, else by count.
    query : tuple of d float, or None
        Where somebody guesses; None for the middle of the bounds.
    attack : tuple of (str, int), or None
        Which attack is to guess, and its seed, instead.
    near : bool
        Whether only what lies around the query point is in view.
    window : tuple of Interval, or None
        What is in view while the query point is dragged.
    c : float
        Of the test of isolation.
    sweep : {"c", "t", "d"}
        What varies.
    rivals : tuple of HistogramMechanism
        What is compared.
    """

    setup: Any
    tab: str
    axes: Axes
    seed: int
    released: Release | None = None
    level: int | None = None
    records: bool = True
    grid: str = "cells"
    per_area: bool = True
    query: tuple[float, ...] | None = None
    attack: tuple[str, int] | None = None
    near: bool = False
    window: tuple[Interval, ...] | None = None
    c: float = 4.0
    sweep: str = "c"
    rivals: tuple[HistogramMechanism, ...] = ()


@dataclasses.dataclass(frozen=True)
class Levels:
    """Up to which level a histogram can be looked at, and what there is of each."""

    deepest: int
    table: LevelsView


class Histograms:
    """Answers questions in one worker at a time; what was counted is not counted again."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self._kept = Kept()
        self._grown = Kept(most=MOST_HISTOGRAMS)
        self._drawn = Kept(most=MOST_DRAWN)

    def answer(self, question: HistogramQuestion, task: Task) -> None:
        """Publish a `Drawn` for each part as soon as it is known."""
        if question.tab in OF_CATEGORIES:
            self._categories(question, task)
            return
        points = self._data(question, task)
        others = {
            "compare": self._compare,
            "radii": self._radii,
            "matrix": self._matrix,
            "points": self._synthetic,
        }
        if question.tab in others:
            others[question.tab](question, points, task)
            return
        histogram = self.histogram(question, points, part(task, 0.0, 0.4))
        self._publish(question, histogram, points, task)

    def public(self, question: HistogramQuestion, task: Task) -> None:
        """Publish the newest release; no data are looked at."""
        others = {"matrix": self._matrix, "points": self._synthetic}
        if question.tab in OF_CATEGORIES:
            self._show_categories(question, question.released.value, None, task)  # type: ignore[union-attr]
        elif question.tab in others:
            others[question.tab](question, None, task)
        else:
            self._publish(question, self._of_release(question), None, task)

    def save_points(self, question: HistogramQuestion, path: str, task: Task) -> str:
        """Draw points from the histogram that is shown and write them; say what was written.

        Those of a release are as public as it is, and no data are looked at.
        """
        if question.released is not None:
            histogram = self._of_release(question)
        else:
            points = self._databases.get(question.setup.source)
            assert isinstance(points, Points)
            histogram = self.histogram(question, points, part(task, 0.0, 0.4))
        task(0.4, "drawing synthetic points")
        drawn = synthetic_points(histogram, secure(), question.setup.source.n)
        write_points(path, question.setup.source.columns, drawn, part(task, 0.5, 1.0))
        said = f"Saved {path}: {number(len(drawn))} points drawn from"
        if question.released is not None:
            return f"{said} the newest release"
        return f"{said} a simulated histogram, which was derived from private data"

    # What is found out.

    def ready(self, setup: PointsSetup, points: Points, progress: Progress) -> HistogramPrepared:
        """Look at the data as the mechanism does; without noise, the budget makes no difference."""
        mechanism = setup.mechanism
        budget = setup.privacy if mechanism.is_private else None
        found = self._grown.get(
            ("ready", points, mechanism, budget), lambda: mechanism.prepare(points, setup.privacy, progress)
        )
        assert isinstance(found, HistogramPrepared)
        return found

    def histogram(self, question: HistogramQuestion, points: Points, progress: Progress) -> Histogram:
        """Return the histogram that is looked at: a release, or simulated."""
        if question.released is not None:
            return self._of_release(question)
        setup = question.setup
        mechanism = setup.mechanism
        budget = setup.privacy if mechanism.is_private else None

        def work() -> Histogram:
            ready = self.ready(setup, points, part(progress, 0.0, 0.5))
            return ready.histogram(reproducible(question.seed), part(progress, 0.5, 1.0))

        found: Histogram = self._grown.get(("histogram", points, mechanism, budget, question.seed), work)
        return found

    def _of_release(self, question: HistogramQuestion) -> Histogram:
        """Return the histogram that a release holds."""
        release = question.released
        assert release is not None
        # what is kept holds the release, too, so that no other one can have its identity
        found: tuple[Release, Histogram] = self._grown.get(
            ("released", id(release)), lambda: (release, of_release(release))
        )
        return found[1]

    # The pictures.

    def _publish(
        self, question: HistogramQuestion, histogram: Histogram, points: Points | None, task: Task
    ) -> None:
        """Publish the picture that is open; without points, only what follows from the histogram."""
        if question.tab == "attacks":
            assert points is not None
            self._attacks(question, histogram, points, task)
            return
        self._levels(question, histogram, points, task)
        picture = {"cells": self._cells, "tree": self._tree, "isolation": self._isolation}
        if question.tab in picture:
            picture[question.tab](question, histogram, points, task)

    def _levels(
        self, question: HistogramQuestion, histogram: Histogram, points: Points | None, task: Task
    ) -> None:
        unit = question.setup.unit
        table = self._drawn.get(("levels", histogram, unit), lambda: levels(histogram, unit))
        found = Levels(deepest(histogram), table)
        task.publish(Drawn("levels", found, question, points is None))

    def _cells(
        self, question: HistogramQuestion, histogram: Histogram, points: Points | None, task: Task
    ) -> None:
        public, last = points is None, deepest(histogram)
        level = question.level if question.level is not None and question.level < last else None
        seen = self._seen(question, histogram)
        view = HistogramView(
            seen.directions,
            seen.window,
            self._shown(question, histogram, level, part(task, 0.4, 0.8)),
            records=self._records(question, points, seen),
            per_area=question.per_area,
            released=question.released is not None,
        )
        if question.grid != "cells":
            depth = last if level is None else level
            drawn = coordinates(question.axes, histogram.dimension)
            view = dataclasses.replace(view, shift=shift(histogram, drawn, depth, question.grid == "before"))
            view = dataclasses.replace(view, window=view.around())
        task.publish(Drawn("cells", view, question, public))

    def _tree(
        self, question: HistogramQuestion, histogram: Histogram, points: Points | None, task: Task
    ) -> None:
        public, drawn = points is None, coordinates(question.axes, histogram.dimension)
        seen, unit = self._seen(question, histogram), question.setup.unit
        tree = self._drawn.get(
            ("tree", histogram, drawn), lambda: on_cells(histogram, drawn, part(task, 0.4, 0.6))
        )
        view = TreeView(
            seen.directions,
            seen.window,
            self._behind(question, histogram, task),
            tree,
            records=self._records(question, points, seen),
            unit=unit,
            released=question.released is not None,
        )
        known = self._drawn.holds(("resampled", histogram, question.seed))
        if not known:
            task.publish(Drawn("tree", view, question, public))
        cost = self._drawn.get(
            ("resampled", histogram, question.seed),
            lambda: resampled(histogram, question.seed, part(task, 0.6, 0.8)),
        )
        view = dataclasses.replace(view, resampled=cost)
        if points is None or not question.records:
            task.publish(Drawn("tree", view, question, public))
            return
        true = self._kept.get(("true tree", points), lambda: true_tree(points.values, part(task, 0.8, 1.0)))
        truth = None if true is None else drawn_tree(true, points.values, drawn)
        task.publish(Drawn("tree", dataclasses.replace(view, truth=truth), question))
        task.publish(Drawn("advice", tree_words(points.n, tree, truth), question))

    def _isolation(
        self, question: HistogramQuestion, histogram: Histogram, points: Points | None, task: Task
    ) -> None:
        public, mechanism = points is None, question.setup.mechanism
        box, drawn = question.setup.source.domain, coordinates(question.axes, histogram.dimension)
        query = np.array(box.lower + CORNER * box.width if question.query is None else question.query)
        if question.attack is not None:
            aim = aimed(*question.attack, histogram, box)
            query = np.array(aim.query)
            task.publish(Drawn("aim", aim, question, public))
        elif question.query is None:
            task.publish(Drawn("aim", Aim(tuple(query.tolist()), ""), question, public))
        seen, t = self._seen(question, histogram), threshold(mechanism)
        verdict, reach = None, AROUND * box.width
        if points is not None and question.records:
            isolation = self._kept.get(("isolation", points), lambda: Isolation(points.values))
            found = isolation.verdict(query, question.c, t)
            nearest = points.values[found.nearest, list(drawn)]
            verdict = Verdict(nearest, found.distance, found.within, found.isolates)
            reach = np.clip(BEYOND * question.c * found.distance, CLOSEST * box.width, None)
        view = IsolationView(
            seen.directions,
            seen.window,
            self._behind(question, histogram, part(task, 0.4, 1.0)),
            query[list(drawn)],
            question.c,
            t,
            verdict=verdict,
            dimensions=histogram.dimension,
            released=question.released is not None,
        )
        if question.near:
            ends = zip(view.query - reach[list(drawn)], view.query + reach[list(drawn)], strict=True)
            window = question.window or tuple(Interval(float(low), float(high)) for low, high in ends)
            view = dataclasses.replace(view, window=window)
            seen = dataclasses.replace(seen, zoom=window)
        view = dataclasses.replace(view, records=self._records(question, points, seen))
        task.publish(Drawn("isolation", view, question, public))

    def _attacks(self, question: HistogramQuestion, histogram: Histogram, points: Points, task: Task) -> None:
        setup, mechanism = question.setup, question.setup.mechanism
        assert isinstance(mechanism, HistogramMechanism)
        key = ("attacks", histogram, question.sweep, question.c, question.seed)
        known: list[Any] = self._drawn.get(key, list)
        if not known:
            here, last = part(task, 0.4, 1.0), None
            for view in swept(
                question.sweep, mechanism, setup.privacy, points, histogram, question.c, question.seed, here
            ):
                last = view
                task.publish(Drawn("attacks", view, question))
            known.append(last)
        task.publish(Drawn("attacks", known[-1], question))
        task.publish(Drawn("advice", advantage_words(known[-1]), question))

    def _compare(self, question: HistogramQuestion, points: Points, task: Task) -> None:
        privacy, mechanism = question.setup.privacy, question.setup.mechanism
        assert isinstance(mechanism, HistogramMechanism)
        key = ("contest", points, question.rivals, privacy, question.seed, mechanism.name)
        known: list[Any] = self._kept.get(key, list)
        if not known:
            contest = Contest(question.rivals, mechanism, points, privacy)
            for view in contest.run(question.seed, task):
                task.publish(Drawn("compare", view, question))
            known.append(contest.view())
        task.publish(Drawn("compare", known[-1], question))
        task.publish(Drawn("advice", TREELESS * (points.n > MOST_POINTS), question))

    def _radii(self, question: HistogramQuestion, points: Points, task: Task) -> None:
        setup, mechanism = question.setup, question.setup.mechanism
        assert isinstance(mechanism, ShiftedHistogram)
        t, depth = int(mechanism.t), int(mechanism.max_depth)
        problem = radii_problem(points.n, t)
        if problem:
            task.publish(Drawn("problem", problem, question))
            return
        known: list[Any] = self._kept.get(("radii", points, mechanism, setup.unit, question.seed), list)
        if not known:
            ready, last = self.ready(setup, points, task), None
            for view in diameters(ready, points, t, depth, setup.unit, question.seed, task):
                last = view
                task.publish(Drawn("radii", view, question))
            known.append(last)
        task.publish(Drawn("radii", known[-1], question))

    def _value(self, question: HistogramQuestion, points: Any, progress: Progress) -> Any:
        """Return what is released, or could be, and the prepared mechanism where the data are known."""
        if question.released is not None:
            return question.released.value
        assert points is not None
        setup, mechanism = question.setup, question.setup.mechanism
        ready = self._other(question, points, progress)
        key = ("value", points, mechanism, setup.privacy, question.seed)
        return self._kept.get(key, lambda: mechanism.made(ready, points.domain, reproducible(question.seed)))

    def _other(self, question: HistogramQuestion, points: Any, progress: Progress) -> Prepared:
        """Look at the data, for what is no histogram."""
        setup = question.setup
        key = ("other", points, setup.mechanism, setup.privacy)
        found: Prepared = self._kept.get(
            key, lambda: setup.mechanism.prepare(points, setup.privacy, progress)
        )
        return found

    def _matrix(self, question: HistogramQuestion, points: Points | None, task: Task) -> None:
        mechanism, domain = question.setup.mechanism, question.setup.source.domain
        value, truth = self._value(question, points, task), None
        if points is not None:
            truth = mechanism.released(self._other(question, points, task).diagnostics["true_value"], domain)
        about = str(mechanism.settings().get("about", "mean"))
        simulated = question.released is None
        view = matrix_view(question.setup.source.columns, value, truth, about, simulated)
        task.publish(Drawn("matrix", view, question, points is None))

    def _synthetic(self, question: HistogramQuestion, points: Points | None, task: Task) -> None:
        value = self._value(question, points, task)
        source = question.setup.source
        seen = among_data(source, Axes(*coordinates(question.axes, source.domain.dimension)))
        records = self._records(question, points, seen)
        view = points_view(seen, value, records, question.released is None)
        task.publish(Drawn("points", view, question, points is None))

    def _categories(self, question: HistogramQuestion, task: Task) -> None:
        """Publish counts or shares of categories, and the true ones."""
        setup = question.setup
        mechanism, records = setup.mechanism, self._databases.get(setup.source)
        ready = self._other(question, records, task)
        true = ready.diagnostics["true_value"]
        # of the mode all counts, of which it names the largest
        truth = true if mechanism.name == "mode" else mechanism.true_answer(true, records.domain)
        value = self._value(question, records, task)
        self._show_categories(question, value, truth if question.records else None, task)

    def _show_categories(self, question: HistogramQuestion, value: Any, truth: Any, task: Task) -> None:
        setup, simulated = question.setup, question.released is None
        domain, view = setup.source.domain, None
        if question.tab == "table":
            second, first = coordinates(question.axes, len(domain.columns))  # rows go up
            view = table_view(domain, (first, second), value, truth, simulated)
        else:
            view = bars_view(setup.mechanism.name, domain, value, truth, simulated)
        public = not simulated and truth is None
        if view is None:
            task.publish(Drawn("problem", NO_TABLE, question, public))
        else:
            task.publish(Drawn(question.tab, view, question, public))

    # What several pictures need.

    def _data(self, question: HistogramQuestion, task: Task) -> Points:
        """Return the points; publish how many of them the bounds move."""
        points = self._databases.get(question.setup.source)
        assert isinstance(points, Points)
        task.publish(Drawn("clamped", self._kept.get(("outside", points), lambda: points.outside), question))
        return points

    def _seen(self, question: HistogramQuestion, histogram: Histogram) -> Projection:
        """Return the projection on the coordinates that are drawn."""
        drawn = coordinates(question.axes, histogram.dimension)
        return among_data(question.setup.source, Axes(*drawn))

    def _shown(
        self, question: HistogramQuestion, histogram: Histogram, level: int | None, progress: Progress
    ) -> Cells:
        """Return the cells that are drawn."""
        drawn = coordinates(question.axes, histogram.dimension)

        def work() -> Cells:
            progress(0.0, "drawing cells")
            cut = histogram if level is None else histogram.at_level(level)
            return cells(cut, drawn, question.setup.source.domain, progress)

        found: Cells = self._drawn.get(("cells", histogram, drawn, level), work)
        return found

    def _behind(self, question: HistogramQuestion, histogram: Histogram, progress: Progress) -> Cells:
        """Return cells that lie behind something else: of the deepest level that has not too many."""
        sizes = np.cumsum(np.bincount(histogram.level))
        last, level = deepest(histogram), None
        if histogram.size > MOST_BEHIND and last:
            level = int(np.searchsorted(sizes, MOST_BEHIND // 2))
            level = min(max(level - 1, 0), last - 1)
        return self._shown(question, histogram, level, progress)

    def _records(
        self, question: HistogramQuestion, points: Points | None, seen: Projection
    ) -> Records | None:
        """Return some of the records along the directions, if they are to be seen."""
        if points is None or not question.records:
            return None
        axes = [int(column.argmax()) for column in seen.vectors.T]

        def work() -> Records:
            values = points.values[:, axes]
            if seen.zoom is not None:  # of those around, not of all
                low, high = np.array([(side.lower, side.upper) for side in seen.window]).T
                values = values[((values >= low) & (values <= high)).all(axis=1)]
            return some_records(values, seen.window)

        found: Records = self._kept.get(("records", points, tuple(axes), seen.window), work)
        return found
