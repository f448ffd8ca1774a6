/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a model file, read one by one: each is checked to be there, of the type, size and range that is
 * expected, before anything is made of it. O(the field). */

#include "model/fields.h"

#include "base/memory.h"
#include "base/number.h"
#include "model/json_parse.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

scree_status scree__field_integer(const scree__safetensors *file, const char *key, int64_t low, int64_t *value,
                                  scree_error *error)
{
    const char *text = scree__safetensors_text(file, key);
    char *end = NULL;
    errno = 0;
    long long number = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end || errno == ERANGE || number < low)
        return scree__safetensors_refuse(file, error, "'%s' is '%.40s', a whole number from %" PRId64 " is expected",
                                         key, text ? text : "missing", low);
    *value = number;
    return SCREE_OK;
}

scree_status scree__field_int(const scree__safetensors *file, const char *key, int *value, scree_error *error)
{
    int64_t number = 0;
    scree_status status = scree__field_integer(file, key, 0, &number, error);
    if (status == SCREE_OK && number > INT_MAX)
        return scree__safetensors_refuse(file, error, "'%s' is %" PRId64, key, number);
    *value = (int)number;
    return status;
}

scree_status scree__field_flag(const scree__safetensors *file, const char *key, bool *value, scree_error *error)
{
    const char *text = scree__safetensors_text(file, key);
    *value = text && strcmp(text, "true") == 0;
    if (!*value && (!text || strcmp(text, "false") != 0))
        return scree__safetensors_refuse(file, error, "'%s' is neither true nor false", key);
    return SCREE_OK;
}

scree_status scree__field_number(const scree__safetensors *file, const char *key, double low, double *value,
                                 scree_error *error)
{
    const char *text = scree__safetensors_text(file, key);
    const char *end = text ? text + strlen(text) : NULL;
    if (!text || scree__parse_double(text, end, value) != end || !isfinite(*value) || *value < low)
        return scree__safetensors_refuse(file, error, "'%s' is '%.40s', a number is expected", key,
                                         text ? text : "missing");
    return SCREE_OK;
}

const void *scree__field_tensor(const scree__safetensors *file, const char *name, scree__dtype dtype, int64_t rows,
                                int64_t cols, scree_error *error)
{
    const scree__tensor *tensor = scree__safetensors_tensor(file, name);
    bool fine = tensor && tensor->dtype == dtype;
    if (fine && rows > 0)
        fine = tensor->rank == 2 && tensor->shape[0] == rows && tensor->shape[1] == cols;
    else if (fine)
        fine = tensor->rank == 1 && tensor->shape[0] == cols;
    if (!fine)
        scree__safetensors_refuse(file, error, "'%s' is missing or of the wrong type or shape", name);
    return fine ? tensor->data : NULL;
}

scree_status scree__field_matrix(const scree__safetensors *file, const char *name, int64_t rows, int64_t cols,
                                 double low, double *out, scree_error *error)
{
    const void *data = scree__field_tensor(file, name, SCREE__DTYPE_F64, rows, cols, error);
    const int64_t count = (rows > 0 ? rows : 1) * cols;
    if (!data)
        return SCREE_ERR_MODEL;
    memcpy(out, data, (size_t)count * sizeof *out);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(out[i]) || out[i] < low)
            return scree__safetensors_refuse(file, error, "entry %" PRId64 " of '%s' is %g", i + 1, name, out[i]);
    return SCREE_OK;
}

scree_status scree__field_reals(const scree__safetensors *file, const char *name, int64_t count, double low,
                                double *out, scree_error *error)
{
    return scree__field_matrix(file, name, 0, count, low, out, error);
}

scree_status scree__field_floats(const scree__safetensors *file, const char *name, int64_t rows, int64_t cols,
                                 float *out, scree_error *error)
{
    const void *data = scree__field_tensor(file, name, SCREE__DTYPE_F32, rows, cols, error);
    const int64_t count = (rows > 0 ? rows : 1) * cols;
    if (!data)
        return SCREE_ERR_MODEL;
    memcpy(out, data, (size_t)count * sizeof *out);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(out[i]))
            return scree__safetensors_refuse(file, error, "entry %" PRId64 " of '%s' is %g", i + 1, name,
                                             (double)out[i]);
    return SCREE_OK;
}

scree_status scree__field_columns(const scree__safetensors *file, int64_t d, cJSON **array, const char ***names,
                                  scree_error *error)
{
    const char *text = scree__safetensors_text(file, "columns");
    const cJSON *item = NULL;
    int64_t count = 0;
    if (!text)
        return SCREE_OK;
    const scree_status status = scree__json_parse(array, text, strlen(text), NULL, file->path, error);
    if (status != SCREE_OK)
        return status;
    if (!cJSON_IsArray(*array) || cJSON_GetArraySize(*array) != d)
        return scree__safetensors_refuse(file, error, "there are not %" PRId64 " names of columns", d);
    *names = scree__alloc(d, sizeof **names);
    if (!*names)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for %" PRId64 " names; free some and load again",
                           file->path, d);
    cJSON_ArrayForEach(item, *array)
    {
        if (!cJSON_IsString(item))
            return scree__safetensors_refuse(file, error, "the name of column %" PRId64 " is not text", count + 1);
        (*names)[count++] = item->valuestring;
    }
    return SCREE_OK;
}
