/* SPDX-License-Identifier: BSD-3-Clause */
/* An auto-encoder in words: layers, training, and the mean squared error of a row (10.29, 10.76), beside that of PCA
 * with as many components, fitted to the same rows (10.44), for the rows that were trained on and those kept apart. */

#include "network_text.h"
#include "cli.h"
#include "human.h"
#include "table.h"
#include "views.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

int64_t cli_network_weights(const scree_network_view *network)
{
    int64_t count = 0;
    for (int64_t l = 0; l < network->layers; l++)
        count += network->widths[l] * network->widths[l + 1];
    return network->tied ? count / 2 : count;
}

void cli_network_layers(FILE *out, const scree_network_view *network)
{
    char count[32];
    for (int64_t l = 0; l <= network->layers; l++)
        fprintf(out, "%s%" PRId64, l ? "-" : "", network->widths[l]);
    fprintf(out, ", %s", network->activation);
    if (strcmp(network->activation, network->output) != 0)
        fprintf(out, ", %s output", network->output);
    fprintf(out, ", %s%s weights\n", cli_human_count(count, sizeof count, (double)cli_network_weights(network)),
            network->tied ? " tied" : "");
}

const char *cli_network_stopped(const scree_network_view *network)
{
    static const char *const words[][2] = {{"epochs", "all completed"},
                                           {"patience", "stopped when the validation error stopped improving"},
                                           {"converged", "converged"},
                                           {"time", "stopped by the time limit"},
                                           {"cancelled", "interrupted"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], network->stopped) == 0)
            return words[i][1];
    return network->stopped;
}

static void error_row(cli_table *table, const char *name, double training, double validation)
{
    cli_table_cell(table, "%s", name);
    cli_table_cell(table, "%.6g", training);
    if (isnan(validation))
        cli_table_cell(table, "–");
    else
        cli_table_cell(table, "%.6g", validation);
}

void cli_network_print(FILE *out, const scree_model *whole)
{
    const scree_model_view *model = scree_model_get(whole);
    const scree_network_view *network = scree_model_network(whole);
    char pca[64];
    fputs("layers      ", out);
    cli_network_layers(out, network);
    fprintf(out, "training    %" PRId64 " rows, %" PRId64 " held out; %" PRId64 " epoch%s, %s; seed %" PRIu64 "\n",
            network->training_rows, network->validation_rows, network->epochs, network->epochs == 1 ? "" : "s",
            cli_network_stopped(network), network->seed);
    if (network->best_epoch < network->epochs)
        fprintf(out, "weights     of the best epoch, %" PRId64 "\n", network->best_epoch);
    fputc('\n', out);
    cli_table *table = cli_table_new("lrr");
    cli_table_cell(table, "error per row");
    cli_table_cell(table, "training");
    cli_table_cell(table, "held out");
    error_row(table, "network", network->training_error, network->validation_error);
    snprintf(pca, sizeof pca, "PCA, %" PRId64 " component%s", model->m, model->m == 1 ? "" : "s");
    error_row(table, pca, network->pca_training_error, network->pca_validation_error);
    error_row(table, "PCA / network", network->pca_training_error / network->training_error,
              network->pca_validation_error / network->validation_error);
    cli_table_print(table, out);
    cli_table_free(table);
    fprintf(out, "\ntotal variance %.6g; errors are squared, in the units of the data, and summed over the columns\n",
            model->total_variance);
}

void cli_network_views(FILE *out, const scree_model *whole)
{
    const scree_model_view *model = scree_model_get(whole);
    const scree_network_view *network = scree_model_network(whole);
    const double error = network->training_error;
    const bool linear = strcmp(network->activation, "linear") == 0 && strcmp(network->output, "linear") == 0;
    char text[160];
    snprintf(text, sizeof text, "J = %.6g a row", error);
    cli_views_state(out, "auto-encoder", text, "10.29, 10.76",
                    "mean squared distance of a row from its reconstruction");
    snprintf(text, sizeof text, "%.4g %% of tr S = %.6g", 100.0 * (1.0 - error / model->total_variance),
             model->total_variance);
    cli_views_state(out, "variance kept", text, "10.24", "the total less the error");
    snprintf(text, sizeof text, "J_%" PRId64 " = %.6g a row", model->m, network->pca_training_error);
    cli_views_state(out, "PCA, as many codes", text, "10.44",
                    linear ? "what a linear auto-encoder reaches at its optimum, and none goes below"
                           : "what a plane reaches; a curved one may come nearer");
    cli_views_state(out, "information", "none: a network is no distribution", "10.8", "nor likelihood, nor rate");
}

static void add_columns(cJSON *object, const scree_model_view *model)
{
    cJSON *columns =
        model->columns ? cJSON_AddArrayToObject(object, "columns") : cJSON_AddNullToObject(object, "columns");
    for (int64_t j = 0; model->columns && j < model->d; j++)
        cJSON_AddItemToArray(columns, cJSON_CreateString(model->columns[j]));
    if (model->image_rows > 0) {
        const int shape[2] = {(int)model->image_rows, (int)model->image_cols};
        cJSON_AddItemToObject(object, "image_shape", cJSON_CreateIntArray(shape, 2));
    }
}

void cli_network_training_json(cJSON *object, const scree_network_view *network)
{
    cJSON *widths = cJSON_AddArrayToObject(object, "widths");
    for (int64_t l = 0; l <= network->layers; l++)
        cJSON_AddItemToArray(widths, cJSON_CreateNumber((double)network->widths[l]));
    cli_json_text(object, "activation", network->activation);
    cli_json_text(object, "output", network->output);
    cJSON_AddBoolToObject(object, "tied", network->tied);
    cli_json_integer(object, "weights", cli_network_weights(network));
    cli_json_integer(object, "seed", (int64_t)network->seed);
    cli_json_integer(object, "training_rows", network->training_rows);
    cli_json_integer(object, "validation_rows", network->validation_rows);
    cli_json_integer(object, "epochs", network->epochs);
    cli_json_integer(object, "best_epoch", network->best_epoch);
    cli_json_text(object, "stopped", network->stopped);
    cli_json_text(object, "error_unit", "squares of the data's own");
    cli_json_number(object, "training_error", network->training_error);
    cli_json_number(object, "validation_error", network->validation_error);
    cli_json_number(object, "pca_training_error", network->pca_training_error);
    cli_json_number(object, "pca_validation_error", network->pca_validation_error);
}

void cli_network_json(cJSON *object, const scree_model *whole)
{
    const scree_model_view *model = scree_model_get(whole);
    cli_json_integer(object, "n", model->n);
    cli_json_integer(object, "d", model->d);
    cli_json_integer(object, "m", model->m);
    cli_json_text(object, "solver", model->solver);
    cli_json_number(object, "total_variance", model->total_variance);
    cli_json_number(object, "reconstruction_error", model->reconstruction_error);
    add_columns(object, model);
    cli_network_training_json(cJSON_AddObjectToObject(object, "network"), scree_model_network(whole));
}
