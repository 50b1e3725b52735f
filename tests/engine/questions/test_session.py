"""Sessions: questions within one budget, each recorded at once."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import engine
from engine import DataError, Interval, Ledger, Overspent, ParameterError, Sample, SensiscopeError, budget
from engine.user_data import default_ledger

FRAME = pd.DataFrame(
    {"age": np.arange(1000) % 80, "pay": np.arange(1000) * 10.0, "city": ["Bern", "Basel"] * 500}
)
BOUNDS = {"age": (0, 120), "pay": (0, 20_000)}


def session(epsilon=1.0, **more):
    more = {"bounds": BOUNDS, "seed": 1, **more}
    return budget(FRAME, epsilon, **more)


@pytest.fixture
def own_ledger(monkeypatch, tmp_path):
    """Keep the ledger of this user out of it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def test_questions_share_the_budget_and_half_of_the_rest_is_usual():
    with session() as asked:
        assert asked.median("age").privacy.epsilon == 0.5
        assert asked.mean("pay", epsilon=0.25).privacy.epsilon == 0.25
        assert asked.left.epsilon == 0.25
        assert asked.count(where="age >= 30", epsilon=0.25).value >= 0
        assert (asked.left.epsilon, asked.left.delta) == (0, 0)
        with pytest.raises(SensiscopeError, match="is not a budget"):
            engine.LaplaceRelease().run(engine.Sample([1, 2], (0, 3)), asked.left)
        with pytest.raises(SensiscopeError, match="used up"):
            asked.median("age")
    with pytest.raises(SensiscopeError, match="the session is closed"):
        asked.median("age")


def test_a_third_three_times_is_a_whole_and_never_more():
    asked = session(0.3)
    for _ in range(3):
        asked.median("age", epsilon=0.1)
    assert asked.left.epsilon < 1e-15
    assert sum(map(engine.exact_sum, [[one.planned.privacy.epsilon] for one in asked.answers])) <= 0.3
    with pytest.raises(SensiscopeError, match=r"more than the 0\.1 that is left"):
        session(0.1).median("age", epsilon=0.2)


def test_answers_are_those_of_a_sheet():
    with session(4.0) as asked:
        made = asked.median("age", epsilon=2.0)
    sheet = engine.Sheet(
        ["median of age"],
        2.0,
        declarations=engine.Declarations([engine.ColumnDeclaration("age", lower=0, upper=120)]),
    )
    (answer,) = engine.ask(FRAME, sheet, seed=1)
    assert made.value == answer.release.value
    assert made.simulated


def test_each_question_is_in_the_ledger_before_it_is_answered(own_ledger):
    with session(seed=None) as asked:
        assert not asked.median("age").simulated
        asked.group_by("city", ["Bern", "Basel"]).mean("pay", epsilon=0.1)
    assert default_ledger().is_relative_to(own_ledger)
    (account,) = Ledger(default_ledger()).accounts()
    assert [entry.about["release"] for entry in account.entries()] == ["median of age", "mean of pay by city"]
    assert account.spent().basic.epsilon == pytest.approx(0.6)
    assert asked.spent().basic == account.spent().basic


def test_the_limit_of_the_ledger_holds():
    ledger = Ledger()
    with budget(FRAME, 2.0, bounds=BOUNDS, ledger=ledger) as asked:
        asked.median("age", epsilon=0.5)
        (account,) = ledger.accounts()
        account.set_limit(1)
        with pytest.raises((SensiscopeError, Overspent), match="nothing was released"):
            asked.median("age", epsilon=1.0)
        assert asked.left.epsilon == 1.5
        assert len(account.entries()) == 1


