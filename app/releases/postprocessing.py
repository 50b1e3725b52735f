"""Estimates from a released histogram alone, and the truth beside them for the curator."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.numbers import grouped
from engine.errors import ParameterError
from engine.progress import Progress, part

if TYPE_CHECKING:
    import numpy as np

    from app.model.loaded import LoadedRecords
    from app.model.output_file import OutputFile
    from engine.data.points import Points
    from engine.histograms.facility import Facilities
    from engine.histograms.histogram import Histogram
    from engine.histograms.matching import Matching
    from engine.mechanisms.release import Release


@dataclasses.dataclass(frozen=True)
class Postprocessing:
    """Estimates to compute from a released histogram, at no further cost.

    `wanted` says whether there are any; `price` is that of a facility, None for no facilities. `synthetic` is
    the file for synthetic points; `points` is their number, None for as many as there are records.
    """

    wanted: bool = False
    price: float | None = None
    synthetic: OutputFile | None = None
    points: int | None = None

    def check(self, n: int) -> None:
        """Raise `ParameterError` if so many points cannot be drawn."""
        if self.synthetic is None and not self.wanted:
            return
        from engine.histograms.synthetic import MAX_POINTS

        if not 1 <= n <= MAX_POINTS:
            raise ParameterError(
                "points", f"{grouped(n)} cannot be drawn; it must be 1 to {grouped(MAX_POINTS)}"
            )

    def write(
        self,
        release: Release,
        data: LoadedRecords[Any],
        rng: np.random.Generator,
        progress: Progress,
    ) -> Iterator[str]:
        """Draw synthetic points and write them to their file, if wanted; yield messages."""
        if self.synthetic is None:
            return
        from engine.data.writing import write_points
        from engine.histograms.synthetic import synthetic_points

        progress(0.0, "drawing points")
        many = data.database.n if self.points is None else self.points
        drawn = synthetic_points(_histogram(release), rng, many, progress=part(progress, 0.0, 0.5))
        write_points(self.synthetic.path, data.columns, drawn, progress=part(progress, 0.5, 1.0))
        yield f"{counted(len(drawn), 'synthetic point')} in {self.synthetic.path}"

    def estimates(
        self, release: Release, n: int, rng: np.random.Generator, progress: Progress
    ) -> dict[str, Any]:
        """Return estimates from a released histogram, with n points drawn from its cells."""
        if not self.wanted:
            return {}
        from engine.histograms.diameter import diameter
        from engine.histograms.facility import locate_facilities, places_of
        from engine.histograms.matching import match_cells
        from engine.histograms.spanning_tree import resampled_tree, spanning_tree

        histogram = _histogram(release)
        progress(0.0, "estimating the spanning tree")
        upper = spanning_tree(histogram, progress=part(progress, 0.0, 0.3)).cost
        resampled = resampled_tree(histogram, rng, n, progress=part(progress, 0.3, 0.7))[0].cost
        widest = diameter(histogram, progress=part(progress, 0.7, 0.8))
        results = {"mst_upper": upper, "mst_resampled": resampled, "diameter": widest.upper}
        results |= _matched(lambda: match_cells(histogram))
        if self.price is None:
            return results
        progress(0.8, "locating facilities")
        facilities = locate_facilities(histogram, self.price, progress=part(progress, 0.8, 1.0))
        centers = places_of(histogram, facilities.open)
        return {**results, "facility": {**self._costs(facilities), "places": centers.tolist()}}

    def truth(self, data: Points, progress: Progress) -> dict[str, Any]:
        """Return the same quantities of the data themselves (private)."""
        if not self.wanted:
            return {}
        from engine.histograms.diameter import diameter_of_points
        from engine.histograms.facility import locate_points
        from engine.histograms.matching import match_points
        from engine.histograms.spanning_tree import euclidean_tree
        from engine.randomness import reproducible

        progress(0.0, "computing the true spanning tree")
        tree = euclidean_tree(data.values, progress=part(progress, 0.0, 0.7)).cost
        widest = diameter_of_points(data.values, progress=part(progress, 0.7, 0.8)).upper
        results = {"mst": tree, "diameter": widest}
        results |= _matched(lambda: match_points(data.values))
        if self.price is None:
            return results
        # the sampled indices reveal nothing: they are the same for all data
        facilities = locate_points(
            data.values, self.price, reproducible(0), progress=part(progress, 0.8, 1.0)
        )
        return {**results, "facility": self._costs(facilities)}

    def _costs(self, facilities: Facilities) -> dict[str, Any]:
        return {"price": self.price, "count": len(facilities.open), "cost": facilities.cost}


NO_POSTPROCESSING = Postprocessing()


def _matched(match: Callable[[], Matching]) -> dict[str, Any]:
    """Return bounds on the cost of a matching of all points; nothing for too many points."""
    try:
        result = match()
    except ParameterError:
        return {}
    return {"matching": {"lower": result.lower, "upper": result.cost}}


def _histogram(release: Release) -> Histogram:
    """Return the released histogram; nothing else is post-processed."""
    from engine.mechanisms.histograms import ReleasedHistogram

    assert isinstance(release, ReleasedHistogram)
    return release.histogram


def estimate_rows(estimates: Mapping[str, Any], unit: str) -> list[tuple[str, str]]:
    """Return estimates, or their true values, as labels and words."""
    if not estimates:
        return []
    tree = (
        console_number(estimates["mst"], 5, unit)
        if "mst" in estimates
        else f"{console_number(estimates['mst_upper'], 5, unit)} by the distance of cells, "
        f"{console_number(estimates['mst_resampled'], 5, unit)} of points drawn from them"
    )
    rows = [("spanning tree", tree), ("diameter", console_number(estimates["diameter"], 5, unit))]
    if "matching" in estimates:
        lower, upper = (estimates["matching"][end] for end in ("lower", "upper"))
        least = f", at least {console_number(lower, 5, unit)}" if 0 < lower < upper else ""
        rows.append(("matching in pairs", f"at most {console_number(upper, 5, unit)}{least}"))
    if "facility" in estimates:
        result = estimates["facility"]
        many = f"{grouped(result['count'])} facilities" if result["count"] != 1 else "1 facility"
        rows.append(("facilities", f"{many}, which cost {console_number(result['cost'])} in all"))
    return rows
