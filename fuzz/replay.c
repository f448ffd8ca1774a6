/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs targets on files, without a fuzzer: what is kept of them is a test of every build.
 *
 *     fuzz_replay FOLDER              all targets, on FOLDER/corpus/NAME and FOLDER/findings/NAME; what they print is
 *                                     dropped, and each file is named before it runs
 *     fuzz_replay TARGET FILE...      one target, with what it prints
 *
 * An input that takes a minute is a hang, and ends the program. */

#include "target.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 60, MOST_BYTES = 1 << 24 };

/* The sanitizers' own, where there are any: reports go to another place than standard error. */
void __sanitizer_set_report_fd(void *descriptor) __attribute__((weak));

static void run_file(const fuzz_target *target, const char *path)
{
    uint8_t *data = malloc(MOST_BYTES);
    FILE *file = fopen(path, "rb");
    fuzz_require(data && file, path);
    const size_t size = fread(data, 1, MOST_BYTES, file);
    fclose(file);
    alarm(SECONDS);
    fuzz_target_run(target, data, size);
    alarm(0);
    free(data);
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Returns how many inputs there were. */
static int run_folder(const fuzz_target *target, const char *top, const char *kind, FILE *log)
{
    struct dirent **entries = NULL;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", top, kind, target->name);
    const int count = scandir(path, &entries, is_input, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s/%s/%s", top, kind, target->name, entries[i]->d_name);
        fprintf(log, "%s\n", path);
        fflush(log);
        run_file(target, path);
        free(entries[i]);
    }
    free(entries);
    return count > 0 ? count : 0;
}

/* Standard output and standard error lead nowhere from now on; what is returned is standard output as it was. */
static FILE *silence(void)
{
    const int kept = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    FILE *log = kept >= 0 ? fdopen(kept, "w") : NULL;
    fuzz_require(log && nowhere >= 0, "standard output can be kept");
    if (__sanitizer_set_report_fd)
        __sanitizer_set_report_fd((void *)(intptr_t)kept);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    return log;
}

static int run_all(const char *top)
{
    FILE *log = silence();
    int code = 0;
    for (int64_t i = 0; scree_table_name(SCREE_TABLE_READERS, i); i++) {
        if (fuzz_target_find(scree_table_name(SCREE_TABLE_READERS, i)))
            continue;
        fprintf(log, "the reader %s has no target: add one to fuzz/targets.c\n",
                scree_table_name(SCREE_TABLE_READERS, i));
        code = 1;
    }
    for (const fuzz_target *target = fuzz_targets; target->name; target++) {
        const int inputs = run_folder(target, top, "corpus", log);
        const int findings = run_folder(target, top, "findings", log);
        fprintf(log, "%s: %d inputs, %d past findings\n", target->name, inputs, findings);
        code = inputs > 0 ? code : 1;
    }
    fclose(log);
    return code;
}

int main(int argc, char **argv)
{
    const fuzz_target *target = argc > 2 ? fuzz_target_find(argv[1]) : NULL;
    if (argc == 2)
        return run_all(argv[1]);
    if (!target) {
        fputs("usage: fuzz_replay FOLDER, or fuzz_replay TARGET FILE...; the targets are:", stderr);
        for (target = fuzz_targets; target->name; target++)
            fprintf(stderr, " %s", target->name);
        fputc('\n', stderr);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        run_file(target, argv[i]);
    return 0;
}
