"""Releasing small balls, the mean inside of one, and interior points."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import columns, counted
from app.model.wording.console import number as words
from app.releases.geometry import balls_of
from app.releases.points import DIGITS, PointsRelease
from engine.mechanisms import Prepared, Release
from engine.mechanisms.one_cluster.balls import BallsPrepared

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.releases.figures import FigurePanel
    from engine.data.points import Points
    from engine.mechanisms import BallMechanism, InteriorPoint
    from engine.mechanisms.one_cluster import Share
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy

NO_BALL = "no ball"


@dataclasses.dataclass(frozen=True)
class InteriorRelease(PointsRelease[Prepared, Release]):
    """A number between the smallest and the largest record."""

    mechanism: InteriorPoint

    def rows(self, data: LoadedRecords[Points]) -> list[tuple[str, str]]:
        """Return bounds, mechanism and what is promised."""
        return [*super().rows(data), promise_row(self.mechanism, data, self.privacy)]


@dataclasses.dataclass(frozen=True)
class BallRelease(PointsRelease[BallsPrepared, Release]):
    """One or several balls, each with a center and a radius, perhaps with the mean of what one holds."""

    mechanism: BallMechanism
    explanations: ClassVar[Mapping[str, str]] = {
        "true_value": "true ball: smallest around a record",
        "held": "records in the ball",
    }

    def parameters(self, release: Release, data: LoadedRecords[Points]) -> dict[str, Any]:
        """Return all public parameters, and the budget of each step."""
        steps = [
            {"name": share.name, "epsilon": share.privacy.epsilon, "delta": share.privacy.delta}
            for share in self._shares(data)
        ]
        return {**super().parameters(release, data), "steps": steps}

    def assess(
        self, release: Release, prepared: BallsPrepared, data: LoadedRecords[Points]
    ) -> dict[str, Any]:
        """Return how many records, rounded to the grid, each released ball holds."""
        from engine.mechanisms.one_cluster import Ball

        if release.value is None:
            return {}
        box, n = data.database.domain, data.database.n
        records = self.mechanism.search(box, n, self.privacy).grid.placed(prepared.points)
        held = [
            None if ball is None else int(Ball(tuple(ball["center"]), ball["radius"]).contains(records).sum())
            for ball in balls_of(release)
        ]
        return {"held": held if isinstance(release.value, list) else held[0]}

    def value(self, release: Release, data: LoadedRecords[Points]) -> str:
        """Say how many balls there are."""
        balls = balls_of(release)
        found = sum(ball is not None for ball in balls)
        if len(balls) > 1:
            return f"{counted(found, 'ball')} of {len(balls)}, in the order in which they were found"
        return (
            NO_BALL if not found else "1 ball, and the mean inside" if "mean" in release.value else "1 ball"
        )

    def table(self, release: Release, data: LoadedRecords[Points]) -> str:
        """Return one row for each ball, and one for the mean inside."""
        balls = balls_of(release)
        names = [f"ball {i}" for i in range(1, len(balls) + 1)] if len(balls) > 1 else ["ball"]
        found = [(name, ball) for name, ball in zip(names, balls, strict=True) if ball is not None]
        rows = [_row(name, ball["center"], ball["radius"]) for name, ball in found]
        rows += [_row("mean", ball["mean"]) for _, ball in found if "mean" in ball]
        unit = self.unit(data)
        header = ["", *self.header(data), f"radius [{unit}]" if unit else "radius"]
        return columns(header, rows) if rows else ""

    def rows(self, data: LoadedRecords[Points]) -> list[tuple[str, str]]:
        """Return bounds, mechanism, what is promised, and what each step costs."""
        from app.model.wording.guarantees import share_words

        box, n = data.database.domain, data.database.n
        finder, grid = self.mechanism.finder(box), self.mechanism.search(box, n, self.privacy).grid
        step = words(grid.step, DIGITS, self.unit(data))
        return [
            *super().rows(data),
            ("found by", f"{finder.label.lower()} ({finder.name}), on a grid of step {step}"),
            promise_row(self.mechanism, data, self.privacy),
            ("epsilon of steps", ", ".join(map(share_words, self._shares(data)))),
        ]

    def _shares(self, data: LoadedRecords[Points]) -> tuple[Share, ...]:
        return self.mechanism.shares(data.database.domain, data.database.n, self.privacy)

    def remarks(self, release: Release, data: LoadedRecords[Points]) -> Iterator[str]:
        """Yield that a ball was not found, or is as wide as the bounds."""
        yield from super().remarks(release, data)
        balls = balls_of(release)
        if len(balls) > 1 and None in balls:
            yield f"{balls.count(None)} of {len(balls)} balls not found; the budget of each is spent"
        width = float(data.database.domain.width.max())
        if any(ball is not None and 2 * ball["radius"] >= width for ball in balls):
            yield "a ball is as wide as the bounds and says little; ask for fewer points or a larger epsilon"

    def panel(
        self, release: Release, prepared: BallsPrepared, data: LoadedRecords[Points], *, show_private: bool
    ) -> FigurePanel:
        """Return the picture of the balls."""
        from app.releases.ball_figure import balls_panel

        return balls_panel(self.mechanism, self.privacy, release, prepared, data, show_private=show_private)


def promise_row(
    mechanism: BallMechanism | InteriorPoint, data: LoadedRecords[Points], privacy: Privacy
) -> tuple[str, str]:
    """Return what is promised, from public facts alone."""
    from app.model.wording.guarantees import promise_words

    return "promise", promise_words(mechanism, data.database.domain, data.database.n, privacy)


def _row(name: str, point: Sequence[float], radius: float | None = None) -> list[str]:
    numbers = [*point, *([] if radius is None else [radius])]
    return [name, *(words(number, DIGITS) for number in numbers), *([""] if radius is None else [])]
