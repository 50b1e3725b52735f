"""Sections for the curator alone: true values, sensitivities, pictures of the raw data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from app.export.report.request import ReportRequest
from app.model.ledger import parameters_of
from app.model.release_record import ReleaseRecord
from app.model.report_document import Block, FactList, Paragraph, ReportFigure, ReportSection, ReportTable
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.wording.components import below
from app.model.wording.numbers import number, quantity
from app.model.wording.releases import give_or_take
from app.plots.compare.view import runs_words, saved_table
from app.plots.elements.labels import figure_of
from app.plots.figure_panel import FigurePanel
from app.releases.labels import query_words
from app.releases.registry import SHAPES, shape_of
from app.releases.shape import Table
from engine.analysis.expected_error import scalar_error
from engine.comparison import Comparison
from engine.errors import ParameterError, SensiscopeError
from engine.mechanisms import ScalarMechanism, SmoothRelease
from engine.mechanisms.prepared import Prepared, ScalarPrepared
from engine.mechanisms.release import Private, Release
from engine.privacy import Privacy
from engine.progress import Progress, part, parts

NAMES = {
    "local": "Local sensitivity LS",
    "smooth": "Smooth sensitivity S*",
    "global": "Global sensitivity GS",
    "alpha": "Shift α (noise)",
    "beta": "Stretch β (noise)",
    "scale": "Scale of the noise",
    "argmax_k": "k at which S* is attained",
    "answer_probability": "Probability of an answer",
}
IN_UNITS = frozenset({"local", "smooth", "global", "scale", "true_value"})
BOUNDED = frozenset({"local", "smooth"})
"""Some queries know only upper bounds of these."""
PUBLIC = frozenset({"global"})
MAX_ROWS = 40
RAW = "Computed from the raw data"
WARNING = "Sharing anything below would void the guarantee."
PICTURED = "No single number describes the raw data here; see the pictures."


def curator_sections(
    request: ReportRequest, records: Sequence[ReleaseRecord], progress: Progress
) -> Iterator[ReportSection]:
    """Yield sections on the choices on the page, on public facts and on the raw data."""
    try:
        chosen = _computed(request, part(progress, 0.0, 0.6))
    except SensiscopeError as error:
        yield ReportSection(
            RAW, (Paragraph(f"There is nothing to compute: {error.curator_text}."),), private=True
        )
    else:
        yield ReportSection("Chosen on the page now", tuple(_public(chosen, request.state.unit)))
        results = tuple(_facts(request, chosen, records, part(progress, 0.6, 0.7)))
        yield ReportSection(RAW, (Paragraph(WARNING), *results), private=True)
    if request.compared is not None:
        yield compared_section(request.compared)
    for index in request.options.pictures:
        progress(0.7, "drawing")
        yield picture_section(request.drawn[index])


def compared_section(comparison: Comparison) -> ReportSection:
    header, rows = saved_table(comparison)
    facts = f"Simulated releases: {runs_words(comparison)}, all from the seed {comparison.seed}."
    # the last column says what the badge says
    table = ReportTable.of(
        "Errors of the mechanisms", header[:-1], [row[:-1] for row in rows], MAX_ROWS, private=True
    )
    return ReportSection("Compared", (Paragraph(facts), table), level=3, private=True)


def picture_section(drawn: FigurePanel) -> ReportSection:
    """Return a picture with the numbers behind it."""
    picture = drawn.draw()
    figure = figure_of(picture.axes)
    header, rows = picture.saved_table()
    text = picture.alt_text() or drawn.title
    drawing = ReportFigure(drawn.title, text, lambda: figure, private=drawn.private)
    numbers = ReportTable.of(
        "The numbers behind the picture", header, rows, MAX_ROWS, folded=True, private=drawn.private
    )
    return ReportSection(drawn.title, (drawing, numbers), level=3, private=drawn.private)


@dataclasses.dataclass(frozen=True, eq=False)
class _Chosen:
    """The choices on the page, ready for releases (private).

    `truth` is the true answer in the shape of a release, None if it has another shape; `known` are
    sensitivities and the like by the names of `NAMES`.
    """

    setup: Selection
    database: Any
    prepared: Prepared
    truth: Any
    known: Mapping[str, Any]

    @property
    def public(self) -> frozenset[str]:
        """The diagnostics that follow from public facts alone."""
        return PUBLIC | frozenset(self.prepared.noise)

    @property
    def has_public_error(self) -> bool:
        """Whether the error of a release is public."""
        return self.prepared.error is not None


def _computed(request: ReportRequest, progress: Progress) -> _Chosen:
    setup = selection(request.state)
    wrong = setup.source.problem()
    if wrong is not None:
        raise ParameterError(wrong.field, wrong.message)
    database = request.databases.get(setup.source)
    prepared = setup.mechanism.prepare(database, setup.privacy, part(progress, 0.0, 0.7))
    shape = SHAPES[setup.mechanism.facts.shape]
    truth = shape.true_answer(setup.mechanism, prepared, database, part(progress, 0.7, 0.9))
    sensitivities = _sensitivities(setup, database, part(progress, 0.9, 1.0))
    known = {**sensitivities, **prepared.diagnostics, **prepared.noise}
    return _Chosen(setup, database, prepared, truth, known)


def _public(chosen: _Chosen, unit: str) -> Iterator[Block]:
    """Yield the choices, and facts that follow from them and from public facts."""
    privacy, mechanism = chosen.setup.privacy, chosen.setup.mechanism
    yield Paragraph(f"ε = {number(privacy.epsilon)}, δ = {number(privacy.delta)}, {mechanism.label}.")
    known = {name: value for name, value in chosen.known.items() if name in chosen.public}
    rows = (*_diagnostics(known, unit), *(_errors(chosen, unit) if chosen.has_public_error else ()))
    if rows:
        yield FactList(rows)


def _facts(
    request: ReportRequest, chosen: _Chosen, records: Sequence[ReleaseRecord], progress: Progress
) -> Iterator[Block]:
    state = request.state
    header, true = ([], []) if chosen.truth is None else _true_table(chosen, state)
    single = len(header) * len(true) == 1
    rows = [
        *([("True value", _true_words(true[0][0], state.unit))] if single else []),
        *_diagnostics({n: v for n, v in chosen.known.items() if n not in chosen.public}, state.unit),
        *(() if chosen.has_public_error else _errors(chosen, state.unit)),
    ]
    if rows:
        yield FactList(tuple(rows), private=True)
    if true and not single:
        yield ReportTable.of("True values", header, true, MAX_ROWS, private=True)
    counts = tuple(_recounts(records, state.coordinates, chosen.database, progress))
    yield from counts
    if not rows and not true and not counts:
        yield Paragraph(PICTURED)


def _recounts(
    records: Sequence[ReleaseRecord], coordinates: tuple[str, ...], database: Any, progress: Progress
) -> Iterator[ReportTable]:
    """Yield the released values of the current columns beside the truth."""
    for index, done in enumerate(parts(len(records), progress)):
        record = records[index]
        title = f"{index + 1}. {query_words(record.release)}"
        if record.coordinates == coordinates:
            match = shape_of(record.release).recount(title, record, database, MAX_ROWS, done)
            yield from () if match is None else (match,)


def _sensitivities(setup: Selection, database: Any, progress: Progress) -> dict[str, Any]:
    """Return LS, S* and GS, even if the mechanism does not use them."""
    if not isinstance(setup.mechanism, ScalarMechanism) or setup.mechanism.name == SmoothRelease.name:
        return {}
    smooth = SmoothRelease(query=setup.mechanism.query).resolve(setup.privacy)
    if smooth.problems(setup.privacy, database.domain, database.n):
        return {}
    known = smooth.prepare(database, setup.privacy, progress).diagnostics
    return {name: known[name] for name in ("local", "smooth", "global", "argmax_k", "bound") if name in known}


def _diagnostics(known: Mapping[str, Any], unit: str) -> Iterator[tuple[str, str]]:
    for name, text in NAMES.items():
        value = known.get(name)
        bound = name in BOUNDED and known.get("bound", False)
        if isinstance(value, int | float | np.number) and math.isfinite(value):
            shown = below(quantity(float(value), unit if name in IN_UNITS else "", 5), bound)
            yield (text.replace("S*", "S") if known.get("bound", False) else text), shown


def _errors(chosen: _Chosen, unit: str) -> Iterator[tuple[str, str]]:
    if isinstance(chosen.prepared, ScalarPrepared):
        errors = scalar_error(chosen.prepared)
        typical = f"typically {give_or_take(errors.typical, unit)}"
        most = f"95 % within {give_or_take(errors.most, unit)}"
        hidden = errors.typical == 0 < errors.most
        yield "Expected error", f"{most}; half have no error" if hidden else f"{typical}; {most}"


def _true_table(chosen: _Chosen, state: SessionState) -> Table:
    """Return the true answer as a table with the form of a release."""
    mechanism = chosen.setup.mechanism
    stands_for = Release(
        mechanism=mechanism.name,
        query=state.query,
        value=chosen.truth,
        privacy=Privacy(1.0),
        noise={},
        parameters=parameters_of(mechanism),
        error=None,
        simulated=True,
        exact=not mechanism.inexact,
        diagnostics=Private({}),
    )
    return SHAPES[mechanism.facts.shape].truth_table(ReleaseRecord.of(stands_for, state))


def _true_words(value: Any, unit: str) -> str:
    return value if isinstance(value, str) else quantity(float(value), unit, 7)
