"""Calls as people write them at first: each works, or one line says what would be right.

A misuse that means one thing gives the value of its right form.  Any other raises an error of ours.
"""

import fractions
import json
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import users_script

import engine

VALUES = [21.0, 35.0, 44.0, 52.0, 67.0] * 20
COLORS = ["red", "blue", "red", "green"] * 25

NAMESPACE = {
    **{name: getattr(engine, name) for name in engine._HOMES if not name.startswith("_")},
    "engine": engine,
    "np": np,
    "pd": pd,
    "pa": pa,
    "json": json,
    "Fraction": fractions.Fraction,
    "values": VALUES,
    "colors": COLORS,
    "frame": pd.DataFrame({"age": VALUES, "pay": [2 * one for one in VALUES], "color": COLORS}),
    "ages": engine.Sample(VALUES, engine.Interval(0, 120)),
    "points": engine.Points(np.column_stack([VALUES, VALUES]), engine.Box.of([0, 0], [120, 120])),
    "column": engine.Points(np.array(VALUES)[:, None], engine.Box.of([0], [120])),
    "hues": engine.Categories(COLORS, {"color": ["red", "green", "blue"]}),
    "graph": engine.SimpleGraph([(0, 1), (1, 2), (0, 2)], n=5),
    "roads": engine.WeightedGraph([(0, 1), (1, 2), (0, 2)], [3, 1, 2], engine.Interval(0, 5)),
    "table": engine.as_table({"age": VALUES, "color": COLORS}),
    "mean": engine.LaplaceRelease(query=engine.Mean()),
    "ledger": engine.Ledger(),
}

