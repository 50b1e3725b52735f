"""What a page about sensitivity asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for what `SensitivityAnalysis.public`
publishes and the certificate.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from app.jobs.channels import JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.seeds import DEFAULT_SEED
from app.model.selection import Selection
from app.model.wording.certificates import Certificates, published_words
from app.pages.base.results import PictureResult
from app.pages.sensitivity.error_estimates import judge
from app.pages.sensitivity.path_targets import far_end
from engine.errors import ParameterError
from engine.noise import NOISES, Noise, default_pair
from engine.noise.base import Admissible
from engine.noise.certificate import certify
from engine.privacy import Privacy
from engine.progress import Progress, part
from engine.queries.profile import sensitivity_path, sensitivity_profile, sensitivity_sweep
from engine.simulation import Simulation, simulate

if TYPE_CHECKING:
    from app.plots.sensitivity.against_epsilon import EpsilonSweep
    from app.plots.sensitivity.noise_densities import NoiseCurve

SWEEP = (-2, 1)
"""Powers of ten between which epsilon is swept, unless a smaller or larger one is chosen."""
PER_DECADE = 16
DRAWN = (14, 5000)
"""Least and greatest k at which "against k" ends: where k = 0 decides, the curve must be
seen to go on, and on equal data it would go on for ever."""
MANY = {"column": 100_000, "weighted-graph": 1_000, "simple-graph": 100_000}
"""Records from which on a path is looked at in fewer places, by what the query reads."""
RUNS = 1000

KeptT = TypeVar("KeptT")


class Keep(Protocol):
    """``keep(name, key, work)`` returns ``work()``, computed only if `key` is not the last one."""

    def __call__(self, name: str, key: Hashable, work: Callable[[], KeptT], /) -> KeptT: ...


@dataclasses.dataclass(frozen=True)
class SensitivityRequest:
    """What a job is to answer: a setup, the open tab, and the choices on it.

    `choice` is what a person has chosen in the picture of the data.
    """

    setup: Selection
    tab: str
    target: str = ""
    seed: int = DEFAULT_SEED
    choice: Hashable = None


View = Callable[[SensitivityRequest, Any, Progress, Keep], Any]
"""Makes what the picture of the data shows, of a question and a database; None for nothing new."""


class SensitivityAnalysis:
    """Answers questions in one worker at a time; keeps what the next one may need.

    Parameters
    ----------
    databases : DatabaseCache
    before, after : sequence of View
        The picture of the data, as far as it is known before and after the curves.
    public : sequence of View
        What of it depends on public facts only.  They are given no database.
    """

    def __init__(
        self,
        databases: DatabaseCache,
        *,
        before: Sequence[View] = (),
        after: Sequence[View] = (),
        public: Sequence[View] = (),
    ) -> None:
        self._databases = databases
        self._before, self._after, self._public = before, after, public
        self._kept: dict[str, tuple[Hashable, Any]] = {}

    def answer(self, request: SensitivityRequest, task: JobTask) -> None:
        """Publish a `PictureResult` for each picture as soon as it is known."""
        database = self._databases.get(request.setup.source)
        pictures: dict[str, Callable[[SensitivityRequest, Any, Progress], Any]] = {
            "k": self._profile,
            "epsilon": self._sweep,
            "path": self._path,
            "noise": self._noises,
            "distribution": self._distribution,
        }
        self._publish_views(self._before, request, database, task)
        task.publish(PictureResult("clamped", database.outside, request))
        if request.tab in pictures:
            task.publish(PictureResult(request.tab, pictures[request.tab](request, database, task), request))
        self._publish_views(self._after, request, database, task)
        estimate = judge(request.setup, database, task)
        if estimate is not None:
            task.publish(PictureResult("judgement", estimate, request))

    def public(self, request: SensitivityRequest, task: JobTask) -> None:
        """Publish the families at scale 1/alpha, and what of the data is public."""
        self._publish_views(self._public, request, None, task)
        curves = noise_curves(request.setup, lambda pairs: [1 / pair.alpha for pair in pairs], task)
        task.publish(PictureResult("noise", curves, request, public=True))

    def _publish_views(
        self, views: Sequence[View], request: SensitivityRequest, database: Any, task: JobTask
    ) -> None:
        for view in views:
            found = view(request, database, task, self._keep)
            if found is not None:
                task.publish(PictureResult("view", found, request, public=database is None))

    def _profile(self, request: SensitivityRequest, database: Any, progress: Progress) -> Any:
        query, beta = request.setup.mechanism.query, pair(request.setup).beta

        def work() -> Any:
            return sensitivity_profile(query, database, beta, progress=progress, k_within=DRAWN)

        return self._keep("k", (database, query, beta), work)

    def _sweep(self, request: SensitivityRequest, database: Any, progress: Progress) -> EpsilonSweep:
        from app.plots.sensitivity.against_epsilon import EpsilonSweep

        setup = request.setup
        delta = setup.privacy.delta
        epsilons = sweep_around(setup.privacy.epsilon)
        edges = (epsilons[0], epsilons[-1])
        key = (
            database,
            setup.mechanism.query,
            setup.smooth.noise,
            setup.smooth.constants,
            setup.smooth.split,
            delta,
            edges,
        )

        def work() -> Any:
            betas = []
            for step, epsilon in enumerate(epsilons):
                progress(0.5 * step / len(epsilons), "noise for each epsilon")
                betas.append(pair(setup, Privacy(float(epsilon), delta)).beta)
            return sensitivity_sweep(
                setup.mechanism.query, database, np.array(betas), part(progress, 0.5, 1.0)
            )

        return EpsilonSweep(epsilons, self._keep("sweep", key, work), setup.privacy.epsilon)

    def _path(self, request: SensitivityRequest, database: Any, progress: Progress) -> Any:
        query, beta = request.setup.mechanism.query, pair(request.setup).beta

        def work() -> Any:
            end = self._keep("target", (database, request.target), lambda: far_end(request.target, database))
            return sensitivity_path(query, database, end, beta, steps_of(query.reads, database), progress)

        return self._keep("path", (database, request.target, query, beta), work)

    def _noises(self, request: SensitivityRequest, database: Any, progress: Progress) -> list[NoiseCurve]:
        query = request.setup.mechanism.query

        def scales(pairs: Sequence[Admissible]) -> list[float]:
            found = query.smooth_sensitivities(
                database, [one.beta for one in pairs], part(progress, 0.5, 1.0)
            )
            return [float(one.value / pair.alpha) for one, pair in zip(found, pairs, strict=True)]

        return noise_curves(request.setup, scales, progress)

    def _distribution(self, request: SensitivityRequest, database: Any, progress: Progress) -> Simulation:
        setup = request.setup
        return simulate(setup.mechanism, database, setup.privacy, RUNS, request.seed, progress)

    def _keep(self, name: str, key: Hashable, work: Callable[[], Any]) -> Any:
        if name not in self._kept or self._kept[name][0] != key:
            self._kept[name] = (key, work())
        return self._kept[name][1]


def pair(setup: Selection, privacy: Privacy | None = None) -> Admissible:
    """Return (alpha, beta) of the chosen noise; of the default one where it has none."""
    return default_pair(
        setup.smooth.noise,
        privacy or setup.privacy,
        constants=setup.smooth.constants,
        split=setup.smooth.split,
    )


def sweep_around(epsilon: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the epsilons of a sweep of whole decades that `epsilon` lies in."""
    power = math.log10(epsilon)
    first, last = min(SWEEP[0], math.floor(power)), max(SWEEP[1], math.ceil(power))
    return np.logspace(first, last, PER_DECADE * (last - first) + 1)


