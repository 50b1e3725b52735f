"""Report and site in a real browser: nothing fails, nothing is asked of another host."""

import io
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from pypdf import PdfReader

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt-get install chromium"),
]
ROOT = Path(__file__).resolve().parents[3]
PAPERS = {"A4": (8.27, 11.69), "Letter": (8.5, 11.0)}
SITE = (
    "index",
    "gallery",
    "reference/names/sensiscope.Median",
    "reference/queries",
    "resources/guides/recipes",
    "resources/guides/tour",
    "resources/help/methods/exponential",
    "search",
)
WITHOUT_PICTURES = (
    "index",
    "reference/names/sensiscope.Median",
    "reference/queries",
    "resources/guides/recipes",
    "search",
)


@pytest.fixture(scope="module")
def browser():
    with Browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(median, tmp_path_factory):
    """The pages to look at, by name: the report, and some of the site."""
    folder = tmp_path_factory.mktemp("pages")
    found = {"report": folder / "report.html"}
    found["report"].write_text(median[1]["release"][1], "utf-8")
    build = [sys.executable, ROOT / "packaging" / "docs_site.py"]
    subprocess.run([*build, folder / "site"], check=True, capture_output=True)
    return found | {name: folder / "site" / f"{name}.html" for name in SITE}


NAMES = ("report", *SITE)


def test_a_page_with_faults_is_found_out(browser, axe, tmp_path):
    planted = tmp_path / "planted.html"
    planted.write_text(
        "<img src='http://example.org/dot.png'><script>console.error('planted')</script>", "utf-8"
    )
    browser.open(planted)
    assert "http://example.org/dot.png" in browser.requests
    assert any("planted" in fault for fault in browser.faults)
    assert {"document-title", "image-alt"} <= {found.partition(" ")[0] for found in browser.axe(axe)}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_fails_and_no_other_host_is_asked(browser, pages, name):
    for dark in (False, True):
        browser.open(pages[name], dark=dark)
        assert browser.faults == []
        assert [each for each in browser.requests if not each.startswith(("file:", "data:"))] == []
        color = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        red, green, blue = map(int, re.findall(r"\d+", color))
        assert (max(red, green, blue) < 64) if dark else (min(red, green, blue) > 192)


@pytest.mark.parametrize("name", NAMES)
def test_formulas_and_pictures_are_there_and_fit(browser, pages, name):
    for width in (1280, 480):
        browser.open(pages[name], width=width)
        assert browser.evaluate("document.documentElement.scrollWidth") <= width
    drawn = browser.evaluate("document.querySelectorAll('main svg, main img, article img, math').length")
    assert drawn > 0 or name in WITHOUT_PICTURES
    broken = "[...document.images].filter(i => !(i.complete && i.naturalWidth)).map(i => i.src)"
    assert browser.evaluate(broken) == []
    sizes = "[...document.querySelectorAll('math')].map(m => m.getBoundingClientRect().height)"
    assert all(height > 3 for height in browser.evaluate(sizes))
    if name.endswith("exponential"):
        assert browser.evaluate("document.querySelectorAll('math').length") > 20


@pytest.mark.parametrize("name", NAMES)
def test_landmarks_contrast_and_names_are_those_that_axe_asks_for(browser, pages, axe, name):
    for dark in (False, True):
        browser.open(pages[name], dark=dark)
        assert browser.axe(axe) == []


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("median", "resources/help/queries/median"),
        ("smooth sensitivity", "resources/help/topics/sensitivity"),
        ("group by", "resources/guides/recipes"),
        ("csv", "resources/help/topics/opening-files"),
    ],
)
def test_the_search_of_the_site_finds_the_page_first(browser, pages, words, page):
    browser.open(pages["index"].with_name("search.html"))
    first = "document.querySelector('#search-results ul.search a')?.getAttribute('href')"
    browser.evaluate(f"Search.performSearch({words!r})")
    until = time.monotonic() + 30
    while (target := browser.evaluate(first)) is None and time.monotonic() < until:
        time.sleep(0.1)
    assert target.partition("#")[0] == f"{page}.html"


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["report", "resources/help/methods/exponential"])
def test_it_is_printed_on_either_paper(browser, pages, name, paper):
    browser.open(pages[name], dark=True)
    printed = PdfReader(io.BytesIO(browser.printed(*PAPERS[paper])))
    box = printed.pages[0].mediabox
    assert [float(box.width) / 72, float(box.height) / 72] == pytest.approx(PAPERS[paper], abs=0.02)
    title = browser.evaluate("document.querySelector('h1').innerText").split()[0]
    assert title in printed.pages[0].extract_text()
