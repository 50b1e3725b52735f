"""`run` with conditions, groups, persons and records without a value."""

import re

import pytest

import engine

HEADER = "name,age,pay,team,city"
STAFF = [f"p{i},{20 + i % 40},{1000 + 10 * i},{('Sales', 'IT', 'Law')[i % 3]},Bern" for i in range(300)]
GROUPS = ("--by", "team", "--categories", "Sales,IT,other")
PAY = ("--column", "pay", "--lower", 0, "--upper", 5000)
SURE = ("--epsilon", 100, "--seed", 1)
"""A budget for which the noise is small."""


@pytest.fixture
def staff(csv):
    return ("--data", csv(STAFF, header=HEADER))


def values(outcome):
    return {one["group"]: one["value"] for one in outcome.json["value"]["groups"]}


def test_medians_of_all_groups_of_a_public_list_for_one_epsilon(cli):
    where = ("--example", "penguins", "--column", "body_mass_g", "--by", "species", "--resolution", 25)
    found = cli("run", "median", *where, *SURE, "--json")
    assert values(found) == {"Adelie": 3700, "Chinstrap": 3700, "Gentoo": 5000}
    assert found.json["mechanism"] == "median"
    assert found.json["parameters"]["method"] == "choice-in-parts"
    assert found.json["parameters"]["by"] == "species"
    assert re.search(r"95 % within ± [\d.]+ ranks of the true median of its group", found.err)
    assert found.json["privacy"] == {"epsilon": 100, "delta": 0, "neighbours": "replace-one"}


@pytest.mark.parametrize(
    ("query", "more", "expected"),
    [
        ("median", PAY, {"Sales": 2485, "IT": 2495, "other": 2505}),
        ("quantile", (*PAY, "--q", 0.9), {"Sales": 3700, "IT": 3700, "other": 3700}),
        ("mean", PAY, {"Sales": 2485, "IT": 2495, "other": 2505}),
        ("sum", PAY, {"Sales": 248500, "IT": 249500, "other": 250500}),
        ("count", (), {"Sales": 100, "IT": 100, "other": 100}),
        ("count", (*PAY, "--where", "> 2500"), {"Sales": 49, "IT": 50, "other": 50}),
    ],
)
def test_one_answer_for_each_group(cli, staff, query, more, expected):
    found = cli("run", query, *staff, *more, *GROUPS, *SURE, "--json")
    assert found.status == 0, found.err
    for group, value in values(found).items():
        assert value == pytest.approx(expected[group], rel=0.02, abs=1)
    ends = [one["interval"] for one in found.json["value"]["groups"]]
    if query in ("mean", "sum", "count"):
        assert all(
            low <= value <= high for (low, high), value in zip(ends, values(found).values(), strict=True)
        )


@pytest.mark.parametrize(
    ("query", "more", "expected"),
    [
        ("median", PAY, 2490),
        ("mean", PAY, 2490),
        ("count", (), 80),
        ("count", ("--where", "team in (Sales, IT)"), 53),
        ("count", (*PAY, "--where", "> 2500"), 40),
    ],
)
def test_one_answer_where_conditions_hold(cli, staff, query, more, expected):
    found = cli("run", query, *staff, *more, "--where", "age >= 30", "--where", "age < 40", *SURE, "--json")
    assert found.status == 0, found.err
    assert found.json["value"] == pytest.approx(expected, rel=0.03, abs=1)
    assert "age >= 30" in found.json["parameters"]["where"]
    if query != "median":
        low, high = found.json["interval"]
        assert low <= found.json["value"] <= high


def test_a_value_of_a_part_alone_costs_less_than_with_groups(cli, staff):
    one = cli("run", "count", *staff, "--where", "age > 30", *SURE, "--json").json
    all_groups = cli("run", "count", *staff, *GROUPS, *SURE, "--json").json
    assert (one["noise"]["scale"], all_groups["noise"]["scale"]) == (0.01, 0.02)


