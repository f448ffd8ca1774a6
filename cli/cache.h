/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_CACHE_H
#define SCREE_CLI_CACHE_H

/* The folder where the measured speed of the machine is kept, for scree_run.cache; NULL: none. Lent, and the same for
 * the whole run of the program. */
const char *cli_cache_folder(void);

#endif
