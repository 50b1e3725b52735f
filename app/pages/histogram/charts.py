"""Charts about histograms: attacks, comparisons and diameters (private); made in a worker."""

from __future__ import annotations

from app.jobs.channels import JobTask
from app.pages.base.results import PictureResult
from app.pages.histogram.advice import TREELESS, advantage_words, radii_problem
from app.pages.histogram.request import HistogramRequest
from engine.analysis.attack_sweep import attack_sweep
from engine.analysis.diameters_by_radius import diameters_by_radius
from engine.analysis.histogram_errors import MOST_WITH_TREES, histogram_errors
from engine.data.points import Points
from engine.histograms.histogram import Histogram
from engine.mechanisms import ShiftedHistogram
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.progress import part


def publish_attacks(request: HistogramRequest, histogram: Histogram, points: Points, task: JobTask) -> None:
    """Publish the success of attacks over a sweep."""
    setup, mechanism = request.setup, request.setup.mechanism
    assert isinstance(mechanism, HistogramMechanism)
    found = attack_sweep(
        mechanism,
        points,
        setup.privacy,
        histogram=histogram,
        swept=request.sweep,
        c=request.c,
        seed=request.seed,
        progress=part(task, 0.4, 1.0),
        publish=lambda found: task.publish(PictureResult("attacks", found, request)),
    )
    task.publish(PictureResult("attacks", found, request))
    task.publish(PictureResult("advice", advantage_words(found), request))


def publish_errors(request: HistogramRequest, points: Points, task: JobTask) -> None:
    """Publish errors of all kinds of histograms."""
    mechanism = request.setup.mechanism
    assert isinstance(mechanism, HistogramMechanism)
    found = histogram_errors(
        mechanism,
        points,
        request.setup.privacy,
        alternatives=request.alternatives,
        seed=request.seed,
        progress=task,
        publish=lambda found: task.publish(PictureResult("compare", found, request)),
    )
    task.publish(PictureResult("compare", found, request))
    task.publish(PictureResult("advice", TREELESS * (points.n > MOST_WITH_TREES), request))


def publish_diameters(request: HistogramRequest, points: Points, task: JobTask) -> None:
    """Publish diameters of cells against radii."""
    mechanism = request.setup.mechanism
    assert isinstance(mechanism, ShiftedHistogram)
    problem = radii_problem(points.n, int(mechanism.t))
    if problem:
        task.publish(PictureResult("problem", problem, request))
        return
    found = diameters_by_radius(
        mechanism,
        points,
        request.setup.privacy,
        seed=request.seed,
        progress=task,
        publish=lambda found: task.publish(PictureResult("radii", found, request)),
    )
    task.publish(PictureResult("radii", found, request))
