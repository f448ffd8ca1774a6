/* SPDX-License-Identifier: BSD-3-Clause */
/* The E step of PPCA with gaps: one pass over the rows, in chunks of a height that depends on D alone. A batch holds as
 * many chunks as there are slots. First every chunk is solved (kernel/observed.c), by any thread; then every tile of
 * columns and packed entries gains what the chunks have for it, in their order, by one thread; then what is summed over
 * rows is, in order. So the sums are the same bits for any number of threads, of slots, and any way the rows arrived.
 * About N D (M+1)²·2 flops. */

#include "fit/em.h"

#include "base/memory.h"
#include "base/sum.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { MAX_COLS = 128, MAX_ENTRIES = 128, GROUPS = 8, UNIT = 8, PLACES = 4 };

/* Columns that one thread adds up, and packed entries of them: functions of D and M alone. Groups of few columns have
 * BLAS copy all entries for each: where entries are enough to be shared out, columns stay together. */
static int64_t group_cols(int64_t d, int64_t entries)
{
    const int64_t even = ((d + GROUPS - 1) / GROUPS + UNIT - 1) / UNIT * UNIT;
    return even < MAX_COLS && entries <= MAX_ENTRIES ? even : MAX_COLS;
}

static int64_t tiles_of(int64_t entries)
{
    return entries > 0 ? (entries + MAX_ENTRIES - 1) / MAX_ENTRIES : 1;
}

static int64_t slots_for(const scree__job *job)
{
    return job->threads * 2 > PLACES ? job->threads * 2 : PLACES;
}

int64_t scree__em_memory(const scree__job *job, int64_t m, bool bayes)
{
    const int64_t d = job->cols;
    const int64_t pairs = scree__pairs(m + 1);
    const int64_t states = 4 * (d * (m + 3) + (bayes ? d * pairs : 0));
    const int64_t sums = d * (2 * pairs + m + 4);
    const int64_t weights = job->source->about.weighted ? 8 * (m + 1) * scree__observed_height(d) : 0;
    return slots_for(job) * (scree__observed_memory(d, m) + weights) + 8 * (states + sums) +
           scree__em_anderson_memory(d, m);
}

int64_t scree__em_sums_doubles(const scree__job *job, int64_t m)
{
    const int64_t d = job->cols;
    const int64_t sums = (d + 1) * scree__pairs(m + 1) + d * (m + 1) + 2;
    const int64_t pairs = d <= SCREE__EM_PAIRS ? d * (d + 1) : 0;
    return sums > pairs ? sums : pairs;
}

void scree__em_release(scree__em *em)
{
    for (int64_t i = 0; em->slot && i < em->slots; i++)
        scree__observed_close(&em->slot[i]);
    free(em->slot);
    free(em->outer);
    free(em->change);
    free(em->sums.a);
    free(em->sums.b);
    free(em->sums.z);
    em->slot = NULL;
    em->outer = NULL;
    em->change = NULL;
    em->sums = (scree__em_sums){0};
}

scree_status scree__em_open(scree__em *em, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t pairs = scree__pairs(m + 1);
    scree__em_release(em);
    em->max_components = m;
    em->slots = slots_for(em->job);
    SCREE_ALLOC(em->slot, em->slots, error);
    for (int64_t i = 0; i < em->slots; i++)
        SCREE_TRY(scree__observed_open(&em->slot[i], em->d, m, error));
    for (int64_t i = 0; em->job->source->about.weighted && i < em->slots; i++)
        SCREE_TRY(scree__observed_weigh(&em->slot[i], error));
    for (int64_t i = 0; em->narrowed && i < em->slots; i++)
        SCREE_TRY(scree__observed_choose(&em->slot[i], &em->narrowed->chosen, error));
    SCREE_ALLOC(em->outer, em->d * pairs, error);
    SCREE_ALLOC(em->change, em->d, error);
    SCREE_ALLOC(em->sums.a, em->d * pairs, error);
    SCREE_ALLOC(em->sums.b, em->d * (m + 1), error);
    SCREE_ALLOC(em->sums.z, pairs, error);
done:
    return status;
}

void scree__em_close(scree__em *em)
{
    scree__em_release(em);
    scree__em_widen(em);
    free(em->factor);
    scree__em_rows_close(&em->rows);
}

static void note(scree__em_pass *p, int info)
{
    if (info != 0)
        __atomic_store_n(&p->info, info, __ATOMIC_RELAXED);
}

