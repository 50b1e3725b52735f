"""Build the site of the documentation with Sphinx, in the environment: `docs.py` is its door."""

import io
import shutil
import sys
import tempfile
from pathlib import Path

from docs_pages import ROOT, write_pages
from docs_reference import write_reference
from sphinx.application import Sphinx

from engine import __version__

SETTINGS = {
    "project": "Sensiscope",
    "author": "The Sensiscope authors",
    "copyright": "The Sensiscope authors, MIT licence",
    "version": __version__,
    "release": __version__,
    "extensions": ["myst_parser", "docs_formulas"],
    "html_math_renderer": "mathml",
    "html_theme": "furo",
    "html_title": "Sensiscope",
    "html_favicon": "resources/icons/sensiscope.svg",
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_last_updated_fmt": None,
    "language": "en",
    "myst_enable_extensions": ["dollarmath"],
    "myst_heading_anchors": 3,
    "highlight_language": "text",
    "pygments_style": "a11y-high-contrast-light",
}

STYLE = """<style>
.formula { overflow-x: auto; }
@media print { pre { white-space: pre-wrap; } .formula { overflow: visible; } }
</style>"""
MENDED = (
    ("</head>", f"{STYLE}</head>"),
    # what screen readers and keyboards need, and the theme leaves out
    ('class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"'),
    ('<aside class="sidebar-drawer"', '<aside class="sidebar-drawer" aria-label="Pages"'),
    ('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
    ("<pre>", '<pre tabindex="0">'),
    ('<th class="head"><p></p></th>', '<td class="head"></td>'),
)
"""What is put right in each page, and how."""


def build(out: Path) -> list[str]:
    """Build the site into a folder; return the warnings, of which there should be none."""
    shutil.rmtree(out, ignore_errors=True)
    warnings = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        reference = write_reference(source)
        write_pages(source, reference)
        trees = Path(folder) / "trees"
        site = Sphinx(
            source, None, out, trees, "html", SETTINGS, status=None, warning=warnings, freshenv=True
        )
        site.build()
    for page in out.rglob("*.html"):
        text = page.read_text("utf-8")
        for old, new in MENDED:
            text = text.replace(old, new)
        page.write_text(text, "utf-8")
    return [line for line in warnings.getvalue().splitlines() if line.strip()]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    found = build(target)
    print(*found, sep="\n", file=sys.stderr)
    print(f"{len(list(target.rglob('*.html')))} pages in {target / 'index.html'}")
    sys.exit(bool(found))
