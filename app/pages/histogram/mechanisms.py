"""The mechanisms of the page "Histogram": what must be said of one, and all that can be compared."""

from __future__ import annotations

from app.model.selection import Selection
from app.model.state import SessionState
from app.model.view_states import ViewState
from engine.errors import ParameterError
from engine.mechanisms import MECHANISMS
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.mechanisms.histograms.exact_counts import WHY_NOT_DP

NOTICE = f"{WHY_NOT_DP[0].upper()}{WHY_NOT_DP[1:]}."


def notice(setup: Selection) -> str:
    """Say that nothing is promised, and what is hardly meant, from public facts; "" where all is well."""
    mechanism = setup.mechanism
    if mechanism.facts.is_private or mechanism.reads == "categories":
        return ""
    result = (problem.message for problem in mechanism.notices(setup.source.domain, setup.source.n))
    return " ".join([NOTICE, *(f"{text[:1].upper()}{text[1:]}." for text in result)])


def all_kinds(state: SessionState, view_state: ViewState) -> dict[str, tuple[HistogramMechanism, ...]]:
    """Return, as alternatives, all kinds of histograms with what was chosen for them, and the same t.

    One of another library is among them only where it is the mechanism.
    """
    t = state.mechanism.values.get("t")
    results: list[HistogramMechanism] = []
    for name, kind in MECHANISMS.items():
        if not issubclass(kind, HistogramMechanism) or (kind.facts.library and name != state.query):
            continue
        chosen = state.known.specify("mechanism", name)
        if t is not None and any(declared.name == "t" for declared in kind.parameters()):
            chosen = chosen.with_value(t, "t")
        try:
            results.append(chosen.build())
        except ParameterError:  # what was chosen for it makes no sense; its own form says so
            results.append(kind())
    return {"alternatives": tuple(results)}
