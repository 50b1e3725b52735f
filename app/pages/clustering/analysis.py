"""What a worker does for the page about clusters: the stages, and what is said of each."""

from __future__ import annotations

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.pages.base.answering import CLAMPED, PictureRequest, publish_estimate, publish_picture
from app.pages.base.results import PictureResult
from engine.analysis.preparing import prepare
from engine.progress import part

PIPELINE = "pipeline"
"""What is published of the prepared mechanism, for the words of the stages (private)."""


def answer(estimate: str, request: PictureRequest, databases: DatabaseCache, task: JobTask) -> None:
    """Publish the open stage, what is known of all stages, and what can be expected."""
    if request.public:
        publish_picture(request, None, task)
        return
    setup, picture = request.setup, request.picture
    data = databases.get(setup.source)
    task.publish(PictureResult(CLAMPED, data.outside, request))
    at_once = picture is not None and not picture.runs  # seen before anything is worked out
    if at_once:
        publish_picture(request, data, task)
    ready = prepare(setup.mechanism, data, setup.privacy, part(task, 0.0, 0.4))
    task.publish(PictureResult(PIPELINE, ready.diagnostics, request))
    if not at_once:
        publish_picture(request, data, task)
    publish_estimate(estimate, request, data, task)
