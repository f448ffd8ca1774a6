/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that share rows, played by threads: sums over the tree are the same bits for any number of them, all fail
 * when one does, and a file that one of them does not have is told by all. */

#include "support/checks.h"

#include "data/team.h"
#include "support/calls.h"
#include "support/rows.h"
#include "support/together.h"

#include <stdio.h>
#include <string.h>

enum { N = 1000, COUNT = 3 };

typedef struct summing {
    rows *all;
    double sums[TOGETHER_MOST][COUNT];
    int failing;     /* a rank, or -1 */
    int64_t at;      /* a range of it, or -1: before the sum */
    int64_t several; /* ranges that are put at once; 0: one after the other */
    int64_t absent;  /* a range that comes to nothing; 0: none */
    scree_status status[TOGETHER_MOST];
    scree_error error[TOGETHER_MOST];
} summing;

static scree_status add_ranges(scree__team_tree *tree, const scree__team *team, const summing *s, scree_error *error)
{
    const double *x = s->all->exact;
    for (int64_t range = team->ranges.first; range < team->ranges.end; range++) {
        double *place = scree__team_tree_place(tree);
        if (team->with->rank == s->failing && range == s->at)
            return scree__fail(error, SCREE_ERR_VALUE, "row %d is bad", (int)range);
        for (int64_t i = scree__range_start(&team->ranges, range); i < scree__range_start(&team->ranges, range + 1);
             i++)
            for (int64_t j = 0; j < COUNT; j++)
                place[j] += x[i * COUNT + j];
        if (scree__team_tree_add(tree, error) != SCREE_OK)
            return error->status;
    }
    return SCREE_OK;
}

static double *sums_of(scree__team_tree *tree, const scree__team *team, const summing *s, int64_t range)
{
    double *sums = range == s->absent && range > 0 ? NULL : scree__team_tree_take(tree);
    for (int64_t j = 0; sums && j < COUNT; j++) {
        sums[j] = 0;
        for (int64_t i = scree__range_start(&team->ranges, range); i < scree__range_start(&team->ranges, range + 1);
             i++)
            sums[j] += s->all->exact[i * COUNT + j];
    }
    return sums;
}

/* One after the other, or several of them at once. */
static scree_status put_ranges(scree__team_tree *tree, const scree__team *team, const summing *s, scree_error *error)
{
    double *arrays[TOGETHER_MOST];
    int64_t held = 0;
    for (int64_t range = team->ranges.first; range < team->ranges.end; range++) {
        arrays[held++] = sums_of(tree, team, s, range);
        if (s->several == 0)
            EXPECT_OK(scree__team_tree_put(tree, arrays[--held], error), *error);
        if (held < s->several && range + 1 < team->ranges.end)
            continue;
        EXPECT_OK(scree__team_tree_put_several(tree, arrays, held, 2, error), *error);
        held = 0;
    }
    return SCREE_OK;
}

static void sum_up(void *context, const scree_communicator *with)
{
    summing *s = context;
    const int rank = with->rank;
    scree_error *error = &s->error[rank];
    scree_source *source = rows_source(s->all);
    scree__team *team = NULL;
    scree__team_tree *tree = NULL;
    double *all = NULL;
    scree_run run = SCREE_RUN_INIT;
    run.communicator = with;
    s->status[rank] = scree__team_open(&team, source, &run, error);
    if (s->status[rank] == SCREE_OK && rank == s->failing && s->at < 0) {
        scree__fail(error, SCREE_ERR_LIMIT, "this is too much");
        s->status[rank] = scree__team_agree(team, SCREE_ERR_LIMIT, NULL, error);
    } else if (s->status[rank] == SCREE_OK) {
        assert_int_equal(scree__team_tree_new(&tree, team, COUNT, NULL, NULL, error), SCREE_OK);
        s->status[rank] = scree__team_tree_finish(tree, (s->absent > 0 ? put_ranges : add_ranges)(tree, team, s, error),
                                                  NULL, &all, error);
        if (s->status[rank] == SCREE_OK)
            memcpy(s->sums[rank], all, sizeof s->sums[rank]);
    }
    scree__team_tree_free(tree);
    scree__team_close(team, source);
    scree_source_free(source);
}

static rows *made(void)
{
    double *x = malloc(N * COUNT * sizeof *x);
    for (int64_t i = 0; i < N * COUNT; i++)
        x[i] = rows_random(5, i, 0) * pow(10, (double)(i % 7));
    return rows_of(x, N, COUNT, SCREE_F64, 0);
}

static void test_the_same_bits(void **state)
{
    (void)state;
    static const int ranks[] = {1, 2, 3, 4, 5, 7, 16, 20};
    summing first = {.all = made(), .failing = -1};
    together_run(1, sum_up, &first);
    double plain[COUNT] = {0};
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < COUNT; j++)
            plain[j] += first.all->exact[i * COUNT + j];
    for (int64_t j = 0; j < COUNT; j++)
        EXPECT_NEAR(first.sums[0][j], plain[j], 1e-7);
    for (int64_t k = 0; k < COUNT_OF(ranks); k++) {
        summing s = {.all = first.all, .failing = -1};
        together_run(ranks[k], sum_up, &s);
        for (int i = 0; i < ranks[k]; i++) {
            EXPECT_OK(s.status[i], s.error[i]);
            assert_memory_equal(s.sums[i], first.sums[0], sizeof first.sums[0]);
        }
    }
    rows_free(first.all);
}

