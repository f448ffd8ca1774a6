/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in memory of every element type and order, dense and sparse: what a source lends of them, what a model answers,
 * what a fit finds; and every block that cannot be. */

#include "support/checks.h"

#include "array_files.h"
#include "same_model.h"
#include "support/calls.h"

enum { N = 70, D = 5, PAD = 3, ALL = 2 * (N + PAD) * 2 * (D + PAD) };

static const scree_type every_type[] = {SCREE_F32, SCREE_F64, SCREE_U8,  SCREE_I8,  SCREE_I16,
                                        SCREE_U16, SCREE_I32, SCREE_U32, SCREE_I64, SCREE_U64};

/* An element of any type; value fits. */
static void put_element(void *data, scree_type type, int64_t at, double value)
{
    switch (type) {
    case SCREE_F32:
        ((float *)data)[at] = (float)value;
        break;
    case SCREE_F64:
        ((double *)data)[at] = value;
        break;
    case SCREE_U8:
        ((uint8_t *)data)[at] = (uint8_t)value;
        break;
    case SCREE_I8:
        ((int8_t *)data)[at] = (int8_t)value;
        break;
    case SCREE_I16:
        ((int16_t *)data)[at] = (int16_t)value;
        break;
    case SCREE_U16:
        ((uint16_t *)data)[at] = (uint16_t)value;
        break;
    case SCREE_I32:
        ((int32_t *)data)[at] = (int32_t)value;
        break;
    case SCREE_U32:
        ((uint32_t *)data)[at] = (uint32_t)value;
        break;
    case SCREE_I64:
        ((int64_t *)data)[at] = (int64_t)value;
        break;
    case SCREE_U64:
    default:
        ((uint64_t *)data)[at] = (uint64_t)value;
        break;
    }
}

/* Some of each range: negative where the type allows it, and large. */
static double cell(scree_type type, int64_t i, int64_t j)
{
    const double value = (double)((i * 31 + j * 17 + i * j) % 120);
    switch (type) {
    case SCREE_I8:
    case SCREE_I16:
    case SCREE_I32:
        return value - 60;
    case SCREE_U16:
        return 500 * value;
    case SCREE_U32:
        return 3e7 * value;
    case SCREE_I64:
        return 0x1p50 + 64 * value - 5000;
    case SCREE_U64:
        return 0x1p63 + 0x1p20 * value;
    case SCREE_F32:
    case SCREE_F64:
        return value / 8 - 4;
    default:
        return value;
    }
}

typedef struct order {
    int64_t row;
    int64_t col;
} order;

static const order orders[] = {{D, 1}, {D + PAD, 1}, {1, N}, {1, N + PAD}, {2 * D, 2}, {2, 2 * N + PAD}};

static scree_block *dense(scree_block *block, void *data, scree_type type, order o)
{
    *block =
        SIZED(scree_block, .data = data, .type = type, .rows = N, .cols = D, .row_stride = o.row, .col_stride = o.col);
    memset(data, 0xFF, ALL * 8);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            put_element(data, type, i * o.row + j * o.col, cell(type, i, j));
    return block;
}

typedef struct sparse_rows {
    int64_t starts[N + 1];
    int32_t indices[N * D];
    uint64_t data[N * D];
} sparse_rows;

static bool is_absent(int64_t i, int64_t j)
{
    return (i + 2 * j) % 3 == 0 || i == 7; /* one row has nothing */
}

static scree_block *sparse(scree_block *block, sparse_rows *s, scree_type type, scree_absent absent)
{
    int64_t count = 2; /* the first row need not start at 0 */
    for (int64_t i = 0; i < N; i++) {
        s->starts[i] = count;
        for (int64_t j = 0; j < D; j++)
            if (!is_absent(i, j)) {
                s->indices[count] = (int32_t)j;
                put_element(s->data, type, count++, cell(type, i, j));
            }
        s->starts[i + 1] = count;
    }
    *block = SIZED(scree_block, .data = s->data, .type = type, .rows = N, .cols = D, .starts = s->starts,
                   .indices = s->indices, .absent = absent);
    return block;
}

static double lent(const scree__block *block, int64_t at)
{
    return block->type == SCREE_F64   ? ((const double *)block->data)[at]
           : block->type == SCREE_F32 ? (double)((const float *)block->data)[at]
                                      : (double)((const uint8_t *)block->data)[at];
}

