/* SPDX-License-Identifier: BSD-3-Clause */
/* The equivalent characterizations of PCA, side by side: the same components have the largest variance V_M (10.24), the
 * smallest error J_M = tr S - V_M (10.44) and the largest mutual information I(x; z) = ½ Σ ln(λ_j/σ²), maximize the
 * likelihood (10.70, 10.78), and are what an optimal code transmits at the distortion Dσ², at the rate I(x; z) (10.8).
 */

#include "views.h"
#include "cli.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>

static const double BITS = 1.44269504088896340736; /* in a nat: 1/ln 2 */

enum { MOST_RATES = 4, BOOK_AT = 72 };

/* The rate at a distortion, and why that is of interest. */
typedef struct stated {
    scree_rate rate;
    const char *name;
    const char *remark;
} stated;

static int state_rates(stated *out, const scree_model *model, double distortion)
{
    const scree_model_view *view = scree_model_get(model);
    int count = 0;
    if (distortion > 0)
        out[count++] = (stated){{.distortion = distortion}, "given", "as given"};
    if (view->noise_variance > 0) {
        const double noise = (double)view->d * view->noise_variance;
        out[count++] = (stated){{.distortion = noise}, "noise", "Dσ²: the rate is I(x; z)"};
    }
    if (view->reconstruction_error > 0)
        out[count++] = (stated){{.distortion = view->reconstruction_error}, "error", "J_M: the error of the model"};
    if (view->total_variance > 0)
        out[count++] = (stated){{.distortion = 0.01 * view->total_variance}, "percent", "1 % of the variance"};
    for (int i = 0; i < count; i++) {
        const double asked = out[i].rate.distortion;
        out[i].rate = (scree_rate)SCREE_RATE_INIT;
        cli_known(scree_model_rate(model, asked, &out[i].rate, NULL));
    }
    return count;
}

static double variance_kept(const scree_model_view *view)
{
    double kept = 0.0;
    for (int64_t j = view->m; j-- > 0;)
        kept += view->eigenvalues[j];
    return kept;
}

/* The likelihood is at its maximum unless a parameter was set by hand or estimated in another way. */
static bool is_most_likely(const scree_model_view *view)
{
    const double own = view->reconstruction_error / (double)(view->d - view->m);
    return view->ddof == 0 && !view->stopped && fabs(view->noise_variance - own) <= 1e-12 * own;
}

static void state(FILE *out, const char *name, const char *statement, const char *book, const char *meaning)
{
    const int used = 20 + cli_width(statement);
    cli_print(out, "%-20s%s%*s%s\n%-20s%s\n", name, statement, used < BOOK_AT ? BOOK_AT - used : 2, "", book, "",
              meaning);
}

static void print_probability(FILE *out, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    scree_facts facts = SCREE_FACTS_INIT;
    cli_known(scree_model_facts(model, &facts, NULL));
    const double row = facts.log_likelihood / view->weight;
    char text[160];
    if (isnan(facts.mutual_information)) {
        state(out, "information", "none: without noise it is infinite", "10.8",
              "σ² = 0: keep fewer components with -k");
        state(out, "likelihood", "none: without noise rows have no density", "10.70, 10.78", "see above");
        return;
    }
    snprintf(text, sizeof text, "I(x; z) = %.6g nats = %.6g bits", facts.mutual_information,
             BITS * facts.mutual_information);
    state(out, "information", text, "10.8", "between a row and its code: ½ Σ ln(λ/σ²)");
    snprintf(text, sizeof text, "ln p(x) = %.6g per row, %.10g in total", row, facts.log_likelihood);
    if (isnan(facts.log_likelihood))
        snprintf(text, sizeof text, "unknown: the model was truncated after the fit");
    state(out, "likelihood", text, "10.70, 10.78",
          is_most_likely(view) ? "the maximum over all models of this form"
          : view->stopped      ? "of the observed cells"
                               : "of the fitted rows");
}

