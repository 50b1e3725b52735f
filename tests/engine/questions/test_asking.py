"""Answers to a sheet: right, reproducible, within one budget, and never half paid for."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.data.frames import as_table
from engine.errors import DataError, ParameterError, SensiscopeError
from engine.ledger import Ledger, Limit
from engine.progress import Cancelled
from engine.questions.asking import AnsweredQuestion, Answers, account_of, answer, ask
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.questions.question import Question
from engine.questions.sheet import Sheet

QUESTIONS = [
    "median of salary by department",
    "mean of salary",
    "quantile 0.9 of age where department = 'Sales'",
    "sum of age where department in ('IT', 'Legal')",
    "count by department where age >= 30",
    "share where age >= 30 by department",
    "share where age >= 30",
    "histogram of age",
    "table of department where age < 30",
]


def _truth(frame: pd.DataFrame, text: str) -> dict[str, float]:
    """Return the true answers by group, computed by pandas."""
    frame = frame.assign(department=frame.department.replace("Board", "other"))
    by = frame.groupby("department")
    sales = frame[frame.department == "Sales"]
    old = frame[frame.age >= 30]
    if text == "histogram of age":
        counts = pd.cut(frame.age, range(18, 69, 2), right=False).value_counts(sort=False)
        labels = [*(f"{low}–{low + 1}" for low in range(18, 66, 2)), "66"]
        return dict(zip(labels, map(float, counts), strict=True))
    answers: dict[str, Any] = {
        QUESTIONS[0]: by.salary.median(),
        QUESTIONS[1]: frame.salary.mean(),
        QUESTIONS[2]: sales.age.quantile(0.9, interpolation="lower"),
        QUESTIONS[3]: frame[frame.department.isin(["IT", "Legal"])].age.sum(),
        QUESTIONS[4]: old.groupby("department").size(),
        QUESTIONS[5]: old.groupby("department").size() / by.size(),
        QUESTIONS[6]: (frame.age >= 30).mean(),
        QUESTIONS[8]: frame[frame.age < 30].groupby("department").size(),
    }
    found = answers[text]
    return found.to_dict() if isinstance(found, pd.Series) else {"": float(found)}


@pytest.mark.parametrize("text", QUESTIONS)
def test_answers_are_those_of_pandas(text: str, employees: Any, declared: Declarations) -> None:
    frame = pd.DataFrame(employees).astype({"salary": "float64"})
    (own,) = ask(frame, Sheet([text], 100.0, declarations=declared), seed=1)
    truth = _truth(frame, text)
    assert {row.group for row in own.rows} == set(truth)
    for row in own.rows:
        assert row.value is not None
        scale = 200_000 if "salary" in text else 48
        assert abs(row.value - truth[row.group]) < max(0.002 * scale, 1e-3 * abs(truth[row.group]))
        assert row.low is None or row.high is None or row.low <= row.value <= row.high


def test_missing_values_do_not_move_a_mean(employees: Any, declared: Declarations) -> None:
    frame = pd.DataFrame(employees).astype({"salary": "float64"})
    (mean,) = ask(frame, Sheet(["mean of salary"], 10.0, declarations=declared), seed=1)
    (row,) = mean.rows
    assert row.value == pytest.approx(frame.salary.mean(), abs=100)
    filled = dataclasses.replace(declared.column("salary"), missing="fill", fill=0)
    (moved,) = ask(frame, Sheet(["mean of salary"], 10.0, declarations=declared.with_column(filled)), seed=1)
    assert moved.rows[0].value == pytest.approx(frame.salary.fillna(0).mean(), abs=100)
    strict = dataclasses.replace(declared.column("salary"), missing="refuse")
    with pytest.raises(DataError, match="the value is missing"):
        ask(frame, Sheet(["mean of salary"], 10.0, declarations=declared.with_column(strict)), seed=1)


@pytest.mark.parametrize("text", ["count by city", "table of city", "share where x > 1 by city"])
def test_missing_groups_follow_their_declaration(text: str) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0] * 60, "city": ["Bern", "Basel", None] * 40})
    city = ColumnDeclaration("city", categories=("Bern", "Basel"), other=False)
    (left_out,) = ask(frame, Sheet([text], 100.0, declarations=Declarations((city,))), seed=1)
    filled = dataclasses.replace(city, missing="fill", fill="Basel")
    (counted,) = ask(frame, Sheet([text], 100.0, declarations=Declarations((filled,))), seed=1)
    if not text.startswith("share"):
        assert [row.value for row in left_out.rows] == [40, 40]
        assert [row.value for row in counted.rows] == [40, 80]
    strict = dataclasses.replace(city, missing="refuse")
    with pytest.raises(DataError, match="the value is missing"):
        ask(frame, Sheet([text], 100.0, declarations=Declarations((strict,))), seed=1)
    wrong = dataclasses.replace(city, missing="fill", fill="Chur")
    with pytest.raises(ParameterError, match="'Chur' is none"):
        ask(frame, Sheet([text], 100.0, declarations=Declarations((wrong,))), seed=1)


def test_six_lines_of_python(employees: Any) -> None:
    frame = pd.DataFrame(employees)
    salary = ColumnDeclaration("salary", lower=0, upper=200_000)
    department = ColumnDeclaration("department", categories=("Sales", "IT", "Legal"))
    words = ["median of salary by department", "mean of salary where age >= 30", "count where age < 30"]
    sheet = Sheet(words, epsilon=1.0, declarations=Declarations((salary, department)))
    answers = ask(frame, sheet)
    table = answers.to_pandas()
    assert list(table.question) == [words[0]] * 4 + words[1:]
    assert (table.low <= table.high).sum() == 2
    assert not answers.answers[0].release.simulated
    assert "Sales" in answers._repr_html_()


@pytest.mark.parametrize("kind", ["pandas", "polars", "dict", "arrow", "path", "table"])
def test_data_of_any_kind(kind: str, employees: Any, declared: Declarations, tmp_path: Path) -> None:
    table = as_table(employees)
    data: Any = employees
    if kind == "pandas":
        data = pd.DataFrame(employees).astype({"salary": "float64"})
    elif kind == "polars":
        data = pytest.importorskip("polars").DataFrame(employees)
    elif kind == "arrow":
        data = table.data
    elif kind == "path":
        data = tmp_path / "employees.csv"
        pd.DataFrame(employees).to_csv(data, index=False)
    elif kind == "table":
        data = table
    sheet = Sheet(QUESTIONS, 1.0, declarations=declared)
    assert ask(data, sheet, seed=7).table() == ask(table, sheet, seed=7).table()


def test_seeds_make_simulations(employees: Any, declared: Declarations) -> None:
    sheet = Sheet(QUESTIONS, 1.0, declarations=declared)
    first, again, other = (ask(employees, sheet, seed=seed) for seed in (3, 3, 4))
    assert first.table() == again.table() != other.table()
    assert all(one.release.simulated for one in first)
    ledger = Ledger()
    ask(employees, sheet, seed=3, ledger=ledger)
    assert not ledger.accounts()


def test_ledger_has_an_entry_for_each_question(employees: Any, declared: Declarations) -> None:
    ledger = Ledger()
    sheet = Sheet(QUESTIONS, 1.0, declarations=declared, name="pay")
    answers = ask(employees, sheet, ledger=ledger)
    (account,) = ledger.accounts()
    entries = account.entries()
    assert [entry.about["release"] for entry in entries] == [one.as_text() for one in sheet.questions]
    assert {entry.about["sheet"] for entry in entries} == {"pay"}
    assert [entry.value for entry in entries] == [one.release.value for one in answers]
    spent = account.spent()
    assert spent is not None
    assert spent.basic.epsilon == pytest.approx(1.0)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_limit_refuses_the_whole_sheet(delta: float, employees: Any, declared: Declarations) -> None:
    ledger = Ledger()
    account = account_of(as_table(employees), ledger)
    account.set_limit(Limit(0.99, delta))
    sheet = Sheet(QUESTIONS, 1.0, declarations=declared)
    with pytest.raises(SensiscopeError, match=r"nothing was released.*smaller epsilon"):
        ask(employees, sheet, ledger=ledger)
    assert not account.entries()
    ask(employees, Sheet(QUESTIONS, 0.99, declarations=declared), ledger=ledger)
    assert len(account.entries()) == len(QUESTIONS)


def test_sheet_with_a_delta_fits_its_own_limit(employees: Any, declared: Declarations) -> None:
    questions = [Question("median", ("age",), where=(f"age > {age}",)) for age in range(20, 60)]
    ledger = Ledger()
    account = account_of(as_table(employees), ledger)
    account.set_limit(Limit(1.0, 1e-9))
    sheet = Sheet(questions, 1.0, 1e-6, declared)
    answers = ask(employees, sheet, ledger=ledger)
    assert answers.answers[0].planned.privacy.epsilon > 2 / 40
    assert len(account.entries()) == 40


WRONG: list[tuple[Any, type[Exception]]] = [
    ("mean of wage", ParameterError),
    ("mean of department", ParameterError),
    ("count where wage > 3", DataError),
    ("count where department > 3", DataError),
    (Question("mean", ("salary",), method="gaussian"), ParameterError),
]


@pytest.mark.parametrize(("last", "error"), WRONG)
def test_wrong_question_at_the_end_spends_nothing(
    last: Any, error: type[Exception], employees: Any, declared: Declarations
) -> None:
    ledger = Ledger()
    with pytest.raises(error):
        ask(employees, Sheet([*QUESTIONS, last], 1.0, declarations=declared), ledger=ledger)
    assert not ledger.accounts()


def test_cancelling_keeps_what_is_released(employees: Any, declared: Declarations) -> None:
    ledger = Ledger()
    finished: list[AnsweredQuestion] = []

    def progress(fraction: float, message: str = "") -> None:
        if len(finished) == 2:
            raise Cancelled

    table = as_table(employees)
    account = account_of(table, ledger)
    sheet = Sheet(QUESTIONS, 1.0, declarations=declared)
    answers = answer(table, sheet, account=account, finished=finished.append, progress=progress)
    assert list(answers) == finished
    assert len(answers) == 2
    assert [entry.state for entry in account.entries() if entry.counts] == ["spent"] * 2


def test_cancelling_before_the_first_answer(employees: Any, declared: Declarations) -> None:
    def progress(fraction: float, message: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        ask(employees, Sheet(QUESTIONS, 1.0, declarations=declared), ledger=Ledger(), progress=progress)


def test_file_and_frame_share_one_account(employees: Any, declared: Declarations, tmp_path: Path) -> None:
    path = tmp_path / "employees.csv"
    pd.DataFrame(employees).to_csv(path, index=False)
    ledger = Ledger()
    sheet = Sheet(["count by department"], 1.0, declarations=declared)
    ask(path, sheet, ledger=ledger)
    ask(employees, sheet, ledger=ledger)
    (account,) = ledger.accounts()
    assert len(account.entries()) == 2


def test_persons_are_records(declared: Declarations) -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"id": rng.integers(0, 300, 2000), "age": rng.integers(18, 66, 2000)})
    by_person = dataclasses.replace(declared, person="id")
    answers = ask(frame, Sheet(["mean of age"], 10.0, declarations=by_person), seed=1)
    assert answers.n == frame.id.nunique()
    (mean,) = answers
    assert mean.rows[0].value == pytest.approx(frame.groupby("id").age.mean().mean(), abs=0.5)
    few = dataclasses.replace(declared, person="id", most_rows=4)
    limited = ask(frame, Sheet(["mean of age"], 10.0, declarations=few), seed=1)
    assert limited.n == 2000
    assert limited.answers[0].planned.privacy.epsilon == 2.5
    again = ask(frame, Sheet(["mean of age"], 10.0, declarations=few), seed=1)
    assert again.table() == limited.table()


def test_one_record_decides_no_group_of_others(tmp_path: Path, declared: Declarations) -> None:
    """One text makes 007 another label than 7 for all records."""
    path = tmp_path / "groups.csv"
    path.write_text("code,age\n" + "007,30\n8,40\n" * 50 + "x,50\n")
    code = ColumnDeclaration("code", categories=("7", "8"))
    sheets = [
        Sheet([text], 1.0, declarations=declared.with_column(code))
        for text in ("median of age by code", "table of code", "share where age > 3 by code")
    ]
    for sheet in sheets:
        with pytest.raises(DataError, match="one record may decide"):
            ask(path, sheet)
        assert isinstance(ask(path, sheet, seed=1), Answers)


def test_sizes_of_parts_never_leave(declared: Declarations) -> None:
    frame = pd.DataFrame({"age": [40] * 4321 + [20] * 1234, "department": ["Sales"] * 5555})
    answers = ask(
        frame,
        Sheet(["median of age by department", "mean of age where age > 30"], 1.0, declarations=declared),
        seed=1,  # the digits of a release may be those of a size
    )
    text = answers._repr_html_() + json.dumps(answers.table()) + str(list(map(_public, answers)))
    for size in ("4321", "4,321", "1234", "1,234"):
        assert size not in text


def _public(one: AnsweredQuestion) -> str:
    release = one.release
    return f"{release.value} {release.parameters} {release.error} {release.step} {release!r}"


def test_a_histogram_with_one_bin_keeps_its_group() -> None:
    question = Question("histogram", ("age",), edges=(18, 68))
    sheet = Sheet([question], 100.0, declarations=Declarations((ColumnDeclaration("age", 18, 68),)))
    plain = ask({"age": [20.0, 30.0]}, sheet, seed=1).to_dict()["questions"][0]
    assert [group["group"] for group in plain["groups"]] == ["18–68"]
    assert plain["question"] == "histogram of age (edges 18, 68)"
    assert plain["method"] == "sums-in-parts"
