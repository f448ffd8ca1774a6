/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found: a table in Markdown on standard output, and the same as a JSON file. */

#include "bench.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void bench_line_times(bench_line *line, const bench_side *ours, const bench_side *theirs)
{
    line->ours = ours->median;
    line->best_ours = ours->best;
    line->runs = ours->runs;
    line->theirs = theirs ? theirs->median : 0;
    line->best_theirs = theirs ? theirs->best : 0;
    line->their_runs = theirs ? theirs->runs : 0;
}

void bench_line_floor(bench_line *line, double by_flops, double by_bytes)
{
    line->floor = by_flops > by_bytes ? by_flops : by_bytes;
    line->floor_of = by_flops > by_bytes ? "flops" : "bytes";
}

void bench_add(bench *b, const bench_line *line)
{
    const char *unit = line->unit ? line->unit : "s";
    if (b->line_count < BENCH_MOST_LINES)
        b->lines[b->line_count++] = *line;
    fprintf(stderr, "%s: %.4f %s (best %.4f)", line->name, line->ours, unit, line->best_ours);
    if (line->theirs > 0)
        fprintf(stderr, ", %s %.4f %s (best %.4f), ratio %.3f", line->against, line->theirs, unit, line->best_theirs,
                line->ours / line->theirs);
    fputc('\n', stderr);
}

void bench_leave_out(bench *b, const char *format, ...)
{
    char text[sizeof b->left_out[0]];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "left out: %s\n", text);
    if (b->left_out_count < BENCH_MOST_LEFT_OUT)
        strcpy(b->left_out[b->left_out_count++], text);
}

static const char *verdict(const bench_line *line)
{
    if (line->theirs <= 0)
        return "not compared";
    if (line->most <= 0)
        return "";
    const double ratio = line->ours / line->theirs;
    return ratio <= line->most && ratio >= line->least ? "yes" : "NO";
}

/* "1e-07, 2e-13", or nothing where nothing was measured. */
static const char *print_errors(char *text, size_t size, const bench_errors *errors)
{
    snprintf(text, size, "%s", "");
    if (errors->residual > 0)
        snprintf(text, size, "%.0e, %.0e", errors->residual, errors->value);
    return text;
}

static void print_line(const bench_line *line)
{
    const char *unit = line->unit ? line->unit : "s";
    char theirs[32] = "";
    char ratio[32] = "";
    char most[48] = "";
    char floor_text[48] = "";
    char predicted[32] = "";
    char errors[2][48];
    if (line->theirs > 0) {
        snprintf(theirs, sizeof theirs, "%.4g %s", line->theirs, unit);
        snprintf(ratio, sizeof ratio, "%.3f", line->ours / line->theirs);
    }
    if (line->least > 0)
        snprintf(most, sizeof most, "%.2f to %.2f", line->least, line->most);
    else if (line->most > 0)
        snprintf(most, sizeof most, "%.2f", line->most);
    if (line->floor > 0)
        snprintf(floor_text, sizeof floor_text, "%.4g s (%s)", line->floor, line->floor_of);
    if (line->predicted > 0)
        snprintf(predicted, sizeof predicted, "%.4g s", line->predicted);
    printf("| %s | %s | %.4g %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", line->name, line->what,
           line->ours, unit, line->against, theirs, ratio, most, verdict(line), floor_text, predicted,
           print_errors(errors[0], sizeof errors[0], &line->errors),
           print_errors(errors[1], sizeof errors[1], &line->their_errors), line->note);
}

void bench_print(const bench *b)
{
    const bench_machine *m = &b->machine;
    printf("# scree %s, benchmark\n\n", scree_version());
    printf("- machine: %s, %d cores; threads: %d of ours, %d of the BLAS\n", m->processor, m->cores, b->threads,
           m->blas_threads);
    printf("- GEMM %.0f Gflop/s in float, %.0f in double; products of bytes %.0f Gop/s; copy %.1f GB/s\n",
           m->flops[SCREE_F32] * 1e-9, m->flops[SCREE_F64] * 1e-9, m->byte_ops * 1e-9, m->bytes * 1e-9);
    printf("- beside: %s\n", bench_peers_versions(b->peers));
    printf("- matrices: %s\n", bench_matrix_description());
    printf("- medians of at most %d runs, taken in turn with those of the others; verified before they are timed; the "
           "two errors are the largest true residual and eigenvalue error, over the eigenvalue\n",
           b->repeats);
    for (int i = 0; i < b->left_out_count; i++)
        printf("- left out: %s\n", b->left_out[i]);
    printf(
        "\n| case | what | scree | other | its time | ratio | at most | met | floor | predicted | errors | its errors "
        "| notes |\n");
    printf("|---|---|---:|---|---:|---:|---:|---|---:|---:|---|---|---|\n");
    for (int i = 0; i < b->line_count; i++)
        print_line(&b->lines[i]);
}

