/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that links the library may have set a locale in which 0.5 is written 0,5. What is read and written is the
 * same bytes as without: rows, codes, models, pictures, pages, sentences. The locale is made for this test. */

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scree_view.h"
#include "support/checks.h"
#include "temporary_folder.h"

#include <unistd.h>

enum { FILES = 20 };

static const char *const kinds[] = {"scree", "error", "loadings", "biplot", "embedding", "outliers", "monitor"};

/* What was written, in the order in which it was. */
typedef struct written {
    unsigned char *data[FILES];
    size_t size[FILES];
    char name[FILES][32];
    int count;
    char sentence[1024];
} written;

static void keep(written *all, const char *name)
{
    snprintf(all->name[all->count], sizeof all->name[0], "%s", name);
    all->data[all->count] = file_read(folder_path(name), &all->size[all->count]);
    all->count++;
}

static scree_source *open_rows(void)
{
    static char text[1 << 14];
    scree_source *rows = NULL;
    scree_error error = SCREE_ERROR_INIT;
    int used = snprintf(text, sizeof text, "a,b,c,weight,kind\n");
    for (int i = 0; i < 90; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%d.%d,-%d.25e-1,%d,1.%d,%s\n", i * 7 % 13, i % 10,
                         i * 5 % 11, i * i % 17, i % 4, i % 3 ? "x" : "y");
    scree_read_options options = SCREE_READ_OPTIONS_INIT;
    options.weights = "weight";
    EXPECT_OK(scree_source_open(&rows, file_write("rows.csv", text, (size_t)used), &options, &error), error);
    return rows;
}

static void write_rows(written *all, const scree_model *model, const char *name)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_source *rows = open_rows();
    scree_sink *sink = NULL;
    EXPECT_OK(scree_sink_open(&sink, folder_path(name), NULL, &error), error);
    EXPECT_OK(scree_model_project(model, rows, sink, NULL, &error), error);
    EXPECT_OK(scree_sink_finish(sink, &error), error);
    scree_sink_free(sink);
    scree_source_free(rows);
    keep(all, name);
}

static void draw(written *all, const scree_model *model, const char *kind, const char *name)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_plot_options options = SCREE_PLOT_OPTIONS_INIT;
    scree_source *rows = open_rows();
    options.kind = kind;
    options.format = strstr(name, "text") ? "text" : NULL;
    EXPECT_OK(scree_model_plot(model, rows, folder_path(name), &options, &error), error);
    scree_source_free(rows);
    keep(all, name);
}

static void write_all(written *all)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_model *noisy = NULL;
    scree_source *rows = open_rows();
    EXPECT_OK(scree_model_fit(&model, rows, NULL, &error), error);
    EXPECT_OK(scree_model_truncate(&noisy, model, 2, &error), error);
    EXPECT_OK(scree_model_save(noisy, folder_path("model.scree"), &error), error);
    keep(all, "model.scree");
    write_rows(all, noisy, "codes.csv");
    write_rows(all, noisy, "codes.json");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.svg", kinds[i]);
        draw(all, noisy, kinds[i], name);
    }
    draw(all, noisy, "scree", "scree.text");
    EXPECT_OK(scree_model_report(noisy, rows, folder_path("report.html"), NULL, NULL, &error), error);
    keep(all, "report.html");
    scree_model *wrong = NULL;
    assert_int_equal(scree_model_with_noise(&wrong, noisy, -0.5, &error), SCREE_ERR_ARGUMENT);
    snprintf(all->sentence, sizeof all->sentence, "%s", error.text);
    scree_source_free(rows);
    scree_model_free(noisy);
    scree_model_free(model);
}

/* A locale with a decimal comma, made in the folder; false: it cannot be. */
static bool make_locale(void)
{
    char command[512];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/localedef.log 2>&1", folder,
             folder);
    if (system(command) != 0) /* NOLINT(cert-env33-c) ; the folder is the test's own */
        return false;
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void remove_locale(void)
{
    char command[512];
    snprintf(command, sizeof command, "rm -rf %s/de_DE.UTF-8", folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
}

static void test_decimal_comma(void **state)
{
    static written plain;
    static written comma;
    char text[8];
    (void)state;
    if (!make_locale()) {
        printf("skipped: localedef cannot make a locale with a decimal comma here\n");
        exit(77);
    }
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
    write_all(&comma);
    snprintf(text, sizeof text, "%.1f", 0.5); /* the caller's locale is as it was */
    assert_string_equal(text, "0,5");
    setlocale(LC_ALL, "C");
    write_all(&plain);
    assert_int_equal(comma.count, plain.count);
    for (int i = 0; i < plain.count; i++) {
        const bool same = plain.size[i] == comma.size[i] && memcmp(plain.data[i], comma.data[i], plain.size[i]) == 0;
        if (!same)
            print_error("%s is another in a locale with a decimal comma\n", plain.name[i]);
        assert_true(same);
        free(plain.data[i]);
        free(comma.data[i]);
    }
    assert_string_equal(comma.sentence, plain.sentence);
    assert_non_null(strstr(plain.sentence, "-0.5"));
    remove_locale();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_decimal_comma)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