def steps_of(reads: str, database: Any) -> int:
    """Return how many databases on a path are looked at; each is a computation of its own."""
    return 101 if database.records <= MANY[reads] else 41


def noise_curves(
    setup: Selection, scales: Callable[[Sequence[Admissible]], Sequence[float]], progress: Progress
) -> list[NoiseCurve]:
    """Return every family that gives the privacy asked for, at the `scales` of their pairs."""
    from app.plots.sensitivity.noise_densities import NoiseCurve, tabulate

    found: list[tuple[Noise, Admissible, bool]] = []
    for step, (name, family) in enumerate(NOISES.items()):
        progress(0.5 * step / len(NOISES), "noise families")
        chosen = name == setup.smooth.noise.name
        noise = setup.smooth.noise if chosen else family()
        try:
            constants, split = (setup.smooth.constants, setup.smooth.split) if chosen else ("tight", 0.5)
            admissible = noise.admissible(setup.privacy, constants=constants, split=split)
        except ParameterError:
            continue
        # tabulated here, so that the window's thread finds the table ready
        tabulate(noise)
        found.append((noise, admissible, chosen))
    wide = scales([admissible for _, admissible, _ in found]) if found else []
    return [
        NoiseCurve(noise.label, "smooth" if chosen else "", scale, noise)
        for (noise, _, chosen), scale in zip(found, wide, strict=True)
    ]


def certificate(setup: Selection, task: JobTask) -> Certificates:
    """Certify numerically what the chosen pair gives, and then what those in print give (public)."""
    noise, asked = setup.smooth.noise, setup.privacy
    admissible = noise.admissible(asked, constants=setup.smooth.constants, split=setup.smooth.split)
    found = certify(noise, admissible.alpha, admissible.beta, asked)
    first = Certificates(noise, asked, setup.smooth.constants, admissible, found)
    task.publish(first)
    task(0.5)
    return dataclasses.replace(first, published=tuple(published_words(noise, asked)))
