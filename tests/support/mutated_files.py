"""Damaged files of all formats, written by the libraries themselves and then changed; and how they are read.

``python -P tests/support/mutated_files.py FOLDER FIRST COUNT SEEDS`` reads some of them, one after the other,
and prints what went wrong as JSON: an exception that is no `SensiscopeError`, text on a standard stream, more
than `SECONDS` of a processor for one file, and how much memory all this process and its own took at most.
"""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import pickle
import random
import resource
import sqlite3
import struct
import sys
import traceback
import zipfile
from pathlib import Path

SECONDS = 10.0
EXTREMES = [
    struct.pack(layout, value)
    for layout, values in {
        "<i": (-1, 2**31 - 1, -(2**31), 2**20, 0),
        ">i": (2**31 - 1, 2**20),
        "<q": (-1, 2**63 - 1, 2**33),
        "<d": (1e308, float("nan"), -1e300),
        "<H": (2**16 - 1,),
        "B": (255, 128, 0),
    }.items()
    for value in values
]
TEXTS = [
    *(b"\x00", b"\xff\xfe", b"\xe9", b'"', b'"""', b",,", b"\n\n", b"\r", b"1e999", b"-", b"'", b"{" * 80),
    *(b"[" * 3000, b"9" * 5000, b"<", b"&x;", b"]]>", b"null", b"\\u12", b"\xef\xbb\xbf", b"#" * 9, b"\t"),
]


def seeds(folder):
    """Return small files of all formats, by their names; they are written by the real libraries."""
    import duckdb
    import pandas as pd
    import pyarrow as pa
    import pyreadstat
    import xlwt
    from pyarrow import feather, orc, parquet

    count = 30
    frame = pd.DataFrame(
        {
            "age": range(count),
            "pay": [100.5 * number for number in range(count)],
            "dept": [("red", "green", "blue")[number % 3] for number in range(count)],
            "born": pd.date_range("1970-01-31", periods=count, freq="97D"),
        }
    )
    table = pa.Table.from_pandas(frame, preserve_index=False)
    made = {
        "a.csv": frame.to_csv(index=False).encode(),
        "b.tsv": frame.to_csv(index=False, sep="\t").encode(),
        "c.csv": frame.to_csv(index=False, sep=";", decimal=",").encode("utf-16"),
        "d.csv": ("x;y\n" + "".join(f'"{n},5";"$1,{n:03d}.50"\n' for n in range(count))).encode(),
        "e.jsonl": frame.to_json(orient="records", lines=True, date_format="iso").encode(),
        "f.json": frame.to_json(orient="records", date_format="iso").encode(),
        "g.graphml": _graphml(count),
    }

    def written(name, write):
        write(str(folder / name))
        made[name] = (folder / name).read_bytes()
        (folder / name).unlink()

    def workbook(path):
        book = xlwt.Workbook()
        sheet = book.add_sheet("people")
        for row, cells in enumerate([list(frame), *frame.values.tolist()]):
            for column, cell in enumerate(cells):
                sheet.write(row, column, cell.to_pydatetime() if hasattr(cell, "to_pydatetime") else cell)
        book.save(path)

    def stream(path):
        with pa.OSFile(path, "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
            writer.write_table(table)

    def sqlite(path):
        with contextlib.closing(sqlite3.connect(path)) as database:
            frame.assign(born=frame.born.astype(str)).to_sql("people", database, index=False)
            database.execute("CREATE VIEW v AS SELECT age FROM people")
            database.commit()

    def duck(path):
        with duckdb.connect(path) as database:
            database.register("frame", frame)
            database.execute("CREATE TABLE people AS SELECT * FROM frame")

    plain = frame.drop(columns="born")
    written("h.xlsx", lambda path: frame.to_excel(path, index=False))
    written("i.xls", workbook)
    made["j.ods"] = _ods(frame.astype(str).values.tolist())
    written("k.sav", lambda path: pyreadstat.write_sav(frame, path))
    written("l.sav", lambda path: pyreadstat.write_sav(plain, path, compress=True))
    written("m.dta", lambda path: pyreadstat.write_dta(frame, path))
    written("n.dta", lambda path: pyreadstat.write_dta(plain, path, version=8))
    written("o.xpt", lambda path: pyreadstat.write_xport(frame, path))
    written("p.sqlite", sqlite)
    written("q.duckdb", duck)
    written("r.parquet", lambda path: parquet.write_table(table, path))
    written(
        "s.parquet", lambda path: parquet.write_table(table, path, compression="zstd", use_dictionary=False)
    )
    written("t.feather", lambda path: feather.write_feather(table, path, compression="lz4"))
    written("u.feather", lambda path: feather.write_feather(table, path, compression="uncompressed"))
    written("v.orc", lambda path: orc.write_table(table, path))
    written("w.arrows", stream)
    made["x.csv.gz"] = gzip.compress(made["a.csv"], mtime=0)
    made["y.csv.bz2"] = bz2.compress(made["a.csv"])
    made["z.csv.xz"] = lzma.compress(made["a.csv"])
    made["0.csv.zst"] = pa.compress(made["a.csv"], codec="zstd", asbytes=True)
    made["1.zip"] = _zip({"people.csv": made["a.csv"]})
    made["2.zip"] = _zip({"people.parquet": made["r.parquet"]})
    written("3.por", lambda path: pyreadstat.write_por(plain.rename(columns=str.upper), path))
    attributes = "@attribute age numeric\n@attribute pay numeric\n@attribute dept string\n@data\n"
    made["4.arff"] = f"@relation people\n{attributes}{plain.to_csv(index=False, header=False)}".encode()
    made["5.csvy"] = b"---\nfields:\n- name: dept\n  type: string\n---\n" + made["a.csv"]
    return made


def mutated(made, number):
    """Return the name and the content of a file: one of those of `seeds`, changed."""
    chance = random.Random(number)
    name = chance.choice(list(made))
    content = made[name]
    packed = {"x.csv.gz": gzip.compress, "y.csv.bz2": bz2.compress, "z.csv.xz": lzma.compress}
    if name in packed and chance.random() < 0.3:  # whole to the library, and damaged inside
        return name, packed[name](_changed(made["a.csv"], chance))
    if name.endswith(("xlsx", "ods", "zip")) and chance.random() < 0.7:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {each: archive.read(each) for each in archive.namelist()}
        member = chance.choice(list(members))
        return name, _zip({**members, member: _changed(members[member], chance)})
    return name, _changed(content, chance)


def _changed(content, chance):
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8, 30))):
        place = chance.randrange(len(data) + 1)
        # the beginning and the end say what the rest means
        place = chance.choice((place, place, min(place, 200), max(0, len(data) - 1 - chance.randrange(200))))
        match chance.randrange(8):
            case 0 | 1 if data:
                data[min(place, len(data) - 1)] ^= 1 << chance.randrange(8)
            case 2:
                extreme = chance.choice(EXTREMES)
                data[place : place + len(extreme)] = extreme
            case 3:
                data[place:place] = chance.choice(TEXTS)
            case 4:
                del data[place : place + chance.choice((1, 4, 100, 2000))]
            case 5:
                data[place:place] = data[place : place + chance.choice((1, 8, 500))] * chance.choice(
                    (1, 2, 50)
                )
            case 6 if chance.random() < 0.3:
                del data[place:]
            case _:
                data[place : place + 4] = chance.randbytes(4)
    return bytes(data)


