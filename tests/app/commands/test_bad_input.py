"""Whatever is wrong with the input: one line that says what, where and what would be right."""

import pytest

from app.commands.main import _fault

BOUNDS = ("--lower", 0, "--upper", 10)
EXAMPLE = ("--example", "salaries")


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (5, 5, "lower"),
        (6, 5, "lower"),
        ("nan", 5, "lower"),
        (0, "inf", "upper"),
        (0, "abc", "'abc' is not a number"),
    ],
)
def test_impossible_bounds(refused, ten, lower, upper, words):
    message = refused("run", "median", "--data", ten, "--lower", lower, "--upper", upper, "--epsilon", 1)
    assert words in message


def test_bounds_never_come_from_the_data(refused, ten):
    message = refused("run", "median", "--data", ten, "--epsilon", 1, "--upper", 5)
    assert "--lower" in message
    assert "without looking" in message


def test_two_bounds_for_one_column(refused, ten):
    message = refused("run", "median", "--data", ten, "--lower", 0, "--upper", "1,000", "--epsilon", 1)
    assert "2 bounds for 1 column" in message


@pytest.mark.parametrize("epsilon", ["0", "-1", "nan", "inf", "abc", "1e-400"])
@pytest.mark.parametrize("verb", [("run", "median"), ("noise", "lcp")])
def test_impossible_epsilon(refused, verb, epsilon):
    data = EXAMPLE if verb[0] == "run" else ()
    assert "epsilon" in refused(*verb, *data, "--epsilon", epsilon)


@pytest.mark.parametrize("delta", ["1", "1.5", "-1e-6", "nan"])
def test_impossible_delta(refused, delta):
    assert "delta" in refused("run", "median", *EXAMPLE, "--epsilon", 1, "--delta", delta)
    assert "delta" in refused("noise", "laplace", "--epsilon", 1, "--delta", delta)


def test_gaussian_noise_without_delta(refused):
    for words in (
        ("run", "mean", *EXAMPLE, "--method", "gaussian"),
        ("run", "median", *EXAMPLE, "--noise", "gaussian"),
        ("noise", "gaussian"),
        ("sensitivity", "median", *EXAMPLE, "--noise", "gaussian"),
    ):
        message = refused(*words, "--epsilon", 1)
        assert "delta above 0" in message


@pytest.mark.parametrize("beta", ["0", "-1", "nan", "inf"])
def test_impossible_beta(refused, beta):
    assert "beta" in refused("sensitivity", "median", *EXAMPLE, "--beta", beta)


def test_beta_or_epsilon_but_not_both(refused):
    assert "--beta B or --epsilon E" in refused("sensitivity", "median", *EXAMPLE)
    assert "not both" in refused("sensitivity", "median", *EXAMPLE, "--beta", 1, "--epsilon", 1)
    assert "--beta" in refused("sensitivity", "median", *EXAMPLE, "--beta", 1, "--g", 4)


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (("sensitivity", "medain", *EXAMPLE, "--beta", 1), "median"),
        (("run", "meen", *EXAMPLE, "--epsilon", 1), "mean"),
        (("run", "median", *EXAMPLE, "--epsilon", 1, "--method", "smoth"), "smooth"),
        (("run", "median", *EXAMPLE, "--epsilon", 1, "--noise", "lpc"), "lcp"),
        (("noise", "gausian", "--epsilon", 1), "gaussian"),
        (("run", "median", "--example", "salary", "--epsilon", 1), "salaries"),
        (("run", "median", *EXAMPLE, "--epsilom", 1), "--epsilon"),
        (("senstivity", "median"), "sensitivity"),
        (("compair", "median"), "compare"),
        (("screenshot", "medain", "--out", "x.png"), "median"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(refused, words, nearest):
    assert nearest in refused(*words).partition("try ")[2]


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("quantile", "--q", 2), "q"),
        (("trimmed-mean", "--trim", 0.7), "trim"),
        (("median", "--even", "upper"), "even"),
        (("median", "--g", 0), "g:"),
        (("median", "--split", 0), "split"),
        (("median", "--constants", "magic"), "constants"),
        (("median", "--resolution", 0), "resolution"),
        (("median", "--noise", "student-t", "--nu", -1), "nu"),
        (("median", "--noise", "generalized-cauchy", "--gamma", "nan"), "gamma"),
        (("median", "--method", "propose-test-release", "--delta", 1e-6, "--bound", 0), "bound"),
        (("median", "--seed", -1), "seed"),
        (("median", "--seed", 1.5), "seed"),
    ],
)
def test_impossible_parameters_name_the_field(refused, words, field):
    assert field in refused("run", *words, *EXAMPLE, "--epsilon", 1)


