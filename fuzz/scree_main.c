/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's main, under a name that a fuzz target can call. */

#define main fuzz_scree_main

#include "../cli/main.c"
