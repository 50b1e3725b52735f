"""Build the site of the documentation with Sphinx, in the environment: `docs.py` starts this."""

import io
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.application import Sphinx

from app.commands.main import COMMANDS, verb_parser
from app.model.texts.pages import fill_fields, text_numbers

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "packaging" / "site"
"""The pages that only the site has, and its settings."""

PAGES = (
    "*.md",
    ".github/CO*.md",
    ".github/SECURITY.md",
    "app/README.md",
    "engine/README.md",
    "resources/guides/*.md",
    "resources/help/*/*.md",
)
FILES = (
    "resources/screenshots/*",
    "resources/icons/sensiscope.svg",
    "resources/schemas/*",
    "tests/packaging/plugin/**/*",
    "LICENSE",
)
"""Pictures, and other targets of links."""

HISTORY = re.compile(r"^\[[^\]]+\]: \.\./.*\n", re.MULTILINE)
"""Links of the changelog into the history of the repository, which the site does not have."""

MONEY = "---\nmyst:\n  enable_extensions: []\n---\n"
"""Above a page in which a dollar is a dollar; help pages write formulas between dollars."""

SEARCHED = {
    "csv": "resources/help/topics/opening-files",
    "excel": "resources/help/topics/opening-files",
    "epsilon": "resources/help/topics/how-large-epsilon",
    "group by": "resources/guides/recipes#Median by group",
    "histogram": "resources/help/topics/histogram",
    "budget": "resources/help/topics/budget-and-composition",
    "install": "README",
    "median": "resources/help/queries/median",
    "percentile": "resources/help/queries/quantile",
    "publish": "resources/help/topics/what-to-publish",
    "sensitivity": "resources/help/topics/sensitivity",
    "smooth sensitivity": "resources/help/topics/sensitivity",
}
"""Words that people search, each with the page, and its heading, that comes first."""

REPAIRS = (
    # for screen readers and keyboards, which the theme forgets
    ('class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"'),
    ('<aside class="sidebar-drawer"', '<aside class="sidebar-drawer" aria-label="Pages"'),
    ('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
    ("<pre>", '<pre tabindex="0">'),
    ('<th class="head"><p></p></th>', '<td class="head"></td>'),
)

BACK = re.compile(r"(names/(sensiscope\.engine[\w.]+\.(\w+))\.html#)sensiscope\.\3")
"""Links from sources to classes that `sensiscope` itself does not list; Sphinx leaves out their modules."""


def stage(source: Path) -> None:
    """Copy all pages into the folder that Sphinx reads, with their places, so that links hold."""
    for file in (file for pattern in (*PAGES, *FILES) for file in ROOT.glob(pattern) if file.is_file()):
        place = file.relative_to(ROOT)
        (source / place).parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md" and "tests" not in place.parts:
            text = staged(place, file.read_text("utf-8"))
            (source / place).write_text(text, encoding="utf-8")
        else:
            shutil.copy(file, source / place)
    shutil.copytree(SITE, source, dirs_exist_ok=True)
    (source / "reference" / "command-line.md").write_text(command_line(), encoding="utf-8")


def staged(place: Path, text: str) -> str:
    """Return a page as Sphinx reads it."""
    path = place.with_suffix("").as_posix()
    for word, target in SEARCHED.items():
        page, _, heading = target.partition("#")
        if page == path:
            at = re.compile(rf"^#+ {re.escape(heading)}.*\n", re.MULTILINE)
            text = at.sub(rf"\g<0>\n```{{index}} ! {word}\n```\n", text, count=1)
    if "help" not in place.parts:
        return MONEY + HISTORY.sub("", text)
    text = fill_fields(text, text_numbers("help").get("/".join(place.with_suffix("").parts[-2:]), {}))
    return re.sub(r"\]\(help:([\w/-]+)\)", r"](../\1.md)", text)


def command_line() -> str:
    """Return a page with all options of all verbs."""
    os.environ["COLUMNS"] = "88"  # of the help
    guide = "[The command line](../resources/guides/command-line.md) shows typical commands."
    verbs = [f"## {verb}\n\n```\n{verb_parser(verb).format_help()}```" for verb in COMMANDS]
    return "\n\n".join(["# Options of the command line", guide, *verbs, ""])


def build(out: Path) -> list[str]:
    """Build the site into a folder; return the warnings, of which there should be none."""
    shutil.rmtree(out, ignore_errors=True)
    warnings = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        stage(source)
        trees = Path(folder) / "trees"
        Sphinx(source, source, out, trees, "html", status=None, warning=warnings, freshenv=True).build()
    for page in out.rglob("*.html"):
        text = page.read_text("utf-8")
        for old, new in REPAIRS:
            text = text.replace(old, new)
        text = BACK.sub(r"\1\2", text)
        page.write_text(text, "utf-8")
    return [line for line in warnings.getvalue().splitlines() if line.strip()]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    found = build(target)
    print(*found, sep="\n", file=sys.stderr)
    print(f"{len(list(target.rglob('*.html')))} pages in {target / 'index.html'}")
    sys.exit(bool(found))
