/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_FAULTS_H
#define SCREE_TESTS_FAULTS_H

/* A shared object that is loaded before all others (LD_PRELOAD) and makes one call of a command fail: the n-th
 * allocation, or the n-th call that touches a file. Which calls count is decided by who made them: what glib, Pango,
 * Cairo and fontconfig allocate for themselves never fails, since glib ends the program where it does. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { FAULT_TRACE = 24, FAULT_SITES = 4096 };

/* What fails, and how. */
typedef enum fault_kind {
    FAULT_NONE,
    FAULT_MEMORY, /* malloc and its relatives give NULL */
    FAULT_EIO,
    FAULT_ENOSPC, /* what writes */
    FAULT_EMFILE, /* what opens */
    FAULT_EINTR,  /* what a signal can interrupt */
    FAULT_SHORT,  /* read and write: half of the bytes */
    FAULT_THREAD, /* pthread_create: EAGAIN */
    FAULT_KINDS
} fault_kind;

/* Allocations that are alive, by the place that made them. */
typedef struct fault_site {
    _Atomic(uintptr_t) place;
    atomic_long live;
} fault_site;

/* Shared with the process that waits for this one. */
typedef struct fault_state {
    atomic_int kind;
    atomic_long at;    /* the call that fails, from 1 */
    atomic_bool after; /* and all after it */
    atomic_long points;
    atomic_long failed;
    char call[32]; /* the first that failed */
    int depth;
    void *trace[FAULT_TRACE];
    fault_site sites[FAULT_SITES];
} fault_state;

extern fault_state *fault_shared; /* NULL: nothing is counted yet */

/* Counts a call of the kind; true: it is to fail. */
bool fault_here(fault_kind kind, const char *call);

/* Whose code an address is in. */
typedef enum fault_owner { FAULT_OURS, FAULT_SYSTEM, FAULT_DRAWING } fault_owner;
fault_owner fault_owner_of(const void *address);

#endif
