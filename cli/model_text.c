/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of eigenvalues: a row per number M of components, with the eigenvalue, its share of the variance, the
 * cumulative share, then either the sampling error of eigenvalue and direction or the reconstruction error J_M =
 * Σ_{j>M} λ_j (10.44, summed from the small end), the residual and the bound on the eigenvalue; then the bound on the
 * sine of the angle to the true component, and the cluster it belongs to. So it fits in 80 columns. */

#include "model_text.h"
#include "cli.h"
#include "relation_text.h"
#include "sampling_text.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-14;     /* of the first eigenvalue: below, there is no variance */
static const double ROWS_A_DIRECTION = 5; /* different ones, for all rows to be said to lie in these */
static const double DIGITS = 1e-12;       /* of the first eigenvalue: of a smaller variance squares of rows keep few */

static void headings(cli_table *table, bool brief)
{
    cli_table_cell(table, "M");
    cli_table_cell(table, "eigenvalue");
    cli_table_cell(table, "share%%");
    cli_table_cell(table, "sum%%");
    if (brief)
        cli_sampling_headings(table);
    else {
        cli_table_cell(table, "J_M");
        cli_table_cell(table, "resid.");
        cli_table_cell(table, "±λ");
    }
    cli_table_cell(table, "angle ≤");
    cli_table_cell(table, "cluster");
}

/* Bounds may be unknown in a model made from arrays, and a bound of 1 on a sine says nothing. */
static void bound(cli_table *table, const double *values, int64_t j, double limit)
{
    if (values && values[j] < limit)
        cli_table_cell(table, "%.1e", values[j]);
    else
        cli_table_cell(table, "–");
}

static void cluster(cli_table *table, const scree_model_view *model, int64_t j)
{
    const bool known = model->cluster_first && model->cluster_last;
    const int64_t first = known ? model->cluster_first[j] : j, last = known ? model->cluster_last[j] : j;
    if (first == last && last < model->m)
        cli_table_cell(table, "%s", model->angle_bounds && model->angle_bounds[j] >= 1.0 ? "open" : "");
    else
        cli_table_cell(table, "%" PRId64 "–%" PRId64, first + 1, last + 1);
}

void cli_model_table(FILE *out, const scree_model *whole, int64_t max_rows, bool brief)
{
    const scree_model_view *model = scree_model_get(whole);
    const int64_t rows = max_rows < model->m ? max_rows : model->m;
    double *left = cli_alloc((size_t)model->m + 1, sizeof *left);
    cli_table *table = cli_table_new(brief ? "rrrrrrrl" : "rrrrrrrrl");
    left[model->m] = model->reconstruction_error;
    for (int64_t j = model->m; j-- > 0;)
        left[j] = left[j + 1] + model->eigenvalues[j];
    headings(table, brief);
    for (int64_t j = 0; j < rows; j++) {
        cli_table_cell(table, "%" PRId64, j + 1);
        cli_table_cell(table, "%.6g", model->eigenvalues[j]);
        cli_table_cell(table, "%.2f", 100.0 * model->eigenvalues[j] / model->total_variance);
        cli_table_cell(table, "%.2f", 100.0 * (1.0 - left[j + 1] / model->total_variance));
        if (brief)
            cli_sampling_cells(table, whole, j);
        else {
            cli_table_cell(table, "%.6g", left[j + 1]);
            bound(table, model->residuals, j, HUGE_VAL);
            bound(table, model->eigenvalue_bounds, j, HUGE_VAL);
        }
        bound(table, model->angle_bounds, j, 1.0);
        cluster(table, model, j);
    }
    cli_table_print(table, out);
    cli_table_free(table);
    free(left);
}

/* Directions in which the fitted rows do not vary, though columns do: relations between these that hold exactly, where
 * there are rows enough to say so; *directions: those in which they do. */
static int64_t relations(const scree_model_view *model, double *directions)
{
    const double least = ROUNDING * (model->m > 0 ? model->eigenvalues[0] : 0);
    double varies = 0;
    int64_t columns = 0;
    for (int64_t j = 0; j < model->d; j++)
        columns += model->variances[j] > 0.0;
    for (int64_t j = 0; j < model->m; j++)
        varies += model->eigenvalues[j] > least;
    for (int64_t i = 0; i < model->rest_count; i++)
        varies += model->rest_values[i] > least ? model->rest_counts[i] : 0;
    const bool known = model->m == columns || model->rest_count > 0;
    const bool told = known && !model->noise_given && !cli_model_has_gaps(model) && !cli_model_loses_digits(model) &&
                      (double)(model->n - 1) > varies;
    *directions = varies;
    return told && (double)columns > varies + 0.5 ? columns - (int64_t)(varies + 0.5) : 0;
}

