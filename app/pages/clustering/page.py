"""The page "Clustering": the stages from the data to a release."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.pages.audit import TAB as AUDIT
from app.model.picture_spec import PictureSpec
from app.model.selection import Selection
from app.model.wording.numbers import format_approx, format_count, number, quantity, within
from app.model.wording.releases import SwitchOffer, sentence
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.request import PictureRequest, PictureResult, Publisher, Step, publish_picture
from engine.analysis.expected_error import ErrorEstimate
from engine.components import part_of
from engine.mechanisms import BlockMechanism, Release
from engine.mechanisms.planning import USEFUL_SHARE
from engine.mechanisms.points import points_of
from engine.specification import key_of

if TYPE_CHECKING:
    from engine.analysis.block_sweeps import BlocksSweep
    from engine.analysis.clouds import Cloud
    from engine.analysis.cluster_separation import ClusterSeparation
    from engine.analysis.points_errors import PointsAlternative

ALTERNATIVE = "alternative"
"""The name of results about other mechanisms (private)."""


class ClusteringPage(AnalysisPage):
    """Shows the stages of a release of points, each as a picture."""

    def _problem(self, setup: Selection, spec: PictureSpec) -> str:
        return super()._problem(setup, spec) or (preview_cost(setup) if spec.runs else "")

    def _refuse(self, setup: Selection, problem: str) -> None:
        if preview_cost(setup):
            self.card.show_waiting(sentence(problem))
        else:
            super()._refuse(setup, problem)

    def _show_setup(self, setup: Selection) -> None:
        if self.card.tab not in (*(spec.name for spec in self._offered(setup)), AUDIT):
            self.show_tab("release")
        super()._show_setup(setup)

    def _steps(self, request: PictureRequest) -> tuple[Step, ...]:
        if request.public or preview_cost(request.setup):
            return (publish_picture,)
        spec = self.card.spec
        offering = spec is not None and spec.makes_offers and self._session.state.lesson is None
        return (*super()._steps(request), *((publish_alternative,) if offering else ()))

    def _on_result(self, result: PictureResult) -> None:
        request = result.request
        if result.picture != ALTERNATIVE:
            super()._on_result(result)
        elif self._curator and request is self.card.stale.newest and self._is_about(request.setup):
            self.card.alternative.show_offer(offer(result.result))

    def _show_estimate(self, estimate: ErrorEstimate, request: PictureRequest) -> None:
        super()._show_estimate(estimate, request)
        self._advice = advice(request.setup, estimate)
        self.card.stale.say(self.card.advice, self._advice_shown, request)

    def _identity(self, setup: Selection) -> Hashable:
        mechanism = setup.mechanism
        part = getattr(getattr(mechanism, "aggregator", None), "name", "")
        return mechanism.name, mechanism.estimand, part, setup.source.columns

    def _fits(self, setup: Selection, release: Release) -> bool:
        if release.value is None:
            return False
        numbers = points_of(setup.mechanism, release.value).size
        return bool(numbers == setup.mechanism.space(setup.source.domain).dimension)


def publish_alternative(request: PictureRequest, data: Any, task: Publisher) -> None:
    """Publish the best alternative to the chosen mechanism (private)."""
    # imported in the worker: it takes 50 ms
    from engine.analysis.points_errors import best_alternative

    match = best_alternative(request.setup.mechanism, data, request.setup.privacy, progress=task)
    task.publish(PictureResult(ALTERNATIVE, match, request))


MAX_PAIRS = 10**8
"""The most pairs of outputs that a preview compares, which takes a few seconds."""
PAIRS_IN_A_SECOND = 10**7
CLEARLY, MAX_TIMES = 1.5, 1000.0
"""An alternative is offered from the first factor; above the second, the factor is not shown."""


def preview_cost(setup: Selection) -> str:
    """Say that comparing all pairs of outputs takes too long for a preview; "" if not."""
    mechanism = setup.mechanism
    if not part_of(mechanism, "sampling") or not mechanism.aggregator.by_radii:
        return ""
    blocks = mechanism.sampling.blocks
    pairs = blocks * (blocks - 1) // 2
    if pairs <= MAX_PAIRS:
        return ""
    minutes = max(1, round(pairs / PAIRS_IN_A_SECOND / 60))
    return (
        f"{format_count(blocks)} blocks have {format_approx(pairs)} pairs of outputs, about {minutes} min of "
        f"work for each change; previews end at {format_approx(MAX_PAIRS)} pairs. Use fewer blocks"
    )


def offer(result: PointsAlternative | None) -> SwitchOffer | None:
    """Offer the mechanism, or the aggregator, that is clearly better on these data."""
    if result is None or result.better < CLEARLY:
        return None
    other = result.mechanism
    if isinstance(other, BlockMechanism):
        fields: dict[str, Any] = {"aggregator": other.aggregator.name}
    else:
        fields = {"query": other.name, "parameters": {key_of(type(other)): other.settings()}}
    times = f": about {number(result.better, 2)} × better here" if result.better < MAX_TIMES else ""
    return SwitchOffer(f"Try {within(result.label)}{times}", fields)


def blocks_note(setup: Selection, result: BlocksSweep) -> str:
    """Say why the number of blocks that was planned is not the best on these data."""
    from app.plots.clustering.bound_against_blocks import best_blocks  # loads matplotlib

    best = best_blocks(result)
    if setup.plan is None or best == result.chosen:
        return ""
    return (
        f"Auto takes {format_count(result.chosen)} without looking at the data. To pick "
        f"{format_count(best)} from this picture would reveal something."
    )


def separation_note(setup: Selection, result: ClusterSeparation) -> str:
    """Say that a number of clusters that follows from the picture is not private."""
    return "No release uses this picture. To pick k from it would reveal something."


def points_note(setup: Selection, result: Cloud) -> str:
    """Say how far off a release is, and where its points lie; without one, how far off the result is."""
    from app.plots.clustering.point_cloud import error_words, places_words  # loads matplotlib

    points, numbered, error = result.released, False, sentence(error_words(result))
    if points is None or np.isnan(points).any() or result.joined:
        return error
    if result.truth is not None:  # in the order of their numbers in the picture
        nearest = np.linalg.norm(points[:, None] - result.truth, axis=2).argmin(axis=1)
        points, numbered = points[nearest.argsort(kind="stable")], len(set(nearest)) == len(points) > 1
    kind = "Simulated" if result.simulated else "Released"
    where = (
        f"{kind} {result.noun}{'s' * (len(points) > 1)}: {places_words(result, points, numbered=numbered)}"
    )
    return "\n".join(filter(None, (error, where)))


def advice(setup: Selection, estimate: ErrorEstimate) -> str:
    """Say where the mechanism fails, and how many blocks fell back."""
    said = []
    errors, unit = estimate.errors, setup.unit
    if errors.typical >= USEFUL_SHARE * estimate.width:
        said.append(
            f"Half of all releases are farther than {quantity(errors.typical, unit)} from the truth, and the "
            f"largest distance is {quantity(estimate.width, unit)}: the answer would be useless."
        )
    if estimate.fell_back:
        said.append(
            f"{format_count(estimate.fell_back)} of {format_count(setup.mechanism.sampling.blocks)} blocks "
            "use the public default, because the function returned nothing for them."
        )
    return " ".join(said)
