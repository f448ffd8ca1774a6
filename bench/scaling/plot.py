#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws speed over threads: plot.py scaling.json scaling.svg. Both axes are logarithmic; the dashed line is a machine
whose threads do not share anything."""

import json
import math
import sys

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 20, 50
COLOURS = ["#777777", "#0072b2", "#56b4e9", "#d55e00", "#009e73", "#cc79a7"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        series = json.load(file)["series"]
    threads = [time["threads"] for time in series[0]["times"]]
    octaves = max(1, len(threads) - 1)

    def x(count):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log2(count) / octaves

    def y(speed):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(-0.2, math.log2(speed)) / octaves

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for count in threads:
        out += [
            f'<path d="M{x(count):.1f} {TOP}V{HEIGHT - BOTTOM}M{LEFT} {y(count):.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>',
            f'<text x="{x(count):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{count}</text>',
            f'<text x="{LEFT - 8}" y="{y(count) + 4:.1f}" text-anchor="end">{count}×</text>',
        ]
    out.append(
        f'<path d="M{x(1):.1f} {y(1):.1f}L{x(threads[-1]):.1f} {y(threads[-1]):.1f}" stroke="#999999" '
        'stroke-dasharray="5 4"/>'
    )
    ends = []
    for colour, one in zip(COLOURS, series):
        times = one["times"]
        speeds = [times[0]["seconds"] / time["seconds"] for time in times]
        line = "L".join(f"{x(time['threads']):.1f} {y(speed):.1f}" for time, speed in zip(times, speeds))
        out.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for time, speed in zip(times, speeds):
            out.append(f'<circle cx="{x(time["threads"]):.1f}" cy="{y(speed):.1f}" r="3" fill="{colour}"/>')
        ends.append([y(speeds[-1]), colour, f"{one['name']}: {speeds[-1]:.1f}×"])
    ends.sort()
    for i, (at, colour, text) in enumerate(ends):
        if i > 0:
            at = ends[i][0] = max(at, ends[i - 1][0] + 16)
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{at + 4:.1f}" fill="{colour}">{text}</text>')
    out.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">threads</text></svg>'
    )
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


main()
