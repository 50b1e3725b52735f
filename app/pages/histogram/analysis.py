"""What the page about histograms asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for requests that are public.
"""

from __future__ import annotations

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.wording.numbers import number
from app.pages.base.answering import CLAMPED, ESTIMATE, PictureRequest, publish_picture
from app.pages.base.results import PictureResult
from engine.analysis.histogram_errors import estimate_count_error
from engine.analysis.memory import remembered
from engine.analysis.preparing import released_histogram, simulated_histogram
from engine.data.points import Points
from engine.data.writing import write_points
from engine.histograms.synthetic import synthetic_points
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.progress import part
from engine.randomness import public_generator, secure

JUDGED = ("cells", "levels", "tree", "isolation")
"""Pictures beside which it is said how far counts are typically off: the others take long themselves."""


def answer(request: PictureRequest, databases: DatabaseCache, task: JobTask) -> None:
    """Publish the picture, how many records the bounds move, and how far counts are typically off."""
    setup = request.setup
    data = None if request.public else databases.get(setup.source)
    if isinstance(data, Points):
        outside = remembered(data, ("outside",), lambda: data.outside)
        task.publish(PictureResult(CLAMPED, outside, request))
    publish_picture(request, data, task)
    judged = request.picture is not None and request.picture.name in JUDGED
    if judged and isinstance(data, Points) and isinstance(setup.mechanism, HistogramMechanism):
        share = part(task, 0.9, 1.0)
        error = estimate_count_error(setup.mechanism, data, setup.privacy, progress=share)
        task.publish(PictureResult(ESTIMATE, error, request))


def save_points(request: PictureRequest, databases: DatabaseCache, path: str, task: JobTask) -> str:
    """Draw points from the histogram that is shown and write them; say what was written.

    Those of a release are as public as it is, and no data are looked at.
    """
    if request.released is not None:
        histogram = released_histogram(request.released)
    else:
        setup, data = request.setup, databases.get(request.setup.source)
        seed, share = request.options["seed"], part(task, 0.0, 0.4)
        histogram = simulated_histogram(setup.mechanism, data, setup.privacy, seed=seed, progress=share)
    task(0.4, "drawing synthetic points")
    drawn = synthetic_points(histogram, public_generator(secure()), request.setup.source.n)
    write_points(path, request.setup.source.columns, drawn, part(task, 0.5, 1.0))
    said = f"Saved {path}: {number(len(drawn))} points drawn from"
    if request.released is not None:
        return f"{said} the newest release"
    return f"{said} a simulated histogram, which was derived from private data"
