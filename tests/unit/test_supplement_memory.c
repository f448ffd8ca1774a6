/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of supplementary texts take from the memory that is spared for them, those of all columns from the same; where
 * it is used up, one more is refused, and rows of those that are there still count. Blocks leave what is spared. */

#include "support/checks.h"

#include "answer/supplement.h"
#include "data/stream.h"
#include "scripted_source.h"

enum { D = 1000, M = 2, PER_GROUP = 12000 }; /* more than D + 4 M doubles and the rest of a group, less than two */

static void groups_keep_to_their_memory(void **state)
{
    (void)state;
    static double c[D];
    static const double z[M] = {1, 2};
    int64_t spare = 2 * PER_GROUP;
    scree_error error = SCREE_ERROR_INIT;
    scree__text_groups columns[2] = {{.column = "kind", .spare = &spare}, {.column = "place", .spare = &spare}};
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(scree__code_sums_open(&columns[i].codes, M, &error), error);
        EXPECT_OK(scree__text_groups_add(&columns[i], "oak", 1, z, M, c, D, &error), error);
    }
    assert_true(spare >= 0 && spare <= 2 * (PER_GROUP - D * (int64_t)sizeof(double)));
    assert_int_equal(scree__text_groups_add(&columns[1], "ash", 1, z, M, c, D, &error), SCREE_ERR_LIMIT);
    assert_non_null(strstr(error.text, "column 'place' has more than 1 different texts"));
    EXPECT_OK(scree__text_groups_add(&columns[1], "oak", 1, z, M, c, D, &error), error);
    assert_int_equal(columns[1].count, 1);
    assert_true(columns[1].groups[0].weight == 2);
    for (int i = 0; i < 2; i++)
        scree__text_groups_close(&columns[i]);
}

static scree_status look(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    (void)out;
    (void)threads;
    (void)error;
    if (block->rows > *(int64_t *)context)
        *(int64_t *)context = block->rows;
    return SCREE_OK;
}

static void blocks_leave_what_is_spared(void **state)
{
    (void)state;
    int64_t most[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        scripted_source *source = scripted_open(100, -1, SCREE__CAN_REWIND);
        scree__map map = {.stage = "test", .cols = 1000, .rows = look, .context = &most[i]};
        scree_run run = SCREE_RUN_INIT;
        run.memory = source->base.memory + (1 << 18);
        assert_int_equal(scree__stream_spare(&source->base, &map, &run), 1 << 17);
        map.holds = i * (1 << 17);
        assert_int_equal(scree__stream_run(&source->base, &map, NULL, &run, NULL), SCREE_OK);
        run.memory = source->base.memory + 1;
        assert_int_equal(scree__stream_spare(&source->base, &map, &run), 0);
        scree_source_free(&source->base);
    }
    assert_true(most[1] > 0 && most[1] <= most[0] / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_keep_to_their_memory),
                                       cmocka_unit_test(blocks_leave_what_is_spared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
