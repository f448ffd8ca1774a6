# SPDX-License-Identifier: BSD-3-Clause
"""Compares what two commands wrote: every byte, except versions, times and words.

Files that are not identical are compared by content. Models and ONNX graphs: every tensor and every text except the
versions. Archives: the rows that come back. Report pages: the data in the page. JSON: every number as printed and every
single word; of sentences, only the numbers. Messages and tables: their numbers.
"""

import json
import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from collections import namedtuple

import pictures

# How it was compared, what differs (None: nothing), and what the reader should know although nothing differs.
Result = namedtuple("Result", "way difference note", defaults=(None, None))
# words: compare them too; exact: pictures must be identical; versions: old and new; rows(side, name): of an archive.
How = namedtuple("How", "words exact versions rows")

BYTES, NUMBERS, WORDS = "every byte", "text: numbers", "text: words"
MODEL, ONNX, JSON = "model without version", "ONNX graph without version", "JSON values"
PAGE, ROWS, MARKS = "data in the page", "rows in the archive", "marks of the picture, not its text"
TIME = re.compile(r"\d[\d.]*(?:e[-+]?\d+)? ?(?:(?:ns|µs|ms|s|min|h)\b|times the time|× slower|× the time)")
FIGURE = re.compile(r"(?<![\w.])\*?[-−]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|(?:inf|nan)\b)|(?<!\S)–(?!\S)")
PAYLOAD = re.compile(rb'<script type="application/json"[^>]*>(.*?)</script>', re.DOTALL)
ARCHIVE = b"\x89SCREEZ\n"
REPORTING = ("fit", "info", "select", "plan", "autoencode", "compress", "demo", "version")
LEFT_OUT = {"seconds", "version", "scree_version", "format_version", "checksum"}
# For each ONNX message: fields with versions and explanations, which are skipped, and fields that hold messages.
ONNX_FIELDS = {
    "model": ({3, 6}, {7: "graph"}),
    "graph": ({10}, {1: "node", 5: "tensor", 11: "value", 12: "value", 13: "value"}),
    "node": ({6}, {}),
    "tensor": ({12}, {}),
    "value": ({3}, {}),
}


def byte_difference(old, new):
    at = next((i for i, (x, y) in enumerate(zip(old, new)) if x != y), min(len(old), len(new)))
    return f"byte {at} of {len(old)}" + (f", now {len(new)}" if len(old) != len(new) else "")


def first_difference(old, new):
    """The first line, or byte, that differs."""
    try:
        a, b = old.decode().splitlines(), new.decode().splitlines()
    except UnicodeDecodeError:
        return byte_difference(old, new)
    if b"\0" in old:
        return byte_difference(old, new)
    for number, (x, y) in enumerate(zip(a, b), 1):
        if x != y:
            return f"line {number}: {x[:100]!r} became {y[:100]!r}"
    return f"{len(a)} lines became {len(b)}" if len(a) != len(b) else "ends of lines"


def masked(data, version):
    text = data.decode(errors="replace")
    return TIME.sub("TIME", text.replace(version, "VERSION") if version else text)


def text_result(old, new, how, ordered=True):
    """Tables in order; sentences, which may be reworded, by the set of numbers in them."""
    old, new = (masked(data, version) for data, version in zip((old, new), how.versions))
    if how.words:
        old, new = ([" ".join(line.split()) for line in text.splitlines()] for text in (old, new))
    else:
        old, new = FIGURE.findall(old), FIGURE.findall(new)
        if not ordered:
            old, new = sorted(set(old)), sorted(set(new))
    way, unit = (WORDS, "lines") if how.words else (NUMBERS, "numbers")
    for a, b in zip(old, new):
        if a != b:
            return Result(way, f"{a!r} became {b!r}")
    return Result(way, None if len(old) == len(new) else f"{len(old)} {unit} became {len(new)}")


class Number(str):
    """A number of JSON, as it is printed."""


def parse(data):
    return json.loads(data, parse_float=Number, parse_int=Number, parse_constant=Number)


def object_difference(old, new, how, at, notes):
    """A key that is gone must have a new name, with the same value."""
    fresh = [key for key in new if key not in old]
    for key, value in old.items():
        if key in LEFT_OUT:
            continue
        if key in new:
            found = value_difference(value, new[key], how, f"{at}.{key}", notes)
            if found:
                return found
            continue
        other = next((k for k in fresh if value_difference(value, new[k], how, at, []) is None), None)
        if other is None:
            return f"{at}.{key} is gone"
        fresh.remove(other)
        notes.append(f"{at}.{key} is now called {other}")
    notes += [f"{at}.{key} is new" for key in fresh if key not in LEFT_OUT]
    return None


def value_difference(old, new, how, at, notes):
    if type(old) is not type(new):
        return f"{at}: {str(old)[:60]!r} became {str(new)[:60]!r}"
    if isinstance(old, dict):
        return object_difference(old, new, how, at, notes)
    if isinstance(old, list):
        if len(old) != len(new):
            return f"{at}: {len(old)} values became {len(new)}"
        found = (value_difference(a, b, how, f"{at}[{i}]", notes) for i, (a, b) in enumerate(zip(old, new)))
        return next((text for text in found if text), None)
    if isinstance(old, str) and " " in old and " " in new and not isinstance(old, Number):
        found = text_result(old.encode(), new.encode(), how, ordered=False).difference
        return f"{at}: {found}" if found else None
    return None if old == new else f"{at}: {str(old)[:60]!r} became {str(new)[:60]!r}"


