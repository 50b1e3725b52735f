"""What a report holds in either view, and what must never be in it."""

from __future__ import annotations

import functools
import html
import re
from html.parser import HTMLParser

import numpy as np
import pytest
import reported
from reported import both_of, inside, lettered, pdf_pages, release, secrets

from app.export.report.budget_sections import means
from app.export.report.gathering import gather
from app.export.report.html import to_html
from app.export.report.release_sections import NOTHING, SIMULATED
from app.export.report.svg import inline_svg
from app.model.report_document import FactList, Paragraph, Report, ReportFigure, ReportSection, ReportTable
from app.model.report_options import VIEWS
from app.plots.figures import NOT_PRIVATE, new_figure
from engine.ledger import Limit

KINDS = {
    "median": lambda: reported.on_column(),
    "mean": lambda: reported.on_column(query="mean", method="laplace"),
    "mst": lambda: reported.on_graph(),
    "triangles": lambda: reported.on_graph(query="triangles"),
    "lloyd": lambda: reported.on_points(query="lloyd"),
    "sample-aggregate": lambda: reported.on_points(query="sample-aggregate"),
    "one-cluster": lambda: reported.on_points("one-cluster", query="one-cluster", epsilon=10.0),
    "privtree": lambda: reported.on_points("histogram", query="privtree"),
    "covariance": lambda: reported.on_points("histogram", query="covariance"),
    "contingency-table": lambda: reported.on_people(query="contingency-table"),
    "mode": lambda: reported.on_people(query="mode"),
    "randomized-response": lambda: reported.on_people(query="randomized-response", columns=("smokes",)),
}
"""A session on each kind of page, for each kind of value."""

LIKE_OTHERS = {"triangles", "lloyd", "covariance", "randomized-response"}
PARAMETERS = [pytest.param(kind, marks=[pytest.mark.slow] if kind in LIKE_OTHERS else []) for kind in KINDS]

EXACT = "histogram-recursive"


def text_of(page):
    """Return the words of a page of HTML; every space is one blank."""
    plain = re.sub(r"<(style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", plain)).split())


def without_formulas(page):
    """Return a page without the formulas of the help: numbers in their outlines say nothing."""
    return re.sub(r'<svg [^>]*aria-label=[^>]*><path fill="currentColor"[^>]*/></svg>', " ", page)


