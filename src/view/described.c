/* SPDX-License-Identifier: BSD-3-Clause */
/* cos² and contributions of columns are those of scree_model_meaning, of rows those of scree_model_describe, whose sink
 * is here. The contributions of all rows to a component are 100 %: where they are not, these are not the rows that the
 * model was fitted to. */

#include "view/described.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>

static const double tolerance = 1e-3; /* percent */

scree_status scree__together_of(scree__together *out, const scree__plot *plot, bool cos2, const int64_t *component,
                                int64_t count, scree_error *error)
{
    const scree_rotation_view *rotation = scree_model_rotation(plot->model);
    double sum = 0.0;
    if (count > 1 && rotation && rotation->oblique)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "the components are correlated, so what they have to do with a column or a row does not "
                           "add up; show one");
    *out = (scree__together){.cos2 = cos2, .count = count < SCREE__TOGETHER_MOST ? count : SCREE__TOGETHER_MOST};
    for (int64_t k = 0; k < out->count; k++) {
        out->component[k] = component[k];
        out->share[k] = cos2 ? 1.0 : scree__plot_share(plot, component[k]);
        sum += out->share[k];
    }
    for (int64_t k = 0; k < out->count && !cos2 && sum > 0.0; k++)
        out->share[k] /= sum;
    return SCREE_OK;
}

double scree__together_sum(const scree__together *together, const double *values)
{
    double sum = 0.0;
    for (int64_t k = 0; k < together->count; k++)
        sum += together->share[k] * values[together->component[k]];
    return sum;
}

const char *scree__together_title(const scree__together *together)
{
    return together->cos2 ? "cos²" : "contribution, %";
}

scree_status scree__described_columns(double **out, const scree__plot *plot, const scree__together *together,
                                      scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = plot->view->d, m = plot->view->m;
    const scree_meaning what = together->cos2 ? SCREE_MEANING_COS2 : SCREE_MEANING_CONTRIBUTIONS;
    double *all = NULL;
    *out = NULL;
    SCREE_ALLOC(all, d * m, error);
    SCREE_TRY(scree_model_meaning(plot->model, what, all, error));
    SCREE_ALLOC(*out, d, error);
    for (int64_t j = 0; j < d; j++)
        (*out)[j] = scree__together_sum(together, all + j * m);
done:
    free(all);
    return status;
}

static scree_status write_rows(void *context, const scree_block *block, scree_error *error)
{
    scree__described_rows *rows = context;
    const double *values = block->data;
    (void)error;
    for (int64_t i = 0; i < block->rows; i++, values += block->cols) {
        for (int64_t k = 0; k < rows->together->count; k++)
            rows->sums[k] += values[rows->together->component[k]];
        rows->visit(rows->context, rows->total++, scree__together_sum(rows->together, values));
    }
    return SCREE_OK;
}

/* Of rows with gaps the sum is near 100, as that of their variances is near the model's. */
static scree_status check_sums(const scree__described_rows *rows, const scree__plot *plot, scree_error *error)
{
    scree_gaps gaps = SCREE_GAPS_INIT;
    scree_status status = SCREE_OK;
    SCREE_TRY(scree_source_gaps(plot->rows, &gaps, error));
    for (int64_t k = 0; k < rows->together->count && !rows->together->cos2 && gaps.cells == 0; k++)
        if (fabs(rows->sums[k] - 100.0) > tolerance)
            SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                       "%s: contributions are of the rows that the model was fitted to, and these are others: they add "
                       "up to %.4g %% along component %" PRId64 "; give those rows, or ask for cos2",
                       scree_source_name(plot->rows), rows->sums[k], rows->together->component[k] + 1);
done:
    return status;
}

scree_status scree__described_rows_run(scree__described_rows *rows, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_sink *sink = NULL;
    scree_sink_calls calls = SCREE_SINK_CALLS_INIT;
    scree_describe_options asked = SCREE_DESCRIBE_OPTIONS_INIT;
    calls.context = rows;
    calls.write = write_rows;
    asked.no_coordinates = asked.no_distance = true;
    asked.no_cos2 = !rows->together->cos2;
    asked.no_contributions = rows->together->cos2;
    asked.training = !rows->together->cos2;
    asked.run = plot->options.run;
    SCREE_TRY(scree_sink_to_calls(&sink, &calls, error));
    SCREE_TRY(scree_model_describe(plot->model, plot->rows, sink, &asked, error));
    SCREE_TRY(scree_sink_finish(sink, error));
    SCREE_TRY(check_sums(rows, plot, error));
done:
    scree_sink_free(sink);
    return status;
}
