"""Pages of a PDF: what stays together, what is repeated, and what nobody can see."""

from __future__ import annotations

import pytest
from reported import pdf_pages

from app.export.report.html import clean, markup
from app.export.report.pdf import to_pdf
from app.model.report_document import Paragraph, Report, ReportSection, ReportTable

LINE = Paragraph("A line.")


def pages_of(*sections, private=False):
    return pdf_pages(to_pdf(Report("A title", (), "A view.", sections, private)))


def test_a_heading_stays_with_what_follows(qapp):
    moved = 0
    for lines in range(30, 40):
        above, below = (
            ReportSection("Above", (LINE,) * lines),
            ReportSection("Below", (Paragraph("Under it."),)),
        )
        pages = pages_of(above, below)
        assert sum(page.count("A line.") for page in pages) == lines
        [page] = [page for page in pages if "Below" in page]
        assert "Under it." in page
        moved += "A line." not in page
    assert moved  # once, the heading alone would have found room on the page before


def test_a_table_that_goes_on_repeats_its_header(qapp):
    rows = tuple((f"row {index}", index) for index in range(120))
    pages = pages_of(ReportSection("Rows", (ReportTable("All rows", ("name", "size"), rows),)))
    assert len(pages) > 2
    assert all("name size" in page for page in pages)
    assert sum(page.count("row ") for page in pages) == 120


def test_every_page_has_its_number_and_those_of_a_private_report_a_banner(qapp):
    section = ReportSection("Much", (LINE,) * 60)
    for private in (False, True):
        pages = pages_of(section, private=private)
        for number, page in enumerate(pages, 1):
            assert f"Page {number} of {len(pages)}" in page
            assert ("Confidential: computed from raw data" in page) == private


@pytest.mark.parametrize("text", ["x" * 400, "two words " * 100, "one\n\ntwo"])
def test_nothing_is_lost(qapp, text):
    [page] = pages_of(ReportSection("Text", (Paragraph(text),)))
    assert "".join(text.split()) in "".join(page.split())


def test_what_nobody_can_see_is_a_blank():
    assert clean("a\x00b\u202ec\ud800d\ne\tf") == "a b c d\ne f"
    assert markup("<a href='x'>&\"") == "&lt;a href=&#x27;x&#x27;&gt;&amp;&quot;"