def test_similar_data_are_asked_about():
    ledger = Ledger()
    budget(FRAME, 1.0, bounds=BOUNDS, ledger=ledger).median("age")
    more = FRAME.assign(year=2020)
    with pytest.raises(SensiscopeError, match='similar="same"'):
        budget(more, 1.0, bounds=BOUNDS, ledger=ledger).median("age")
    budget(more, 1.0, bounds=BOUNDS, ledger=ledger, similar="same").median("age")
    assert [account.spent().basic.epsilon for account in ledger.accounts()] == [1.0]
    other = FRAME.assign(month=3)
    budget(other, 1.0, bounds=BOUNDS, ledger=ledger, similar="other").median("age")
    assert len(ledger.accounts()) == 2


def test_groups_are_the_declared_ones_with_other():
    made = session(100.0).group_by("city", ["Bern", "Zug"]).median("age")
    assert [group["group"] for group in made.value["groups"]] == ["Bern", "Zug", "other"]
    assert list(made.to_pandas()["group"]) == ["Bern", "Zug", "other"]


def test_rows_of_no_group_are_left_out_of_the_answers_that_say_so_alone():
    asked = session(100.0)
    whole = asked.group_by("city", ["Bern", "Zug"], other=False)
    assert list(whole.median("age").to_pandas()["group"]) == ["Bern", "Zug"]
    for later in (asked.group_by("city"), asked.group_by("city", other=True)):
        assert list(later.count().to_pandas()["group"]) == ["Bern", "Zug", "other"]
    assert list(asked.table("city").to_pandas()["group"]) == ["Bern", "Zug", "other"]
    assert list(whole.count(where="age >= 30").to_pandas()["group"]) == ["Bern", "Zug"]


def test_quantiles_share_epsilon_and_conditions_narrow():
    asked = session(300.0)
    low, high = asked.where("age >= 30", "age < 60").quantiles("age", [0.1, 0.9], epsilon=200.0)
    assert low.privacy.epsilon == high.privacy.epsilon == 100.0
    assert 30 <= low.value < high.value < 60
    assert [one.planned.question.where for one in asked.answers] == [("age >= 30", "age < 60")] * 2
    (one,) = asked.quantiles("age", 0.5)
    assert one.value == pytest.approx(40, abs=5)


def test_the_frame_has_a_row_for_each_number():
    asked = session(10.0)
    asked.median("age")
    asked.group_by("city", ["Bern", "Basel"]).sum("pay")
    asked.histogram("city")
    frame = asked.to_frame()
    assert list(frame["group"]) == ["", *["Bern", "Basel", "other"] * 2]
    assert list(frame.columns) == ["question", "group", "value", "low", "high", "epsilon", "method"]


def test_samples_and_points_bring_their_bounds():
    asked = budget(Sample(FRAME["age"], Interval(0, 120)), 100.0, seed=1)
    assert asked.median().value == pytest.approx(40, abs=5)
    points = engine.Points(FRAME[["age", "pay"]], ((0, 0), (120, 20_000)), ("age", "pay"))
    assert budget(points, 100.0, seed=1).mean("pay").value == pytest.approx(4995, abs=300)


