/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FUZZ_DEADLINE_H
#define SCREE_FUZZ_DEADLINE_H

/* From now on, after so many seconds, the command is cancelled as by a signal. */
void fuzz_deadline_set(double seconds);

#endif
