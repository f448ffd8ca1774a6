#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark of imputation on all its named tables, as far as scikit-learn is there to bring them: its verdict holds."""

import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: there is no numpy")
        sys.exit(77)
    tables = "equal,unequal"
    try:
        import sklearn  # noqa: F401

        tables += ",iris,wine,wdbc,digits"
    except ImportError:
        print("without the tables of scikit-learn")
    program = os.environ.get("SCREE", os.path.join(TOP, "build", "release", "scree"))
    benchmark = os.path.join(TOP, "bench", "imputation", "imputation.py")
    call = [sys.executable, benchmark, program, "--tables", tables, "--masks", "3", "--no-r"]
    sys.exit(subprocess.run(call, check=False).returncode)


if __name__ == "__main__":
    main()
