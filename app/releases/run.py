"""A run on the command line: a mechanism and data, and facts that follow from public ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from app.model.release_record import ReleaseRecord
from app.model.wording.console import bounds, counted, number, settings
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import grouped
from app.model.wording.releases import answer_unit
from engine.components import Component, asked_of
from engine.data.points import Points
from engine.mechanisms.guarantee import AUTOMATIC
from engine.mechanisms.scalar import ScalarMechanism
from engine.parameters import effective_settings

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.domain import Interval
    from engine.mechanisms import BlockMechanism
    from engine.mechanisms.auto import MethodError
    from engine.mechanisms.planning import Plan
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy

MAX_LABELS = 8
"""Most labels of a list on a line."""

Rows = list[tuple[str, str]]
"""Labels with their texts."""


@dataclasses.dataclass(frozen=True)
class Coordinate:
    """One number of a point: its name and its public range."""

    name: str
    unit: str
    side: Interval

    @property
    def title(self) -> str:
        return f"{self.name} [{self.unit}]" if self.unit else self.name


@dataclasses.dataclass(frozen=True)
class Run:
    """A mechanism on data, with a budget; `plan` is the planner's choice if the user made none."""

    mechanism: Any
    privacy: Privacy
    data: LoadedRecords[Any]
    plan: Plan | None = None
    methods: tuple[MethodError, ...] = ()  # the methods that the automatic choice compared

    @property
    def name(self) -> str:
        """The question's name in the catalog."""
        return str(asked_of(self.mechanism).name)

    @property
    def coordinates(self) -> list[Coordinate]:
        """The coordinates of a released point or vector."""
        from engine.mechanisms.points import lives_with_data

        data, box = self.data, self.data.database.domain
        if lives_with_data(self.mechanism, box):
            return list(map(Coordinate, data.columns, data.units, box.sides))
        names, sides = (
            self.mechanism.vectors.coordinates(data.columns, box),
            self.mechanism.vectors.space(box).box.sides,
        )
        return [Coordinate(name, "", side) for name, side in zip(names, sides, strict=True)]

    @property
    def unit(self) -> str:
        """The unit of all coordinates of points, "" if they differ; else that of the answer."""
        if not isinstance(self.data.database, Points) or not self._releases_points:
            return answer_unit(asked_of(self.mechanism), self.data.unit)
        units = {at.unit for at in self.coordinates}
        return units.pop() if len(units) == 1 else ""

    @property
    def _releases_points(self) -> bool:
        from engine.mechanisms import PointsMechanism

        return isinstance(self.mechanism, PointsMechanism)

    def record(self, release: Release, prepared: Prepared | None = None) -> RunRecord:
        """Return a release as the history would keep it; with `prepared` (private) for the curator alone."""
        return RunRecord(
            release=release,
            dataset="",
            title=self.data.name,
            subject=self.data.name,
            location="",
            unit=self.unit,
            when=datetime.now().astimezone(),
            looked=False,
            edited=False,
            coordinates=self.data.columns,
            run=self,
            prepared=prepared,
        )


def chosen_run(mechanism: Any, privacy: Privacy, data: LoadedRecords[Any]) -> Run:
    """Return the run, by the method that the automatic choice finds for these public facts."""
    from engine.mechanisms.auto import AutoRelease, best

    if not isinstance(mechanism, AutoRelease):
        return Run(mechanism, privacy, data)
    database = data.database
    mechanism.refuse(privacy, database.domain, database.n)
    methods = mechanism.expected_errors(database.domain, database.n, privacy)
    return Run(best(methods), privacy, data, methods=methods)


@dataclasses.dataclass(frozen=True, kw_only=True)
class RunRecord(ReleaseRecord):
    """A release with its run; `prepared` is private, None in the release view."""

    run: Run
    prepared: Prepared | None = None


def truth_of(record: ReleaseRecord) -> Any:
    """Return the true value for the curator (private); None in the release view."""
    prepared = record.prepared if isinstance(record, RunRecord) else None
    return None if prepared is None else prepared.diagnostics["true_value"]


