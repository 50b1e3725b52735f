"""One trial: prepare once, then draw batch after batch, each with its own seed."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.arguments import as_seed
from engine.comparison.results import Outcome, Trial
from engine.data.database import draw_subsample
from engine.errors import ParameterError, SensiscopeError
from engine.mechanisms import Mechanism, Prepared
from engine.progress import Progress, part, silent
from engine.randomness import reproducible
from engine.simulation import batches

BATCH_RUNS = 100
"""Largest number of runs per batch; a batch is always drawn as a whole."""

TIMED, QUICK, TIMING = 15, 0.05, 0.01
"""The most preparations of a round, the most seconds of the first one, and of the others together."""

DRAWING_TIME_RATIO = 2.0
"""Drawing continues for this many times the preparation time, before the next preparation."""


def problem(trial: Trial, domain: Any) -> str:
    """Return why a trial is not possible, from public facts alone; "" if it is."""
    problems = trial.mechanism.problems(trial.privacy, domain, trial.n)
    return problems[0].message if problems else ""


def seed_at(seed: int, position: int) -> int:
    """Return the seed at one value of the sweep: the same for all mechanisms."""
    return _derive_seed(seed, position)


def batch_size(prepared: Prepared) -> int:
    return min(prepared.batch_size, BATCH_RUNS)


def generator(seed: int, position: int, batch: int) -> np.random.Generator:
    """Return the generator of a batch, which can thus be drawn again without earlier ones."""
    return reproducible(_derive_seed(seed, position, batch))


class Samples:
    """The records of each trial, and their true values; both are cached."""

    def __init__(self, data: Any, seed: int) -> None:
        self.seed = seed
        self.data = data
        self._drawn: tuple[int, int, Any] | None = None
        self._truths: dict[tuple[Mechanism[Any], int, int | None], Any] = {}

    def at(self, trial: Trial) -> Any:
        if trial.n == self.data.n:
            return self.data
        if self._drawn is None or self._drawn[:2] != (trial.position, trial.n):
            drawn = draw_subsample(self.data, trial.n, seed_at(self.seed, trial.position))
            self._drawn = (trial.position, trial.n, drawn)
        return self._drawn[2]

    def truth(self, trial: Trial, prepared: Prepared, progress: Progress = silent) -> Any:
        """Return the reference of the trial's errors: the same for any budget."""
        # other sweeps of n draw other records at the same index
        key = trial.mechanism, trial.n, None if trial.n == self.data.n else trial.position
        if key not in self._truths:
            self._truths[key] = prepared.true_value(progress)
        return self._truths[key]


def outcomes(
    trial: Trial,
    samples: Samples,
    *,
    runs: int,
    progress: Progress = silent,
    start: int = 0,
    enough: int | None = None,
) -> Iterator[Outcome]:
    """Run a trial; yield the outcome so far after each batch, and the complete one last.

    Outcomes that were yielded before `progress` raises stay valid.  A round with `enough` runs of all repeats
    a quick preparation, since the first one takes longer than the others.
    """
    data = samples.at(trial)
    so_far = Outcome(trial, runs, np.empty(0))
    if problems := trial.mechanism.problems(trial.privacy, data.domain, trial.n):
        yield dataclasses.replace(so_far, problem=problems[0].message, field=problems[0].field)
        return
    try:
        _load(trial.mechanism)
        seconds: list[float] = []
        most = 1 if enough is None else TIMED
        while not seconds or (len(seconds) < most and seconds[0] < QUICK and sum(seconds[1:]) < TIMING):
            began = time.perf_counter()
            heard = silent if seconds else part(progress, 0.0, 0.3)
            prepared = trial.mechanism.prepare(data, trial.privacy, heard)
            seconds.append(time.perf_counter() - began)
        so_far = dataclasses.replace(
            so_far,
            preparations=tuple(seconds),
            trivial_error=trial.mechanism.output.trivial_error(data.domain, trial.n),
        )
        true_value = samples.truth(trial, prepared, part(progress, 0.3, 0.5))
        draws = _Draws(prepared, true_value, data.domain, samples.seed)
        yield from draws.after(so_far, start, runs if enough is None else enough, part(progress, 0.5, 1.0))
    except SensiscopeError as error:
        # the data do not fit, which public facts could not show; the message is as private as the errors
        yield dataclasses.replace(so_far, problem=_message(error))


def replay(trial: Trial, data: Any, run: int, *, seed: int, progress: Progress = silent) -> Any:
    """Repeat a run of a comparison and return its value; None if it refused.

    The value is simulated, and no release.  `data` are all data of the comparison, even if the trial draws
    only some of them.  Runs are counted from 0, as in `Outcome.errors`; `seed` is that of the comparison.
    """
    from engine.mechanisms.histograms import HistogramPrepared

    if run < 0:
        raise ParameterError("run", f"{run} is not possible; runs are counted from 0")
    seed = as_seed(seed)
    here = Samples(data, seed).at(trial)
    prepared = trial.mechanism.prepare(here, trial.privacy, part(progress, 0.0, 0.5))
    size = batch_size(prepared)
    batch, row = divmod(run, size)
    drawing = part(progress, 0.5, 1.0)
    rng = generator(seed, trial.origin, batch)
    if isinstance(prepared, HistogramPrepared):  # the histogram is released, not its answers to ranges
        return prepared.histogram(rng, part(drawing, 0.0, 0.5)).value(part(drawing, 0.5, 1.0))
    (values,) = batches(prepared, [size], lambda _: rng, progress=drawing)
    return trial.mechanism.output.released(values[row], here.domain)


@dataclasses.dataclass(frozen=True)
class _Draws:
    """Draws errors from a prepared mechanism, given the true value."""

    prepared: Prepared
    true_value: Any
    domain: Any
    seed: int

    def after(self, so_far: Outcome, start: int, enough: int, progress: Progress) -> Iterator[Outcome]:
        """Yield the outcome with one more batch each time, from the run `start` on."""
        trial, each = so_far.trial, batch_size(self.prepared)
        wanted = so_far.asked - start
        sizes = [each] * math.ceil(wanted / each)
        errors, done = np.empty(each * len(sizes)), 0

        def paced(fraction: float, message: str = "") -> None:
            progress(min(1.0, fraction * wanted / max(1, enough - start)), message)

        def coins(batch: int) -> np.random.Generator:
            return generator(self.seed, trial.origin, start // each + batch)

        drawing = batches(self.prepared, sizes, coins, progress=paced)
        while start + done < enough or so_far.drawing < DRAWING_TIME_RATIO * so_far.preparing:
            began = time.perf_counter()
            values = next(drawing, None)
            if values is None:
                return
            seconds = time.perf_counter() - began
            errors[done : done + each] = trial.mechanism.output.errors(values, self.true_value, self.domain)
            kept, done = min(each, wanted - done), done + each
            so_far = dataclasses.replace(
                so_far,
                errors=errors[: min(done, wanted)],
                drawing=so_far.drawing + seconds * kept / each,
            )
            yield so_far


def _message(error: SensiscopeError) -> str:
    """Return an error message without the name of a field: there is no form here."""
    return error.problem if isinstance(error, ParameterError) else str(error)


def _derive_seed(seed: int, *key: int) -> int:
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0])


def _load(mechanism: Mechanism[Any]) -> None:
    """Import lazy modules before time is measured."""
    import scipy.optimize  # noqa: F401 - mechanisms need it

    if mechanism.facts.library is not None:
        mechanism.facts.library.load()