def test_text_shows_a_table_of_groups_and_which_rows_count(cli, staff):
    found = cli("run", "mean", *staff, *PAY, *GROUPS, "--where", "age >= 30", *SURE)
    assert re.search(r"group +mean +95 % from +to", found.out)
    assert re.search(r"\n +Sales +2,\d+", found.out)
    assert "only where age >= 30; rows without a value of pay or team are left out" in found.out
    assert "other groups" not in found.out
    whole = ("--by", "team", "--categories", "Sales,IT", "--unseen", "drop")
    listed = cli("run", "mean", *staff, *PAY, *whole, *SURE)
    assert "rows without a value of pay or team are left out; rows of other groups are left out" in listed.out
    single = cli("run", "mean", *staff, *PAY, "--where", "age >= 30", *SURE)
    assert re.search(r"simulated mean +2,\d+\.\d+, 95 % interval 2,[\d.]+ to 2,[\d.]+", single.out)


SMALL = ("--where", "name = p7")


@pytest.mark.parametrize("group", [GROUPS, SMALL, (*GROUPS, *SMALL), ("--where", "name = nobody")])
def test_sizes_of_parts_never_appear(cli, staff, group):
    """All that is written, apart from the drawn values, is the same for any number of rows in a part."""

    def written(words):
        found = cli("run", "mean", *staff, *PAY, *words, "--epsilon", 1, "--seed", 1, "--json").json
        value = found.pop("value")
        found.pop("interval", None)
        found.pop("column")
        found["parameters"].pop("where", None)
        return found, [one["group"] for one in value["groups"]] if isinstance(value, dict) else None

    other = tuple("age < 1000" if word in ("name = p7", "name = nobody") else word for word in group)
    assert written(group) == written(other)


def test_an_empty_part_gets_an_answer_like_any_other(cli, staff):
    for query, more in (("median", PAY), ("mean", PAY), ("count", ()), ("sum", PAY)):
        found = cli("run", query, *staff, *more, "--where", "name = nobody", "--epsilon", 1, "--json")
        assert found.status == 0, found.err
        assert isinstance(found.json["value"], float)


def test_missing_values_are_a_part_that_is_left_out(cli, csv):
    path = csv(["5", "", "7", "", "6"] * 40, header="x")
    where = ("run", "median", "--data", path, "--lower", 0, "--upper", 10, *SURE)
    found = cli(*where, "--missing", "drop", "--show-private", "--json")
    assert found.json["value"] == pytest.approx(6, abs=0.1)
    assert found.json["parameters"]["missing"] == "drop"
    assert found.json["diagnostics"] == {"true_value": 6, "sizes": 120, "clamped": 0}
    text = cli(*where, "--missing", "drop")
    assert "rows without a value of x are left out" in text.out
    assert "n = 200" in text.out
    assert "120" not in text.out + text.err


def test_a_method_that_needs_n_says_which_options_help(cli, refused, csv):
    path = csv(["5", "", "7"], header="x")
    where = ("run", "median", "--data", path, "--lower", 0, "--upper", 10, "--epsilon", 1)
    message = refused(*where, "--missing", "drop", "--method", "smooth")
    assert "--complete N if it is public, or use --missing fill" in message
    assert "another number of rows" in refused(*where, "--missing", "drop", "--complete", 3)
    assert cli(*where, "--missing", "drop", "--complete", 2).status == 0


