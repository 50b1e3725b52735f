"""What a saved figure shows: its lines and texts, as matplotlib draws them and as each format holds them."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import re
import zlib
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Bbox

CLOSE = 0.02  # inches between places that are the same in two formats
_ALIKE = 0.2  # between parts of a colour
_FINE = 1000.0  # matplotlib clips at one unit beyond an edge: these are parts of an inch

Box = tuple[float, float, float, float]


@dataclasses.dataclass(frozen=True, eq=False)
class Stroke:
    """A line: its colour, its path in inches from the lower left, and the box in which it is seen."""

    colour: str
    path: Path
    clip: Box | None = None
    solid: bool = True  # neither faint nor see-through

    def box(self, clip: Box | None) -> Box | None:
        """Return the edges of what is seen in a box, if there is anything."""
        path = Path(self.path.vertices * _FINE, self.path.codes)
        edges = None if clip is None else tuple(_FINE * side for side in clip)
        cleaned = path.cleaned(clip=edges, remove_nans=True)
        points = cleaned.vertices[cleaned.codes != Path.STOP] / _FINE
        if not np.isin(cleaned.codes, Path.LINETO).any():
            return None
        if clip is not None:
            points = np.clip(points, clip[:2], clip[2:])
        return (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())

    def shows(self, other: Stroke) -> bool:
        """Tell whether another line is this one where it is seen."""
        if self.colour != other.colour:
            return False
        mine, its = self.box(other.clip), other.box(other.clip)
        return mine is not None and its is not None and bool(np.abs(np.subtract(mine, its)).max() <= CLOSE)


class Recorder(RendererBase):
    """Notes every line that a figure draws, in inches of the saved figure."""

    def __init__(self, figure: Figure, scale: float) -> None:
        super().__init__()
        self._size = figure.bbox.size
        self._inches = scale / figure.dpi
        self._dpi = figure.dpi
        self.strokes: list[Stroke] = []
        self.colours: set[str] = set()

    def get_canvas_width_height(self) -> Any:
        return self._size

    def points_to_pixels(self, points: Any) -> Any:
        return points * self._dpi / 72

    def draw_markers(
        self, gc: Any, marker: Any, at: Any, path: Any, transform: Any, rgbFace: Any = None
    ) -> None:
        """Note the colours alone."""
        colour = to_hex(gc.get_rgb() if rgbFace is None else rgbFace)
        if np.isfinite(transform.transform_path(path).vertices).all(axis=1).any():
            self.colours.add(colour)

    def draw_path(self, gc: Any, path: Path, transform: Any, rgbFace: Any = None) -> None:
        path = transform.transform_path(path)
        if rgbFace is not None:
            self._note(to_hex(rgbFace), gc, path)
        if gc.get_linewidth() and gc.get_rgb()[3]:
            stroke = self._note(to_hex(gc.get_rgb()), gc, path)
            if stroke is not None:
                self.strokes.append(stroke)

    def draw_image(self, *_: Any, **__: Any) -> None:
        """Leave images out."""

    def draw_text(self, *_: Any, **__: Any) -> None:
        """Leave texts out: `drawn_texts` notes them."""

    def _note(self, colour: str, gc: Any, path: Path) -> Stroke | None:
        """Return what is seen of a path, if anything is."""
        clip = gc.get_clip_rectangle()
        edges = (0.0, 0.0, *self._size) if clip is None else clip.extents
        within = tuple(float(side * self._inches) for side in edges)
        solid = gc.get_rgb()[3] == 1 and gc.get_linewidth() >= self._dpi / 72
        stroke = Stroke(colour, _straight(path.vertices * self._inches, path.codes), within, solid)
        if stroke.box(within) is None:
            return None
        self.colours.add(colour)
        return stroke


def _straight(vertices: Any, codes: Any) -> Path:
    """Return a path with straight lines between all of its points."""
    points = np.asarray(vertices, dtype=float).reshape(-1, 2)
    if codes is None:
        return Path(points)
    codes = np.asarray(codes)
    kept = ~np.isin(codes, (Path.CLOSEPOLY, Path.STOP))
    return Path(points[kept], np.where(codes[kept] == Path.MOVETO, Path.MOVETO, Path.LINETO))


def recorded(figure: Figure, scale: float) -> Recorder:
    """Return what a figure draws."""
    recorder = Recorder(figure, scale)
    figure.draw(recorder)
    return recorder


@contextlib.contextmanager
def drawn_texts() -> Iterator[list[tuple[str, Bbox]]]:
    """Note each text that is drawn meanwhile, and its box in shares of the figure, or of what clips it."""
    noted: list[tuple[str, Bbox]] = []
    draw = Text.draw

    def note(text: Text, renderer: Any, *rest: Any, **more: Any) -> None:
        draw(text, renderer, *rest, **more)
        if text.get_visible() and text.get_text().strip():
            page = text.get_figure(root=True).bbox
            if text.get_clip_on() and text.clipbox is not None:
                page = text.clipbox
            box = text.get_window_extent(renderer)
            noted.append((text.get_text(), Bbox((box.get_points() - page.min) / page.size)))

    Text.draw = note  # type: ignore[method-assign]
    try:
        yield noted
    finally:
        Text.draw = draw  # type: ignore[method-assign]


def lost(drawn: list[Stroke], content: bytes, suffix: str) -> list[Stroke]:
    """Return the lines that a file does not hold."""
    held = {".svg": _svg, ".pdf": _pdf, ".pgf": _pgf}[suffix](content)
    missing, start = [], 0
    for stroke in drawn:
        # files hold lines in the order in which they are drawn
        order = (*range(start, len(held)), *range(start))
        place = next((index for index in order if held[index].shows(stroke)), None)
        if place is None:
            missing.append(stroke)
        else:
            start = place + 1
    return missing


def _svg(content: bytes) -> list[Stroke]:
    root = ElementTree.fromstring(content)
    height = float(root.get("viewBox", "").split()[3])
    scale = float(root.get("height", "").removesuffix("pt")) / height / 72
    found = []

    def search(node: ElementTree.Element) -> None:
        if node.tag.endswith("}defs"):
            return
        stroke = re.search(r"stroke: (#\w+)", node.get("style", ""))
        if node.tag.endswith("}path") and stroke:
            points, codes = [], []
            for code, numbers in re.findall(r"([MLQCz])([^MLQCz]*)", node.get("d", "")):
                pairs = np.array(numbers.split(), dtype=float).reshape(-1, 2)
                points += [(x * scale, (height - y) * scale) for x, y in pairs]
                codes += [Path.MOVETO if code == "M" else Path.LINETO] * len(pairs)
            if points:
                found.append(Stroke(stroke[1], Path(points, codes)))
        for child in node:
            search(child)

    search(root)
    return found


def _pdf(content: bytes) -> list[Stroke]:
    streams = re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL)
    page = max((one for one in map(_inflated, streams) if b" cm\n" in one), key=len)
    page = re.sub(rb"BT\n.*?ET\n", b"", page, flags=re.DOTALL)
    found, stack, numbers, points, codes = [], [], [], [], []
    colour, matrix = "#000000", np.eye(3)
    for token in page.decode("latin-1").split():
        if re.fullmatch(r"-?[\d.]+", token):
            numbers.append(float(token))
            continue
        if token == "q":
            stack.append((colour, matrix))
        elif token == "Q":
            colour, matrix = stack.pop()
        elif token == "cm":
            a, b, c, d, e, f = numbers[-6:]
            matrix = matrix @ np.array([[a, c, e], [b, d, f], [0, 0, 1]])
        elif token in ("RG", "G"):
            values = numbers[-3:] if token == "RG" else numbers[-1:] * 3
            colour = to_hex(values)
        elif token in ("m", "l", "c", "v", "y"):
            points += numbers
            codes += [Path.MOVETO if token == "m" else Path.LINETO] * (len(numbers) // 2)
        elif token in ("S", "s", "B", "b", "B*", "b*", "f", "F", "f*", "n"):
            if token[0] in "SsBb" and points:
                places = Affine2D(matrix).transform(np.reshape(points, (-1, 2))) / 72
                found.append(Stroke(colour, Path(places, codes)))
            points, codes = [], []
        numbers = []
    return found


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream)  # whatever follows
    except zlib.error:
        return stream


def _pgf(content: bytes) -> list[Stroke]:
    found, colour, points, codes, closed = [], "#000000", [], [], False
    for line in content.decode().splitlines():
        if match := re.match(r"\\definecolor\{currentstroke\}\{rgb\}\{([^}]*)\}", line):
            colour = to_hex([float(one) for one in match[1].split(",")])
        elif line.startswith(r"\pgfpath"):
            closed = line.startswith(r"\pgfpathclose")
            numbers = [float(one) for one in re.findall(r"\{(-?[\d.]+)in\}", line)]
            points += numbers
            codes += [Path.MOVETO if "moveto" in line else Path.LINETO] * (len(numbers) // 2)
        elif match := re.match(r"\\pgfusepath\{([^}]*)\}", line):
            if "stroke" in match[1] and points:
                places = np.reshape(points, (-1, 2))
                drawn = len(places) - closed * int(
                    (places[0] == places[-1]).all()
                )  # the others do not return
                found.append(Stroke(colour, Path(places[:drawn], codes[:drawn])))
            points, codes = [], []
    return found


def inkless(drawn: list[Stroke], content: bytes, dpi: float) -> list[Stroke]:
    """Return the lines that are not seen in a PNG image in their colour."""
    image = imread(io.BytesIO(content), format="png")[..., :3]
    missing = []
    for stroke in drawn:
        edges = stroke.box(stroke.clip) if stroke.solid else None
        if edges is None:
            continue
        left, low, right, high = (round(side * dpi) for side in edges)
        part = image[max(0, len(image) - high - 3) : len(image) - low + 3, max(0, left - 3) : right + 3]
        if not (np.abs(part - to_rgb(stroke.colour)).max(axis=-1) < _ALIKE).any():
            missing.append(stroke)
    return missing
