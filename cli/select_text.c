/* SPDX-License-Identifier: BSD-3-Clause */
/* Every criterion for the number of components, a row per M, in two tables; then what each one chooses, and the
 * recommendation. */

#include "select_text.h"
#include "json.h"
#include "print.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double DIGITS = 1e-10; /* of the first eigenvalue: a smaller one may be the last that shows */

enum { SHOWN = 10, BEYOND = 3, MOST_SHOWN = 40, WIDTH = 78 };

/* How the values of a criterion are shown. */
typedef enum kind { PERCENT, NUMBER, DISTANCE, CHANCE } kind;

static const struct {
    const char *name; /* of the criterion */
    const char *heading;
    kind kind;
    int table;           /* the first, or the second */
    const char *meaning; /* what its numbers are, if the heading does not say; shared by neighbours */
} columns[] = {
    {"share", "sum%", PERCENT, 0, NULL},
    {"error", "J_M", NUMBER, 0, NULL},
    {"minka", "minka", DISTANCE, 0, "distance from the best value"},
    {"bic", "bic", DISTANCE, 0, "distance from the best value"},
    {"aic", "aic", DISTANCE, 0, "distance from the best value"},
    {"heldout", "heldout", DISTANCE, 0, "distance from the best value"},
    {"bicross", "bicross", NUMBER, 1, "squared error of held-out cells"},
    {"gavish", "gavish", NUMBER, 1, "eigenvalue / threshold"},
    {"gavish-known", "(known)", NUMBER, 1, "eigenvalue / threshold"},
    {"marchenko", "marchenko", NUMBER, 1, "eigenvalue / threshold"},
    {"parallel", "parallel", NUMBER, 1, "eigenvalue / threshold"},
    {"tracy-widom", "tracy-widom", CHANCE, 1, "p-value of the eigenvalue under noise"},
    {"whiten", "whiten", CHANCE, 1, "p-value of the eigenvalue under noise"},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const scree_criterion *find(const scree_selection *selection, const char *name)
{
    const scree_criterion *criterion = NULL;
    for (int64_t i = 0; (criterion = scree_selection_criterion(selection, i)); i++)
        if (strcmp(criterion->name, name) == 0 && criterion->values)
            return criterion;
    return NULL;
}

/* The criterion of a column, if there is something to show. */
static const scree_criterion *find_shown(const scree_selection *selection, int column)
{
    const scree_criterion *criterion = find(selection, columns[column].name);
    return criterion && columns[column].kind == DISTANCE && criterion->choice < 0 ? NULL : criterion;
}

static void cell(cli_table *table, const scree_criterion *criterion, kind how, int64_t m)
{
    const double value = criterion->values[m];
    const char *mark = m == criterion->choice ? "*" : "";
    if (isnan(value))
        cli_table_cell(table, "%s–", mark);
    else if (how == PERCENT)
        cli_table_cell(table, "%s%.2f", mark, 100.0 * value);
    else if (how == DISTANCE)
        cli_table_cell(table, "%s%.4g", mark, fabs(value - criterion->values[criterion->choice]));
    else if (how == CHANCE)
        cli_table_cell(table, "%s%.1e", mark, value);
    else
        cli_table_cell(table, "%s%.4g", mark, value);
}

/* The rows to show: all that were asked for, or a few more than are recommended. */
static int64_t rows_shown(const scree_selection_view *view, bool all)
{
    int64_t rows = view->recommended + BEYOND > SHOWN ? view->recommended + BEYOND : SHOWN;
    rows = rows < MOST_SHOWN ? rows : MOST_SHOWN;
    return all || rows > view->max_components ? view->max_components : rows;
}

static void print_table(const scree_selection *selection, int which, int64_t rows)
{
    const scree_selection_view *view = scree_selection_get(selection);
    const scree_criterion *shown[COLUMNS];
    char align[COLUMNS + 3] = "rr";
    int count = 0;
    for (int c = 0; c < COLUMNS; c++) {
        shown[c] = columns[c].table == which ? find_shown(selection, c) : NULL;
        count += shown[c] != NULL;
    }
    if (count == 0)
        return;
    memset(align, 'r', (size_t)count + 2);
    cli_table *table = cli_table_new(align);
    cli_table_cell(table, "M");
    cli_table_cell(table, "eigenvalue");
    for (int c = 0; c < COLUMNS; c++)
        if (shown[c])
            cli_table_cell(table, "%s", columns[c].heading);
    for (int64_t m = 0; m <= rows; m++) {
        cli_table_cell(table, "%" PRId64, m);
        if (m > 0)
            cli_table_cell(table, "%.5g", view->eigenvalues[m - 1]);
        else
            cli_table_cell(table, "%s", "");
        for (int c = 0; c < COLUMNS; c++)
            if (shown[c])
                cell(table, shown[c], columns[c].kind, m);
    }
    cli_table_print(table, stdout);
    cli_table_free(table);
    putchar('\n');
}

static void print_choices(const scree_selection *selection)
{
    const scree_criterion *criterion = NULL;
    cli_table *table = cli_table_new("lrll");
    cli_table_cell(table, "criterion");
    cli_table_cell(table, "M");
    cli_table_cell(table, "rule");
    cli_table_cell(table, "%s", "");
    for (int64_t i = 0; (criterion = scree_selection_criterion(selection, i)); i++) {
        if (!criterion->values)
            continue;
        cli_table_cell(table, "%s", criterion->name);
        if (criterion->choice >= 0)
            cli_table_cell(table, "%" PRId64, criterion->choice);
        else
            cli_table_cell(table, "–");
        cli_table_cell(table, "%s", criterion->rule);
        cli_table_cell(table, "%s", criterion->votes ? "" : "no vote");
    }
    cli_table_print(table, stdout);
    cli_table_free(table);
    for (int64_t i = 0; (criterion = scree_selection_criterion(selection, i)); i++)
        if (!criterion->values)
            cli_print(stdout, "%s not computed: %s\n", criterion->name, criterion->reason);
        else if (criterion->choice < 0 && criterion->reason)
            cli_print(stdout, "%s chooses none: %s\n", criterion->name, criterion->reason);
}

/* A paragraph, wrapped between words. */
static void print_wrapped(const char *text)
{
    int column = 0;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += cli_print(stdout, "%s%.*s", column ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* What the columns mean, grouped by meaning. */
static void print_legend(const scree_selection *selection)
{
    char text[512] = "* chosen";
    const char *meaning = NULL;
    for (int c = 0; c < COLUMNS; c++) {
        const size_t used = strlen(text);
        if (!columns[c].meaning || !find_shown(selection, c))
            continue;
        if (meaning && strcmp(meaning, columns[c].meaning) == 0)
            snprintf(text + used, sizeof text - used, ", %s", columns[c].heading);
        else
            snprintf(text + used, sizeof text - used, "%s%s; %s", meaning ? ": " : "", meaning ? meaning : "",
                     columns[c].heading);
        meaning = columns[c].meaning;
    }
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s", meaning ? ": " : "", meaning ? meaning : "");
    print_wrapped(text);
    putchar('\n');
}

static void print_verdict(const scree_selection_view *view)
{
    char text[1024];
    snprintf(text, sizeof text, "recommended: %" PRId64 " component%s; %s", view->recommended,
             view->recommended == 1 ? "" : "s", view->reason);
    putchar('\n');
    print_wrapped(text);
    if (view->gaps) {
        snprintf(text, sizeof text, "gaps: %s", view->gaps);
        print_wrapped(text);
    }
    if (view->noise) {
        snprintf(text, sizeof text, "noise: %s", view->noise);
        print_wrapped(text);
    }
    if (view->warning) {
        snprintf(text, sizeof text, "warning: %s", view->warning);
        print_wrapped(text);
    }
}

/* Directions are missing, and the last that is seen is tiny beside the first: others may be below rounding. */
static bool loses_digits(const scree_selection_view *view)
{
    const int64_t seen = view->directions < view->max_components ? view->directions : view->max_components;
    return view->directions < view->d && view->n > view->d && seen > 1 &&
           view->eigenvalues[seen - 1] < DIGITS * view->eigenvalues[0];
}

void cli_selection_print(const scree_selection *selection, bool all, bool legend)
{
    const scree_selection_view *view = scree_selection_get(selection);
    const int64_t rows = rows_shown(view, all);
    cli_print(stdout, "%" PRId64 " rows × %" PRId64 " column%s", view->n, view->d, view->d == 1 ? "" : "s");
    if (loses_digits(view))
        cli_print(
            stdout,
            "; beside the largest, columns in much smaller units are lost in rounding:\nuse select --scale unit, which "
            "gives all columns the same weight");
    else if (view->directions < view->d)
        cli_print(stdout, ", which span %" PRId64 " dimension%s", view->directions, view->directions == 1 ? "" : "s");
    cli_print(stdout, "\n\n");
    print_table(selection, 0, rows);
    print_table(selection, 1, rows);
    if (rows < view->max_components)
        cli_print(stdout, "%" PRId64 " more with --max %" PRId64 "\n", view->max_components - rows,
                  view->max_components);
    if (legend)
        print_legend(selection);
    print_choices(selection);
    print_verdict(view);
}

void cli_selection_json(const scree_selection *selection)
{
    const scree_selection_view *view = scree_selection_get(selection);
    const scree_criterion *from = NULL;
    cJSON *object = cli_json_object();
    cli_json_integer(object, "n", view->n);
    cli_json_integer(object, "d", view->d);
    cli_json_integer(object, "directions", view->directions);
    cli_json_integer(object, "most", view->max_components);
    cli_json_integer(object, "recommended", view->recommended);
    cli_json_text(object, "reason", view->reason);
    cli_json_text(object, "warning", view->warning);
    cli_json_integer(object, "range_from", view->fewest);
    cli_json_integer(object, "range_to", view->most);
    cli_json_text(object, "noise", view->noise);
    cli_json_text(object, "gaps", view->gaps);
    cli_json_number(object, "total_variance", view->total_variance);
    cli_json_numbers(object, "eigenvalues", view->eigenvalues, view->max_components);
    cJSON *criteria = cli_json_add_array(object, "criteria");
    for (int64_t i = 0; (from = scree_selection_criterion(selection, i)); i++) {
        cJSON *criterion = cli_json_object();
        cli_json_text(criterion, "name", from->name);
        cli_json_text(criterion, "title", from->title);
        cli_json_text(criterion, "chooses", from->rule);
        cli_json_bool(criterion, "votes", from->votes);
        if (from->choice >= 0)
            cli_json_integer(criterion, "choice", from->choice);
        else
            cli_json_null(criterion, "choice");
        cli_json_text(criterion, "not_computed", from->values ? NULL : from->reason);
        cli_json_text(criterion, "no_choice", from->values ? from->reason : NULL);
        cli_json_numbers(criterion, "values", from->values, view->max_components + 1);
        cli_json_append(criteria, criterion);
    }
    cli_json_print(object, stdout);
}
