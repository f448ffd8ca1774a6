/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found: a table in Markdown on standard output, and the same as a JSON file. */

#include "bench.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void bench_line_times(bench_line *line, const bench_side *ours, const bench_side *theirs)
{
    line->ours = ours->median;
    line->best_ours = ours->best;
    line->theirs = theirs ? theirs->median : 0;
    line->best_theirs = theirs ? theirs->best : 0;
}

void bench_add(bench *b, const bench_line *line)
{
    if (b->line_count < BENCH_MOST_LINES)
        b->lines[b->line_count++] = *line;
    fprintf(stderr, "%s: %.4f s (best %.4f)", line->name, line->ours, line->best_ours);
    if (line->theirs > 0)
        fprintf(stderr, ", %s %.4f s (best %.4f)", line->against, line->theirs, line->best_theirs);
    fputc('\n', stderr);
}

static const char *verdict(const bench_line *line)
{
    if (line->theirs <= 0)
        return "not compared";
    if (line->most <= 0)
        return "";
    return line->ours <= line->most * line->theirs ? "yes" : "NO";
}

static void print_line(const bench_line *line)
{
    char theirs[32] = "";
    char ratio[32] = "";
    char most[32] = "";
    if (line->theirs > 0) {
        snprintf(theirs, sizeof theirs, "%.4f s", line->theirs);
        snprintf(ratio, sizeof ratio, "%.3f", line->ours / line->theirs);
    }
    if (line->most > 0)
        snprintf(most, sizeof most, "%.2f", line->most);
    printf("| %s | %s | %.4f s | %s | %s | %s | %s | %s | %.4f s (%s) | %s |\n", line->name, line->what, line->ours,
           line->against, theirs, ratio, most, verdict(line), line->floor, line->floor_of, line->note);
}

void bench_print(const bench *b)
{
    const bench_machine *m = &b->machine;
    printf("# scree %s, benchmark\n\n", scree_version());
    printf("- machine: %s, %d cores; threads: %d of ours, %d of the BLAS\n", m->processor, m->cores, b->threads,
           m->blas_threads);
    printf("- GEMM %.0f Gflop/s in float, %.0f in double; copy %.1f GB/s\n", m->flops[SCREE_F32] * 1e-9,
           m->flops[SCREE_F64] * 1e-9, m->bytes * 1e-9);
    printf("- beside: %s\n", bench_peers_versions(b->peers));
    printf("- matrices: %s\n", bench_matrix_description());
    printf("- medians of %d runs, taken in turn with those of the other; verified before they are timed\n\n",
           b->repeats);
    printf("| case | what | scree | other | its time | ratio | at most | met | floor | notes |\n");
    printf("|---|---|---:|---|---:|---:|---:|---|---:|---|\n");
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
    cJSON_AddStringToObject(machine, "processor", m->processor);
    cJSON_AddNumberToObject(machine, "cores", m->cores);
    cJSON_AddNumberToObject(machine, "threads", b->threads);
    cJSON_AddNumberToObject(machine, "blas_threads", m->blas_threads);
    cJSON_AddNumberToObject(machine, "flops_f32", m->flops[SCREE_F32]);
    cJSON_AddNumberToObject(machine, "flops_f64", m->flops[SCREE_F64]);
    cJSON_AddNumberToObject(machine, "copy_bytes", m->bytes);
}

static void add_line(cJSON *lines, const bench_line *line)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", line->name);
    cJSON_AddStringToObject(object, "what", line->what);
    cJSON_AddStringToObject(object, "against", line->against);
    cJSON_AddNumberToObject(object, "seconds", line->ours);
    cJSON_AddNumberToObject(object, "best_seconds", line->best_ours);
    cJSON_AddNumberToObject(object, "floor", line->floor);
    cJSON_AddStringToObject(object, "floor_of", line->floor_of);
    if (line->theirs > 0) {
        cJSON_AddNumberToObject(object, "other_seconds", line->theirs);
        cJSON_AddNumberToObject(object, "other_best_seconds", line->best_theirs);
        cJSON_AddNumberToObject(object, "ratio", line->ours / line->theirs);
    }
    if (line->most > 0)
        cJSON_AddNumberToObject(object, "at_most", line->most);
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
