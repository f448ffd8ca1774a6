/* SPDX-License-Identifier: BSD-3-Clause */
/* The course of a fit: work that is no pass over rows tells how far it is, and stops when it is told to; what is said
 * of the time that is left agrees with the plan before anything is done, and with the clock when half is. */

#include "support/checks.h"

#include "base/progress.h"
#include "base/watch.h"
#include "fit/course.h"
#include "support/calls.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct witness {
    double told[1024];
    int calls;
    double stop_at; /* done, from which on it is to end */
} witness;

static scree_status hear(void *context, double done, scree_error *error)
{
    witness *w = context;
    if (w->calls < 1024)
        w->told[w->calls++] = done;
    return done >= w->stop_at ? scree__fail(error, SCREE_ERR_CANCELLED, "cancelled") : SCREE_OK;
}

static void test_parts(void **state)
{
    (void)state;
    witness w = {.stop_at = 2};
    const scree__watch whole = {.tell = hear, .context = &w};
    const scree__watch half = scree__watch_part(&whole, 0.5, 1);
    const scree__watch last = scree__watch_part(&half, 0.5, 1);
    assert_int_equal(scree__watch_tell(&whole, 0.25, NULL), SCREE_OK);
    assert_int_equal(scree__watch_tell(&half, 0.5, NULL), SCREE_OK);
    assert_int_equal(scree__watch_tell(&last, 0.5, NULL), SCREE_OK);
    EXPECT_NEAR(w.told[0], 0.25, 0);
    EXPECT_NEAR(w.told[1], 0.75, 0);
    EXPECT_NEAR(w.told[2], 0.875, 0);
    const scree__watch none = scree__watch_part(NULL, 0, 1);
    assert_int_equal(scree__watch_tell(&none, 0.5, NULL), SCREE_OK);
    assert_int_equal(scree__watch_tell(NULL, 0.5, NULL), SCREE_OK);
}

static void count_one(void *context, int64_t index, int worker)
{
    (void)index;
    (void)worker;
    __atomic_add_fetch((int *)context, 1, __ATOMIC_RELAXED);
}

static void test_loops(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads += 3) {
        witness w = {.stop_at = 2};
        scree__watch watch = {.tell = hear, .context = &w};
        scree_error error = SCREE_ERROR_INIT;
        int done = 0;
        EXPECT_OK(scree__watch_parallel(&watch, threads, 500, count_one, &done, &error), error);
        assert_int_equal(done, 500);
        for (int i = 1; i < w.calls; i++)
            assert_true(w.told[i] >= w.told[i - 1] && w.told[i] < 1);
        done = 0;
        EXPECT_OK(scree__watch_parallel(NULL, threads, 500, count_one, &done, &error), error);
        assert_int_equal(done, 500);
        w = (witness){.stop_at = 0};
        done = 0;
        if (scree__watch_parallel(&watch, threads, 500, count_one, &done, &error) != SCREE_OK)
            assert_true(done < 500);
        else /* others took all tasks before this thread came to one */
            assert_true(threads > 1 && w.calls == 0);
    }
}

static void sleep_a_while(void *context)
{
    usleep(350000);
    *(bool *)context = true;
}

static void test_work_apart(void **state)
{
    (void)state;
    witness w = {.stop_at = 2};
    scree__watch watch = {.tell = hear, .context = &w};
    scree_error error = SCREE_ERROR_INIT;
    bool done = false;
    EXPECT_OK(scree__watch_while(&watch, 0.4, sleep_a_while, &done, &error), error);
    assert_true(done);
    if (scree__threads(0) > 1)
        assert_true(w.calls >= 1);
    for (int i = 1; i < w.calls; i++)
        assert_true(w.told[i] > w.told[i - 1] && w.told[i] < 1);
    w = (witness){.stop_at = 0};
    done = false;
    const scree_status status = scree__watch_while(&watch, 0.4, sleep_a_while, &done, &error);
    assert_true(done); /* what it works on is the caller's */
    assert_int_equal(status, w.calls > 0 ? SCREE_ERR_CANCELLED : SCREE_OK);
}

static void look_at_signals(void *context)
{
    pthread_sigmask(SIG_BLOCK, NULL, context);
}

/* Signals stay with the caller's threads. */
static void test_work_apart_hears_no_signals(void **state)
{
    (void)state;
    witness w = {.stop_at = 2};
    scree__watch watch = {.tell = hear, .context = &w};
    scree_error error = SCREE_ERROR_INIT;
    sigset_t blocked;
    sigset_t own;
    EXPECT_OK(scree__watch_while(&watch, 0.4, look_at_signals, &blocked, &error), error);
    pthread_sigmask(SIG_BLOCK, NULL, &own);
    assert_int_equal(sigismember(&own, SIGINT), 0);
    assert_int_equal(sigismember(&blocked, SIGINT), scree__threads(0) > 1);
}

/* ---- what a caller hears ---- */

