"""Reports as files: hostile names, whole pages, long tables, what a PDF says of itself."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest
import reported
from reported import both_of, pdf_pages, release, text_of, without_formulas

from app.export.report.budget_sections import means
from app.export.report.html import HtmlWriter, inline_svg
from app.model.report_document import Report, ReportFigure, ReportSection, ReportTable
from app.plots.figures import new_figure


class Elements(HTMLParser):
    """Takes note of every element and attribute."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes


EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\x07-->$x^$'


def test_hostile_names_stay_names(qapp):
    from loading import load

    from app.session import Session

    session = Session()
    data = reported.dataset(f"{EVIL.replace('/', '')}.csv", {EVIL: [1.0, 2.0, 3.0, 4.0]})
    load(session, data, EVIL, 0.0, 10.0)
    release(session)
    report, page, file = both_of(
        reported.request_of(session, title=EVIL, author=EVIL, notes=EVIL, view="curator")
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


@pytest.mark.slow
def test_a_page_is_whole_and_its_parts_have_names_of_their_own(of_kind):
    _, (_, page, _) = of_kind("privtree")
    figure = next(
        block
        for section in of_kind("mean")[1][0].sections
        for block in section.blocks
        if isinstance(block, ReportFigure)
    )
    twice = Report("Two", (), "", (ReportSection("Both", (figure, figure)),))
    for made in (page, "".join(HtmlWriter(twice).parts())):
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


@pytest.mark.slow
def test_the_parts_of_a_figure_are_named_after_it():
    figure = new_figure()
    axes = figure.add_subplot()
    axes.set_title("-->")
    for place in range(400):
        axes.plot(np.arange(200.0), np.sin(np.arange(200.0) + place))
    drawing = inline_svg(figure, "here", "A title", "What it shows")
    found = Elements(drawing)
    names = [value for name, value in found.attributes if name == "id"]
    assert len(names) > 400
    assert all(name.startswith("here-") for name in names)
    assert not {"metadata", "style"} & set(found.tags)
    assert "<!--" not in drawing


def test_long_tables_say_how_much_is_left_out(qapp):
    session = reported.on_points("histogram", query="histogram-noisy")
    release(session)
    report, page, _ = both_of(reported.request_of(session, figures=False))
    (grid,) = (b for s in report.sections for b in s.blocks if s.level == 3 and isinstance(b, ReportTable))
    cells = session.state.releases[0].release.value["cells"]
    assert len(grid.rows) + grid.left_out == len(cells)
    assert f"{grid.left_out} more rows are not shown." in text_of(page)
    counts = [row[grid.header.index("count")] for row in grid.rows]
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
