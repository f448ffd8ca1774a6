/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a safetensors file, trusting nothing.
 *
 * The first bytes tell whether this is such a file at all, before the rest is read. Then every length, offset and shape
 * is checked against the size of the file before it is used: arrays follow each other in the order of the header
 * without gap or overlap and end where the file ends; no key stands twice; header, rank and counts are bounded. */

#include "model/safetensors.h"

#include "base/budget.h"
#include "base/file_calls.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/json_parse.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_LIMIT = 100000000, PREFIX = 8, FIRST_READ = 1 << 16, ITEM_BYTES = 160 };

void scree__safetensors_clear(scree__safetensors *file)
{
    cJSON_Delete(file->header);
    free(file->owned);
    free(file->path);
    memset(file, 0, sizeof *file);
}

scree_status scree__safetensors_refuse(const scree__safetensors *file, scree_error *error, const char *what, ...)
{
    char detail[512];
    va_list arguments;
    va_start(arguments, what);
    scree__format_list(detail, sizeof detail, what, arguments);
    va_end(arguments);
    return scree__fail(error, SCREE_ERR_MODEL, "%s: the %s file is damaged: %s; take a copy of it or fit again",
                       file->path, file->noun, detail);
}

/* Up to size bytes more, into a buffer that holds them. */
static scree_status read_more(scree__safetensors *file, int fd, int64_t size, int64_t *got, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char *larger = realloc(file->owned, (size_t)(file->size + size));
    if (!larger)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory after %" PRId64 " bytes; free some and load again",
                   file->path, file->size);
    file->owned = larger;
    file->bytes = larger;
    *got = 0;
    for (int64_t count = 1; count > 0 && *got < size; *got += count) {
        count = scree__call_read(fd, file->owned + file->size + *got, size - *got);
        if (count < 0)
            SCREE_FAIL(error, SCREE_ERR_IO, "%s: cannot be read at byte %" PRId64 " (%s): check the disk", file->path,
                       file->size + *got, strerror(errno));
    }
    file->size += *got;
done:
    return status;
}

/* The length that the first bytes claim for the header; a text or an image fails here. */
static scree_status check_start(scree__safetensors *file, scree_error *error)
{
    uint64_t length = 0;
    if (file->size > PREFIX)
        memcpy(&length, file->bytes, PREFIX);
    if (file->size <= PREFIX || file->bytes[PREFIX] != '{' || length > HEADER_LIMIT)
        return scree__fail(error, SCREE_ERR_MODEL,
                           "%s: this is not a scree %s; give a file that 'scree fit DATA %s' has written", file->path,
                           file->noun, strcmp(file->noun, "model") == 0 ? "-o MODEL" : "--state STATE");
    file->header_size = (int64_t)length;
    return SCREE_OK;
}

static scree_status read_all(scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool piped = strcmp(file->path, "-") == 0;
    const int fd = piped ? STDIN_FILENO : scree__call_open(file->path, O_RDONLY | O_CLOEXEC, 0);
    int64_t got = 0;
    if (fd < 0)
        SCREE_TRY(scree__fail_open(file->path, errno, error));
    SCREE_TRY(read_more(file, fd, FIRST_READ, &got, error));
    SCREE_TRY(check_start(file, error));
    for (int64_t step = FIRST_READ; got == step;) {
        step = file->size; /* twice as much each time */
        SCREE_TRY(read_more(file, fd, step, &got, error));
    }
done:
    if (fd >= 0 && !piped)
        close(fd);
    return status;
}

/* An object whose keys are all different and not too many. */
static bool is_plain_object(const cJSON *object, int limit)
{
    const cJSON *item = NULL;
    if (!cJSON_IsObject(object) || cJSON_GetArraySize(object) > limit)
        return false;
    cJSON_ArrayForEach(item, object) if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item) return false;
    return true;
}

/* Integers of JSON are doubles: exact up to 2⁵³. */
static bool get_integer(const cJSON *number, int64_t *value)
{
    const double limit = 9007199254740992.0;
    if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0.0 && number->valuedouble <= limit))
        return false;
    *value = (int64_t)number->valuedouble;
    return (double)*value == number->valuedouble;
}