typedef double (*wanted_fn)(scree_type type, int64_t i, int64_t j);

static double with_zeros(scree_type type, int64_t i, int64_t j)
{
    return is_absent(i, j) ? 0 : cell(type, i, j);
}

static double with_gaps(scree_type type, int64_t i, int64_t j)
{
    return is_absent(i, j) ? (double)NAN : cell(type, i, j);
}

/* All rows from first on, in blocks of different sizes, twice. */
static void expect_rows(scree_source *source, scree_type type, int64_t first, wanted_fn wanted)
{
    scree__block block;
    for (int turn = 0; turn < 2; turn++) {
        int64_t at = 0;
        source->block_rows = turn == 0 ? 9 : 40;
        do {
            assert_int_equal(scree__source_next(source, &block, NULL), SCREE_OK);
            assert_int_equal(block.first, at);
            for (int64_t i = 0; i < block.rows; i++)
                for (int64_t j = 0; j < D; j++) {
                    const double found = lent(&block, i * block.stride + j);
                    const double right = wanted(type, first + at + i, j);
                    assert_true(found == right || (isnan(found) && isnan(right)));
                }
            at += block.rows;
        } while (block.rows > 0);
        assert_int_equal(at, source->about.rows);
        assert_int_equal(scree__source_rewind(source, NULL), SCREE_OK);
    }
}

static void expect_source(const scree_block *rows, scree_type as, wanted_fn wanted)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_source *part = NULL;
    EXPECT_OK(scree_source_from_memory(&source, rows, &error), error);
    assert_int_equal(scree_source_type(source), as);
    expect_rows(source, rows->type, 0, wanted);
    EXPECT_OK(scree_source_slice(&part, source, 11, 40, &error), error);
    expect_rows(part, rows->type, 11, wanted);
    scree_source_free(part);
    scree_source_free(source);
}

static scree_type worked_on_as(scree_type type)
{
    return type == SCREE_F32 || type == SCREE_U8 ? type : SCREE_F64;
}

static void test_every_type_and_order(void **state)
{
    (void)state;
    static uint64_t data[ALL];
    static sparse_rows s;
    scree_block block;
    for (int64_t t = 0; t < COUNT_OF(every_type); t++) {
        const scree_type type = every_type[t];
        for (int64_t o = 0; o < COUNT_OF(orders); o++)
            expect_source(dense(&block, data, type, orders[o]), worked_on_as(type), cell);
        expect_source(sparse(&block, &s, type, SCREE_ABSENT_ZERO), worked_on_as(type), with_zeros);
        expect_source(sparse(&block, &s, type, SCREE_ABSENT_MISSING), type == SCREE_U8 ? SCREE_F32 : worked_on_as(type),
                      with_gaps);
    }
}

/* Only rows in C order of a type that is worked on are lent where they lie. */
static void test_what_is_lent(void **state)
{
    (void)state;
    static uint64_t data[ALL];
    scree_block block;
    for (int64_t t = 0; t < COUNT_OF(every_type); t++)
        for (int64_t o = 0; o < COUNT_OF(orders); o++) {
            scree_source *source = NULL;
            scree__block rows;
            dense(&block, data, every_type[t], orders[o]);
            assert_int_equal(scree_source_from_memory(&source, &block, NULL), SCREE_OK);
            const bool in_place = t < 3 && orders[o].col == 1;
            assert_int_equal(scree__source_next(source, &rows, NULL), SCREE_OK);
            assert_int_equal(rows.data == (const void *)data, in_place);
            assert_int_equal((source->can & SCREE__IN_MEMORY) != 0, in_place);
            scree_source_free(source);
        }
}

