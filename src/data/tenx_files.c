/* SPDX-License-Identifier: BSD-3-Clause */
/* The three files of a folder, by the names that both generations of Cell Ranger give them, compressed or not. Where
 * one is missing, the sentence says which; and where their names have something in front, as files of public archives
 * have, it says what to do about that. */

#include "data/tenx.h"

#include "base/file_calls.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *const matrix_names[] = {"matrix.mtx.gz", "matrix.mtx", NULL};
static const char *const feature_names[] = {"features.tsv.gz", "features.tsv", "genes.tsv.gz", "genes.tsv", NULL};
static const char *const barcode_names[] = {"barcodes.tsv.gz", "barcodes.tsv", NULL};

/* What a path is; *is_there is false where there is nothing, and all else that stops a look is an error. */
static scree_status look(struct stat *about, bool *is_there, const char *path, scree_error *error)
{
    *is_there = stat(path, about) == 0;
    return *is_there || errno == ENOENT || errno == ENOTDIR ? SCREE_OK : scree__fail_open(path, errno, error);
}

scree_status scree__folder_look(bool *is_folder, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about;
    *is_folder = false;
    if (!path || !*path || strcmp(path, "-") == 0)
        return SCREE_OK;
    SCREE_TRY(look(&about, is_folder, path, error));
    *is_folder = *is_folder && S_ISDIR(about.st_mode);
done:
    return status;
}

/* FOLDER/NAME, the caller's to free; NULL: out of memory. */
static char *path_in(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    const bool slash = *folder && folder[strlen(folder) - 1] == '/';
    if (path)
        snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
    return path;
}

/* The first of the names that a file has, or NULL; *two: another has one as well. */
static scree_status find_one(char **out, const char *folder, const char *const *names, scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about;
    const char *found = NULL;
    char *path = NULL;
    bool is_there = false;
    for (int i = 0; names[i]; i++) {
        path = path_in(folder, names[i]);
        if (!path)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", folder);
        SCREE_TRY(look(&about, &is_there, path, error));
        is_there = is_there && !S_ISDIR(about.st_mode);
        if (is_there && *out)
            SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: there is a %s and a %s; take one of them away", folder, found,
                       names[i]);
        found = is_there ? names[i] : found;
        if (is_there)
            *out = path;
        else
            free(path);
        path = NULL;
    }
done:
    free(path);
    return status;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t size = strlen(name);
    return size > strlen(end) && strcmp(name + size - strlen(end), end) == 0;
}

/* A file of the folder whose name ends like a matrix, and more stands in front; its name goes to text. */
static bool find_prefixed(const char *folder, char *text, size_t size)
{
    bool found = false;
    DIR *files = opendir(folder);
    for (struct dirent *file; files && !found && (file = readdir(files));)
        for (int i = 0; matrix_names[i] && !found; i++) {
            found = ends_with(file->d_name, matrix_names[i]);
            if (found)
                snprintf(text, size, "%.200s", file->d_name);
        }
    if (files)
        closedir(files);
    return found;
}

static scree_status fail_missing(const char *folder, const char *what, const char *const *names, bool others,
                                 scree_error *error)
{
    char name[256];
    if (others)
        return scree__fail(error, SCREE_ERR_IO,
                           "%s: there is a %s, but no %s, with or without .gz; copy the folder again", folder, what,
                           names[1]);
    if (find_prefixed(folder, name, sizeof name))
        return scree__fail(error, SCREE_ERR_IO,
                           "%s: is a folder of files such as '%s'; give each sample a folder of its own, with files "
                           "called matrix.mtx, features.tsv and barcodes.tsv, with or without .gz",
                           folder, name);
    return scree__fail(error, SCREE_ERR_IO,
                       "%s: is a folder, and not one of 10x counts, which has a matrix.mtx, a features.tsv or "
                       "genes.tsv and a barcodes.tsv, with or without .gz; give the name of a file in it",
                       folder);
}

scree_status scree__tenx_find(scree__tenx_files *files, const char *folder, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(find_one(&files->matrix, folder, matrix_names, error));
    SCREE_TRY(find_one(&files->features, folder, feature_names, error));
    SCREE_TRY(find_one(&files->barcodes, folder, barcode_names, error));
    const char *there = files->matrix ? "matrix.mtx" : "barcodes.tsv";
    const bool any = files->matrix || (files->features && files->barcodes);
    if (!files->matrix)
        SCREE_TRY(fail_missing(folder, there, matrix_names, any, error));
    if (!files->features)
        SCREE_TRY(fail_missing(folder, there, feature_names, true, error));
    if (!files->barcodes)
        SCREE_TRY(fail_missing(folder, there, barcode_names, true, error));
done:
    return status;
}

bool scree__tenx_beside(const char *matrix)
{
    struct stat about;
    bool found = false;
    const char *slash = strrchr(matrix, '/');
    const char *name = slash ? slash + 1 : matrix;
    for (int i = 0; matrix_names[i]; i++)
        found = found || strcmp(name, matrix_names[i]) == 0;
    char *folder = found ? scree__strdup(slash ? matrix : ".") : NULL;
    if (folder && slash)
        folder[slash - matrix + 1] = 0;
    found = false;
    for (int i = 0; folder && barcode_names[i] && !found; i++) {
        char *path = path_in(folder, barcode_names[i]);
        found = path && stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
        free(path);
    }
    free(folder);
    return found;
}

void scree__tenx_files_clear(scree__tenx_files *files)
{
    free(files->matrix);
    free(files->features);
    free(files->barcodes);
    *files = (scree__tenx_files){0};
}
