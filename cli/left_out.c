/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns of numbers an answer did not use, since the model was fitted without them: what is not said here would
 * be left out in silence. A sorted list of the model's names, one search for each column: O((C + D) log D). And which
 * names of a model stand for several of its columns. */

#include "left_out.h"
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3 };

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void cli_left_out_print(FILE *out, const scree_model *model, const scree_source *source, bool copied)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t cols = scree_source_cols(source);
    if (!view->columns || cols <= view->d || !scree_source_column(source, 0))
        return;
    const char **known = cli_alloc((size_t)view->d, sizeof *known);
    const char **unknown = cli_alloc((size_t)cols, sizeof *unknown);
    int64_t count = 0;
    memcpy(known, view->columns, (size_t)view->d * sizeof *known);
    qsort(known, (size_t)view->d, sizeof *known, by_name);
    for (int64_t j = 0; j < cols; j++) {
        const char *name = scree_source_column(source, j);
        if (!bsearch(&name, known, (size_t)view->d, sizeof *known, by_name))
            unknown[count++] = name;
    }
    if (count > 0 && cols - count >= view->d) { /* else these are no rows of the model: codes, for example */
        cli_print(out, "%s: column%s not in the model and %s: ", scree_source_name(source), count == 1 ? "" : "s",
                  !copied && view->normalize > 0 ? "counted in the sums of rows alone"
                  : !copied                      ? "left out"
                  : count == 1                   ? "copied as it is"
                                                 : "copied as they are");
        for (int64_t j = 0; j < count && j < SHOWN; j++)
            cli_print(out, "%s'%s'", j ? ", " : "", unknown[j]);
        if (count > SHOWN)
            cli_print(out, " and %" PRId64 " more", count - SHOWN);
        fputc('\n', out);
    }
    free(known);
    free(unknown);
}

void cli_repeated_print(FILE *out, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    int64_t names = 0;
    int64_t repeats = 0;
    const char *first = NULL;
    if (!view->columns)
        return;
    const char **sorted = cli_alloc((size_t)view->d, sizeof *sorted);
    memcpy(sorted, view->columns, (size_t)view->d * sizeof *sorted);
    qsort(sorted, (size_t)view->d, sizeof *sorted, by_name);
    for (int64_t j = 0, count; j < view->d; j += count) {
        for (count = 1; j + count < view->d && strcmp(sorted[j], sorted[j + count]) == 0;)
            count++;
        if (count > 1 && names++ == 0) {
            first = sorted[j];
            repeats = count;
        }
    }
    if (names > 0)
        cli_print(out, "%" PRId64 " columns are called '%.100s'", repeats, first);
    if (names > 1)
        cli_print(out, ", and %" PRId64 " more name%s repeated", names - 1, names == 2 ? " is" : "s are");
    if (names > 0)
        cli_print(out, "; in other data, columns of one name are told apart by their order: better rename them\n");
    free(sorted);
}