/* What a model answers does not depend on how rows lie. */
static void test_answers(void **state)
{
    (void)state;
    static uint64_t data[ALL];
    static sparse_rows s;
    double filled[N * D];
    double wanted[N * 2];
    double found[N * 2];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_block block;
    EXPECT_OK(scree_source_from_memory(&source, dense(&block, data, SCREE_F64, orders[0]), &error), error);
    scree_model *model = fit_of(source, NULL, 0);
    for (int64_t t = 0; t < COUNT_OF(every_type); t++)
        for (int64_t shape = 0; shape < COUNT_OF(orders) + 2; shape++) {
            const scree_type type = every_type[t];
            const int64_t order_count = COUNT_OF(orders);
            const wanted_fn value = shape < order_count ? cell : shape == order_count ? with_zeros : with_gaps;
            for (int64_t i = 0; i < N * D; i++)
                filled[i] = value(type, i / D, i % D);
            EXPECT_OK(scree_model_project_rows(model, BLOCK(filled, SCREE_F64, N, D), wanted, NULL, &error), error);
            if (shape < order_count)
                dense(&block, data, type, orders[shape]);
            else
                sparse(&block, &s, type, shape == order_count ? SCREE_ABSENT_ZERO : SCREE_ABSENT_MISSING);
            EXPECT_OK(scree_model_project_rows(model, &block, found, NULL, &error), error);
            assert_memory_equal(found, wanted, sizeof found);
        }
    scree_model_free(model);
    scree_source_free(source);
}

/* An array of doubles as a file, the same array in Fortran order, and by any solver: one model. */
static void test_fit_as_the_file(void **state)
{
    (void)state;
    static const char *const solvers[] = {"covariance", "svd"};
    static uint64_t data[ALL];
    scree_error error = SCREE_ERROR_INIT;
    image file = {0};
    scree_block block;
    char header[128];
    snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", N, D);
    put(&file, "\x93NUMPY\1\0v\0", 10);
    for (size_t length = strlen(header); length < 118; length++)
        header[length] = ' ';
    header[117] = '\n';
    put(&file, header, 118);
    dense(&block, data, SCREE_F64, orders[0]);
    put(&file, data, N * D * 8);
    const char *path = file_write("rows.npy", file.bytes, file.size);
    dense(&block, data, SCREE_F64, orders[3]);
    for (int64_t k = 0; k < COUNT_OF(solvers); k++) {
        scree_source *stored = NULL;
        scree_source *source = NULL;
        EXPECT_OK(scree_source_open(&stored, path, NULL, &error), error);
        EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
        scree_model *a = fit_of(stored, solvers[k], 0);
        scree_model *b = fit_of(source, solvers[k], 6);
        expect_same_model(a, b);
        scree_model_free(a);
        scree_model_free(b);
        scree_source_free(stored);
        scree_source_free(source);
    }
}

/* Sparse doubles with gaps are the cells of a Matrix Market file. */
static void test_cells_as_the_file(void **state)
{
    (void)state;
    static sparse_rows s;
    static char text[N * D * 40];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *stored = NULL;
    scree_source *source = NULL;
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    scree_block block;
    size_t size = 0;
    sparse(&block, &s, SCREE_F64, SCREE_ABSENT_MISSING);
    for (int64_t i = 0; i <= N; i++)
        s.starts[i] -= 2;
    block.indices += 2;
    block.data = s.data + 2;
    size = (size_t)snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", N, D,
                            (int)s.starts[N]);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < D; j++)
            if (!is_absent(i, j))
                size += (size_t)snprintf(text + size, sizeof text - size, "%d %d %.17g\n", (int)i + 1, (int)j + 1,
                                         cell(SCREE_F64, i, j));
    options.absent = SCREE_CELLS_MISSING;
    EXPECT_OK(scree_source_open(&stored, file_write("cells.mtx", text, size), &options, &error), error);
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    assert_non_null(source->cells);
    scree_model *a = fit_of(stored, "em", 0);
    scree_model *b = fit_of(source, "em", 0);
    expect_same_model(a, b);
    scree_model_free(a);
    scree_model_free(b);
    scree_source_free(stored);
    scree_source_free(source);
    source = NULL;
    ((double *)s.data)[5] = NAN; /* an entry that is missing itself is not a cell */
    EXPECT_OK(scree_source_from_memory(&source, &block, &error), error);
    assert_null(source->cells);
    scree_source_free(source);
}

static void test_weights(void **state)
{
    (void)state;
    static uint64_t data[ALL];
    static double weights[N];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *a = NULL;
    scree_source *b = NULL;
    scree_block block;
    for (int64_t i = 0; i < N; i++)
        weights[i] = (double)(i % 4);
    dense(&block, data, SCREE_I16, orders[2]);
    EXPECT_OK(scree_source_from_memory(&a, &block, &error), error);
    EXPECT_OK(scree_source_weigh(a, weights, N, &error), error);
    block.weights = weights;
    EXPECT_OK(scree_source_from_memory(&b, &block, &error), error);
    scree_model *one = fit_of(a, NULL, 0);
    scree_model *other = fit_of(b, NULL, 7);
    expect_same_model(one, other);
    assert_true(scree_model_get(one)->weight < 2 * N);
    scree_model_free(one);
    scree_model_free(other);
    scree_source_free(a);
    scree_source_free(b);
}

