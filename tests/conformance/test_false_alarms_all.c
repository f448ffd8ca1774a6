/* SPDX-License-Identifier: BSD-3-Clause */
/* False alarms over all shapes: N from 16 to 2000, D from 5 to 3000, 0 to 10 components, the default number kept, as
 * many as there are, and five more, columns scaled or not, new rows and fitted ones; false discoveries at 0.1 with a
 * twentieth of the rows shifted; and how many rows are found that are shifted by 6 and 8 deviations of the noise.
 *
 * Prints a line for each case, in words key=value; rates are in units of the level, each with its standard error over
 * fits: 0.05:rate:error. A case is wrong if a rate is above 1.3 and two standard errors, or, of 60 rows and more, below
 * 0.5; if more than 0.11 of the discoveries are false; if power is below 0.9, or below 0.95 of an oracle's. Among
 * thousands of cases a few are wrong by chance, so each of them is simulated again, with other rows and four times the
 * fits, and the line begins with "again": the last line counts those that were wrong once (and how many of the rates
 * would be by chance if all were right) and those that were wrong twice. These make the program fail.
 *
 *     --part I/N      the I-th of N parts of about the same cost, for N processes
 *     --only WHAT     alarms, discoveries or power
 *     --fits F        at least; 200, and a quarter of it where there are more than 3 million cells
 *     --scored S      rows in each case, at least: 20000
 *     --rows N, --columns D, --truth Q, --kept K      these alone
 *     --threads T     1
 *
 * Without arguments: a sample, within minutes. */

#include "support/alarms.h"
#include "support/checks.h"

#include "base/special.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 3000000, MOST_CASES = 4000, FOUR = 4 };
enum { ALARMS, DISCOVERIES, POWER, WHATS };

static const char *const whats[WHATS] = {"alarms", "discoveries", "power"};
static const int64_t rows[] = {16, 30, 60, 100, 200, 2000};
static const int64_t columns[] = {5, 10, 20, 60, 200, 3000};
static const int64_t truths[] = {0, 1, 3, 10};

typedef struct arguments {
    int64_t part, parts, only, fits, scored, rows, columns, truth, kept, threads;
} arguments;

typedef struct one_case {
    alarm_cell cell;
    int what;
    double cost;
    int64_t part;
} one_case;

typedef struct listing {
    arguments args;
    one_case cases[MOST_CASES];
    int64_t count;
    int64_t lines, wrong, confirmed;
    double by_chance;
} listing;

/* ---- which cases there are ---- */

static int fits_of(const arguments *a, const alarm_cell *c)
{
    const int64_t least = c->n * c->d > LARGE ? (a->fits + 3) / FOUR : a->fits;
    const int64_t needed = (a->scored + c->n - 1) / c->n;
    return (int)(needed > least && c->n * c->d <= LARGE ? needed : least);
}

static int64_t fresh_of(const arguments *a, const alarm_cell *c)
{
    const int64_t needed = (a->scored + fits_of(a, c) - 1) / fits_of(a, c);
    return needed > 100 ? needed : 100;
}

/* Seconds, roughly. */
static double cost_of(const arguments *a, const alarm_cell *c)
{
    const double n = (double)c->n, d = (double)c->d, small = n < d ? n : d;
    const double choosing = c->kept == 0 && n < 500 ? 20 * (1e-5 * small + 1e-9 * small * small * d) : 0;
    const double fitting = 3e-8 * n * d + 4e-10 * n * d * small + 2e-9 * small * small * small + 1e-4;
    const double scoring = (n < 1000 || n < 50 * d ? 6e-5 : 1e-6) + 5e-8 * d;
    return fits_of(a, c) * (fitting + choosing + (double)fresh_of(a, c) * scoring);
}

static void add(listing *all, int what, const alarm_cell *cell)
{
    const arguments *a = &all->args;
    const int64_t rank = cell->n - 1 < cell->d ? cell->n - 1 : cell->d;
    if ((a->only >= 0 && a->only != what) || (a->rows && a->rows != cell->n) || (a->columns && a->columns != cell->d) ||
        (a->truth >= 0 && a->truth != cell->truth) || (a->kept >= ALARM_NO_LATENT && a->kept != cell->kept))
        return;
    if (cell->truth >= cell->d || cell->truth >= cell->n - 2 || cell->kept > rank || (cell->kept == cell->n - 1) ||
        all->count == MOST_CASES)
        return;
    all->cases[all->count++] = (one_case){*cell, what, cost_of(a, cell), -1};
}

