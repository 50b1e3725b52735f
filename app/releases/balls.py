"""Balls: one or several, each with a center and a radius, perhaps with the mean of what one holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.guarantees import promise_words, share_words
from app.model.wording.numbers import number
from app.releases.geometry import DRAWN, directions_of, recorded_coordinates
from app.releases.labels import mechanism_label, title_words
from app.releases.points import DIGITS, FAILED, point_words
from app.releases.run import Rows, RunRecord
from app.releases.shape import MAX_PARTS, ReleasedAnswer, Shape, Table, console_table, first_lines
from engine.mechanisms.one_cluster import FINDERS, FORMER_NAMES, Ball, Share
from engine.mechanisms.one_cluster.balls import BallsPrepared
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.analysis.ball_scenes import BallCloud, Disc
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

NO_BALL = "no ball"

ReleasedBall = Mapping[str, Any]
"""Its center, its radius, and perhaps a mean."""


class BallsShape(Shape):
    """A ball, or several in the order in which they were found; None where none was."""

    name = "balls"
    draws_nothing = True
    blank = "–"
    explanations: ClassVar[Mapping[str, str]] = {
        "true_value": "true ball: smallest around a record",
        "held": "records in the ball",
    }

    def summary(self, record: ReleaseRecord) -> str:
        value = record.release.value
        if not isinstance(value, list):
            return ball_words(value)
        results = _balls(value)
        more = f": {ball_words(results[0])}" if results else ""
        return f"{len(results)} of {len(value)} balls{more}{', …' * (len(results) > 1)}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        """Return center, radius and mean of each ball; an empty row where none was found."""
        balls = _as_list(record.release.value)
        has_mean = any("mean" in ball for ball in _balls(balls))
        means = [f"mean {name}" for name in record.coordinates] if has_mean else []
        header = [*record.coordinates, "radius", *means]
        rows = [
            [""] * len(header) if ball is None else [*ball["center"], ball["radius"], *ball.get("mean", ())]
            for ball in balls[:limit]
        ]
        return header, rows

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        balls = _as_list(record.release.value)
        results = _balls(balls)
        of_all = f" of {len(balls)}" if len(balls) > 1 else ""
        value = f"{counted(len(results), 'ball')}{of_all}"
        return ReleasedAnswer(value, parts=first_lines(map(ball_words, results), MAX_PARTS))

    def method(self, release: Release) -> str:
        finder = release.parameters.get("finder", "")
        finder = dict(FORMER_NAMES).get(finder, finder)
        return FINDERS[finder].label if finder in FINDERS else mechanism_label(release)

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        """Return the balls within the public bounds; for the curator with the data and the true balls."""
        from app.plots.figure_panel import FigurePanel
        from app.plots.one_cluster.map import BallMap
        from engine.analysis.ball_scenes import BallCloud

        coordinates, release = recorded_coordinates(record), record.release
        if not coordinates:
            return None
        directions, results = directions_of(coordinates), _balls(release.value)
        view = BallCloud(
            directions,
            tuple(direction.side for direction in directions),
            balls=tuple(map(_disc, results)),
            mean=_mean(results),
            n=record.run.data.database.n if isinstance(record, RunRecord) else 0,
            simulated=release.simulated,
            target=int(release.parameters.get("t", 0)),
        )
        prepared = record.prepared if isinstance(record, RunRecord) else None
        if prepared is not None:
            assert isinstance(record, RunRecord)
            view = _with_truth(record.run, prepared, results, view)
        return FigurePanel(title_words(record), BallMap, view, private=prepared is not None)

    def headline(self, record: RunRecord) -> str:
        balls = _as_list(record.release.value)
        results = _balls(balls)
        if len(balls) > 1:
            return f"{counted(len(results), 'ball')} of {len(balls)}, in the order in which they were found"
        if not results:
            return NO_BALL
        return "1 ball, and the mean inside" if "mean" in results[0] else "1 ball"

    def listing(self, record: RunRecord) -> str:
        balls, unit = _as_list(record.release.value), record.unit
        names = [f"ball {index}" for index in range(1, len(balls) + 1)] if len(balls) > 1 else ["ball"]
        results = [(name, ball) for name, ball in zip(names, balls, strict=True) if ball is not None]
        rows = [[name, *ball["center"], ball["radius"]] for name, ball in results]
        rows += [["mean", *ball["mean"], ""] for _, ball in results if "mean" in ball]
        titles = (at.title for at in record.run.coordinates)
        header = ["", *titles, f"radius [{unit}]" if unit else "radius"]
        return console_table(header, rows, digits=DIGITS) if rows else ""

    def rows(self, run: Run) -> Rows:
        box, n = run.data.database.domain, run.data.database.n
        finder, grid = run.mechanism.search.finder(box), run.mechanism.search.domain(box)
        step = console_number(grid.step, DIGITS, run.unit)
        return [
            ("found by", f"{finder.label.lower()}, on a grid of step {step}"),
            ("promise", promise_words(run.mechanism, box, n, run.privacy)),
            ("epsilon of steps", ", ".join(map(share_words, _shares(run)))),
        ]

    def parameters(self, record: RunRecord) -> dict[str, Any]:
        steps = [
            {"name": share.name, "epsilon": share.privacy.epsilon, "delta": share.privacy.delta}
            for share in _shares(record.run)
        ]
        return {**super().parameters(record), "steps": steps}

    def remarks(self, record: RunRecord) -> Iterator[str]:
        if record.release.value is None:
            yield FAILED
        balls = _as_list(record.release.value)
        if len(balls) > 1 and None in balls:
            yield f"{balls.count(None)} of {len(balls)} balls not found; the budget of each is spent"
        width = float(record.run.data.database.domain.width.max())
        if any(2 * ball["radius"] >= width for ball in _balls(balls)):
            yield "a ball is as wide as the bounds, so it is useless; ask for fewer points or more epsilon"

    def assessment(self, record: RunRecord) -> dict[str, Any]:
        value = record.release.value
        if value is None or record.prepared is None:
            return {}
        records = _records_on_grid(record.run, record.prepared)
        held = [None if ball is None else _held_by(ball, records) for ball in _as_list(value)]
        return {"held": held if isinstance(value, list) else held[0]}


def ball_words(ball: ReleasedBall) -> str:
    """Write a ball by center and radius, with the mean inside if there is one."""
    mean = f", mean {point_words(ball['mean'])}" if "mean" in ball else ""
    return f"{point_words(ball['center'])}, radius {number(ball['radius'])}{mean}"


def _as_list(value: Any) -> list[ReleasedBall | None]:
    """Return the balls of a released value in order; None for one that was not found."""
    return value if isinstance(value, list) else [value]


def _balls(value: Any) -> list[ReleasedBall]:
    return [ball for ball in _as_list(value) if ball is not None]


def _shares(run: Run) -> tuple[Share, ...]:
    database = run.data.database
    shares: tuple[Share, ...] = run.mechanism.shares(database.domain, database.n, run.privacy)
    return shares


def _records_on_grid(run: Run, prepared: Prepared) -> np.ndarray:
    """Return the points of the public grid that stand for the records (private)."""
    assert isinstance(prepared, BallsPrepared)
    records: np.ndarray = run.mechanism.search.domain(run.data.database.domain).points_at(prepared.points)
    return records


def _held_by(ball: ReleasedBall, points: np.ndarray) -> int:
    """Return the number of points in a ball."""
    return int(Ball(tuple(ball["center"]), ball["radius"]).contains(points).sum())


def _with_truth(run: Run, prepared: Prepared, balls: list[ReleasedBall], view: BallCloud) -> BallCloud:
    """Add the data, the true balls, and the number of records in each ball (private)."""
    from engine.analysis.shared.records import Records

    records = _records_on_grid(run, prepared)  # the balls are those of the points on the public grid
    truth = _balls(
        run.mechanism.output.released(prepared.diagnostics["true_value"], run.data.database.domain)
    )
    return dataclasses.replace(
        view,
        records=Records.of(run.data.database.values[:, :DRAWN], view.window),
        balls=tuple(_disc(ball, records) for ball in balls),
        truth=tuple(_disc(ball, records) for ball in truth),
        true_mean=_mean(truth),
    )


def _disc(ball: ReleasedBall, points: np.ndarray | None = None) -> Disc:
    """Return a ball to draw; with `points`, also how many of them it holds."""
    from engine.analysis.ball_scenes import Disc

    held = None if points is None else _held_by(ball, points)
    return Disc(np.array(ball["center"][:DRAWN]), ball["radius"], held)


def _mean(balls: list[ReleasedBall]) -> np.ndarray | None:
    return next((np.array(ball["mean"][:DRAWN]) for ball in balls if "mean" in ball), None)
