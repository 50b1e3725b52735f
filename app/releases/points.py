"""Releasing what is computed from points: a vector, or a set of points."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, Self

from app.model.wording.console import bounds, columns, counted, settings
from app.model.wording.console import number as words
from app.releases.base import PicturedSanitization, PreparedT, ReleaseT
from app.releases.geometry import Coordinate, coordinates_of, is_among_data
from engine.data.points import Points
from engine.mechanisms import BlockMechanism, SampleAggregate

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.releases.figures import FigurePanel
    from engine.mechanisms import PointsMechanism
    from engine.mechanisms.planner import Plan
    from engine.privacy import Privacy

DIGITS = 5
FAILED = "the run found nothing that is clearly there, and its budget is spent; a larger epsilon helps"


@dataclasses.dataclass(frozen=True)
class PointsRelease(PicturedSanitization[Points, PreparedT, ReleaseT]):
    """A mechanism of its own.

    Attributes
    ----------
    privacy : Privacy
        What it may cost.
    blocks_given : bool
        Whether the number of blocks was said, or there are none.
    plan : Plan or None
        What the planner has chosen, where it was not.
    """

    mechanism: PointsMechanism
    privacy: Privacy
    blocks_given: bool
    plan: Plan | None = None

    @property
    def name(self) -> str:
        """Name of the mechanism."""
        return self.mechanism.name

    @property
    def reads(self) -> str:
        """What the mechanism reads."""
        return self.mechanism.reads

    def fit(self, data: LoadedRecords[Points], privacy: Privacy) -> Self:
        """Let the planner choose the number of blocks, from public facts, if nobody has."""
        from engine.mechanisms.planning import planned, with_blocks

        if self.blocks_given or not isinstance(self.mechanism, BlockMechanism):
            return self
        plan = planned(self.mechanism, data.database.domain, data.database.n, privacy)
        return dataclasses.replace(self, mechanism=with_blocks(self.mechanism, plan.blocks), plan=plan)

    def parameters(self, release: ReleaseT, data: LoadedRecords[Points]) -> dict[str, Any]:
        """Return all public parameters, and the plan if there is one."""
        public = {**release.parameters, "columns": list(data.columns)}
        return public if self.plan is None else {**public, "plan": plan_facts(self.plan)}

    def diagnostics(self, prepared: PreparedT, data: LoadedRecords[Points]) -> dict[str, Any]:
        """Return what is private but the outputs of all blocks; vectors in the shape of a release."""
        domain, known = data.database.domain, prepared.diagnostics
        shaped = {
            **{name: value for name, value in known.items() if name != "outputs"},
            "true_value": self.mechanism.true_answer(known["true_value"], domain),
        }
        if "center" in known:
            shaped["center"] = self.mechanism.released(known["center"], domain)
        return {**shaped, "clamped": data.clamped, "dropped": data.dropped}

    def value(self, release: ReleaseT, data: LoadedRecords[Points]) -> str:
        """Say how many points or numbers there are; a single number is said itself."""
        if release.value is None:
            return "no value"
        if isinstance(release.value, float):
            name = "" if is_among_data(self.mechanism) else f" ({self.coordinates(data)[0].name})"
            return words(release.value, 8, self.unit(data)) + name
        if self.mechanism.unordered:
            return f"{counted(len(release.value), 'point')}, in no order"
        return counted(len(release.value), "number")

    def table(self, release: ReleaseT, data: LoadedRecords[Points]) -> str:
        """Return one row for each point."""
        if not isinstance(release.value, list):
            return ""
        rows = release.value if self.mechanism.unordered else [release.value]
        return columns(self.header(data), [[words(number, DIGITS) for number in row] for row in rows])

    def header(self, data: LoadedRecords[Points]) -> list[str]:
        """Return what the numbers of a point are, and their units."""
        return [f"{at.name} [{at.unit}]" if at.unit else at.name for at in self.coordinates(data)]

    def coordinates(self, data: LoadedRecords[Points]) -> list[Coordinate]:
        """Return what the numbers of a released point, or of the vector, are."""
        return coordinates_of(self.mechanism, data)

    def rows(self, data: LoadedRecords[Points]) -> list[tuple[str, str]]:
        """Return bounds, mechanism, blocks and aggregator."""
        sides = map(Coordinate, data.columns, data.units, data.database.domain.sides)
        within = ", ".join(f"{at.name} {bounds(at.side.facts, at.unit)}" for at in sides)
        rows = [("public bounds", within), ("mechanism", described(self.mechanism))]
        if isinstance(self.mechanism, SampleAggregate):
            rows.append(("function", described(self.mechanism.function)))
        if isinstance(self.mechanism, BlockMechanism):
            sampling = self.mechanism.sampling
            size = sampling.block_size(data.database.n)
            choice = "" if self.plan is None else ", the planner's choice"
            kind = settings((name, value) for name, value in sampling.settings().items() if name != "blocks")
            rows += [
                ("blocks", f"{sampling.blocks:,} of {counted(size, 'record')} or more{choice}"),
                ("sampling", sampling.label + (f" ({kind})" if kind else "")),
                ("aggregator", described(self.mechanism.aggregator)),
            ]
        return rows

    def error(self, release: ReleaseT, data: LoadedRecords[Points]) -> str:
        """Return the half-width that holds 95 % of the errors of each coordinate."""
        return f"95 % within ± {words(release.error or 0.0, 4, self.unit(data))} in each coordinate"

    def unit(self, data: LoadedRecords[Points]) -> str:
        """Return the unit of all coordinates, "" where they differ."""
        units = {at.unit for at in self.coordinates(data)}
        return units.pop() if len(units) == 1 else ""

    def remarks(self, release: ReleaseT, data: LoadedRecords[Points]) -> Iterator[str]:
        """Yield that there is no value, or that the data hardly suffice, as far as public facts tell."""
        if release.value is None:
            yield FAILED
        # of an aggregator with noise of its own a plan says how many blocks are sensible, and no more
        own_noise = not hasattr(getattr(self.mechanism, "aggregator", None), "noise")
        if self.plan is not None and not self.plan.enough and not own_noise:
            yield f"{self.plan.words()}; this rests on a guess of the error of a block, see sensiscope plan"
        width = float(self.mechanism.space(data.database.domain).box.width.max())
        if release.error is not None and release.error > width:
            yield (
                f"the noise ({self.error(release, data)}) is wider than the bounds ({words(width, 4)}): "
                "the value says little; try another aggregator or a larger epsilon"
            )

    def panel(
        self, release: ReleaseT, prepared: PreparedT, data: LoadedRecords[Points], *, show_private: bool
    ) -> FigurePanel:
        """Return the picture of what was released."""
        from app.releases.points_figure import points_panel

        return points_panel(self.mechanism, release, prepared, data, show_private=show_private)


def plan_facts(plan: Plan) -> dict[str, Any]:
    """Return a plan for the JSON."""
    return {
        "guess": plan.guess,
        "diameter": plan.diameter,
        "blocks": plan.blocks,
        "block_size": plan.block_size,
        "block_error": plan.block_error,
        "noise_error": plan.noise_error,
        "error": plan.error,
        "enough": plan.enough,
        "needed": plan.needed,
    }


class Labelled(Protocol):
    """A mechanism, a noise, or a part of one."""

    @property
    def label(self) -> str:
        """What it is called."""

    def settings(self) -> dict[str, Any]:
        """Return its parameters."""


def described(part: Labelled) -> str:
    """Return the label of a mechanism or a part, with its parameters."""
    chosen = settings(part.settings().items())
    return part.label + (f" ({chosen})" if chosen else "")
