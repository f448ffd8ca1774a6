/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that are measured in a small unit hide all others. Such are the q columns of largest variance that hold nine
 * tenths of it together, where they are one, or less than a tenth of all that vary; or those that are a hundred times
 * larger than every other, and no more than these. O(D log D). */

#include "model_text.h"

#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NAMED = 3 };
static const double MOST_OF_ALL = 0.9;
static const double FEW = 0.1;      /* of the columns */
static const double LARGER = 10000; /* in variance: another unit */

typedef struct column {
    int64_t index;
    double variance;
} column;

static int by_variance(const void *a, const void *b)
{
    const column *x = a;
    const column *y = b;
    if (x->variance != y->variance)
        return x->variance > y->variance ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* How many of those that vary, in descending order, are more than the others; 0: none. */
static int64_t count_dominant(const column *columns, int64_t varying, double sum)
{
    double top = 0;
    int64_t most = 0;
    while (most < varying && top <= MOST_OF_ALL * sum)
        top += columns[most++].variance;
    if (most < varying && (most == 1 || (double)most < FEW * (double)varying))
        return most;
    for (int64_t q = 1; 2 * q <= varying; q++)
        if (columns[q - 1].variance >= LARGER * columns[q].variance)
            return q;
    return 0;
}

static void print_names(FILE *out, const scree_model_view *model, const column *columns, int64_t count)
{
    cli_print(out, count == 1 ? "column " : "columns ");
    for (int64_t i = 0; i < count && i < NAMED; i++) {
        cli_print(out, "%s", i == 0 ? "" : i + 1 == count ? " and " : ", ");
        if (model->columns)
            cli_print(out, "'%.100s'", model->columns[columns[i].index]);
        else
            cli_print(out, "%" PRId64, columns[i].index + 1);
    }
    if (count > NAMED)
        cli_print(out, " and %" PRId64 " more", count - NAMED);
}

void cli_dominant_columns(FILE *out, const scree_model_view *model)
{
    column *columns = cli_alloc((size_t)model->d, sizeof *columns);
    int64_t varying = 0;
    double sum = 0;
    double top = 0;
    for (int64_t j = 0; j < model->d; j++) {
        columns[j] = (column){j, model->variances[j]};
        varying += model->variances[j] > 0;
        sum += model->variances[j];
    }
    qsort(columns, (size_t)model->d, sizeof *columns, by_variance);
    const int64_t count = model->scale ? 0 : count_dominant(columns, varying, sum);
    for (int64_t i = 0; i < count; i++)
        top += columns[i].variance;
    if (count > 0) {
        print_names(out, model, columns, count);
        cli_print(out, " %s %.4g %% of the variance; fit --scale unit gives all columns the same weight\n",
                  count == 1 ? "has" : "have", 100.0 * top / sum);
    }
    free(columns);
}
