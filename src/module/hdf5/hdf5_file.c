/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening a file and finding things in it. A path is walked link by link: libhdf5 itself would follow external links
 * into other files, and soft links through them. A file that says nothing of memory may have one thing take 256 MiB and
 * sixteen times its size: what it announces need not be true. */

#include "module/hdf5/hdf5_file.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LINKS = 16, PATH_BYTES = 4096, MOST_WORD = 1 << 16, LEAST_LIMIT = 8 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static H5E_auto2_t printer; /* of the program's own errors, while the lock is held */
static void *printer_data;

scree_status scree__hdf5_fail(scree_error *error, scree_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (error) {
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, list);
    }
    va_end(list);
    return status;
}

void *scree__hdf5_alloc(int64_t count, int64_t size)
{
    int64_t bytes = 0;
    if (count < 0 || __builtin_mul_overflow(count, size, &bytes) || bytes > INT64_MAX / 2)
        return NULL;
    return calloc(1, bytes > 0 ? (size_t)bytes : 1);
}

char *scree__hdf5_copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void scree__hdf5_lock(void)
{
    pthread_mutex_lock(&lock);
    H5Eget_auto2(H5E_DEFAULT, &printer, &printer_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void scree__hdf5_unlock(void)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, printer, printer_data);
    pthread_mutex_unlock(&lock);
}

/* Called from the innermost error outwards; the first is kept. */
static herr_t take_reason(unsigned n, const H5E_error2_t *said, void *buffer)
{
    if (n == 0 && said->desc)
        snprintf(buffer, SCREE__HDF5_REASON, "%s", said->desc);
    return 0;
}

const char *scree__hdf5_reason(char buffer[SCREE__HDF5_REASON])
{
    snprintf(buffer, SCREE__HDF5_REASON, "libhdf5 gives no reason");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, buffer);
    return buffer;
}

scree_status scree__hdf5_open(scree__hdf5 *file, const char *path, int64_t memory, scree_error *error)
{
    scree_status status = SCREE_OK;
    char reason[SCREE__HDF5_REASON];
    struct stat about = {0};
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    *file = (scree__hdf5){.id = -1, .name = scree__hdf5_copy(path)};
    if (!file->name || how < 0)
        FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    H5Pset_file_locking(how, false, true); /* a file that is only read, perhaps where nothing can be locked */
    H5Pset_fclose_degree(how, H5F_CLOSE_STRONG);
    file->id = H5Fopen(path, H5F_ACC_RDONLY, how);
    if (file->id < 0)
        FAIL(error, SCREE_ERR_FORMAT, "%s: is damaged, or not HDF5 as this libhdf5 knows it (%s): write it again", path,
             scree__hdf5_reason(reason));
    file->limit = ((int64_t)256 << 20) + (stat(path, &about) == 0 ? 16 * (int64_t)about.st_size : 0);
    if (memory > 0)
        file->limit = memory > LEAST_LIMIT ? memory : LEAST_LIMIT;
done:
    H5Pclose(how);
    if (status != SCREE_OK)
        scree__hdf5_close(file);
    return status;
}

void scree__hdf5_close(scree__hdf5 *file)
{
    if (file->id > 0)
        H5Fclose(file->id);
    free(file->name);
    *file = (scree__hdf5){.id = -1};
}

scree_status scree__hdf5_within(const scree__hdf5 *file, int64_t count, int64_t size, const char *path,
                                const char *what, scree_error *error)
{
    int64_t bytes = 0;
    if (count >= 0 && !__builtin_mul_overflow(count, size, &bytes) && bytes <= file->limit / 2)
        return SCREE_OK;
    return scree__hdf5_fail(error, SCREE_ERR_LIMIT,
                            "%s: %s: %s takes %.3g MiB at once, which is too much for a limit of %.3g MiB; allow more "
                            "with --memory if the file is right, or write it in smaller chunks",
                            file->name, path, what, (double)count * (double)size / (1 << 20),
                            (double)file->limit / (1 << 20));
}

void scree__hdf5_release(hid_t id)
{
    if (id > 0)
        H5Idec_ref(id);
}

bool scree__hdf5_has(hid_t group, const char *name)
{
    return group > 0 && H5Lexists(group, name, H5P_DEFAULT) > 0;
}

/* A walk along a path: what is left of it, where it is, and how many soft links it took. */
typedef struct walk {
    const scree__hdf5 *file;
    const char *path; /* for messages */
    char rest[PATH_BYTES];
    hid_t at;
    int links;
} walk;

/* What a soft link says comes before the rest. */
static scree_status follow(walk *w, const char *name, size_t size, const char *rest, scree_error *error)
{
    scree_status status = SCREE_OK;
    char target[PATH_BYTES];
    char joined[PATH_BYTES];
    if (++w->links > MOST_LINKS)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %.300s: its soft links lead around in a circle: name the dataset itself",
             w->file->name, w->path);
    if (size >= sizeof target || H5Lget_val(w->at, name, target, sizeof target, H5P_DEFAULT) < 0)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %.300s: a soft link in it cannot be read: name the dataset itself",
             w->file->name, w->path);
    target[sizeof target - 1] = '\0';
    if ((size_t)snprintf(joined, sizeof joined, "%s/%s", target, rest) >= sizeof joined)
        FAIL(error, SCREE_ERR_FORMAT, "%s: %.300s: its soft links lead to too long a path: name the dataset itself",
             w->file->name, w->path);
    if (target[0] == '/') {
        scree__hdf5_release(w->at);
        w->at = H5Oopen(w->file->id, "/", H5P_DEFAULT);
    }
    memcpy(w->rest, joined, sizeof joined);
done:
    return status;
}

