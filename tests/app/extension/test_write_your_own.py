"""The guide "Write your own …": its code goes through every door, and its checks find planted bugs."""

import dataclasses
import importlib
import math
import re
import sys
import types
from pathlib import Path

import doors
import numpy as np
import pyarrow as pa
import pytest
import sensiscope
from matplotlib.figure import Figure
from outside_cases import Case, file_in
from seen import choose

from app.commands.main import main
from app.model.dataset import Dataset
from app.model.kinds.registry import KINDS
from app.model.pages.registry import PAGE_KINDS, PAGES
from engine import (
    Box,
    DataError,
    Interval,
    Median,
    Pair,
    Points,
    Privacy,
    Query,
    Sample,
    Table,
    audit_run,
    low_bits_run,
    register,
    worst_case_pairs,
)
from engine.catalog import FAMILIES, entries
from engine.data.formats.registry import FORMATS
from engine.progress import silent

GUIDE = Path(__file__).resolve().parents[3] / "resources" / "guides" / "write-your-own.md"
TEXT = GUIDE.read_text("utf-8")
FILES = dict(re.findall(r"`([\w/]+\.py)`:\n\n```python\n(.*?)```", TEXT, re.DOTALL))
"""Every file of the guide."""
EXAMPLES = [Path(name).stem for name in FILES if name.startswith("workshop/") and "__init__" not in name]
BUGS = re.findall(r"Plant a bug: write `(.*?)` in place of `(.*?)`", TEXT)
REGISTRIES = (*FAMILIES.values(), KINDS, PAGES, PAGE_KINDS, FORMATS)
MOST_LINES = 40


