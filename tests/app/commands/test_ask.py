"""`ask`: a sheet of questions from a file, within one budget."""

import numpy as np
import pytest

SHEET = """\
epsilon = 1.0
data = "employees.csv"
[columns.salary]
lower = 0
upper = 200000
[columns.department]
categories = ["Sales", "IT", "other"]
[[questions]]
ask = "median of salary by department where age >= 30"
weight = 2
[[questions]]
ask = "mean of salary"
"""

MEDIAN, MEAN = "median of salary by department where age >= 30", "mean of salary"


@pytest.fixture
def sheet(tmp_path):
    rng = np.random.default_rng(1)
    salary = [str(one) if rng.random() > 0.05 else "" for one in rng.integers(30_000, 120_000, 2345)]
    department = rng.choice(["Sales", "IT", "Legal"], 2345)
    rows = [f"{rng.integers(18, 66)},{pay},{team}" for pay, team in zip(salary, department, strict=True)]
    (tmp_path / "employees.csv").write_text("\n".join(["age,salary,department", *rows]) + "\n")
    path = tmp_path / "pay.toml"
    path.write_text(SHEET)
    return path


@pytest.fixture
def ledger(tmp_path):
    return ("--ledger", tmp_path / "ledger.sqlite")


def test_a_file_of_twelve_lines(cli, sheet, ledger):
    assert len(SHEET.splitlines()) == 12
    found = cli("ask", sheet, *ledger, "--json")
    assert found.status == 0, found.err
    median, mean = found.json["questions"]
    assert [median["question"], mean["question"]] == [MEDIAN, MEAN]
    assert [one["group"] for one in median["groups"]] == ["Sales", "IT", "other"]
    assert mean["interval"][0] < mean["value"] < mean["interval"][1]
    assert median["epsilon"] == pytest.approx(2 / 3)
    assert median["rows"] == (
        "only where age >= 30; rows without a value of salary or department are left out"
    )
    assert found.json["privacy"] == {"epsilon": 1.0, "delta": 0.0, "neighbours": "replace-one"}
    assert found.json["n"] == 2345
    assert not found.json["simulated"]
    spent = cli("budget", "--data", sheet.parent / "employees.csv", *ledger, "--json").json
    assert [one["about"]["release"] for one in spent["entries"]] == [MEDIAN, MEAN]
    assert {one["about"]["sheet"] for one in spent["entries"]} == {"pay"}
    assert spent["spent"]["basic"]["epsilon"] == pytest.approx(1.0)


def test_a_table_of_answers(cli, sheet):
    found = cli("ask", sheet, "--seed", 1)
    lines = found.out.splitlines()
    assert lines[0] == "SIMULATION with seed 1, not a release"
    rows = [line.split() for line in lines if line.startswith("    ")]
    assert [row[0] for row in rows] == ["Sales", "IT", "other"]
    assert any(line.strip().startswith(MEAN) and " to " in line for line in lines)
    assert "are left out" in found.err
    assert cli("ask", sheet, "--seed", 1).out == found.out


def test_an_interval_for_the_population_is_marked(cli, sheet):
    sheet.write_text(SHEET.replace("weight = 2", "interval = 0.5\npopulation = true"))
    found = cli("ask", sheet, "--seed", 1)
    rows = [line for line in found.out.splitlines() if line.startswith("    ")]
    assert all(" to " in row and row.rstrip().endswith("for the population") for row in rows)
    assert "population" not in next(line for line in found.out.splitlines() if line.strip().startswith(MEAN))
    median, mean = cli("ask", sheet, "--seed", 1, "--json").json["questions"]
    assert median["covers"] == "population"
    assert "covers" not in mean


def test_a_dry_run_spends_nothing_and_depends_on_n_alone(cli, sheet, tmp_path):
    first = cli("ask", sheet, "--dry-run", "--json")
    data = sheet.parent / "employees.csv"
    data.write_text("age,salary,department\n" + "40,1,IT\n" * 2345)
    assert cli("ask", sheet, "--dry-run", "--json").out == first.out
    mean = first.json["questions"][1]
    assert mean["expected_error"] > 0
    assert "value" not in mean
    text = cli("ask", sheet, "--dry-run")
    assert "± " in text.out
    assert "spread evenly" in text.err
    refused = cli("ask", sheet, "--dry-run", "--ledger", tmp_path / "other.sqlite")
    assert refused.status == 2
    assert "a plan spends nothing" in refused.err
    assert not (tmp_path / "other.sqlite").exists()