def test_the_rows_of_a_person_are_one_record(cli, csv):
    rows = [f"p{i % 60},{i},{i % 2}" for i in range(240)]
    where = ("run", "median", "--data", csv(rows, header="who,x,y"), "--lower", 0, "--upper", 300, *SURE)
    found = cli(*where, "--column", "x", "--person", "who:largest", "--show-private", "--json")
    assert found.json["diagnostics"]["true_value"] == 209
    assert found.json["parameters"]["person"] == "who"
    text = cli(*where, "--column", "x", "--person", "who")
    assert "one record for each who: the mean of the rows" in text.out
    assert "n = 60" in text.out
    counted = cli(*where, "--person", "who:count", "--show-private", "--json")
    assert counted.json["diagnostics"]["true_value"] == 4
    both = cli(*where, "--column", "x", "--person", "who:last", "--where", "y = 1", "--json")
    assert both.json["value"] == pytest.approx(209, abs=5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("median", *PAY, "--where", "ages > 3"), "there is no column 'ages'; try age"),
        (("median", *PAY, "--where", "age"), "--where: 'age' is no condition"),
        (("median", *PAY, "--where", "team = 3"), 'write "3" in quotes'),
        (("median", *PAY, "--by", "team"), "--categories: a public list"),
        (("median", *PAY, "--by", "teams", "--categories", "a,b"), "there is no column 'teams'; try team"),
        (("median", *PAY, "--by", "team", "--categories", "a,a"), "'a' is listed twice"),
        (("median", *PAY, "--by", "team", "--categories", "team=a,b"), "'team=a' repeats the name of the"),
        (("count", "--by", "team", "--categories", "a", "--unseen", "refuse"), "choose other or drop"),
        (("mode", "--column", "team", "--categories", "a", "--unseen", "drop"), "drop belongs to --by"),
        (
            ("median", *PAY, *GROUPS, "--method", "smooth"),
            "--method: no method smooth does without the number of records",
        ),
        (("median", *PAY, *GROUPS, "--noise", "laplace"), "adds no noise; leave it out"),
        (("mean", *PAY, *GROUPS, "--noise", "student-t"), "student-t"),
        (("mean", *PAY, *GROUPS, "--q", 0.3), "--q: mean and sums-in-parts have no such parameter"),
        (("mean", *GROUPS), "--lower: a public lower bound is needed"),
        (("count", *PAY[2:], *GROUPS), "--lower: bounds belong to a column of numbers"),
        (("minimum", *PAY, *GROUPS), "--by: minimum needs the number of records; median, quantile"),
        (("median", *PAY, "--membership", "public"), "--membership: it belongs to --by"),
        (("median", *PAY, *GROUPS, "--complete", 3), "--complete: a question about parts needs no number"),
        (("median", *PAY, "--where", "age > 3", "--categories", "a"), "name it with --by"),
        (("median", *PAY, "--person", "name:most"), "'most' is no rule; choose mean, sum"),
        (("count", *PAY, "--where", "> 3", "--where", "< 2"), "one condition on its column"),
    ],
)
def test_a_mistake_is_one_line(refused, staff, words, message):
    name, *others = words
    assert message in refused("run", name, *staff, *others, "--epsilon", 1)


def test_a_person_without_an_identifier_is_refused(refused, csv):
    path = csv(["a,1", ",2"], header="who,x")
    where = ("run", "median", "--data", path, "--column", "x", "--lower", 0, "--upper", 3, "--epsilon", 1)
    assert "row 3, column 'who': the identifier is missing" in refused(*where, "--person", "who")


def test_noise_of_sums_can_be_chosen(cli, staff):
    words = ("run", "mean", *staff, *PAY, *GROUPS, "--epsilon", 1, "--delta", 1e-6, "--json")
    for choice in (("--noise", "gaussian"), ("--method", "gaussian")):
        found = cli(*words, *choice).json
        assert found["noise"]["family"] == "gaussian"
        assert found["privacy"]["delta"] == 1e-6


def test_a_release_is_recorded_with_its_statements(cli, staff, tmp_path):
    ledger = ("--ledger", tmp_path / "ledger.sqlite")
    where = (*staff, *PAY, *GROUPS, "--where", "age > 30")
    assert cli("run", "mean", *where, "--epsilon", 1, *ledger).status == 0
    again = cli("run", "count", *staff, "--where", "age > 30", "--epsilon", 1, *ledger)
    assert "2 releases, epsilon = 2" in again.spent
    assert b"age > 30" in (tmp_path / "ledger.sqlite").read_bytes()