static bool get_texts(const cJSON *metadata, scree__contents *contents)
{
    const cJSON *item = NULL;
    if (!is_plain_object(metadata, SCREE__MAX_TEXTS))
        return false;
    cJSON_ArrayForEach(item, metadata)
    {
        if (!cJSON_IsString(item))
            return false;
        contents->texts[contents->text_count++] = (scree__text){item->string, item->valuestring};
    }
    return true;
}

static bool get_dtype(const cJSON *item, scree__dtype *dtype)
{
    static const scree__dtype known[] = {SCREE__DTYPE_F64, SCREE__DTYPE_F32, SCREE__DTYPE_I64, SCREE__DTYPE_U8};
    for (size_t i = 0; cJSON_IsString(item) && i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(item->valuestring, scree__dtype_name(known[i])) == 0) {
            *dtype = known[i];
            return true;
        }
    }
    return false;
}

/* The entry of one tensor, whose bytes must begin at *offset of the data; moves *offset to their end. */
static bool get_tensor(const cJSON *entry, scree__tensor *tensor, int64_t *offset)
{
    const cJSON *shape = cJSON_GetObjectItemCaseSensitive(entry, "shape");
    const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(entry, "data_offsets");
    int64_t begin;
    int64_t end;
    tensor->name = entry->string;
    if (!is_plain_object(entry, 3) || !get_dtype(cJSON_GetObjectItemCaseSensitive(entry, "dtype"), &tensor->dtype) ||
        !cJSON_IsArray(shape) || cJSON_GetArraySize(shape) > SCREE__MAX_RANK || !cJSON_IsArray(offsets) ||
        cJSON_GetArraySize(offsets) != 2)
        return false;
    tensor->rank = cJSON_GetArraySize(shape);
    for (int i = 0; i < tensor->rank; i++)
        if (!get_integer(cJSON_GetArrayItem(shape, i), &tensor->shape[i]))
            return false;
    if (!get_integer(cJSON_GetArrayItem(offsets, 0), &begin) || !get_integer(cJSON_GetArrayItem(offsets, 1), &end) ||
        begin != *offset || end < begin || end - begin != scree__tensor_bytes(tensor))
        return false;
    *offset = end;
    return true;
}

static scree_status get_contents(scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__contents *contents = &file->contents;
    const unsigned char *data = file->bytes + PREFIX + file->header_size;
    int64_t data_size = file->size - PREFIX - file->header_size;
    int64_t offset = 0;
    const cJSON *item = NULL;
    if (!is_plain_object(file->header, SCREE__MAX_TENSORS + 1) ||
        !get_texts(cJSON_GetObjectItemCaseSensitive(file->header, "__metadata__"), contents))
        SCREE_FAIL(error, SCREE_ERR_MODEL, "%s: this file has no %s's header; give one that 'scree fit' has written",
                   file->path, file->noun);
    cJSON_ArrayForEach(item, file->header)
    {
        int64_t begin = offset;
        if (strcmp(item->string, "__metadata__") == 0)
            continue;
        if (contents->tensor_count == SCREE__MAX_TENSORS ||
            !get_tensor(item, &contents->tensors[contents->tensor_count], &offset))
            SCREE_TRY(scree__safetensors_refuse(file, error, "the entry of '%.100s' makes no sense", item->string));
        if (offset > data_size)
            break;
        contents->tensors[contents->tensor_count++].data = data + begin;
    }
    if (offset > data_size)
        SCREE_TRY(scree__safetensors_refuse(file, error, "it is cut short in '%.100s'", item->string));
    if (offset < data_size)
        SCREE_TRY(scree__safetensors_refuse(file, error, "it goes on after the last array, by bytes: %" PRId64,
                                            data_size - offset));
done:
    return status;
}

