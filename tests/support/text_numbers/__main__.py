"""Writes ``resources/numbers``: ``python -P tests/support/text_numbers/__main__.py [help] [lessons]``."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from text_numbers import KINDS, write  # noqa: E402

for kind in sys.argv[1:] or KINDS:
    write(kind)