@pytest.mark.parametrize("part", [GROUPS, ("--where", "age > 30")])
@pytest.mark.parametrize("more", [(), ("--show-private",)])
def test_a_figure_of_parts(cli, staff, tmp_path, part, more):
    path = tmp_path / "parts.png"
    found = cli("run", "mean", *staff, *PAY, *part, *SURE, *more, "--plot", path)
    assert found.status == 0, found.err
    assert path.stat().st_size > 1000


def test_an_audit_finds_pairs_whose_row_changes_its_group(cli, staff):
    where = (*staff, *PAY, *GROUPS, "--epsilon", 1, "--runs", 2000, "--json")
    found = cli("audit", "mean", *where)
    assert found.status == 0, found.err
    assert "changes-group" in {pair["neighbour"] for pair in found.json["pairs"]}
    assert found.json["verdict"] == "consistent"
    moved = cli("audit", "median", *where, "--neighbour", "record=5,value=3000:Sales")
    assert moved.status == 0, moved.err
    left = cli("audit", "median", *where, "--neighbour", "record=5,value=3000:nowhere")
    assert "'nowhere' is no group; choose one of Sales, IT, other" in left.err


def test_noises_of_groups_are_compared(cli, staff):
    words = (*staff, *PAY, *GROUPS, "--epsilon", 1, "--delta", 1e-6, "--runs", 20, "--workers", 1, "--json")
    found = cli("compare", "mean", "mean:gaussian", *words)
    assert found.status == 0, found.err
    assert [one["parameters"]["noise"] for one in found.json["mechanisms"]] == ["laplace", "gaussian"]
    other = cli("compare", "mean", "contingency-table", *words)
    assert "needs the number of records in each part" in other.err


@pytest.mark.parametrize("more", [GROUPS, ("--where", "age > 30")])
def test_a_sensitivity_is_that_of_the_whole_table(refused, staff, more):
    message = refused("sensitivity", "median", *staff, *PAY, *more, "--epsilon", 1)
    assert f"{more[0]}: a sensitivity needs the number of records" in message


def test_each_public_group_has_sensitivities_of_its_own(cli, csv, refused, tmp_path):
    rows = [f"{'IT' if index % 3 else 'HR'},{100 * index},{index}" for index in range(31)]
    where = ("--data", csv(rows, header="team,pay,age"), *PAY, "--by", "team", "--categories", "HR,IT,Law")
    public = (*where, "--membership", "public", "--beta", 1)
    groups = cli("sensitivity", "median", *public, "--json").json["groups"]
    assert [(one["group"], one["n"]) for one in groups] == [("HR", 11), ("IT", 20)]
    for number, group in enumerate(groups):
        pay = [row.split(",")[1] for row in rows if row.startswith(("HR", "IT")[number])]
        alone = cli("sensitivity", "median", "--data", csv(pay, header="pay"), *PAY, "--beta", 1, "--json")
        same = {"query": "median", "column": "pay", "version": alone.json["version"]}
        assert {**alone.json, "group": group["group"]} == {**group, **same}
    csv(rows, header="team,pay,age")  # the same file as before
    picture = tmp_path / "it.png"
    one = cli("sensitivity", "median", *public, "--where", "team = IT", "--plot", picture)
    assert "IT     20" in one.out
    assert "HR" not in one.out
    assert picture.exists()
    message = refused("sensitivity", "median", *public, "--where", "age > 3")
    assert "'age' may be confidential; name only team" in message
    several = refused("sensitivity", "median", *public, "--plot", tmp_path / "all.png")
    assert "--plot: choose one group with --where" in several


def test_the_column_of_a_part_is_named_where_there_are_several(refused, staff, csv):
    words = ("run", "median", *staff, *PAY[2:], "--where", "age > 30", "--epsilon", 1)
    assert "several columns of numbers; choose one with --column: age, pay" in refused(*words)
    one = ("--data", csv(["x,1", "y,2"], header="who,pay"), *PAY[2:])  # its type may be private
    words = ("run", "median", *one, "--where", "pay > 1", "--epsilon", 1)
    assert "choose the column of numbers with --column: who, pay" in refused(*words)