typedef struct listener {
    scree_progress last;
    int passes;
    int parts;
    double part_done;
    const char *stop_in; /* the part to stop in */
} listener;

static int listen(void *context, const scree_progress *p)
{
    listener *l = context;
    assert_int_equal(p->size, sizeof *p);
    assert_true(p->done <= 1);
    l->last = *p;
    if (!p->part) {
        l->passes++;
        return 0;
    }
    assert_true(p->done >= l->part_done && p->seconds_left >= 0);
    l->part_done = p->done;
    l->parts++;
    return l->stop_in && strcmp(p->part, l->stop_in) == 0;
}

static void test_time_left(void **state)
{
    (void)state;
    listener l = {0};
    scree__course c;
    scree_run run = SCREE_RUN_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree__course_open(&c, &run);
    assert_null(scree__course_of(&run)); /* nobody listens */
    run.progress = listen;
    run.progress_context = &l;
    scree__course_open(&c, &run);
    assert_ptr_equal(scree__course_of(&run), &c);
    EXPECT_OK(scree__course_plan(&c, "fit", 100, 20, 3, &error), error);
    EXPECT_NEAR(l.last.seconds_left, 123, 0);
    c.began -= 200; /* it is slow: half of the rows in 200 s */
    scree_progress pass = {.stage = "fit", .pass = 1, .passes = 1, .rows = 50, .rows_total = 100};
    EXPECT_OK(scree__progress_tell(&run, pass, 0, &error), error);
    EXPECT_NEAR(l.last.seconds_left, (200 + 0.05 * 100) / 0.55 * 0.5 + 23, 0.1);
    const scree__watch watch = scree__course_part(&c, "eigenvectors", 0, 1);
    c.began -= 10;
    EXPECT_OK(scree__watch_tell(&watch, 0.5, &error), error);
    assert_string_equal(l.last.part, "eigenvectors");
    EXPECT_NEAR(l.last.seconds_left, (10 + 0.05 * 20) / 0.55 * 0.5 + 3, 0.1);
    assert_int_equal(l.last.rows, 50); /* the last pass is told with it */
}

static void test_steps(void **state)
{
    (void)state;
    listener l = {0};
    scree__course c;
    scree_run run = {.size = sizeof run, .progress = listen, .progress_context = &l};
    scree_error error = SCREE_ERROR_INIT;
    scree__course_open(&c, &run);
    EXPECT_OK(scree__course_plan(&c, "fit", 10, 0, 0, &error), error);
    c.began -= 4;
    const scree__watch steps = scree__course_steps(&c);
    EXPECT_OK(scree__watch_tell(&steps, 0.2, &error), error);
    EXPECT_OK(scree__watch_tell(&steps, 0.4, &error), error);
    scree_progress pass = {.stage = "fit", .pass = 3, .rows = 1, .rows_total = 2};
    EXPECT_OK(scree__progress_tell(&run, pass, 0, &error), error); /* half of a step that is as long as the last */
    EXPECT_NEAR(l.last.seconds_left, (4 + 0.5) / 0.55 * 0.5, 0.1);
}

/* ---- fits ---- */

enum { ROWS = 700, COLS = 600 };

/* Every method that ends with more than a pass says so, and a caller who has enough then is obeyed. */
static void test_fits(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        int64_t rows;
        const char *part;
    } cases[] = {{"covariance", ROWS, "eigenvectors"},
                 {"svd", ROWS, NULL}, /* it takes less than anybody wants to hear of */
                 {"gram", COLS / 2, "eigenvectors"},
                 {"gram", COLS / 2, "products"}};
    double *x = malloc(sizeof *x * ROWS * COLS);
    for (int64_t i = 0; i < ROWS * COLS; i++)
        x[i] = sin((double)i * (double)i);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int stops = 0; stops <= (cases[i].part != NULL); stops++) {
            listener l = {.stop_in = stops ? cases[i].part : NULL};
            scree_error error = SCREE_ERROR_INIT;
            scree_source *source = NULL;
            scree_model *model = NULL;
            const scree_run run = {.size = sizeof run, .progress = listen, .progress_context = &l};
            scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
            options.components = COLS / 4;
            options.solver = cases[i].solver;
            options.run = &run;
            EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, cases[i].rows, COLS), &error), error);
            const scree_status status = scree_model_fit(&model, source, &options, &error);
            assert_int_equal(status, stops ? SCREE_ERR_CANCELLED : SCREE_OK);
            assert_int_equal(model == NULL, stops);
            assert_true(l.passes > 0);
            assert_int_equal(l.parts > 0, cases[i].part != NULL);
            scree_model_free(model);
            scree_source_free(source);
        }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),      cmocka_unit_test(test_loops),
        cmocka_unit_test(test_work_apart), cmocka_unit_test(test_work_apart_hears_no_signals),
        cmocka_unit_test(test_time_left),  cmocka_unit_test(test_steps),
        cmocka_unit_test(test_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
