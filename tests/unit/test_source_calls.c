/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows from callbacks: the same bits as rows in memory and in a file, whatever blocks they come in; weights and texts;
 * callbacks that fail, break off or give what they did not announce; and that release is called once. */

#include "support/checks.h"

#include "array_files.h"
#include "base/sized.h"
#include "same_model.h"
#include "support/calls.h"

enum { N = 300, D = 7 };

/* What a producer does wrong, once row 100 is reached. */
typedef enum fault {
    NO_FAULT,
    FAILS,
    FAILS_SILENTLY,
    TOO_MANY,
    COLUMNS,
    TYPE,
    WEIGHTS,
    TEXTS,
    MISSING,
    NEGATIVE
} fault;

typedef struct producer {
    double x[N * D];
    int64_t at;
    int64_t block; /* rows at a time; 0: 1, 2, 3, ... */
    int64_t calls;
    bool fortran;
    fault fault;
    double weights[N];
    const char *texts[N];
    bool weighted;
    bool labelled;
    int released;
    double columns[N * D]; /* a block in Fortran order */
} producer;

static const char *const labels[] = {"ant", NULL, "cat"};

static void produce(producer *p)
{
    *p = (producer){0};
    for (int64_t i = 0; i < N * D; i++)
        p->x[i] = (double)((i * i * 7 + 13 * i) % 1009) / 16 + (double)(i % D * 100);
    for (int64_t i = 0; i < N; i++) {
        p->weights[i] = (double)(i % 3);
        p->texts[i] = labels[i % 3];
    }
}

static scree_status break_block(const producer *p, int64_t max_rows, scree_block *block, scree_error *error)
{
    switch (p->fault) {
    case FAILS:
        snprintf(error->text, sizeof error->text, "the well ran dry at row %d", (int)p->at);
        return SCREE_ERR_VALUE;
    case FAILS_SILENTLY:
        return SCREE_ERR_IO;
    case TOO_MANY:
        block->rows = max_rows + 1;
        break;
    case COLUMNS:
        block->cols = D - 1;
        break;
    case TYPE:
        block->type = SCREE_F32;
        break;
    case WEIGHTS:
        block->weights = p->weighted ? NULL : p->weights;
        break;
    case TEXTS:
        block->texts = NULL;
        break;
    case NEGATIVE:
        block->rows = -1;
        break;
    case NO_FAULT:
    default:
        break;
    }
    return SCREE_OK;
}

static scree_status give(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    producer *p = context;
    int64_t rows = p->block ? p->block : 1 + p->calls++ % 50;
    rows = rows < max_rows ? rows : max_rows;
    rows = rows < N - p->at ? rows : N - p->at;
    if (rows == 0)
        return SCREE_OK;
    block->data = p->x + p->at * D;
    block->type = SCREE_F64;
    block->rows = rows;
    block->cols = D;
    block->weights = p->weighted ? p->weights + p->at : NULL;
    block->texts = p->labelled ? p->texts + p->at : NULL;
    for (int64_t i = 0; p->fortran && i < rows * D; i++)
        p->columns[i % D * rows + i / D] = p->x[p->at * D + i];
    if (p->fortran) {
        block->data = p->columns;
        block->row_stride = 1;
        block->col_stride = rows;
    }
    if (p->at >= 100) {
        const scree_status status = break_block(p, max_rows, block, error);
        if (status != SCREE_OK)
            return status;
    }
    p->at += rows;
    return SCREE_OK;
}

static scree_status begin_again(void *context, scree_error *error)
{
    (void)error;
    ((producer *)context)->at = 0;
    return SCREE_OK;
}

static scree_status cannot_begin_again(void *context, scree_error *error)
{
    (void)context;
    snprintf(error->text, sizeof error->text, "the tape is worn");
    return SCREE_ERR_IO;
}

static void release(void *context)
{
    ((producer *)context)->released++;
}

static scree_source_calls calls_of(producer *p)
{
    static const char *const text_names[] = {"animal"};
    return SIZED(scree_source_calls, .context = p, .next = give, .rewind = begin_again, .release = release, .rows = -1,
                 .cols = D, .type = SCREE_F64, .weighted = p->weighted, .text_names = p->labelled ? text_names : NULL,
                 .text_count = p->labelled);
}

static scree_source *source_of(producer *p)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    const scree_source_calls calls = calls_of(p);
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    return source;
}

static const char *write_npy(const producer *p)
{
    static unsigned char bytes[128 + N * D * 8];
    char header[119];
    const int length =
        snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", N, D);
    memset(header + length, ' ', (size_t)(118 - length));
    header[117] = '\n';
    static const unsigned char magic[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 'v', 0};
    memcpy(bytes, magic, sizeof magic);
    memcpy(bytes + 10, header, 118);
    memcpy(bytes + 128, p->x, sizeof p->x);
    return file_write("rows.npy", bytes, sizeof bytes);
}

