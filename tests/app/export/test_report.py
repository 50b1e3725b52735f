"""What a report holds in either view, and what must never be in it."""

from __future__ import annotations

import pytest
import reported
from reported import (
    KINDS,
    both_of,
    inside,
    lettered,
    pdf_pages,
    readable,
    release,
    secrets,
    text_of,
    without_formulas,
)

from app.export.report.budget_sections import FEWER
from app.export.report.release_sections import NOTHING, SIMULATED
from app.model.ledger import LazyLedger
from app.model.report_document import VIEWS, Paragraph, ReportFigure, ReportTable
from app.plots.figures import CONFIDENTIAL
from engine import __version__
from engine.ledger import Limit

LIKE_OTHERS = {
    "triangles",
    "lloyd",
    "covariance",
    "randomized-response",
    "privtree",
    "mean",
    "mst",
    "sample-aggregate",
}
PARAMETERS = [pytest.param(kind, marks=[pytest.mark.slow] if kind in LIKE_OTHERS else []) for kind in KINDS]

EXACT = "histogram-recursive"


@pytest.mark.parametrize("kind", PARAMETERS)
def test_nothing_private_is_in_the_release_view(of_kind, kind):
    session, (report, page, file) = of_kind(kind)
    assert not report.private
    assert not any(section.private for section in report.sections)
    assert not any(block.private for section in report.sections for block in section.blocks)
    places = {
        "HTML": readable(page),
        "text": text_of(page),
        "PDF": " ".join(pdf_pages(file)),
        "figures": lettered(report),
    }
    hidden = inside(file)
    for secret in secrets(session):
        for place, words in places.items():
            assert secret not in words, (secret, place)
        if len(secret) > 12:  # a shorter one may be the place of a line, of which there are thousands
            assert secret.encode() not in hidden
            assert secret not in page
        assert secret.encode("utf-16-be") not in hidden
    assert session.ledger.account(session.state.dataset.digest).name not in page
    assert CONFIDENTIAL not in page


def test_a_number_in_a_figure_is_found_where_it_is_read_and_not_where_it_places_a_line():
    for words in (
        "<text x='1'>48139</text>",
        "<title>48139</title>",
        '<path aria-label="48139"/>',
        "</svg>48139<svg>",
    ):
        assert "48139" in readable(f'<svg d="M 1">{words}</svg>')
    assert "48139" not in readable('<svg><path d="M 48139 1" id="a48139"/></svg>')


@pytest.mark.parametrize("kind", PARAMETERS)
def test_each_kind_of_release_is_told_with_value_cost_and_figure(of_kind, kind):
    session, (report, page, _) = of_kind(kind)
    (record,) = session.state.releases
    (section,) = (one for one in report.sections if one.title.startswith("1. "))
    facts = dict(
        row
        for block in section.blocks
        if hasattr(block, "rows") and not isinstance(block, ReportTable)
        for row in block.rows
    )
    assert facts["Privacy"].startswith(f"ε = {record.release.privacy.epsilon:g}")
    assert facts["Made by"]
    assert sum(isinstance(block, ReportFigure) for block in section.blocks) == 1
    grids = [block for block in section.blocks if isinstance(block, ReportTable)]
    if isinstance(record.release.value, float):
        assert facts["With all digits"] == repr(record.release.value)
    elif not isinstance(record.release.value, str):
        (grid,) = grids
        assert grid.rows
        assert len({len(grid.header), *map(len, grid.rows)}) == 1
    assert page.count("<figure") == without_formulas(page).count("<svg") == 1


def test_public_facts_budget_promise_method_and_citation_are_there(median):
    _, made = median
    words = text_of(made["release"][1])
    for part in (
        "Release view: only results that can be shared",
        "data.csv",
        "0 to 100",
        "n = 201 records (public)",
        "one record replaced, n public",
        "Basic: all ε and all δ added up",
        "Concentrated privacy (zCDP)",
        "Privacy losses (PLD)",
        "not set",
        "a factor e^ε = 2.72",
        "at most 73 % sure",
        "Nissim, Raskhodnikova, Smith 2007, Lemma 2.5",
        f"Sensiscope {__version__}",
        "2026-03-04 12:00 UTC",
    ):
        assert part in words.replace("\N{NARROW NO-BREAK SPACE}", " "), part
    paper = " ".join(pdf_pages(made["release"][2]))
    for part in ("Median of x", "data.csv", "Guarantee", "How to cite", "Page 1 of"):
        assert part in paper


def test_a_report_without_releases_says_so(qapp):
    session = reported.on_column()
    _, page, file = both_of(reported.request_of(session))
    assert NOTHING in text_of(page)
    assert "No budget used yet" in " ".join(pdf_pages(file))


def test_without_data_there_is_a_report_all_the_same(qapp):
    from app.session import Session

    for view in VIEWS:
        _, page, _ = both_of(reported.request_of(Session(), view=view))
        assert "No data are open." in text_of(page)


@pytest.mark.slow
def test_exact_counts_are_said_to_be_no_private_release(qapp):
    session = reported.on_points("histogram", query=EXACT)
    release(session)
    report, page, file = both_of(reported.request_of(session))
    warned = [b.text for s in report.sections for b in s.blocks if isinstance(b, Paragraph) and b.warns]
    assert sum("Not differentially private" in text for text in warned) == 3
    assert "no guarantee: no ε is large enough" in text_of(page)
    assert "Not differentially private" in " ".join(pdf_pages(file))
    assert "exact counts, not differentially private" in lettered(report)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"looked": True}, "bounds were taken from the data"),
        ({"edited": True}, "changed by hand"),
    ],
)
def test_what_is_wrong_with_a_release_is_said_in_plain_words(qapp, fields, words):
    session = reported.on_column()
    release(session)
    reported.records_changed(session, **fields)
    _, page, _ = both_of(reported.request_of(session))
    assert words in text_of(page)


def test_simulated_releases_are_called_so(qapp):
    import dataclasses

    session = reported.on_column()
    record = release(session)
    reported.records_changed(session, release=dataclasses.replace(record.release, simulated=True))
    report, page, _ = both_of(reported.request_of(session))
    assert SIMULATED in text_of(page)
    assert "Simulated median, not a release" in lettered(report)


def test_the_limit_and_releases_of_other_sessions_are_in_the_budget(qapp):
    session = reported.on_column()
    for _ in range(2):
        release(session)
    account = session.ledger.account(session.state.dataset.digest)
    account.set_limit(Limit(3.5))
    session._replace({"releases": session.state.releases[1:]})
    _, page, _ = both_of(reported.request_of(session))
    words = text_of(page)
    assert "2 releases. It is their total cost to one row of the file" in words
    assert "ε = 3.5, δ = 0" in words
    assert "The limit has no δ, so only the plain sum counts" in words
    assert "Privacy losses" not in words
    assert "2. Median" in words  # of the ledger alone


def test_a_report_of_the_newest_releases_says_that_there_are_more(qapp, monkeypatch):
    monkeypatch.setattr("app.documents.releases.MAX_STORED", 1)
    session = reported.on_column()
    for _ in range(3):
        release(session)
    _, page, _ = both_of(reported.request_of(session))
    assert FEWER.partition("{")[0] not in text_of(page)
    session._replace({"releases": ()})
    _, page, _ = both_of(reported.request_of(session))
    assert FEWER.format(count=1) in text_of(page)


def test_releases_on_other_data_are_left_out(qapp):
    session = reported.on_column()
    release(session)
    reported.records_changed(session, dataset="another account")
    session.ledger = LazyLedger()
    _, page, _ = both_of(reported.request_of(session))
    assert NOTHING in text_of(page)
