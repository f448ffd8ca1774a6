/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_REPORT_DICTIONARY_H
#define SCREE_VIEW_REPORT_DICTIONARY_H

/* Texts by number: each different one once, in the order in which they came. */

#include "scree_private.h"

typedef struct scree__dictionary {
    char **text; /* count of them, clean UTF-8 */
    int64_t count;
    int64_t room;
    int64_t most;   /* further texts are not kept; 0: no limit */
    int64_t *slots; /* a table of numbers + 1, by hash */
    int64_t slot_count;
} scree__dictionary;

/* *number: of the text, from 0; -1 when it is new and there is no more room for texts. */
scree_status scree__dictionary_number(scree__dictionary *words, const char *text, int64_t *number, scree_error *error);
void scree__dictionary_clear(scree__dictionary *words); /* safe on a zeroed struct */

/* A copy in UTF-8 of at most so many characters, three dots behind what was longer; bytes that are no UTF-8, and
 * control characters, become U+FFFD. NULL: no memory. */
char *scree__report_text(const char *text, int64_t most);

/* As long as a label or a name may be, and a sentence. */
enum { SCREE__LABEL_LETTERS = 120, SCREE__SENTENCE_LETTERS = 500 };

#endif
