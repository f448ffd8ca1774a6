/* SPDX-License-Identifier: BSD-3-Clause */
/* The seam between processes, with two threads that play them: each has half of the rows, sums meet at a barrier, and
 * both must come to the result of all rows. What one process has alone does not move by a bit. */

#include "support/checks.h"

#include "base/memory.h"
#include "fit/method.h"
#include "support/calls.h"
#include "support/rows.h"

#include <pthread.h>
#include <string.h>

enum { K = 3, PROCESSES = 2 };

/* Rows, columns, and a tolerance. */
typedef struct task {
    int64_t n;
    int64_t d;
    double tolerance;
} task;

static const task small = {300, 64, 1e-11};
static const task large = {10500, 200, 1e-8}; /* enough for sweeps in float over rows that are kept */

typedef struct meeting {
    pthread_barrier_t barrier;
    double *brought[PROCESSES];
} meeting;

typedef struct process {
    meeting *meeting;
    int number;
    const scree__method *method;
    const task *task;
    const rows *all;
    scree__solution solution;
    scree_status status;
    scree_error error;
} process;

/* Everybody brings a copy, everybody adds the copies up in the same order. */
static scree_status sum_at_meeting(void *context, double *values, int64_t count, scree_error *error)
{
    process *p = context;
    meeting *m = p->meeting;
    (void)error;
    m->brought[p->number] = scree__alloc(count, sizeof *values);
    memcpy(m->brought[p->number], values, (size_t)count * sizeof *values);
    pthread_barrier_wait(&m->barrier);
    for (int64_t i = 0; i < count; i++)
        values[i] = m->brought[0][i] + m->brought[1][i];
    pthread_barrier_wait(&m->barrier);
    free(m->brought[p->number]);
    return SCREE_OK;
}

static rows *made(const task *t)
{
    double *x = scree__alloc(t->n * t->d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t j = 0; j < t->d; j++)
            x[i * t->d + j] = rows_random(41, i, j) * pow(0.8, (double)j) + 5 + 0.01 * (double)i;
    return rows_of(x, t->n, t->d, SCREE_F64, 0);
}

/* A third of the rows for the first, the rest for the second. */
static void *run_process(void *context)
{
    process *p = context;
    const int64_t n = p->task->n;
    const int64_t cut = n / 3;
    const int64_t first = p->number == 0 ? 0 : cut;
    const int64_t count = p->number == 0 ? cut : n - cut;
    const scree__reduce reduce = {sum_at_meeting, p};
    scree_source *source = NULL;
    scree__job job;
    scree_run how = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = K;
    options.tolerance = p->task->tolerance;
    options.run = &how;
    how.threads = 1;
    p->status = scree_source_from_memory(&source,
                                         BLOCK_STRIDED((const double *)p->all->data + first * p->all->stride, SCREE_F64,
                                                       count, p->task->d, p->all->stride),
                                         &p->error);
    if (p->status == SCREE_OK)
        p->status = scree__job_make(&job, source, &options, &p->error);
    if (p->status == SCREE_OK) {
        job.reduce = &reduce;
        p->status = p->method->run(&job, &p->solution, &p->error);
    }
    scree_source_free(source);
    return NULL;
}

static void expect_same_as_alone(const scree__method *method, const task *t)
{
    meeting m;
    process p[PROCESSES];
    pthread_t thread[PROCESSES];
    rows *all = made(t);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.components = K;
    options.solver = method->name;
    options.tolerance = t->tolerance;
    scree_model *alone = rows_fit(all, &options);
    const scree_model_view *view = scree_model_get(alone);
    pthread_barrier_init(&m.barrier, NULL, PROCESSES);
    for (int i = 0; i < PROCESSES; i++) {
        p[i] = (process){.meeting = &m, .number = i, .method = method, .task = t, .all = all};
        assert_int_equal(pthread_create(&thread[i], NULL, run_process, &p[i]), 0);
    }
    for (int i = 0; i < PROCESSES; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < PROCESSES; i++) {
        const scree__solution *s = &p[i].solution;
        EXPECT_OK(p[i].status, p[i].error);
        assert_int_equal(s->rows, t->n);
        assert_int_equal(s->passes, view->passes);
        EXPECT_NEAR(s->total, view->total_variance, 1e-12 * view->total_variance);
        for (int64_t j = 0; j < K; j++)
            EXPECT_NEAR(s->values[j], view->eigenvalues[j], 1e-12 * view->eigenvalues[0]);
        for (int64_t j = 0; j < t->d; j++)
            EXPECT_NEAR(s->mean[j], view->mean[j], 1e-14 * fabs(view->mean[j]));
    }
    assert_memory_equal(p[0].solution.vectors, p[1].solution.vectors, (size_t)(K * t->d) * sizeof(double));
    for (int i = 0; i < PROCESSES; i++)
        scree__solution_clear(&p[i].solution);
    pthread_barrier_destroy(&m.barrier);
    scree_model_free(alone);
    rows_free(all);
}

static void test_covariance_of_two_halves(void **state)
{
    (void)state;
    expect_same_as_alone(&scree__method_covariance, &small);
}

static void test_lanczos_of_two_halves(void **state)
{
    (void)state;
    expect_same_as_alone(&scree__method_lanczos, &small);
    expect_same_as_alone(&scree__method_lanczos, &large);
}

static void test_alone_nothing_moves(void **state)
{
    (void)state;
    scree__counted count = {7, 7.5};
    double mean[] = {0.1, 1e5 / 3};
    double scatter[] = {0.3, 0.7, 0.7, 1e-9};
    const double mean_before[] = {0.1, 1e5 / 3};
    const double scatter_before[] = {0.3, 0.7, 0.7, 1e-9};
    assert_int_equal(scree__reduce_moments(&scree__reduce_local, &count, mean, scatter, 2, false, NULL), SCREE_OK);
    assert_int_equal(scree__reduce_moments(&scree__reduce_local, &count, mean, scatter, 2, true, NULL), SCREE_OK);
    assert_int_equal(count.rows, 7);
    assert_true(count.weight == 7.5);
    assert_memory_equal(mean, mean_before, sizeof mean);
    assert_memory_equal(scatter, scatter_before, sizeof scatter);
}

static scree_status no_network(void *context, double *values, int64_t count, scree_error *error)
{
    int *left = context;
    if ((*left)-- > 0) {
        for (int64_t i = 0; i < count; i++)
            values[i] *= 2; /* as if another had the same */
        return SCREE_OK;
    }
    return scree__fail(error, SCREE_ERR_IO, "the network is gone");
}

static void test_failure_passes_through(void **state)
{
    (void)state;
    for (int good = 0; good < 3; good++) {
        int left = good;
        scree__counted count = {7, 7};
        double mean[] = {1, 2};
        double scatter[] = {3, 4};
        scree_error error = SCREE_ERROR_INIT;
        const scree__reduce reduce = {no_network, &left};
        assert_int_equal(scree__reduce_moments(&reduce, &count, mean, scatter, 2, true, &error), SCREE_ERR_IO);
        assert_string_equal(error.text, "the network is gone");
        assert_int_equal(count.rows, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covariance_of_two_halves),
        cmocka_unit_test(test_lanczos_of_two_halves),
        cmocka_unit_test(test_alone_nothing_moves),
        cmocka_unit_test(test_failure_passes_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
