/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums that are written down between two pieces of rows and read back into new ones end in the same bits, wherever the
 * break is and however many threads there are after it; what cannot be is refused, and nothing breaks. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/snapshot.h"
#include "kernel/integer.h"
#include "kernel/moments.h"
#include "kernel/product.h"
#include "kernel/tsqr.h"
#include "kernel/witnesses.h"
#include "support/rows.h"

#include <string.h>

enum { MOST = 1 << 20, B = 3, FEW_CELLS = 500000 };

/* ---- a snapshot in memory ---- */

typedef struct paper {
    char *text;
    int64_t at;
    int64_t size;
} paper;

static scree_status write_down(void *context, void *data, int64_t bytes, scree_error *error)
{
    paper *p = context;
    (void)error;
    if (p->at + bytes > p->size) { /* rarely: a sanitizer keeps all that was freed */
        p->size = 2 * (p->at + bytes);
        p->text = realloc(p->text, (size_t)p->size);
        assert_non_null(p->text);
    }
    memcpy(p->text + p->at, data, (size_t)bytes);
    p->at += bytes;
    return SCREE_OK;
}

static scree_status read_back(void *context, void *data, int64_t bytes, scree_error *error)
{
    paper *p = context;
    if (bytes > p->size - p->at)
        return scree__fail(error, SCREE_ERR_FORMAT, "nothing is left");
    memcpy(data, p->text + p->at, (size_t)bytes);
    p->at += bytes;
    return SCREE_OK;
}

/* ---- sums, each behind the same calls ---- */

typedef struct sums {
    const char *name;
    scree_type type;
    int64_t n;
    int64_t d;
    int64_t (*piece)(const struct sums *s);
    void (*make)(const struct sums *s, void **out, int threads);
    void (*add)(void *sum, const scree__rows *x);
    void (*move)(void *sum, scree__snapshot *snapshot);
    int64_t (*finish)(const struct sums *s, void *sum, double *result); /* how many numbers */
    void (*free)(void *sum);
} sums;

static const scree__ops *ops_of(const sums *s)
{
    return s->type == SCREE_F32 ? &scree__ops_f32 : &scree__ops_f64;
}

static int64_t moments_piece(const sums *s)
{
    return scree__moments_rows(s->d, false, ops_of(s));
}

static void moments_make(const sums *s, void **out, int threads)
{
    scree__moments *made = NULL;
    assert_int_equal(scree__moments_new(&made, s->d, false, ops_of(s), threads, NULL), SCREE_OK);
    *out = made;
}

static void moments_add(void *sum, const scree__rows *x)
{
    (void)scree__moments_add(sum, x, NULL); /* of hostile sums it may fail */
}

static void moments_move(void *sum, scree__snapshot *snapshot)
{
    scree__moments_move(sum, snapshot);
}

static int64_t moments_finish(const sums *s, void *sum, double *result)
{
    int64_t count;
    double *mean;
    double *scatter;
    scree__moments_finish(sum, &count, &mean, &scatter);
    memcpy(result, mean, (size_t)s->d * sizeof *mean);
    memcpy(result + s->d, scatter, (size_t)(s->d * s->d) * sizeof *mean);
    result[s->d + s->d * s->d] = (double)count;
    return s->d + s->d * s->d + 1;
}

static void moments_free(void *sum)
{
    scree__moments_free(sum);
}

static int64_t tsqr_piece(const sums *s)
{
    return scree__tsqr_rows(s->d);
}

static void tsqr_make(const sums *s, void **out, int threads)
{
    scree__tsqr *made = NULL;
    assert_int_equal(scree__tsqr_new(&made, s->d, threads, NULL), SCREE_OK);
    *out = made;
}

static void tsqr_add(void *sum, const scree__rows *x)
{
    (void)scree__tsqr_add(sum, x, NULL);
}

static void tsqr_move(void *sum, scree__snapshot *snapshot)
{
    scree__tsqr_move(sum, snapshot);
}

static int64_t tsqr_finish(const sums *s, void *sum, double *result)
{
    int64_t count;
    double *mean;
    double *r;
    (void)scree__tsqr_finish(sum, &count, &mean, &r, NULL);
    memcpy(result, mean, (size_t)s->d * sizeof *mean);
    memcpy(result + s->d, r, (size_t)(s->d * s->d) * sizeof *mean);
    return s->d + s->d * s->d;
}

static void tsqr_free(void *sum)
{
    scree__tsqr_free(sum);
}

static int64_t integer_piece(const sums *s)
{
    (void)s;
    return 700;
}

static void integer_make(const sums *s, void **out, int threads)
{
    scree__integer *made = NULL;
    assert_int_equal(scree__integer_new(&made, s->d, threads, NULL, NULL), SCREE_OK);
    *out = made;
}

