# SPDX-License-Identifier: BSD-3-Clause
# Every command in README.md prints what README.md says.
python3 "$SRC/tools/readme_check.py" "$SCREE"