/* However many ranges are put at once, and wherever they begin. */
static void test_several_at_once(void **state)
{
    (void)state;
    for (int64_t absent = 1; absent < 8; absent += 3) {
        summing first = {.all = made(), .failing = -1, .absent = absent};
        together_run(1, sum_up, &first);
        for (int64_t several = 1; several <= 8; several++)
            for (int ranks = 1; ranks <= 3; ranks++) {
                summing s = {.all = first.all, .failing = -1, .absent = absent, .several = several};
                together_run(ranks, sum_up, &s);
                EXPECT_OK(s.status[0], s.error[0]);
                assert_memory_equal(s.sums[0], first.sums[0], sizeof first.sums[0]);
            }
        rows_free(first.all);
    }
}

static void expect_all_fail(rows *all, int ranks, int failing, int64_t at, const char *sentence)
{
    summing s = {.all = all, .failing = failing, .at = at};
    together_run(ranks, sum_up, &s);
    for (int i = 0; i < ranks; i++) {
        assert_int_not_equal(s.status[i], SCREE_OK);
        assert_string_equal(s.error[i].text, sentence);
    }
}

/* Wherever one fails, in the middle or before, whether it has rows or not. */
static void test_all_fail_when_one_does(void **state)
{
    (void)state;
    rows *all = made();
    expect_all_fail(all, 1, 0, 0, "row 0 is bad");
    expect_all_fail(all, 2, 1, 5, "row 5 is bad");
    expect_all_fail(all, 3, 1, 4, "row 4 is bad");
    expect_all_fail(all, 4, 0, 1, "row 1 is bad");
    expect_all_fail(all, 5, 3, -1, "this is too much");
    expect_all_fail(all, 20, 0, -1, "this is too much");
    for (int rank = 1; rank < 20; rank++) /* some of these have no rows */
        expect_all_fail(all, 20, rank, -1, "this is too much");
    rows_free(all);
}

typedef struct agreeing {
    int failing[2];
    scree_status status[TOGETHER_MOST];
    scree_error error[TOGETHER_MOST];
} agreeing;

static void agree(void *context, const scree_communicator *with)
{
    agreeing *a = context;
    scree_error *error = &a->error[with->rank];
    scree_status status = SCREE_OK;
    if (with->rank == a->failing[0] || with->rank == a->failing[1])
        status = scree__fail(error, SCREE_ERR_IO, "%d has no file", with->rank);
    a->status[with->rank] = scree_communicator_agree(with, status, error);
}

/* The first that fails is told; who it was stands before what is about its machine. */
static void test_agreement(void **state)
{
    (void)state;
    for (int ranks = 1; ranks < 9; ranks++)
        for (int failing = -1; failing < ranks; failing++) {
            agreeing a = {.failing = {failing, failing < 0 ? -1 : ranks - 1}};
            char sentence[64] = "";
            together_run(ranks, agree, &a);
            if (failing >= 0)
                snprintf(sentence, sizeof sentence, failing > 0 ? "rank %d: %d has no file" : "%d has no file", failing,
                         failing);
            for (int i = 0; i < ranks; i++) {
                assert_int_equal(a.status[i], failing < 0 ? SCREE_OK : SCREE_ERR_IO);
                assert_string_equal(a.error[i].text, sentence);
            }
        }
    assert_int_equal(scree_communicator_agree(NULL, SCREE_ERR_IO, NULL), SCREE_ERR_IO);
}

typedef struct different {
    rows *mine[2];
    scree_status status[2];
    scree_error error[2];
} different;

static void open_different(void *context, const scree_communicator *with)
{
    different *d = context;
    scree__team *team = NULL;
    scree_source *source = rows_source(d->mine[with->rank]);
    scree_run run = SCREE_RUN_INIT;
    run.communicator = with;
    d->status[with->rank] = scree__team_open(&team, source, &run, &d->error[with->rank]);
    scree__team_close(team, source);
    scree_source_free(source);
}

static void test_different_rows_are_refused(void **state)
{
    (void)state;
    different d = {.mine = {made(), made()}};
    d.mine[1]->n--;
    together_run(2, open_different, &d);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(d.status[i], SCREE_ERR_SHAPE);
        assert_non_null(strstr(d.error[i].text, "has 999 rows and 3 columns here, and 1000 and 3 for the first"));
    }
    d.mine[1]->n++;
    for (int i = 0; i < 2; i++)
        rows_free(d.mine[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_bits),
        cmocka_unit_test(test_several_at_once),
        cmocka_unit_test(test_all_fail_when_one_does),
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_different_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
