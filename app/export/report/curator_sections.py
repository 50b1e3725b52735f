"""What only the curator of the data may see: true values, sensitivities, pictures of the raw data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from app.dataset import ReleaseRecord
from app.export.report.asking import Asked
from app.export.report.document import Block, Facts, Grid, Plate, Section, Words
from app.ledgers import parameters_of
from app.pages.judging import errors_of, give_or_take
from app.panels.release_words import release_table
from app.plots.drawn import Drawn
from app.plots.numbers import number, quantity
from app.setups import QuerySetup, Setup
from app.state import SessionState
from engine.errors import ParameterError, SensiscopeError
from engine.mechanisms import PointsMechanism, SmoothRelease
from engine.mechanisms.base import Prepared, Private, Release, ScalarPrepared
from engine.mechanisms.categories.base import CategoriesMechanism
from engine.mechanisms.histograms import HistogramMechanism
from engine.privacy import Privacy
from engine.progress import Progress, part

NAMES = {
    "local": "Local sensitivity LS",
    "smooth": "Smooth sensitivity S*",
    "global": "Global sensitivity GS",
    "scale": "Scale of the noise",
    "argmax_k": "k at which S* is attained",
    "answer_probability": "Probability of an answer",
}
IN_UNITS = frozenset({"local", "smooth", "global", "scale", "true_value"})
MOST_ROWS = 40
WARNING = "Whatever follows would void the guarantee if it left the room."
PICTURED = "No number sums the raw data up here: pictures show them beside what is released."


def curator_sections(asked: Asked, progress: Progress) -> Iterator[Section]:
    """Yield what was computed from the raw data, as it is chosen on the page now."""
    facts = tuple(_facts(asked, part(progress, 0.0, 0.7)))
    yield Section("Computed from the raw data", facts, private=True)
    for place in asked.wishes.pictures:
        progress(0.7, "drawing")
        yield picture_section(asked.drawn[place])


def picture_section(drawn: Drawn) -> Section:
    """Return a picture with the numbers behind it."""
    picture = drawn.again()
    figure = picture.axes.get_figure(root=True)
    header, rows = picture.saved_table()
    plate = Plate(drawn.title, picture.summary() or drawn.title, lambda: figure, private=drawn.private)
    numbers = Grid.of(
        "The numbers behind the picture", header, rows, MOST_ROWS, folded=True, private=drawn.private
    )
    return Section(drawn.title, (plate, numbers), level=3, private=drawn.private)


def _facts(asked: Asked, progress: Progress) -> Iterator[Block]:
    state = asked.state
    try:
        setup = state.setup()
        wrong = setup.source.problem()
        if wrong is not None:
            raise ParameterError(wrong.field, wrong.message)
        database = asked.databases.get(setup.source)
        prepared = setup.mechanism.prepare(database, setup.privacy, part(progress, 0.0, 0.7))
        truth = _truth(setup, prepared, database, part(progress, 0.7, 0.9))
        known = {**_sensitivities(setup, database, part(progress, 0.9, 1.0)), **prepared.diagnostics}
    except SensiscopeError as error:
        yield Words(f"There is nothing to compute: {error}.")
        return
    chosen = (
        f"ε = {number(setup.privacy.epsilon)}, δ = {number(setup.privacy.delta)}, {setup.mechanism.label}"
    )
    yield Words(f"What is chosen on the page now: {chosen}. {WARNING}")
    rows = [
        *_true_value(truth, state.unit),
        *_diagnostics(known, state.unit),
        *_errors(prepared, state.unit),
    ]
    if not rows and truth is None:
        yield Words(PICTURED)
    if rows:
        yield Facts(tuple(rows), private=True)
    if isinstance(truth, list | dict):
        yield Grid.of("True values", *_table(truth, state, setup), MOST_ROWS, private=True)


def _truth(setup: Setup, prepared: Prepared, database: Any, progress: Progress) -> Any:
    """Return the true answer in the shape of a release; None where it has another one."""
    mechanism, domain = setup.mechanism, setup.source.domain
    if isinstance(mechanism, HistogramMechanism):
        return None
    true = mechanism.true_value(prepared, database, progress)
    if isinstance(mechanism, PointsMechanism | CategoriesMechanism):
        return mechanism.true_answer(true, domain)
    return true


def _sensitivities(setup: Setup, database: Any, progress: Progress) -> dict[str, Any]:
    """Return LS, S* and GS also where the mechanism makes no use of them."""
    if not isinstance(setup, QuerySetup) or setup.mechanism.name == SmoothRelease.name:
        return {}
    smooth = SmoothRelease(query=setup.query, noise=setup.noise)
    if smooth.problems(setup.privacy, database.domain, database.n):
        return {}
    known = smooth.prepare(database, setup.privacy, progress).diagnostics
    return {name: known[name] for name in ("local", "smooth", "global", "argmax_k")}


def _true_value(truth: Any, unit: str) -> Iterator[tuple[str, str]]:
    if isinstance(truth, str):
        yield "True value", truth
    elif truth is not None and not isinstance(truth, list | dict):
        yield "True value", quantity(float(truth), unit, 7)


def _diagnostics(known: Mapping[str, Any], unit: str) -> Iterator[tuple[str, str]]:
    for name, words in NAMES.items():
        value = known.get(name)
        if isinstance(value, int | float | np.number) and math.isfinite(value):
            yield words, quantity(float(value), unit if name in IN_UNITS else "", 5)


def _errors(prepared: Prepared, unit: str) -> Iterator[tuple[str, str]]:
    if isinstance(prepared, ScalarPrepared):
        errors = errors_of(prepared)
        typical, most = give_or_take(errors.typical, unit), give_or_take(errors.most, unit)
        yield "Expected error", f"typically {typical}; 95 % within {most}"


def _table(truth: Any, state: SessionState, setup: Setup) -> tuple[list[str], list[list[Any]]]:
    """Return true values as the table that a release of them would be."""
    assert not isinstance(setup, QuerySetup)
    stands_for = Release(
        mechanism=state.query,
        query=state.query,
        value=truth,
        privacy=Privacy(1.0),
        noise={},
        parameters=parameters_of(setup.mechanism),
        error=None,
        simulated=True,
        diagnostics=Private({}),
    )
    return release_table(ReleaseRecord.of(stands_for, state))
