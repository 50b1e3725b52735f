"""The examples in docstrings of the app are true."""

from pathlib import Path

import pytest
from examples import run_examples

ROOT = Path(__file__).resolve().parents[2]
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "app").rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


def test_there_are_examples():
    assert "app.model.kinds.category_choice" in WITH_EXAMPLES
    assert "app.export.script.expressions" in WITH_EXAMPLES


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name):
    tried = run_examples(name)
    assert tried.attempted > 0
    assert tried.failed == 0
