/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of modules: a new one is a folder in src/module, a line in cmake/Modules.cmake, and a line here. */

#include "data/module.h"

static const scree__module hdf5 = {"hdf5", "HDF5, AnnData (.h5ad) and 10x HDF5 files", "scree_module_open_1"};
static const scree__module sqlite = {"sqlite", "SQLite databases", "scree_module_arrow_1"};
static const scree__module matio = {"matio", "MATLAB's MAT files", "scree_module_open_1"};

const scree__module *const scree__modules[] = {&hdf5, &sqlite, &matio, NULL};
