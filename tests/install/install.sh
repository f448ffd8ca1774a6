# SPDX-License-Identifier: BSD-3-Clause
# Installs into the folder `installed` of the build folder, for the tests beside this file.
set -euo pipefail
unset DESTDIR
rm -rf "$1/installed"
cmake --install "$1" --prefix "$1/installed"
