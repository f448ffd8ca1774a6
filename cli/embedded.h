/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_EMBEDDED_H
#define SCREE_CLI_EMBEDDED_H

/* Files that are embedded in the binary: those of data/mnist01, for the demo. The build generates the C file that
 * contains them (cmake/Embed.cmake). */

#include <stddef.h>

typedef struct embedded_file {
    const char *name; /* "mnist01-1000-images-idx3-ubyte.gz"; NULL ends the table */
    const unsigned char *data;
    size_t size;
} embedded_file;

extern const embedded_file embedded_files[];

#endif
