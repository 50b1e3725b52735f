"""Contents, search, and pages as plain lines."""

from app.help.index import contents, search
from app.model.texts.pages import KINDS, page
from app.model.texts.plain import page_text


def test_contents_go_kind_by_kind_in_the_order_of_the_catalog() -> None:
    kinds = [heading.kind for heading in contents()]
    assert kinds == sorted(kinds, key=list(KINDS).index)
    assert all(heading.title and heading.summary for heading in contents())
    assert "queries/median" in [heading.key for heading in contents()]
    groups = {heading.key: heading.group for heading in contents()}
    assert groups["topics/start"] == groups["topics/which-method"] == "Common questions"
    assert groups["topics/bounds"] == "First steps"
    assert groups["queries/median"] == "Queries"
    assert "Topics" not in groups.values()  # the first page links all of them


def test_search_finds_titles_first_then_words_anywhere_in_formulas_too() -> None:
    assert search("median")[0].heading.key == "queries/median"
    assert search("MEDIAN lecture slide")[0].heading.key == "queries/median"
    by_name, by_letter = search("knot beta"), search("knot β")
    assert [hit.heading.key for hit in by_name] == [hit.heading.key for hit in by_letter]
    assert "noises/lcp" in [hit.heading.key for hit in by_name]
    assert "knot" in next(hit for hit in search("knot") if hit.heading.key == "noises/lcp").excerpt
    assert search("") == search("   ") == search("xyzzy") == ()


def test_page_as_plain_lines_keeps_to_its_width() -> None:
    text = page_text(page("queries", "median"), 80)
    lines = text.splitlines()
    assert lines[0] == "Median"
    assert "ERRORS IN THE LITERATURE" in lines
    assert "    A^(k)(x) = max_(0 ≤ t ≤ k+1) (x_(m+t) - x_(m+t-k-1))" in lines
    assert all(len(line) <= 80 for line in lines if not line.startswith("    "))
    assert not any(sign in text for sign in ("$", "**", "](", "\\"))
