"""What else a comparison answers: which epsilon is needed, and what audits of the mechanisms find."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.options import UsageError, number
from app.model.kinds.registry import KINDS
from app.model.wording.console import facts
from app.model.wording.number_format import grouped, short
from app.plots.figure_panel import FigurePanel
from engine.errors import ParameterError

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.comparison import AuditedContenders, ComparedMechanism
    from engine.privacy import Privacy
    from engine.progress import Progress


def add_question_options(group: argparse._ArgumentGroup) -> None:
    """Declare them."""
    group.add_argument(
        "--within",
        type=number,
        metavar="E",
        help="search for the smallest epsilon with an error of at most E",
    )
    group.add_argument("--share", type=number, metavar="P", help="in this share of releases (default 0.95)")
    group.add_argument(
        "--audit",
        action="store_true",
        help="attack each of them, too, on all built-in neighbours; --plot shows both in one png",
    )


def check_questions(options: argparse.Namespace) -> None:
    """Refuse questions that make no sense."""
    from engine.audit.bounding import MIN_RUNS

    if options.audit and options.sweep:
        raise UsageError("--audit: it needs a single budget; leave --sweep out")
    if options.audit and options.runs < MIN_RUNS:
        raise UsageError(
            f"--audit: {grouped(options.runs)} runs are too few; at least {grouped(MIN_RUNS)} are needed"
        )
    if options.within is None:
        if options.share is not None:
            raise UsageError("--share: belongs to --within, which is missing")
        return
    if not 0 < options.within < float("inf"):
        raise ParameterError(
            "within", f"{short(options.within)} is not possible; it must be a number above 0"
        )
    options.share = 0.95 if options.share is None else options.share
    if not 0 < options.share < 1:
        raise ParameterError(
            "share", f"{short(options.share)} is not possible; it must be above 0 and below 1"
        )


def audit_all(
    contenders: Sequence[ComparedMechanism],
    data: LoadedRecords[Any],
    privacy: Privacy,
    options: argparse.Namespace,
    progress: Progress,
) -> AuditedContenders:
    """Audit each of them, as `sensiscope audit` does."""
    from engine.comparison import audit_contenders

    database = data.database
    structure = KINDS[contenders[0].mechanism.reads].structure(database)
    return audit_contenders(
        contenders,
        database.domain,
        database.n,
        privacy,
        runs=options.runs,
        seed=options.seed,
        progress=progress,
        **structure,
    )


def audits_text(audits: AuditedContenders) -> str:
    """Return what was found in words."""
    from app.plots.compare.contender_rows import audit_text, audits_sentence

    rows = []
    for index, contender in enumerate(audits.contenders):
        rows.append((contender.label, audit_text(audits, index).removeprefix(f"{contender.label}: ")))
    head = f"audits with {short(100 * audits.confidence)} % confidence for each"
    return f"\n{head}\n{facts(rows)}\n{audits_sentence(audits)}".replace("ε", "epsilon")


def audits_content(audits: AuditedContenders) -> list[dict[str, Any]]:
    """Return what was found for the JSON: one object for each mechanism."""
    rows: list[dict[str, Any]] = []
    for contender, each in zip(audits.contenders, audits.audits, strict=False):
        audit = each.audit
        rows.append(
            {
                "label": contender.label,
                "epsilon_lower_bound": None if audit is None else audit.epsilon_lower_bound,
                "verdict": each.verdict or None,
                "pair": each.pair or None,
                "pairs": each.pairs,
                "confidence": audits.confidence,
                "runs": audits.runs,
                **({"problem": each.problem} if each.problem else {}),
            }
        )
    return rows


def audits_panel(audits: AuditedContenders) -> FigurePanel:
    """Show them; nothing in it follows from the data."""
    from app.plots.compare.contender_rows import ComparisonAudits

    return FigurePanel(ComparisonAudits.title, ComparisonAudits, audits, private=False)