SAME = [
    # data
    ("Sample(frame['age'], (0, 120)).values", "ages.values"),
    ("Sample(frame[['age']], (0, 120)).values", "ages.values"),
    ("Sample(frame['age'].astype('Int64'), (0, 120)).values", "ages.values"),
    ("Sample(pa.array(values), (0, 120)).values", "ages.values"),
    ("Sample(pa.chunked_array([values]), (0, 120)).values", "ages.values"),
    ("Sample(tuple(values), [0, 120]).values", "ages.values"),
    ("Sample((value for value in values), (0, 120)).values", "ages.values"),
    ("Sample(dict(enumerate(values)).values(), (0, 120)).values", "ages.values"),
    ("Sample([Fraction(value) for value in values], (0, 120)).values", "ages.values"),
    ("Sample(range(3), np.array([0, 120])).values", "Sample([0.0, 1.0, 2.0], Interval(0, 120)).values"),
    ("Sample([True, False], (0, 1)).values", "Sample([1.0, 0.0], Interval(0, 1)).values"),
    ("Sample(values, {'lower': 0, 'upper': 120}).values", "ages.values"),
    ("Sample(values, Box.of(0, 120)).values", "ages.values"),
    ("Sample(table['age'], (0, 120)).values", "ages.values"),
    ("Points(table[['age']], (0, 120)).values", "column.values"),
    ("Points(frame[['age', 'age']], (0, 120)).values", "points.values"),
    ("Points(points.values, ((0, 0), (120, 120))).values", "points.values"),
    ("Points(points.values, Interval(0, 120)).values", "points.values"),
    ("Points(points.values.tolist(), (0, [120, 120])).values", "points.values"),
    ("Box.of(0, 1).dimension", "1"),
    ("Categories(colors, {'color': ['red', 'green', 'blue']}).table", "hues.table"),
    ("Categories(frame['color'], {'color': ['red', 'green', 'blue']}).table", "hues.table"),
    ("Categories(frame[['color']], hues.domain).table", "hues.table"),
    ("Categories([0, 2, 0, 1] * 25, hues.domain).table", "hues.table"),
    ("CategoryDomain({'color': ['red', 'green', 'blue']})", "hues.domain"),
    ("CategoryDomain('color', ['red', 'green', 'blue'])", "hues.domain"),
    ("CategoryDomain(['color'], ['red', 'green', 'blue'])", "hues.domain"),
    ("CategoryDomain({'grade': [1, 2]}).labels", "(('1', '2'),)"),
    (
        "read_categories(table, {'color': ['red', 'green', 'blue']}).categories.table",
        "hues.table",
    ),
    ("WeightedGraph([(0, 1), (1, 2), (0, 2)], [3, 1, 2], (0, 5)).weights", "roads.weights"),
    # one column of points is a sample, and the other way round
    ("Median().value(column)", "Median().value(ages)"),
    ("mean.run(column, 1.0, seed=3).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    (
        "NoisyHistogram(bins=4).run(ages, 1.0, seed=3).value",
        "NoisyHistogram(bins=4).run(column, Privacy(1.0), reproducible(3)).value",
    ),
    (
        "Quantiles(parts=2).run(ages, 1.0, seed=3).value",
        "Quantiles(parts=2).run(column, Privacy(1.0), reproducible(3)).value",
    ),
    ("Sheet('mean of age', 1)", "Sheet(['mean of age'], 1)"),
    # budgets
    ("mean.run(ages, 1, seed=3).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    ("mean.run(ages, (1.0, 1e-6), seed=3).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    ("mean.run(ages, np.float32(1), seed=3).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    ("mean.run(ages, Fraction(1), seed=3).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    ("Cost.of('laplace', 0.5).privacy", "Privacy(0.5)"),
    ("Limit(1).epsilon", "1"),
    (
        "budget(frame, seed=1).mean('age', (0, 120)).value",
        "budget(frame, seed=1).mean('age', bounds=(0, 120)).value",
    ),
    (
        "Sheet('mean of age', declarations=[ColumnDeclaration('age', 0, 120)])",
        "Sheet('mean of age', declarations=Declarations((ColumnDeclaration('age', 0, 120),)))",
    ),
    # seeds
    ("mean.run(ages, 1.0, 3).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    ("mean.run(ages, 1.0, rng=3).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    ("mean.run(ages, 1.0, seed=3.0).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    ("mean.run(ages, 1.0, seed=np.int64(3)).value", "mean.run(ages, Privacy(1.0), reproducible(3)).value"),
    (
        "mean.run(ages, 1.0, seed=np.random.default_rng(3)).value",
        "mean.run(ages, Privacy(1.0), np.random.default_rng(3)).value",
    ),
    (
        "simulate(mean, ages, 1.0, runs=1e2, seed=3.0).values",
        "simulate(mean, ages, Privacy(1.0), runs=100, seed=3).values",
    ),
    (
        "simulate(mean, ages, 1.0, runs=10, seed=np.random.default_rng(3)).values",
        "simulate(mean, ages, 1.0, runs=10, seed=int(np.random.default_rng(3).integers(2**63))).values",
    ),
    ("add_noise([1.0], 2.0, rng=3)", "add_noise([1.0], 2.0, rng=reproducible(3))"),
    ("reproducible(3.0).random()", "reproducible(3).random()"),
    # queries, mechanisms and noise, by name, class or instance
    ("SmoothRelease('median')", "SmoothRelease(query=Median())"),
    ("SmoothRelease(query=Median, noise='student-t')", "SmoothRelease(query=Median(), noise=StudentT())"),
    ("Lloyd(k=2.0)", "Lloyd(k=2)"),
    ("Lloyd(k=np.int64(2))", "Lloyd(k=2)"),
    (
        "simulate('laplace', ages, 1.0, runs=10, seed=3).values",
        "simulate(LaplaceRelease(), ages, 1.0, runs=10, seed=3).values",
    ),
    (
        "simulate(LaplaceRelease, ages, 1.0, runs=10, seed=3).values",
        "simulate(LaplaceRelease(), ages, 1.0, runs=10, seed=3).values",
    ),
    (
        "simulate('mean', ages, 1.0, runs=10, seed=3).values",
        "simulate(AutoRelease(query=Mean()), ages, 1.0, runs=10, seed=3).values",
    ),
    (
        "simulate(Median(), ages, 1.0, runs=10, seed=3).values",
        "simulate(AutoRelease(query=Median()), ages, 1.0, runs=10, seed=3).values",
    ),
    (
        "sensitivity_profile('median', ages, 0.1).smooth",
        "sensitivity_profile(Median(), ages, beta=0.1).smooth",
    ),
    ("certify('laplace', 0.5, 0.1, 1.0).private", "certify(Laplace(), 0.5, 0.1, Privacy(1.0)).private"),
    ("Mean().global_sensitivity((0, 120), 10)", "Mean().global_sensitivity(Interval(0, 120), 10)"),
    (
        "len(alternatives('smooth', 1, (0, 120), 100))",
        "len(alternatives(SmoothRelease(), 1, ages.domain, 100))",
    ),
    (
        "len(alternatives(SmoothRelease, 1, ages, 100))",
        "len(alternatives(SmoothRelease(), 1, ages.domain, 100))",
    ),
    (
        "worst_case_pairs('laplace', (0, 1), 10)[0].name",
        "worst_case_pairs(LaplaceRelease(), Interval(0, 1), 10)[0].name",
    ),
    # comparisons
    (
        "compare([mean], ages, 1.0, Sweep('epsilon', 1.0), runs=20, seed=1).median(0, 0)",
        "compare(engine.contenders_from([mean]), ages, 1.0, Sweep('epsilon', (1.0,)),"
        " runs=20, seed=1).median(0, 0)",
    ),
    (
        "compare(mean, ages, 1.0, ('epsilon', [0.5, 1]), runs=20, seed=1).median(0, 1)",
        "compare(engine.contenders_from([mean]), ages, 1.0, Sweep('epsilon', (0.5, 1.0)), runs=20, seed=1)"
        ".median(0, 1)",
    ),
    (
        "compare(['laplace', ExponentialRelease], ages, 1.0, {'epsilon': 1}, runs=20, seed=1).median(0, 0)",
        "compare(engine.contenders_from([LaplaceRelease(), ExponentialRelease()]), ages, 1.0,"
        " Sweep('epsilon', (1.0,)), runs=20, seed=1).median(0, 0)",
    ),
    ("Sweep('n', range(10, 30, 10)).values", "(10, 20)"),
    ("Sweep('epsilon', np.array([0.5, 1.0])).values", "(0.5, 1.0)"),
    # releases
    ("float(mean.run(ages, 1.0, seed=3))", "mean.run(ages, 1.0, seed=3).value"),
    ("f'{mean.run(ages, 1.0, seed=3):.1f}'", "f'{mean.run(ages, 1.0, seed=3).value:.1f}'"),
    (
        "json.loads(json.dumps(mean.run(ages, 1.0, seed=3).to_dict()))['value']",
        "mean.run(ages, 1.0, seed=3).value",
    ),
    # ledgers
    ("ledger.account('a', first=1.0).limit", "Limit(1.0)"),
    ("[one := ledger.account('b'), one.set_limit(2), one.limit][2]", "Limit(2.0)"),
    ("[one := ledger.account('c'), one.set_limit((2, 1e-6)), one.limit][2]", "Limit(2.0, 1e-6)"),
    ("ledger.account('d').release('mean', column, 1.0).query", "'mean'"),
]

REFUSED = [
    # bounds
    ("Sample(values)", r"Sample: give domain .*public bounds"),
    ("Sample(values, bounds=(0, 120))", r"there is no argument 'bounds'; give domain"),
    ("Sample(values, 0, 120)", r"are not public bounds; give Interval\(lower, upper\)"),
    ("Sample(values, 'auto')", r"'auto' are not public bounds"),
    ("Sample(values, None)", r"None are not public bounds"),
    ("Sample(values, (120, 0))", r"upper: 0 is not above lower"),
    ("Interval(0)", r"Interval: give upper"),
    ("Interval('0', '120')", r"lower: '0' is not a number"),
    ("Interval(0, None)", r"upper: None is not a number"),
    ("Box((0, 1))", r"give Box.of\(lower bounds, upper bounds\)"),
    ("Points(points.values)", r"Points: give domain"),
    ("Points(points.values, [(0, 1), (0, 1), (0, 1)])", r"are not public bounds of 2 columns"),
    # data
    ("Sample('age', (0, 120))", r"a str is not one column of numbers"),
    ("Sample(frame, (0, 120))", r"the values are not numbers"),
    ("Sample(frame[['age', 'pay']], (0, 120))", r"choose a column, or give Points"),
    ("Sample(set(values), (0, 120))", r"a set is not one column of numbers"),
    ("Sample({'age': values}, (0, 120))", r"a dict is not one column of numbers"),
    ("Sample(colors, (0, 120))", r"the values are not numbers"),
    ("Sample(pd.to_datetime(['2020-01-01']), (0, 1))", r"the values are not numbers"),
    ("Sample([1.0, None], (0, 1))", r"record 2 is not finite"),
    ("Sample([], (0, 1))", r"there are no records"),
    ("Points(values, (0, 120))", r"give one row for each record, or Sample"),
    ("table['pay']", r"there is no column 'pay'"),
    ("table['color']", r"not a number"),
    ("Categories(colors, ['red', 'green'])", r"names no column; give"),
    ("Categories(colors, {'color': ['red']})", r"not among the declared categories"),
    ("Categories(colors)", r"Categories: give domain"),
    ("CategoryDomain('color')", r"column 'color' has none; list all categories"),
    ("CategoryDomain({'color': 'red'})", r"is no list of lists"),
    ("Points(points.values, ((0, 1), (0, 1)))", r"give all lower bounds, then all upper bounds"),
    # data that do not fit the question
    ("mean.run(values, 1.0)", r"public bounds are missing: a list has none; give Sample"),
    ("mean.run(frame, 1.0)", r"a DataFrame has none; give one column with its bounds"),
    ("mean.run(frame['age'], 1.0)", r"a Series has none; give Sample"),
    ("mean.run(table, 1.0)", r"a Table has none; give one column with its bounds"),
    ("mean.run(None, 1.0)", r"public bounds are missing"),
    ("mean.run(1.0, ages)", r"is not a budget"),
    ("mean.run(points, 1.0)", r"reads one column of numbers, and Points of 2 columns holds points"),
    ("Median().value(points)", r"Median reads one column of numbers"),
    ("Median().value(values)", r"public bounds are missing"),
    ("Median().smooth_sensitivity(points, 0.1)", r"Median reads one column of numbers"),
    ("ContingencyTable().run(ages, 1.0)", r"reads categories, and a Sample holds one column of numbers"),
    ("Mode().run(colors, 1.0)", r"public bounds are missing: a list has none; give Categories"),
    ("SmoothRelease('triangles').run(ages, 1.0)", r"reads a graph without weights"),
    ("SmoothRelease('mst').run(graph, 1.0)", r"reads a graph with weights"),
    ("Clusters().run(hues, 1.0)", r"reads points, and a Categories holds categories"),
    ("KMeansOnCells().run(values, 1.0)", r"give Points\(rows, \(lower, upper\)\)"),
    ("budget(frame, categories=['red'], seed=1)", r"give {'city': \['Bern', 'Basel'\]}"),
    ("budget(frame, seed=1).group_by(['color', 'age'])", r"is not the name of a column; `table`"),
    ("budget(frame, seed=1).where(lambda row: True).count()", r"a function is no text; write for instance"),
    ("budget(frame, seed=1).where(frame['age'] > 3).count()", r"a Series is no text; write for instance"),
    ("budget(frame, seed=1).quantiles('age', 'median', bounds=(0, 9))", r"q: 'median' is not possible"),
    ("budget(frame, seed=1).mean(frame['age'])", r"a Series is not the name of a column"),
    ("budget(frame, seed=1).count('age')", r"too many values; its arguments are epsilon, the last"),
    ("budget(frame, seed=1).where(age=30)", r"where: there is no argument 'age'; there are conditions"),
    ("ask(frame, Sheet('median of age', declarations={'age': (0, 9)}))", r"no statements about columns"),
    ("budget(frame, declarations={'age': (0, 9)}, seed=1)", r"give \[ColumnDeclaration\("),
    ("ColumnDeclaration('color', categories='red')", r"'red' is no list"),
    ("compare(mean, ages, 1.0, ('foo', [1, 2]), runs=20, seed=1)", r"'foo' cannot be varied; choose one of"),
    ("ask(frame, 'median of age')", r"it is no Sheet; give Sheet\(\[\"median of salary"),
    # calls
    ("add_noise(1.0, sensitivity=1)", r"there is no argument 'sensitivity'; there are values, scale"),
    ("replace_one_pair(ages)", r"replace_one_pair: give record, value"),
    ("mean.run(ages)", r"run: give privacy \(privacy: the budget"),
    ("mean.run(ages, epsilon=1.0)", r"there is no argument 'epsilon'; give privacy"),
    ("mean.run(ages, '1.0')", r"'1.0' is not a budget"),
    ("mean.run(ages, None)", r"None is not a budget"),
    ("mean.run(ages, -1)", r"epsilon: -1 is not possible"),
    ("mean.run(ages, True)", r"True is not a budget"),
    ("mean.run(ages, 1.0, seed='3')", r"seed: '3' is not possible"),
    ("mean.run(ages, 1.0, seed=-3)", r"seed: -3 is not possible"),
    ("mean.run(ages, 1.0, seed=0.5)", r"seed: 0.5 is not possible"),
    ("LaplaceRelease.run(ages, 1.0)", r"run: (give|write the mechanism)"),
    ("Median().run(ages, 1.0)", r"a query releases nothing; give a mechanism"),
    ("Median().valu(ages)", r"'Median' object has no attribute 'valu'"),
    ("Privacy('1')", r"epsilon: '1' is not possible; it must be a number"),
    ("Privacy()", r"Privacy: give epsilon"),
    ("simulate(mean, ages, 1.0)", r"simulate: give runs, seed"),
    ("simulate(mean, ages, 1.0, runs=10, rng=1)", r"there is no argument 'rng'; give seed"),
    (
        "simulate(mean, ages, 1.0, runs=10.5, seed=1)",
        r"runs: 10.5 is not possible; it must be a whole number",
    ),
    ("simulate(mean, ages, 1.0, runs=10, seed=None)", r"seed: None is not possible here"),
    ("simulate('medain', ages, 1.0, runs=10, seed=1)", r"there is no mechanism 'medain'; try median"),
    ("simulate(ages, mean, 1.0, runs=10, seed=1)", r"a Sample is not a mechanism; give one"),
    ("sensitivity_profile('medain', ages, 0.1)", r"there is no query 'medain'; try median"),
    ("sensitivity_profile(Median(), ages)", r"sensitivity_profile: give beta"),
    ("sensitivity_profile(Median(), ages, 'auto')", r"beta: 'auto' is not a number"),
    ("audit_run(mean, (ages, ages), 1.0)", r"give replace_one_pair\(data, record, value\)"),
    ("replace_one_pair(values, 0, 1.0)", r"public bounds are missing"),
    ("estimate_points_error(mean, ages, 1.0)", r"releases no points"),
    ("simulate_releases(Lloyd(), points, 1.0)", r"releases no single number"),
    ("compare([mean], ages, 1.0, 'epsilon', runs=20, seed=1)", r"'epsilon' is no sweep; give Sweep"),
    ("compare([], ages, 1.0, Sweep('epsilon', 1), runs=20, seed=1)", r"choose at least one to compare"),
    ("Sweep('epsilon', 'all')", r"are no values of epsilon; give numbers"),
    ("Sweep('epsilon')", r"Sweep: give values"),
    # components
    ("SmoothRelease(query='medain')", r"there is no query 'medain'; try median"),
    ("SmoothRelease(query=0.5)", r"query: 0.5 is not possible; give a query"),
    ("SmoothRelease(quantile=0.5)", r"there is no argument 'quantile'"),
    ("SmoothRelease(noise='normal')", r"there is no noise 'normal'"),
    ("Median(evens='lower')", r"there is no argument 'evens'; give even"),
    ("Quantile(1.5)", r"q: 1.5 is not possible"),
    ("Quantile('median')", r"q: 'median' is not possible"),
    ("Lloyd(k='2')", r"k: '2' is not possible; it must be a whole number"),
    ("Lloyd(k=2.5)", r"k: 2.5 is not possible"),
    ("Lloyd(clusters=2)", r"there is no argument 'clusters'"),
    # releases and ledgers
    ("float(Lloyd().run(points, 1.0, seed=1))", r"the release holds more than a number; read release.value"),
    ("mean.run(ages, 1.0, seed=1).plot('age')", r"axes: 'age' are no axes of matplotlib; leave them out"),
    ("ledger.account('e').set_limit('1')", r"'1' is not a budget"),
    ("ledger.account('e').release(mean, values, 1.0)", r"public bounds are missing"),
    ("ledger.account('e').release('medain', ages, 1.0)", r"there is no mechanism 'medain'"),
    ("Ledger(5)", r"path: 5 is no path"),
    # names
    ("engine.Medain", r"has no attribute 'Medain'; try Median"),
    ("engine.laplace", r"has no attribute 'laplace'"),
]

SECRET = "6021976"

NEVER_QUOTED = [
    "mean.run(ages, frame)",
    "mean.run(1.0, frame)",
    "mean.run(ages, [6021976, 1, 2])",
    "Sample((0, 120), frame['age'])",
    "Sample((0, 120), frame)",
    "Sample(frame, frame)",
    "Interval(frame['age'], 1)",
    "Box((frame, 1))",
    "Points((0, 120), frame)",
    "Categories({'x': ['a']}, frame)",
    "CategoryDomain({'x': frame['age']})",
    "CategoryDomain({'x': [frame]})",
    "simulate(frame, mean, 1.0, runs=10, seed=1)",
    "simulate(mean, ages, 1.0, runs=10, seed=frame['age'])",
    "simulate(mean, ages, 1.0, runs=frame['age'], seed=1)",
    "Privacy(frame['age'])",
    "Lloyd(k=frame['age'])",
    "SmoothRelease(query=frame)",
    "Sweep('epsilon', frame)",
    "Sweep(frame, 1)",
    "compare(mean, ages, 1.0, frame, runs=9, seed=1)",
    "compare(frame, ages, 1.0, ('epsilon', 1), runs=9, seed=1)",
    "ledger.account('q').set_limit(frame['age'])",
    "Ledger(frame)",
    "budget(frame, frame)",
    "sensitivity_profile(Median(), ages, frame['age'])",
    "worst_case_pairs(mean, frame, 10)",
    "worst_case_pairs(mean, (0, 1), frame['age'])",
    "replace_one_pair(frame, 0, 1)",
    "replace_one_pair(ages, frame['age'], 1)",
]

OURS = (engine.SensiscopeError, AttributeError)


def plain(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


def test_first_guesses_are_right_for_type_checkers_too():
    """mypy goes through the script with the program's own."""
    assert {name for name, value in users_script.first_guesses().items() if value is None} <= {"end"}


def test_the_table_is_long():
    assert len({code for code, _ in [*SAME, *REFUSED]}) >= 120


@pytest.mark.parametrize(("code", "right"), SAME, ids=[code for code, _ in SAME])
def test_what_has_one_meaning_works(code, right):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plain(eval(code, dict(NAMESPACE))) == plain(eval(right, dict(NAMESPACE)))


@pytest.mark.parametrize("code", NEVER_QUOTED)
def test_no_message_quotes_records_that_stand_in_the_wrong_place(code):
    frame = pd.DataFrame({"age": [6021976.0, 6021976.0, 1.0, 2.0]})
    with pytest.raises((*OURS, TypeError, ValueError)) as raised:
        eval(code, {**NAMESPACE, "frame": frame})
    assert isinstance(raised.value, engine.SensiscopeError), repr(raised.value)
    assert SECRET not in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("code", "message"), REFUSED, ids=[code for code, _ in REFUSED])
def test_what_has_none_says_what_would_be_right(code, message):
    with pytest.raises(OURS, match=message) as raised:
        eval(code, dict(NAMESPACE))
    line = str(raised.value)
    assert "\n" not in line
    assert len(line) < 300
    assert (
        isinstance(raised.value, engine.SensiscopeError)
        or "releases nothing" in line
        or "has no attribute" in line
    )
