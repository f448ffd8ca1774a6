# SPDX-License-Identifier: BSD-3-Clause
"""What notebooks show: pictures, pages, and a model as a table with its scree plot."""

from __future__ import annotations

import html
from typing import Any

import numpy as np


class Picture:
    """An SVG that notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def __repr__(self) -> str:
        return f"<Picture: SVG of {len(self.svg.encode())} bytes; save(path) writes it, and notebooks show it>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Any) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Page:
    """A page that notebooks show inline, in a frame of its own."""

    def __init__(self, page: str) -> None:
        self.html = page

    def __repr__(self) -> str:
        return f"<Page: HTML of {len(self.html.encode())} bytes; save(path) writes it, and notebooks show it>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:720px;border:0" '
            'sandbox="allow-scripts"></iframe>'
        )

    def save(self, path: Any) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)


def model_html(estimator: Any) -> str:
    """A model in a notebook: a table of its components, and the scree plot."""
    view = estimator.model_.view
    shares = estimator.explained_variance_ratio_
    errors = estimator.standard_error_
    rows = "".join(
        f"<tr><td>{k + 1}</td><td>{value:.6g}</td><td>{'' if np.isnan(error) else f'± {error:.2g}'}</td>"
        f"<td>{100 * share:.2f} %</td></tr>"
        for k, (value, error, share) in enumerate(zip(view["eigenvalues"][:12], errors, shares))
    )
    more = f"<p>and {view['m'] - 12} more</p>" if view["m"] > 12 else ""
    try:
        picture = estimator.plot(kind="scree")._repr_svg_()
    except (ImportError, ValueError):
        picture = ""
    head = html.escape(f"{view['n']} rows, {view['d']} columns, {view['m']} components, method {view['solver']}")
    return (
        f"<div><p><b>{html.escape(repr(estimator))}</b><br>{head}</p><table><tr><th></th><th>variance</th>"
        f"<th>standard error</th><th>share</th></tr>{rows}</table>{more}{picture}</div>"
    )
