/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ELEMENTS_H
#define SCREE_DATA_ELEMENTS_H

/* Numbers as binary files store them, and how they become the element types of blocks. */

#include "base/error.h"

typedef enum scree__number { SCREE__UNSIGNED, SCREE__SIGNED, SCREE__FLOAT, SCREE__BOOLEAN } scree__number;

typedef struct scree__element {
    scree__number kind;
    int size;     /* bytes: 1, 2, 4 or 8; floats 2, 4 or 8; booleans 1 */
    bool swapped; /* stored in the byte order that is not this machine's */
} scree__element;

/* The narrowest block type that holds it: f4 and f2 are SCREE_F32, u1 and booleans are SCREE_U8, all others SCREE_F64.
 */
scree_type scree__element_type(scree__element element);

/* The type that it is stored as. */
scree_type scree__element_stored(scree__element element);

/* Already what a block holds, or integers of 64 bits, which take as much room: nothing to convert. */
bool scree__element_is_plain(scree__element element);

/* count elements at from become elements of that type at to; integers of 64 bits stay such, in this machine's byte
 * order. from is scratch afterwards. from and to may be the same place when both have the same size, and must not
 * overlap otherwise. */
void scree__elements_convert(scree__element element, void *from, void *to, int64_t count);

/* count doubles become elements of any type at to, in this machine's byte order. Returns how many did: fewer where the
 * next is a number that the type does not hold. Floats are rounded, but not to infinity; whole numbers never. */
int64_t scree__elements_store(scree_type type, const double *from, void *to, int64_t count);
/* "whole number from 0 to 255": what a type holds, for messages. */
const char *scree__element_holds(scree_type type);

#endif
