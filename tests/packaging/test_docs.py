"""The site of the documentation: it is built without a warning, all links hold, formulas are there."""

import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urldefrag

import pytest

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
def test_every_help_page_guide_and_public_name_is_there_with_its_formulas(site: Path, root: Path) -> None:
    import engine

    resources = root / "resources"
    for text in [*(resources / "help").rglob("*.md"), *(resources / "guides").glob("*.md")]:
        page = Links((site / text.relative_to(root).with_suffix(".html")).read_text("utf-8"))
        assert (
            page.formulas or "$" not in text.read_text("utf-8").replace("\\$", "") or "guides" in text.parts
        )
    reference = "".join(page.read_text("utf-8") for page in (site / "reference").glob("*.html"))
    assert [name for name in engine._HOMES if f"<h2>{name}<" not in reference] == []
    assert "<merror" not in "".join(page.read_text("utf-8") for page in site.rglob("*.html"))


def test_docstrings_become_markdown_with_links(script: Script) -> None:
    text = """Do it, as `Median` does; x_1 * 2 < 3.

    Parameters
    ----------
    value : float
        How much.

    Examples
    --------
    >>> 1 + 1
    2
    """
    lines = [line.removeprefix("    ") for line in text.splitlines()]
    found = script("docs_reference").markdown("\n".join(lines), {"Median": "api-7"})
    assert found.splitlines() == [
        "Do it, as [`Median`](#api-7) does; x\\_1 \\* 2 \\< 3.",
        "",
        "**Parameters**",
        "",
        "- `value` (float)",
        "  How much.",
        "",
        "**Examples**",
        "",
        "```pycon",
        ">>> 1 + 1",
        "2",
        "```",
    ]


def test_a_constant_says_what_it_is_and_holds(script: Script) -> None:
    entry = script("docs_reference")._entry
    assert entry("QUERIES", {"Median": "api-7"}).startswith(
        "Every query, by name.\n\n- `median`: [`Median`](#api-7)\n"
    )
    assert entry("NO_PROMISE", {}).startswith("The cost of a release that is not")
    assert entry("certify", {}).startswith("```python\ndef certify(")


def test_a_dollar_is_money_outside_of_help(script: Script) -> None:
    assert script("docs_pages").without_formulas("19 $ and `$x`") == "19 \\$ and `$x`"
