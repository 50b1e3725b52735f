"""The mechanisms of the page "Histogram": what must be said of one, and all that can be compared."""

from __future__ import annotations

from app.model.selection import CategoriesSelection, PointsSelection
from app.model.state import SessionState
from engine import catalog
from engine.errors import ParameterError
from engine.mechanisms import SANITIZERS
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.histograms.exact import WHY_NOT_PRIVATE, ExactHistogram

AnySetup = PointsSelection | CategoriesSelection

NOTICE = f"{WHY_NOT_PRIVATE[0].upper()}{WHY_NOT_PRIVATE[1:]}."


def notice(setup: AnySetup) -> str:
    """Say that nothing is promised, and what is hardly meant, from public facts; "" where all is well."""
    mechanism = setup.mechanism
    if isinstance(setup, CategoriesSelection) or not isinstance(mechanism, ExactHistogram):
        return ""
    found = (problem.message for problem in mechanism.notices(setup.source.domain, setup.source.n))
    return " ".join([NOTICE, *(f"{words[:1].upper()}{words[1:]}." for words in found)])


def alternatives(state: SessionState) -> tuple[HistogramMechanism, ...]:
    """Return all kinds of histograms with what was chosen for them, and the same t."""
    t = state.chosen("mechanism", state.query).get("t")
    found: list[HistogramMechanism] = []
    for name, family in SANITIZERS.items():
        if not issubclass(family, HistogramMechanism):
            continue
        chosen = state.chosen("mechanism", name)
        if t is not None and any(declared.name == "t" for declared in family.parameters()):
            chosen["t"] = t
        try:
            made = catalog.sanitizer(name, **chosen)
        except ParameterError:  # what was chosen for it makes no sense; its own form says so
            made = catalog.sanitizer(name)
        assert isinstance(made, HistogramMechanism)
        found.append(made)
    return tuple(found)
