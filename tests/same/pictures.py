# SPDX-License-Identifier: BSD-3-Clause
"""Compares pictures by how they show the data, ignoring the text in them.

Each function takes two pictures that are not identical and returns what differs as a sentence, or None.

SVG: letters are text or, by cairo, defined apart from all other shapes, which are the marks: points, lines, bars, images. Marks within
axes must have the same style and the same place, in pixels or relative to the axes; marks outside are the legend, which
moves with its words, and must have the same shapes in the same order.
PNG: coloured pixels must be the same between the first and the last line of the axes; without axes, nearly all of them.
PDF: nearly all drawing operators must be the same; the rest is the legend.
Text: the braille drawing must be the same and the numbers beside it.
"""

import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from collections import Counter

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LOOK = ("fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray")
HREF = "{http://www.w3.org/1999/xlink}href"
BRAILLE = "[\u2800-\u28ff]"
LEGEND = re.compile(rf"\s*{BRAILLE}{{1,2}} {{1,2}}[^\W\d_]{{2}}")
PIXELS = 0.02  # tolerance; coordinates in an SVG are rounded to 1/256
SHARE = 2e-4  # tolerance relative to the axes
COMMON = 0.95  # what must stay of a PNG without axes, or a PDF


def numbers(text):
    return [float(x) for x in NUMBER.findall(text or "")]


