"""Budgets, methods and expected errors of questions, which follow from public facts alone."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

from engine.data.frames import as_table
from engine.errors import ParameterError
from engine.ledger.composition import compose
from engine.ledger.cost import Cost
from engine.privacy import Privacy
from engine.questions.asking import ask
from engine.questions.declarations import ColumnDeclaration, Declarations
from engine.questions.planning import (
    Planned,
    epsilon_for,
    expected_error,
    plan,
    resolve,
    same_accuracy,
)
from engine.questions.question import Question
from engine.questions.sheet import Sheet
from engine.questions.words import read_question
from engine.randomness import reproducible

ALL = [
    "median of pay",
    "quantile 0.9 of pay by city",
    "mean of pay by city",
    "mean of pay where age >= 40",
    "sum of pay where age >= 40",
    "count by city",
    "count where age >= 40",
    "share where age >= 40",
    "share where age >= 40 by city",
    "histogram of age",
    "table of city",
]

CITIES = ("Bern", "Basel", "Chur", "Zug")


def _declared(**changes: Any) -> Declarations:
    return Declarations(
        (
            ColumnDeclaration("pay", 0, 1000, **changes),
            ColumnDeclaration("age", 20, 60, 1),
            ColumnDeclaration("city", categories=CITIES, other=False),
        )
    )


def _sheet(questions: Any, epsilon: float = 1.0, delta: float = 0.0, **changes: Any) -> Sheet:
    return Sheet(questions, epsilon, delta, _declared(**changes))


def _total(planned: tuple[Planned, ...], delta: float) -> Privacy:
    costs = [Cost.of(one.resolved.mechanism, one.privacy) for one in planned]
    together = compose(costs)
    assert together is not None
    if not delta:
        return together.basic
    rest = delta - together.approximate
    zcdp = dataclasses.replace(together, slack=rest).concentrated
    return min(zcdp, together.basic, key=lambda one: one.epsilon)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_shares_follow_the_weights_and_keep_the_total(delta: float) -> None:
    questions = [
        dataclasses.replace(read_question(text), weight=weight)
        for weight, text in zip(itertools.cycle([1, 2, 5]), ALL, strict=False)
    ]
    planned = _sheet(questions, 1.0, delta).plan(4000)
    shares = [one.privacy.epsilon / one.question.weight for one in planned]
    assert np.allclose(shares, shares[0])
    total = _total(planned, delta)
    assert total.epsilon <= 1 + 1e-9
    assert total.delta <= delta * (1 + 1e-9)


@pytest.mark.parametrize(("method", "factor"), [("laplace", 1.2), ("gaussian", 5)])
def test_zcdp_gives_more_to_many_questions(method: str, factor: float) -> None:
    questions = [Question("mean", ("pay",), method=method)] * 30
    planned = _sheet(questions, 1.0, 1e-6).plan(4000)
    assert planned[0].privacy.epsilon > factor / 30
    assert 1 - 1e-4 < _total(planned, 1e-6).epsilon <= 1
    pure = _sheet([dataclasses.replace(one, method="laplace") for one in questions]).plan(4000)
    assert pure[0].privacy.epsilon == pytest.approx(1 / 30)


def test_basic_composition_where_it_gives_more() -> None:
    planned = _sheet(["mean of pay", "count by city"], 1.0, 1e-6).plan(4000)
    assert [one.privacy for one in planned] == [Privacy(0.5), Privacy(0.5)]


@pytest.mark.parametrize("missing", ["drop", "refuse"])
@pytest.mark.parametrize("text", ALL)
def test_expected_errors_hold_under_their_model(text: str, missing: str) -> None:
    n, runs = 4000, 400
    rng = np.random.default_rng(2)
    pay = rng.permutation((np.arange(n) + 0.5) / n * 1000)
    table = as_table(
        {"pay": pay, "age": rng.integers(20, 60, n), "city": np.array(CITIES)[rng.permutation(n) % 4]}
    )
    (planned,) = _sheet([text], 0.5, missing=missing).plan(n)
    assert planned.error is not None
    mechanism, data = planned.resolved.mechanism, planned.resolved.read(table)
    prepared = mechanism.prepare(data, planned.privacy)
    truth = np.atleast_1d(prepared.diagnostics["true_value"])
    drawn = prepared.draw(reproducible(3), runs).reshape(runs, len(truth), -1)[:, :, 0]
    within = np.mean(np.abs(drawn - truth) <= planned.error * (1 + 1e-9) + 1e-9)
    assert within > 0.95 - 0.03


@pytest.mark.parametrize("text", ALL)
def test_epsilon_for_an_error(text: str) -> None:
    question = read_question(text)
    epsilon = epsilon_for(question, _declared(), 4000, 0.03 if question.statistic == "share" else 40.0)
    assert epsilon is not None
    error = 0.03 if question.statistic == "share" else 40.0
    if question.statistic == "sum":
        return  # the step of a sum is larger
    resolved = resolve(question, _declared())
    assert _error(question, resolved, epsilon) <= error
    assert _error(question, resolved, epsilon * 0.98) >= error * 0.97


def _error(question: Question, resolved: Any, epsilon: float) -> float:
    privacy = Privacy(epsilon)
    error, _ = expected_error(question, resolved.settled(4000, privacy), 4000, privacy)
    assert error is not None
    return error


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("median of pay", 1000),
        ("mean of pay by city", 1000),
        ("share where age >= 40", 1),
        ("sum of pay by city", 1000 * 200 / 4),
        ("count by city", 200 / 4),
    ],
)
def test_an_error_is_compared_with_the_range_of_possible_answers(text: str, width: float) -> None:
    (planned,) = _sheet([text], 0.5).plan(200)
    assert planned.error is not None
    assert planned.noise_share == pytest.approx(planned.error / width)


def test_no_epsilon_for_an_impossible_error() -> None:
    assert epsilon_for(read_question("mean of pay"), _declared(), 10, 1e-9) is None


def test_same_accuracy() -> None:
    questions = [read_question(text) for text in ALL]
    planned = plan(same_accuracy(questions, _declared(), 10**6), _declared(), 10**6, Privacy(1.0))
    shares = []
    for one in planned:
        width = 1000 if "pay" in one.question.columns else 1
        of_records = one.question.statistic in ("count", "sum", "histogram", "table")
        assert one.error is not None
        shares.append(one.error / width / (10**6 if of_records else 1))
    assert max(shares) < 1.25 * min(shares)


@pytest.mark.parametrize(
    ("question", "field", "message"),
    [
        (
            Question("mean", ("pay",), method="smooth"),
            "method",
            "confidential; choose sums-in-parts, laplace or gaussian",
        ),
        (
            Question("median", ("pay",), method="laplase"),
            "method",
            "confidential; choose choice-in-parts or exponential",
        ),
        (Question("share", where=("age > 3",), method="laplase"), "method", "'laplase' is no method"),
        (Question("mean", ("pay",), population=True), "population", "only a median or quantile"),
        (Question("median", ("pay",), population=True), "population", "state interval"),
        (Question("mean", ("wage",)), "bounds", "column 'wage' has no bounds; declare lower and upper"),
        (Question("count", by="wage"), "categories", "column 'wage' has no list of groups"),
        (Question("table", ("pay",)), "categories", "column 'pay' has no list"),
    ],
)
def test_refused_before_anything_is_read(question: Question, field: str, message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        _sheet([question]).plan(4000)
    assert refused.value.field == field
    assert message in str(refused.value)


def test_tables_of_too_many_cells_are_refused() -> None:
    columns = tuple(
        ColumnDeclaration(name, categories=tuple(f"{name}{i}" for i in range(400))) for name in "abc"
    )
    with pytest.raises(ParameterError, match="at most 100,000 are possible"):
        Sheet(["table of a and b and c"], declarations=Declarations(columns)).plan(10)


@pytest.mark.parametrize("fill", [None, "other", True])
def test_only_a_number_replaces_missing_numbers(fill: Any) -> None:
    with pytest.raises(ParameterError, match="needs a number that replaces missing values"):
        _sheet(["mean of pay"], missing="fill", fill=fill).plan(10)


def test_declarations_decide_about_missing_values() -> None:
    by_default = _sheet(["median of pay", "mean of pay"]).plan(10)
    assert [one.resolved.mechanism.name for one in by_default] == ["choice-in-parts", "sums-in-parts"]
    complete = _sheet(["median of pay", "mean of pay"], missing="fill", fill=500).plan(10)
    assert [one.resolved.mechanism.name for one in complete] == ["exponential", "laplace"]


@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_a_share_of_epsilon_buys_an_interval(missing: str) -> None:
    frame = {"pay": np.random.default_rng(1).uniform(0, 1000, 4000)}
    question = Question("median", ("pay",), interval=0.5)
    wide = []
    for population in (False, True):
        sheet = _sheet([dataclasses.replace(question, population=population)], missing=missing)
        (row,) = ask(frame, sheet, seed=1).answers[0].rows
        assert row.value is not None
        assert row.low is not None
        assert row.high is not None
        assert row.low < row.value < row.high
        wide.append(row.high - row.low)
    assert wide == sorted(wide)
    (without,) = ask(frame, _sheet(["median of pay"], missing=missing), seed=1).answers[0].rows
    assert without.low is None


def test_public_groups_are_databases_of_their_own() -> None:
    own = dataclasses.replace(_declared(missing="refuse"), public_groups=frozenset({"city"}))
    (planned,) = Sheet(["mean of pay by city"], 1.0, declarations=own).plan(400)
    assert planned.resolved.mechanism.relation == "same-group"
    (hidden,) = Sheet(["mean of pay by city"], 1.0, declarations=_declared()).plan(400)
    assert hidden.resolved.mechanism.relation == "replace-one"
    assert hidden.error is not None
    assert planned.error is not None
    assert planned.error < hidden.error / 2
    with pytest.raises(ParameterError, match="so are their sizes"):
        Sheet(["count by city"], 1.0, declarations=own).plan(400)


@pytest.mark.parametrize("population", [False, True])
def test_a_question_pays_for_its_interval(population):
    known = Declarations((ColumnDeclaration("pay", 0.0, 100.0, missing="refuse"),))
    question = Question("median", ("pay",), interval=0.3, population=population)
    mechanism = resolve(question, known).settled(1000, Privacy(1.0)).mechanism
    assert (mechanism.name, mechanism.error_share) == ("exponential", 0.3)
    assert mechanism.covers == ("population" if population else "data")
    mean = resolve(Question("mean", ("pay",), interval=0.3), known).settled(1000, Privacy(1.0)).mechanism
    assert mean.name == "laplace"  # its interval costs nothing


@pytest.mark.parametrize(
    ("declared", "edges", "labels"),
    [
        ((1_000_000, 1_000_003), (1_000_001, 1_000_002), ["1000001–1000002", "1000002–1000003"]),
        ((1_000_000, 1_001_000, 1), (1_000_500,), ["1000000–1000499", "1000500–1001000"]),
        ((18, 68, 1), (18.5,), ["18–18.5", "18.5–68"]),
        ((0, 100, 2), (50,), ["0–49", "50–100"]),
        ((0, 1), (0.5, 0.5 + 1e-14), ["0.5–0.50000000000000999", "0.50000000000000999–1"]),
    ],
)
def test_labels_of_bins_are_exact_and_end_at_the_bound(
    declared: tuple[float, ...], edges: tuple[float, ...], labels: list[str]
) -> None:
    lower, upper, *resolution = declared
    column = ColumnDeclaration("x", lower, upper, *resolution)
    resolved = resolve(Question("histogram", ("x",), edges=edges), Declarations((column,)))
    assert list(resolved.domain.groups[-len(labels) :]) == labels