/* Task: a chunk. */
static void work_on_chunk(void *context, int64_t c, int worker)
{
    scree__em_pass *p = context;
    scree__em *em = p->em;
    scree__observed *o = &em->slot[c];
    const scree__batch *batch = p->batch;
    const int64_t first = c * o->height;
    const int64_t count = batch->rows - first < o->height ? batch->rows - first : o->height;
    bool fine;
    (void)worker;
    if (batch->cells) {
        fine = scree__observed_load_cells(o, &em->loadings, batch->cells, batch->first + first, count);
    } else {
        const scree__rows all = scree__batch_rows(batch);
        const scree__rows x = scree__rows_slice(&all, first, count);
        fine = scree__observed_load(o, &em->loadings, &x);
    }
    if (!fine)
        __atomic_store_n(&p->bad, true, __ATOMIC_RELAXED);
    else if (p->at_chunk)
        note(p, p->at_chunk(em, o));
}

/* Task: a part of the sums. */
static void work_on_part(void *context, int64_t g, int worker)
{
    scree__em_pass *p = context;
    const int64_t size = group_cols(p->em->d, p->entries);
    const int64_t tiles = tiles_of(p->entries);
    scree__observed_part part = {.first = g / tiles * size, .entry = g % tiles * MAX_ENTRIES};
    part.count = p->em->d - part.first < size ? p->em->d - part.first : size;
    part.entries = p->entries - part.entry < MAX_ENTRIES ? p->entries - part.entry : MAX_ENTRIES;
    (void)worker;
    for (int64_t c = 0; c < p->chunks; c++)
        note(p, p->at_part(p->em, &p->em->slot[c], &part));
}

scree_status scree__em_visit(scree__em_pass *p, const scree__batch *batch, scree_error *error)
{
    scree__em *em = p->em;
    const int threads = em->job->threads;
    const int64_t height = em->slot[0].height;
    const int64_t size = group_cols(em->d, p->entries);
    const int64_t parts = (em->d + size - 1) / size * tiles_of(p->entries);
    p->batch = batch;
    p->chunks = (batch->rows + height - 1) / height;
    scree__blas_enter();
    scree__parallel(threads, p->chunks, work_on_chunk, p);
    if (!p->bad && p->info == 0 && p->at_part)
        scree__parallel(threads, parts, work_on_part, p);
    scree__blas_leave();
    if (p->bad) {
        scree__job job = em->rows.job; /* its own rows, where they lie in the file */
        job.source = em->rows.part ? em->rows.part : em->job->source;
        return scree__em_bad_cell(&job, batch, error);
    }
    if (p->info != 0)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns",
                           (long long)em->d);
    for (int64_t c = 0; p->in_order && c < p->chunks; c++)
        p->in_order(em, &em->slot[c], p->context);
    return SCREE_OK;
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    return scree__em_visit(context, batch, error);
}

scree_status scree__em_run_pass(scree__em_pass *p, scree_error *error)
{
    scree__reading reading = {.batch_rows = p->em->slots * p->em->slot[0].height,
                              .visit = visit,
                              .context = p,
                              .move = p->move,
                              .inner = p->inner};
    return p->em->rows.cuts ? scree__em_pass_together(p, error) : scree__em_rows_read(&p->em->rows, &reading, error);
}

static int solve_chunk(scree__em *em, scree__observed *o)
{
    const int info = scree__observed_solve(o, &em->loadings);
    scree__observed_sums(o, &em->loadings);
    return info;
}

static int add_part(scree__em *em, const scree__observed *o, const scree__observed_part *part)
{
    return scree__observed_add(o, part, em->sums.a, em->sums.b);
}

typedef struct totals {
    scree__sum density;
    scree__sum square;
} totals;

/* ⟨w'(z-⟨z⟩)(z-⟨z⟩)'w⟩ over the columns of pattern p: tr(Σ(A - σ²I)) = σ²(M - σ² tr A⁻¹) for each of its rows. */
static double spread_of(const scree__observed *o, int64_t p, double noise)
{
    double trace = 0;
    for (int64_t i = 0; i < o->m; i++)
        trace += o->inverse[scree__pair(i, i) * o->height + p];
    return noise * fmax((double)o->m - noise * trace, 0);
}

static void add_rows(scree__em *em, const scree__observed *o, void *context)
{
    totals *t = context;
    const int64_t pairs = scree__pairs(o->m + 1);
    for (int64_t n = 0; n < o->rows; n++) {
        const double weight = o->weights ? o->weights[n] : 1;
        scree__sum_add(&t->density, weight * o->density[n]);
        scree__sum_add(&t->square, weight * o->square[n]);
    }
    for (int64_t p = 0; p < o->patterns; p++)
        scree__sum_add(&t->square, o->members[p] * spread_of(o, p, em->loadings.noise));
    for (int64_t e = 0; e < pairs; e++)
        em->sums.z[e] += o->total[e];
}