def _zip(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _ods(rows):
    cells = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            for cell in row
        )
        + "</table:table-row>"
        for row in [["age", "pay", "dept", "born"], *rows]
    )
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content{names}><office:body>'
        f'<office:spreadsheet><table:table table:name="people">{cells}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return _zip(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": content.encode(),
            "META-INF/manifest.xml": b"<manifest/>",
        }
    )


def _graphml(count):
    nodes = "".join(f'<node id="n{number}"/>' for number in range(count))
    edges = "".join(
        f'<edge source="n{number}" target="n{(number + 1) % count}"><data key="w">{number}</data></edge>'
        for number in range(count)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="w" for="edge" attr.name="weight" attr.type="double"/>'
        f'<graph edgedefault="undirected">{nodes}{edges}</graph></graphml>'
    ).encode()


def look(path):
    """Read a file as window and command line do; a message is one line."""
    from engine.data.large_files import stored_format
    from engine.data.reading import begin_reading, read_table
    from engine.errors import SensiscopeError
    from engine.extras.stored.opening import stored_table

    def attempt(work):
        try:
            work()
        except SensiscopeError as error:
            line = str(error)
            assert "\n" not in line, line
            assert len(line) < 1000, line
            assert any(name in line for name in (path.name, path.name.rpartition(".")[0], "people")), line

    def whole():
        table = read_table(path)
        assert table.columns
        table.preview(5)

    def stored():
        if stored_format(path) is not None:
            table = stored_table(path)
            numbers = [field.name for field in table.schema if str(field.type) in ("int64", "double")]
            for piece in range(len(table.sizes)):
                table.load(piece, numbers[:2])

    attempt(whole)
    attempt(stored)
    attempt(lambda: begin_reading(path))


def peak():
    """Return how many bytes this process has taken at most, or one that it has started."""
    # `RUSAGE_SELF` counts what the process had taken that has started this one
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    own = int(status["VmHWM"].split()[0])
    return 1024 * max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


def main(folder, first, count, made):
    """Read some files, and print what went wrong."""
    made = pickle.loads(Path(made).read_bytes())
    folder = Path(folder)
    wrong = []
    for number in range(first, first + count):
        (folder / "reached").write_text(str(number))
        name, content = mutated(made, number)
        path = folder / name
        path.write_bytes(content)
        before = sum(os.times()[:4])
        try:
            look(path)
        except BaseException as error:
            wrong.append([number, name, "".join(traceback.format_exception(error))[-1500:]])
        taken = sum(os.times()[:4]) - before
        if taken > SECONDS:
            wrong.append([number, name, f"it took {taken:.1f} s"])
        path.unlink()
    from engine.data.formats import apart

    apart.end_waiting()
    sys.stdout.write(json.dumps({"wrong": wrong, "peak": peak()}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
