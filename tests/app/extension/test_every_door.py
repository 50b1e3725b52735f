"""What is defined outside of the program, and registered with one call, goes through every door of it."""

import doors
import pytest
from outside_cases import CASES

from app.model.pages.registry import PAGES, tabs_of
from app.model.selection import problems, selection
from app.releases.registry import shape_of
from engine.catalog import FAMILIES, entries

pytestmark = pytest.mark.usefixtures("outside", "undrawn")


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """Return what is asked."""
    return CASES[request.param]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return where files go."""
    return tmp_path_factory.mktemp("doors")


@pytest.fixture(scope="module")
def driven(stage, case, folder):
    """Return the window, in which all was chosen by hand, with one release."""
    doors.drive_form(stage, case, folder)
    stage.released = doors.drive_run(stage)
    return stage


def test_the_form_makes_it(driven, case):
    state = driven.session.state
    assert problems(state) == ()
    assert state.page == case.page
    tree = {one.family: one for one in state.mechanism.walk()}
    for family, name in case.chosen.items():
        known = tree["mechanism" if family == "method" or family not in tree else family]
        assert name in (known.name, state.query), family
    made = {name: value for one in tree.values() for name, value in one.plain().items()}
    assert case.values.items() <= made.items()


def test_run_releases_it_and_the_history_tells(driven, case):
    record, line = driven.released
    assert (record.release.query, record.release.simulated) == (case.query, False)
    assert line[2] == shape_of(record.release).summary(record)
    said = " ".join(line)
    told = [name for thing, name in case.things.items() if thing in ("mechanism", "method", "noise", "shape")]
    assert [name for name in told if name not in said] == []


def test_every_tab_has_its_picture_unless_it_is_declared_absent(driven, case):
    setup = selection(driven.session.state)
    declared = {spec.name: not spec.why_absent(setup) for spec in PAGES[case.page].pictures}
    assert doors.drive_tabs(driven) == declared
    driven.page.show_tab(case.tab or tabs_of(case.page)[0])


def test_the_release_view_has_what_is_public(driven, case):
    assert doors.drive_release_view(driven) == {
        spec.name: not spec.why_absent(selection(driven.session.state))
        for spec in PAGES[case.page].pictures
        if spec.is_public
    }


def test_an_audit_in_the_window_finds_it_consistent(driven):
    found = doors.drive_audit(driven)
    assert found.public
    assert found.request.mechanism == selection(driven.session.state).mechanism


def test_a_comparison_in_the_window_has_it_among_its_alternatives(driven):
    mechanism = selection(driven.session.state).mechanism
    compared = doors.drive_comparison(driven)
    place = [one.mechanism for one in compared.contenders].index(mechanism)
    assert [one.problem for one in compared.outcomes if one.trial.contender == place] == [""]


def test_a_session_file_keeps_it(driven, case, folder):
    before, tab = driven.session.state, driven.page.card.tab
    doors.drive_file(driven, folder)
    state = driven.session.state
    assert (state.page, driven.page.card.tab, state.epsilon) == (case.page, tab, before.epsilon)
    assert state.mechanism.build() == before.mechanism.build()
    assert state.builder().build().values.tolist() == before.builder().build().values.tolist()
    kept, made = state.releases[-1], before.releases[-1]
    assert (kept.release.value, kept.release.query) == (made.release.value, case.query)


def test_a_script_has_its_numbers_its_picture_and_its_audit(driven, case, folder):
    left = doors.drive_script(driven, folder)
    assert left["mechanism"] == selection(driven.session.state).mechanism
    analysis = PAGES[case.page].picture(driven.page.card.tab).analysis.function.__name__
    assert f"shown = {analysis}(" in left["text"]
    assert left["shown"].run.audit.verdict  # the audit comes last
    assert left["releases"][-1]["value"] == driven.session.state.releases[-1].release.value


def test_a_notebook_has_the_same_cells(driven, folder):
    code = doors.drive_notebook(driven, folder)
    text = (folder / "script.py").read_text("utf-8")
    assert "export_picture(" in code
    assert all(line in text for line in code.splitlines() if line.startswith("mechanism"))


def test_a_report_tells_it(driven, case, folder):
    said = doors.drive_report(driven, folder)
    told = [name for thing, name in case.things.items() if thing not in ("page", "kind")]
    told.append(driven.session.state.location)
    assert [name for name in told if name not in said] == []


def test_help_tells_it(driven, case):
    said = doors.drive_help(driven)
    assert [name for thing, name in case.things.items() if thing != "shape" and name not in said] == []


def test_a_lesson_names_it(driven, case, folder):
    if not case.example:
        pytest.skip("a lesson has data of an example")
    state = doors.drive_lesson(driven, case, folder)
    assert state.page == case.page
    assert {one.name for one in state.mechanism.walk()} >= {
        name for family, name in case.chosen.items() if family != "query" or state.mechanism.asked
    }


def test_the_command_line_runs_it(case, folder):
    found = doors.drive_command(
        "run", *case.words(), *case.data(folder), *doors.ASKED, "--seed", "1", "--json"
    )
    assert case.query in (found.get("query"), found["mechanism"])
    picture = folder / "run.png"
    said = doors.drive_command("run", *case.words(), *case.data(folder), *doors.ASKED, "--plot", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert case.query in said


def test_the_command_line_compares_it(case, folder):
    words = (case.word(), case.other, *case.data(folder), *doors.ASKED)
    found = doors.drive_command("compare", *words, "--runs", "20", "--workers", "1", "--json")
    assert {one["label"] for one in found["mechanisms"]}


def test_the_command_line_audits_it(case, folder):
    words = (*case.words(), *case.data(folder), *doors.ASKED)
    found = doors.drive_command("audit", *words, "--runs", str(doors.RUNS), "--json")
    assert found["public"]


def test_the_command_line_lists_it(case, outside):
    listed = {entry.name: entry.label for entry in entries()}
    for family, name in case.chosen.items():
        if name in listed and FAMILIES.get(family, {}).get(name, type).__module__.startswith("outside"):
            assert listed[name] in doors.drive_command("catalog", name)
