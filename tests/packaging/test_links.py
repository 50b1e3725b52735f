"""Links of the README, the guides and the files beside them lead to something."""

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"https://[^\s)>\"'`]+")
GONE = (404, 410)
PLACEHOLDERS = ("example.org", "example.com", "127.0.0.1", "localhost")


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


def problem_of(address: str) -> str:
    """Return why an address leads nowhere; "" if it may lead to a page (some refuse programs)."""
    try:
        with urlopen(Request(address, headers={"User-Agent": "Mozilla/5.0"}), timeout=30):
            return ""
    except HTTPError as error:
        return f"{address}: {error.code}" if error.code in GONE else ""
    except (URLError, TimeoutError, ConnectionError) as error:
        unknown = isinstance(error, URLError) and isinstance(error.reason, socket.gaierror)
        return f"{address}: there is no such host" if unknown else ""


@pytest.mark.slow
def test_every_link_to_another_site_leads_to_a_page(root: Path) -> None:
    texts = [*root.glob("*.md"), *root.glob(".github/**/*.md"), *root.glob("resources/**/*.md")]
    texts += [*root.glob("*/README.md"), *root.glob("resources/**/*.toml")]
    found = {one.rstrip(".,;:") for text in texts for one in ADDRESS.findall(text.read_text("utf-8"))}
    addresses = sorted(one for one in found if urlsplit(one).hostname not in PLACEHOLDERS)
    hosts = {str(urlsplit(one).hostname) for one in addresses}
    if not any(is_known(host) for host in hosts):
        pytest.skip("no other site can be reached from here")
    with ThreadPoolExecutor(8) as pool:
        assert [problem for problem in pool.map(problem_of, addresses) if problem] == []


def is_known(host: str) -> bool:
    """Tell whether a host has an address."""
    try:
        return bool(socket.getaddrinfo(host, 443))
    except OSError:
        return False
