/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the embedded data to files, so that the demo reads it like any other data and the user can continue with it.
 * Each file is written under a temporary name and then renamed; a signal waits until that is done. */

#include "demo_files.h"
#include "cli.h"
#include "embedded.h"
#include "signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static scree_status fail(scree_error *error, const char *path, const char *what, const char *remedy)
{
    error->status = SCREE_ERR_IO;
    snprintf(error->text, sizeof error->text, "%s: %s (%s); %s", path, what, strerror(errno), remedy);
    return SCREE_ERR_IO;
}

char *cli_demo_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = cli_alloc(size, 1);
    const bool slash = *folder && folder[strlen(folder) - 1] == '/';
    snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
    return path;
}

static bool write_bytes(const char *path, const embedded_file *file)
{
    FILE *stream = fopen(path, "wb");
    if (!stream)
        return false;
    const bool written = fwrite(file->data, 1, file->size, stream) == file->size;
    return fclose(stream) == 0 && written;
}

scree_status cli_demo_unpack(const char *part, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    const size_t size = strlen(path) + sizeof ".part";
    char *unfinished = cli_alloc(size, 1);
    const embedded_file *file = embedded_files;
    while (file->name && !strstr(file->name, part))
        file++;
    snprintf(unfinished, size, "%s.part", path);
    cli_signals_listen(true);
    if (!write_bytes(unfinished, file) || rename(unfinished, path) != 0) {
        status = fail(error, path, "cannot be written", "free some space, or choose another folder with -o");
        remove(unfinished);
    }
    cli_signals_listen(false);
    free(unfinished);
    return status;
}

scree_status cli_demo_folder(const char *folder, scree_error *error)
{
    struct stat about;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &about) == 0 && S_ISDIR(about.st_mode)))
        return SCREE_OK;
    return fail(error, folder, "cannot create this folder", "choose another one with -o");
}