static void test_bits_of_the_file(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd", "em"};
    static const int64_t blocks[] = {0, 1, 64, N};
    static producer p;
    scree_error error = SCREE_ERROR_INIT;
    produce(&p);
    const char *path = write_npy(&p);
    for (int64_t s = 0; s < COUNT_OF(solvers); s++) {
        scree_source *stored = NULL;
        EXPECT_OK(scree_source_open(&stored, path, NULL, &error), error);
        scree_model *wanted = fit_of(stored, solvers[s], 0);
        for (int64_t b = 0; b < 2 * COUNT_OF(blocks); b++) {
            produce(&p);
            p.block = blocks[b / 2];
            p.fortran = b % 2 == 1;
            scree_source *source = source_of(&p);
            scree_model *model = fit_of(source, solvers[s], b % 3 == 0 ? 33 : 0);
            expect_same_model(model, wanted);
            assert_int_equal(scree_source_rows(source), N);
            scree_model_free(model);
            assert_int_equal(p.released, 0);
            scree_source_free(source);
            assert_int_equal(p.released, 1);
        }
        scree_model_free(wanted);
        scree_source_free(stored);
    }
}

static void test_weights(void **state)
{
    (void)state;
    static producer p;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *memory = NULL;
    produce(&p);
    p.weighted = true;
    scree_source *source = source_of(&p);
    EXPECT_OK(scree_source_from_memory(&memory, BLOCK(p.x, SCREE_F64, N, D), &error), error);
    EXPECT_OK(scree_source_weigh(memory, p.weights, N, &error), error);
    scree_model *a = fit_of(source, "covariance", 0);
    scree_model *b = fit_of(memory, "covariance", 0);
    expect_same_model(a, b);
    assert_int_equal(scree_model_get(a)->n, 200);
    scree_model_free(a);
    scree_model_free(b);
    scree_source_free(source);
    scree_source_free(memory);
}

/* Texts go through to a file; a text that is NULL is empty. */
static void test_texts(void **state)
{
    (void)state;
    static producer p;
    scree_error error = SCREE_ERROR_INIT;
    scree_sink *sink = NULL;
    size_t size = 0;
    produce(&p);
    p.labelled = true;
    scree_source *source = source_of(&p);
    EXPECT_OK(scree_sink_open(&sink, folder_path("texts.csv"), NULL, &error), error);
    EXPECT_OK(scree_source_copy(source, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    scree_sink_free(sink);
    scree_source_free(source);
    char *text = (char *)file_read(folder_path("texts.csv"), &size);
    char *line = strtok(text, "\n");
    assert_memory_equal(line, "animal,", 7);
    for (int64_t i = 0; i < N; i++) {
        line = strtok(NULL, "\n");
        const char *label = labels[i % 3] ? labels[i % 3] : "";
        assert_non_null(line);
        assert_memory_equal(line, label, strlen(label));
        assert_int_equal(line[strlen(label)], ',');
        assert_true(strtod(line + strlen(label) + 1, NULL) == p.x[i * D]);
    }
    assert_null(strtok(NULL, "\n"));
    free(text);
}

static void expect_failure(producer *p, scree_status status, const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = source_of(p);
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), status);
    assert_null(model);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
    scree_source_free(source);
    assert_int_equal(p->released, 1);
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        fault fault;
        scree_status status;
        const char *part;
    } cases[] = {
        {FAILS, SCREE_ERR_VALUE, "the well ran dry at row 1"},
        {FAILS_SILENTLY, SCREE_ERR_IO, "'next' failed"},
        {TOO_MANY, SCREE_ERR_SHAPE, "were asked for"},
        {COLUMNS, SCREE_ERR_SHAPE, "6 columns, and 7 were announced"},
        {TYPE, SCREE_ERR_ARGUMENT, "element type"},
        {WEIGHTS, SCREE_ERR_ARGUMENT, "weights were not announced, and a block has some"},
        {NEGATIVE, SCREE_ERR_ARGUMENT, "-1 rows"},
    };
    static producer p;
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        produce(&p);
        p.fault = cases[i].fault;
        expect_failure(&p, cases[i].status, cases[i].part);
    }
    produce(&p);
    p.fault = WEIGHTS;
    p.weighted = true;
    expect_failure(&p, SCREE_ERR_ARGUMENT, "weights were announced, and a block has none");
    produce(&p);
    p.fault = TEXTS;
    p.labelled = true;
    expect_failure(&p, SCREE_ERR_ARGUMENT, "text columns were announced");
}

static scree_status give_bytes(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    static const uint8_t data[1] = {1};
    static const int32_t indices[1] = {0};
    static const int64_t starts[2] = {0, 1};
    (void)context;
    (void)max_rows;
    (void)error;
    *block = SIZED(scree_block, .data = data, .type = SCREE_U8, .rows = 1, .cols = 2, .starts = starts,
                   .indices = indices, .absent = SCREE_ABSENT_MISSING);
    return SCREE_OK;
}

