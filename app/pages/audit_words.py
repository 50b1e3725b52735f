"""What is said about an audit beside its picture."""

from __future__ import annotations

from app.pages.audit_choice import AuditChoice, Offered
from app.pages.audit_work import Audited
from app.plots.numbers import number, share
from app.widgets.words import count

STALE = "This was found with the choices before; press Audit to audit those of now."
UNDER_WAY = "This was found before; the audit of what is chosen now is under way."
CANCELLED = "Cancelled. Press Audit to start again."


def waiting(pair: Offered | None, choice: AuditChoice, busy: bool) -> str:
    """Say what an audit would do, before there is one, or does."""
    if pair is None:
        return ""
    said = f"{pair.label}: {sentence(pair.why)}"
    many = f"{count(choice.runs)} simulated releases of either database"
    return f"{said}\n\n{f'Drawing {many} …' if busy else f'Press Audit to draw {many}.'}"


def found(audited: Audited, fresh: bool) -> str:
    """Say what was found, and what it means."""
    if not fresh:
        return STALE
    question, run = audited.question, audited.view.run
    choice, right = question.choice, question.setup.mechanism
    pair = f"{audited.pair.label}: {sentence(audited.pair.why)}"
    drawn = f"{count(choice.runs)} simulated releases of each, seed {choice.seed}."
    promised = f"ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number(run.audit.privacy.epsilon)}"
    if run.audit.violated and choice.bug:
        why = "The planted bug is caught. "
    elif run.audit.violated and not right.is_private:
        why = f"It must be: nothing is promised here; a private one would keep to {promised}. "
    elif run.audit.violated:
        odds = share(1 - run.audit.confidence)
        why = f"A right mechanism is called violated in at most {odds} of all audits: try other seeds. "
    elif choice.bug:
        why = "The planted bug does not show: try other neighbours, or more runs. "
    else:
        why = ""
    return f"{why}{pair} {drawn}"


def sentence(words: str) -> str:
    """Write words with a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}." if words else ""