static void expect_refused(const scree_block *block, scree_status status, const char *part)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    assert_int_equal(scree_source_from_memory(&source, block, &error), status);
    assert_null(source);
    if (!strstr(error.text, part))
        fail_msg("'%s' does not say '%s'", error.text, part);
}

static void test_refuses(void **state)
{
    (void)state;
    static double x[64];
    static const char *const texts[] = {"a"};
    const int64_t starts[] = {0, 2, 4};
    const int64_t back[] = {0, 3, 2};
    const int64_t below[] = {-1, 0, 1};
    const int32_t indices[] = {0, 2, 0, 1};
    const int32_t outside[] = {0, 3, 0, 1};
    const int32_t before[] = {-1, 2, 0, 1};
    const int32_t unsorted[] = {2, 0, 0, 1};
    const int32_t twice[] = {0, 1, 1, 1};
    const scree_block good = SIZED(scree_block, .data = x, .type = SCREE_F64, .rows = 2, .cols = 3);
    const struct {
        scree_block block;
        scree_status status;
        const char *part;
    } cases[] = {
#define CASE(code, sentence, ...)                                                                                      \
    {{.size = sizeof(scree_block), .data = x, .type = SCREE_F64, .rows = 2, .cols = 3, __VA_ARGS__}, code, sentence}
        CASE(SCREE_ERR_ARGUMENT, "run backwards", .row_stride = -3),
        CASE(SCREE_ERR_ARGUMENT, "run backwards", .col_stride = -1, .row_stride = 3),
        CASE(SCREE_ERR_ARGUMENT, "overlap", .row_stride = 2),
        CASE(SCREE_ERR_ARGUMENT, "overlap", .row_stride = 2, .col_stride = 2),
        CASE(SCREE_ERR_ARGUMENT, "more than memory holds", .row_stride = INT64_MAX / 4),
        CASE(SCREE_ERR_ARGUMENT, "more than memory holds", .row_stride = 1, .col_stride = INT64_MAX / 2),
        CASE(SCREE_ERR_UNSUPPORTED, "scree_source_from_calls", .texts = texts),
        CASE(SCREE_ERR_ARGUMENT, "not 2", .starts = starts, .indices = indices, .absent = (scree_absent)2),
        CASE(SCREE_ERR_ARGUMENT, "columns of the entries is NULL", .starts = starts),
        CASE(SCREE_ERR_VALUE, "row 2 end before", .starts = back, .indices = indices),
        CASE(SCREE_ERR_VALUE, "start before 0", .starts = below, .indices = indices),
        CASE(SCREE_ERR_VALUE, "row 1 has an entry in column 3", .starts = starts, .indices = outside),
        CASE(SCREE_ERR_VALUE, "row 1 has an entry in column -1", .starts = starts, .indices = before),
        CASE(SCREE_ERR_VALUE, "row 1 do not ascend", .starts = starts, .indices = unsorted),
        CASE(SCREE_ERR_VALUE, "row 2 do not ascend", .starts = starts, .indices = twice),
#undef CASE
    };
    for (int64_t i = 0; i < COUNT_OF(cases); i++)
        expect_refused(&cases[i].block, cases[i].status, cases[i].part);
    scree_block block = good;
    block.data = (const char *)x + 4;
    expect_refused(&block, SCREE_ERR_ARGUMENT, "multiples of their size");
    expect_refused(NULL, SCREE_ERR_ARGUMENT, "block of rows is NULL");
    block = good;
    block.data = NULL;
    block.starts = starts;
    block.indices = indices;
    expect_refused(&block, SCREE_ERR_ARGUMENT, "values of the entries is NULL");
    block.size = 0;
    expect_refused(&block, SCREE_ERR_ARGUMENT, "has no size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_and_order),
        cmocka_unit_test(test_what_is_lent),
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_fit_as_the_file),
        cmocka_unit_test(test_cells_as_the_file),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
