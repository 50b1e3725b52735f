"""The pages of the site that lie in the project: they keep their places, so that their links hold."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GUIDES, HELP = Path("resources/guides"), Path("resources/help")
ALSO = ("CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", "engine/README.md", "app/README.md")
TUTORIAL = ("tour",)
FILES = ("resources/screenshots", "resources/icons/sensiscope.svg", "tests/packaging/plugin", "LICENSE")
"""What pages show, or link to as files."""

LINKS_OF_VERSIONS = re.compile(r"^\[[^\]]+\]: \.\./.*\n", re.MULTILINE)
"""Into the history of the project, which is no part of the site."""

CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def write_pages(source: Path, reference: list[str]) -> None:
    """Write all pages into the folder that Sphinx reads; `reference` are those of the API, by path."""
    for name in FILES:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    for page in (ROOT / HELP).rglob("*.md"):
        up = "../" if page.parent != ROOT / HELP else ""
        text = re.sub(r"\]\(help:([\w/-]+)\)", rf"]({up}\1.md)", page.read_text("utf-8"))
        _write(source / page.relative_to(ROOT), text)
    for place in (*(GUIDES / guide.name for guide in (ROOT / GUIDES).glob("*.md")), *map(Path, ALSO)):
        text = LINKS_OF_VERSIONS.sub("", (ROOT / place).read_text("utf-8"))
        _write(source / place, without_formulas(text))
    _write(source / "index.md", _index(reference))


def without_formulas(text: str) -> str:
    """Return a page in which a dollar is money, as in all but the help."""
    parts = CODE.split(text)
    return "".join(part if CODE.fullmatch(part) else part.replace("$", "\\$") for part in parts)


def _index(reference: list[str]) -> str:
    """Return the README, with all pages of the site behind it."""
    readme = without_formulas((ROOT / "README.md").read_text("utf-8"))
    guides = sorted(page.stem for page in (ROOT / GUIDES).glob("*.md"))
    topics = sorted((ROOT / HELP / "topics").glob("*.md"), key=lambda page: page.stem != "start")
    parts = sorted(
        folder for folder in (ROOT / HELP).iterdir() if folder.is_dir() and folder.name != "topics"
    )
    return "\n\n".join(
        [
            readme,
            _tree("Tutorial", (f"{GUIDES}/{name}" for name in TUTORIAL)),
            _tree("How-to guides", (f"{GUIDES}/{name}" for name in guides if name not in TUTORIAL)),
            _tree("Explanation", (f"{HELP}/topics/{page.stem}" for page in topics)),
            *(
                _tree(
                    part.name.capitalize(),
                    (f"{HELP}/{part.name}/{page.stem}" for page in sorted(part.glob("*.md"))),
                )
                for part in parts
            ),
            _tree("Python reference", reference),
            _tree("Project", (Path(name).with_suffix("").as_posix() for name in ALSO)),
        ]
    )


def _tree(title: str, pages: Iterable[str]) -> str:
    lines = "\n".join(f"/{page}" for page in pages)
    return f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n{lines}\n```"


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
