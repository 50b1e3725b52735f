"""The site of the documentation: it is built without a warning, and people find in it what they need."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urldefrag

import pytest
from sphinx.util.inventory import InventoryFile

Script = Callable[[str], ModuleType]


class Links(HTMLParser):
    """The targets and anchors of a page, and what it loads by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.formulas = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        known = dict(attributes)
        self.anchors |= {known["id"]} if known.get("id") else set()
        self.formulas += tag == "math"
        if tag == "a" and known.get("href"):
            self.targets.append(known["href"])
        elif tag in ("img", "script", "link", "iframe", "source"):
            self.loaded += [known[name] for name in ("src", "href") if known.get(name)]


def is_outside(target: str) -> bool:
    return target.partition(":")[0] in ("http", "https", "mailto")


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built by its command."""
    out = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, root / "packaging" / "docs_site.py", out]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (found.returncode, found.stderr.strip()) == (0, "")
    return out


@pytest.mark.slow
def test_all_links_hold_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = {page: Links(page.read_text("utf-8")) for page in site.rglob("*.html")}
    assert len(pages) > 120
    lost = []
    for page, links in pages.items():
        assert [loaded for loaded in links.loaded if is_outside(loaded) or loaded.startswith("//")] == []
        for target in [*links.targets, *links.loaded]:
            if is_outside(target) or target.startswith("data:"):
                continue
            file, anchor = urldefrag(target)
            place = (page.parent / unquote(file).partition("?")[0]).resolve() if file else page
            if not place.exists() or (anchor and place in pages and anchor not in pages[place].anchors):
                lost.append(f"{page.relative_to(site)}: {target}")
    assert lost == []


@pytest.mark.slow
def test_every_help_page_and_guide_is_there_with_its_formulas(site: Path, root: Path) -> None:
    resources = root / "resources"
    for text in [*(resources / "help").rglob("*.md"), *(resources / "guides").glob("*.md")]:
        page = Links((site / text.relative_to(root).with_suffix(".html")).read_text("utf-8"))
        assert (
            page.formulas or "$" not in text.read_text("utf-8").replace("\\$", "") or "guides" in text.parts
        )
    whole = "".join(page.read_text("utf-8") for page in (site / "resources" / "help").rglob("*.html"))
    assert "<merror" not in whole
    assert (
        re.findall(r"\{[a-z_0-9]+(?::[^}<]*)?\}", re.sub(r"<(pre|code).*?</\1>", "", whole, flags=re.DOTALL))
        == []
    )


@pytest.mark.slow
def test_every_public_name_can_be_linked_from_other_sites(site: Path) -> None:
    import engine

    with (site / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda _, page: page)
    there = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    assert {f"sensiscope.{name}" for name in engine._HOMES} <= there
    assert "sensiscope.Median.smooth_sensitivity" in there
    assert "sensiscope.engine.questions.session.BudgetSession.group_by" in there
    source = (site / "_modules" / "engine" / "queries" / "order_statistics.html").read_text("utf-8")
    assert 'id="Median"' in source


@pytest.mark.slow
def test_what_people_search_for_comes_first(site: Path, script: Script) -> None:
    """A main entry of the index counts more than any title or text; a browser is asked in another test."""
    index = json.loads((site / "searchindex.js").read_text("utf-8").partition("(")[2].rstrip(");\n"))
    for word, target in script("docs_site").SEARCHED.items():
        mains = [index["docnames"][page] for page, _, is_main in index["indexentries"][word] if is_main]
        assert mains == [target.partition("#")[0]]


NEWCOMERS = {
    "How do I install it?": "README",
    "How do I ask a first question?": "resources/guides/first-steps",
    "How do I open a CSV file?": "resources/help/topics/opening-files",
    "How do I get medians by group?": "resources/guides/recipes",
    "How large must ε be?": "resources/help/topics/how-large-epsilon",
    "Which method should I use?": "resources/help/topics/which-method",
    "What is smooth sensitivity?": "resources/help/topics/sensitivity",
    "May I publish this table?": "resources/help/topics/what-to-publish",
    "Can I show it to students?": "resources/help/topics/teaching",
    "Which arguments has Median?": "reference/names/sensiscope.Median",
    "How do I write my own mechanism?": "resources/guides/write-your-own",
}
"""Questions, each with the page that answers it."""

MAX_CLICKS = 2


@pytest.mark.slow
def test_newcomers_find_their_page_in_two_clicks(site: Path) -> None:
    """The side bar does not count: it has everything."""
    clicks, newest = {"index": 0}, ["index"]
    while newest:
        reached = []
        for page in newest:
            text = (site / f"{page}.html").read_text("utf-8")
            article = text[text.index('<article role="main"') : text.index("</article>")]
            for target in Links(article).targets:
                file = urldefrag(target)[0]
                if not file.endswith(".html") or is_outside(target):
                    continue
                place = ((site / page).parent / unquote(file)).resolve()
                name = place.relative_to(site.resolve()).with_suffix("").as_posix()
                if name not in clicks and place.exists():
                    clicks[name] = clicks[page] + 1
                    reached.append(name)
        newest = reached
    assert {question: page for question, page in NEWCOMERS.items() if clicks.get(page, 9) > MAX_CLICKS} == {}


def test_every_public_name_has_its_place_in_the_reference(root: Path) -> None:
    import engine

    listed: list[str] = []
    for page in (root / "packaging" / "site" / "reference").glob("*.rst"):
        if "autosummary::" in (text := page.read_text("utf-8")):
            listed += re.findall(r"^   (\w+)$", text, re.MULTILINE)
    assert sorted(listed) == sorted({*engine._HOMES, "view"})


def test_the_side_bar_begins_with_few_entries(root: Path) -> None:
    text = (root / "packaging" / "site" / "index.md").read_text("utf-8")
    [tree] = re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)
    assert len([line for line in tree.splitlines() if line and not line.startswith(":")]) <= 9


def test_a_page_is_staged_with_its_numbers_links_and_searched_words(script: Script) -> None:
    staged = script("docs_site").staged
    text = staged(Path("resources/help/queries/median.md"), "# Median\n\n[x](help:noises/laplace) {n}\n")
    assert text == "# Median\n\n```{index} ! median\n```\n\n[x](../noises/laplace.md) 10,001\n"
    assert staged(Path("README.md"), "costs 19 $").endswith("\n---\ncosts 19 $")
