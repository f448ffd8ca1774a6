/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_WORDS_H
#define SCREE_VIEW_WORDS_H

/* Short texts for pictures: letters counted as readers do, numbers as people write them. */

#include <stddef.h>
#include <stdint.h>

/* A copy that is UTF-8 and has nothing that steers a terminal; cut between letters where it does not fit. */
void scree__words_clean(char *out, size_t size, const char *text);
/* The code point that clean text begins with; *text moves behind it. */
uint32_t scree__words_next(const char **text);
int64_t scree__words_letters(const char *text);
/* Clean text of so many letters at most, "…" in place of what was too much. */
void scree__words_cut(char *out, size_t size, const char *text, int64_t letters);

/* 12, 0.25, 1.2×10⁶: digits significant digits at most. */
void scree__words_number(char *out, size_t size, double value, int digits);
/* 10⁻³, or the number itself where it is short. */
void scree__words_power(char *out, size_t size, int power);
/* "1000", "10 000", "1 000 000": from five digits on thousands apart, by narrow spaces. */
void scree__words_count(char *out, size_t size, int64_t count);

/* What stands behind the last slash. */
const char *scree__words_base(const char *path);

#endif