static void exact_relations(FILE *out, const scree_model *whole)
{
    const scree_model_view *view = scree_model_get(whole);
    double directions;
    const int64_t count = relations(view, &directions);
    const bool too_few = view->distinct > 0 && (double)view->distinct <= ROWS_A_DIRECTION * directions;
    if (cli_relations_exact(whole) > 0)
        cli_relations_remark(out, whole);
    else if (count > 0 && !scree_model_relations(whole) && (view->rare > 0 || too_few))
        cli_print(out,
                  "rows lie in %.0f of %" PRId64 " directions, but %s:\nnew rows may lie outside, and are not outliers "
                  "for that\n",
                  directions, (int64_t)(directions + 0.5) + count,
                  view->rare > 0 ? "only because few rows differ from the others in some columns"
                                 : "too few of them differ from each other to say that all do");
    else if (count > 0 && !scree_model_relations(whole))
        cli_print(out,
                  "%" PRId64
                  " linear relation%s between columns hold%s in all rows to within rounding (a copied column, a sum)\n",
                  count, count == 1 ? "" : "s", count == 1 ? "s" : "");
}

static bool has_clusters(const scree_model_view *model)
{
    for (int64_t j = 0; model->cluster_first && j < model->m; j++)
        if (model->cluster_first[j] != model->cluster_last[j])
            return true;
    return false;
}

enum { MOST_NAMED = 20 };

static void constant_columns(FILE *out, const scree_model_view *model)
{
    int64_t found = 0;
    for (int64_t column = 0; model->total_variance > 0 && column < model->d; column++) {
        if (model->variances[column] > 0.0 || found++ >= MOST_NAMED)
            continue;
        cli_print(out, "%s",
                  found > 1                                             ? ", "
                  : model->scale && model->scaling != SCREE_SCALE_GIVEN ? "constant and therefore not scaled: "
                  : model->noise_given || cli_model_has_gaps(model)
                      ? "constant: "
                      : "constant, so a row with another value there is an outlier: ");
        if (model->columns)
            cli_print(out, "%s", model->columns[column]);
        else
            cli_print(out, "column %" PRId64, column + 1);
    }
    if (found > MOST_NAMED)
        cli_print(out, " and %" PRId64 " more", found - MOST_NAMED);
    if (found)
        fputc('\n', out);
}

static const char *stopped_text(const scree_model_view *model)
{
    static const char *const words[][2] = {
        {"tolerance", "converged to within the tolerance"},
        {"stalled", "converged to double precision"},
        {"floor", "stopped because the components leave no noise: columns depend on each other exactly, or fewer "
                  "components explain everything"},
        {"iterations", "stopped at the iteration limit before convergence; the bounds say how far it may be; fewer "
                       "components (-k) converge sooner"},
    };
    if (strcmp(model->stopped, "floor") == 0 && cli_model_loses_digits(model))
        return "stopped because noise is at its least beside columns in much larger units; smaller eigenvalues are "
               "not to be trusted: fit with --scale unit";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], model->stopped) == 0)
            return words[i][1];
    return model->stopped;
}

bool cli_model_has_gaps(const scree_model_view *model)
{
    return (double)model->observed < (double)model->n * (double)model->d;
}

void cli_model_gaps(FILE *out, const scree_model_view *model)
{
    if (!model->stopped)
        return;
    if (strcmp(model->stopped, "pass") == 0) {
        cli_print(out, "maximum likelihood in one pass, %d batch%s; estimated distance from a full fit:\n",
                  model->iterations, model->iterations == 1 ? "" : "es");
        cli_print(out, "%.2g in angle, %.2g %% in noise variance; the bounds below are estimates, too\n",
                  model->online_angle, 100 * model->online_noise);
        cli_print(out, "%.4g %% of the cells observed\n",
                  100.0 * (double)model->observed / ((double)model->n * (double)model->d));
        return;
    }
    cli_print(out, "%s, %d iteration%s: %s\n", model->bayes ? "variational Bayes" : "maximum likelihood",
              model->iterations, model->iterations == 1 ? "" : "s", stopped_text(model));
    cli_print(out, "%.4g %% of the cells observed",
              100.0 * (double)model->observed / ((double)model->n * (double)model->d));
    if (!isnan(model->log_likelihood)) /* a truncated model has none */
        cli_print(out, ", %s %.10g", model->bayes ? "lower bound on the log-likelihood" : "log-likelihood",
                  model->log_likelihood);
    fputc('\n', out);
    if (model->empty_rows > 0)
        cli_print(out, "%" PRId64 " row%s no observed cells and no influence\n", model->empty_rows,
                  model->empty_rows == 1 ? " has" : "s have");
}

/* Residuals are asked for as a share of the eigenvalue; what rounding leaves may be more. */
static void tolerance_text(FILE *out, const scree_model_view *model)
{
    int64_t above = 0;
    for (int64_t j = 0; model->residuals && j < model->m; j++)
        above += model->residuals[j] > model->tolerance * model->eigenvalues[j];
    if (above == 0)
        cli_print(out, "residuals are at most %.1e of the eigenvalue, as asked\n", model->tolerance);
    else
        cli_print(out,
                  "%" PRId64 " of %" PRId64 " residuals are larger than the %.1e of the eigenvalue that was asked for: "
                  "rounding\nallows no less\n",
                  above, model->m, model->tolerance);
}

