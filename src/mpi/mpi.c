/* SPDX-License-Identifier: BSD-3-Clause */
/* libscree-mpi: the three calls of a scree_communicator by MPI, and nothing else; this file is compiled once for each
 * MPI. Messages are bytes, in pieces of at most 1 GiB, as MPI counts them in int.
 *
 * MPI waits by asking again and again, which takes a core. A process that waits for another here asks for 50
 * microseconds, which is longer than a short message takes, and then sleeps between its questions, up to a millisecond:
 * the cores are left to those that compute. Long messages, which need both sides to go on asking, and follow short ones
 * that have been waited for, are asked after for longer. */

#include "scree_mpi.h"

#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TAG = 1, PIECE = 1 << 30, SHORT = 1 << 12 };
enum { QUICK_SHORT = 50000, QUICK_LONG = 50000000, FIRST_PAUSE = 20000, LAST_PAUSE = 1000000 }; /* nanoseconds */

typedef struct work {
    MPI_Comm comm;
    bool finalises; /* MPI was initialised here */
} work;

static scree_status fail(scree_error *error, scree_status status, const char *what, int code)
{
    char reason[MPI_MAX_ERROR_STRING] = "out of memory";
    int length = 0;
    if (code != MPI_SUCCESS)
        MPI_Error_string(code, reason, &length);
    if (error) {
        error->status = status;
        snprintf(error->text, sizeof error->text, "MPI cannot %s: %.400s", what, reason);
    }
    return status;
}

static int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Until the request for so many bytes is done, or has failed. */
static void wait_for(MPI_Request *request, int64_t bytes)
{
    const int64_t start = nanoseconds();
    const int64_t quick = bytes > SHORT ? QUICK_LONG : QUICK_SHORT;
    long pause = FIRST_PAUSE;
    int done = 0;
    int code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !done) {
        code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            break;
        if (nanoseconds() - start < quick) {
            sched_yield();
            continue;
        }
        const struct timespec sleep = {0, pause};
        nanosleep(&sleep, NULL);
        pause = 2 * pause < LAST_PAUSE ? 2 * pause : LAST_PAUSE;
    }
}

/* The failure of two calls that come one after the other, if there is one. */
static int first_failure(int code, int then)
{
    return code != MPI_SUCCESS ? code : then;
}

static int piece_of(int64_t bytes)
{
    return bytes < PIECE ? (int)bytes : PIECE;
}

static scree_status send_bytes(void *context, int to, const void *data, int64_t bytes, scree_error *error)
{
    const work *w = context;
    int code = MPI_SUCCESS;
    for (int64_t at = 0; code == MPI_SUCCESS && at < bytes; at += PIECE) {
        MPI_Request request;
        code = MPI_Isend((const char *)data + at, piece_of(bytes - at), MPI_BYTE, to, TAG, w->comm, &request);
        wait_for(&request, bytes);
        code = first_failure(code, MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    return code == MPI_SUCCESS ? SCREE_OK : fail(error, SCREE_ERR_IO, "send a message", code);
}

static scree_status receive_bytes(void *context, int from, void *data, int64_t bytes, scree_error *error)
{
    const work *w = context;
    int code = MPI_SUCCESS;
    for (int64_t at = 0; code == MPI_SUCCESS && at < bytes; at += PIECE) {
        MPI_Request request;
        code = MPI_Irecv((char *)data + at, piece_of(bytes - at), MPI_BYTE, from, TAG, w->comm, &request);
        wait_for(&request, bytes);
        code = first_failure(code, MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    return code == MPI_SUCCESS ? SCREE_OK : fail(error, SCREE_ERR_IO, "receive a message", code);
}

static scree_status broadcast_bytes(void *context, void *data, int64_t bytes, scree_error *error)
{
    const work *w = context;
    int code = MPI_SUCCESS;
    for (int64_t at = 0; code == MPI_SUCCESS && at < bytes; at += PIECE) {
        MPI_Request request;
        code = MPI_Ibcast((char *)data + at, piece_of(bytes - at), MPI_BYTE, 0, w->comm, &request);
        wait_for(&request, bytes);
        code = first_failure(code, MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    return code == MPI_SUCCESS ? SCREE_OK : fail(error, SCREE_ERR_IO, "send a message to all", code);
}

/* How many processes run on this machine. */
static int count_here(MPI_Comm comm)
{
    MPI_Comm here;
    int count = 0;
    if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) != MPI_SUCCESS)
        return 0;
    MPI_Comm_size(here, &count);
    MPI_Comm_free(&here);
    return count;
}

static scree_status open_comm(scree_communicator *out, MPI_Comm comm, bool finalises, scree_error *error)
{
    work *w = calloc(1, sizeof *w);
    if (!w)
        return fail(error, SCREE_ERR_MEMORY, "start", MPI_SUCCESS);
    const int code = MPI_Comm_dup(comm, &w->comm);
    if (code != MPI_SUCCESS) {
        free(w);
        return fail(error, SCREE_ERR_IO, "start", code);
    }
    w->finalises = finalises;
    out->context = w;
    MPI_Comm_rank(w->comm, &out->rank);
    MPI_Comm_size(w->comm, &out->ranks);
    out->ranks_here = count_here(w->comm);
    out->send = send_bytes;
    out->receive = receive_bytes;
    out->broadcast = broadcast_bytes;
    return SCREE_OK;
}

scree_status scree_mpi_start(scree_communicator *out, scree_error *error)
{
    int started = 0;
    int level = 0;
    MPI_Initialized(&started);
    if (!started) {
        const int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
        if (code != MPI_SUCCESS)
            return fail(error, SCREE_ERR_UNSUPPORTED, "start", code);
    }
    return open_comm(out, MPI_COMM_WORLD, !started, error);
}

scree_status scree_mpi_from(scree_communicator *out, const void *communicator, scree_error *error)
{
    return open_comm(out, *(const MPI_Comm *)communicator, false, error);
}

void scree_mpi_end(scree_communicator *communicator)
{
    work *w = communicator->context;
    if (!w)
        return;
    MPI_Comm_free(&w->comm);
    if (w->finalises)
        MPI_Finalize();
    free(w);
    communicator->context = NULL;
}

void scree_mpi_abort(const scree_communicator *communicator, int exit_code)
{
    const work *w = communicator->context;
    MPI_Abort(w ? w->comm : MPI_COMM_WORLD, exit_code);
}

const char *scree_mpi_version(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    for (char *at = text; *at; at++)
        if (*at == '\n')
            *at = '\0';
    return text;
}
