# SPDX-License-Identifier: BSD-3-Clause
"""auditwheel repair, with what it takes for the system's brought along, too: python_repair.py FOLDER WHEEL.

By its policies every Linux has GLib, the X libraries and expat. Debian without a desktop, and images for containers, have
not, and Cairo and Pango need them. So they are struck off the list of those that may be missing in a wheel: then they are
copied, renamed and found like all others.
"""

import sys
from dataclasses import replace

from auditwheel.main import main
from auditwheel.policy import WheelPolicies

OURS = {
    "libX11.so.6", "libXext.so.6", "libXrender.so.1", "libICE.so.6", "libSM.so.6", "libGL.so.1",
    "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgthread-2.0.so.0", "libexpat.so.1",
}  # fmt: skip


class Policies(WheelPolicies):
    def __init__(self, **options):
        super().__init__(**options)
        self._policies = [replace(policy, whitelist=policy.whitelist - OURS) for policy in self._policies]


def with_ours():
    """auditwheel makes its policies where it repairs."""
    from auditwheel import main_repair, wheel_abi

    changed = [module for module in (main_repair, wheel_abi) if hasattr(module, "WheelPolicies")]
    if main_repair not in changed:
        sys.exit("this auditwheel makes its policies elsewhere: tools/python_repair.py was written for version 6")
    for module in changed:
        module.WheelPolicies = Policies


if __name__ == "__main__":
    with_ours()
    folder, wheel = sys.argv[1:]
    sys.argv = ["auditwheel", "repair", "--zip-compression-level", "9", "-w", folder, wheel]
    sys.exit(main())
