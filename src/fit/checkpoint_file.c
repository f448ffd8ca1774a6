/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a checkpoint, in the numbers of the machine that made it:
 *
 *     "scree checkpoint"   16 bytes
 *     1                    int64: the version of this layout; on a machine with another order of bytes another number
 *     length, crc          int64 both: of the identity
 *     identity             lines "what: which": everything that the bits of the fit depend on
 *     items                each 32 bytes: name, int64 bytes, uint32 open, uint32 crc of the bytes; then the bytes
 *     an item named "end"  without bytes, with which the file ends
 *
 * The file is written whole and then takes its name (base/atomic_file.h), so that under its name there is never a part
 * of one. All of it is checked before anything is used. */

#include "fit/checkpoint_file.h"

#include "base/file_calls.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER = 1 << 16, LONGEST_IDENTITY = 1 << 20 };
static const char MAGIC[] = "scree checkpoint"; /* 16 letters are written */
static const char END[] = "end";

typedef struct head {
    char magic[16];
    int64_t version;
    int64_t length;
    int64_t crc;
} head;

uint32_t scree__checkpoint_crc(uint32_t crc, const void *data, int64_t bytes)
{
    return (uint32_t)crc32_z(crc, data, (size_t)bytes);
}

scree_status scree__checkpoint_broken(const char *path, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: is no checkpoint, or a damaged one; remove it, and the fit starts anew", path);
}

scree_status scree__checkpoint_fetch(const scree__checkpoint_reader *r, int64_t offset, void *to, int64_t bytes,
                                     scree_error *error)
{
    for (int64_t done = 0; done < bytes;) {
        const int64_t got = scree__call_pread(r->fd, (char *)to + done, bytes - done, offset + done);
        if (got < 0)
            return scree__fail(error, SCREE_ERR_IO, "%s: cannot be read: %s", r->path, strerror(errno));
        if (got == 0)
            return scree__checkpoint_broken(r->path, error);
        done += got;
    }
    return SCREE_OK;
}

/* The crc of so many bytes from offset on. */
static scree_status crc_of(const scree__checkpoint_reader *r, int64_t offset, int64_t bytes, uint32_t *crc,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    char *buffer = NULL;
    SCREE_ALLOC(buffer, BUFFER, error);
    *crc = 0;
    for (int64_t done = 0; done < bytes; done += BUFFER) {
        const int64_t count = bytes - done < BUFFER ? bytes - done : BUFFER;
        SCREE_TRY(scree__checkpoint_fetch(r, offset + done, buffer, count, error));
        *crc = scree__checkpoint_crc(*crc, buffer, count);
    }
done:
    free(buffer);
    return status;
}

/* The first line in which two identities differ. */
static scree_status refuse(const char *path, const char *was, const char *is, scree_error *error)
{
    while (*was && *is) {
        const size_t old = strcspn(was, "\n");
        const size_t new = strcspn(is, "\n");
        if (old != new || strncmp(was, is, old) != 0) {
            const size_t what = strcspn(was, ":\n");
            const bool same = strcspn(is, ":\n") == what && strncmp(was, is, what) == 0;
            const size_t skip = what + 2 < old ? what + 2 : old;
            if (!same)
                break;
            return scree__fail(
                error, SCREE_ERR_ARGUMENT,
                "%s: is the checkpoint of a fit with other %.*s (%.*s; now %.*s); run that fit again, or "
                "remove the file to start anew",
                path, (int)what, was, (int)(old - skip), was + skip, (int)(new - skip), is + skip);
        }
        was += old + (was[old] == '\n');
        is += new + (is[new] == '\n');
    }
    return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: is the checkpoint of another fit; remove it to start anew",
                       path);
}

