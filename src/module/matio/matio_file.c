/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening MAT files (versions 4, 5, 7, and 7.3 where the library has HDF5), and finding a variable: one that is a
 * matrix of real numbers, dense or sparse. What else there is, cells, structs, texts, complex numbers and arrays of
 * more dimensions, is listed and passed over. */

#include "module/matio/matio_file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

scree_status mat_fail(scree_error *error, scree_status status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (error) {
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, values);
    }
    va_end(values);
    return status;
}

static void say_nothing(int level, char *message)
{
    (void)level, (void)message;
}

static uint32_t number_at(const unsigned char *at, bool big)
{
    return big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* Bytes of the variable of version 4 that a head of 20 bytes is about; less than 20: it is no such head. */
static int64_t size_of_old(const unsigned char *head)
{
    static const int sizes[] = {8, 4, 4, 2, 2, 1};
    const uint32_t kind = number_at(head, false);
    const bool big = kind > 4052; /* MOPT: machine, 0, precision, text or sparse */
    const uint32_t known = big ? number_at(head, true) : kind;
    const int64_t rows = number_at(head + 4, big);
    const int64_t cols = number_at(head + 8, big);
    const uint32_t precision = known / 10 % 10;
    int64_t cells = 0;
    if (known > 4052 || precision > 5 || __builtin_mul_overflow(rows, cols, &cells) || cells > INT64_MAX / 32)
        return 0;
    return 20 + number_at(head + 16, big) + cells * sizes[precision] * (number_at(head + 12, big) ? 2 : 1);
}

/* Whether the variables that a file of version 4 or 5 announces are all there: the library reads zeros for what is
 * not. */
static bool is_whole(const char *path)
{
    unsigned char head[128] = {0};
    FILE *file = fopen(path, "rb");
    bool whole = file && fread(head, 1, sizeof head, file) > 0 && fseeko(file, 0, SEEK_END) == 0;
    const int64_t size = whole ? (int64_t)ftello(file) : 0;
    const bool version_5 = memcmp(head, "MATLAB 5.0", 10) == 0;
    const bool big = head[126] == 'M';
    const int64_t lead = version_5 ? 8 : 20;
    for (int64_t at = version_5 ? 128 : 0; whole && memcmp(head, "MATLAB 7.3", 10) != 0 && at < size;) {
        unsigned char tag[20] = {0};
        whole = fseeko(file, at, SEEK_SET) == 0 && fread(tag, 1, (size_t)lead, file) == (size_t)lead;
        const int64_t bytes = version_5 ? 8 + (int64_t)number_at(tag + 4, big) : size_of_old(tag);
        whole = whole && bytes >= lead && bytes <= size - at;
        at += bytes;
    }
    if (file)
        fclose(file);
    return whole;
}

scree_status mat_open(mat_t **out, const char *path, scree_error *error)
{
    Mat_LogInitFunc("scree", say_nothing);
    if (!is_whole(path))
        return mat_fail(error, SCREE_ERR_FORMAT,
                        "%s: is truncated, or no MAT file: a variable goes on past its end: copy the file again", path);
    *out = Mat_Open(path, MAT_ACC_RDONLY);
    return *out ? SCREE_OK
                : mat_fail(error, SCREE_ERR_FORMAT,
                           "%s: is not a MAT file that can be read, or is damaged: save it again, with -v7", path);
}

static const struct {
    enum matio_classes class;
    scree_type type;
} numbers[] = {{MAT_C_DOUBLE, SCREE_F64}, {MAT_C_SINGLE, SCREE_F32}, {MAT_C_INT8, SCREE_I8},
               {MAT_C_UINT8, SCREE_U8},   {MAT_C_INT16, SCREE_I16},  {MAT_C_UINT16, SCREE_U16},
               {MAT_C_INT32, SCREE_I32},  {MAT_C_UINT32, SCREE_U32}, {MAT_C_INT64, SCREE_I64},
               {MAT_C_UINT64, SCREE_U64}, {MAT_C_SPARSE, SCREE_F64}};

const char *mat_unusable(const matvar_t *variable, scree_type *type)
{
    static const char *const classes[] = {
        [MAT_C_CELL] = "a cell array", [MAT_C_STRUCT] = "a struct",     [MAT_C_OBJECT] = "an object",
        [MAT_C_CHAR] = "text",         [MAT_C_FUNCTION] = "a function", [MAT_C_OPAQUE] = "an object"};
    const char *class =
        (size_t)variable->class_type < sizeof classes / sizeof *classes ? classes[variable->class_type] : NULL;
    bool is_number = false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].class == variable->class_type) {
            is_number = true;
            *type = numbers[i].type;
        }
    if (class || !is_number)
        return class ? class : "of a class that is not known";
    if (variable->isComplex)
        return "complex";
    if (variable->rank != 2 || !variable->dims)
        return "of more than two dimensions";
    if (variable->dims[0] > INT_MAX || variable->dims[1] > INT_MAX)
        return "too large";
    return variable->dims[0] == 0 || variable->dims[1] == 0 ? "empty" : NULL;
}

