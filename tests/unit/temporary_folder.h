/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_TEMPORARY_FOLDER_H
#define SCREE_TESTS_TEMPORARY_FOLDER_H

/* A folder of a test's own, and files in it. Include after cmocka.h. */

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static inline int folder_make(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/scree-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* Counts what is in the folder; removes it when asked to. */
static inline int folder_walk(int remove_files)
{
    int count = 0;
    char path[512];
    DIR *handle = opendir(folder);
    struct dirent *entry;
    while (handle && (entry = readdir(handle)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (remove_files)
            remove(path);
    }
    if (handle)
        closedir(handle);
    return count;
}

static inline int folder_remove(void **state)
{
    (void)state;
    folder_walk(1);
    return rmdir(folder);
}

/* The path of a file in the folder; good until the fourth call after it. */
static inline const char *folder_path(const char *name)
{
    static char paths[4][512];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

static inline const char *file_write(const char *name, const void *data, size_t size)
{
    const char *path = folder_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (size > 0)
        assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Everything in a file, to be freed, with a zero after it. */
static inline unsigned char *file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = calloc(*size + 1, 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

#endif