static void integer_add(void *sum, const scree__rows *x)
{
    scree__integer_add(sum, x);
}

static void integer_move(void *sum, scree__snapshot *snapshot)
{
    scree__integer_move(sum, snapshot);
}

static int64_t integer_finish(const sums *s, void *sum, double *result)
{
    double *mean;
    double *scatter;
    scree__integer_finish(sum, s->n, &mean, &scatter);
    memcpy(result, mean, (size_t)s->d * sizeof *mean);
    memcpy(result + s->d, scatter, (size_t)(s->d * s->d) * sizeof *mean);
    return s->d + s->d * s->d;
}

static void integer_free(void *sum)
{
    scree__integer_free(sum);
}

/* A product has its vectors and its image with it. */
typedef struct multiplied {
    scree__product *product;
    double *shift;
    double *q;
    double *image;
} multiplied;

static scree__product_size size_of(const sums *s, int threads)
{
    return (scree__product_size){s->n, s->d, B, s->type, ops_of(s), threads, 1};
}

static int64_t product_piece(const sums *s)
{
    const scree__product_size size = size_of(s, 1);
    return scree__product_rows(&size);
}

static void product_make(const sums *s, void **out, int threads)
{
    const scree__product_size size = size_of(s, threads);
    multiplied *made = scree__alloc(1, sizeof *made);
    made->shift = scree__alloc(s->d, sizeof *made->shift);
    made->q = scree__alloc(s->d * B, sizeof *made->q);
    made->image = scree__alloc(s->d * B, sizeof *made->image);
    for (int64_t i = 0; i < s->d * B; i++)
        made->q[i] = rows_random(5, i, 0);
    assert_int_equal(scree__product_new(&made->product, &size, made->shift, NULL, NULL), SCREE_OK);
    scree__product_start(made->product, made->q, B, made->image);
    *out = made;
}

static void product_add(void *sum, const scree__rows *x)
{
    scree__product_add(((multiplied *)sum)->product, x);
}

static void product_move(void *sum, scree__snapshot *snapshot)
{
    scree__product_move(((multiplied *)sum)->product, snapshot);
}

static int64_t product_finish(const sums *s, void *sum, double *result)
{
    const multiplied *m = sum;
    scree__product_finish(m->product);
    memcpy(result, m->image, (size_t)(s->d * B) * sizeof *result);
    return s->d * B;
}

static void product_free(void *sum)
{
    multiplied *m = sum;
    scree__product_free(m->product);
    free(m->shift);
    free(m->q);
    free(m->image);
    free(m);
}

static int64_t witnesses_piece(const sums *s)
{
    (void)s;
    return 13;
}

static void witnesses_make(const sums *s, void **out, int threads)
{
    scree__witnesses *made = NULL;
    (void)threads;
    assert_int_equal(scree__witnesses_new(&made, s->d, NULL), SCREE_OK);
    *out = made;
}

static void witnesses_add(void *sum, const scree__rows *x)
{
    scree__witnesses_add(sum, x);
}

static void witnesses_move(void *sum, scree__snapshot *snapshot)
{
    scree__witnesses_move(sum, snapshot);
}

static int64_t witnesses_finish(const sums *s, void *sum, double *result)
{
    scree__witnesses *w = sum;
    scree__witnesses_finish(w);
    result[0] = (double)scree__witnesses_distinct(w, s->n);
    result[1] = (double)scree__witnesses_alone(w);
    for (int64_t j = 0; j < s->d; j++)
        result[2 + j] = scree__witnesses_are_few(w, j);
    return 2 + s->d;
}

static void witnesses_free(void *sum)
{
    scree__witnesses_free(sum);
}

#define MOMENTS moments_piece, moments_make, moments_add, moments_move, moments_finish, moments_free
#define PRODUCT product_piece, product_make, product_add, product_move, product_finish, product_free

static const sums all[] = {
    {"moments", SCREE_F64, 40000, 9, MOMENTS},
    {"moments of floats", SCREE_F32, 40000, 9, MOMENTS},
    {"wide moments", SCREE_F64, 3000, 740, MOMENTS},
    {"triangles", SCREE_F64, 40000, 12, tsqr_piece, tsqr_make, tsqr_add, tsqr_move, tsqr_finish, tsqr_free},
    {"integers", SCREE_U8, 3000, 40, integer_piece, integer_make, integer_add, integer_move, integer_finish,
     integer_free},
    {"a product", SCREE_F64, 200000, 30, PRODUCT},
    {"a product of few rows", SCREE_F32, 3000, 900, PRODUCT},
    {"witnesses", SCREE_U8, 90, 5, witnesses_piece, witnesses_make, witnesses_add, witnesses_move, witnesses_finish,
     witnesses_free},
};

