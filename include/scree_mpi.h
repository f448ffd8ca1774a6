/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MPI_H
#define SCREE_MPI_H

/* libscree-mpi: MPI communicators for scree_run. There is one library for each MPI, libscree-mpi-openmpi and
 * libscree-mpi-mpich, and one for every MPI with the ABI of MPI 5, libscree-mpi-abi, with the same calls; a program
 * links, or loads, that of the MPI that it runs under.
 *
 *     scree_communicator with = SCREE_COMMUNICATOR_INIT;
 *     scree_mpi_start(&with, &error);                      all processes of mpirun; or
 *     scree_mpi_from(&with, &communicator, &error);        those of an MPI_Comm
 *     run.communicator = &with;
 *     ...
 *     scree_mpi_end(&with);
 */

#include "scree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The communicator of all processes, of its own, so that no message is mistaken for another's. MPI is initialised
 * unless it is already, and then finalised by scree_mpi_end. */
SCREE_API scree_status scree_mpi_start(scree_communicator *out, scree_error *error);

/* The same of a communicator of the caller's, *(MPI_Comm *)communicator, of which a duplicate is taken: all its
 * processes call it. MPI is initialised. */
SCREE_API scree_status scree_mpi_from(scree_communicator *out, const void *communicator, scree_error *error);

/* Safe on a struct from SCREE_COMMUNICATOR_INIT. All processes call it. */
SCREE_API void scree_mpi_end(scree_communicator *communicator);

/* Ends all processes at once, with this exit code, for one that can no longer take part. */
SCREE_API void scree_mpi_abort(const scree_communicator *communicator, int exit_code);

/* "Open MPI v4.1.4, ...": as the MPI library calls itself; lives as long as the library. */
SCREE_API const char *scree_mpi_version(void);

#ifdef __cplusplus
}
#endif

#endif
