/* SPDX-License-Identifier: BSD-3-Clause */
/* Our fit of some rows beside those of other programs. Everybody runs once, and that result is verified: ours must keep
 * its promises, of the others is said how far they are from the truth. Then they run in turn. Where several are
 * solvers of one program only the fastest goes on, and is what the target is about. One that is not installed, or that
 * fails, is left out, and that is said. */

#include "bench.h"

#include "base/memory.h"

#include <string.h>

enum { MOST = 8 };

static const struct program {
    const char *name;    /* as peers.py knows it */
    const char *package; /* that must be there, besides numpy */
    const char *title;
} programs[] = {
    {"sklearn-full", "scikit-learn", "scikit-learn, full"},
    {"sklearn-covariance_eigh", "scikit-learn", "scikit-learn, covariance_eigh"},
    {"sklearn-arpack", "scikit-learn", "scikit-learn, arpack"},
    {"sklearn-randomized", "scikit-learn", "scikit-learn, randomized"},
    {"sklearnex", "scikit-learn-intelex", "scikit-learn-intelex, covariance_eigh"},
    {"faiss", "faiss-cpu", "FAISS, PCAMatrix"},
    {"irlba", "irlba", "irlba, prcomp_irlba"},
    {"RSpectra", "RSpectra", "RSpectra, svds"},
    {"pandas", "pandas", "pandas + scikit-learn"},
    {"polars", "polars", "polars + scikit-learn"},
};

typedef struct rival {
    const bench_contest *contest;
    const bench_entrant *entrant;
    const struct program *program;
    bench_side side;
    bench_errors errors;
    bool is_beaten; /* another solver of the same program is faster */
    bool is_once;   /* it does not run again */
    char values_path[600];
    char components_path[600];
} rival;

static const struct program *find_program(const char *name)
{
    size_t i = 0;
    while (strcmp(programs[i].name, name) != 0)
        i++;
    return &programs[i];
}

static scree_status ask_once(void *context, double *seconds, scree_error *error)
{
    const rival *r = context;
    const bench_contest *c = r->contest;
    return bench_peers_ask(c->b->peers, seconds, error, "%s\t%s\t%s\t%d\t%s\t%s", c->request, r->program->name, c->path,
                           BENCH_COMPONENTS, r->values_path, r->components_path);
}

static scree_status check_rival(rival *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bench_matrix *x = r->contest->x;
    const int64_t k = BENCH_COMPONENTS;
    double *values = NULL;
    double *components = NULL;
    SCREE_ALLOC(values, k, error);
    SCREE_ALLOC(components, k * x->cols, error);
    SCREE_TRY(bench_numbers_read(r->values_path, 1, 1, k, values, error));
    SCREE_TRY(bench_numbers_read(r->components_path, 1, k, x->cols, components, error));
    const bench_claim claim = {values, components, NULL, NULL, k, 1};
    SCREE_TRY(bench_check(x, &claim, &r->errors, error));
done:
    remove(r->values_path);
    remove(r->components_path);
    strcpy(r->values_path, "-");
    strcpy(r->components_path, "-");
    free(values);
    free(components);
    return status;
}

/* A first run pays for what is loaded then: solvers of one program are compared by the better of two, if not too slow.
 */
static scree_status run_again(rival *r, double most, scree_error *error)
{
    const bench_side first = r->side;
    if (!r->entrant->is_one_of_many || first.median > most)
        return SCREE_OK;
    scree_status status = bench_interleave(&r->side, 1, 1, error);
    if (first.median < r->side.median)
        r->side = first;
    return status;
}

