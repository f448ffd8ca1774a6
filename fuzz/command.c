/* SPDX-License-Identifier: BSD-3-Clause */
/* The targets of the command. `options` is one command line, a word a line, and only read. `command` is up to four
 * command lines, words between spaces, an empty line, and a file:
 *
 *     fit data.csv -k 2 -o m.scree
 *     score m.scree data.csv -o -
 *
 *     a,b,c
 *     1,2,3
 *
 * They run one after the other in a folder of their own, where every word that begins with `data` is the name of that
 * file, and so is standard input; other files are those of `prepare`. A slash in a word becomes an underscore, so that
 * nothing outside of the folder is touched. After a second a command is cancelled as by a signal. */

#include "cli.h"
#include "deadline.h"
#include "folder.h"
#include "input.h"
#include "target.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_LINES = 4, MOST_WORDS = 32, MOST_TEXT = 1024 };
enum { SMALL_MODEL_SECONDS = 30, INPUT_SECONDS = 1, FILE_BYTES = 64 << 20 };

int fuzz_scree_main(int argc, char **argv);

static char program[] = "scree";

/* Cuts a text at each of the separators; words ends with NULL. */
static int cut(char *text, const char *separators, char *words[MOST_WORDS + 2])
{
    int count = 0;
    char *rest = NULL;
    words[count++] = program;
    for (char *word = strtok_r(text, separators, &rest); word && count <= MOST_WORDS;
         word = strtok_r(NULL, separators, &rest))
        words[count++] = word;
    words[count] = NULL;
    return count;
}

static int run_line(const char *line)
{
    char text[MOST_TEXT];
    char *words[MOST_WORDS + 2];
    snprintf(text, sizeof text, "%s", line);
    return fuzz_scree_main(cut(text, " ", words), words);
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file)
        return; /* a name that is too long, or that of a folder by now */
    fwrite(data, 1, size, file);
    fclose(file);
}

/* The files that are always there: tables, and what the commands make of them. */
static void prepare(void)
{
    static const char table[] = "a,b,c,kind\n1,2,3,x\n2,4.5,6,y\n3,6,9.5,x\n4,7,12,y\n5,11,15,x\n6,12,18.5,y\n"
                                "7,14,20,x\n8,15,25,y\n9,18,27,x\n10,21,30,y\n";
    static const char gaps[] = "a,b,c\n1,,3\n2,4.5,6\n3,6,\n4,7,12\n,11,15\n6,12,18.5\n7,,20\n8,15,25\n9,18,27\n";
    static const char *const lines[] = {
        "fit table.csv -k 2 -o model.scree --quiet",
        "fit gaps.csv -k 1 -o gaps.scree --quiet",
        "autoencode table.csv --code 1 --hidden 2 --epochs 2 -o network.scree --quiet",
        "compress table.csv -o rows.screez --quiet",
        "convert table.csv -o rows.npy --quiet",
        "project model.scree table.csv -o codes.csv --quiet",
    };
    write_file("table.csv", table, sizeof table - 1);
    write_file("gaps.csv", gaps, sizeof gaps - 1);
    fuzz_deadline_set(SMALL_MODEL_SECONDS);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        fuzz_require(run_line(lines[i]) == CLI_SUCCESS, lines[i]);
}

static void run_words(int count, char **words, const uint8_t *file, size_t size)
{
    for (int i = 1; i < count; i++) {
        for (char *slash = words[i]; (slash = strchr(slash, '/'));)
            *slash = '_';
        if (strncmp(words[i], "data", 4) == 0)
            write_file(words[i], file, size);
    }
    fuzz_standard_input(file, size);
    fuzz_deadline_set(INPUT_SECONDS);
    const int code = fuzz_scree_main(count, words);
    fuzz_require(code >= CLI_SUCCESS && code <= CLI_WRONG_USAGE, "a command ends with 0, 1 or 2");
}

static void limit_files(void)
{
    struct rlimit limit = {FILE_BYTES, FILE_BYTES};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    setenv("SCREE_CACHE", "off", 1);
}

void fuzz_command(const fuzz_target *target, const uint8_t *data, size_t size)
{
    static bool limited;
    char lines[MOST_LINES][MOST_TEXT];
    int count = 0;
    (void)target;
    if (!limited)
        limit_files();
    limited = true;
    while (count < MOST_LINES && size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        const size_t length = end ? (size_t)(end - data) : size;
        const size_t used = end ? length + 1 : length;
        if (length >= MOST_TEXT)
            return;
        memcpy(lines[count], data, length);
        lines[count][length] = 0;
        data += used;
        size -= used;
        if (length == 0)
            break;
        count++;
    }
    uint8_t *file = malloc(size ? size : 1);
    if (!file)
        return;
    memcpy(file, data, size);
    fuzz_repair_any(file, size);
    fuzz_folder_enter(prepare);
    for (int i = 0; i < count; i++) {
        char *words[MOST_WORDS + 2];
        const int words_count = cut(lines[i], " ", words);
        run_words(words_count, words, file, size);
    }
    fuzz_folder_leave();
    free(file);
}

void fuzz_options(const fuzz_target *target, const uint8_t *data, size_t size)
{
    char text[MOST_TEXT];
    char *words[MOST_WORDS + 2];
    cli_call call;
    int exit_code = CLI_SUCCESS;
    (void)target;
    const size_t length = size < MOST_TEXT - 1 ? size : MOST_TEXT - 1;
    memcpy(text, data, length);
    text[length] = 0;
    const int count = cut(text, "\n", words);
    const cli_command *command = count > 1 ? cli_command_find(words[1]) : NULL;
    if (!command) {
        (void)(count > 1 ? cli_command_suggest(words[1]) : NULL);
        return;
    }
    if (cli_call_read(&call, command, count - 2, words + 2, &exit_code))
        cli_call_clear(&call);
    fuzz_require(exit_code >= CLI_SUCCESS && exit_code <= CLI_WRONG_USAGE, "a command ends with 0, 1 or 2");
}