class Mark:
    """A shape: kind says what it is and how it is drawn, points say where, in pixels."""

    def __init__(self, element, look, target=None):
        tag = element.tag.split("}")[-1]
        points = numbers(element.get("d")) if tag == "path" else []
        matrix = numbers(element.get("transform")) if element.get("transform") else [1, 0, 0, 1, 0, 0]
        if tag == "use":
            points = [numbers(element.get(name) or "0")[0] for name in ("x", "y")]
        elif tag in ("circle", "ellipse"):
            x, y = numbers(element.get("cx"))[0], numbers(element.get("cy"))[0]
            across, up = (numbers(element.get(name) or element.get("r"))[0] for name in ("rx", "ry"))
            points = [x - across, y - up, x + across, y + up]
        elif tag in ("rect", "image") and element.get("width"):
            x, y, width, height = (numbers(element.get(name) or "0")[0] for name in ("x", "y", "width", "height"))
            points = [x, y, x + width, y + height]
        a, b, c, d, e, f = matrix if len(matrix) == 6 else [1, 0, 0, 1, *matrix, 0][:6]
        pairs = list(zip(points[::2], points[1::2]))
        self.points = [(a * x + c * y + e, b * x + d * y + f) for x, y in pairs]
        self.kind = (tag, look, element.get(HREF) if tag == "image" else target, len(points))
        across, down = [x for x, _ in self.points] or [0], [y for _, y in self.points] or [0]
        self.box = min(across), min(down), max(across), max(down)
        self.centre = (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2
        self.filled = tag != "path" or ("fill:none" not in look and ("fill", "none") not in look)

    def is_frame(self, size):
        """The rectangle around axes: an outline with four corners, at least a twentieth of the picture."""
        left, top, right, bottom = self.box
        corners = {(left, top), (right, top), (right, bottom), (left, bottom)}
        return not self.filled and set(self.points) == corners and (right - left) * (bottom - top) > size / 20


def marks(svg):
    """All shapes that are not letters, and the boxes of the frames among them."""
    root = ElementTree.fromstring(svg)
    images = {e.get("id"): e.get(HREF) for e in root.iter() if e.tag.endswith("}image")}
    found = []

    def walk(element, around=()):
        tag = element.tag.split("}")[-1]
        own = tuple(sorted((name, value) for name, value in element.items() if name in LOOK))
        if (element.get("id") or "").startswith("glyph") or (element.get(HREF) or "").startswith("#glyph"):
            return
        if tag in ("path", "rect", "circle", "ellipse", "image", "use"):
            look = element.get("style") or own + around
            found.append(Mark(element, look, images.get((element.get(HREF) or "#")[1:])))
        for child in element:
            walk(child, own if tag == "g" else around)

    walk(root)
    width, height = numbers(root.get("viewBox"))[2:]
    return found, [mark.box for mark in found if mark.is_frame(width * height)]


def near(old, new, tolerance):
    return len(old) == len(new) and all(abs(x - y) <= tolerance for x, y in zip(old, new))


def in_axes(mark, frames):
    """The index of the smallest frame around the mark; None: it is outside all frames."""
    x, y = mark.centre
    around = [(box[2] - box[0], i) for i, box in enumerate(frames) if box[0] <= x <= box[2] and box[1] <= y <= box[3]]
    return min(around)[1] if around else None


def as_share(points, box):
    return [z for x, y in points for z in ((x - box[0]) / (box[2] - box[0]), (y - box[1]) / (box[3] - box[1]))]


def same_place(old, new, old_box, new_box):
    """In pixels, or relative to the axes; filled marks, such as points, may keep their size in pixels."""
    flat = [[z for point in mark.points for z in point] for mark in (old, new)]
    if near(*flat, PIXELS) or old_box is None:
        return near(*flat, PIXELS)
    if near(as_share(old.points, old_box), as_share(new.points, new_box), SHARE):
        return True
    sizes = [(m.box[2] - m.box[0], m.box[3] - m.box[1]) for m in (old, new)]
    return old.filled and near(*sizes, 2 * PIXELS) and \
        near(as_share([old.centre], old_box), as_share([new.centre], new_box), SHARE)


def same_shape(old, new):
    shapes = [[z for x, y in mark.points for z in (x - mark.box[0], y - mark.box[1])] for mark in (old, new)]
    return near(*shapes, 2 * PIXELS)


def svg_difference(old, new):
    (old, old_frames), (new, new_frames) = marks(old), marks(new)
    if len(old) != len(new) or len(old_frames) != len(new_frames):
        return f"{len(old)} marks in {len(old_frames)} axes became {len(new)} in {len(new_frames)}"
    for number, (a, b) in enumerate(zip(old, new), 1):
        place = in_axes(a, old_frames)
        where = f"mark {number} of {len(old)}, a {a.kind[0]} at ({a.centre[0]:.1f}, {a.centre[1]:.1f}),"
        if a.kind != b.kind or place != in_axes(b, new_frames):
            return f"{where} became another, at ({b.centre[0]:.1f}, {b.centre[1]:.1f})"
        boxes = (None, None) if place is None else (old_frames[place], new_frames[place])
        if not same_place(a, b, *boxes) and (place is not None or not old_frames or not same_shape(a, b)):
            return f"{where} is now at ({b.centre[0]:.1f}, {b.centre[1]:.1f}), or has another shape"
    return None


def paeth(a, b, c):
    p = a + b - c
    near_a, near_b, near_c = abs(p - a), abs(p - b), abs(p - c)
    return a if near_a <= near_b and near_a <= near_c else b if near_b <= near_c else c


def pixels(png):
    """Width, height, and the rows as bytes with 3 or 4 for each pixel: 8 bits, RGB or RGBA, as cairo writes them."""
    chunks, at = {}, 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at:at + 8])
        chunks[name] = chunks.get(name, b"") + png[at + 8:at + 8 + length]
        at += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    if depth != 8 or colour not in (2, 6):
        raise ValueError("a PNG that is not RGB of 8 bits")
    step = 3 if colour == 2 else 4
    data, above, rows = zlib.decompress(chunks[b"IDAT"]), bytearray(width * step), []
    for start in range(0, height * (width * step + 1), width * step + 1):
        how, row = data[start], bytearray(data[start + 1:start + 1 + width * step])
        for i in range(len(row) if how else 0):
            left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
            row[i] = (row[i] + (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[how]) & 255
        rows.append(row)
        above = row
    return width, height, step, rows


def coloured(png):
    """Size; {place: colour} of pixels that are not grey; the first and last row with a line across half the width."""
    width, height, step, rows = pixels(png)
    paper, found, ruled = bytes(rows[0][:3]), {}, []
    for y, row in enumerate(rows):
        run = longest = 0
        for x in range(width):
            pixel = bytes(row[x * step:x * step + 3])
            if max(pixel) - min(pixel) > 40:
                found[x, y] = pixel
            run = run + 1 if pixel != paper else 0
            longest = max(longest, run)
        if longest > width / 2:
            ruled.append(y)
    return (width, height), found, (ruled[0], ruled[-1]) if ruled else None


def png_difference(old, new):
    (old_size, old, axes), (new_size, new, new_axes) = coloured(old), coloured(new)
    if (old_size, axes) != (new_size, new_axes):
        return f"{old_size} pixels with axes in rows {axes} became {new_size} with {new_axes}"
    other = old.items() ^ new.items()
    inside = sorted(place for place, _ in other if axes and axes[0] <= place[1] <= axes[1])
    if inside:
        return f"{len(inside)} coloured pixels within the axes, the first at {inside[0]}"
    if len(other) > 2 * (1 - COMMON) * len(old) and not axes or abs(len(old) - len(new)) > (1 - COMMON) * len(old):
        return f"{len(old.keys() - dict(other))} of {len(old)} coloured pixels are still there"
    return None


def drawing(pdf):
    """How often each drawing operator occurs on the page, with its operands; text is left out."""
    streams = []
    for packed in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        try:
            streams.append(zlib.decompressobj().decompress(packed))
        except zlib.error:
            continue
    lines = b"\n".join(re.sub(rb"BT\b.*?\bET\b", b"", s, flags=re.DOTALL) for s in streams if b" m" in s).splitlines()
    return Counter(line for line in lines if re.fullmatch(rb"[-\d. ]+ (?:m|l|c|re)\b.*", line))


def pdf_difference(old, new):
    old, new = drawing(old), drawing(new)
    common, before, now = (sum(count.values()) for count in (old & new, old, new))
    if not old or common < COMMON * max(before, now):
        return f"{common} of {before} drawing operators are still there, with {now - common} others"
    return None


def drawn(text):
    """Each line from its first braille letter to its last, without the legend below the axes: a dash and a word."""
    lines = text.splitlines()
    below = max((i for i, line in enumerate(lines) if re.search(BRAILLE + "{10}", line)), default=len(lines))
    lines = [line for i, line in enumerate(lines) if i <= below or not LEGEND.match(line)]
    found = (re.search(f"{BRAILLE}.*{BRAILLE}|{BRAILLE}", line) for line in lines)
    return [hit[0] for hit in found if hit]


def text_difference(old, new):
    old, new = old.decode(), new.decode()
    if not drawn(old):
        return "nothing is drawn"
    for number, (a, b) in enumerate(zip(drawn(old), drawn(new)), 1):
        if a != b:
            return f"line {number} of the drawing: {a!r} became {b!r}"
    if len(drawn(old)) != len(drawn(new)):
        return f"{len(drawn(old))} lines of drawing became {len(drawn(new))}"
    missing = Counter(NUMBER.findall(old)) - Counter(NUMBER.findall(new))
    return f"the number {next(iter(missing))} is gone" if missing else None
