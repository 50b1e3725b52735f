"""The mechanism of a script, its privacy parameters and its guarantee."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.export.script.expressions import component, references, to_code
from app.export.script.subject import ScriptCell, Subject, said
from app.model.selection import Selection, step_of
from app.model.wording.releases import inexact_words, sentence
from engine.components import files_of
from engine.mechanisms import BlockMechanism, ScalarMechanism

RELEASES = (
    "# The next line makes a NEW release with fresh noise. It spends budget that nothing\n"
    "# counts here (a Ledger does). With rng=reproducible(1) it is a\n"
    "# simulation instead.\n"
    "# release = mechanism.run(data, privacy)"
)

FILE = "# Run only files that you trust: this system may not isolate the function fully."

NO_PROMISE = "# This mechanism is NOT differentially private: it has no epsilon."


def contenders_cell(subject: Subject) -> ScriptCell:
    """Return the lines that make `privacy` and `contenders`."""
    request = subject.setup
    lines = [
        f"privacy = {to_code(request.privacy)}",
        f"contenders = [{', '.join(map(to_code, request.mechanisms))}]",
    ]
    return dataclasses.replace(
        ScriptCell.of("The mechanisms compared", lines), imports=references(request.mechanisms)
    )


def mechanism_cell(subject: Subject) -> ScriptCell:
    """Return the lines that make `privacy` and `mechanism`."""
    setup = subject.setup
    lines = _query(subject) if isinstance(setup.mechanism, ScalarMechanism) else _sanitizer(subject)
    privacy = f"privacy = {to_code(setup.privacy)}"
    cell = ScriptCell.of(
        "The mechanism",
        [
            privacy,
            *lines,
            NO_PROMISE * (not setup.mechanism.facts.is_private),
            *_inexact(setup.mechanism.inexact),
            *_grid(subject),
            RELEASES * (subject.curator and subject.fits),
        ],
        _promise(setup),
    )
    return dataclasses.replace(cell, imports=references(setup.mechanism))


def _inexact(reason: str) -> list[str]:
    """Say where the guarantee may fail in the last bits; each half of the sentence has its own line."""
    if not reason:
        return []
    *first, last = sentence(inexact_words(False, reason)).split("; ")
    return [f"print({', '.join(to_code(half) for half in (*(f'{half};' for half in first), last))})"]


def _grid(subject: Subject) -> list[str]:
    """Return the line that prints the grid of released numbers."""
    setup = subject.setup
    if not subject.fits or step_of(setup) is None:
        return []
    if isinstance(setup.mechanism, ScalarMechanism):
        resolution = to_code(getattr(setup.source, "resolution", None))
        step = f"mechanism.public_grid(bounds, n, {resolution}).step"
    else:
        step = "mechanism.step(bounds, n, privacy)"
    return [said("released numbers are multiples of", step, private=False)]


def _promise(setup: Any) -> str:
    if not setup.mechanism.facts.is_private:
        return "No guarantee: this mechanism is not differentially private."
    return (
        "For all databases $x, y$ that differ in one record, and all sets $E$ of answers, "
        r"$\Pr[M(x) \in E] \le e^{\varepsilon} \Pr[M(y) \in E] + \delta$."
    )


def _query(subject: Subject) -> list[str]:
    setup = subject.setup
    names = [declared.name for declared in setup.mechanism.parameters() if declared.is_component]
    return [
        *(f"{name} = {to_code(getattr(setup.mechanism, name))}" for name in names),
        f"mechanism = {component(setup.mechanism, **dict(zip(names, names, strict=True)))}",
    ]


def _sanitizer(subject: Subject) -> list[str]:
    setup, state = subject.setup, subject.state
    beside = _beside(setup)
    if subject.setup.plan is None:
        return [*beside, f"mechanism = {to_code(setup.mechanism)}"]
    guess = f"{to_code(state.guess)} * sought.space(bounds).diameter"
    return [
        *beside,
        f"sought = {to_code(state.mechanism.build())}",
        f"plan = plan_blocks(sought, bounds, n, privacy, {guess})",
        "mechanism = with_blocks(sought, plan.blocks)",
        said("blocks, planned from public facts", "plan.blocks", private=False),
        said("error that the plan expects of blocks", "plan.block_error", private=False),
        said("error that the plan expects of noise", "plan.noise_error", private=False),
    ]


def _beside(setup: Selection) -> list[str]:
    """Return remarks on functions and blocks."""
    if not isinstance(setup.mechanism, BlockMechanism):
        return []
    return [FILE * bool(files_of(setup.mechanism))]
