/* SPDX-License-Identifier: BSD-3-Clause */
/* Names without what they share: what differs stays whole, numbers and letters are not torn apart. */

#include "support/checks.h"

#include "view/shorten.h"

static void expect(const char *a, const char *b, const char *short_a, const char *short_b)
{
    const char *const names[] = {a, b};
    const scree__shared shared = scree__shared_of(names, 2);
    char out[128];
    scree__shorten(out, sizeof out, a, &shared);
    assert_string_equal(out, short_a);
    scree__shorten(out, sizeof out, b, &shared);
    assert_string_equal(out, short_b);
}

static void what_differs_stays(void **state)
{
    (void)state;
    expect("export_from_instrument_no_1_in_mg", "export_from_instrument_no_12_in_mg", "…no_1…", "…no_12…");
    expect("metabolite_00", "metabolite_01", "…00", "…01");                     /* not …0 and …1 */
    expect("temperature", "temperature_max", "temperature", "temperature_max"); /* nothing would be left */
    expect("sepal_width", "petal_width", "sepal…", "petal…");                   /* "_width" is worth it */
    expect("gene1", "gene2", "gene1", "gene2");                                 /* "gene" is not */
    expect("Größenordnungä", "Größenordnungö", "…ä", "…ö");                     /* ä and ö share a byte */
    expect("x of the sample", "y of the sample", "x…", "y…");
}

static void few_names_are_left_alone(void **state)
{
    const char *const one[] = {"a name alone"};
    (void)state;
    assert_true(scree__shared_of(one, 1).front == 0 && scree__shared_of(NULL, 7).back == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_differs_stays),
        cmocka_unit_test(few_names_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