/* One name further; w->at becomes -1 where there is none. */
static scree_status step(walk *w, const char *name, const char *rest, scree_error *error)
{
    H5L_info_t info;
    hid_t next = -1;
    const bool there = H5Iget_type(w->at) == H5I_GROUP && scree__hdf5_has(w->at, name) &&
                       H5Lget_info(w->at, name, &info, H5P_DEFAULT) >= 0;
    if (there && info.type == H5L_TYPE_SOFT)
        return follow(w, name, info.u.val_size, rest, error);
    if (there && info.type != H5L_TYPE_HARD)
        return scree__hdf5_fail(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: %.300s: leads out of the file, by the link '%.100s', and is not followed: give the "
            "file that has it",
            w->file->name, w->path, name);
    if (there)
        next = H5Oopen(w->at, name, H5P_DEFAULT);
    scree__hdf5_release(w->at);
    w->at = next;
    char moved[PATH_BYTES];
    snprintf(moved, sizeof moved, "%s", rest);
    memcpy(w->rest, moved, sizeof moved);
    if (!there || next > 0)
        return SCREE_OK;
    return scree__hdf5_fail(error, SCREE_ERR_FORMAT,
                            "%s: %.300s: the object '%.100s' cannot be read: the file is damaged", w->file->name,
                            w->path, name);
}

scree_status scree__hdf5_find(hid_t *out, const scree__hdf5 *file, hid_t from, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    walk w = {.file = file, .path = path};
    char name[PATH_BYTES];
    *out = -1;
    if (strlen(path) >= sizeof w.rest)
        return SCREE_OK;
    snprintf(w.rest, sizeof w.rest, "%s", path);
    w.at = H5Oopen(from > 0 && path[0] != '/' ? from : file->id, from > 0 && path[0] != '/' ? "." : "/", H5P_DEFAULT);
    while (w.at > 0) {
        const char *begin = w.rest + strspn(w.rest, "/");
        const size_t length = strcspn(begin, "/");
        if (length == 0)
            break;
        memcpy(name, begin, length);
        name[length] = '\0';
        if (strcmp(name, ".") == 0)
            memmove(w.rest, begin + length, strlen(begin + length) + 1);
        else
            TRY(step(&w, name, begin + length, error));
    }
    *out = w.at;
    w.at = -1;
done:
    scree__hdf5_release(w.at);
    return status;
}

static scree_status find_kind(hid_t *out, const scree__hdf5 *file, hid_t from, const char *path, H5I_type_t kind,
                              scree_error *error)
{
    const scree_status status = scree__hdf5_find(out, file, from, path, error);
    if (*out > 0 && H5Iget_type(*out) != kind) {
        scree__hdf5_release(*out);
        *out = -1;
    }
    return status;
}

scree_status scree__hdf5_find_group(hid_t *out, const scree__hdf5 *file, hid_t from, const char *path,
                                    scree_error *error)
{
    return find_kind(out, file, from, path, H5I_GROUP, error);
}

scree_status scree__hdf5_find_dataset(hid_t *out, const scree__hdf5 *file, hid_t from, const char *path,
                                      scree_error *error)
{
    return find_kind(out, file, from, path, H5I_DATASET, error);
}

/* ---- attributes ---- */

static bool read_word(hid_t attribute, hid_t type, char word[SCREE__HDF5_WORD])
{
    const size_t size = H5Tget_size(type);
    bool done = false;
    if (H5Tis_variable_str(type) > 0) {
        char *text = NULL;
        const hid_t memory = H5Tcopy(H5T_C_S1);
        H5Tset_size(memory, H5T_VARIABLE);
        H5Tset_cset(memory, H5Tget_cset(type));
        done = H5Aread(attribute, memory, &text) >= 0 && text && strlen(text) < SCREE__HDF5_WORD;
        if (done)
            snprintf(word, SCREE__HDF5_WORD, "%s", text);
        if (text)
            H5free_memory(text);
        H5Tclose(memory);
    } else if (size > 0 && size < SCREE__HDF5_WORD) {
        char text[SCREE__HDF5_WORD] = "";
        done = H5Aread(attribute, type, text) >= 0;
        text[size] = '\0';
        snprintf(word, SCREE__HDF5_WORD, "%s", text);
    }
    return done;
}

/* An attribute whose value is a text, or count numbers. */
static hid_t open_attribute(hid_t object, const char *name, H5T_class_t class, int64_t count)
{
    if (object <= 0 || H5Aexists(object, name) <= 0)
        return -1;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = attribute > 0 ? H5Aget_type(attribute) : -1;
    const hid_t space = attribute > 0 ? H5Aget_space(attribute) : -1;
    const bool fits = type > 0 && space > 0 && H5Tget_class(type) == class &&
                      H5Sget_simple_extent_npoints(space) == count && H5Aget_storage_size(attribute) <= MOST_WORD;
    scree__hdf5_release(type);
    scree__hdf5_release(space);
    if (fits)
        return attribute;
    scree__hdf5_release(attribute);
    return -1;
}

bool scree__hdf5_word(hid_t object, const char *attribute, char word[SCREE__HDF5_WORD])
{
    const hid_t id = open_attribute(object, attribute, H5T_STRING, 1);
    const hid_t type = id > 0 ? H5Aget_type(id) : -1;
    word[0] = '\0';
    const bool done = type > 0 && read_word(id, type, word);
    scree__hdf5_release(type);
    scree__hdf5_release(id);
    return done;
}

bool scree__hdf5_pair(hid_t object, const char *attribute, int64_t pair[2])
{
    const hid_t id = open_attribute(object, attribute, H5T_INTEGER, 2);
    const bool done = id > 0 && H5Aread(id, H5T_NATIVE_INT64, pair) >= 0;
    scree__hdf5_release(id);
    return done;
}
