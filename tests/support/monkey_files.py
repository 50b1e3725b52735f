"""Files for the monkey to open: good ones, bad ones, and those that only look like something."""

import gzip
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def write_files(folder: Path) -> list[Path]:
    """Write all of them into a folder; return where they are."""
    rng = np.random.default_rng(1)
    people = "age,income,city\n" + "".join(
        f"{age},{income:.2f},{city}\n"
        for age, income, city in zip(
            rng.integers(18, 90, 400),
            rng.lognormal(10, 1, 400),
            rng.choice(["Bern", "Genf", "Basel"], 400),
            strict=True,
        )
    )
    points = rng.normal(size=(900, 3)).clip(-3, 3)
    texts = {
        "people.csv": people,
        "points.csv": "x,y,z\n" + "\n".join(",".join(f"{value:.5f}" for value in row) for row in points),
        "edges.csv": "source,target,weight\n"
        + "\n".join(f"v{a},v{b},{(a * 7 + b) % 10}" for a in range(20) for b in range(a) if (a + b) % 3),
        "one_record.csv": "x\n5\n",
        "equal.csv": "x,y\n" + "3,3\n" * 50,
        "empty.csv": "",
        "header_only.csv": "x,y\n",
        "not_finite.csv": "x\n1\nnan\ninf\n-inf\n1e308\n-1e308\n",
        "text.csv": "x\none\ntwo\n",
        "cut.csv": people[: len(people) // 2],
        "ragged.csv": "a,b\n1,2\n1\n1,2,3\n",
        "strange_names.csv": '"",<b>bold</b>,"two\nlines",a,a\n1,2,3,4,5\n6,7,8,9,10\n',
        "lines.jsonl": "\n".join(json.dumps({"x": float(x), "y": int(y)}) for x, y, _ in points * 10),
        "session.sensiscope": '{"format": 3, "program": "0", "key": "", "pages": {}}',
        "number.sensiscope": "7",
        "function.py": "def mean_of(points):\n    return points.mean(axis=0)\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    pq.write_table(pa.table({"x": points[:, 0], "y": points[:, 1]}), folder / "points.parquet")
    whole = (folder / "points.parquet").read_bytes()
    (folder / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    (folder / "noise.bin").write_bytes(rng.bytes(3000))
    (folder / "latin.csv").write_bytes("größe\n1\n2\n".encode("latin-1"))
    (folder / "people.csv.gz").write_bytes(gzip.compress(people.encode()))
    (folder / "folder.csv").mkdir()
    return [*sorted(folder.iterdir()), folder / "missing.csv"]
