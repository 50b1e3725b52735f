"""What reports take from help pages: formulas, guarantees and sources, whole sentences only."""

from __future__ import annotations

import pytest
import reported
from reported import both_of, pdf_pages, release

from app.export.report.method_sections import MAX_ERRATA, MAX_PROMISED, MORE, extract, sentences
from app.model.report_document import RichText
from app.model.texts.marks import read_runs
from app.model.texts.pages import ERRATA, TOPICS, page, pages
from app.model.texts.plain import block_text, said
from app.plots.formula_outlines import outline

PAGES = {key: found for key, found in pages()[0].items() if found.kind != TOPICS}


@pytest.mark.parametrize("key", PAGES)
def test_a_page_in_short_holds_formula_guarantee_and_source_and_tears_no_sentence(key):
    blocks = extract(PAGES[key])
    words = [block_text(block) for block in blocks]
    displayed = [
        block.runs[0].text for block in PAGES[key].section("Formula").blocks if block.kind == "formula"
    ]
    assert [block.runs[0].text for block in blocks if block.kind == "formula"] == displayed
    assert any(one.startswith("Guarantee. ") for one in words)
    assert words[-1].startswith("Source. ")
    for place, (block, text) in enumerate(zip(blocks, words, strict=True)):
        leads = place + 1 < len(blocks) and blocks[place + 1].kind == "formula"
        assert block.kind == "formula" or leads or text.endswith((".", "!", "?")), text
    assert not any(run.target for block in blocks for run in block.runs)
    assert PAGES[key].section(ERRATA).says_none == (
        not any(one.startswith("Errors in print.") for one in words)
    )
    assert sum(map(len, words)) < 3000


def test_what_is_too_long_ends_with_a_sentence():
    long = page("methods", "smooth")
    promise = long.section("Guarantee")
    many = type(promise)(promise.title, promise.blocks * 20, 1)
    blocks = extract(type(long)("methods", "x", "X", long.summary, (many, *long.sections[2:]), ""))
    told = [block_text(block) for block in blocks[len(long.summary) :]]
    mistakes = next(one for one in told if one.startswith("Errors in print."))
    promised = told[: told.index(mistakes)]
    assert MAX_PROMISED / 2 < sum(map(len, promised)) < MAX_PROMISED + 40
    assert all(one.endswith(".") for one in promised)
    assert mistakes.endswith(MORE)
    assert len(mistakes) < MAX_ERRATA + len(MORE) + 40


def test_sentences_end_at_stops_and_not_in_numbers_names_or_formulas():
    runs = read_runs("By Smith et al. Theorem 3.2 $x$ is **2.5. So** it `a. B` goes. $n$ is public.")
    found = [said(one) for one in sentences(runs)]
    assert found == ["By Smith et al. Theorem 3.2 x is 2.5.", "So it a. B goes.", "n is public."]


@pytest.mark.slow
def test_how_it_was_made_is_said_with_formulas_in_both_formats(qapp):
    session = reported.on_column()
    release(session)
    report, html, file = both_of(reported.request_of(session, figures=False))
    told = {section.title: section.blocks[0] for section in report.sections if section.level == 3}
    assert list(told)[1:] == [
        "Query: Median",
        "Method: Smooth sensitivity",
        "Noise: Power-law Laplace",
    ]
    formulas = [
        run.text
        for block in told.values()
        if isinstance(block, RichText)
        for one in block.blocks
        for run in one.runs
        if run.kind == "formula"
    ]
    assert html.count('<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="') == len(formulas) > 20
    assert 'aria-label="S^*_β(x) = max_(k ≥ 0)' in html
    paper = " ".join(pdf_pages(file))
    for words in ("Guarantee.", "Errors in print.", "Source.", "The smooth sensitivity is"):
        assert words in paper
    # formulas are lines on paper, each with an outline
    assert all(len(outline(tex).codes) for tex in formulas)


def test_the_pages_are_those_of_what_was_used(qapp):
    session = reported.on_column(query="mean", method="laplace")
    release(session)
    report, _, _ = both_of(reported.request_of(session, figures=False))
    titles = [section.title for section in report.sections if section.level == 3]
    assert titles[1:] == ["Query: Mean", "Method: Global sensitivity, Laplace"]
