# SPDX-License-Identifier: BSD-3-Clause
"""Where a system has no configuration of fonts, as in a bare container, pictures have the font that the wheel carries."""

from __future__ import annotations

import os

SYSTEM = "/etc/fonts/fonts.conf"
FONTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fonts")


def offer(system: str = SYSTEM, fonts: str = FONTS) -> bool:
    """Points fontconfig at the wheel's fonts, unless something else says where fonts are. Whether it did."""
    said = any(name in os.environ for name in ("FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"))
    if said or os.path.exists(system) or not os.path.exists(os.path.join(fonts, "DejaVuSans.ttf")):
        return False
    os.environ["FONTCONFIG_FILE"] = os.path.join(fonts, "fonts.conf")
    return True