static void print_rates(FILE *out, const scree_model *model, double distortion)
{
    stated rates[MOST_RATES];
    const int count = state_rates(rates, model, distortion);
    const double cells = (double)scree_model_get(model)->d;
    cli_table *table = cli_table_new("rrrrrl");
    static const char *const headings[] = {"distortion", "rmse", "level θ", "coded", "bits per row", "remark"};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        cli_table_cell(table, "%s", headings[i]);
    for (int i = 0; i < count; i++) {
        cli_table_cell(table, "%.6g", rates[i].rate.distortion);
        cli_table_cell(table, "%.6g", sqrt(rates[i].rate.distortion / cells));
        cli_table_cell(table, "%.6g", rates[i].rate.level);
        cli_table_cell(table, "%" PRId64, rates[i].rate.coded);
        cli_table_cell(table, "%.6g", rates[i].rate.bits);
        cli_table_cell(table, "%s", rates[i].remark);
    }
    cli_table_print(table, out);
    cli_table_free(table);
}

/* What every model that reconstructs rows has. */
static void print_error(FILE *out, const scree_model_view *view)
{
    const double error = view->reconstruction_error;
    char text[160];
    snprintf(text, sizeof text, "J = %.6g per row", error);
    state(out, "error", text, "10.29", "mean squared distance of a row from its reconstruction");
    snprintf(text, sizeof text, "%.4g %% of tr S = %.6g", 100.0 * (1.0 - error / view->total_variance),
             view->total_variance);
    state(out, "variance kept", text, "10.24", "the total less the error");
    state(out, "information", "none: the model is no probability distribution", "10.8", "nor a likelihood, nor a rate");
}

void cli_views_print(FILE *out, const scree_model *model, double distortion)
{
    const scree_model_view *view = scree_model_get(model);
    char text[160];
    if (!scree_model_can(model, SCREE_CAN_EXPLAIN) || !scree_model_can(model, SCREE_CAN_DENSITY)) {
        print_error(out, view);
        return;
    }
    const double kept = variance_kept(view);
    snprintf(text, sizeof text, "V_%" PRId64 " = %.6g, %.4g %% of tr S = %.6g", view->m, kept,
             100.0 * kept / view->total_variance, view->total_variance);
    state(out, "variance kept", text, "10.24", "the maximum over all subspaces of this dimension");
    snprintf(text, sizeof text, "J_%" PRId64 " = %.6g per row", view->m, view->reconstruction_error);
    state(out, "error", text, "10.29, 10.44", "mean squared distance of a row from its reconstruction: tr S − V");
    print_probability(out, model);
    snprintf(text, sizeof text, "J_%" PRId64 " = %.6g at its optimum", view->m, view->reconstruction_error);
    state(out, "linear auto-encoder", text, "10.76", "encoder Uᵀ, decoder U: these components are its optimum");
    state(out, "rate", "the least bits per row for a given distortion", "10.8",
          "distortion: mean squared error per row, as J; rmse: root mean squared error per value");
    fputc('\n', out);
    print_rates(out, model, distortion);
}

void cli_views_json(cJSON *object, const scree_model *model, double distortion)
{
    const scree_model_view *view = scree_model_get(model);
    scree_facts facts = SCREE_FACTS_INIT;
    cli_known(scree_model_facts(model, &facts, NULL));
    const double kept = variance_kept(view);
    stated rates[MOST_RATES];
    const int count = state_rates(rates, model, distortion);
    cJSON *views = cli_json_add_object(object, "views");
    cli_json_number(views, "variance_kept", kept);
    cli_json_number(views, "variance_share", kept / view->total_variance);
    cli_json_number(views, "reconstruction_error", view->reconstruction_error);
    cli_json_number(views, "mutual_information", facts.mutual_information);
    cli_json_number(views, "mutual_information_bits", BITS * facts.mutual_information);
    cli_json_number(views, "log_likelihood", facts.log_likelihood);
    cli_json_number(views, "log_likelihood_row", facts.log_likelihood / view->weight);
    cJSON *list = cli_json_add_array(views, "rates");
    for (int i = 0; i < count; i++) {
        cJSON *entry = cli_json_object();
        cli_json_text(entry, "at", rates[i].name);
        cli_json_number(entry, "distortion", rates[i].rate.distortion);
        cli_json_number(entry, "level", rates[i].rate.level);
        cli_json_integer(entry, "coded", rates[i].rate.coded);
        cli_json_number(entry, "bits", rates[i].rate.bits);
        cli_json_append(list, entry);
    }
}
