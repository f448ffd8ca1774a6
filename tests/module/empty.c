/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared object that is no module: it has nothing under the name that modules have. */

extern const int scree_nothing;
const int scree_nothing = 1;
