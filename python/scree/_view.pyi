# SPDX-License-Identifier: BSD-3-Clause
# Pictures and pages: arguments are those that python/core says.
from typing import Any

def plot(
    model: Any, source: Any, labels: Any, others: Any, path: str, components: tuple[int, ...], levels: tuple[float, ...],
    steps: tuple[int, ...], highlight: tuple[int, ...] | None, options: dict[str, Any], run: Any, /
) -> None: ...
def report(model: Any, source: Any, labels: Any, path: str, options: dict[str, Any], run: Any, /) -> dict[str, Any]: ...
