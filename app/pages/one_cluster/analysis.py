"""What a worker does for the page about balls: the picture, what can be chosen of a run, what it is worth."""

from __future__ import annotations

import dataclasses

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.pages.base.answering import CLAMPED, PictureRequest, publish_estimate, publish_picture
from app.pages.base.results import PictureResult
from engine.analysis.placed_balls import place_records
from engine.analysis.shared.ball_runs import found_in_run
from engine.data.points import Points
from engine.mechanisms import BallMechanism
from engine.progress import part

TRIES = "tries"
"""What is published of the simulated run that is looked at (private)."""

OF_ONE_RUN = ("ball", "radius", "boxes")
"""Pictures of a single run."""


@dataclasses.dataclass(frozen=True)
class Tries:
    """How many partitions a run has drawn, and how many choices of a radius it has made (private)."""

    boxes: int
    radii: int
    why: str = ""


def answer(estimate: str, request: PictureRequest, databases: DatabaseCache, task: JobTask) -> None:
    """Publish the open picture, what can be chosen of its run, and what can be expected."""
    if request.public:
        publish_picture(request, None, task)
        return
    data = _data(request, databases, task)
    picture = request.picture
    if picture is not None and picture.name in OF_ONE_RUN and request.released is None:
        _publish_tries(request, data, task)
    publish_picture(request, data, task)
    publish_estimate(estimate, request, data, task)


def answer_bare(request: PictureRequest, databases: DatabaseCache, task: JobTask) -> None:
    """Publish the records alone, for a setup that is refused."""
    options = {name: request.options[name] for name in ("across", "up")}
    task.publish(PictureResult("ball", place_records(_data(request, databases, task), **options), request))


def _data(request: PictureRequest, databases: DatabaseCache, task: JobTask) -> Points:
    data = databases.get(request.setup.source)
    assert isinstance(data, Points)
    task.publish(PictureResult(CLAMPED, data.outside, request))
    return data


def _publish_tries(request: PictureRequest, data: Points, task: JobTask) -> None:
    setup, options = request.setup, request.options
    assert isinstance(setup.mechanism, BallMechanism)
    found = found_in_run(
        setup.mechanism,
        data,
        setup.privacy,
        seed=options["seed"],
        ball=options["ball"],
        progress=part(task, 0.0, 0.5),
    )
    task.publish(
        PictureResult(TRIES, Tries(len(found.tries), 1 + (found.reach is not None), found.why), request)
    )
