"""Ask a sheet of questions about one table, all within one budget."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.support.console import Bar, finite, remark, say, say_json
from app.commands.support.data import add_reading_options, reading_of
from app.commands.support.options import JSON, SEED, Option, UsageError, VerbHelp, add_option, add_options
from app.commands.support.privacy import privacy_json
from app.commands.support.spending import (
    account_of,
    add_spending_options,
    decide,
    path_of,
    refusal,
    say_exposed,
    spending_of,
    spent_json,
)
from app.model.wording.console import budget, columns, facts
from app.model.wording.console import number as number_text
from app.model.wording.numbers import grouped, short
from engine.errors import SensiscopeError
from engine.progress import part

if TYPE_CHECKING:
    from engine.data import Table
    from engine.ledger import Account
    from engine.questions.asking import AnsweredQuestion, Answers
    from engine.questions.planning import Planned
    from engine.questions.sheet import Sheet

HELP = VerbHelp(
    usage="SHEET.toml [--data FILE] [--dry-run] [options]",
    first=("data", "dry-run", "seed", "json", "ledger"),
    example="ask questions.toml --dry-run",
    notes="A sheet is a TOML file. It has epsilon and data, a table [columns.NAME] with lower and upper or "
    "categories for each column, and for each question [[questions]] with ask = "
    '"median of salary by department where age >= 30".\n\n'
    "The ledger records each question before its answer exists. If the limit does not allow the whole "
    "sheet, nothing is released.",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("questions", metavar="SHEET.toml", help="file with the questions")
    add_option(parser, Option("data", "table to ask about (default: the data of the sheet)", metavar="FILE"))
    text = "show budget, method and expected error of each question; reads only the number of rows"
    add_option(parser, Option("dry-run", text, flag=True))
    add_reading_options(parser)
    add_spending_options(parser)
    group = parser.add_argument_group("output: simulation, JSON")
    add_options(group, (SEED, JSON))


def run(options: argparse.Namespace) -> int:
    from engine.data.reading import read_file
    from engine.questions.asking import answer
    from engine.questions.planning import records_of
    from engine.questions.sheet import Sheet

    if sys.stdout is None:
        raise SensiscopeError("standard output is closed and would lose the answers; nothing was released")
    sheet = Sheet.read(options.questions)
    options.data = options.data or _beside(sheet, options.questions)
    simulates = options.seed is not None or options.dry_run
    _refuse_spending(options, simulates)
    with Bar() as bar:
        table = read_file(options.data, reading_of(options), progress=part(bar, 0.0, 0.5))
        if options.dry_run:
            planned = sheet.plan(records_of(table, sheet.declarations).n)
            _say_plan(sheet, planned, options)
            return 0
        account = None if simulates else _account(options, table, part(bar, 0.5, 0.6))
        answers = _answers(options, partial(answer, table, sheet, progress=part(bar, 0.6, 1.0)), account)
    _say(answers, options, account)
    return 0


def _beside(sheet: Sheet, path: str) -> str:
    """Return the path of the data that a sheet names, relative to its folder."""
    if not sheet.data:
        raise UsageError(f"--data: {Path(path).name} names no data; name a file")
    return os.fspath(Path(path).parent / sheet.data)


def _refuse_spending(options: argparse.Namespace, simulates: bool) -> None:
    for name in ("ledger", "overspend", "same_data_as", "other_data"):
        if simulates and getattr(options, name):
            why = "a plan" if options.dry_run else "a simulation"
            raise UsageError(f"--{name.replace('_', '-')}: {why} spends nothing; leave it out")


def _account(options: argparse.Namespace, table: Table, progress: Any) -> Account:
    from engine.errors import DataError
    from engine.ledger import Ledger

    if table.release_problem:
        raise DataError(table.release_problem)
    options.example = None
    paying = account_of(options, lambda: table, progress)
    ledger = Ledger(path_of(options))
    say_exposed(ledger)
    account = paying(ledger)
    decide(options, ledger, account)
    return account


def _answers(options: argparse.Namespace, ask: Any, account: Account | None) -> Answers:
    from engine.ledger import Resembling

    try:
        answers: Answers = ask(
            seed=options.seed, account=account, over=options.overspend, apart=options.other_data
        )
    except Resembling as error:
        raise refusal(error.title, error.similar) from None
    return answers


def _say_plan(sheet: Sheet, planned: tuple[Planned, ...], options: argparse.Namespace) -> None:
    if options.json:
        say_json({"questions": [_planned_json(one) for one in planned], "privacy": _privacy_json(sheet)})
        return
    rows = [
        (
            one.question.as_text(),
            short(one.privacy.epsilon, 4),
            "depends on the data" if one.error is None else f"± {number_text(one.error)}",
            one.resolved.mechanism.name,
        )
        for one in planned
    ]
    say(facts([("privacy", _promise(sheet))]))
    say(columns(("question", "epsilon", "error (95 %)", "method"), rows, left=1))
    remark(
        "note",
        *(f"{one.question.as_text()}: the error is expected {one.model}" for one in planned if one.model),
    )


def _planned_json(one: Planned) -> dict[str, Any]:
    return {
        "question": one.question.as_text(),
        "method": one.resolved.mechanism.name,
        "epsilon": one.privacy.epsilon,
        "expected_error": one.error,
        "assumption": one.model or None,
    }


def _privacy_json(sheet: Sheet) -> dict[str, Any]:
    return privacy_json(sheet.privacy, "replace-one")


def _promise(sheet: Sheet) -> str:
    return budget(sheet.epsilon, sheet.delta, "replace-one")


def _say(answers: Answers, options: argparse.Namespace, account: Account | None) -> None:
    spent = None if account is None else spending_of(account)
    if options.json:
        content = {
            "questions": [_answer_json(one) for one in answers],
            "privacy": _privacy_json(answers.sheet),
            "n": answers.n,
            "simulated": options.seed is not None,
        }
        say_json(finite(content | ({"spent": spent_json(spent[0])} if spent else {})))
    else:
        if options.seed is not None:
            say(f"SIMULATION with seed {options.seed}, not a release")
        say(facts([("privacy", _promise(answers.sheet)), ("records", f"n = {grouped(answers.n)}")]))
        rows = [row for one in answers for row in _rows(one)]
        say(columns(("question", "value", "95 % interval", "epsilon", "method"), rows, left=1))
    sys.stdout.flush()
    if spent:
        remark("note", spent[1])


def _rows(answer: AnsweredQuestion) -> list[tuple[str, ...]]:
    """Return the lines of one question; those of groups are indented below it."""
    planned = answer.planned
    texts: list[tuple[str, ...]] = []
    how = short(planned.privacy.epsilon, 4), answer.release.mechanism
    grouped_rows = len(answer.rows) > 1 or answer.rows[0].group
    if grouped_rows:
        texts.append((planned.question.as_text(), "", "", *how))
    for row in answer.rows:
        value = "none" if row.value is None else number_text(row.value)
        ends = (
            ""
            if row.low is None or row.high is None
            else f"{number_text(row.low)} to {number_text(row.high)}"
        )
        if grouped_rows:
            texts.append((f"  {row.group}", value, ends, "", ""))
        else:
            texts.append((planned.question.as_text(), value, ends, *how))
    return texts


def _answer_json(answer: AnsweredQuestion) -> dict[str, Any]:
    planned = answer.planned
    rows = answer.rows
    own: dict[str, Any]
    if len(rows) == 1 and not rows[0].group:
        own = {"value": rows[0].value, "interval": _ends(rows[0])}
    else:
        own = {"groups": [{"group": row.group, "value": row.value, "interval": _ends(row)} for row in rows]}
    release = answer.release
    return {
        "question": planned.question.as_text(),
        **own,
        "method": release.mechanism,
        "epsilon": planned.privacy.epsilon,
        "expected_error": planned.error,
        "assumption": planned.model or None,
        "step": release.step,
        "exact": release.exact,
    }


def _ends(row: Any) -> list[float] | None:
    return None if row.low is None else [row.low, row.high]
