"""What the curator's report holds beside that of the release view, and what is marked."""

from __future__ import annotations

import numpy as np
import pytest
import reported
from reported import both_of, inside, pdf_pages, release, text_of

from app.export.report.building import build_report
from app.model.report_document import FactList, ReportTable


@pytest.mark.slow
def test_the_curator_view_names_what_is_private_and_marks_it(median):
    session, made = median
    report, page, file = made["curator"]
    pages = pdf_pages(file)
    for words in (text_of(page), " ".join(pages)):
        assert str(reported.MEDIAN) in words
        for name in ("True value", "Local sensitivity LS", "Smooth sensitivity S*", "Scale of the noise"):
            start = words.index(name)
            assert "Confidential" in words[start : start + len(name) + 60]
    assert report.private
    assert all("Confidential: computed from raw data" in one for one in pages)
    assert page.index("do not share it") < page.index("<h1>")
    for place in (page, inside(file).decode("latin-1")):
        assert not any(secret in place for secret in ("quokkauser", reported.FOLDER.name, "5eed5eed"))
    assert session.state.dataset.digest not in page


def private_and_public(report):
    """Return the names of facts that are marked private, and of those that are not."""
    facts = [
        (row[0], b.private)
        for s in report.sections
        for b in s.blocks
        if isinstance(b, FactList)
        for row in b.rows
    ]
    return {name for name, private in facts if private}, {name for name, private in facts if not private}


def test_what_follows_from_public_facts_is_not_marked_private(median):
    private, public = private_and_public(median[1]["curator"][0])
    assert {"Size", "Declared bounds", "Global sensitivity GS"} <= public
    assert {"Shift α (noise)", "Stretch β (noise)"} <= public
    assert private == {
        "True value",
        "Local sensitivity LS",
        "Smooth sensitivity S*",
        "Scale of the noise",
        "k at which S* is attained",
        "Expected error",
    }


def test_noise_for_the_worst_case_has_a_public_scale(qapp):
    session = reported.on_column(query="mean", method="laplace")
    private, public = private_and_public(build_report(reported.request_of(session, view="curator")))
    assert {"Scale of the noise", "Expected error", "Global sensitivity GS"} <= public
    assert private == {
        "True value",
        "Local sensitivity LS",
        "Smooth sensitivity S*",
        "k at which S* is attained",
    }


@pytest.mark.parametrize("query", ["histogram-noisy", "privtree"])
def test_true_counts_stand_beside_the_released_ones(qapp, query):
    session = reported.on_points("histogram", query=query)
    record = release(session)
    report = build_report(reported.request_of(session, view="curator", figures=False))
    (grid,) = (
        b for s in report.sections for b in s.blocks if isinstance(b, ReportTable) and b.header[-1] == "true"
    )
    assert grid.private
    assert grid.header == ("x lower", "x upper", "y lower", "y upper", "released", "true")
    assert len(grid.rows) + grid.left_out == len(record.release.value["cells"])
    points = session.databases.get(session.state.builder()).values
    for left, right, low, high, released, true in grid.rows[:10]:
        inside_it = (points >= (left, low)).all(axis=1) & (points < (right, high)).all(axis=1)
        assert true == np.count_nonzero(inside_it)
        assert abs(true - released) < 60  # 14 ln 2 ~ noise of scale 2 or so: chance far below 1e-6
    session.edit("other bounds", bounds={"x": (0.0, 2.0), "y": (0.0, 1.0)})
    report = build_report(reported.request_of(session, view="curator", figures=False))
    assert not any(
        b.header[-1] == "true" for s in report.sections for b in s.blocks if isinstance(b, ReportTable)
    )


def test_the_curator_sees_sensitivities_also_where_noise_does_not_depend_on_them(qapp):
    _, page, _ = both_of(reported.request_of(reported.on_column(method="exponential"), view="curator"))
    assert "Smooth sensitivity S*" in text_of(page)
    assert "Expected error" in text_of(page)
