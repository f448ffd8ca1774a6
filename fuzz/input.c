/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as a file and as a pipe, and the line of options in front of them. The file is one without a name (memfd),
 * which costs no disk and is gone with the process. */

#define _GNU_SOURCE /* memfd_create */

#include "input.h"
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char mark[] = "!read ";

/* An option "name=value", or a word that stands alone. */
static void take(fuzz_input *input, char *word)
{
    static const char empty[] = "";
    char *equals = strchr(word, '=');
    const char *value = equals ? equals + 1 : empty;
    const struct {
        const char *name;
        const char **text;
        int64_t *number;
        bool *flag;
    } known[] = {
        {"format", &input->read.format, NULL, NULL},   {"columns", &input->read.columns, NULL, NULL},
        {"label", &input->read.label, NULL, NULL},     {"id", &input->read.id, NULL, NULL},
        {"weights", &input->read.weights, NULL, NULL}, {"encoding", &input->read.encoding, NULL, NULL},
        {"exclude", &input->read.exclude, NULL, NULL}, {"na", &input->read.na, NULL, NULL},
        {"skip", NULL, &input->read.skip, NULL},       {"memory", NULL, &input->read.memory, NULL},
        {"block", NULL, &input->block, NULL},          {"first", NULL, &input->first, NULL},
        {"count", NULL, &input->count, NULL},          {"pipe", NULL, NULL, &input->pipe},
        {"dataset", &input->read.dataset, NULL, NULL}, {"twice", NULL, NULL, &input->twice},
        {"salvage", NULL, NULL, &input->salvage},
    };
    if (equals)
        *equals = 0;
    if (strcmp(word, "threads") == 0)
        input->read.threads = *value == '2' ? 2 : *value == '3' ? 3 : 1;
    if (strcmp(word, "header") == 0)
        input->read.header = *value == '1' ? 1 : *value == '0' ? 0 : -1;
    if (strcmp(word, "delimiter") == 0)
        input->read.delimiter = *value == 't' ? '\t' : *value == 's' ? ' ' : *value;
    if (strcmp(word, "decimal") == 0)
        input->read.decimal = *value;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(word, known[i].name) != 0)
            continue;
        if (known[i].text)
            *known[i].text = value;
        else if (known[i].number)
            *known[i].number = strtoll(value, NULL, 10);
        else
            *known[i].flag = true;
    }
}

size_t fuzz_head_length(const uint8_t *data, size_t size)
{
    const size_t length = strlen(mark);
    const uint8_t *end = size < length || memcmp(data, mark, length) != 0 ? NULL : memchr(data, '\n', size);
    return end && end - data < FUZZ_HEAD ? (size_t)(end - data) + 1 : 0;
}

void fuzz_input_read(fuzz_input *input, const uint8_t *data, size_t size)
{
    const size_t length = fuzz_head_length(data, size);
    char *rest = NULL;
    *input = (fuzz_input){.read = SCREE_READ_OPTIONS_INIT, .file = data + length, .size = size - length};
    input->read.threads = 1;
    if (length == 0)
        return;
    memcpy(input->head, data, length - 1);
    for (char *word = strtok_r(input->head + strlen(mark), " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        take(input, word);
}

static void write_all(int to, const uint8_t *data, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(to, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return; /* a pipe that is full: what fitted is the input */
        data += written;
        size -= (size_t)written;
    }
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    fuzz_require(file >= 0 && ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0, "a file in memory can be made");
    write_all(file, data, size);
    return path;
}

static char named[] = "/tmp/scree-fuzz-XXXXXX";

static void remove_named(void)
{
    unlink(named);
}

const char *fuzz_file_named(const uint8_t *data, size_t size)
{
    static int file = -1;
    if (file < 0) {
        file = mkstemp(named);
        atexit(remove_named);
    }
    fuzz_require(file >= 0 && ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0, "a file can be made");
    write_all(file, data, size);
    return named;
}

void fuzz_standard_input(const uint8_t *data, size_t size)
{
    int ends[2];
    fuzz_require(pipe(ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0, "a pipe can be made");
    write_all(ends[1], data, size);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
}
