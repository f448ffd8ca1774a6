/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_HELD_FILES_H
#define SCREE_BASE_HELD_FILES_H

/* Complete files that wait for their names, between scree_outputs_hold and scree_outputs_publish (scree.h). */

#include "base/atomic_file.h"

/* Whether files wait at present. */
bool scree__files_wait(void);

/* Takes complete files over: scree__atomic_free leaves them alone until they are published or discarded, which frees
 * them. Those that have no temporary name are not taken: they are written already. */
scree_status scree__files_keep(scree__atomic_file *const *files, int64_t count, scree_error *error);

#endif
