"""What the median page asks of the engine; plain functions for worker threads.

Everything here is computed from raw data and is private, but for the noise at scale 1.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Hashable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from app.certificates import Certified, published_words
from app.jobs import Task
from app.state import Samples, Setup
from engine import catalog
from engine.data.order_statistics import Sample
from engine.errors import ParameterError
from engine.mechanisms import ExponentialRelease, LaplaceRelease
from engine.mechanisms.base import Prepared
from engine.noise import NOISES
from engine.noise.base import Admissible
from engine.noise.certificate import certify
from engine.privacy import Privacy
from engine.progress import Progress, part
from engine.queries.profile import sensitivity_path, sensitivity_profile, sensitivity_sweep
from engine.simulation import Simulation, simulate

if TYPE_CHECKING:
    from app.plots.against_epsilon import EpsilonSweep
    from app.plots.dot_strip import StripView
    from app.plots.noise_densities import NoiseCurve

SWEEP = (-2, 1)
"""Powers of ten between which epsilon is swept, unless a smaller or larger one is chosen."""
PER_DECADE = 16
DRAWN = (14, 5000)
"""Least and greatest k at which "against k" ends: where k = 0 decides, the curve must be
seen to go on, and on equal data it would go on for ever."""
RUNS = 1000
SEED = 1


@dataclasses.dataclass(frozen=True)
class Question:
    """What a job is to answer: a setup, the open tab, and the choices on it."""

    setup: Setup
    tab: str
    target: str = "lower"
    seed: int = SEED


@dataclasses.dataclass(frozen=True)
class Drawn:
    """The answer for one picture: which one, what it shows, and the question."""

    picture: str
    result: Any
    question: Question


@dataclasses.dataclass(frozen=True)
class Errors:
    """Half of the releases err by less than `typical`, 95 % by less than `most`."""

    typical: float
    most: float
    private: bool


@dataclasses.dataclass(frozen=True)
class Judgement:
    """What is to be said about a mechanism on these data."""

    errors: Errors
    smooth: float | None
    global_: float | None
    width: float
    rival: str = ""
    rival_errors: Errors | None = None
    answers: float = 1.0


def load_pictures(task: Task) -> bool:
    """Import what draws: half a second that the window need not wait for."""
    for step, module in enumerate(("app.widgets.plot_canvas", "app.plots.dot_strip", "app.plots.against_k")):
        task(step / 3)
        import_module(module)
    return True


class Answers:
    """Answers questions in one worker at a time; keeps what the next one may need."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self._kept: dict[str, tuple[Hashable, Any]] = {}

    def answer(self, question: Question, task: Task) -> None:
        """Publish a `Drawn` for each picture as soon as it is known."""
        setup = question.setup
        sample = self._samples.get(setup.source)
        pictures: dict[str, Callable[[Question, Sample, Progress], Any]] = {
            "k": self._profile,
            "epsilon": self._sweep,
            "path": self._path,
            "noise": self._noises,
            "distribution": self._distribution,
        }
        work = pictures[question.tab]
        task.publish(Drawn(question.tab, work(question, sample, task), question))
        task.publish(Drawn("strip", self._strip(question, sample), question))
        judgement = judge(setup, sample, task)
        if judgement is not None:
            task.publish(Drawn("judgement", judgement, question))

    def _profile(self, question: Question, sample: Sample, progress: Progress) -> Any:
        setup = question.setup
        return sensitivity_profile(setup.query, sample, pair(setup).beta, progress=progress, k_within=DRAWN)

    def _sweep(self, question: Question, sample: Sample, progress: Progress) -> EpsilonSweep:
        from app.plots.against_epsilon import EpsilonSweep

        setup = question.setup
        delta = setup.privacy.delta
        epsilons = sweep_around(setup.privacy.epsilon)
        edges = (epsilons[0], epsilons[-1])
        key = (id(sample), setup.query, setup.noise, setup.constants, setup.split, delta, edges)

        def work() -> Any:
            betas = []
            for step, epsilon in enumerate(epsilons):
                progress(0.5 * step / len(epsilons), "noise for each epsilon")
                betas.append(pair(setup, Privacy(float(epsilon), delta)).beta)
            rest = part(progress, 0.5, 1.0)
            return sample, sensitivity_sweep(setup.query, sample, np.array(betas), rest)

        _, sweep = self._keep("sweep", key, work)
        return EpsilonSweep(epsilons, sweep, setup.privacy.epsilon)

    def _path(self, question: Question, sample: Sample, progress: Progress) -> Any:
        setup = question.setup
        key = (id(sample), question.target)

        def work() -> tuple[Sample, Sample]:
            return sample, Sample(target_values(question.target, sample), sample.domain)

        _, end = self._keep("target", key, work)
        # each step looks at all n values, so that a long file gets fewer of them
        steps = 101 if sample.n <= 100_000 else 41
        return sensitivity_path(setup.query, sample, end, pair(setup).beta, steps, progress)

    def _noises(self, question: Question, sample: Sample, progress: Progress) -> list[NoiseCurve]:
        setup = question.setup

        def scale(admissible: Admissible) -> float:
            smooth = setup.query.smooth_sensitivity(sample, admissible.beta).value
            return float(smooth / admissible.alpha)

        return noise_curves(setup, scale, progress)

    def _distribution(self, question: Question, sample: Sample, progress: Progress) -> Simulation:
        setup = question.setup
        return simulate(setup.mechanism, sample, setup.privacy, RUNS, question.seed, progress)

    def _strip(self, question: Question, sample: Sample) -> StripView:
        from app.plots.dot_strip import StripView, shown

        source = question.setup.source
        indices = shown(sample.n)
        values = source.values[indices]
        for record, value in source.edits.items():
            values[indices == record] = value
        domain = sample.domain
        return StripView(
            values=domain.clamp(values),
            indices=indices,
            outside=(values < domain.lower) | (values > domain.upper),
            n=sample.n,
            clamped=sample.outside,
            domain=domain,
            true_value=question.setup.query.value(sample),
            label=question.setup.query.label.lower(),
        )

    def _keep(self, name: str, key: Hashable, work: Callable[[], Any]) -> Any:
        if name not in self._kept or self._kept[name][0] != key:
            self._kept[name] = (key, work())
        return self._kept[name][1]


