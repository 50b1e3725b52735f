"""The window's pictures of an audit, as panels."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.commands.support.low_bits_text import worst_of
from app.plots.audit.low_bits import AuditLowBits, LowBitsView
from app.plots.audit.outcomes import AuditOutcomes
from app.plots.audit.view import AuditView, side_names
from app.plots.figure_panel import FigurePanel

if TYPE_CHECKING:
    from app.commands.support.audit_text import AuditedPairs


def audit_panel(found: AuditedPairs, unit: str = "") -> FigurePanel:
    """Show what came out on the worst pair, and the event that tells its databases apart."""
    run, pair = found.runs[found.worst], found.pairs[found.worst]
    audit = dataclasses.replace(run.audit, confidence=found.confidence)
    planted = found.mistake.label if found.planted else ""
    view = AuditView(dataclasses.replace(run, audit=audit), side_names(pair.public), planted)
    title = f"Audit of {found.right.label}: {pair.label.lower()}"
    return FigurePanel(title, AuditOutcomes, view, unit, private=not pair.public)


def low_bits_panel(found: AuditedPairs) -> FigurePanel:
    """Show where released numbers lie between the points of the grid, and which are impossible."""
    place = worst_of(found.low_bits)
    pair, planted = found.pairs[place], found.mistake.label if found.planted else ""
    title = f"Low bits of {found.right.label}: {pair.label.lower()}"
    view = LowBitsView(found.low_bits[place], planted)
    return FigurePanel(title, AuditLowBits, view, private=not pair.public)
