"""Writes ``resources/numbers``: ``python -P …/text_numbers/__main__.py [help] [lessons] [TEXT …]``."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from text_numbers import KINDS, write  # noqa: E402

texts = [word for word in sys.argv[1:] if word not in KINDS]
for kind in [word for word in sys.argv[1:] if word in KINDS] or KINDS:
    write(kind, texts)
