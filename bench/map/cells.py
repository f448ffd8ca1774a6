# SPDX-License-Identifier: BSD-3-Clause
"""The cells of the map: which rows, from where, and how many components.

A line is a table of numbers: its group, shape, element type, spectrum (matrices.py) and where the fit reads it from;
then the numbers of components, each of which is a cell. "all" is as many as there are, min(N - 1, D). Shapes of the
group map stand on a grid: 100, 400, 1000, 4000, 20000, 10⁵ and 10⁶ rows and columns with at most 4·10⁸ elements.
The group issue has shapes at which scree was once slower; those of heldout nothing was tuned for, and they run only when
asked for.
"""

import re
from typing import NamedTuple

AXIS = (100, 400, 1000, 4000, 20000, 100000, 1000000)
SPECTRA = ("harmonic", "spikes", "noise", "plateaus")

TABLES = """
map 100x100 f8 harmonic memory 10 50 all
map 100x100 f4 spikes memory 10 50
map 100x400 f4 noise memory 10 50 all
map 100x400 f8 plateaus memory 10 50
map 100x1000 u1 spikes memory 10 50 all
map 100x4000 f8 harmonic memory 10 all
map 100x4000 f4 noise memory 10 50
map 100x20000 f4 plateaus memory 10 50 all
map 100x100000 f8 spikes memory 10 50
map 100x1000000 f4 harmonic memory 10
map 400x100 f4 spikes memory 10 50 all
map 400x100 u1 noise memory 10 50
map 400x400 f8 harmonic memory 10 50 all
map 400x400 f4 plateaus memory 10 50
map 400x1000 f8 noise memory 10 50 all
map 400x4000 f4 spikes memory 10 50 all
map 400x20000 u1 plateaus memory 10 50
map 400x100000 f4 noise memory 10 50
map 400x1000000 f4 spikes memory 10
map 1000x100 f8 plateaus memory 10 50 all
map 1000x100 u1 harmonic memory 10 50
map 1000x400 f4 noise memory 10 50 all
map 1000x1000 f4 harmonic memory 10 50 all
map 1000x1000 f8 spikes memory 10 50 all
map 1000x4000 f8 plateaus memory 10 50 all
map 1000x20000 f4 spikes memory 10 50
map 1000x100000 f4 harmonic memory 10 50
map 4000x100 f4 harmonic memory 10 50 all
map 4000x100 f8 noise memory 10 50
map 4000x400 u1 spikes memory 10 50 all
map 4000x1000 f4 plateaus memory 10 50 all
map 4000x4000 f4 noise memory 10 50
map 4000x4000 f8 harmonic memory 10 50
map 4000x20000 f4 noise memory 10 50
map 4000x100000 f4 harmonic memory 10
map 20000x100 f8 spikes memory 10 50 all
map 20000x400 f4 harmonic memory 10 50
map 20000x1000 f8 noise memory 10 50 all
map 20000x4000 f4 plateaus memory 10 50
map 20000x20000 f4 harmonic memory 10
map 100000x100 u1 plateaus memory 10 50 all
map 100000x400 f8 spikes memory 10 50
map 100000x1000 f4 spikes memory 10 50
map 100000x4000 u1 harmonic memory 10
map 1000000x100 f4 noise memory 10 50
map 1000000x400 f4 spikes memory 10
map 20000x400 f8 plateaus file 10 50
map 400x20000 f4 harmonic file 10 50
map 4000x4000 f4 spikes file 10
map 100000x100 f4 spikes file 10
map 20000x1000 u1 spikes file 10
issue 20000x2000 f4 spikes memory 20
issue 10000x3000 f8 noise memory 20
issue 3000x10000 f4 spikes memory 20
issue 2000x50000 u1 spikes memory 10
issue 20000x4000 u1 spikes memory 20
issue 500x30000 f8 spikes memory 10
issue 200x100000 f4 spikes memory 10
issue 8000x8000 f4 spikes memory 10
issue 8000x8000 f4 harmonic memory 100
issue 3000x20000 f4 harmonic memory 200
issue 2000x2000 f8 harmonic memory 1999
issue 4000x1000 f8 harmonic memory 999
heldout 1797x64 f8 digits memory 10 all
heldout 569x30 f8 cancer memory 10 all
heldout 178x13 f8 wine memory 5 all
heldout 442x10 f8 diabetes memory 5 all
heldout 10000x784 u1 mnist memory 10 50 all
heldout 5000x784 f4 mnist memory 20 200
heldout 397x4099 f4 faces memory 20 150
heldout 1009x1013 f8 steps memory 10 100
heldout 7919x613 f4 exponential memory 25
heldout 3001x3001 f4 slow memory 30
heldout 3001x3001 f8 huge memory 15
heldout 5003x2003 u1 genotypes memory 10 40
heldout 701x9973 f4 slow memory 10 60
heldout 2003x11003 f8 exponential memory 10
heldout 30011x1511 f4 walk memory 10 50
heldout 1511x30011 f4 heavy memory 10 50
heldout 60013x211 f8 steps memory 5 all
heldout 104729x53 f4 slow memory 10 all
heldout 6007x6007 f4 steps memory 40
heldout 12007x2503 f4 slow memory 20 300
"""


class Table(NamedTuple):
    group: str
    rows: int
    cols: int
    type: str
    spectrum: str
    source: str

    @property
    def name(self):
        return f"{self.rows}x{self.cols}-{self.type}-{self.spectrum}"


class Cell(NamedTuple):
    table: Table
    k: int
    k_name: str

    @property
    def name(self):
        return f"{self.table.name}-k{self.k_name}" + ("-file" if self.table.source == "file" else "")


def read_tables():
    """Pairs of a table and its cells."""
    for line in TABLES.split("\n"):
        if not line:
            continue
        group, shape, kind, spectrum, source, *names = line.split()
        rows, cols = map(int, shape.split("x"))
        table = Table(group, rows, cols, kind, spectrum, source)
        yield table, [Cell(table, min(rows - 1, cols) if name == "all" else int(name), name) for name in names]


def chosen(pattern):
    """The same, cells whose GROUP/NAME the pattern finds; without one all but those held out."""
    for table, cells in read_tables():
        if table.group == "heldout" and "heldout" not in (pattern or ""):
            continue
        found = [cell for cell in cells if not pattern or re.search(pattern, f"{table.group}/{cell.name}")]
        if found:
            yield table, found
