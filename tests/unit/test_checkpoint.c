/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: stages within stages are taken up where they were; a file of which any byte is another, or that ends too
 * early, is refused; and fits by every method, broken off again and again and gone on with by other numbers of threads,
 * end in the bits of a fit that nobody disturbed. */

#include "support/checks.h"

#include "base/memory.h"
#include "fit/checkpoint.h"
#include "support/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[256];

static int set_up(void **state)
{
    const char *folder = getenv("TMPDIR");
    (void)state;
    snprintf(path, sizeof path, "%s/test_checkpoint.%ld", folder ? folder : "/tmp", (long)getpid());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

/* ---- stages ---- */

/* A computation: three outer steps, of two inner ones each, that can be broken off after any number of them. */
typedef struct steps {
    scree__checkpoint *checkpoint;
    int64_t outer;
    int64_t inner;
    int64_t sum;
    int64_t decided;
    int left; /* steps that this process lives */
} steps;

static void move_outer(void *context, scree__snapshot *s)
{
    steps *t = context;
    scree__snapshot_count(s, &t->outer, 0, 3);
    scree__snapshot_count(s, &t->sum, 0, 1000);
}

static void move_inner(void *context, scree__snapshot *s)
{
    steps *t = context;
    scree__snapshot_count(s, &t->inner, 0, 2);
    scree__snapshot_count(s, &t->sum, 0, 1000);
}

/* Whether it got to the end. */
static bool run_inner(steps *t)
{
    const scree__stage stage = {.name = "inner", .move = move_inner, .context = t};
    scree__reached reached;
    t->inner = 0;
    assert_int_equal(scree__checkpoint_begin(t->checkpoint, &stage, &reached, NULL), SCREE_OK);
    if (reached == SCREE__OVER)
        return true;
    while (t->inner < 2) {
        if (t->left-- == 0)
            return false;
        t->sum += 10 * t->outer + t->inner + t->decided;
        t->inner++;
        assert_int_equal(scree__checkpoint_offer(t->checkpoint, NULL), SCREE_OK);
    }
    return scree__checkpoint_end(t->checkpoint, SCREE_OK, NULL) == SCREE_OK;
}

static bool run_outer(steps *t)
{
    const scree__stage stage = {.name = "outer", .move = move_outer, .context = t};
    scree__reached reached;
    assert_int_equal(scree__checkpoint_settle(t->checkpoint, "decided", &t->decided, 1, NULL), SCREE_OK);
    assert_int_equal(scree__checkpoint_begin(t->checkpoint, &stage, &reached, NULL), SCREE_OK);
    while (reached != SCREE__OVER && t->outer < 3) {
        if (!run_inner(t))
            return false;
        t->outer++;
        assert_int_equal(scree__checkpoint_turn(t->checkpoint, NULL), SCREE_OK);
    }
    return reached == SCREE__OVER || scree__checkpoint_end(t->checkpoint, SCREE_OK, NULL) == SCREE_OK;
}

static scree_status open_as(scree__checkpoint **out, const char *identity, scree_error *error)
{
    const scree__checkpoint_options options = {.path = path, .identity = identity};
    return scree__checkpoint_open(out, &options, error);
}

/* The steps of a process that lives so long; decided: what it would decide. */
static bool run_steps(int left, int64_t decided, int64_t *sum)
{
    scree_error error = SCREE_ERROR_INIT;
    steps t = {.left = left, .decided = decided};
    EXPECT_OK(open_as(&t.checkpoint, "what: this\n", &error), error);
    const bool through = run_outer(&t);
    scree__checkpoint_close(t.checkpoint);
    *sum = t.sum;
    return through;
}

static void test_stages_go_on(void **state)
{
    (void)state;
    for (int life = 1; life < 8; life++) {
        int64_t sum = 0;
        int processes = 1;
        unlink(path);
        while (!run_steps(life, processes == 1 ? 1 : 7, &sum))
            processes++;
        assert_int_equal(sum, 2 * (0 + 10 + 20) + 3 + 6);
        assert_int_equal(processes, life >= 6 ? 1 : (6 + life - 1) / life);
        assert_true(run_steps(0, 7, &sum)); /* all is noted */
        assert_int_equal(sum, 2 * (0 + 10 + 20) + 3 + 6);
    }
}

static char *read_file(long *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)*size, file), *size);
    fclose(file);
    return bytes;
}

static void write_file(const char *bytes, long size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, (size_t)size, file), size);
    fclose(file);
}

static void expect_refused(const char *identity, const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__checkpoint *checkpoint = NULL;
    assert_int_not_equal(open_as(&checkpoint, identity, &error), SCREE_OK);
    assert_null(checkpoint);
    if (!strstr(error.text, part))
        fail_msg("%s: does not say %s", error.text, part);
}

static void test_damage_is_refused(void **state)
{
    int64_t sum;
    long size;
    (void)state;
    unlink(path);
    assert_false(run_steps(3, 1, &sum));
    char *bytes = read_file(&size);
    for (long at = 0; at < size; at++) {
        bytes[at] ^= 0x10;
        write_file(bytes, size);
        bytes[at] ^= 0x10;
        scree_error error = SCREE_ERROR_INIT;
        steps t = {.left = 100, .decided = 1};
        if (open_as(&t.checkpoint, "what: this\n", &error) == SCREE_OK) /* a name that no stage has, or not open */
            assert_true(at > 40);
        else
            assert_true(error.text[0]);
        scree__checkpoint_close(t.checkpoint);
    }
    for (long left = 0; left < size; left++) {
        write_file(bytes, left);
        expect_refused("what: this\n", "damaged");
    }
    write_file(bytes, size);
    expect_refused("what: that\n", "with other what (this; now that)");
    expect_refused("that: this\n", "of another fit");
    free(bytes);
}

