"""Balls: one or several, each with a center and a radius, perhaps with the mean of what one holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import columns, counted
from app.model.wording.console import number as console_number
from app.model.wording.guarantees import promise_words, share_words
from app.model.wording.numbers import number
from app.releases.answer import ReleasedAnswer, first_lines
from app.releases.found import Found, balls_of, found_of, held_by, records_on_grid
from app.releases.geometry import recorded_coordinates, title_of
from app.releases.labels import mechanism_label, title_words
from app.releases.points import DIGITS, FAILED, point_words
from app.releases.public_rows import Rows
from app.releases.shape import Shape, Table
from engine.mechanisms.one_cluster import FINDERS, FORMER_NAMES, Share
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

NO_BALL = "no ball"


class BallsShape(Shape):
    """A ball, or several in the order in which they were found; None where none was."""

    name = "balls"
    blank = "–"
    explanations: ClassVar[Mapping[str, str]] = {
        "true_value": "true ball: smallest around a record",
        "held": "records in the ball",
    }

    def words(self, record: ReleaseRecord) -> str:
        value = record.release.value
        if not isinstance(value, list):
            return ball_words(value)
        results = found_of(value)
        more = f": {ball_words(results[0])}" if results else ""
        return f"{len(results)} of {len(value)} balls{more}{', …' * (len(results) > 1)}"

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        """Return center, radius and mean of each ball; an empty row where none was found."""
        balls = balls_of(record.release.value)
        has_mean = any("mean" in ball for ball in found_of(balls))
        means = [f"mean {name}" for name in record.coordinates] if has_mean else []
        header = [*record.coordinates, "radius", *means]
        rows = [
            [""] * len(header) if ball is None else [*ball["center"], ball["radius"], *ball.get("mean", ())]
            for ball in balls[:most]
        ]
        return header, rows

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        balls = balls_of(record.release.value)
        results = found_of(balls)
        of_all = f" of {len(balls)}" if len(balls) > 1 else ""
        value = f"{counted(len(results), 'ball')}{of_all}"
        return ReleasedAnswer(value, lines=first_lines(map(ball_words, results)))

    def method(self, release: Release) -> str:
        finder = release.parameters.get("finder", "")
        finder = dict(FORMER_NAMES).get(finder, finder)
        return FINDERS[finder].label if finder in FINDERS else mechanism_label(release)

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        from app.releases.balls_figure import public_balls, public_panel

        coordinates = recorded_coordinates(record)
        if not coordinates:
            return None
        return public_panel(title_words(record), public_balls(coordinates, record.release))

    def headline(self, run: Run, release: Release) -> str:
        balls = balls_of(release.value)
        results = found_of(balls)
        if len(balls) > 1:
            return f"{counted(len(results), 'ball')} of {len(balls)}, in the order in which they were found"
        if not results:
            return NO_BALL
        return "1 ball, and the mean inside" if "mean" in results[0] else "1 ball"

    def listing(self, run: Run, release: Release) -> str:
        balls = balls_of(release.value)
        names = [f"ball {index}" for index in range(1, len(balls) + 1)] if len(balls) > 1 else ["ball"]
        results = [(name, ball) for name, ball in zip(names, balls, strict=True) if ball is not None]
        rows = [[name, *_written([*ball["center"], ball["radius"]])] for name, ball in results]
        rows += [["mean", *_written(ball["mean"]), ""] for _, ball in results if "mean" in ball]
        header = ["", *(at.title for at in run.coordinates), f"radius [{run.unit}]" if run.unit else "radius"]
        return columns(header, rows) if rows else ""

    def rows(self, run: Run) -> Rows:
        box, n = run.data.database.domain, run.data.database.n
        finder, grid = run.mechanism.search.finder(box), run.mechanism.search.domain(box)
        step = console_number(grid.step, DIGITS, run.unit)
        return [
            ("found by", f"{finder.label.lower()}, on a grid of step {step}"),
            ("promise", promise_words(run.mechanism, box, n, run.privacy)),
            ("epsilon of steps", ", ".join(map(share_words, _shares(run)))),
        ]

    def parameters(self, run: Run, release: Release) -> dict[str, Any]:
        steps = [
            {"name": share.name, "epsilon": share.privacy.epsilon, "delta": share.privacy.delta}
            for share in _shares(run)
        ]
        return {**super().parameters(run, release), "steps": steps}

    def remarks(self, run: Run, release: Release) -> Iterator[str]:
        if release.value is None:
            yield FAILED
        balls = balls_of(release.value)
        if len(balls) > 1 and None in balls:
            yield f"{balls.count(None)} of {len(balls)} balls not found; the budget of each is spent"
        width = float(run.data.database.domain.width.max())
        if any(2 * ball["radius"] >= width for ball in found_of(balls)):
            yield "a ball is as wide as the bounds and says little; ask for fewer points or a larger epsilon"

    def assessment(self, run: Run, release: Release, prepared: Prepared) -> dict[str, Any]:
        if release.value is None:
            return {}
        records = records_on_grid(run, prepared)
        held = [None if ball is None else held_by(ball, records) for ball in balls_of(release.value)]
        return {"held": held if isinstance(release.value, list) else held[0]}

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        from app.releases.balls_figure import private_panel, public_balls, public_panel

        view = public_balls(run.coordinates, release, run.data.database.n)
        if not show_private:
            return public_panel(run.title(release), view)
        return private_panel(title_of(run.mechanism), run, release, prepared, view)


def ball_words(ball: Found) -> str:
    """Write a ball by center and radius, with the mean inside if there is one."""
    mean = f", mean {point_words(ball['mean'])}" if "mean" in ball else ""
    return f"{point_words(ball['center'])}, radius {number(ball['radius'])}{mean}"


def _shares(run: Run) -> tuple[Share, ...]:
    database = run.data.database
    shares: tuple[Share, ...] = run.mechanism.shares(database.domain, database.n, run.privacy)
    return shares


def _written(numbers: list[float]) -> list[str]:
    return [console_number(one, DIGITS) for one in numbers]
