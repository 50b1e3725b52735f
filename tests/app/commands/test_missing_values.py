"""Missing values on the command line: the list is stated, and NaN is missing where it may be."""

import pytest

MEDIAN = ("--lower", 0, "--upper", 10, "--beta", 1)
FILES = {
    "sentinels": "x\n1\n-999\n3\n.\n5\n",
    "question": "x\n1\n?\n3\n5\n",
    "none": "x\n1\nNone\n3\n-\n5\n",
    "dashes": "x\n1\n--\n3\n--\n5\n",
    "nan": "x\n1\nnan\n3\nNaN\n5\n",
}
NAMIBIA = "country,v\nNA,1\nDE,2\nNA,3\nFR,4\n"


@pytest.fixture
def median(cli, tmp_path):
    def call(name, *options):
        path = tmp_path / f"{name}.csv"
        path.write_text(FILES[name])
        return cli("sensitivity", "median", "--data", path, *MEDIAN, *options, "--json")

    return call


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("sentinels", ("--missing-values", "-999,.")),
        ("sentinels", ("--missing-values=-999.0, .",)),
        ("sentinels", ("--missing-values", "x=.,-999")),
        ("question", ("--missing-values", "?")),
        ("none", ("--missing-values", "-,None")),
        ("none", ("--missing-values", "None,-")),
        ("dashes", ("--missing-values", "--")),
        ("nan", ()),
        ("nan", ("--missing-values", "nan")),
    ],
)
def test_stated_values_are_left_out(median, name, stated):
    told = median(name, *stated, "--missing", "drop")
    assert told.status == 0, told.err
    assert told.json["value"] == 3


def test_the_message_names_the_options(median):
    told = median("sentinels")
    assert told.status == 2
    assert "row 5, column 'x': the value is not a number" in told.err
    assert "--missing-values" in told.err
    told = median("sentinels", "--missing-values", "-999,.")
    assert "row 3, column 'x': the value is missing" in told.err
    assert "(--missing)" in told.err
    told = median("nan")
    assert "row 3, column 'x': the value is not a finite number" in told.err
    assert "(--missing)" in told.err


@pytest.mark.parametrize("stated", ["", "country="])
def test_with_an_empty_list_na_is_a_category(cli, tmp_path, stated):
    path = tmp_path / "a.csv"
    path.write_text(NAMIBIA)
    told = cli(
        *("run", "contingency-table", "--data", path, "--column", "country", "--categories", "NA,DE,FR"),
        *("--unseen", "refuse"),
        *("--epsilon", 100, "--seed", 1, "--missing-values", stated, "--json"),
    )
    assert told.status == 0, told.err
    assert [cell["count"] for cell in told.json["value"]["cells"]] == [2, 1, 1]


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ('"', "--missing-values: a quote is not closed"),
        ("1;2", "--missing-values: there are two lists for all columns"),
        ("z=1", "there is no column 'z'; try x"),
    ],
)
def test_a_wrong_list_is_refused_in_one_line(median, stated, said):
    told = median("question", "--missing-values", stated)
    assert told.status == 2
    assert said in told.err
    assert len(told.err.splitlines()) == 1