@pytest.mark.parametrize(
    ("words", "belongs"),
    [
        (("median", "--trim", 0.1), "trimmed-mean"),
        (("median", "--gamma", 4), "generalized-cauchy"),
        (("median", "--bound", 4), "propose-test-release"),
        (("median", "--method", "laplace", "--g", 4), "lcp"),
        (("median", "--method", "laplace", "--noise", "lcp"), "smooth"),
    ],
)
def test_a_parameter_of_something_else_is_not_ignored(refused, words, belongs):
    assert belongs in refused("run", *words, *EXAMPLE, "--epsilon", 1)


def test_exponential_mechanism_for_a_mean(refused):
    assert "rank" in refused("run", "mean", *EXAMPLE, "--epsilon", 1, "--method", "exponential")


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "median"),
        ("run", "median", *EXAMPLE),
        ("run", "median", *EXAMPLE, "--data", "x.csv", "--epsilon", 1),
        ("run", "median", *EXAMPLE, "--epsilon"),
        ("run", "median", "mean", *EXAMPLE, "--epsilon", 1),
        ("noise", "lcp"),
        ("noise", "lcp", "--epsilon", 1, "--dimension", 0),
        ("noise", "lcp", "--epsilon", 1, "--dimension", "9" * 400),
        ("sensitivity", "median", *EXAMPLE, "--beta", 1, "--k-max", -1),
        ("sensitivity", "median", *EXAMPLE, "--beta", 1, "--k-max", "1e300"),
        ("demo", "--out", "folder"),
        ("screenshot", "median"),
        ("--nonsense",),
    ],
)
def test_incomplete_commands_point_to_the_help(refused, words):
    message = refused(*words)
    assert "usage:" not in message
    assert "--help" in message or "dimension" in message


def test_names_from_outside_cannot_break_the_line(refused, tmp_path):
    path = tmp_path / "two\nlines\x1b[31m.csv"
    message = refused("run", "median", "--data", path, *BOUNDS, "--epsilon", 1)
    assert "\x1b" not in message


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_released(
    refused, tmp_path, suffix, monkeypatch
):
    from engine.mechanisms import SmoothRelease

    monkeypatch.setattr(SmoothRelease, "release", lambda *_: pytest.fail("the budget was spent"))
    (tmp_path / f"folder.{suffix}").mkdir()
    run = ("run", "median", *EXAMPLE, "--epsilon", 1, "--plot")
    assert "folder" in refused(*run, tmp_path / "missing" / f"x.{suffix}")
    assert "folder" in refused(*run, tmp_path / f"folder.{suffix}")
    assert "must end in" in refused(*run, tmp_path / f"x.{suffix}.docx")
    assert "too long" in refused(*run, tmp_path / f"{'x' * 300}.{suffix}")


def test_a_folder_that_takes_no_files_is_refused_before_anything_is_released(refused, tmp_path, monkeypatch):
    from pathlib import Path

    from engine.mechanisms import SmoothRelease

    def read_only(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(SmoothRelease, "release", lambda *_: pytest.fail("the budget was spent"))
    monkeypatch.setattr(Path, "write_bytes", read_only)
    message = refused("run", "median", *EXAMPLE, "--epsilon", 1, "--plot", tmp_path / "x.png")
    assert "cannot be written: Read-only file system" in message
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_the_program_is_one_line_and_status_1(cli, monkeypatch):
    from engine.queries import Median

    def broken(*_):
        raise ZeroDivisionError("inside\nout")

    monkeypatch.setattr(Median, "smooth_sensitivity", broken)
    outcome = cli("run", "median", *EXAMPLE, "--epsilon", 1)
    assert outcome.status == 1
    assert outcome.err.count("\n") == 1
    assert "ZeroDivisionError" in outcome.err
    assert "inside" not in outcome.err
    assert "SENSISCOPE_DEBUG=1" in outcome.err
    assert "inside out" in cli("sensitivity", "median", *EXAMPLE, "--beta", 1).err


def test_the_traceback_is_there_for_whoever_asks(capsys, monkeypatch):
    from app.commands.main import main
    from engine.queries import Median

    monkeypatch.setenv("SENSISCOPE_DEBUG", "1")
    monkeypatch.setattr(Median, "smooth_sensitivity", lambda *_: 1 / 0)
    assert main(["run", "median", "--example", "salaries", "--epsilon", "1"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_too_little_memory_is_said_in_one_line_and_is_no_fault(capsys):
    assert _fault(MemoryError(), False) == 1
    said = capsys.readouterr().err
    assert said == "sensiscope: error: there is not enough memory; try fewer records or runs\n"


def test_a_verb_after_an_option_is_told_to_come_first(refused):
    error = refused("--theme", "dark", "catalog")
    assert "the verb comes first: sensiscope catalog" in error


def test_a_threshold_out_of_the_bounds_is_told_what_would_be_right(refused):
    command = ["run", "distance", "--example", "salaries", "--epsilon", "1", "--seed", "1", "--threshold"]
    assert "it must be above 0 and at most 500000" in refused(*command, "500001")
    assert "it must be at least 0 and below 500000" in refused(*command, "500000", "--side", "at most")
