/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel loops: every index is done once, by a worker with a number below the number of threads. Under the thread
 * sanitizer this is also the test that the fork and the join are understood: tasks read what was written before the
 * loop, and the caller reads what they wrote. */

#include "base/threads.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 500, THREADS = 4 };

typedef struct work {
    int64_t input[COUNT];
    int64_t output[COUNT];
    int times[COUNT];
    int worker[COUNT];
} work;

static void square(void *context, int64_t index, int worker)
{
    work *w = context;
    w->output[index] = w->input[index] * w->input[index];
    w->times[index]++;
    w->worker[index] = worker;
}

static void run_and_check(int threads, int64_t count)
{
    static work w;
    memset(&w, 0, sizeof w);
    for (int64_t i = 0; i < COUNT; i++)
        w.input[i] = i + 3;
    scree__parallel(threads, count, square, &w);
    for (int64_t i = 0; i < COUNT; i++) {
        assert_int_equal(w.times[i], i < count ? 1 : 0);
        assert_int_equal(w.output[i], i < count ? (i + 3) * (i + 3) : 0);
        assert_true(w.worker[i] >= 0 && w.worker[i] < (threads > 1 ? threads : 1));
    }
}

static void test_every_index_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= THREADS; threads++)
        for (int repeat = 0; repeat < 20; repeat++)
            run_and_check(threads, COUNT);
}

static void test_fewer_tasks_than_threads(void **state)
{
    (void)state;
    for (int64_t count = 0; count <= THREADS; count++)
        run_and_check(THREADS, count);
}

static void test_asked_for_or_all(void **state)
{
    (void)state;
    assert_int_equal(scree__threads(3), 3);
    assert_true(scree__threads(0) >= 1);
    assert_int_equal(scree__threads(INT_MAX), 1024);
}

static void test_little_work_is_done_alone(void **state)
{
    (void)state;
    assert_int_equal(scree__threads_for(THREADS, 1e3), 1);
    assert_int_equal(scree__threads_for(THREADS, 1e9), THREADS);
}

typedef struct in_turn {
    scree__turn turn;
    int64_t order[COUNT];
    int64_t count;
} in_turn;

static void append(void *context, int64_t index, int worker)
{
    in_turn *w = context;
    (void)worker;
    scree__turn_wait(&w->turn, index);
    w->order[w->count++] = index;
    scree__turn_done(&w->turn);
}

/* More threads than processors, too. */
static void test_turns_are_in_order(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 16; threads *= 4) {
        static in_turn w;
        memset(&w, 0, sizeof w);
        scree__parallel(threads, COUNT, append, &w);
        assert_int_equal(w.count, COUNT);
        for (int64_t i = 0; i < COUNT; i++)
            assert_int_equal(w.order[i], i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_once),          cmocka_unit_test(test_turns_are_in_order),
        cmocka_unit_test(test_fewer_tasks_than_threads),  cmocka_unit_test(test_asked_for_or_all),
        cmocka_unit_test(test_little_work_is_done_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