/* The default, as many as there are, five more. */
static void add_kept(listing *all, int what, alarm_cell cell, int kinds)
{
    const int64_t kept[3] = {0, cell.truth > 0 ? cell.truth : ALARM_NO_LATENT, cell.truth + 5};
    for (int k = 0; k < kinds; k++) {
        cell.kept = kept[k];
        add(all, what, &cell);
    }
}

static void add_power(listing *all, alarm_cell cell)
{
    cell.planted = 0.5;
    cell.oracle = true;
    cell.shift = 8;
    if (cell.d <= 20)
        add_kept(all, POWER, cell, 3);
    cell.shift = 6;
    cell.kept = cell.truth > 0 ? cell.truth : ALARM_NO_LATENT;
    if (!cell.scaled)
        add(all, POWER, &cell);
}

static void list_cases(listing *all)
{
    for (int64_t i = 0; i < COUNT_OF(rows); i++)
        for (int64_t j = 0; j < COUNT_OF(columns); j++)
            for (int64_t k = 0; k < COUNT_OF(truths); k++)
                for (int scaled = 0; scaled < 2; scaled++) {
                    alarm_cell cell = {.n = rows[i], .d = columns[j], .truth = truths[k], .scaled = scaled};
                    add_kept(all, ALARMS, cell, 3);
                    if (rows[i] >= 100)
                        add_power(all, cell);
                    cell.planted = 0.05;
                    cell.shift = 4 + 3 * sqrt(sqrt(2 * (double)columns[j]));
                    if (rows[i] >= 60)
                        add_kept(all, DISCOVERIES, cell, 2);
                }
}

static int dearer(const void *a, const void *b)
{
    const one_case *x = a, *y = b;
    return (x->cost < y->cost) - (x->cost > y->cost);
}

/* The dearest first, each to the part that has least to do. */
static void deal(listing *all)
{
    double *load = calloc((size_t)all->args.parts, sizeof *load);
    assert_non_null(load);
    qsort(all->cases, (size_t)all->count, sizeof all->cases[0], dearer);
    for (int64_t i = 0; i < all->count; i++) {
        int64_t least = 0;
        for (int64_t p = 1; p < all->args.parts; p++)
            least = load[p] < load[least] ? p : least;
        all->cases[i].part = least + 1;
        load[least] += all->cases[i].cost;
    }
    free(load);
}

/* ---- what is said of them ---- */

static void print_head(const one_case *c, const alarm_rates *r, int kind)
{
    const alarm_cell *cell = &c->cell;
    char kept[24];
    snprintf(kept, sizeof kept, "%lld", (long long)(cell->kept < 0 ? 0 : cell->kept));
    printf("%s%s n=%lld d=%lld truth=%lld kept=%s scale=%s rows=%s fits=%d scored=%.0f none=%.3f",
           cell->again ? "again " : "", whats[c->what], (long long)cell->n, (long long)cell->d, (long long)cell->truth,
           cell->kept ? kept : "default", cell->scaled ? "unit" : "none", alarm_rows[kind], r->fits, r->rows[kind],
           r->none[kind]);
    for (int level = 0; level < ALARM_LEVELS; level++)
        printf(" %g:%.3f:%.3f", alarm_levels[level], r->rate[kind][level] / alarm_levels[level],
               r->error[kind][level] / alarm_levels[level]);
}

/* How many of the rates would be wrong by chance if rows were called at the level, independently. */
static double chance_of(const alarm_cell *cell, const alarm_rates *r, int kind)
{
    double sum = 0;
    for (int level = 0; level < ALARM_LEVELS && r->none[kind] < 1; level++) {
        const double expected = r->rows[kind] * (1 - r->none[kind]) * alarm_levels[level];
        const double above = floor(pow(1 + sqrt(1 + 1.3 * expected), 2)) + 1;
        sum += 1 - exp(scree__log_gamma_tail(above, expected));
        if (cell->n >= 60)
            sum += exp(scree__log_gamma_tail(ceil(0.5 * expected), expected));
    }
    return sum;
}

