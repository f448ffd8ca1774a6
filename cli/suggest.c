/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mistyped word may have meant: the nearest known word by edit distance (insertion, deletion, replacement, swap
 * of adjacent letters: Damerau's distance, by dynamic programming over three rows, O(length²)). */

#include "cli.h"

#include <string.h>

enum { LONGEST = 40 }; /* no option or command is longer */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int distance(const char *a, const char *b)
{
    const size_t m = strlen(a), n = strlen(b);
    int rows[3][LONGEST + 1];
    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *over = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], over[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

const char *cli_suggest(const char *word, const char *const *words)
{
    const size_t length = strlen(word);
    const char *best = NULL;
    int best_distance = LONGEST;
    for (; *words; words++) {
        int d = distance(word, *words);
        /* A prefix of a word counts as that word, and so does a longer word that starts with it. */
        const size_t known = strlen(*words);
        if (length >= 2 && known >= 2 && strncmp(word, *words, length < known ? length : known) == 0)
            d = least(d, 1);
        /* So does one of the parts of a name: format for input-format. */
        const char *part = length >= 4 ? strstr(*words, word) : NULL;
        if (part && (part == *words || part[-1] == '-') && (part[length] == '\0' || part[length] == '-'))
            d = least(d, 1);
        if (d < best_distance) {
            best = *words;
            best_distance = d;
        }
    }
    return best_distance <= 1 + (int)length / 5 ? best : NULL;
}