def public_rows(run: Run) -> Rows:
    """Return bounds or lists, and the mechanism with its parts."""
    if isinstance(run.mechanism, ScalarMechanism):
        return _query_rows(run, run.mechanism)
    from engine.data.parts import Parts
    from engine.mechanisms import BlockMechanism, CategoriesMechanism, PointsMechanism

    if isinstance(run.data.database, Parts):
        return _parts_rows(run)
    data, rows = run.data, [("mechanism", described(run.mechanism))]
    if isinstance(run.mechanism, CategoriesMechanism):
        return [("public categories", _lists(run)), *rows]
    if isinstance(run.mechanism, BlockMechanism):
        rows += _block_rows(run, run.mechanism)
    if not isinstance(run.mechanism, PointsMechanism):
        return rows
    sides = map(Coordinate, data.columns, data.units, data.database.domain.sides)
    within = ", ".join(f"{at.name} {bounds(at.side.facts, at.unit)}" for at in sides)
    return [("public bounds", within), *rows]


def _query_rows(run: Run, mechanism: ScalarMechanism) -> Rows:
    within = bounds(run.data.database.facts, run.data.unit)
    query = settings(mechanism.query.settings().items())
    # the line about the grid mentions clamping
    idle = {"clamp"} if getattr(mechanism, "error_share", 0) else {"clamp", "error_share", "covers"}
    chosen = settings(
        (name, value)
        for name, value in effective_settings(mechanism).items()
        if name not in idle and value != AUTOMATIC
    )
    record = WORDS[mechanism.query.neighbours].record
    return [
        *([("public bounds", f"{within} for each {record}")] if within else []),
        *([("query", query)] if query else []),
        ("method", mechanism.label + (f" ({chosen})" if chosen else "")),
        *([("expected errors", errors)] if (errors := _expected_errors(run)) else []),
    ]


def _expected_errors(run: Run) -> str:
    """Return the expected errors that the automatic choice compared, the smallest first."""
    known = sorted((one.error, one.method.label) for one in run.methods if one.error is not None)
    errors = [f"{label} ± {number(error, 3, run.unit)}" for error, label in known]
    return "; ".join(errors) if len(errors) > 1 else ""


def _parts_rows(run: Run) -> Rows:
    domain, asked = run.data.database.domain, asked_of(run.mechanism)
    method = getattr(run.mechanism, "method", run.mechanism)  # the method for each public group
    within = bounds(domain.values.facts, run.data.unit) if "column" in run.data.statements else ""
    query, groups = settings(asked.settings().items()), _first(domain.groups)
    return [
        *([("public bounds", f"{within} for each record")] if within else []),
        *([("public groups", groups)] if groups else []),
        *([("query", query)] if query else []),
        ("method", method.label),
    ]


def _first(labels: Sequence[str]) -> str:
    """Write the first labels, and how many there are."""
    more = f" … ({grouped(len(labels))})" if len(labels) > MAX_LABELS else ""
    return ", ".join(labels[:MAX_LABELS]) + more


def _lists(run: Run) -> str:
    domain = run.data.database.domain
    return "; ".join(
        f"{name}: {_first(own)}" for name, own in zip(domain.columns, domain.labels, strict=True)
    )


def _block_rows(run: Run, mechanism: BlockMechanism) -> Rows:
    from engine.mechanisms import SampleAggregate

    sampling = mechanism.sampling
    size = sampling.block_size(run.data.database.n)
    choice = "" if run.plan is None else ", the planner's choice"
    kind = settings((name, value) for name, value in sampling.settings().items() if name != "blocks")
    function = [("function", described(mechanism.function))] if isinstance(mechanism, SampleAggregate) else []
    return [
        *function,
        ("blocks", f"{grouped(sampling.blocks)} of {counted(size, 'record')} or more{choice}"),
        ("sampling", sampling.label + (f" ({kind})" if kind else "")),
        ("aggregator", described(mechanism.aggregator)),
    ]


def plan_facts(plan: Plan) -> dict[str, Any]:
    """Return a plan for the JSON output."""
    names = ("guess", "diameter", "blocks", "block_size", "block_error", "noise_error", "error", "enough")
    return {name: getattr(plan, name) for name in (*names, "needed")}


def described(part: Component) -> str:
    """Return the label of a mechanism or a part, with its parameters."""
    chosen = settings(effective_settings(part).items())
    return part.label + (f" ({chosen})" if chosen else "")
