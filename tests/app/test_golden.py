"""Everything that the program shows and answers is as it was kept in `tests/golden`."""

import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parents[1] / "support" / "golden.py"


@pytest.mark.slow
@pytest.mark.parametrize("part", ["commands", "pictures", "sanitizations", "scripts"])
def test_nothing_differs_from_what_was_kept(part):
    compared = subprocess.run(
        [sys.executable, GOLDEN, "compare", "--only", part], capture_output=True, text=True, check=False
    )
    assert compared.returncode == 0, compared.stdout[-20_000:] + compared.stderr[-2_000:]
