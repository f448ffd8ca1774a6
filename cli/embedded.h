/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_EMBEDDED_H
#define SCREE_CLI_EMBEDDED_H

/* Files that travel inside the binary: those of data/mnist01, byte for byte, for the demo. The build makes the C file
 * that holds them (cmake/Embed.cmake). */

#include <stddef.h>

typedef struct embedded_file {
    const char *name; /* "mnist01-1000-images-idx3-ubyte.gz"; NULL ends the table */
    const unsigned char *data;
    size_t size;
} embedded_file;

extern const embedded_file embedded_files[];

#endif