static rows *made(const sums *s)
{
    double *x = scree__alloc(s->n * s->d, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < s->n * s->d; i++)
        x[i] = s->n < 100 ? (double)(i % 7 == 0) : rows_random(3, i / s->d, i % s->d) + 2;
    return rows_of(x, s->n, s->d, s->type, 9);
}

/* Pieces from .. on, up to another. */
static void add_pieces(const sums *s, void *sum, const rows *r, int64_t from, int64_t to)
{
    const scree__rows x = {r->data, r->type, r->n, r->d, r->stride, NULL};
    const int64_t piece = s->piece(s);
    for (int64_t i = from; i < to && i * piece < r->n; i++) {
        const int64_t left = r->n - i * piece;
        const scree__rows part = scree__rows_slice(&x, i * piece, left < piece ? left : piece);
        s->add(sum, &part);
    }
}

static paper snapshot_of(const sums *s, const rows *r, int64_t pieces)
{
    void *sum = NULL;
    paper p = {0};
    scree__snapshot snapshot = {.move = write_down, .context = &p};
    s->make(s, &sum, 1);
    add_pieces(s, sum, r, 0, pieces);
    s->move(sum, &snapshot);
    assert_int_equal(snapshot.status, SCREE_OK);
    s->free(sum);
    p.size = p.at;
    p.at = 0;
    return p;
}

/* Whether a snapshot is accepted; result: what the rest of the rows makes of it. */
static bool go_on(const sums *s, const rows *r, paper *p, int64_t pieces, int threads, double *result)
{
    void *sum = NULL;
    scree__snapshot snapshot = {.move = read_back, .context = p, .reads = true};
    s->make(s, &sum, threads);
    p->at = 0;
    s->move(sum, &snapshot);
    const bool good = snapshot.status == SCREE_OK;
    if (good) {
        add_pieces(s, sum, r, pieces, INT64_MAX);
        s->finish(s, sum, result);
    }
    s->free(sum);
    return good;
}

static void test_the_same_bits(void **state)
{
    (void)state;
    double *wanted = scree__alloc(MOST, sizeof *wanted);
    double *found = scree__alloc(MOST, sizeof *found);
    for (int64_t c = 0; c < COUNT_OF(all); c++) {
        const sums *s = &all[c];
        rows *r = made(s);
        void *sum = NULL;
        const int64_t pieces = (r->n + s->piece(s) - 1) / s->piece(s);
        s->make(s, &sum, 2);
        add_pieces(s, sum, r, 0, INT64_MAX);
        const int64_t count = s->finish(s, sum, wanted);
        s->free(sum);
        for (int64_t at = 0; at <= pieces; at += at < 3 || pieces < 12 ? 1 : pieces / 6) {
            paper p = snapshot_of(s, r, at);
            memset(found, 0, (size_t)count * sizeof *found);
            if (!go_on(s, r, &p, at, 3, found) || p.at != p.size)
                fail_msg("%s: what was written after %lld pieces cannot be read", s->name, (long long)at);
            if (memcmp(found, wanted, (size_t)count * sizeof *found) != 0)
                fail_msg("%s: other bits after a break behind %lld pieces", s->name, (long long)at);
            free(p.text);
        }
        rows_free(r);
    }
    free(wanted);
    free(found);
}

/* Hostile counts, and an end that comes too early. */
static void test_what_cannot_be(void **state)
{
    static const int64_t hostile[] = {-1, INT64_MAX, INT64_MIN, INT64_C(1) << 40};
    double *result = scree__alloc(MOST, sizeof *result);
    (void)state;
    for (int64_t c = 0; c < COUNT_OF(all); c++) {
        const sums *s = &all[c];
        if (s->n * s->d > FEW_CELLS) /* the same code, and minutes of it */
            continue;
        rows *r = made(s);
        paper p = snapshot_of(s, r, 1);
        for (int64_t word = 0; word < 12; word++)
            for (int64_t h = 0; h < COUNT_OF(hostile); h++) {
                int64_t was;
                memcpy(&was, p.text + 8 * word, sizeof was);
                memcpy(p.text + 8 * word, &hostile[h], sizeof was);
                const bool taken = go_on(s, r, &p, 1, 2, result); /* or numbers that mean nothing; nothing breaks */
                assert_false(taken && word == 0 && h != 3);
                memcpy(p.text + 8 * word, &was, sizeof was);
            }
        p.size--;
        assert_false(go_on(s, r, &p, 1, 2, result));
        free(p.text);
        rows_free(r);
    }
    free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_bits),
        cmocka_unit_test(test_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