/* The probability model has fewer latent dimensions than there are components. */
static bool has_own_latent(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    return scree_model_can(model, SCREE_CAN_DENSITY) && view->latent < view->m;
}

/* Rows that cannot be brought to a sum. */
static void empty_rows(FILE *out, const scree_model_view *model)
{
    const int64_t count = model->normalize_empty;
    if (count > 0)
        cli_print(out, "%" PRId64 " row%s to 0 and stay%s as %s\n", count, count == 1 ? " sums" : "s sum",
                  count == 1 ? "s" : "", count == 1 ? "it is" : "they are");
}

void cli_model_remarks(FILE *out, const scree_model *whole)
{
    const scree_model_view *model = scree_model_get(whole);
    cli_print(out, "total variance %.6g, J_%" PRId64 " = %.6g", model->total_variance, model->m,
              model->reconstruction_error);
    if (!has_own_latent(whole)) /* else the line of the probability model says it */
        cli_print(out, ", noise variance σ² = %.6g", model->noise_variance);
    fputc('\n', out);
    empty_rows(out, model);
    constant_columns(out, model);
    exact_relations(out, whole);
    cli_dominant_columns(out, model);
    cli_sampling_remark(out, whole);
    if (has_clusters(model))
        cli_print(out,
                  "cluster: eigenvalues too close to tell their components apart; the bound on the\nangle holds for "
                  "the subspace that they span\n");
    if (model->stopped && strcmp(model->stopped, "pass") != 0)
        fputs("bounds are estimates of the remaining iteration error, not proofs\n", out);
    if (!model->converged && !model->stopped)
        fputs(
            "not converged: some residuals are too large; use only what the bounds allow, or fit\nagain with --solver "
            "covariance or svd\n",
            out);
    else if (model->stop_rule && strcmp(model->stop_rule, "sampling") == 0)
        fputs("stopped where the numerical error is small beside the sampling error; --tol asks for more\n", out);
    else if (model->stop_rule)
        tolerance_text(out, model);
}

const char *cli_model_scaling(const scree_model_view *model)
{
    static const char *const texts[] = {
        [SCREE_SCALE_NONE] = "none",
        [SCREE_SCALE_UNIT] = "unit: each column divided by its standard deviation",
        [SCREE_SCALE_RANGE] = "range: each column divided by its range",
        [SCREE_SCALE_PARETO] = "pareto: each column divided by the square root of its standard deviation",
        [SCREE_SCALE_GIVEN] = "given: each column divided by a number of its own",
        [SCREE_SCALE_BINOMIAL] = "binomial: each column divided by √(2p(1-p)), p half its mean",
    };
    return texts[model->scaling];
}

bool cli_model_loses_digits(const scree_model_view *model)
{
    double least = HUGE_VAL;
    for (int64_t j = 0; j < model->d; j++)
        if (model->variances[j] > 0)
            least = fmin(least, model->variances[j] / (model->scale ? model->scale[j] * model->scale[j] : 1));
    return model->m > 0 && model->scaling != SCREE_SCALE_UNIT &&
           least < (model->graded ? DIGITS * DIGITS : DIGITS) * model->eigenvalues[0];
}

const char *cli_model_for_digits(const scree_model_view *model)
{
    return model->graded || model->stopped ? "fit with --scale unit" : "fit with --scale unit or --solver svd";
}

/* Nothing is left where there are no more directions; else it may only be too little for the digits of tr S. */
static void no_density(FILE *out, const scree_model_view *model)
{
    const bool is_small = model->m < model->d && model->m < model->n - 1 && !model->graded;
    if (is_small)
        fputs("what is left is below the rounding of the total variance: no noise, no density; --solver svd\nsees "
              "smaller variances, --scale unit gives all columns the same weight, -k keeps fewer components\n",
              out);
    else
        fputs("no noise is left, so rows have no density; scree score needs a model with fewer components\n", out);
}

void cli_model_latent(FILE *out, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    scree_facts facts = SCREE_FACTS_INIT;
    if (!scree_model_can(model, SCREE_CAN_DENSITY))
        return;
    if (has_own_latent(model) && view->m < view->d && view->m < view->n - 1 && view->reconstruction_error == 0 &&
        cli_model_loses_digits(view) && !view->graded)
        fputs("smaller eigenvalues are below the rounding of the total variance; --solver svd sees them, --scale unit\n"
              "gives all columns the same weight\n",
              out);
    if (has_own_latent(model))
        cli_print(out,
                  "probability model: M = %" PRId64 " of %" PRId64
                  " component%s, noise variance σ² = %.6g; fit --latent "
                  "changes M\n",
                  view->latent, view->m, view->m == 1 ? "" : "s",
                  scree_model_get(scree_model_distribution(model))->noise_variance);
    else if (!view->stopped && cli_known(scree_model_facts(model, &facts, NULL)) == SCREE_OK &&
             isnan(facts.log_likelihood))
        no_density(out, view);
}
