"""Ask a sheet of questions about one table, all within one budget."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.support.console import Bar, finite, remark, say, say_json
from app.commands.support.data import add_reading_options, reading_of
from app.commands.support.options import JSON, SEED, Option, UsageError, VerbHelp, add_option, add_options
from app.commands.support.privacy import privacy_json
from app.commands.support.spending import (
    add_spending_options,
    paying_account,
    refusal,
    refuse_ledger_options,
    spending_of,
    spent_json,
)
from app.model.wording.console import budget, columns, counted, facts
from app.model.wording.console import number as number_text
from app.model.wording.neighbours import ends_words, widest_relation
from app.model.wording.numbers import grouped, short
from app.model.wording.records import rows_words
from engine.errors import SensiscopeError
from engine.progress import part

if TYPE_CHECKING:
    from engine.ledger import Account
    from engine.questions.asking import AnsweredQuestion, Answers
    from engine.questions.declarations import Declarations
    from engine.questions.planning import Planned
    from engine.questions.question import Question
    from engine.questions.sheet import Sheet

HELP = VerbHelp(
    usage="SHEET.toml [--data FILE] [--dry-run] [options]",
    first=("data", "dry-run", "seed", "json", "ledger"),
    example="ask questions.toml --dry-run",
    notes="A sheet is a TOML file with epsilon and data. For each column it has a table [columns.NAME] with "
    "lower and upper, or categories. For each question it has [[questions]] and a line such as "
    'ask = "median of salary by department where age >= 30".\n\n'
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
    from engine.questions.asking import Answers, answer, large_table_for
    from engine.questions.planning import records_of
    from engine.questions.sheet import Sheet

    if sys.stdout is None:
        raise SensiscopeError("standard output is closed and would lose the answers; nothing was released")
    sheet = Sheet.read(options.questions)
    options.data = options.data or _beside(sheet, options.questions)
    simulates = options.seed is not None or options.dry_run
    if simulates:
        what = "a plan" if options.dry_run else "a simulation"
        refuse_ledger_options(options, f"{what} spends nothing; leave it out")
    with Bar() as bar:
        reading = reading_of(options)
        table: Any = large_table_for(sheet, options.data, reading, part(bar, 0.0, 0.1))
        if table is None:
            table = read_file(options.data, reading, progress=part(bar, 0.1, 0.5))
        if options.dry_run:
            planned = sheet.plan(records_of(table, sheet.declarations).n)
            _say_plan(sheet, planned, options)
            return 0
        account = None if simulates else _account(options, table, part(bar, 0.5, 0.6))
        finished: list[AnsweredQuestion] = []
        work = partial(answer, table, sheet, finished=finished.append, progress=part(bar, 0.6, 1.0))
        try:
            answers = _answers(options, work, account)
        except BaseException:
            if finished:  # they are paid for
                n = records_of(table, sheet.declarations).n
                _say(Answers(sheet, tuple(finished), n), options, account)
                remark("warning", f"stopped after {len(finished)} of {len(sheet.questions)} questions")
            raise
    _say(answers, options, account)
    return 0


def _beside(sheet: Sheet, path: str) -> str:
    """Return the path of the data that a sheet names, relative to its folder."""
    if not sheet.data:
        raise UsageError(f"--data: {Path(path).name} names no data; name a file")
    return os.path.normpath(Path(path).parent / sheet.data)


def _account(options: argparse.Namespace, table: Any, progress: Any) -> Account:
    from engine.errors import DataError
    from engine.questions.asking import identified

    if table.release_problem:
        raise DataError(table.release_problem)
    options.example = None
    return paying_account(options, lambda: identified(table, options.data), progress)


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
        listed = [one.to_dict() | _details_json(one, sheet) for one in planned]
        say_json({"questions": listed, "privacy": _privacy_json(sheet, planned)})
        return
    rows = [
        (
            one.question.title,
            short(one.promise.epsilon, 4),
            "depends on the data" if one.error is None else f"± {number_text(one.error)}",
            one.resolved.mechanism.name,
        )
        for one in planned
    ]
    say(facts([("privacy", _promise(sheet, planned))]))
    say(columns(("question", "epsilon", "error (95 %)", "method"), rows, left=1))
    models = [f"{one.question.title}: expected {one.model}" for one in planned if one.model]
    remark("note", *models, *_rules(planned, sheet))


def _details_json(one: Planned, sheet: Sheet) -> dict[str, Any]:
    return {
        "rows": _rows_text(one.question, sheet.declarations) or None,
        "neighbours": one.relation,
        "expected_error": one.error,
        "assumption": one.model or None,
    }


def _rows_text(question: Question, declarations: Declarations) -> str:
    """Return which rows count, as a rule; "" for all."""
    statements: dict[str, Any] = {}
    if declarations.person and declarations.most_rows is None:
        statements |= {"person": declarations.person, "person_rule": declarations.person_rule}
    if question.where:
        statements["where"] = question.where
    by = [question.by] if question.by else []
    declared = [declarations.column(name) for name in (*question.columns, *by)]
    if dropped := [one.name for one in declared if one.missing == "drop"]:
        statements |= {"missing": "drop", "column": " or ".join(dropped)}
    statements["fill"] = {one.name: one.fill for one in declared if one.missing == "fill"}
    if any(one.categories and not one.other for one in declared):
        statements["unlisted"] = "drop"
    limit = declarations.most_rows if declarations.person else None
    most = f"at most {counted(limit, 'row')} of each {declarations.person}" if limit is not None else ""
    return "; ".join(filter(None, (most, rows_words(statements))))


def _neighbours(planned: Iterable[Planned]) -> str:
    """Return the neighbours for which all questions together keep the budget."""
    return widest_relation(one.relation for one in planned)


def _privacy_json(sheet: Sheet, planned: Iterable[Planned]) -> dict[str, Any]:
    return privacy_json(sheet.privacy, _neighbours(planned))


def _promise(sheet: Sheet, planned: Iterable[Planned]) -> str:
    return budget(sheet.epsilon, sheet.delta, _neighbours(planned))


def _say(answers: Answers, options: argparse.Namespace, account: Account | None) -> None:
    spent = None if account is None else spending_of(account)
    planned = [one.planned for one in answers]
    if options.json:
        content = {
            "questions": [one.to_dict() | _details_json(one.planned, answers.sheet) for one in answers],
            "privacy": _privacy_json(answers.sheet, planned),
            "n": answers.n,
            "simulated": options.seed is not None,
        }
        say_json(finite(content | ({"spent": spent_json(spent[0])} if spent else {})))
    else:
        if options.seed is not None:
            say(f"SIMULATION with seed {options.seed}, not a release")
        say(facts([("privacy", _promise(answers.sheet, planned)), ("records", f"n = {grouped(answers.n)}")]))
        rows = [row for one in answers for row in _rows(one)]
        say(columns(("question", "value", "95 % interval", "epsilon", "method"), rows, left=1))
    sys.stdout.flush()
    remark("note", *_rules(planned, answers.sheet))
    if spent:
        if answers.sheet.declarations.person:
            remark("note", ends_words(one.relation for one in planned))
        remark("note", spent[1])


def _rules(planned: Iterable[Planned], sheet: Sheet) -> Iterator[str]:
    """Yield a note about the rows that count for each question that does not ask about all rows."""
    for one in planned:
        if rule := _rows_text(one.question, sheet.declarations):
            yield f"{one.question.title}: {rule}"


def _rows(answer: AnsweredQuestion) -> list[tuple[str, ...]]:
    """Return the lines of one question; those of groups are indented below it."""
    from engine.mechanisms.answer_rows import covers_population

    planned = answer.planned
    texts: list[tuple[str, ...]] = []
    how = short(planned.promise.epsilon, 4), answer.release.mechanism
    covered = " for the population" if covers_population(answer.release) else ""
    grouped_rows = len(answer.rows) > 1 or answer.rows[0].group
    if grouped_rows:
        texts.append((planned.question.title, "", "", *how))
    for row in answer.rows:
        value = "none" if row.value is None else number_text(row.value)
        ends = (
            ""
            if row.low is None or row.high is None
            else f"{number_text(row.low)} to {number_text(row.high)}{covered}"
        )
        if grouped_rows:
            texts.append((f"  {row.group}", value, ends, "", ""))
        else:
            texts.append((planned.question.title, value, ends, *how))
    return texts
