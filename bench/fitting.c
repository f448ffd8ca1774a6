/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit as the cases time it: rows of an array or of a file, options, and the model that the last run has found.
 * Opening the rows counts; letting go of the model before does not. And what the planner says of the same fit before it
 * is done: the seconds of the method that it takes. */

#include "bench.h"

#include "base/threads.h"

scree_block bench_block(const void *data, scree_type type, int64_t rows, int64_t cols)
{
    scree_block block = SCREE_BLOCK_INIT;
    block.data = data;
    block.type = type;
    block.rows = rows;
    block.cols = cols;
    return block;
}

static scree_fit_options options_of(const bench_fitting *f)
{
    scree_fit_options options = f->options;
    options.run = &f->run;
    return options;
}

static void prepare(bench_fitting *f, const bench *b)
{
    *f = (bench_fitting){.options = SCREE_FIT_OPTIONS_INIT, .run = SCREE_RUN_INIT};
    f->options.components = BENCH_COMPONENTS;
    f->run.threads = b->threads == scree__threads(0) ? 0 : b->threads;
}

void bench_fitting_array(bench_fitting *f, const bench *b, const void *data, scree_type type, int64_t rows,
                         int64_t cols)
{
    prepare(f, b);
    f->data = data;
    f->type = type;
    f->rows = rows;
    f->cols = cols;
}

void bench_fitting_file(bench_fitting *f, const bench *b, const char *path)
{
    prepare(f, b);
    f->path = path;
}

void bench_fitting_clear(bench_fitting *f)
{
    scree_model_free(f->model);
    f->model = NULL;
}

static scree_status open_rows(scree_source **source, const bench_fitting *f, scree_error *error)
{
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.threads = f->run.threads;
    if (f->path)
        return scree_source_open(source, f->path, &options, error);
    const scree_block block = bench_block(f->data, f->type, f->rows, f->cols);
    return scree_source_from_memory(source, &block, error);
}

scree_status bench_fit_once(void *fitting, double *seconds, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_fitting *f = fitting;
    const scree_fit_options options = options_of(f);
    scree_source *source = NULL;
    bench_fitting_clear(f);
    const double start = bench_now();
    SCREE_TRY(open_rows(&source, f, error));
    SCREE_TRY(scree_model_fit(&f->model, source, &options, error));
    *seconds = bench_now() - start;
done:
    scree_source_free(source);
    return status;
}

scree_status bench_plan(scree_plan **plan, const bench_fitting *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    const scree_fit_options options = options_of(f);
    SCREE_TRY(open_rows(&source, f, error));
    SCREE_TRY(scree_plan_make(plan, source, &options, error));
done:
    scree_source_free(source);
    return status;
}

scree_status bench_predict(double *seconds, const bench_fitting *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_plan *plan = NULL;
    *seconds = 0;
    SCREE_TRY(bench_plan(&plan, f, error));
    for (int64_t i = 0; i < scree_plan_count(plan); i++)
        if (scree_plan_at(plan, i)->chosen)
            *seconds = scree_plan_at(plan, i)->seconds;
done:
    scree_plan_free(plan);
    return status;
}