def test_groups_whose_reading_one_record_decides_are_asked_for(cli, refused, csv):
    path = csv(["007,1", "7,2", "x,3"] + [f"{i},1" for i in range(10, 40)], header="team,pay")
    where = ("run", "mean", "--data", path, "--column", "pay", "--lower", 0, "--upper", 9, "--epsilon", 1)
    by, person = ("--by", "team", "--categories", "7,other"), ("--person", "team")
    for words in (by, person):
        assert "the type of column 'team' was detected" in refused(*where, *words)
        assert cli(*where, *words, "--type", "team=category").status == 0


def test_any_method_answers_for_groups_whose_membership_is_public(cli, refused, staff):
    where = (*staff, *PAY, *GROUPS, "--membership", "public", *SURE)
    found = cli("run", "median", *where, "--json")
    assert values(found)["Sales"] == pytest.approx(2485, abs=100)
    assert found.json["privacy"]["neighbours"] == "same-group"
    smooth = cli("run", "median", *where, "--method", "smooth", "--json")
    assert smooth.json["parameters"]["method"] == "smooth"
    laplace = cli("run", "mean", *where, "--method", "laplace")
    assert "one record replaced by another of its group" in laplace.out
    assert re.search(r"group +mean +95 % from +to", laplace.out)
    assert values(cli("run", "minimum", *where, "--json"))["IT"] == pytest.approx(1010, abs=100)
    assert "a condition may depend on confidential values" in refused(
        "run", "mean", *where, "--where", "age > 3"
    )
    assert "none is left out" in refused("run", "mean", *where, "--missing", "drop")
    assert "clusters is no query about one column" in refused("run", "clusters", *where)


def test_a_public_group_without_records_has_no_answer(cli, staff):
    lists = ("--by", "team", "--categories", "Sales,IT,Law,HR", "--membership", "public")
    found = cli("run", "mean", *staff, *PAY, *lists, *SURE)
    assert found.status == 0, found.err
    assert re.search(r"\n +HR +no answer", found.out)


def test_rows_of_no_listed_group_are_other_by_every_way_to_ask(cli, staff, tmp_path):
    """They are a group unless it is stated that they are not."""
    table = engine.read_table(staff[1])
    sheet = 'epsilon = 20\n[columns.team]\ncategories = ["Sales", "IT"]\n{}\n[[questions]]\nask = "{}"\n'
    for whole in (False, True):
        groups = ["Sales", "IT", *([] if whole else ["other"])]
        more = ("--unseen", "drop") if whole else ()
        found = cli(
            "run", "count", *staff, "--by", "team", "--categories", "Sales,IT", *more, *SURE, "--json"
        )
        assert list(values(found)) == groups
        with engine.budget(table, 20, seed=1) as session:
            by = session.group_by("team", ["Sales", "IT"], other=False if whole else None)
            assert [row.group for row in by.count().rows] == groups
        path = tmp_path / "sheet.toml"
        path.write_text(sheet.format("other = false" if whole else "", "count by team"))
        asked = cli("ask", path, *staff, "--seed", 1, "--json").json["questions"][0]["groups"]
        assert [one["group"] for one in asked] == groups


def test_a_missing_value_of_a_public_group_is_refused(refused, csv):
    path = csv(["a,1", "a,", "b,2", "b,2"], header="team,pay")
    words = ("--column", "pay", "--lower", 0, "--upper", 9, "--by", "team", "--categories", "a,b")
    message = refused("run", "mean", "--data", path, *words, "--membership", "public", "--epsilon", 1)
    assert "row 3, column 'pay': the value is missing" in message


