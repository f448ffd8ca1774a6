/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FUZZ_FOLDER_H
#define SCREE_FUZZ_FOLDER_H

/* A folder for the commands of one input: before each it holds the same few files, made by the commands themselves, and
 * nothing else. It lies in $TMPDIR, or /tmp, and is removed when the program ends. */

/* Makes the folder as it should be, and the current one. The first call runs `prepare` in it to make the files. */
void fuzz_folder_enter(void (*prepare)(void));
/* Back to where the program was before. */
void fuzz_folder_leave(void);

#endif
