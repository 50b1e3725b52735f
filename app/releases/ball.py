"""Releasing small balls, the mean inside of one, and interior points."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from app.model.wording.console import columns, counted
from app.model.wording.console import number as words
from app.releases.geometry import balls_of
from app.releases.points import DIGITS, PointsRelease

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.releases.figures import FigurePanel
    from engine.mechanisms import BallMechanism, InteriorPoint
    from engine.mechanisms.base import Prepared, Release
    from engine.mechanisms.one_cluster import Share

NO_BALL = "no ball"


@dataclasses.dataclass(frozen=True)
class InteriorRelease(PointsRelease):
    """A number between the smallest and the largest record."""

    mechanism: InteriorPoint

    def rows(self, data: LoadedRecords) -> list[tuple[str, str]]:
        """Return bounds, mechanism and what is promised."""
        return [*super().rows(data), promise_row(self, data)]


@dataclasses.dataclass(frozen=True)
class BallRelease(PointsRelease):
    """One or several balls, each with a center and a radius, perhaps with the mean of what one holds."""

    mechanism: BallMechanism
    meant: ClassVar[Mapping[str, str]] = {
        "true_value": "true ball: smallest around a record",
        "held": "records in the ball",
    }

    def parameters(self, release: Release, data: LoadedRecords) -> dict[str, Any]:
        """Return all public parameters, and the budget of each step."""
        steps = [
            {"name": share.name, "epsilon": share.privacy.epsilon, "delta": share.privacy.delta}
            for share in self._shares(data)
        ]
        return {**super().parameters(release, data), "steps": steps}

    def found_out(self, release: Release, prepared: Prepared, data: LoadedRecords) -> dict[str, Any]:
        """Return how many records, rounded to the grid, each released ball holds."""
        from engine.mechanisms.one_cluster import Ball

        if release.value is None:
            return {}
        box, n = data.database.domain, data.database.n
        records = self.mechanism.search(box, n, self.asked).grid.placed(prepared.points)
        held = [
            None if ball is None else int(Ball(tuple(ball["center"]), ball["radius"]).contains(records).sum())
            for ball in balls_of(release)
        ]
        return {"held": held if isinstance(release.value, list) else held[0]}

    def value(self, release: Release, data: LoadedRecords) -> str:
        """Say how many balls there are."""
        balls = balls_of(release)
        found = sum(ball is not None for ball in balls)
        if len(balls) > 1:
            return f"{counted(found, 'ball')} of {len(balls)}, in the order in which they were found"
        return (
            NO_BALL if not found else "1 ball, and the mean inside" if "mean" in release.value else "1 ball"
        )

    def table(self, release: Release, data: LoadedRecords) -> str:
        """Return one row for each ball, and one for the mean inside."""
        balls = balls_of(release)
        names = [f"ball {i}" for i in range(1, len(balls) + 1)] if len(balls) > 1 else ["ball"]
        found = [(name, ball) for name, ball in zip(names, balls, strict=True) if ball is not None]
        rows = [_row(name, ball["center"], ball["radius"]) for name, ball in found]
        rows += [_row("mean", ball["mean"]) for _, ball in found if "mean" in ball]
        unit = self.unit(data)
        header = ["", *self.header(data), f"radius [{unit}]" if unit else "radius"]
        return columns(header, rows) if rows else ""

    def rows(self, data: LoadedRecords) -> list[tuple[str, str]]:
        """Return bounds, mechanism, what is promised, and what each step costs."""
        from app.model.wording.guarantees import share_words

        box, n = data.database.domain, data.database.n
        finder, grid = self.mechanism.finder(box), self.mechanism.search(box, n, self.asked).grid
        step = words(grid.step, DIGITS, self.unit(data))
        return [
            *super().rows(data),
            ("found by", f"{finder.label.lower()} ({finder.name}), on a grid of step {step}"),
            promise_row(self, data),
            ("epsilon of steps", ", ".join(map(share_words, self._shares(data)))),
        ]

    def _shares(self, data: LoadedRecords) -> tuple[Share, ...]:
        return self.mechanism.shares(data.database.domain, data.database.n, self.asked)

    def remarks(self, release: Release, data: LoadedRecords) -> Iterator[str]:
        """Yield that a ball was not found, or is as wide as the bounds."""
        yield from super().remarks(release, data)
        balls = balls_of(release)
        if len(balls) > 1 and None in balls:
            yield f"{balls.count(None)} of {len(balls)} balls not found; the budget of each is spent"
        width = float(data.database.domain.width.max())
        if any(ball is not None and 2 * ball["radius"] >= width for ball in balls):
            yield "a ball is as wide as the bounds and says little; ask for fewer points or a larger epsilon"

    def panel(
        self, release: Release, prepared: Prepared, data: LoadedRecords, *, show_private: bool
    ) -> FigurePanel:
        """Return the picture of the balls."""
        from app.releases.ball_figure import balls_panel

        return balls_panel(self.mechanism, self.asked, release, prepared, data, show_private=show_private)


def promise_row(subject: PointsRelease, data: LoadedRecords) -> tuple[str, str]:
    """Return what is promised, from public facts alone."""
    from app.model.wording.guarantees import promise_words

    box, n = data.database.domain, data.database.n
    return "promise", promise_words(subject.mechanism, box, n, subject.asked)


def _row(name: str, point: Sequence[float], radius: float | None = None) -> list[str]:
    numbers = [*point, *([] if radius is None else [radius])]
    return [name, *(words(number, DIGITS) for number in numbers), *([""] if radius is None else [])]
