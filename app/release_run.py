"""A release as a job, and what its certificate says in words."""

from __future__ import annotations

from app.jobs import Task
from app.plots.numbers import number
from app.state import ReleaseRecord, Samples, SessionState, Setup
from engine.noise.base import Admissible
from engine.noise.certificate import Certificate


def run_release(state: SessionState, samples: Samples, task: Task) -> ReleaseRecord:
    """Make one release of what `state` says (in a worker)."""
    setup = state.setup()
    sample = samples.get(setup.source)
    release = setup.mechanism.run(sample, setup.privacy, progress=task)
    # a release that was cancelled while it was made must not be shown: ask once more
    task(1.0)
    return ReleaseRecord.of(release, state)


def certificate_words(setup: Setup, pair: Admissible, found: Certificate) -> tuple[str, str]:
    """Say in one line, and in a longer text, what the chosen pair really gives."""
    asked = setup.privacy
    if asked.delta:
        gives = f"ε = {number(asked.epsilon)}, δ = {number(found.joint_delta)}"
    else:
        gives = f"ε = {number(found.joint_epsilon)}"
    verdict = f"certified: {gives}" if found.private else f"NOT private as asked: gives {gives}"
    if setup.constants == "published":
        verdict += "; Definition 2.4 " + ("holds" if found.admissible else "is violated")
    details = (
        f"The pair α = {number(pair.alpha)}, β = {number(pair.beta)} ({pair.source}), checked numerically "
        "between replace-one neighbours (n public).\n"
        f"Together: {'private as asked' if found.private else 'not private as asked'} "
        f"(ε = {number(found.joint_epsilon)} at δ = {number(asked.delta)}; "
        f"δ = {number(found.joint_delta)} at ε = {number(asked.epsilon)}).\n"
        f"Definition 2.4, which gives sliding and dilation half of ε and δ each: "
        f"{'holds' if found.admissible else 'does not hold'} "
        f"(sliding δ = {number(found.sliding_delta)}, dilation δ = {number(found.dilation_delta)})."
    )
    return verdict, details
