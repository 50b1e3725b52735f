"""There is a page about everything in the catalog, and nothing else; links lead to pages that are there."""

import pytest

from app.model.texts.pages import KINDS, TOPICS, pages, titles
from app.model.wording.components import KIND_WORDS
from engine.resources import resource


@pytest.mark.parametrize("kind", [words.plural for words in KIND_WORDS.values()])
def test_everything_in_the_catalog_has_a_page(kind: str) -> None:
    found, bad = pages()
    assert [str(error) for error in bad] == []
    there = {page.name: page.title for page in found.values() if page.kind == kind}
    assert sorted(there) == sorted(titles(kind))
    assert len(set(there.values())) == len(there)


def test_links_lead_to_pages_that_are_there() -> None:
    found, _ = pages()
    lost = [
        f"{page.source}, line {block.line}: {run.target}"
        for page in found.values()
        for block in page.blocks
        for run in block.all_runs
        if run.target.startswith("help:") and run.target.removeprefix("help:") not in found
    ]
    assert lost == []


def test_every_topic_can_be_reached_from_the_first_page() -> None:
    found, _ = pages()
    reached, waiting = set(), ["topics/start"]
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            runs = (run for block in found[key].blocks for run in block.all_runs)
            targets = (run.target.removeprefix("help:") for run in runs if run.target.startswith("help:"))
            waiting += [target for target in targets if target in found]
    assert {key for key in found if key.startswith(TOPICS)} <= reached


def test_no_folder_of_pages_is_forgotten() -> None:
    folders = {path.name for path in resource("help").iterdir() if path.is_dir()}
    assert folders == {*KINDS, "decisions"}
