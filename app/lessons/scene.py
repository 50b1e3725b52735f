"""From a scene to the fields of a page: its data are loaded, and its choices put beside them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from app.lessons.lesson import Scene
from app.model.comparison_choice import ComparisonChoice
from app.model.dataset import Dataset
from app.model.kinds.base import Fields
from app.model.kinds.registry import KINDS
from app.model.pages.registry import PAGE_KINDS

if TYPE_CHECKING:
    from engine.progress import Progress

DATA = ("page", "example", "values", "lower", "upper", "resolution", "unit", "columns", "bounds")
"""The fields of a scene that decide about its data."""

TITLE = "Data of this lesson"


@dataclasses.dataclass(frozen=True, eq=False)
class LoadedScene:
    """The data of a scene, as they were loaded."""

    scene: Scene
    data: Fields

    def fits(self, scene: Scene) -> bool:
        """Tell whether another scene has the same data."""
        return all(getattr(self.scene, name) == getattr(scene, name) for name in DATA)

    def page_fields(self, scene: Scene, seed: int) -> Fields:
        """Return the fields of the page for `scene`, whose data these are."""
        fields = {**self.data, "query": scene.query}
        if scene.edits:
            fields["modified_values"] = scene.edits
        if scene.absent:
            fields["removed_edges"] = scene.absent
        if scene.function:
            fields["function"] = scene.function
        if scene.workspace:
            fields["comparison"] = ComparisonChoice(**scene.comparison, seed=seed)
        return fields


def load_stage(scene: Scene, progress: Progress) -> LoadedScene:
    """Load the data of a scene (in a worker)."""
    dataset, declared = _of_values(scene) if scene.values else _of_example(scene)
    return LoadedScene(
        scene, {"dataset": dataset, **PAGE_KINDS[scene.page].read(dataset, declared, progress)}
    )


def _of_values(scene: Scene) -> tuple[Dataset, Fields]:
    """Return a column of the numbers that the scene itself names."""
    import pyarrow as pa

    from engine.data import Table

    table = Table(TITLE, pa.table({"x": list(scene.values)}), units={"x": scene.unit})
    bounds = {"lower": scene.lower, "upper": scene.upper, "resolution": scene.resolution}
    declared = {"column": "x", "missing": "refuse", **bounds, "bounds_source": "known"}
    return Dataset(table, f"lesson:{scene.values}"), declared


def _of_example(scene: Scene) -> tuple[Dataset, Fields]:
    """Return a bundled example, with the bounds of its card where the scene has no others."""
    from engine.data import EXAMPLES

    card = EXAMPLES[scene.example]
    dataset = Dataset.of_example(card.name)
    declared = dict(PAGE_KINDS[scene.page].from_example(card))
    declared |= _chosen_columns(scene)
    for name in ("lower", "upper", "resolution"):
        if getattr(scene, name) is not None:
            declared[name] = float(getattr(scene, name))
    if scene.bounds:
        declared["bounds"] = {**declared["bounds"], **scene.bounds}
    return dataset, declared


def _chosen_columns(scene: Scene) -> dict[str, Any]:
    """Return the fields that say which columns are looked at, where the scene names some."""
    from engine.catalog import questions
    from engine.data import EXAMPLES

    if not scene.columns:
        return {}
    kind, card = KINDS[questions()[scene.query].reads], EXAMPLES[scene.example]
    page = PAGE_KINDS[scene.page].choice()
    part = kind.with_columns(kind.from_example(card), scene.columns, card)
    return page.with_part(kind.name, part)
