"""A query that knows a bound of its smooth sensitivity alone says so, and is drawn and reported as that."""

import math
import re

import doors
import pytest
from matplotlib.text import Text
from seen import choose
from tiny_databases import all_databases, all_neighbours, worst_ratio

from app.model.pages.registry import tabs_of
from app.model.texts.pages import pages
from engine import LaplacePareto, Median, Privacy, SmoothRelease
from engine.queries.base import SmoothSensitivity

pytestmark = pytest.mark.usefixtures("outside", "undrawn")

DATA = ("--example", "one-to-ten")
BETA = 0.3


@pytest.fixture
def query(outside):
    """Return one of the kind."""
    return outside.components.RoughMiddle()


def smoothness(query):
    """Return the largest ln S(x) - ln S(y) of neighbours, over all databases of four records."""
    databases = all_databases("column", 4)
    values = {x: query.smooth_sensitivity(data, BETA).value for x, data in databases.items()}
    pairs = [(x, y) for x in values for y in all_neighbours("column", x)]
    return max(
        math.log(values[x] / values[y]) if values[y] else math.inf * (values[x] > 0)
        for x, y in pairs
        if values[x]
    )


def test_the_bound_is_smooth_and_never_below_what_it_bounds(query):
    exact = Median()
    assert smoothness(query) <= BETA + 1e-12
    for data in all_databases("column", 4).values():
        bounds, known = (one.sensitivity_at_distance(data, 4) for one in (query, exact))
        assert (bounds >= known).all()
        assert query.exact_value(data) == exact.exact_value(data)
        assert query.smooth_sensitivity(data, BETA).value >= exact.smooth_sensitivity(data, BETA).value


def test_releases_by_the_bound_are_private_on_all_neighbours(query):
    privacy = Privacy(1.0)
    ratio = worst_ratio(SmoothRelease(query=query, noise=LaplacePareto()), privacy)
    assert 0.1 < ratio <= privacy.epsilon + 1e-9


def test_a_bound_that_is_not_smooth_is_caught_by_the_same_enumeration(query):
    class Jumping(type(query)):
        def smooth_sensitivity(self, data, beta, progress=None):
            return SmoothSensitivity(float(self.sensitivity_at_distance(data, 0)[0]), 0, beta)

    assert smoothness(Jumping()) > 1
    assert worst_ratio(SmoothRelease(query=Jumping(), noise=LaplacePareto()), Privacy(1.0)) > 1.5


def test_the_command_line_says_at_most():
    words = ("sensitivity", "rough-middle", *DATA, "--beta", "0.5")
    printed = doors.drive_command(*words)
    for line, sign in (("smooth sensitivity", "≤"), ("local sensitivity", "≤"), ("A^(k)", "≤")):
        assert sign in next(one for one in printed.splitlines() if line in one)
    assert "an upper bound, decided at k" in printed
    assert doors.drive_command(*words, "--json")["bound"] is True
    exact = ("sensitivity", "median", *DATA, "--beta", "0.5")
    assert "bound" not in doors.drive_command(*exact, "--json")
    assert "≤" not in doors.drive_command(*exact)
    run = ("run", "rough-middle", *DATA, *doors.ASKED, "--method", "smooth", "--seed", "1")
    assert doors.drive_command(*run, "--show-private", "--json")["diagnostics"]["bound"] is True


def test_the_help_says_so():
    (page,) = [one for one in pages()[0].values() if one.name == "rough-middle"]
    (section,) = [one for one in page.sections if one.title == "Sensitivity"]
    assert "Only upper bounds" in section.blocks[0].runs[0].text
    assert "Only upper bounds" in doors.drive_command("catalog", "rough-middle")


@pytest.fixture(scope="module")
def chosen(stage):
    """Return the window with the query chosen."""
    stage.session.show_page("median")
    doors.idle(stage)
    stage.controllers.data.open_example("one-to-ten")
    doors.idle(stage)
    choose(stage.body.column.release.form.chooser("query").box, "rough-middle")
    choose(stage.body.column.release.form.chooser("method").box, "smooth")
    doors.idle(stage)
    return stage


@pytest.mark.parametrize(
    ("tab", "said"), [("k", "at most"), ("epsilon", "bound of smooth"), ("path", "bound of the")]
)
def test_pictures_label_and_tell_a_bound(chosen, tab, said):
    assert tab in tabs_of("median")
    chosen.page.show_tab(tab)
    doors.idle(chosen)
    picture = chosen.page.canvas.picture
    labels = picture.labels.texts()
    beside_dots = [text.get_text() for text in picture.axes.figure.findobj(Text)]
    assert any(text.startswith(("smooth S ≤", "at most")) for text in (*labels, *beside_dots))
    assert any(text.startswith("smooth S") for text in labels)
    assert any(text.startswith("local ≤") for text in labels)
    assert not any("S*" in text for text in labels)
    assert said in picture.alt_text()


def test_the_curve_and_the_value_are_those_of_the_bound(chosen, query):
    chosen.page.show_tab("k")
    doors.idle(chosen)
    result, data = chosen.page.canvas.picture.result, chosen.session.state.builder().build()
    assert result.bound
    assert (
        result.at_distance.tolist()
        == query.sensitivity_at_distance(data, result.at_distance.size - 1).tolist()
    )
    assert result.smooth == pytest.approx(query.smooth_sensitivity(data, result.beta).value)
    assert "A⁽ᵏ⁾ ≤" in chosen.page.canvas.picture.tooltip_at(result, 1, 0)


def test_a_script_finds_a_bound(chosen, tmp_path):
    left = doors.drive_script(chosen, tmp_path)
    assert left["mechanism"].query.name == "rough-middle"
    printed = left["printed"]
    assert "smooth sensitivity S <=" in printed
    assert "S*" not in printed


def test_a_report_tells_a_bound(chosen, tmp_path):
    doors.drive_run(chosen)
    said = doors.drive_report(chosen, tmp_path)
    assert re.search(r"Smooth sensitivity S\s*≤ \d", said)
    assert re.search(r"Local sensitivity LS\s*≤ \d", said)
    assert "Smooth sensitivity S*" not in said