static void add_machine(cJSON *root, const bench *b)
{
    const bench_machine *m = &b->machine;
    cJSON *machine = cJSON_AddObjectToObject(root, "machine");
    cJSON_AddStringToObject(root, "scree", scree_version());
    cJSON_AddStringToObject(root, "beside", bench_peers_versions(b->peers));
    cJSON_AddStringToObject(root, "matrices", bench_matrix_description());
    cJSON_AddNumberToObject(root, "repeats", b->repeats);
    cJSON_AddNumberToObject(root, "shrink", (double)b->shrink);
    cJSON *left_out = cJSON_AddArrayToObject(root, "left_out");
    for (int i = 0; i < b->left_out_count; i++)
        cJSON_AddItemToArray(left_out, cJSON_CreateString(b->left_out[i]));
    cJSON_AddStringToObject(machine, "processor", m->processor);
    cJSON_AddNumberToObject(machine, "cores", m->cores);
    cJSON_AddNumberToObject(machine, "threads", b->threads);
    cJSON_AddNumberToObject(machine, "blas_threads", m->blas_threads);
    cJSON_AddNumberToObject(machine, "flops_f32", m->flops[SCREE_F32]);
    cJSON_AddNumberToObject(machine, "flops_f64", m->flops[SCREE_F64]);
    cJSON_AddNumberToObject(machine, "byte_ops", m->byte_ops);
    cJSON_AddNumberToObject(machine, "copy_bytes", m->bytes);
}

static void add_positive(cJSON *object, const char *name, double value)
{
    if (value > 0)
        cJSON_AddNumberToObject(object, name, value);
}

static void add_errors(cJSON *object, const char *name, const bench_errors *errors)
{
    if (errors->residual <= 0)
        return;
    cJSON *both = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(both, "residual", errors->residual);
    cJSON_AddNumberToObject(both, "eigenvalue", errors->value);
}

static void add_line(cJSON *lines, const bench_line *line)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", line->name);
    cJSON_AddStringToObject(object, "what", line->what);
    cJSON_AddStringToObject(object, "unit", line->unit ? line->unit : "s");
    cJSON_AddNumberToObject(object, "scree", line->ours);
    cJSON_AddNumberToObject(object, "scree_best", line->best_ours);
    cJSON_AddNumberToObject(object, "scree_runs", line->runs);
    if (line->theirs > 0) {
        cJSON_AddStringToObject(object, "other", line->against);
        cJSON_AddNumberToObject(object, "other_time", line->theirs);
        cJSON_AddNumberToObject(object, "other_best", line->best_theirs);
        cJSON_AddNumberToObject(object, "other_runs", line->their_runs);
        cJSON_AddNumberToObject(object, "ratio", line->ours / line->theirs);
    }
    add_positive(object, "at_least", line->least);
    add_positive(object, "at_most", line->most);
    if (line->most > 0 && line->theirs > 0)
        cJSON_AddBoolToObject(object, "met", strcmp(verdict(line), "yes") == 0);
    if (line->floor > 0) {
        cJSON_AddNumberToObject(object, "floor", line->floor);
        cJSON_AddStringToObject(object, "floor_of", line->floor_of);
    }
    add_positive(object, "predicted", line->predicted);
    add_errors(object, "errors", &line->errors);
    add_errors(object, "other_errors", &line->their_errors);
    cJSON_AddStringToObject(object, "note", line->note);
    cJSON_AddItemToArray(lines, object);
}

scree_status bench_write_json(const bench *b, scree_error *error)
{
    scree_status status = SCREE_OK;
    cJSON *root = cJSON_CreateObject();
    char *text = NULL;
    FILE *file = fopen(b->json, "w");
    if (!file)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be written (%s)", b->json, strerror(errno));
    add_machine(root, b);
    cJSON *lines = cJSON_AddArrayToObject(root, "cases");
    for (int i = 0; i < b->line_count; i++)
        add_line(lines, &b->lines[i]);
    text = cJSON_Print(root);
    if (!text || fprintf(file, "%s\n", text) < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s cannot be written (%s)", b->json, strerror(errno));
done:
    if (file && fclose(file) != 0 && status == SCREE_OK)
        status = scree__fail(error, SCREE_ERR_IO, "%s cannot be written (%s)", b->json, strerror(errno));
    free(text);
    cJSON_Delete(root);
    return status;
}