def json_result(old, new, how, way=JSON):
    notes = []
    difference = value_difference(parse(old), parse(new), how, "", notes)
    return Result(way, difference, "; ".join(notes) or None)


def page_result(old, new, how):
    old, new = PAYLOAD.findall(old), PAYLOAD.findall(new)
    if not old or len(old) != len(new):
        return Result(PAGE, f"{len(old)} blocks of data became {len(new)}")
    results = [json_result(a, b, how, PAGE) for a, b in zip(old, new)]
    return next((result for result in results if result.difference), results[0])


def is_model(data):
    return data[8:9] == b"{" and int.from_bytes(data[:8], "little") < len(data)


def tensors(data):
    """Texts, and {name: (type and shape, bytes)}."""
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    texts = header.pop("__metadata__")
    values = data[start:]
    return texts, {name: ((t["dtype"], t["shape"]), values[slice(*t["data_offsets"])]) for name, t in header.items()}


def model_result(old, new):
    (old_texts, old), (new_texts, new) = tensors(old), tensors(new)
    for key in sorted(old_texts.keys() | new_texts.keys()):
        if key not in LEFT_OUT and old_texts.get(key) != new_texts.get(key):
            return Result(MODEL, f"{key}: {old_texts.get(key)!r} became {new_texts.get(key)!r}")
    if list(old) != list(new):
        return Result(MODEL, f"tensors {list(old)} became {list(new)}")
    for name, (shape, values) in old.items():
        if shape != new[name][0]:
            return Result(MODEL, f"tensor {name}: {shape} became {new[name][0]}")
        if values != new[name][1]:
            return Result(MODEL, f"tensor {name}: {byte_difference(values, new[name][1])}")
    return Result(MODEL)


def varint(data, at):
    value = shift = 0
    while data[at] & 128:
        value, shift, at = value | (data[at] & 127) << shift, shift + 7, at + 1
    return value | data[at] << shift, at + 1


def onnx_fields(data, message="model"):
    """The fields of a protobuf message as (path, value), without those that may differ."""
    skipped, inner = ONNX_FIELDS[message]
    at, out = 0, []
    while at < len(data):
        key, at = varint(data, at)
        field, wire = key >> 3, key & 7
        if wire == 2:
            size, at = varint(data, at)
        elif wire == 0:
            size = varint(data, at)[1] - at
        else:
            size = {1: 8, 5: 4}[wire]
        value, at = data[at:at + size], at + size
        if field in inner:
            out += [(f"{inner[field]}.{path}", part) for path, part in onnx_fields(value, inner[field])]
        elif field not in skipped:
            out.append((f"{message}.{field}", value))
    return out


def onnx_result(old, new):
    old, new = onnx_fields(old), onnx_fields(new)
    for a, b in zip(old, new):
        if a != b:
            return Result(ONNX, f"field {a[0]}: {byte_difference(a[1], b[1])}")
    return Result(ONNX, None if len(old) == len(new) else f"{len(old)} fields became {len(new)}")


def archive_result(name, old, new, how):
    rows = how.rows(0, name), how.rows(1, name)
    sizes = f"bytes differ ({len(old)} became {len(new)}), compared by the rows that come back"
    return Result(ROWS, None if rows[0] == rows[1] else f"rows: {first_difference(*rows)}", sizes)


def picture_result(old, new, how):
    """None: this is not a picture."""
    for start, difference in ((b"<?xml", pictures.svg_difference), (b"\x89PNG", pictures.png_difference),
                              (b"%PDF", pictures.pdf_difference)):
        if old.startswith(start) and new.startswith(start):
            if how.exact:
                return Result(BYTES, "picture: " + first_difference(old, new))
            return Result(MARKS, difference(old, new), "bytes differ, compared by the marks")
    return None


def by_content(name, old, new, how):
    if old.startswith(ARCHIVE) and new.startswith(ARCHIVE) and name != "-":
        return archive_result(name, old, new, how)
    if is_model(old) and is_model(new):
        return model_result(old, new)
    if name.endswith(".onnx"):
        return onnx_result(old, new)
    if name.endswith(".html") and not how.exact:
        return page_result(old, new, how)
    return picture_result(old, new, how) or Result(BYTES, first_difference(old, new))


def by_command(arguments, old, new, how):
    """Standard output: a report as JSON or for people, a drawing, or data."""
    if "--json" in arguments:
        return json_result(old, new, how)
    if arguments[0] in REPORTING and not is_model(old):
        return text_result(old, new, how)
    if arguments[0] == "plot" and not how.exact:
        return Result(MARKS, pictures.text_difference(old, new), "words differ, compared by the drawing")
    return by_content("-", old, new, how)


def result(look, what, old, new, how):
    """Every byte, or else what `look` finds; content that cannot be parsed differs."""
    if old == new:
        return Result(BYTES)
    try:
        return look(what, old, new, how)
    except (ElementTree.ParseError, LookupError, TypeError, ValueError, struct.error, zlib.error) as error:
        return Result(BYTES, f"{first_difference(old, new)} (cannot compare the content: {error})")


def file_result(name, old, new, how):
    return result(by_content, name, old, new, how)


def stdout_result(arguments, old, new, how):
    return result(by_command, arguments, old, new, how)


def messages_result(old, new, how):
    return Result(BYTES) if old == new else text_result(old, new, how, ordered=False)