def test_other_data(cli, sheet, tmp_path):
    moved = tmp_path / "sheets"
    moved.mkdir()
    (moved / "pay.toml").write_text(SHEET)
    assert cli("ask", moved / "pay.toml", "--dry-run").status == 2
    found = cli("ask", moved / "pay.toml", "--data", sheet.parent / "employees.csv", "--dry-run")
    assert found.status == 0
    (moved / "pay.toml").write_text(SHEET.replace('data = "employees.csv"\n', ""))
    assert "names no data; name a file" in cli("ask", moved / "pay.toml").err


def test_the_limit_refuses_the_whole_sheet(cli, sheet, ledger):
    data = ("--data", sheet.parent / "employees.csv")
    assert cli("budget", *data, *ledger, "--limit-epsilon", 0.9).status == 0
    refused = cli("ask", sheet, *ledger)
    assert refused.status == 2
    assert not refused.out
    assert "nothing was released" in refused.err
    assert not cli("budget", *data, *ledger, "--json").json["entries"]
    assert cli("ask", sheet, *ledger, "--overspend").status == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mean of salary", "meen of salary", "pay.toml, line 11: question 2: 'meen' is no statistic"),
        ("mean of salary", "mean of age", "column 'age' has no bounds; declare lower and upper"),
        ("age >= 30", "agee >= 30", "agee"),
        ("weight = 2", "weight = -2", "it must be above 0"),
        ("upper = 200000", "upper = ", "pay.toml, line 5"),
        ("epsilon = 1.0", "epsilon = 1.0\ndelta = 2", "delta"),
    ],
)
def test_mistakes_are_one_line_and_spend_nothing(cli, sheet, ledger, old, new, message):
    sheet.write_text(SHEET.replace(old, new))
    refused = cli("ask", sheet, *ledger)
    assert refused.status == 2
    assert message in refused.err
    assert len(refused.err.splitlines()) == 1
    assert not refused.out


def test_public_groups_state_their_neighbours(cli, sheet):
    text = SHEET.replace("[columns.salary]", 'public_groups = ["department"]\n[columns.salary]', 1)
    sheet.write_text(
        text.replace("upper = 200000", "upper = 200000\nfill = 0").replace(" where age >= 30", "")
    )
    found = cli("ask", sheet, "--seed", 1, "--json")
    assert [one["neighbours"] for one in found.json["questions"]] == ["same-group", "replace-one"]
    assert found.json["privacy"]["neighbours"] == "same-group"
    assert found.json["questions"][1]["rows"] == "a missing salary counts as 0"


def test_answers_that_are_paid_for_are_printed(cli, sheet, ledger, monkeypatch):
    from engine.mechanisms.parts import SumsInParts

    def fails(*_):
        raise MemoryError

    monkeypatch.setattr(SumsInParts, "prepare", fails)
    stopped = cli("ask", sheet, *ledger)
    assert stopped.status == 1
    assert MEDIAN in stopped.out
    assert MEAN not in stopped.out
    assert "stopped after 1 of 2 questions" in stopped.err


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_large_files_stay_where_they_are(cli, sheet, tmp_path, monkeypatch, suffix):
    import pyarrow.csv
    import pyarrow.parquet

    from engine.data import large_files

    path = sheet.parent / f"employees.{suffix}"
    if suffix == "parquet":
        pyarrow.parquet.write_table(pyarrow.csv.read_csv(sheet.parent / "employees.csv"), path)
    text = SHEET.replace("employees.csv", path.name)
    sheet.write_text(text if suffix == "parquet" else text.replace(" by department", ""))
    held = cli("ask", sheet, "--seed", 1, "--json")
    assert held.status == 0, held.err
    monkeypatch.setattr(large_files, "LARGE", 1000)
    with monkeypatch.context() as patch:
        patch.setattr("engine.data.reading.read_file", None)  # nothing is read as a whole
        assert cli("ask", sheet, "--seed", 1, "--json").json == held.json
    ledger = ("--ledger", tmp_path / "ledger.sqlite")
    assert cli("ask", sheet, *ledger).status == 0
    monkeypatch.undo()
    spent = cli("budget", "--data", path, *ledger, "--json").json
    assert len(spent["entries"]) == 2
