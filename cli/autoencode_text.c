/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a training: layers, rows, epochs, and the mean squared error per row (10.29, 10.76) next to that of PCA
 * with as many components, fitted to the same rows (10.44), for the training rows and the held-out ones. */

#include "autoencode_text.h"
#include "facts.h"
#include "human.h"
#include "json.h"
#include "table.h"

#include <inttypes.h>
#include <string.h>

double cli_autoencode_unit(const scree_source *source)
{
    return scree_source_type(source) == SCREE_U8 ? 255.0 * 255.0 : 1.0;
}

static int64_t count_weights(const scree_network_view *network)
{
    int64_t count = 0;
    for (int64_t l = 0; l < network->layers; l++)
        count += network->widths[l] * network->widths[l + 1];
    return network->tied ? count / 2 : count;
}

/* "784-30-784, gelu, 47 k weights" */
static void print_layers(FILE *out, const scree_network_view *network)
{
    char count[32];
    for (int64_t l = 0; l <= network->layers; l++)
        cli_print(out, "%s%" PRId64, l ? "-" : "", network->widths[l]);
    cli_print(out, ", %s", network->activation);
    if (strcmp(network->activation, network->output) != 0)
        cli_print(out, ", %s output", network->output);
    cli_print(out, ", %s%s weights\n", cli_human_count(count, sizeof count, (double)count_weights(network)),
              network->tied ? " tied" : "");
}

static const char *stopped_text(const scree_network_view *network)
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

static void print_errors(FILE *out, const scree_network_view *net, double unit)
{
    const bool apart = net->validation_rows > 0;
    const int64_t code = net->widths[net->encoder_layers];
    cli_table *table = cli_table_new(apart ? "lrr" : "lr");
    cli_table_cell(table, "error per row");
    cli_table_cell(table, "training");
    if (apart)
        cli_table_cell(table, "held out");
    cli_table_cell(table, "network");
    cli_table_cell(table, "%.6g", net->training_error / unit);
    if (apart)
        cli_table_cell(table, "%.6g", net->validation_error / unit);
    cli_table_cell(table, "PCA, %" PRId64 " component%s", code, code == 1 ? "" : "s");
    cli_table_cell(table, "%.6g", net->pca_training_error / unit);
    if (apart)
        cli_table_cell(table, "%.6g", net->pca_validation_error / unit);
    cli_table_cell(table, "PCA / network");
    cli_table_cell(table, "%.4g", net->pca_training_error / net->training_error);
    if (apart)
        cli_table_cell(table, "%.4g", net->pca_validation_error / net->validation_error);
    cli_table_print(table, out);
    cli_table_free(table);
}

void cli_autoencode_print(FILE *out, const cli_work *work, const scree_network_view *network, double seconds)
{
    const double unit = cli_autoencode_unit(work->source);
    char time[32];
    print_layers(out, network);
    cli_print(out, "%" PRId64 " training rows, %" PRId64 " held out; %" PRId64 " epoch%s, %s; %s\n\n",
              network->training_rows, network->validation_rows, network->epochs, network->epochs == 1 ? "" : "s",
              stopped_text(network), cli_human_time(time, sizeof time, seconds));
    print_errors(out, network, unit);
    cli_print(out, "\nerrors are squared and summed over the columns%s\n",
              unit > 1 ? ", with bytes scaled to [0, 1]: 1/65025 of what scree info prints" : "");
    if (network->best_epoch < network->epochs)
        cli_print(out, "the weights are those of the best epoch, %" PRId64 "\n", network->best_epoch);
}

void cli_autoencode_json(const cli_work *work, double seconds)
{
    cJSON *object = cli_json_object();
    cli_json_text(object, "data", scree_source_name(work->source));
    cli_json_text(object, "model", work->write.output);
    cli_facts_json(object, work->model);
    cli_json_number(object, "seconds", seconds);
    cli_json_print(object, stdout);
}
