/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradient of a stack of layers against differences of its error, and its bits for any number of threads. */

#include "kernel/stack.h"

#include "base/memory.h"
#include "base/random.h"

#include "support/checks.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

enum { D = 7, WIDE = 6, CODE = 2, ROWS = 5 };

/* D - WIDE - CODE - WIDE - D, the second half flipped where weights are tied. */
static void lay_out(scree__stack *stack, scree__activation f, scree__activation output, bool tied, int64_t d)
{
    const int64_t widths[] = {d, WIDE, CODE, WIDE, d};
    int64_t at = 0;
    *stack = (scree__stack){.count = 4, .capacity = 700, .threads = 2};
    for (int64_t l = 0; l < 4; l++) {
        scree__dense *layer = &stack->layers[l];
        *layer = (scree__dense){.in = widths[l], .out = widths[l + 1], .f = f, .weights = at};
        if (l == 1)
            layer->f = SCREE__IDENTITY;
        if (l == 3)
            layer->f = output;
        layer->flipped = tied && l >= 2;
        if (layer->flipped)
            layer->weights = stack->layers[3 - l].weights;
        else
            at += layer->in * layer->out;
        layer->bias = at;
        at += layer->out;
    }
    stack->parameters = at;
}

static double *drawn(int64_t count, uint64_t stream)
{
    double *x = scree__alloc(count, sizeof *x);
    assert_non_null(x);
    scree__normals(5, stream, 0, count, x);
    return x;
}

static void check_gradient(scree__activation f, scree__activation output, bool tied, bool weighted)
{
    scree__stack stack;
    scree_error error = SCREE_ERROR_INIT;
    double weight[D] = {1, 2, 0.5, 1, 3, 1, 0.25};
    lay_out(&stack, f, output, tied, D);
    double *values = drawn(stack.parameters, 1);
    double *x = drawn(ROWS * D, 2);
    stack.values = values;
    stack.weight = weighted ? weight : NULL;
    assert_int_equal(scree__stack_alloc(&stack, sizeof(double), &error), SCREE_OK);
    memcpy(stack.h[0], x, ROWS * D * sizeof *x);
    scree__stack_forward_f64(&stack, ROWS, true);
    scree__stack_backward_f64(&stack, ROWS, 0.5, false);
    const double *gradient = stack.gradient;
    double norm = 0;
    double off = 0;
    for (int64_t p = 0; p < stack.parameters; p++) {
        const double kept = values[p];
        const double h = 1e-5;
        values[p] = kept + h;
        const double above = scree__stack_forward_f64(&stack, ROWS, false);
        values[p] = kept - h;
        const double below = scree__stack_forward_f64(&stack, ROWS, false);
        values[p] = kept;
        const double slope = 0.5 * (above - below) / (2 * h);
        norm += slope * slope;
        off += (slope - gradient[p]) * (slope - gradient[p]);
    }
    assert_true(norm > 0.1);
    assert_true(sqrt(off) <= 1e-8 * sqrt(norm)); /* differences themselves are that good */
    scree__stack_clear(&stack);
    free(values);
    free(x);
}

static void gradients_match_differences(void **state)
{
    (void)state;
    static const scree__activation hidden[] = {SCREE__IDENTITY, SCREE__GELU, SCREE__TANH, SCREE__SIGMOID, SCREE__RELU};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        for (int way = 0; way < 8; way++)
            check_gradient(hidden[i], way & 1 ? SCREE__SIGMOID : SCREE__IDENTITY, way & 2, way & 4);
}