def pair(setup: Setup, privacy: Privacy | None = None) -> Admissible:
    """Return (alpha, beta) of the chosen noise; of the default one where it has none."""
    asked = privacy or setup.privacy
    try:
        found: Admissible = setup.noise.admissible(asked, constants=setup.constants, split=setup.split)
    except ParameterError:
        found = catalog.default_noise(asked).admissible(asked)
    return found


def sweep_around(epsilon: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the epsilons of a sweep of whole decades that `epsilon` lies in."""
    power = math.log10(epsilon)
    first, last = min(SWEEP[0], math.floor(power)), max(SWEEP[1], math.ceil(power))
    return np.logspace(first, last, PER_DECADE * (last - first) + 1)


def target_values(target: str, sample: Sample) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the far end of a path: all at the lower bound, the upper one, or half and half."""
    low, high = sample.domain.lower, sample.domain.upper
    if target == "halves":
        return np.where(np.arange(sample.n) < sample.n // 2, low, high).astype(np.float64)
    return np.full(sample.n, low if target == "lower" else high)


def noise_curves(setup: Setup, scale: Callable[[Admissible], float], progress: Progress) -> list[NoiseCurve]:
    """Return every family that gives the privacy asked for, at `scale` of its pair."""
    from app.plots.noise_densities import NoiseCurve, tabulate

    curves = []
    for step, (name, family) in enumerate(NOISES.items()):
        progress(step / len(NOISES), "noise families")
        chosen = name == setup.noise.name
        noise = setup.noise if chosen else family()
        try:
            constants, split = (setup.constants, setup.split) if chosen else ("tight", 0.5)
            admissible = noise.admissible(setup.privacy, constants=constants, split=split)
        except ParameterError:
            continue
        # tabulated here, so that the window's thread finds the table ready
        tabulate(noise)
        role = "smooth" if chosen else ""
        curves.append(NoiseCurve(noise.label, role, scale(admissible), noise))
    return curves


def public(setup: Setup, task: Task) -> Drawn:
    """Return the families at scale 1/alpha, which depends on public facts only."""
    curves = noise_curves(setup, lambda admissible: 1 / admissible.alpha, task)
    return Drawn("public", curves, Question(setup, "noise"))


def certificate(setup: Setup, task: Task) -> Certified:
    """Certify numerically what the chosen pair gives, and then what those in print give (public)."""
    noise, asked = setup.noise, setup.privacy
    admissible = noise.admissible(asked, constants=setup.constants, split=setup.split)
    found = certify(noise, admissible.alpha, admissible.beta, asked)
    first = Certified(noise, asked, setup.constants, admissible, found)
    task.publish(first)
    task(0.5)
    return dataclasses.replace(first, published=tuple(published_words(noise, asked)))


def errors_of(prepared: Prepared) -> Errors:
    """Return how far releases fall from the true value, from their quantiles."""
    probabilities = (np.arange(9999) + 0.5) / 9999
    distances = np.abs(prepared.quantile(probabilities) - prepared.diagnostics["true_value"])
    typical, most = np.quantile(distances, [0.5, 0.95])
    return Errors(float(typical), float(most), prepared.error is None)


def judge(setup: Setup, sample: Sample, progress: Progress) -> Judgement | None:
    """Compare the chosen mechanism with the domain and with its nearest rival."""
    if setup.mechanism.problems(setup.privacy, sample.domain, sample.n):
        return None
    prepared = setup.mechanism.prepare(sample, setup.privacy, progress)
    facts = prepared.diagnostics
    rival, rival_errors = "", None
    rivals = [LaplaceRelease, ExponentialRelease] if setup.mechanism.name == "smooth" else []
    for family in rivals:
        other = family(query=setup.query)
        if other.problems(setup.privacy, sample.domain, sample.n):
            continue
        errors = errors_of(other.prepare(sample, setup.privacy, progress))
        if rival_errors is None or errors.typical < rival_errors.typical:
            rival, rival_errors = family.label, errors
    return Judgement(
        errors=errors_of(prepared),
        smooth=facts.get("smooth"),
        global_=facts.get("global"),
        width=sample.domain.width,
        rival=rival,
        rival_errors=rival_errors,
        answers=facts.get("answer_probability", 1.0),
    )