class Elements(HTMLParser):
    """Takes note of every element and attribute."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes


@pytest.fixture(scope="module")
def of_kind(qapp):
    """Return what gives a session of a kind with one release, and its report in both formats."""

    @functools.cache
    def make(kind):
        session = KINDS[kind]()
        release(session)
        return session, both_of(reported.asked_of(session))

    return make


@pytest.fixture(scope="module")
def median(of_kind):
    """Return a session on a column, with the report of either view in either format."""
    session, released = of_kind("median")
    return session, {"release": released, "curator": both_of(reported.asked_of(session, view="curator"))}


@pytest.mark.parametrize("kind", PARAMETERS)
def test_nothing_private_is_in_the_release_view(of_kind, kind):
    session, (report, page, file) = of_kind(kind)
    assert not report.private
    assert not any(section.private for section in report.sections)
    assert not any(block.private for section in report.sections for block in section.blocks)
    places = {
        "HTML": without_formulas(page),
        "text": text_of(page),
        "PDF": " ".join(pdf_pages(file)),
        "figures": lettered(report),
    }
    hidden = inside(file)
    for secret in secrets(session):
        for place, words in places.items():
            assert secret not in words, (secret, place)
        if len(secret) > 6:  # a shorter one may be the place of a line
            assert secret.encode() not in hidden
        assert secret.encode("utf-16-be") not in hidden
    assert session.ledger.account(session.state.dataset.digest).name not in page
    assert NOT_PRIVATE not in page


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
        "Release view: what may leave the room",
        "data.csv",
        "0 to 100",
        "n = 201 records (public)",
        "one record replaced, n public",
        "Basic: all ε and all δ added up",
        "Concentrated privacy (zCDP)",
        "none was set",
        "a factor e^ε = 2.72",
        "at most 73 % sure",
        "Nissim, Raskhodnikova, Smith 2007, Lemma 2.5",
        "Sensiscope 0.1.0",
        "2026-03-04 12:00 UTC",
    ):
        assert part in words.replace("\N{NARROW NO-BREAK SPACE}", " "), part
    paper = " ".join(pdf_pages(made["release"][2]))
    for part in ("Median of x", "data.csv", "What is promised", "How to cite", "Page 1 of"):
        assert part in paper


def test_the_curator_view_names_what_is_private_and_marks_it(median):
    session, made = median
    report, page, file = made["curator"]
    pages = pdf_pages(file)
    for words in (text_of(page), " ".join(pages)):
        assert str(reported.MEDIAN) in words
        for name in ("True value", "Local sensitivity LS", "Smooth sensitivity S*", "Scale of the noise"):
            start = words.index(name)
            assert "not private" in words[start : start + len(name) + 60]
    assert report.private
    assert all("Not private: computed from raw data" in one for one in pages)
    assert page.index("must not leave the room") < page.index("<h1>")
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
    private, public = private_and_public(gather(reported.asked_of(session, view="curator")))
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
    report = gather(reported.asked_of(session, view="curator", figures=False))
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
    report = gather(reported.asked_of(session, view="curator", figures=False))
    assert not any(
        b.header[-1] == "true" for s in report.sections for b in s.blocks if isinstance(b, ReportTable)
    )


def test_the_curator_sees_sensitivities_also_where_noise_does_not_depend_on_them(qapp):
    _, page, _ = both_of(reported.asked_of(reported.on_column(method="exponential"), view="curator"))
    assert "Smooth sensitivity S*" in text_of(page)
    assert "Expected error" in text_of(page)


def test_a_report_without_releases_says_so(qapp):
    session = reported.on_column()
    _, page, file = both_of(reported.asked_of(session))
    assert NOTHING in text_of(page)
    assert "Nothing was spent" in " ".join(pdf_pages(file))


def test_without_data_there_is_a_report_all_the_same(qapp):
    from app.session import Session

    for view in VIEWS:
        _, page, _ = both_of(reported.asked_of(Session(), view=view))
        assert "No data are open." in text_of(page)


@pytest.mark.slow
def test_exact_counts_are_said_to_be_no_private_release(qapp):
    session = reported.on_points("histogram", query=EXACT)
    release(session)
    report, page, file = both_of(reported.asked_of(session))
    warned = [b.text for s in report.sections for b in s.blocks if isinstance(b, Paragraph) and b.warns]
    assert sum("Not differentially private" in text for text in warned) == 3
    assert "no promise: no ε is large enough" in text_of(page)
    assert "Not differentially private" in " ".join(pdf_pages(file))
    assert "exact counts, not differentially private" in lettered(report)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"looked": True}, "bounds were taken from the data"),
        ({"edited": True}, "moved by hand"),
    ],
)
def test_what_is_wrong_with_a_release_is_said_in_plain_words(qapp, fields, words):
    session = reported.on_column()
    release(session)
    reported.records_changed(session, **fields)
    _, page, _ = both_of(reported.asked_of(session))
    assert words in text_of(page)


def test_simulated_releases_are_called_so(qapp):
    import dataclasses

    session = reported.on_column()
    record = release(session)
    reported.records_changed(session, release=dataclasses.replace(record.release, simulated=True))
    report, page, _ = both_of(reported.asked_of(session))
    assert SIMULATED in text_of(page)
    assert "Simulated median, not a release" in lettered(report)


def test_the_limit_and_releases_of_other_sessions_are_in_the_budget(qapp):
    session = reported.on_column()
    for _ in range(2):
        release(session)
    account = session.ledger.account(session.state.dataset.digest)
    account.set_limit(Limit(3.5))
    session._replace({"releases": session.state.releases[1:]})
    _, page, _ = both_of(reported.asked_of(session))
    words = text_of(page)
    assert "2 releases, made between" in words
    assert "ε = 3.5" in words
    assert "2. Median" not in words


def test_releases_on_other_data_are_left_out(qapp):
    session = reported.on_column()
    release(session)
    reported.records_changed(session, dataset="another account")
    _, page, _ = both_of(reported.asked_of(session))
    assert NOTHING in text_of(page)


EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\x07-->$x^$'


def test_hostile_names_stay_names(qapp):
    from loading import load

    from app.session import Session

    session = Session()
    data = reported.dataset(f"{EVIL.replace('/', '')}.csv", {EVIL: [1.0, 2.0, 3.0, 4.0]})
    load(session, data, EVIL, 0.0, 10.0)
    release(session)
    report, page, file = both_of(
        reported.asked_of(session, title=EVIL, author=EVIL, notes=EVIL, view="curator")
    )
    found = Elements(page)
    assert not {"script", "img", "iframe", "object", "link", "base", "form"} & set(found.tags)
    assert not any(name.startswith("on") or name in ("src", "action") for name, _ in found.attributes)
    assert all(value.startswith("#") for name, value in found.attributes if name in ("href", "xlink:href"))
    assert "alert(1)" in text_of(page)
    assert "\u202e" not in page
    assert "\x07" not in page
    assert "alert(1)" in " ".join(pdf_pages(file))
    assert report.title == EVIL


def test_a_page_is_whole_and_its_parts_have_names_of_their_own(of_kind):
    _, (_, page, _) = of_kind("privtree")
    figure = next(
        block
        for section in of_kind("mean")[1][0].sections
        for block in section.blocks
        if isinstance(block, ReportFigure)
    )
    twice = Report("Two", (), "", (ReportSection("Both", (figure, figure)),))
    for made in (page, to_html(twice)):
        found = Elements(made)
        names = [value for name, value in found.attributes if name == "id"]
        assert len(names) == len(set(names))
        shown = {value for name, value in found.attributes if name in ("href", "xlink:href")}
        assert {name.removeprefix("#") for name in shown} <= set(names)
        assert {
            url for _, value in found.attributes for url in re.findall(r"url\(#([^)]*)\)", value or "")
        } <= set(names)
        assert found.tags.count("h1") == 1
        assert made.count("<svg") == made.count('role="img"')
        figures = without_formulas(made)
        assert figures.count("<svg") == figures.count("<figure") == figures.count("<desc")
        # names of formats are the only addresses
        assert set(re.findall(r"https?://[^\"' )]*", made)) <= {
            "http://www.w3.org/2000/svg",
            "http://www.w3.org/1999/xlink",
        }
    for header in re.findall(r"<table>.*?</table>", page, re.DOTALL):
        assert '<th scope="col"' in header
        assert "<caption" in header


def test_a_large_epsilon_makes_nobody_quite_sure():
    for epsilon, sure in ((1.0, "73"), (5.0, "99.3"), (10.0, "99.995"), (15.0, "99.99997")):
        assert f"at most {sure}\N{NARROW NO-BREAK SPACE}% sure" in means(epsilon, 0.0, "record")


def test_a_large_figure_is_searched_in_small_parts():
    figure = new_figure()
    axes = figure.add_subplot()
    axes.set_title("-->")
    for place in range(400):
        axes.plot(np.arange(200.0), np.sin(np.arange(200.0) + place))
    parts = inline_svg(figure, "here", "A title", "What it shows")
    assert len(parts) > 3
    assert max(map(len, parts)) < 1 << 17  # twice as many letters as are searched at once
    found = Elements("".join(parts))
    names = [value for name, value in found.attributes if name == "id"]
    assert len(names) > 400
    assert all(name.startswith("here-") for name in names)
    assert not {"metadata", "style"} & set(found.tags)
    assert "<!--" not in "".join(parts)


def test_long_tables_say_how_much_is_left_out(qapp):
    session = reported.on_points("histogram", query="histogram-noisy")
    release(session)
    report, page, _ = both_of(reported.asked_of(session, figures=False))
    (grid,) = (b for s in report.sections for b in s.blocks if s.level == 3 and isinstance(b, ReportTable))
    cells = session.state.releases[0].release.value["cells"]
    assert len(grid.rows) + grid.left_out == len(cells)
    assert f"{grid.left_out} more rows are left out here." in text_of(page)
    counts = [row[-1] for row in grid.rows]
    assert counts == sorted(counts, reverse=True)
    assert "<figure" not in page


def test_a_pdf_says_what_it_is_and_not_who_made_it(median):
    import io

    import pypdf

    _, made = median
    file = pypdf.PdfReader(io.BytesIO(made["release"][2]))
    words = file.pages[0].extract_text()
    assert "Median of x" in words
    assert "\t" not in words
    assert file.metadata.title == "A report"
    assert file.metadata.creator == "Sensiscope"
    assert not file.metadata.author
    fonts = [
        font.get_object() for page in file.pages for font in page["/Resources"]["/Font"].get_object().values()
    ]
    assert fonts
    for font in fonts:
        (inner,) = font["/DescendantFonts"]
        descriptor = inner.get_object()["/FontDescriptor"].get_object()
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor)
    # figures are lines, not pixels
    assert not any(page.images for page in file.pages)
