"""Scripts and reports state the grid of releases, and where privacy does not hold to the last bit."""

import dataclasses

import pytest
import reported
from scripts import example, run

from app.export.report.building import build_report
from app.model.selection import selection, step_of

INEXACT = "not verified to the last bit: the distance to a larger sensitivity"


def facts(report, heading):
    """Return the rows of the sections with such a title."""
    return {
        row[0]: row[1]
        for section in report.sections
        if section.title.startswith(heading)
        for block in section.blocks
        if type(block).__name__ == "FactList"
        for row in block.rows
    }


STATES = {
    "median": example("median", "two-heaps", resolution=0.0005),
    "automatic": example("median", "two-heaps"),
    "mst": example("spanning-tree", "karate", resolution=0.5),
    "triangles": example("spanning-tree", "karate", resolution=2.0, query="triangles"),
    "noisy-average": example("clustering", "planted-disc", query="noisy-average"),
}


@pytest.mark.parametrize("view", ["curator", "release"])
@pytest.mark.parametrize("name", STATES)
def test_a_script_prints_the_step_and_reads_data_with_it(name, view):
    state = dataclasses.replace(STATES[name], view=view)
    step = step_of(selection(state))
    names = run(state)
    assert f"released numbers are multiples of: {step}" in names["printed"]
    if view == "curator":
        assert getattr(names["data"], "resolution", None) == state.value("resolution")


def test_a_script_says_what_is_not_exact():
    state = example("median", "two-heaps", query="winsorized-mean", method="propose-test-release", delta=1e-6)
    parameters = {"method/propose-test-release": {"bound": 0.001}}
    names = run(state.replaced({"parameters": parameters}))
    assert INEXACT.capitalize() in names["printed"]


@pytest.fixture(scope="module")
def rounded(qapp):
    session = reported.on_column(resolution=2.5)
    return session, reported.release(session)


def test_a_report_states_grid_resolution_and_clamping(rounded):
    session, record = rounded
    report = build_report(reported.request_of(session))
    assert facts(report, "The data")["Declared resolution"] == "2.5"
    told = facts(report, "1. ")
    assert told["Grid"] == "Rounded to multiples of 2.5, clamped to the range of results"
    assert told["Resolution"] == "2.5"
    assert "not exact" not in told["Privacy"]
    assert (record.release.step, record.release.value % 2.5) == (2.5, 0)


def test_a_report_warns_of_what_is_not_exact(qapp):
    session = reported.on_column(query="winsorized-mean", method="propose-test-release", delta=1e-6)
    session.set_parameter(0.9, "bound")
    reported.release(session)
    report = build_report(reported.request_of(session))
    assert facts(report, "1. ")["Privacy"].endswith("; not verified to the last bit")
    said = " ".join(
        block.text
        for section in report.sections
        for block in section.blocks
        if getattr(block, "warns", False)
    )
    assert f"{INEXACT.capitalize()} is computed in floating point." in said
    assert "The guarantee of some of these releases is not verified to the last bit" in said
