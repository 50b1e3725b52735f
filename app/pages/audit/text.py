"""What is said about an audit beside its picture."""

from __future__ import annotations

from app.model.audit_choice import AuditChoice
from app.model.wording.formatting import format_count
from app.model.wording.numbers import number, share
from app.pages.audit.analysis import AuditRequest, AuditResult, PairOffer
from engine.audit import LowBitsRun
from engine.mechanisms import PLANTED

STALE = "This was found with the choices before; press Audit to audit those of now."
UNDER_WAY = "This was found before; the audit of what is chosen now is under way."
SIMULATED = "simulated releases"
BARE = "Values are looked at before they are clamped or otherwise processed."
CANCELLED = "Cancelled. Press Audit to start again."


def waiting(pair: PairOffer | None, request: AuditRequest | None, busy: bool) -> str:
    """Say what an audit would do, before there is one, or does."""
    if pair is None or request is None:
        return ""
    said = f"{pair.label}: {sentence(pair.why)}"
    many = f"{format_count(request.runs)} {_kind(request)} of either database"
    return f"{said}\n\n{f'Drawing {many} …' if busy else f'Press Audit to draw {many}.'}"


def result_text(audited: AuditResult, fresh: bool) -> str:
    """Say what was found, and what it means."""
    if not fresh:
        return STALE
    request, run = audited.request, audited.view.run
    choice, right = request.choice, request.setup.mechanism
    pair = f"{audited.pair.label}: {sentence(audited.pair.why)}"
    bare = "" if right.unprocessed() == right else f" {BARE}"
    if isinstance(run, LowBitsRun):
        many = f"{format_count(request.runs)} {_kind(request)} of each."
        return f"{_of_low_bits(run, choice)}{pair} {many}{bare}"
    drawn = f"{format_count(choice.runs)} {_kind(request)} of each, seed {choice.seed}.{bare}"
    promised = f"ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(run.audit.privacy.epsilon)}"
    if run.audit.violated and choice.bug:
        why = "The faulty variant is caught. "
    elif run.audit.violated and not right.is_private:
        why = f"It must be: nothing is promised here; a mechanism that is DP would keep to {promised}. "
    elif run.audit.violated:
        odds = share(1 - run.audit.confidence)
        why = f"A right mechanism is called violated in at most {odds} of all audits: try other seeds. "
    elif choice.bug and PLANTED[choice.bug].shows_in_low_bits:
        why = "The faulty variant shows in the low bits alone: choose Low bits, and audit again. "
    elif choice.bug:
        why = "The faulty variant does not show: try other neighbours, or more runs. "
    else:
        why = ""
    return f"{why}{pair} {drawn}"


def _of_low_bits(run: LowBitsRun, choice: AuditChoice) -> str:
    """Say what the attack on the low bits means."""
    if run.result.violated:
        return "The faulty variant is caught. " if choice.bug else ""
    return "The faulty variant does not show in the low bits. " if choice.bug else ""


def _kind(request: AuditRequest) -> str:
    return "real releases, which are not shown and spend no budget," if request.low_bits else SIMULATED


def sentence(text: str) -> str:
    """Write words with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""