/* Adding the gradients of two batches is the gradient of both. */
static void gradients_add_up(void **state)
{
    (void)state;
    scree__stack stack;
    scree_error error = SCREE_ERROR_INIT;
    lay_out(&stack, SCREE__GELU, SCREE__IDENTITY, true, D);
    double *values = drawn(stack.parameters, 1);
    double *x = drawn(ROWS * D, 2);
    double whole[256];
    stack.values = values;
    assert_true(stack.parameters <= 256);
    assert_int_equal(scree__stack_alloc(&stack, sizeof(double), &error), SCREE_OK);
    memcpy(stack.h[0], x, ROWS * D * sizeof *x);
    const double all = scree__stack_forward_f64(&stack, ROWS, true);
    scree__stack_backward_f64(&stack, ROWS, 1, false);
    memcpy(whole, stack.gradient, (size_t)stack.parameters * sizeof *whole);
    memcpy(stack.h[0], x, 2 * D * sizeof *x);
    double sum = scree__stack_forward_f64(&stack, 2, true);
    scree__stack_backward_f64(&stack, 2, 1, false);
    memcpy(stack.h[0], x + 2 * D, (ROWS - 2) * D * sizeof *x);
    sum += scree__stack_forward_f64(&stack, ROWS - 2, true);
    scree__stack_backward_f64(&stack, ROWS - 2, 1, true);
    double largest = 0;
    EXPECT_NEAR(sum, all, 1e-12 * all);
    for (int64_t p = 0; p < stack.parameters; p++)
        largest = fmax(largest, fabs(whole[p]));
    for (int64_t p = 0; p < stack.parameters; p++)
        EXPECT_NEAR(((double *)stack.gradient)[p], whole[p], 1e-12 * largest);
    scree__stack_clear(&stack);
    free(values);
    free(x);
}

/* Several tiles each way, in float: one thread and four give the same bits. */
static void threads_change_nothing(void **state)
{
    (void)state;
    enum { MANY = 700, BROAD = 530 };
    float *kept = NULL;
    scree_error error = SCREE_ERROR_INIT;
    for (int threads = 1; threads <= 4; threads += 3) {
        scree__stack stack;
        lay_out(&stack, SCREE__GELU, SCREE__SIGMOID, false, BROAD);
        stack.threads = threads;
        double *values = drawn(stack.parameters, 1);
        double *x = drawn(MANY * BROAD, 2);
        float *narrow = scree__alloc(stack.parameters, sizeof *narrow);
        assert_non_null(narrow);
        for (int64_t p = 0; p < stack.parameters; p++)
            narrow[p] = (float)values[p];
        stack.values = narrow;
        assert_int_equal(scree__stack_alloc(&stack, sizeof(float), &error), SCREE_OK);
        for (int64_t i = 0; i < MANY * BROAD; i++)
            ((float *)stack.h[0])[i] = (float)x[i];
        scree__stack_forward_f32(&stack, MANY, true);
        scree__stack_backward_f32(&stack, MANY, 1, false);
        if (kept)
            assert_memory_equal(kept, stack.gradient, (size_t)stack.parameters * sizeof *kept);
        free(kept);
        kept = stack.gradient;
        stack.gradient = NULL;
        scree__stack_clear(&stack);
        free(values);
        free(x);
        free(narrow);
    }
    free(kept);
}

static int threads_of_process(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && readdir(tasks))
        count++;
    if (tasks)
        closedir(tasks);
    return count;
}

/* Waking a thread takes longer than a small layer: none is started. The first test, while there are none. */
static void small_layers_wake_nobody(void **state)
{
    (void)state;
    enum { SOME = 100 };
    scree__stack stack;
    scree_error error = SCREE_ERROR_INIT;
    lay_out(&stack, SCREE__GELU, SCREE__IDENTITY, false, D);
    double *values = drawn(stack.parameters, 1);
    double *x = drawn(SOME * D, 2);
    stack.values = values;
    assert_int_equal(scree__stack_alloc(&stack, sizeof(double), &error), SCREE_OK);
    memcpy(stack.h[0], x, SOME * D * sizeof *x);
    const int before = threads_of_process();
    scree__stack_forward_f64(&stack, SOME, true);
    scree__stack_backward_f64(&stack, SOME, 1, false);
    assert_int_equal(threads_of_process(), before);
    scree__stack_clear(&stack);
    free(values);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_layers_wake_nobody),
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(gradients_add_up),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