static scree_status check_identity(scree__checkpoint_reader *r, const char *identity, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    head h;
    char *was = NULL;
    if (size < (int64_t)sizeof h)
        SCREE_TRY(scree__checkpoint_broken(r->path, error));
    SCREE_TRY(scree__checkpoint_fetch(r, 0, &h, sizeof h, error));
    if (memcmp(h.magic, MAGIC, sizeof h.magic) != 0)
        SCREE_TRY(scree__checkpoint_broken(r->path, error));
    if (h.version != 1)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is a checkpoint of another version of scree, or of another kind of machine; remove it, and the "
                   "fit starts anew",
                   r->path);
    if (h.length < 0 || h.length > LONGEST_IDENTITY || h.length > size - (int64_t)sizeof h)
        SCREE_TRY(scree__checkpoint_broken(r->path, error));
    SCREE_ALLOC(was, h.length + 1, error);
    SCREE_TRY(scree__checkpoint_fetch(r, sizeof h, was, h.length, error));
    if ((int64_t)scree__checkpoint_crc(0, was, h.length) != h.crc || (int64_t)strlen(was) != h.length)
        SCREE_TRY(scree__checkpoint_broken(r->path, error));
    if (strcmp(was, identity) != 0)
        SCREE_TRY(refuse(r->path, was, identity, error));
    r->at = (int64_t)sizeof h + h.length;
done:
    free(was);
    return status;
}

/* All items, to the one that ends them. */
static scree_status check_items(scree__checkpoint_reader *r, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t at = r->at;;) {
        scree__checkpoint_item item;
        uint32_t crc = 0;
        if (size - at < (int64_t)sizeof item)
            SCREE_TRY(scree__checkpoint_broken(r->path, error));
        SCREE_TRY(scree__checkpoint_fetch(r, at, &item, sizeof item, error));
        r->end = at;
        at += (int64_t)sizeof item;
        if (!memchr(item.name, '\0', sizeof item.name) || item.bytes < 0 || item.bytes > size - at || item.open > 1)
            SCREE_TRY(scree__checkpoint_broken(r->path, error));
        SCREE_TRY(crc_of(r, at, item.bytes, &crc, error));
        if (crc != item.crc)
            SCREE_TRY(scree__checkpoint_broken(r->path, error));
        at += item.bytes;
        if (strcmp(item.name, END) != 0)
            continue;
        if (at != size)
            SCREE_TRY(scree__checkpoint_broken(r->path, error));
        break;
    }
done:
    return status;
}

scree_status scree__checkpoint_read(scree__checkpoint_reader *r, const char *path, const char *identity,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    struct stat about;
    *r = (scree__checkpoint_reader){.path = path, .fd = scree__call_open(path, O_RDONLY | O_CLOEXEC, 0)};
    if (r->fd < 0) {
        r->fd = SCREE__CHECKPOINT_NONE;
        return errno == ENOENT ? SCREE_OK : scree__fail_open(path, errno, error);
    }
    if (fstat(r->fd, &about) != 0 || !S_ISREG(about.st_mode))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: a checkpoint is a file; name another place for it", path);
    SCREE_TRY(check_identity(r, identity, about.st_size, error));
    SCREE_TRY(check_items(r, about.st_size, error));
done:
    if (status != SCREE_OK)
        scree__checkpoint_read_close(r);
    return status;
}

void scree__checkpoint_read_close(scree__checkpoint_reader *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = SCREE__CHECKPOINT_NONE;
}

bool scree__checkpoint_peek(const scree__checkpoint_reader *r, scree__checkpoint_item *item)
{
    return r->fd >= 0 && r->at < r->end && scree__checkpoint_fetch(r, r->at, item, sizeof *item, NULL) == SCREE_OK;
}

scree_status scree__checkpoint_head(scree__atomic_file *file, const char *identity, int64_t *size, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t length = (int64_t)strlen(identity);
    head h = {.version = 1, .length = length, .crc = scree__checkpoint_crc(0, identity, length)};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    SCREE_TRY(scree__atomic_write(file, &h, sizeof h, error));
    SCREE_TRY(scree__atomic_write(file, identity, length, error));
    *size = (int64_t)sizeof h + length;
done:
    return status;
}

scree_status scree__checkpoint_foot(scree__atomic_file *file, scree_error *error)
{
    scree__checkpoint_item item = {.bytes = 0};
    memcpy(item.name, END, sizeof END);
    return scree__atomic_write(file, &item, sizeof item, error);
}