def forget_modules():
    """Let the package be imported anew."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "workshop"]:
        del sys.modules[name]


def restore(before):
    """Put registries back."""
    for registry, known in zip(REGISTRIES, before, strict=True):
        registry.clear()
        registry.update(known)


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    """Write the package of the guide, and register it; forget all of it afterwards."""
    folder = tmp_path_factory.mktemp("guide")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    before = [dict(registry) for registry in REGISTRIES]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        importlib.import_module("workshop").register()
        yield sys.modules["workshop"]
        restore(before)
        forget_modules()


def check(name):
    """Run the check of an example."""
    exec(compile(FILES[f"check_{name}.py"], f"check_{name}.py", "exec"), {})


def test_the_guide_has_eight_examples_that_are_short_with_a_check_and_a_bug_each():
    assert len(EXAMPLES) == len(BUGS) == 8
    assert {f"check_{name}.py" for name in EXAMPLES} <= set(FILES)
    assert [name for name, text in FILES.items() if text.count("\n") > MOST_LINES] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_check_passes(outside, name):
    check(name)


@pytest.mark.parametrize(("name", "bug"), list(zip(EXAMPLES, BUGS, strict=True)), ids=EXAMPLES)
def test_its_check_finds_the_planted_bug(outside, name, bug):
    wrong, right = bug
    text = FILES[f"workshop/{name}.py"]
    assert text.count(right) == 1
    module, before = f"workshop.{name}", [dict(registry) for registry in REGISTRIES]
    kept = sys.modules[module]
    for registry in REGISTRIES:
        for known in [key for key, one in registry.items() if owner(one) == module]:
            del registry[known]
    for page in {"page": ("auction", "spots"), "stays": ("stays",)}.get(name, ()):
        del PAGES[page], PAGE_KINDS[page]
    FORMATS.pop(name.partition("_")[0], None)
    others = tuple(one for one in PAGES["median"].pictures if one.name != name)
    PAGES["median"] = dataclasses.replace(PAGES["median"], pictures=others)
    planted = types.ModuleType(module)
    sys.modules[module] = planted
    outside_name, outside.__dict__[name] = outside.__dict__[name], planted
    try:
        exec(compile(text.replace(right, wrong), f"{name}.py", "exec"), planted.__dict__)
        with pytest.raises((AssertionError, AttributeError)):
            check(name)
    finally:
        sys.modules[module], outside.__dict__[name] = kept, outside_name
        restore(before)


def owner(thing):
    """Return the module of a component, or of a kind of data."""
    return getattr(thing, "__module__", "")


@pytest.mark.parametrize(
    ("words", "exact"),
    [
        (("second-price", "--example", "one-to-ten"), True),
        (("median", "--noise", "lomax", "--g", "4", "--example", "one-to-ten"), True),
        (("median", "--method", "menu", "--items", "11", "--example", "one-to-ten"), True),
        (("busiest", "--side", "5", "--example", "four-heaps"), True),
    ],
    ids=["query", "noise", "number", "points"],
)
def test_the_command_line_runs_audits_and_lists_it(outside, words, exact):
    found = doors.drive_command("run", *words, *doors.ASKED, "--json")
    assert (found["exact"], found["simulated"]) == (exact, False)
    assert doors.drive_command("audit", *words, *doors.ASKED, "--runs", "1000", "--json")["public"]
    own = next(word for word in words if word in ("second-price", "lomax", "menu", "busiest"))
    assert doors.drive_command("catalog", own).startswith(listed(own))


def test_the_smooth_sensitivity_that_a_query_has_without_writing_it_is_that_of_the_definition(outside):
    query, data = outside.second_price.SecondPrice(), Sample([1, 2, 5, 9, 30], Interval(0, 100))
    at_distance = query.sensitivity_at_distance(data, 5)
    found = query.smooth_sensitivity(data, 0.3)
    assert found.value == pytest.approx(max(math.exp(-0.3 * k) * at_distance[k] for k in range(6)))
    median = Median()
    assert Query.smooth_sensitivity(median, data, 0.3) == median.smooth_sensitivity(data, 0.3)


def test_the_faster_smooth_sensitivity_is_the_same(outside):
    [code] = re.findall(r"```python\n(import math\n.*?)```", TEXT, re.DOTALL)
    names = {"np": np}
    exec(code, names)
    query, domain = outside.second_price.SecondPrice(), Interval(0, 100)
    for values in ([1, 2, 5, 9, 30], [7] * 6, [0, 0, 100, 100]):
        data = Sample(values, domain)
        for beta in (0.01, 0.3, 5.0):
            assert names["smooth_sensitivity"](query, data, beta) == query.smooth_sensitivity(data, beta)


def test_the_guide_imports_from_sensiscope_and_not_from_the_engine():
    assert "engine" not in re.findall(r"\w+", " ".join(re.findall(r"```\w*\n(.*?)```", TEXT, re.DOTALL)))


def test_only_the_pair_in_which_scores_cross_finds_the_bug_of_the_points(outside):
    wrong, right = BUGS[EXAMPLES.index("busiest")]
    names = {"__name__": "planted"}
    text = FILES["workshop/busiest.py"].replace(right, wrong).replace("@register", "")
    exec(compile(text, "busiest.py", "exec"), names)
    mechanism, box = names["Busiest"](side=3), Box.of([0, 0], [1, 1])
    for pair in worst_case_pairs(mechanism, box, 40, 1.0):
        assert not audit_run(mechanism, pair, 1.0, runs=20_000, seed=1).audit.violated


def test_what_the_guide_says_of_pictures_holds(outside):
    picture = outside.gaps.GapPicture(Figure().subplots())
    [code] = re.findall(r"`(sensiscope\.app\.plots\.base\.set_y_label\(.*?\))`", TEXT)
    eval(code, {"sensiscope": sensiscope, "self": picture})
    assert (picture.axes.get_title(loc="left"), picture.axes.get_ylabel()) == ("gap", "")
    [roles] = re.findall(r"Roles are (.*?) which are thin", TEXT, re.DOTALL)
    for role in re.findall(r'"(\w+)"', roles):
        assert picture.line(role).get_color() == getattr(picture.palette, role)


def test_settings_of_the_points_are_judged_by_one_truth(outside):
    data = Points([[0.1, 0.1]] * 3 + [[0.8, 0.9]], Box.of([0, 0], [1, 1]))
    few, many = (outside.busiest.Busiest(side=side) for side in (2, 9))
    truths = [one.prepare(data, Privacy(1.0)).true_value().tolist() for one in (few, many)]
    assert truths == [[0.1, 0.1]] * 2
    assert (few.question, few.estimand) == (many.question, many.estimand)
    assert few.question != outside.busiest.Busiest(reach=0.2).question


def test_a_method_that_refuses_always_has_no_quantiles(outside):
    data = Sample([1, 2, 5], Interval(0, 10))
    ready = outside.menu.MenuRelease().prepare(data, Privacy(1.0))
    mute = dataclasses.replace(ready, function=lambda rng, size: np.full(size, np.nan))
    assert np.isnan(mute.quantile([0.1, 0.5])).all()
    assert mute.density([1.0, 2.0]).tolist() == [0.0, 0.0]


def listed(name):
    """Return the label of a component."""
    return next(entry.label for entry in entries() if entry.name == name)


def test_low_bits_of_the_number_tell_nothing(outside):
    data = Sample([0] * 50 + [35] * 2 + [100] * 49, Interval(0, 100))
    mechanism = outside.menu.MenuRelease(query=Median(), items=11)
    pair = Pair("two-groups", "Two groups", "scores of one group rise", data, data.replaced(0, 100))
    assert not low_bits_run(mechanism, pair, 1.0, runs=1000).result.violated


def test_the_command_line_reads_the_kind_and_the_format(outside, tmp_path):
    words = ("--begin", "start", "--finish", "end", "--lower", "0", "--upper", "10", *doors.ASKED, "--json")
    found = doors.drive_command("run", "median-stay", "--data", str(file_in(tmp_path)), *words)
    assert found["exact"]
    bids = tmp_path / "auction.bids"
    bids.write_text("bids\n" + "10\n20\n35\n" * 5)
    asked = ("--data", str(bids), "--lower", "0", "--upper", "100", *doors.ASKED)
    assert doors.drive_command("run", "second-price", *asked, "--json")["parameters"]["upper"] == 100


def test_a_kind_says_which_column_is_missing(outside, tmp_path, capsys):
    words = [
        "--data",
        str(file_in(tmp_path)),
        "--begin",
        "start",
        "--lower",
        "0",
        "--upper",
        "10",
        *doors.ASKED,
    ]
    assert main(["run", "median-stay", *words]) == 2
    assert "--finish: name a column of the file" in capsys.readouterr().err


CASES = {
    "page": Case(
        {}, "auction", {"query": "second-price", "method": "smooth", "noise": "lomax"}, "", "one-to-ten"
    ),
    "picture": Case({}, "median", {"query": "median", "method": "menu"}, "", "one-to-ten", tab="gaps"),
    "points": Case({}, "clustering", {"query": "busiest"}, "", "four-heaps", tab="release"),
    "spots": Case({}, "spots", {"query": "busiest"}, "", "planted-disc", tab="release"),
    "kind": Case({}, "stays", {"query": "median-stay"}, ""),
}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_window_makes_a_release_shows_its_pictures_audits_and_writes_a_script(stage, case, tmp_path):
    doors.drive_form(stage, case, tmp_path)
    record, _ = doors.drive_run(stage)
    assert (record.release.exact, record.release.simulated) == (True, False)
    assert stage.page.canvas.has_result
    assert doors.drive_audit(stage).public
    mechanism = stage.session.state.mechanism.build()
    doors.drive_file(stage, tmp_path)
    assert stage.session.state.mechanism.build() == mechanism
    assert doors.drive_script(stage, tmp_path)["releases"][-1]["value"] == record.release.value


@pytest.mark.usefixtures("undrawn")
def test_every_tab_of_the_new_page_is_drawn(stage, tmp_path):
    doors.drive_form(stage, CASES["page"], tmp_path)
    assert doors.drive_tabs(stage) == {"k": True, "distribution": True}


@pytest.mark.usefixtures("undrawn")
def test_a_method_that_only_draws_has_a_distribution_and_an_expected_error(stage, tmp_path):
    doors.drive_form(stage, CASES["picture"], tmp_path)
    choose(stage.body.column.release.form.chooser("method").box, "menu")
    shown = doors.drive_tabs(stage, ("distribution", "gaps"))
    assert shown == {"distribution": True, "gaps": True}


def test_a_mechanism_that_draws_in_doubles_ends_in_one_line(outside, capsys, monkeypatch):
    def in_doubles(scores, epsilon, rng):
        return int(np.argmax(scores + rng.gumbel(size=scores.size)))

    monkeypatch.setattr(outside.menu, "exponential_mechanism", in_doubles)
    assert main(["run", "median", "--method", "menu", "--example", "one-to-ten", *doors.ASKED]) == 2
    message = capsys.readouterr().err
    assert "a release must not draw by `gumbel` in double precision; use add_noise" in message
    assert "internal error" not in message


def test_a_noise_without_an_enclosure_is_simulated_and_not_released(outside, capsys, monkeypatch):
    monkeypatch.delattr(outside.lomax.Lomax, "_enclosed_quantile")
    words = ("median", "--noise", "lomax", "--example", "one-to-ten", *doors.ASKED)
    assert doors.drive_command("run", *words, "--seed", "1", "--json")["simulated"]
    assert main(["run", *words]) == 2
    assert "Lomax has no `_enclosed_quantile`" in capsys.readouterr().err


def test_a_part_that_is_not_finished_is_refused_by_what_it_lacks():
    class Half(Query):
        name = "half"

    with pytest.raises(
        TypeError, match="Half cannot be registered; it still needs exact_global_sensitivity, "
    ):
        register(Half)


def test_numbers_for_a_kind_stay_one_for_each_row_and_keep_what_their_table_says(outside):
    kind, columns = outside.stays.STAYS, {"begin": "a", "finish": "b", "missing": "drop"}
    table = Table("t.csv", pa.table({"a": [1.0, None, 3.0], "b": [2.0, 5.0, 9.0]}))
    numbers = kind.read(Dataset(table, ""), columns, silent)["numbers"]
    assert (numbers.values.tolist(), numbers.dropped, numbers.values.missing) == ([1.0, 6.0], 1, "drop")

    class Mean(type(kind)):
        name = "mean-stay"

        def numbers(self, begin, finish):
            return np.array([(finish - begin).mean()])

    with pytest.raises(DataError, match="one number for each row"):
        Mean().read(Dataset(table, ""), columns, silent)
