"""Points drawn from the histogram that is shown, as a file."""

from __future__ import annotations

from app.jobs.tasks import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.wording.numbers import number
from app.pages.base.answering import PictureRequest
from engine.analysis.preparing import released_histogram, simulated_histogram
from engine.data.writing import write_points
from engine.histograms.synthetic import synthetic_points
from engine.progress import part
from engine.randomness import public_generator, secure


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
    rng, many = public_generator(secure()), request.setup.source.n
    drawn = synthetic_points(histogram, rng, many, progress=part(task, 0.4, 0.5))
    write_points(path, request.setup.source.columns, drawn, progress=part(task, 0.5, 1.0))
    said = f"Saved {path}: {number(len(drawn))} points drawn from"
    if request.released is not None:
        return f"{said} the newest release"
    return f"{said} a simulated histogram, which was derived from confidential data"