typedef struct search {
    int64_t usable;
    char name[300]; /* of the first that is */
    char all[500];  /* what there is, for messages */
} search;

static void note(search *s, const matvar_t *variable, const char *why)
{
    const size_t used = strlen(s->all);
    char one[400];
    const char *name = variable->name ? variable->name : "";
    if (why)
        snprintf(one, sizeof one, "%s%.100s is %s", used ? ", " : "", name, why);
    else
        snprintf(one, sizeof one, "%s%.100s is %zu×%zu%s", used ? ", " : "", name, variable->dims[0], variable->dims[1],
                 variable->class_type == MAT_C_SPARSE ? " sparse" : "");
    if (used + strlen(one) + 6 < sizeof s->all)
        snprintf(s->all + used, sizeof s->all - used, "%s", one);
    else if (used > 3 && strcmp(s->all + used - 3, "...") != 0)
        snprintf(s->all + used, sizeof s->all - used, ", ...");
}

scree_status mat_find(matvar_t **out, mat_t *mat, const char *path, const char *wanted, scree_error *error)
{
    scree_status status = SCREE_OK;
    search s = {.usable = 0};
    scree_type type = SCREE_F64;
    matvar_t *variable = NULL;
    while (!*out && (variable = Mat_VarReadNextInfo(mat)) != NULL) {
        const char *why = mat_unusable(variable, &type);
        const bool is_wanted = wanted && variable->name && strcmp(variable->name, wanted) == 0;
        if (is_wanted && why) {
            status = mat_fail(error, SCREE_ERR_UNSUPPORTED,
                              "%s: the variable '%.200s' is %s, and matrices of real numbers are read; name another",
                              path, wanted, why);
            goto done;
        }
        note(&s, variable, why);
        if (!why && s.usable++ == 0)
            snprintf(s.name, sizeof s.name, "%s", variable->name);
        if (is_wanted)
            *out = variable;
        else
            Mat_VarFree(variable);
        variable = NULL;
    }
    if (*out)
        return SCREE_OK;
    if (wanted)
        MAT_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is no variable '%.200s'; %s", path, wanted,
                 s.all[0] ? s.all : "there is none at all");
    if (s.usable == 0)
        MAT_FAIL(error, SCREE_ERR_VALUE, "%s: no variable is a matrix of real numbers%s%s", path, s.all[0] ? ": " : "",
                 s.all);
    if (s.usable > 1)
        MAT_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there are several variables; name one as FILE:NAME: %s", path, s.all);
    Mat_Rewind(mat);
    *out = Mat_VarReadInfo(mat, s.name);
    if (!*out)
        MAT_FAIL(error, SCREE_ERR_FORMAT, "%s: is damaged: the variable '%s' cannot be read", path, s.name);
done:
    Mat_VarFree(variable);
    return status;
}
