"""Releases from two neighbours are the same bytes, apart from the released value and what follows from it."""

import itertools

import pytest
from fixed_noise import FixedNoise
from neighbours_of_all_kinds import PAIRS, PEOPLE, RECORDS, but, mechanisms
from written_tables import written

from app.commands.main import main

ALL = list(mechanisms())
TOOLS = ("opendp", "diffprivlib", "python-dp")
"""Other libraries, which take their noise where they like."""


@pytest.fixture
def noise(monkeypatch):
    return FixedNoise(monkeypatch)


@pytest.fixture
def seen(noise, capfd, tmp_path):
    """Return all that a release from a file shows and leaves: exit status, both streams, names of files."""

    def release(data, suffix, verb, *words, write=written):
        for file in tmp_path.iterdir():
            file.unlink()
        path = write(data, tmp_path, suffix)
        noise.begin()
        capfd.readouterr()
        command = (verb, *words, "--data", path, "--ledger", tmp_path / "ledger")
        status = main([str(word) for word in command])
        return (status, *capfd.readouterr(), sorted(file.name for file in tmp_path.iterdir()))

    return release


@pytest.fixture
def alike(seen, noise):
    """Release from both of a pair; return the exit status of both."""

    def compare(pair, suffix, verb, *words, **options):
        first, second, more = pair
        noise.values.clear()
        one, other = (seen(data, suffix, verb, *words, *more, **options) for data in (first, second))
        assert one == other, (verb, *words, *more)
        assert one[0] in (0, 2), one
        return one[0]

    return compare


SUFFIXES = (".csv", ".parquet", ".jsonl", ".sqlite", ".xlsx")
FORMS = ((), ("--json",))


def test_mechanisms_say_the_same_of_both(alike):
    """Every second one with one pair, one format of file and one form of output."""
    able = set()
    for turn, (name, kind, words) in enumerate(ALL[::2]):
        pairs = list(PAIRS[kind].values())
        pair, suffix = pairs[turn % len(pairs)], SUFFIXES[turn % 3]
        if name.endswith(TOOLS):
            continue
        if alike(pair, suffix, "run", *words, *FORMS[turn % 2]) == 0:
            able.add(name)
    assert len(able) >= 35


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind", "words"), ALL, ids=[name for name, _, _ in ALL])
def test_every_mechanism_says_the_same_of_all_pairs(name, kind, words, alike):
    suffixes = itertools.cycle(SUFFIXES)
    for pair, form in itertools.product(PAIRS[kind].values(), FORMS):
        if alike(pair, next(suffixes), "run", *words, *form):
            break  # it does not answer this question, whatever the data


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", RECORDS)
def test_suggested_bounds_say_the_same_of_both(name, form, alike):
    words = ("--column", "x", "--lower", -1000, "--upper", 1000, "--epsilon", 1)
    assert alike(RECORDS[name], ".csv", "bounds", *words, *form) == 0


def test_estimates_and_synthetic_points_say_the_same_of_both(alike, tmp_path):
    words = ("histogram-tree", "--column", "x", "--column", "y", "--lower", 0, "--upper", 100)
    more = ("--estimates", "--price", 2, "--synthetic", tmp_path / "points.csv", "--points", 50)
    assert alike(RECORDS["another person"], ".csv", "run", *words, "--epsilon", 1, *more) == 0


FUNCTION = """
def easily_upset(block):
    if block.max() > 95:
        raise ValueError(block.max())
    return block.mean(axis=0)
"""


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_function_that_fails_on_one_record_says_nothing(form, alike, tmp_path_factory):
    file = tmp_path_factory.mktemp("own") / "own.py"
    file.write_text(FUNCTION)
    bounds = ("--lower", 0, "--upper", 100, "--output-lower", 0, "--output-upper", 100)
    words = ("sample-aggregate", "--function", f"{file}:easily_upset", "--column", "x", "--blocks", 5)
    pair = RECORDS["another person"][0], but(PEOPLE, x=99.5), ()
    assert alike(pair, ".csv", "run", *words, *bounds, "--epsilon", 1, *form) == 0


def as_bytes(content, folder, suffix):
    path = folder / f"data{suffix}"
    path.write_bytes(content)
    return path


DETECTED = {
    "an encoding": [f"name,x\n{name},1\nBo,2\n".encode("latin-1") for name in ("Zoë", "Zoe")],
    "digits in threes": [f"name;x\nBo;1.234\nCy;{cell}\n".encode() for cell in ("5.678", "5.67")],
    "quotes": [f"name,x\n{name},1\nCy,2\n".encode() for name in ('"Bo"', "Bo")],
    "an empty line at the end": [b"name,x\nBo,1\nCy,2\n" + end for end in (b"\n", b"")],
}
"""What a record tells of how its file is written, by its name: two texts."""