static void test_bytes_cannot_be_missing(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree__block block;
    const scree_source_calls calls =
        SIZED(scree_source_calls, .next = give_bytes, .rows = -1, .cols = 2, .type = SCREE_U8);
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    assert_int_equal(scree__source_next(source, &block, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "bytes cannot be missing"));
    scree_source_free(source);
}

static int stop_at(void *context, const scree_progress *progress)
{
    return progress->rows >= *(int64_t *)context;
}

static void test_cancels(void **state)
{
    (void)state;
    static producer p;
    int64_t rows = 1;
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_run run = SCREE_RUN_INIT;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    run.progress = stop_at;
    run.progress_context = &rows;
    options.run = &run;
    produce(&p);
    scree_source *source = source_of(&p);
    assert_int_equal(scree_model_fit(&model, source, &options, &error), SCREE_ERR_CANCELLED);
    assert_null(model);
    rows = INT64_MAX;
    EXPECT_OK(scree_model_fit(&model, source, &options, &error), error); /* and it can be read again */
    scree_model_free(model);
    scree_source_free(source);
}

static void test_read_once(void **state)
{
    (void)state;
    static producer p;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *model = NULL;
    scree_source_calls calls;
    produce(&p);
    calls = calls_of(&p);
    calls.rewind = NULL;
    calls.name = "the sensor";
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    assert_string_equal(scree_source_name(source), "the sensor");
    model = fit_of(source, NULL, 0);
    scree_model_free(model);
    model = NULL;
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "the sensor: can be read only once"));
    scree_source_free(source);
    source = NULL;
    produce(&p);
    calls.rewind = cannot_begin_again;
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    model = fit_of(source, "covariance", 0);
    scree_model_free(model);
    model = NULL;
    assert_int_equal(scree_model_fit(&model, source, NULL, &error), SCREE_ERR_IO);
    assert_string_equal(error.text, "the tape is worn");
    scree_source_free(source);
}

static void test_number_of_rows(void **state)
{
    (void)state;
    static producer p;
    for (int64_t announced = N - 1; announced <= N + 1; announced++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_source *source = NULL;
        scree_model *model = NULL;
        produce(&p);
        scree_source_calls calls = calls_of(&p);
        calls.rows = announced;
        EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
        assert_int_equal(scree_model_fit(&model, source, NULL, &error), announced == N ? SCREE_OK : SCREE_ERR_SHAPE);
        if (announced != N)
            assert_non_null(strstr(error.text, announced < N ? "than the 299 announced" : "300 rows came"));
        scree_model_free(model);
        scree_source_free(source);
    }
}

static void test_names_and_refusals(void **state)
{
    (void)state;
    static producer p;
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    const char *names[D] = {"a", "b", "c", "d", "e", "f", "g"};
    produce(&p);
    const scree_source_calls good = calls_of(&p);
    scree_source_calls calls = good;
    calls.columns = names;
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    names[6] = "changed";
    assert_string_equal(scree_source_column(source, 6), "g");
    scree_source_free(source);
    source = NULL;
    assert_int_equal(p.released, 1);
    names[3] = NULL;
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "name of column 4"));
    calls = good;
    calls.next = NULL;
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    calls = good;
    calls.cols = 0;
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    calls = good;
    calls.rows = -2;
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    calls = good;
    calls.type = (scree_type)(SCREE_BOOL + 1);
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    calls = good;
    calls.text_count = 1;
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    calls = good;
    calls.text_label = 1; /* there is no text */
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "text column 1 is the label"));
    calls = good;
    calls.text_id = -1;
    assert_int_equal(scree_source_from_calls(&source, &calls, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_source_from_calls(&source, NULL, &error), SCREE_ERR_ARGUMENT);
    assert_null(source);
    assert_int_equal(p.released, 1); /* what could not be made is still the caller's */
}

/* A text column is the label, or the id, where the caller says so. */
static void test_label(void **state)
{
    (void)state;
    static const char *const names[] = {"cell", "type"};
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    producer p = {.block = 10};
    scree_source_calls calls = calls_of(&p);
    scree__source_texts texts;
    calls.text_names = names;
    calls.text_count = 2;
    calls.text_id = 1;
    calls.text_label = 2;
    EXPECT_OK(scree_source_from_calls(&source, &calls, &error), error);
    scree__source_texts_of(source, &texts);
    assert_int_equal(texts.count, 2);
    assert_int_equal(texts.id, 0);
    assert_int_equal(texts.label, 1);
    scree_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_the_file),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_bytes_cannot_be_missing),
        cmocka_unit_test(test_cancels),
        cmocka_unit_test(test_read_once),
        cmocka_unit_test(test_number_of_rows),
        cmocka_unit_test(test_names_and_refusals),
        cmocka_unit_test(test_label),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
