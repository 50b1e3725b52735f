"""Files of other formats are refused by name, and never read as text."""

import io
import json
import pickle
import tarfile
import zipfile

import numpy as np
import pytest

from engine.data import read_table
from engine.errors import DataError

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def array():
    content = io.BytesIO()
    np.save(content, np.arange(3))
    return content.getvalue()


def archive(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, text in members.items():
            made.writestr(name, text)
    return content.getvalue()


def arrays():
    content = io.BytesIO()
    np.savez(content, x=np.arange(3))
    return content.getvalue()


def tar():
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as made:
        made.addfile(tarfile.TarInfo("a.csv"))
    return content.getvalue()


JSON_STAT = {"version": "2.0", "class": "dataset", "id": ["geo"], "size": [2], "value": [1, 2]}
CONTENT_TYPES = {"[Content_Types].xml": "<x/>"}
MYSQL = "-- MySQL dump 10.13\n\nDROP TABLE IF EXISTS `a`;\nCREATE TABLE a (x int);\n"

STRANGERS = {
    "a.pdf": ("%PDF-1.7\n", "it is a PDF document; save the table as CSV"),
    "a.h5": (b"\x89HDF\r\n\x1a\n" + bytes(99), "it is an HDF5 or NetCDF-4 file"),
    "a.nc": (b"CDF\x01" + bytes(99), "it is a NetCDF file"),
    "a.npy": (array(), "it is an array of NumPy"),
    "a.npz": (arrays(), "it is an archive of NumPy arrays"),
    "a.pkl": (pickle.dumps({"x": [1]}), "it is a Python pickle, which could run a program"),
    "old.pkl": (pickle.dumps([1, 2], protocol=0), "it is a Python pickle"),
    "a.mat": (b"MATLAB 5.0 MAT-file" + bytes(99), "it is a MATLAB file"),
    "a.dbf": (b"\x03\x7a\x01\x01" + bytes(60), "it is a dBase file"),
    "a.mdb": (b"\x00\x01\x00\x00Standard Jet DB" + bytes(50), "it is an Access database"),
    "a.avro": (b"Obj\x01" + bytes(50), "it is an Avro file"),
    "a.png": (b"\x89PNG\r\n\x1a\n", "it is a picture; a table is needed"),
    "a.gif": (b"GIF89a" + bytes(20), "it is a picture"),
    "a.tar": (tar(), "it is a tar archive; unpack it first"),
    "a.7z": (b"7z\xbc\xaf\x27\x1c" + bytes(20), "it is a 7-Zip archive"),
    "a.docx": (archive(**CONTENT_TYPES, **{"word/document.xml": ""}), "it is a Word document"),
    "a.pptx": (archive(**CONTENT_TYPES, **{"ppt/presentation.xml": ""}), "it is a presentation"),
    "a.doc": (OLE + bytes(500) + "WordDocument".encode("utf-16-le"), "it is a Word document"),
    "a.zip": (archive(**{"a.png": "", "b.jpg": ""}), "it is an archive of pictures"),
    "stat.json": (json.dumps(JSON_STAT), "it is JSON-stat and no list of records; write one object per line"),
    "lines.json": (json.dumps(JSON_STAT, indent=1), "it is JSON-stat and no list of records"),
    "geo.json": ('{"type": "FeatureCollection", "features": [{}]}', "it is GeoJSON"),
    "a.ipynb": (json.dumps({"cells": [], "nbformat": 4}, indent=1), "it is a Jupyter notebook"),
    "split.json": ('{"columns": ["a"], "index": [0], "data": [[1]]}', "it is one JSON object and no list"),
    "a.xml": ('<rows>\n <row a="1"/>\n</rows>', "it is XML; save the table as CSV"),
    "attributes.xml": ('<rows kind="x">\n <row a="1"/>\n</rows>', "it is XML"),
    "declared.xml": ('<?xml version="1.0"?><rows/>', "it is XML that begins with <rows>"),
    "a.html": ("<!DOCTYPE html><html><body></body></html>", "it is XML that begins with <html>"),
    "excel.xls": ("<table border=1><tr><td>1</td></tr></table>", "it is an HTML page"),
    "a.svg": ('<svg xmlns="http://www.w3.org/2000/svg"></svg>', "it is a picture"),
    "a.sql": (MYSQL, "it is SQL statements; open the database"),
    "b.sql": ("INSERT INTO a VALUES (1, 2);\nINSERT INTO a VALUES (3, 4);\n", "it is SQL statements"),
    "a.R": ('structure(list(a = 1), class = "data.frame", row.names = 1L)', "it is R code"),
    "a.tex": ("\\begin{tabular}{l}\na\\\\\n1\\\\\n\\end{tabular}\n", "it is LaTeX"),
    "a.md": ("| a | b |\n|---|---|\n| 1 | 2 |\n", "it is a table in Markdown"),
    "a.yaml": ("---\n- a: 1\n- a: 2\n", "it is a YAML document"),
    "a.slk": ("ID;PWXL;N;E\nC;Y1;X1;K1\nE\n", "it is a SYLK file"),
    "a.ics": ("BEGIN:VCALENDAR\nVERSION:2.0\n", "it is a calendar"),
}


@pytest.mark.parametrize("name", STRANGERS)
def test_other_formats_are_refused_by_name(tmp_path, name):
    content, problem = STRANGERS[name]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("<TICKER>,<PER>\nA,D\nB,D\n", ["<TICKER>", "<PER>"]),
        ("<a>\t<b>\n1\t2\n", ["<a>", "<b>"]),
        ("MZ,x\n1,2\n", ["MZ", "x"]),
        ("create,table\n1,2\n", ["create", "table"]),
        ("select\n1\n", ["select"]),
        ("@article,n\nthe,2\n", ["@article", "n"]),
        ('{"a": 1}', ["a"]),
        ('{"a": [1]}\n{"a": [2]}', ["a"]),
    ],
)
def test_tables_that_begin_alike(tmp_path, text, names):
    (tmp_path / "a.txt").write_text(text)
    assert read_table(tmp_path / "a.txt").data.column_names == names


def test_a_stated_delimiter_is_obeyed(tmp_path):
    (tmp_path / "a.txt").write_text("---\n1\n2\n")
    with pytest.raises(DataError, match="it is a YAML document"):
        read_table(tmp_path / "a.txt")
    assert read_table(tmp_path / "a.txt", header="1").n == 2
