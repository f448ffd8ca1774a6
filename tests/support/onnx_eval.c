/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and runs small ONNX files; see the header. Everything is in double, rounded to float after each node where the
 * file is in float. */

#include "support/onnx_eval.h"

#include "support/checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a message. */
typedef struct span {
    const unsigned char *at;
    const unsigned char *end;
} span;

/* One field: an integer, or a span. */
typedef struct field {
    int number;
    int kind;
    int64_t integer;
    span bytes;
} field;

static uint64_t read_varint(span *from)
{
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        assert_true(from->at < from->end && shift < 64);
        const unsigned char byte = *from->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static int next(span *from, field *out)
{
    if (from->at == from->end)
        return 0;
    const uint64_t key = read_varint(from);
    *out = (field){.number = (int)(key >> 3), .kind = (int)(key & 7)};
    const uint64_t value = read_varint(from);
    out->integer = (int64_t)value;
    if (out->kind == 2) {
        assert_true(value <= (uint64_t)(from->end - from->at));
        out->bytes = (span){from->at, from->at + value};
        from->at += value;
    } else {
        assert_int_equal(out->kind, 0);
    }
    return 1;
}

static void copy_text(char *to, size_t size, span text)
{
    const size_t length = (size_t)(text.end - text.at);
    assert_true(length < size);
    memcpy(to, text.at, length);
    to[length] = 0;
}

static onnx_value *add_value(onnx_file *file)
{
    assert_true(file->value_count < COUNT_OF(file->values));
    return &file->values[file->value_count++];
}

static void note_type(onnx_file *file, int64_t type)
{
    assert_true(type == 1 || type == 11);
    if (file->is_double < 0)
        file->is_double = type == 11;
    assert_int_equal(file->is_double, type == 11); /* one type in the whole file */
}

static void read_tensor(onnx_file *file, span from)
{
    onnx_value *value = add_value(file);
    span raw = {NULL, NULL};
    field f;
    while (next(&from, &f)) {
        if (f.number == 1 && value->rank < 2)
            value->shape[value->rank++] = f.integer;
        else if (f.number == 2)
            note_type(file, f.integer);
        else if (f.number == 8)
            copy_text(value->name, sizeof value->name, f.bytes);
        else if (f.number == 9)
            raw = f.bytes;
        else
            fail_msg("field %d in a tensor", f.number);
    }
    const int64_t count = (value->rank > 0 ? value->shape[0] : 1) * (value->rank > 1 ? value->shape[1] : 1);
    const size_t size = file->is_double ? sizeof(double) : sizeof(float);
    assert_int_equal(raw.end - raw.at, count * (int64_t)size);
    value->data = calloc((size_t)count, sizeof(double));
    assert_non_null(value->data);
    for (int64_t i = 0; i < count; i++) {
        float narrow = 0;
        if (file->is_double)
            memcpy(&value->data[i], raw.at + (size_t)i * size, size);
        else
            memcpy(&narrow, raw.at + (size_t)i * size, size);
        value->data[i] += (double)narrow;
    }
}

static void read_shape(onnx_value *value, span from)
{
    field f;
    while (next(&from, &f)) {
        span inner = f.bytes;
        field size;
        assert_true(f.number == 1 && value->rank < 2);
        assert_true(next(&inner, &size) && inner.at == inner.end);
        value->shape[value->rank++] = size.number == 1 ? size.integer : -1;
    }
}

static void read_declared(onnx_file *file, onnx_value *value, span from)
{
    field f;
    field tensor;
    field part;
    while (next(&from, &f)) {
        if (f.number == 1)
            copy_text(value->name, sizeof value->name, f.bytes);
        if (f.number != 2)
            continue;
        assert_true(next(&f.bytes, &tensor) && tensor.number == 1);
        while (next(&tensor.bytes, &part)) {
            if (part.number == 1)
                note_type(file, part.integer);
            else
                read_shape(value, part.bytes);
        }
    }
    assert_int_equal(value->rank, 2);
    assert_int_equal(value->shape[0], -1);
}

static onnx_value *find(const onnx_file *file, const char *name)
{
    for (int i = 0; i < file->value_count; i++)
        if (strcmp(file->values[i].name, name) == 0)
            return (onnx_value *)&file->values[i];
    fail_msg("nothing made '%s'", name);
    return NULL;
}

static double apply(const char *op, double a, double b)
{
    if (strcmp(op, "Add") == 0)
        return a + b;
    if (strcmp(op, "Sub") == 0)
        return a - b;
    if (strcmp(op, "Mul") == 0)
        return a * b;
    if (strcmp(op, "Div") == 0)
        return a / b;
    if (strcmp(op, "Relu") == 0)
        return fmax(a, 0);
    if (strcmp(op, "Tanh") == 0)
        return tanh(a);
    if (strcmp(op, "Sigmoid") == 0)
        return 1 / (1 + exp(-a));
    fail_msg("operator '%s'", op);
    return 0;
}

/* One node's messages. */
typedef struct node {
    char in[3][64];
    int in_count;
    char out[64];
    char op[16];
    int transposed;
} node;

static void read_node(node *n, span from)
{
    field f;
    field part;
    *n = (node){.in_count = 0};
    while (next(&from, &f)) {
        if (f.number == 1) {
            assert_true(n->in_count < 3);
            copy_text(n->in[n->in_count++], sizeof n->in[0], f.bytes);
        } else if (f.number == 2) {
            assert_string_equal(n->out, "");
            copy_text(n->out, sizeof n->out, f.bytes);
        } else if (f.number == 4) {
            copy_text(n->op, sizeof n->op, f.bytes);
        } else if (f.number == 5) {
            char name[16] = "";
            while (next(&f.bytes, &part)) {
                if (part.number == 1)
                    copy_text(name, sizeof name, part.bytes);
                else if (part.number == 3)
                    n->transposed = (int)part.integer;
                else
                    assert_true(part.number == 20 && part.integer == 2);
            }
            assert_string_equal(name, "transB");
        } else {
            assert_int_equal(f.number, 3);
        }
    }
}

static double rounded(const onnx_file *file, double value)
{
    return file->is_double ? value : (double)(float)value;
}

static void multiply(const onnx_file *file, const node *n, onnx_value *out)
{
    const onnx_value *x = find(file, n->in[0]);
    const onnx_value *w = find(file, n->in[1]);
    const onnx_value *bias = n->in_count > 2 ? find(file, n->in[2]) : NULL;
    const int64_t inner = w->shape[n->transposed ? 1 : 0];
    const int64_t cols = w->shape[n->transposed ? 0 : 1];
    assert_true(x->rank == 2 && w->rank == 2 && x->shape[1] == inner && (!bias || bias->shape[0] == cols));
    out->shape[1] = cols;
    out->data = calloc((size_t)(out->shape[0] * cols) + 1, sizeof(double));
    assert_non_null(out->data);
    for (int64_t i = 0; i < out->shape[0]; i++)
        for (int64_t j = 0; j < cols; j++) {
            double sum = bias ? bias->data[j] : 0;
            for (int64_t k = 0; k < inner; k++)
                sum += x->data[i * inner + k] * (n->transposed ? w->data[j * inner + k] : w->data[k * cols + j]);
            out->data[i * cols + j] = rounded(file, sum);
        }
}

/* Entry by entry; the second operand may have one row, or one entry, for all. */
static void map(const onnx_file *file, const node *n, onnx_value *out)
{
    const onnx_value *a = find(file, n->in[0]);
    const onnx_value *b = n->in_count > 1 ? find(file, n->in[1]) : NULL;
    const int64_t cols = a->shape[1];
    assert_true(a->rank == 2 && n->in_count < 3);
    assert_true(!b || b->rank == 0 || b->shape[b->rank - 1] == cols);
    out->shape[1] = cols;
    out->data = calloc((size_t)(out->shape[0] * cols) + 1, sizeof(double));
    assert_non_null(out->data);
    for (int64_t i = 0; i < out->shape[0]; i++)
        for (int64_t j = 0; j < cols; j++) {
            const int64_t at = !b || b->rank == 0 ? 0 : b->rank == 1 ? j : i * cols + j;
            out->data[i * cols + j] = rounded(file, apply(n->op, a->data[i * cols + j], b ? b->data[at] : 0));
        }
}

static void run_node(onnx_file *file, span from, int64_t rows)
{
    node n;
    read_node(&n, from);
    const onnx_value *first = find(file, n.in[0]);
    assert_true(first->shape[0] == rows);
    onnx_value *out = add_value(file);
    *out = (onnx_value){.rank = 2, .shape = {rows, 0}};
    if (strcmp(n.op, "Gemm") == 0)
        multiply(file, &n, out);
    else
        map(file, &n, out);
    memcpy(out->name, n.out, sizeof n.out);
}

static void read_graph(onnx_file *file, span from)
{
    field f;
    node n;
    while (next(&from, &f)) {
        if (f.number == 1) {
            read_node(&n, f.bytes);
            const size_t used = strlen(file->ops);
            assert_true(used + strlen(n.op) + 2 < sizeof file->ops);
            snprintf(file->ops + used, sizeof file->ops - used, "%s%s", used ? " " : "", n.op);
        } else if (f.number == 5) {
            read_tensor(file, f.bytes);
        } else if (f.number == 11) {
            read_declared(file, &file->inputs[file->input_count++], f.bytes);
        } else if (f.number == 12) {
            read_declared(file, &file->outputs[file->output_count++], f.bytes);
        } else {
            assert_int_equal(f.number, 2);
        }
        assert_true(file->input_count < 4 && file->output_count < 4);
    }
}

static void read_said(onnx_file *file, span from)
{
    field key;
    field value;
    onnx_text *text = &file->texts[file->text_count++];
    assert_true(next(&from, &key) && next(&from, &value) && from.at == from.end && file->text_count < 16);
    const size_t length = (size_t)(value.bytes.end - value.bytes.at);
    copy_text(text->key, sizeof text->key, key.bytes);
    text->value = calloc(length + 1, 1);
    assert_non_null(text->value);
    copy_text(text->value, length + 1, value.bytes);
}

static void read_all(onnx_file *file)
{
    span from = {file->bytes, file->bytes + file->size};
    field f;
    field set;
    while (next(&from, &f)) {
        if (f.number == 1)
            file->version = f.integer;
        else if (f.number == 2)
            copy_text(file->producer, sizeof file->producer, f.bytes);
        else if (f.number == 7)
            read_graph(file, f.bytes);
        else if (f.number == 8)
            while (next(&f.bytes, &set))
                file->operators = set.number == 2 ? set.integer : file->operators;
        else if (f.number == 14)
            read_said(file, f.bytes);
        else
            assert_true(f.number == 3 || f.number == 6);
    }
}

onnx_file *onnx_open(const char *path)
{
    onnx_file *file = calloc(1, sizeof *file);
    FILE *stream = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    file->size = ftell(stream);
    rewind(stream);
    file->bytes = malloc((size_t)file->size);
    assert_non_null(file->bytes);
    assert_int_equal(fread(file->bytes, 1, (size_t)file->size, stream), file->size);
    fclose(stream);
    file->is_double = -1;
    read_all(file);
    return file;
}

void onnx_close(onnx_file *file)
{
    for (int i = 0; i < file->value_count; i++)
        free(file->values[i].data);
    for (int i = 0; i < file->text_count; i++)
        free(file->texts[i].value);
    free(file->bytes);
    free(file);
}

const double *onnx_find(const onnx_file *file, const char *name, int64_t rows, int64_t cols)
{
    const onnx_value *value = find(file, name);
    assert_true(value->rank == 2 && value->shape[0] == rows && value->shape[1] == cols);
    return value->data;
}

const double *onnx_run(onnx_file *file, const double *in, int64_t rows, int64_t cols, const char *name)
{
    span from = {file->bytes, file->bytes + file->size};
    field f;
    field part;
    assert_int_equal(file->input_count, 1);
    assert_int_equal(file->inputs[0].shape[1], cols);
    onnx_value *given = add_value(file);
    *given = (onnx_value){.rank = 2, .shape = {rows, cols}};
    memcpy(given->name, file->inputs[0].name, sizeof given->name);
    given->data = calloc((size_t)(rows * cols), sizeof(double));
    assert_non_null(given->data);
    for (int64_t i = 0; i < rows * cols; i++)
        given->data[i] = rounded(file, in[i]);
    while (next(&from, &f)) {
        while (f.number == 7 && next(&f.bytes, &part))
            if (part.number == 1)
                run_node(file, part.bytes, rows);
    }
    for (int i = 0; i < file->output_count; i++)
        onnx_find(file, file->outputs[i].name, rows, file->outputs[i].shape[1]);
    return find(file, name)->data;
}

const char *onnx_said(const onnx_file *file, const char *key)
{
    for (int i = 0; i < file->text_count; i++)
        if (strcmp(file->texts[i].key, key) == 0)
            return file->texts[i].value;
    return NULL;
}
