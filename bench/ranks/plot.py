#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the efficiency of weak scaling over processes: plot.py ranks.csv ranks.svg. It is the time of one process over
that of P, each with as many rows. A fit is over when its slowest process is, and so the products are counted until the
slowest is done; the mean of the SGEMMs is drawn beside. The dashed line is nine tenths of the SGEMMs."""

import csv
import math
import sys

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 20, 50
SERIES = [
    ("fit_s", "fit by covariance", "#0072b2"),
    ("sgemm_slowest_s", "SGEMM", "#d55e00"),
    ("ssyrk_slowest_s", "SSYRK", "#009e73"),
    ("sgemm_s", "SGEMM, the mean", "#e9a37a"),
]


def read(path):
    with open(path, encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["how"] == "weak"]


def draw(rows):
    ranks = [int(row["ranks"]) for row in rows]
    octaves = max(1.0, math.log2(ranks[-1] / ranks[0]))
    efficiency = {key: [float(rows[0][key]) / float(row[key]) for row in rows] for key, _, _ in SERIES}
    top = max(1.05, max(max(values) for values in efficiency.values()) + 0.02)

    def x(count):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log2(count / ranks[0]) / octaves

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top

    def line(values):
        return "L".join(f"{x(count):.1f} {y(value):.1f}" for count, value in zip(ranks, values))

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for tenth in range(0, 11, 2):
        at = y(tenth / 10)
        out.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{tenth / 10:.1f}</text>')
    for count in ranks:
        out.append(f'<path d="M{x(count):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#dddddd"/>')
        out.append(f'<text x="{x(count):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{count}</text>')
    limit = line([0.9 * value for value in efficiency["sgemm_slowest_s"]])
    out.append(f'<path d="M{limit}" fill="none" stroke="#d55e00" stroke-dasharray="5 4"/>')
    ends = []
    for key, name, colour in SERIES:
        values = efficiency[key]
        out.append(f'<path d="M{line(values)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for count, value in zip(ranks, values):
            out.append(f'<circle cx="{x(count):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>')
        ends.append([y(values[-1]), colour, f"{name}: {values[-1]:.2f}"])
    ends.append([y(0.9 * efficiency["sgemm_slowest_s"][-1]), "#d55e00", "0.9 of SGEMM"])
    ends.sort()
    for i, (at, colour, text) in enumerate(ends):
        if i > 0:
            at = ends[i][0] = max(at, ends[i - 1][0] + 16)
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{at + 4:.1f}" fill="{colour}">{text}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    rows_each = int(rows[0]["rows"]) // ranks[0]
    out.append(
        f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">processes of one thread, '
        f"{rows_each}×{rows[0]['cols']} float32 each</text>"
    )
    out.append(
        f'<text x="16" y="{(HEIGHT - BOTTOM + TOP) / 2}" text-anchor="middle" '
        f'transform="rotate(-90 16 {(HEIGHT - BOTTOM + TOP) / 2})">efficiency of weak scaling</text></svg>'
    )
    return "\n".join(out) + "\n"


def main():
    rows = read(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(draw(rows))


main()
