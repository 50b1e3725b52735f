"""The numbers of the tab "Audit"."""

from __future__ import annotations

from app.export.script.cell import ScriptCell, said
from app.export.script.declared import drawn
from app.export.script.expressions import written
from app.export.script.subject import Subject
from app.model.audit_choice import MOVED, AuditChoice
from app.pages.audit.analysis import AuditRequest, planted_label, public_pairs
from app.pages.audit.tabs import LOW_BITS, PICTURES, TAB, TITLES
from app.plots.audit.view import side_names
from engine.audit import ENOUGH
from engine.mechanisms import PLANTED

VIEW, LOW_BITS_VIEW = "app.plots.audit.view:AuditView", "app.plots.audit.low_bits:LowBitsView"


def cells(subject: Subject) -> list[ScriptCell]:
    """Return an audit, if that is what is open or what was found; in the release view a public one."""
    view_state = subject.view_state.audit
    wanted = subject.view_state.tab == TAB or view_state.done
    if not (wanted and subject.fits) or view_state.choice.problem() is not None:
        return []
    choice = view_state.choice
    names = [pair.name for pair in public_pairs(AuditRequest(subject.setup, choice))]
    public = choice.pair in ("", *names)
    if not (public or subject.curator):
        return []
    audited = "mechanism"
    lines = []
    if choice.bug:
        audited = "wrong"
        lines = ["# A mistake is planted: what an audit finds of it is no fault of the mechanism."]
        lines.append(f"wrong = PLANTED[{written(choice.bug)}].planted(mechanism)")
    if public:
        lines += _built_in(subject, choice, audited, names)
    elif choice.pair == MOVED:
        lines += _moved(subject, choice)
    else:
        lines += [
            f"pairs = of_data({audited}, data, privacy)",
            f"pair = next(pair for pair in pairs if pair.name == {written(choice.pair)})",
        ]
    if view_state.shows == LOW_BITS:
        return [_low_bits(lines, audited, choice, private=not public), *_drawn(subject, public=public)]
    confidence = written(choice.confidence)
    lines += [
        "# Simulations with a seed: they spend no budget.",
        f"run = audit_run({audited}, pair, privacy, {written(choice.runs)}, {written(choice.seed)}, "
        f"confidence={confidence})",
        said("what tells the two databases apart", "run.audit.event", private=not public),
        said("epsilon is at least", "run.audit.epsilon_lower_bound", private=not public),
        said("the promise is", "run.audit.verdict", private=not public),
    ]
    words = r"With high confidence $\varepsilon \ge \ln((p - \delta)/q)$ for an event that was chosen before."
    return [ScriptCell.of("An audit", lines, words), *_drawn(subject, public=public)]


def _drawn(subject: Subject, *, public: bool) -> list[ScriptCell]:
    """Draw the picture of the tab, if that is open."""
    look = subject.view_state.audit
    if subject.view_state.tab != TAB:
        return []
    planted = f", planted={written(planted_label(look.choice))}" if look.choice.bug else ""
    shown, view = (
        f"AuditView(run, {written(side_names(public))}{planted}, prior={written(look.prior / 100)})",
        VIEW,
    )
    if look.shows == LOW_BITS:
        shown, view = f"LowBitsView(run{planted})", LOW_BITS_VIEW
    name = f"audit {look.shows}"
    title, first = TITLES[name].shows, f"view = {shown}"
    return [
        drawn(PICTURES[name], title, subject, shown="view", first=first, private=not public, imports=(view,))
    ]


def _low_bits(lines: list[str], audited: str, choice: AuditChoice, *, private: bool) -> ScriptCell:
    lines = [
        *lines,
        "# Real releases, of which nothing is shown: they spend no budget.",
        f"run = low_bits_run({audited}, pair, privacy, {written(min(choice.runs, ENOUGH))})",
        said("the low bits", "run.found.words()", private=private),
        said("the promise is", "run.found.verdict", private=private),
    ]
    return ScriptCell.of("The low bits", lines, r"One impossible release refutes every $\varepsilon$.")


def _built_in(subject: Subject, choice: AuditChoice, audited: str, names: list[str]) -> list[str]:
    wanted = choice.pair
    if not wanted and choice.bug:
        wanted = PLANTED[choice.bug].worst_for(subject.setup.mechanism)
    first = not wanted or wanted not in names
    chosen = "pairs[0]" if first else f"next(pair for pair in pairs if pair.name == {written(wanted)})"
    return [f"pairs = built_in({audited}, bounds, n, privacy)", f"pair = {chosen}"]


def _moved(subject: Subject, choice: AuditChoice) -> list[str]:
    """Return the lines that move one record, which is first put back where it was."""
    state, record = subject.state, choice.record
    assert record is not None
    value = written(subject.setup.source.record(choice.value))
    if record not in state.data.changed_values():
        return [f"pair = moved(data, {record}, {value})"]
    others = {place: own for place, own in sorted(state.data.changed_values().items()) if place != record}
    return [state.kind.script_without(record, written(others)), f"pair = moved(before, {record}, {value})"]