def test_counts_of_combinations_of_several_columns(cli, staff):
    lists = ("--by", "team", "--categories", "Sales,IT,Law", "--by", "city", "--categories", "Bern,other")
    found = cli("run", "count", *staff, *lists, "--where", "age >= 30", *SURE, "--json")
    assert list(values(found)) == [
        f"{team}, {city}" for team in ("Sales", "IT", "Law", "other") for city in ("Bern", "other")
    ]
    assert values(found)["IT, other"] == pytest.approx(0, abs=1)
    assert sum(values(found).values()) == pytest.approx(220, abs=3)
    assert found.json["parameters"]["by"] == ["team", "city"]
    text = cli("run", "count", *staff, *lists, *SURE).out
    assert "rows without a value of team or city are left out\n" in text


def test_an_audit_of_public_groups_is_not_blind(cli, staff):
    """All pairs have records in every group, so no answer is missing."""
    where = (*staff, *PAY, *GROUPS, "--membership", "public", "--epsilon", 1, "--runs", 5000, "--json")
    found = cli("audit", "mean", *where, "--method", "laplace")
    assert found.status == 0, found.err
    assert 0.4 < found.json["epsilon_lower_bound"] <= 1


def test_a_table_where_conditions_hold_counts_each_combination(cli, refused, staff):
    table = ("run", "contingency-table", *staff, "--column", "team", "--categories", "Sales,IT,Law")
    where = (*table, "--by", "city", "--categories", "Bern,Zug")
    found = cli(*where, "--where", "age >= 30", *SURE, "--json")
    assert found.json["mechanism"] == "count"
    assert found.json["parameters"]["by"] == ["team", "city"]
    assert sum(values(found).values()) == pytest.approx(220, abs=3)
    dropped = cli(*where, "--missing", "drop", *SURE, "--json")
    assert dropped.json["parameters"]["missing"] == "drop"
    whole = cli(*where, *SURE, "--json").json
    assert whole["mechanism"] == "contingency-table"
    assert whole["parameters"]["columns"] == ["team", "city"]
    message = refused(*where, "--where", "age >= 30", "--post", "none", "--epsilon", 1)
    assert "--where: contingency-table needs the number of records" in message
    histogram = ("histogram-noisy", *staff, *PAY, "--where", "age > 3", "--epsilon", 1)
    assert "sensiscope ask answers 'histogram of age where …'" in refused("run", *histogram)


def test_a_share_of_epsilon_buys_an_interval_for_each_group(cli, staff):
    found = cli("run", "median", *staff, *PAY, *GROUPS, "--interval", 0.5, *SURE, "--json")
    for group in found.json["value"]["groups"]:
        low, high = group["interval"]
        assert low <= group["value"] <= high


def test_releases_about_persons_say_what_they_do_not_hide(cli, csv, tmp_path):
    data = csv([f"p{row % 40},{row}" for row in range(120)], header="who,pay")
    words = ("--data", data, "--person", "who:mean", "--column", "pay", "--lower", 0, "--upper", 200)
    found = cli("run", "mean", *words, "--epsilon", 1, "--ledger", tmp_path / "ledger")
    assert "hide all rows of a person, but not who is in the data" in found.err
    assert "the budget counts epsilon = 2, for one row of the file" in found.err
    assert "between databases with one person given other rows, the set of persons public" in found.out


def test_an_audit_reads_one_row_for_each_person(cli, csv):
    data = csv([f"p{row % 40},{row}" for row in range(120)], header="who,pay")
    words = ("audit", "mean:laplace", "--data", data, "--column", "pay", "--lower", 0, "--upper", 200)
    words = (*words, "--epsilon", 1, "--runs", 1000, "--person", "who:largest")
    out = cli(*words).out
    assert "one record for each who: the largest of the rows" in out
    assert "between databases with one person given other rows, the set of persons public" in out
    content = cli(*words, "--neighbour", "record=40,value=0", "--json").json
    assert content["neighbours"] == "person"
    beyond = cli(*words, "--neighbour", "record=41,value=0")
    assert "40" in beyond.err
    assert beyond.status == 2