/* Lets every entrant that is there run once; how many did. */
static scree_status gather(bench_contest *c, rival *rivals, int *count, scree_error *error)
{
    scree_status status = SCREE_OK;
    *count = 0;
    for (int i = 0; i < c->count && *count < MOST; i++) {
        rival *r = &rivals[*count];
        *r = (rival){.contest = c, .entrant = &c->entrants[i], .program = find_program(c->entrants[i].program)};
        r->side = (bench_side){.once = ask_once, .context = r};
        if (!bench_peers_has(c->b->peers, "numpy") || !bench_peers_has(c->b->peers, "scikit-learn") ||
            !bench_peers_has(c->b->peers, r->program->package))
            continue; /* what is absent stands at the head of the report */
        snprintf(r->values_path, sizeof r->values_path, "%s.peer-values.npy", c->x->path);
        snprintf(r->components_path, sizeof r->components_path, "%s.peer-components.npy", c->x->path);
        if (bench_interleave(&r->side, 1, 1, error) != SCREE_OK) {
            bench_leave_out(c->b, "%s: %s: %.150s", c->line.name, r->program->title, error->text);
            continue;
        }
        SCREE_TRY(check_rival(r, error));
        SCREE_TRY(run_again(r, c->b->budget / 4, error));
        fprintf(stderr, "%s: %s %.3f s, residual %.1e\n", c->line.name, r->program->title, r->side.median,
                r->errors.residual);
        ++*count;
    }
done:
    return status;
}

/* Of those that are one of many, all but the fastest; and what takes too long to be repeated just to be known. */
static void drop_slow(const bench *b, rival *rivals, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (rivals[i].entrant->is_one_of_many && rivals[j].entrant->is_one_of_many &&
                rivals[j].side.median < rivals[i].side.median)
                rivals[i].is_beaten = true;
    for (int i = 0; i < count; i++)
        rivals[i].is_once =
            rivals[i].is_beaten || (rivals[i].entrant->most <= 0 && rivals[i].side.median > b->budget / 4);
}

static scree_status time_all(bench_contest *c, rival *rivals, int count, scree_error *error)
{
    scree_status status = SCREE_OK;
    bench_side sides[MOST + 1] = {c->ours};
    int used = 1;
    double seconds = c->ours.median;
    for (int i = 0; i < count; i++)
        if (!rivals[i].is_once) {
            sides[used++] = rivals[i].side;
            seconds += rivals[i].side.median;
        }
    SCREE_TRY(bench_interleave(sides, used, bench_repeats(c->b, seconds), error));
    c->ours = sides[0];
    used = 1;
    for (int i = 0; i < count; i++)
        if (!rivals[i].is_once)
            rivals[i].side = sides[used++];
done:
    return status;
}

static void add_lines(bench_contest *c, const rival *rivals, int count)
{
    if (count == 0) {
        bench_line_times(&c->line, &c->ours, NULL);
        bench_add(c->b, &c->line);
    }
    for (int i = 0; i < count; i++) {
        const rival *r = &rivals[i];
        bench_line line = c->line;
        bench_line_times(&line, &c->ours, &r->side);
        line.most = r->is_beaten ? 0 : r->entrant->most;
        line.their_errors = r->errors;
        snprintf(line.against, sizeof line.against, "%s%s", r->program->title,
                 r->is_beaten                 ? " (not its fastest)"
                 : r->is_once                 ? " (one run)"
                 : r->entrant->is_one_of_many ? " (its fastest)"
                                              : "");
        bench_add(c->b, &line);
    }
}

scree_status bench_contest_run(bench_contest *c, scree_error *error)
{
    scree_status status = SCREE_OK;
    rival *rivals = NULL;
    int count = 0;
    SCREE_ALLOC(rivals, MOST, error);
    c->ours = (bench_side){.once = bench_fit_once, .context = &c->fit};
    c->fit.options.ddof = 1;
    SCREE_TRY(bench_predict(&c->line.predicted, &c->fit, error));
    SCREE_TRY(bench_interleave(&c->ours, 1, 1, error));
    SCREE_TRY(bench_check_model(c->x, c->fit.model, &c->line.errors, error));
    if (c->check)
        SCREE_TRY(c->check(c, error));
    SCREE_TRY(gather(c, rivals, &count, error));
    drop_slow(c->b, rivals, count);
    SCREE_TRY(time_all(c, rivals, count, error));
    add_lines(c, rivals, count);
done:
    free(rivals);
    return status;
}

void bench_contest_clear(bench_contest *c)
{
    bench_fitting_clear(&c->fit);
}