/* An item of JSON takes many times its bytes of text, and twice where it is text itself, as names of columns are. */
static scree_status check_header(const scree__safetensors *file, const char *text, scree_error *error)
{
    scree__budget budget = {.seen = file->size};
    int64_t items = 1;
    for (int64_t i = 0; i < file->header_size; i++)
        items += text[i] == ',' || text[i] == '[' || text[i] == '{';
    return scree__budget_take(&budget, 2 * file->header_size + ITEM_BYTES * items, file->path,
                              "the names in its header", error);
}

/* What the bytes hold, once they are there. */
static scree_status parse(scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *end = NULL;
    if (file->size - PREFIX < file->header_size)
        SCREE_FAIL(error, SCREE_ERR_MODEL,
                   "%s: the %s file is cut short: its header alone has %" PRId64 " bytes, the file %" PRId64
                   "; take a copy of it or fit again",
                   file->path, file->noun, file->header_size, file->size);
    const char *text = (const char *)file->bytes + PREFIX;
    SCREE_TRY(check_header(file, text, error));
    if (scree__utf8_valid(text, (size_t)file->header_size) < (size_t)file->header_size)
        SCREE_TRY(scree__safetensors_refuse(file, error, "its header is not UTF-8"));
    SCREE_TRY(scree__json_parse(&file->header, text, (size_t)file->header_size, &end, file->path, error));
    while (file->header && end < text + file->header_size && *end == ' ')
        end++;
    if (!file->header || end != text + file->header_size)
        SCREE_TRY(scree__safetensors_refuse(file, error, "its header is not JSON"));
    SCREE_TRY(get_contents(file, error));
done:
    return status;
}

static scree_status begin(scree__safetensors *file, const char *name, scree_error *error)
{
    const char *noun = file->noun ? file->noun : "model";
    memset(file, 0, sizeof *file);
    file->noun = noun;
    file->path = scree__strdup(name);
    if (!file->path)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory while the %s was opened; free some and load again",
                           noun);
    return SCREE_OK;
}

scree_status scree__safetensors_read(scree__safetensors *file, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(begin(file, path, error));
    SCREE_TRY(read_all(file, error));
    SCREE_TRY(parse(file, error));
done:
    return status;
}

scree_status scree__safetensors_unpack(scree__safetensors *file, const void *data, size_t bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    char name[64];
    snprintf(name, sizeof name, "the %s in memory", file->noun ? file->noun : "model");
    SCREE_TRY(begin(file, name, error));
    if (!data || bytes > INT64_MAX)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "there is no %s at the address given", file->noun);
    file->bytes = data;
    file->size = (int64_t)bytes;
    SCREE_TRY(check_start(file, error));
    SCREE_TRY(parse(file, error));
done:
    return status;
}

scree_status scree__safetensors_verify(const scree__safetensors *file, scree_error *error)
{
    const char *header = (const char *)file->bytes + PREFIX;
    const char *place = scree__checksum_find(header, file->header_size);
    char digits[9];
    if (!place)
        return scree__safetensors_refuse(file, error, "it has no checksum");
    uint32_t crc = scree__crc_begin(file->bytes, header, file->header_size, place);
    crc = scree__crc_more(crc, header + file->header_size, file->size - PREFIX - file->header_size);
    snprintf(digits, sizeof digits, "%08" PRIx32, crc);
    if (memcmp(place, digits, 8) != 0)
        return scree__safetensors_refuse(file, error, "its checksum is %s where %.8s was written", digits, place);
    return SCREE_OK;
}

const char *scree__safetensors_text(const scree__safetensors *file, const char *key)
{
    for (int64_t i = 0; i < file->contents.text_count; i++)
        if (strcmp(file->contents.texts[i].key, key) == 0)
            return file->contents.texts[i].value;
    return NULL;
}

const scree__tensor *scree__safetensors_tensor(const scree__safetensors *file, const char *name)
{
    for (int64_t i = 0; i < file->contents.tensor_count; i++)
        if (strcmp(file->contents.tensors[i].name, name) == 0)
            return &file->contents.tensors[i];
    return NULL;
}