@pytest.mark.parametrize("name", DETECTED)
def test_how_a_file_is_written_is_no_part_of_a_release(name, alike):
    words = ("median", "--column", "x", "--lower", 0, "--upper", 9, "--epsilon", 1)
    assert alike((*DETECTED[name], ()), ".csv", "run", *words, write=as_bytes) == 0


def test_no_record_decides_how_the_numbers_of_others_are_read(run_on_decimals):
    """With a point 1.234 is one and a fraction, with a comma it is a thousand."""
    point, comma = (f"x;y\n1.234;{cell}\n1.235;3\n1.236;4\n" for cell in ("2.5", "2,5"))
    assert run_on_decimals(point).status == 0
    refused = run_on_decimals(comma)
    assert (refused.status, refused.out) == (2, "")
    assert "the decimal comma was detected" in refused.err
    assert run_on_decimals(comma, "--decimal", ",").status == 0


@pytest.fixture
def run_on_decimals(cli, tmp_path):
    """Release the median of a column of a text that is written to a file."""
    bounds = ("--column", "x", "--lower", 0, "--upper", 5000, "--epsilon", 1)

    def run(text, *way):
        (tmp_path / "decimals.csv").write_text(text)
        ledger = ("--ledger", tmp_path / "l.sqlite", "--other-data")
        return cli("run", "median", "--data", tmp_path / "decimals.csv", *bounds, *ledger, *way)

    return run


@pytest.mark.parametrize("names", ["x", "xy"])
def test_no_record_decides_which_column_is_released(names, alike):
    """One record can make a text of one column and numbers of another."""
    first = {"x": [1.0, 2.0, 3.0], "y": ["a", 5.0, 6.0], "z": ["b", 8.0, 9.0]}
    first = {name: first[name] for name in (*names, "z")}
    second = but(first, 0, **dict.fromkeys(names, "c"), z=7.0)
    query = ("median",) if names == "x" else ("histogram-tree",)
    bounds = ("--lower", "0" if names == "x" else "0,0", "--upper", 9)
    assert alike((first, second, ()), ".csv", "run", *query, *bounds, "--epsilon", 1) == 2


def test_a_refusal_is_the_same_whatever_the_cell(alike):
    first, second = (but(PEOPLE, x=cell) for cell in ("seven", "77,31.44,09 and much more"))
    words = ("median", "--column", "x", "--lower", 0, "--upper", 100, "--epsilon", 1)
    assert alike((first, second, ()), ".tsv", "run", *words) == 2


def test_a_pair_that_differs_is_noticed(alike):
    """The test sees it where the number of rows differs."""
    words = ("median", "--column", "x", "--lower", 0, "--upper", 100, "--epsilon", 1)
    fewer = {name: cells[:-1] for name, cells in PEOPLE.items()}
    with pytest.raises(AssertionError):
        alike((PEOPLE, fewer, ()), ".csv", "run", *words)


def without_names(columns, folder, suffix):
    """Write columns without a row of names."""
    path = folder / f"data{suffix}"
    path.write_text("".join(f"{x},{c}\n" for x, c in zip(columns["x"], columns["c"], strict=True)))
    return path


EMPTY = (PEOPLE, but(PEOPLE, name=None, c=None, x=None, y=None))
EDGE = PAIRS["simple-graph"]["the last edge of a vertex"][:2]
ZERO_OUT = ("mode", "--column", "c", "--categories", "red,blue", "--epsilon", 1, "--relation", "zero-out")
MEAN = ("mean", "--method", "laplace", "--column", "x", "--lower", 0, "--upper", 100, "--epsilon", 1)
BECOMES = {
    "a row left empty and dropped": (EMPTY, (*ZERO_OUT, "--missing", "drop"), {}),
    "a row left empty and filled": (EMPTY, (*ZERO_OUT, "--missing", "fill", "--fill", "red"), {}),
    "vertices that are not stated": (EDGE, ("triangles", "--epsilon", 1), {}),
    "rows that satisfy a condition": (
        (PEOPLE, but(PEOPLE, c="blue" if PEOPLE["c"][17] == "red" else "red")),
        (*MEAN, "--sql", "select x from data where c = 'red'"),
        {"suffix": ".sqlite"},
    ),
    "no names in the first row": (
        (PEOPLE, but(PEOPLE, 0, x=7731.25)),
        ("mean", "--method", "laplace", "--lower", 0, "--upper", 100, "--epsilon", 1),
        {"write": without_names},
    ),
}
"""What a release must say nothing of, by its name: two databases, a release, how they are written."""


@pytest.mark.parametrize("name", BECOMES)
def test_how_rows_become_a_database_says_the_same_of_both(name, alike):
    pair, words, options = BECOMES[name]
    alike((*pair, ()), options.pop("suffix", ".csv"), "run", *words, **options)