/* outer gains what is not known of w and µ. */
static void add_cover(double *outer, const scree__em_state *s)
{
    const int64_t pairs = scree__pairs(s->m + 1);
    memcpy(outer, s->cover, (size_t)(s->d * pairs) * sizeof *outer);
    for (int64_t d = 0; d < s->d; d++)
        for (int64_t i = 0; i < s->m; i++)
            for (int64_t j = 0; j <= i; j++)
                outer[d * pairs + scree__pair(i, j)] += s->w[d * s->m + i] * s->w[d * s->m + j];
}

void scree__em_load(scree__em *em, const scree__em_state *s)
{
    em->loadings = (scree__loadings){.cols = em->d,
                                     .m = s->m,
                                     .shift = em->rows.mean,
                                     .offset = s->offset,
                                     .factor = em->factor,
                                     .w = s->w,
                                     .noise = s->noise,
                                     .outer = em->outer,
                                     .uncertain = s->bayes};
    if (s->bayes)
        add_cover(em->outer, s);
    else
        scree__loadings_outer(em->outer, s->w, s->d, s->m);
    for (int64_t i = 0; i < em->slots; i++)
        em->slot[i].m = s->m;
}

static void move_sums(void *context, scree__snapshot *s)
{
    const scree__em_pass *p = context;
    const scree__em *em = p->em;
    totals *t = p->context;
    const int64_t m = em->loadings.m;
    scree__snapshot_same(s, em->d);
    scree__snapshot_same(s, m);
    scree__snapshot_doubles(s, em->sums.a, em->d * scree__pairs(m + 1));
    scree__snapshot_doubles(s, em->sums.b, em->d * (m + 1));
    scree__snapshot_doubles(s, em->sums.z, scree__pairs(m + 1));
    scree__snapshot_bytes(s, t, sizeof *t);
}

/* Sizes of the sums. */
static int64_t size_of_a(const scree__em *em, int64_t m)
{
    return em->d * scree__pairs(m + 1);
}

static int64_t size_of_b(const scree__em *em, int64_t m)
{
    return em->d * (m + 1);
}

static void clear_sums(scree__em *em, int64_t m)
{
    memset(em->sums.a, 0, (size_t)size_of_a(em, m) * sizeof *em->sums.a);
    memset(em->sums.b, 0, (size_t)size_of_b(em, m) * sizeof *em->sums.b);
    memset(em->sums.z, 0, (size_t)scree__pairs(m + 1) * sizeof *em->sums.z);
}

/* What is summed over rows, in the end or of a range. */
static void settle(scree__em *em, totals *t)
{
    em->sums.density = scree__sum_total(&t->density);
    em->sums.square = scree__sum_total(&t->square);
    *t = (totals){{0, 0}, {0, 0}};
}

/* a, b, z, density, square. */
static void give(scree__em_pass *pass, double *place)
{
    scree__em *em = pass->em;
    const int64_t m = em->loadings.m;
    const int64_t a = size_of_a(em, m);
    const int64_t b = size_of_b(em, m);
    const int64_t z = scree__pairs(m + 1);
    settle(em, pass->context);
    memcpy(place, em->sums.a, (size_t)a * sizeof *place);
    memcpy(place + a, em->sums.b, (size_t)b * sizeof *place);
    memcpy(place + a + b, em->sums.z, (size_t)z * sizeof *place);
    place[a + b + z] = em->sums.density;
    place[a + b + z + 1] = em->sums.square;
    clear_sums(em, m);
}

static void take(scree__em_pass *pass, const double *all)
{
    scree__em *em = pass->em;
    totals *t = pass->context;
    const int64_t m = em->loadings.m;
    const int64_t a = size_of_a(em, m);
    const int64_t b = size_of_b(em, m);
    const int64_t z = scree__pairs(m + 1);
    memcpy(em->sums.a, all, (size_t)a * sizeof *all);
    memcpy(em->sums.b, all + a, (size_t)b * sizeof *all);
    memcpy(em->sums.z, all + a + b, (size_t)z * sizeof *all);
    scree__sum_add(&t->density, all[a + b + z]);
    scree__sum_add(&t->square, all[a + b + z + 1]);
}

scree_status scree__em_expect(scree__em *em, const scree__em_state *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    totals t = {{0, 0}, {0, 0}};
    scree__em_pass pass = {.em = em,
                           .at_chunk = solve_chunk,
                           .at_part = add_part,
                           .entries = scree__pairs(s->m + 1),
                           .in_order = add_rows,
                           .move = move_sums,
                           .inner = true,
                           .context = &t,
                           .doubles = size_of_a(em, s->m) + size_of_b(em, s->m) + scree__pairs(s->m + 1) + 2,
                           .give = give,
                           .take = take};
    scree__em_load(em, s);
    clear_sums(em, s->m);
    SCREE_TRY(scree__em_run_pass(&pass, error));
    settle(em, &t);
    em->sums.density -= scree__em_state_divergence(s);
done:
    return status;
}
