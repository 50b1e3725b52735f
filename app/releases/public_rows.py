"""What the command line says about data and mechanism, from public facts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.model.wording.console import bounds, counted, settings
from app.model.wording.neighbours import WORDS
from app.model.wording.number_format import grouped
from app.releases.geometry import Coordinate
from engine.components import Component
from engine.mechanisms.scalar import ScalarMechanism
from engine.parameters import effective_settings

if TYPE_CHECKING:
    from app.releases.run import Run
    from engine.mechanisms import BlockMechanism
    from engine.mechanisms.planning import Plan

LISTED = 8
"""How many labels a list has."""

Rows = list[tuple[str, str]]
"""Labels, and what is said of each."""


def public_rows(run: Run) -> Rows:
    """Return bounds or lists, and the mechanism with its parts."""
    if isinstance(run.mechanism, ScalarMechanism):
        return _query_rows(run, run.mechanism)
    from engine.mechanisms import BlockMechanism, CategoriesMechanism, PointsMechanism

    rows = [("mechanism", described(run.mechanism))]
    if isinstance(run.mechanism, CategoriesMechanism):
        return [("public categories", _lists(run)), *rows]
    if isinstance(run.mechanism, BlockMechanism):
        rows += _block_rows(run, run.mechanism)
    return [*_bounds(run), *rows] if isinstance(run.mechanism, PointsMechanism) else rows


def _query_rows(run: Run, mechanism: ScalarMechanism) -> Rows:
    within = bounds(run.data.database.facts, run.data.unit)
    query = settings(mechanism.query.settings().items())
    # beside the grid stands whether it is clamped
    chosen = settings(
        (name, value) for name, value in effective_settings(mechanism).items() if name != "clamp"
    )
    record = WORDS[mechanism.query.neighbours].record
    return [
        *([("public bounds", f"{within} for each {record}")] if within else []),
        *([("query", query)] if query else []),
        ("method", mechanism.label + (f" ({chosen})" if chosen else "")),
    ]


def _bounds(run: Run) -> Rows:
    data = run.data
    sides = map(Coordinate, data.columns, data.units, data.database.domain.sides)
    return [("public bounds", ", ".join(f"{at.name} {bounds(at.side.facts, at.unit)}" for at in sides))]


def _lists(run: Run) -> str:
    domain = run.data.database.domain
    return "; ".join(
        f"{name}: {', '.join(own[:LISTED])}" + (f" … ({grouped(len(own))})" if len(own) > LISTED else "")
        for name, own in zip(domain.columns, domain.labels, strict=True)
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


def described(part: Component) -> str:
    """Return the label of a mechanism or a part, with its parameters."""
    chosen = settings(effective_settings(part).items())
    return part.label + (f" ({chosen})" if chosen else "")