static void verdict_of(const one_case *c, const alarm_rates *r, int kind, char text[24])
{
    alarms_verdict(&c->cell, r, kind, 0, text);
    if (c->what == ALARMS || strcmp(text, "failed") == 0 || strcmp(text, "no-p") == 0)
        return;
    snprintf(text, 24, "ok");
    if (c->what == DISCOVERIES && r->discoveries[kind] > 0.11)
        snprintf(text, 24, "false");
    if (c->what == POWER && (c->cell.shift == 8 ? r->power[kind] < 0.9 : r->power[kind] < 0.95 * r->oracle))
        snprintf(text, 24, "weak");
}

/* How many kinds of rows are wrong. Fitted rows have no part in power. */
static int print_case(listing *all, const one_case *c, const alarm_rates *r)
{
    int wrong = 0;
    for (int kind = 0; kind < (c->what == POWER ? 1 : ALARM_ROWS); kind++) {
        char verdict[24];
        verdict_of(c, r, kind, verdict);
        print_head(c, r, kind);
        if (c->what == DISCOVERIES)
            printf(" fdr=%.4f:%.4f found=%.3f", r->discoveries[kind], r->discovery_error[kind], r->power[kind]);
        if (c->what == POWER)
            printf(" shift=%g power=%.4f oracle=%.4f", c->cell.shift, r->power[kind], r->oracle);
        printf(" verdict=%s\n", verdict);
        fflush(stdout);
        wrong += strcmp(verdict, "ok") != 0;
        if (c->what == ALARMS && !c->cell.again)
            all->by_chance += chance_of(&c->cell, r, kind);
        all->lines += !c->cell.again;
    }
    return wrong;
}

static void run_case(listing *all, one_case *c)
{
    const arguments *a = &all->args;
    alarm_rates r = alarms(&c->cell, fits_of(a, &c->cell), fresh_of(a, &c->cell), (int)a->threads);
    const int wrong = print_case(all, c, &r);
    all->wrong += wrong;
    if (wrong == 0)
        return;
    const int64_t fresh = fresh_of(a, &c->cell);
    const int fits = fits_of(a, &c->cell) * (c->cell.n * c->cell.d > LARGE ? 1 : FOUR);
    c->cell.again = 1;
    r = alarms(&c->cell, fits, fresh, (int)a->threads);
    all->confirmed += print_case(all, c, &r);
}

/* ---- what was asked for ---- */

static bool read_argument(arguments *a, const char *name, const char *text)
{
    const struct {
        const char *name;
        int64_t *to;
    } numbers[] = {{"--fits", &a->fits},       {"--scored", &a->scored}, {"--rows", &a->rows},
                   {"--columns", &a->columns}, {"--truth", &a->truth},   {"--kept", &a->kept},
                   {"--threads", &a->threads}};
    for (int64_t i = 0; i < COUNT_OF(numbers); i++)
        if (strcmp(name, numbers[i].name) == 0) {
            *numbers[i].to = atoll(text);
            return true;
        }
    if (strcmp(name, "--part") == 0) {
        const char *slash = strchr(text, '/');
        a->part = atoll(text);
        a->parts = slash ? atoll(slash + 1) : 0;
        return a->part >= 1 && a->part <= a->parts;
    }
    for (int i = 0; i < WHATS; i++)
        if (strcmp(name, "--only") == 0 && strcmp(text, whats[i]) == 0) {
            a->only = i;
            return true;
        }
    return false;
}

int main(int count, char **texts)
{
    static listing all = {
        .args = {
            .part = 1, .parts = 1, .only = -1, .fits = 200, .scored = 20000, .truth = -1, .kept = -2, .threads = 1}};
    arguments *a = &all.args;
    if (count == 1) /* a sample */
        *a = (arguments){
            .part = 1, .parts = 12, .only = -1, .fits = 20, .scored = 6000, .truth = -1, .kept = -2, .threads = 2};
    for (int i = 1; i < count; i += 2)
        if (i + 1 >= count || !read_argument(a, texts[i], texts[i + 1])) {
            fprintf(stderr, "%s: %s is no argument, or has no such value\n", texts[0], texts[i]);
            return 2;
        }
    list_cases(&all);
    deal(&all);
    for (int64_t i = 0; i < all.count; i++)
        if (all.cases[i].part == a->part)
            run_case(&all, &all.cases[i]);
    printf("summary part=%lld/%lld lines=%lld wrong=%lld by-chance=%.2f wrong-twice=%lld\n", (long long)a->part,
           (long long)a->parts, (long long)all.lines, (long long)all.wrong, all.by_chance, (long long)all.confirmed);
    return all.confirmed > 0;
}