/* ---- fits ---- */

typedef struct fit {
    const char *name;
    const char *solver;
    const char *em;
    int64_t n;
    int64_t d;
    scree_type type;
    double gaps;
    int64_t components;
    scree_scale scale;
    int64_t bootstrap;
} fit;

static const fit fits[] = {
    {"covariance", "covariance", NULL, 30000, 20, SCREE_F64, 0, 3, SCREE_SCALE_NONE, 0},
    {"bootstrap", "covariance", NULL, 20000, 6, SCREE_F64, 0, 3, SCREE_SCALE_UNIT, 40},
    {"bytes", "covariance", NULL, 60000, 20, SCREE_U8, 0, 3, SCREE_SCALE_NONE, 0},
    {"svd", "svd", NULL, 40000, 20, SCREE_F32, 0, 3, SCREE_SCALE_UNIT, 0},
    {"gram", "gram", NULL, 40, 9000, SCREE_F64, 0, 3, SCREE_SCALE_NONE, 0},
    {"lanczos", "lanczos", NULL, 3000, 80, SCREE_F64, 0, 3, SCREE_SCALE_UNIT, 0},
    {"em ml", "em", "ml", 900, 9, SCREE_F64, 0.1, 3, SCREE_SCALE_NONE, 0},
    {"em vb", "em", "vb", 500, 9, SCREE_F32, 0.2, 4, SCREE_SCALE_UNIT, 0},
    {"chosen", NULL, NULL, 700, 8, SCREE_F64, 0, SCREE_AUTO, SCREE_SCALE_NONE, 0},
    {"chosen gaps", NULL, NULL, 400, 8, SCREE_F64, 0.1, SCREE_AUTO, SCREE_SCALE_NONE, 0},
};

static rows *data_of(const fit *f)
{
    double *x = scree__alloc(f->n * f->d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t j = 0; j < f->d; j++)
            x[i * f->d + j] = rows_random(1, i, j) + 3 * rows_random(2, i, 0) * rows_random(3, 0, j) +
                              2 * rows_random(4, i, 0) * rows_random(5, 0, j);
    rows *r = rows_of(x, f->n, f->d, f->type, 9);
    for (int64_t i = 0; i < f->n && f->gaps > 0; i++)
        for (int64_t j = 0; j < f->d; j++)
            if (rows_random(6, i, j) > 2.5 * (0.6 - f->gaps)) {
                if (f->type == SCREE_F64)
                    ((double *)r->data)[i * r->stride + j] = NAN;
                else
                    ((float *)r->data)[i * r->stride + j] = NAN;
            }
    return r;
}

/* Ends a call after so many reports. */
static int stop(void *context, const scree_progress *progress)
{
    int *left = context;
    (void)progress;
    return (*left)-- <= 0;
}

static scree_status fit_once(const fit *f, const rows *r, bool keeps, int threads, int reports, void **bytes,
                             size_t *size)
{
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = rows_source(r);
    run.threads = threads;
    run.progress = stop;
    run.progress_context = &reports;
    options.run = &run;
    options.solver = f->solver;
    options.em = f->em;
    options.components = f->components;
    options.scale = f->scale;
    options.bootstrap = f->bootstrap;
    options.checkpoint = keeps ? path : NULL;
    options.checkpoint_every = 0;
    const scree_status status = scree_model_fit(&model, source, &options, &error);
    if (status == SCREE_OK)
        EXPECT_OK(scree_model_save_buffer(bytes, size, model, &error), error);
    else if (status != SCREE_ERR_CANCELLED)
        fail_msg("%s: %s", f->name, error.text);
    scree_model_free(model);
    scree_source_free(source);
    return status;
}

static void test_fits_go_on(void **state)
{
    (void)state;
    for (int64_t c = 0; c < COUNT_OF(fits); c++) {
        const fit *f = &fits[c];
        rows *r = data_of(f);
        void *wanted = NULL;
        void *found = NULL;
        size_t sizes[2];
        int processes = 1;
        unlink(path);
        fit_once(f, r, false, 2, INT32_MAX, &wanted, &sizes[0]);
        while (fit_once(f, r, true, processes % 3 + 1, 3 + processes, &found, &sizes[1]) != SCREE_OK)
            processes++;
        if (sizes[0] != sizes[1] || memcmp(wanted, found, sizes[0]) != 0)
            fail_msg("%s: other bits, after %d processes", f->name, processes);
        assert_int_not_equal(access(path, F_OK), 0);
        scree_buffer_free(wanted);
        scree_buffer_free(found);
        rows_free(r);
    }
}

static void test_other_data_are_refused(void **state)
{
    (void)state;
    fit f = fits[6];
    rows *r = data_of(&f);
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    void *bytes = NULL;
    size_t size;
    unlink(path);
    assert_int_equal(fit_once(&f, r, true, 1, 9, &bytes, &size), SCREE_ERR_CANCELLED);
    ((double *)r->data)[0] += 1;
    scree_source *source = rows_source(r);
    options.run = &run;
    options.solver = f.solver;
    options.em = f.em;
    options.components = f.components;
    options.checkpoint = path;
    assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "with other first rows"));
    ((double *)r->data)[0] -= 1;
    options.components = 2;
    assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "with other components (3; now 2)"));
    options.checkpoint_every = -1;
    assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "0 or more"));
    scree_source_free(source);
    rows_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages_go_on),
        cmocka_unit_test(test_damage_is_refused),
        cmocka_unit_test(test_fits_go_on),
        cmocka_unit_test(test_other_data_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
