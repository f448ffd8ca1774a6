/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_ONNX_EVAL_H
#define SCREE_TESTS_ONNX_EVAL_H

/* A reader of ONNX files that shares nothing with the writer, and does what their nodes say, every result rounded to
 * the type of the file. It knows the few operators that scree writes, and fails the test on anything else: an unknown
 * field, a wrong length, a value that nobody made, a shape that is not what an output promised. */

#include <stdint.h>

typedef struct onnx_value {
    char name[64];
    int64_t rank;
    int64_t shape[2];
    double *data;
} onnx_value;

typedef struct onnx_text {
    char key[32];
    char *value;
} onnx_text;

typedef struct onnx_file {
    unsigned char *bytes;
    int64_t size;
    int is_double;
    int64_t version;   /* of the file */
    int64_t operators; /* version of the operator set */
    char producer[32];
    onnx_text texts[16];
    int text_count;
    onnx_value inputs[4]; /* without data; a shape of -1 is open */
    int input_count;
    onnx_value outputs[4];
    int output_count;
    onnx_value values[256]; /* tensors, and what nodes have made */
    int value_count;
    char ops[512]; /* of the nodes in order: "Sub Gemm Add" */
} onnx_file;

onnx_file *onnx_open(const char *path);
void onnx_close(onnx_file *file);

/* Runs all nodes for rows of the one input; what is called name afterwards is lent, rows×cols. */
const double *onnx_run(onnx_file *file, const double *in, int64_t rows, int64_t cols, const char *name);
const double *onnx_find(const onnx_file *file, const char *name, int64_t rows, int64_t cols);
const char *onnx_said(const onnx_file *file, const char *key); /* NULL: nothing */

#endif
