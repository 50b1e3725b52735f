"""The mechanisms of the page "Histogram": warnings, and alternatives to compare."""

from __future__ import annotations

from app.model.selection import Selection
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.model.wording.not_dp import WARNING
from engine.errors import ParameterError
from engine.mechanisms import MECHANISMS
from engine.mechanisms.histograms.base import HistogramMechanism


def notice(setup: Selection) -> str:
    """Warn of missing guarantees and unlikely settings, from public facts; "" for none."""
    mechanism = setup.mechanism
    if mechanism.facts.is_private or mechanism.reads == "categories":
        return ""
    result = (problem.message for problem in mechanism.notices(setup.source.domain, setup.source.n))
    return " ".join([WARNING, *(f"{text[:1].upper()}{text[1:]}." for text in result)])


def all_kinds(state: SessionState, view_state: ViewState) -> dict[str, tuple[HistogramMechanism, ...]]:
    """Return all kinds of histograms with their chosen parameters and the same t.

    One of another library is included only if it is the current mechanism.
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
        except ParameterError:  # its parameters are invalid; its own form shows the problem
            results.append(kind())
    return {"alternatives": tuple(results)}
