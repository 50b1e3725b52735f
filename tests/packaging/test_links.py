"""Links of the README, the guides and the files beside them lead to something."""

import re
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_every_link_of_a_guide_leads_to_a_file(root: Path) -> None:
    guides = [*root.glob("*.md"), *(root / ".github").glob("*.md"), *root.glob("resources/guides/*.md")]
    guides += [root / "app" / "README.md", root / "engine" / "README.md"]
    broken = [
        f"{guide.relative_to(root)}: {target}"
        for guide in guides
        for target in LINK.findall(guide.read_text(encoding="utf-8"))
        if not target.startswith(("https://", "#")) and not (guide.parent / target.partition("#")[0]).exists()
    ]
    assert not broken


def test_every_guide_is_linked_from_the_readme(root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    guides = [guide.relative_to(root).as_posix() for guide in root.glob("resources/guides/*.md")]
    assert guides
    assert [guide for guide in guides if f"({guide})" not in readme] == []
