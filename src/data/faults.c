/* SPDX-License-Identifier: BSD-3-Clause */
/* The count of rows that cannot be used. It is one for all files that are opened as a source, and is added to by the
 * thread that reads ahead as well as by the one that answers: hence the lock, under which the caller is told. */

#include "data/faults.h"

#include "base/memory.h"

#include <pthread.h>

struct scree__faults {
    pthread_mutex_t mutex;
    scree_on_error on_error;
    scree_fault_fn fault; /* may be NULL */
    void *context;
    int64_t count;
    bool again; /* a later pass over the same rows: they are known */
};

scree__faults *scree__faults_new(const scree_read_options *options)
{
    scree__faults *faults = scree__alloc(1, sizeof *faults);
    if (!faults)
        return NULL;
    pthread_mutex_init(&faults->mutex, NULL);
    faults->on_error = options->on_error;
    faults->fault = options->fault;
    faults->context = options->fault_context;
    return faults;
}

void scree__faults_free(scree__faults *faults)
{
    if (!faults)
        return;
    pthread_mutex_destroy(&faults->mutex);
    free(faults);
}

void scree__faults_pass(scree__faults *faults, int pass)
{
    pthread_mutex_lock(&faults->mutex);
    faults->again = pass > 1;
    pthread_mutex_unlock(&faults->mutex);
}

void scree__faults_add(scree__faults *faults, const char *sentence)
{
    pthread_mutex_lock(&faults->mutex);
    faults->count += !faults->again;
    if (faults->fault && sentence && !faults->again)
        faults->fault(faults->context, sentence);
    pthread_mutex_unlock(&faults->mutex);
}

bool scree__faults_want_nan(const scree__faults *faults)
{
    return faults->on_error == SCREE_NAN;
}

int64_t scree__faults_count(scree__faults *faults)
{
    pthread_mutex_lock(&faults->mutex);
    const int64_t count = faults->count;
    pthread_mutex_unlock(&faults->mutex);
    return count;
}