def test_bounds_never_come_from_the_data():
    asked = session(bounds=None)
    with pytest.raises(ParameterError, match=r"give median\('age', bounds=\(lower, upper\)\)"):
        asked.median("age")
    assert asked.median("age", bounds=(0, 120)).value is not None
    assert asked.mean("age").value is not None  # the bounds are kept
    with pytest.raises(ParameterError, match="quantiles"):
        asked.quantiles("pay")


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda asked: asked.median("agee"), DataError, "no column 'agee'; try age"),
        (lambda asked: asked.median(), ParameterError, "there are 3 columns; name one"),
        (lambda asked: asked.median("age", metod="auto"), ParameterError, "metod: there is no such argument"),
        (lambda asked: asked.median("age", interval=0.95), ParameterError, "would be its share of epsilon"),
        (lambda asked: asked.median("age", edges=[18]), ParameterError, "only a histogram has edges"),
        (lambda asked: asked.histogram("age", edges=[40, 18]), ParameterError, "edges: they do not increase"),
        (lambda asked: asked.histogram("age", edges=[300]), ParameterError, "300 is not between the bounds"),
        (lambda asked: asked.histogram("age", edges=18), ParameterError, "edges: 18 is not possible"),
        (lambda asked: asked.histogram("age", edges=["a"]), ParameterError, "edges: 'a' is not possible"),
        (lambda asked: asked.median("age", bounds=5), ParameterError, "are not public bounds"),
        (lambda asked: asked.median("age", epsilon=-1), ParameterError, "finite number above 0"),
        (lambda asked: asked.group_by("city", "Bern"), ParameterError, "is no list"),
        (lambda asked: asked.group_by("city").median("age"), ParameterError, "city"),
        (lambda asked: asked.count(), ParameterError, "the number of rows is public"),
        (lambda asked: asked.quantiles("age", []), ParameterError, "give shares"),
        (lambda asked: budget(5), DataError, "int is not a table"),
        (lambda asked: budget(FRAME, "1"), ParameterError, "is not a budget"),
        (lambda asked: budget(FRAME, 1, similar="yes"), ParameterError, "choose same or other"),
        (lambda asked: budget(FRAME, 1, bounds={"agee": (0, 1)}), DataError, "no column 'agee'"),
        (lambda asked: budget(engine.SimpleGraph([(0, 1)], n=3)), DataError, "is no table"),
        (lambda asked: engine.ask(FRAME, ["median of age"]), ParameterError, "it is no Sheet"),
    ],
)
def test_what_is_wrong_is_said_and_costs_nothing(ask, error, words):
    asked = session()
    with pytest.raises(error, match=words):
        ask(asked)
    assert asked.left.epsilon == 1.0


def test_bins_end_at_the_edges_and_at_the_bounds():
    asked = budget({"age": [10, 18, 40, 64.5, 70, 300]}, 90, bounds={"age": (0, 120)}, seed=1)
    rows = asked.histogram("age", edges=[18, 65, 120]).rows
    assert [(row.group, round(row.value)) for row in rows] == [("0–18", 1), ("18–65", 3), ("65–120", 2)]
    whole = engine.Interval(0, 120, resolution=1)
    rows = asked.histogram("age", edges=np.array([18, 65]), bounds=whole).rows
    assert [row.group for row in rows] == ["0–17", "18–64", "65–120"]


def test_a_crash_after_the_entry_counts(monkeypatch):
    asked = session(1.0)

    def crash(*_given, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.questions.session.answer", crash)
    with pytest.raises(KeyboardInterrupt):
        asked.median("age", epsilon=0.25)
    assert asked.left.epsilon == 0.75


def test_a_session_shows_no_record():
    assert repr(session()) == "BudgetSession(simulated, epsilon=1, left=1)"


def test_numbers_of_numpy_and_fractions_are_numbers():
    asked = session(300.0)
    median = asked.quantiles("age", np.float32(0.5), interval=np.float32(0.125), epsilon=100.0)
    assert json.loads(json.dumps([one.to_dict() for one in median]))[0]["interval"]
    question = engine.Question(
        "quantile", ("age",), q=Fraction(1, 2), weight=np.int64(2), assumed=np.float32(0.5)
    )
    assert [type(value) for value in (question.q, question.weight, question.assumed)] == [float] * 3
    with pytest.raises(ParameterError, match="would be its share of epsilon"):
        asked.median("age", interval=np.float32(0.75))
    with pytest.raises(ParameterError, match="it must be a number"):
        engine.Question("median", ("age",), weight=10**400)


def test_histograms_with_other_edges_have_other_names_in_the_ledger():
    ledger = Ledger()
    asked = session(ledger=ledger, seed=None)
    asked.histogram("age", edges=[18])
    asked.histogram("age", edges=[18, 65.5])
    (account,) = ledger.accounts()
    assert [entry.about["release"] for entry in account.entries()] == [
        "histogram of age (edges 18)",
        "histogram of age (edges 18, 65.5)",
    ]
