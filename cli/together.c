/* SPDX-License-Identifier: BSD-3-Clause */
/* What mpirun tells the processes that it starts: Open MPI's sets OMPI_COMM_WORLD_SIZE, MPICH's (Hydra) PMI_SIZE. A
 * process that is one of several loads libscree-mpi for that MPI, from beside libscree or where the system's loader
 * looks, so that the command itself needs no MPI; srun and other starters say less, and there --mpi names it. Where
 * there is none for that MPI beside libscree, the one for all MPIs with the ABI of MPI 5 is taken.
 *
 * Processes but the first have /dev/null for standard output and error: they work, and the first one speaks. What they
 * would write is discarded when the command ends (cli_finish). */

#define _GNU_SOURCE /* dladdr */

#include "together.h"
#include "guard.h"
#include "print.h"

#include "scree_mpi.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ABI "abi" /* of MPI 5 */

static const char *const choices[] = {"auto", "openmpi", "mpich", ABI, "none", NULL};

const cli_option cli_mpi_options[] = {
    {.name = "mpi",
     .value = "WHICH",
     .help = "share rows or states with the other processes of mpirun: openmpi, mpich or abi (any with the ABI of MPI "
             "5), for starters such as srun; none: this process is on its own; auto: what mpirun says (default: auto)",
     .read = cli_read_choice,
     .offset = 0,
     .choices = choices},
    CLI_OPTIONS_END,
};

static struct {
    scree_communicator with;
    bool started;
    bool failed; /* everybody knows */
    __typeof__(scree_mpi_start) *start;
    __typeof__(scree_mpi_end) *end;
} together = {.with = SCREE_COMMUNICATOR_INIT};

/* Which of the processes this is, as whatever has started it says; NULL: it does not. */
static const char *rank_text(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return getenv(names[i]);
    return NULL;
}

/* Of how many processes this is one, as a variable of the environment says; 0: it does not. */
static long number_in(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

/* "openmpi" or "mpich"; NULL: no mpirun has started this process. */
static const char *started_by(void)
{
    if (number_in("OMPI_COMM_WORLD_SIZE") > 0)
        return "openmpi";
    return number_in("PMI_SIZE") > 0 && getenv("PMI_FD") ? "mpich" : NULL;
}

static long processes(void)
{
    const long of_openmpi = number_in("OMPI_COMM_WORLD_SIZE");
    return of_openmpi > 0 ? of_openmpi : started_by() ? number_in("PMI_SIZE") : 1;
}

static bool is_first_started(void)
{
    return number_in("OMPI_COMM_WORLD_RANK") == 0 && number_in("PMI_RANK") == 0;
}

bool cli_together_refuses(const cli_command *command, int *exit_code)
{
    for (const cli_option *o = command->options; o && (o->name || o->group); o++)
        if (o->group == cli_mpi_options)
            return false;
    if (processes() < 2)
        return false;
    if (is_first_started())
        cli_print(stderr, "scree: %s is the work of one process, and mpirun has started %ld: run it without mpirun\n",
                  command->name, processes());
    *exit_code = CLI_WRONG_USAGE;
    return true;
}

/* Its path if it lies beside libscree, else its name. */
static void find_library(char *path, size_t size, const char *which)
{
    Dl_info info;
    const char *(*known)(void) = scree_version;
    const void *address = NULL;
    char name[64];
    memcpy(&address, &known, sizeof address);
    snprintf(name, sizeof name, "libscree-mpi-%s" SCREE_MPI_SUFFIX, which);
    snprintf(path, size, "%s", name);
    if (!dladdr(address, &info) || !info.dli_fname || !strrchr(info.dli_fname, '/'))
        return;
    const int folder = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
    const int length = snprintf(path, size, "%.*s/%s", folder, info.dli_fname, name);
    if (length < 0 || (size_t)length >= size || access(path, R_OK) != 0)
        snprintf(path, size, "%s", name);
}

const char *const cli_together_mpis[] = {"openmpi", "mpich", ABI, NULL};

bool cli_together_is_there(const char *mpi)
{
    char path[PATH_MAX];
    find_library(path, sizeof path, mpi);
    return strchr(path, '/') != NULL;
}

static bool find_call(void *library, const char *name, void *call)
{
    const void *address = dlsym(library, name);
    memcpy(call, &address, sizeof address);
    return address != NULL;
}

/* The library for an MPI, or in its place the one for all. */
static void *open_library(const char *which)
{
    char path[PATH_MAX];
    const bool for_all = !cli_together_is_there(which) && cli_together_is_there(ABI);
    find_library(path, sizeof path, for_all ? ABI : which);
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPIs open further libraries, which look for their names among all */
}

static scree_status load(const char *which, scree_error *error)
{
    void *library = open_library(which);
    if (library && find_call(library, "scree_mpi_start", &together.start) &&
        find_call(library, "scree_mpi_end", &together.end))
        return SCREE_OK;
    const char *reason = dlerror();
    snprintf(
        error->text, sizeof error->text,
        "processes that share rows need libscree-mpi-%s, and it cannot be loaded (%s); install it beside libscree, "
        "with its MPI, or run the processes independently with --mpi none",
        which, reason ? reason : "unknown reason");
    return error->status = SCREE_ERR_UNSUPPORTED;
}

/* Nobody but the first speaks. */
static void fall_silent(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

bool cli_together_read(cli_call *call, const cli_command *command, int argc, char **argv, int *exit_code)
{
    const bool is_heard = is_first_started();
    const int own = is_heard ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int out = is_heard ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (!is_heard)
        fall_silent();
    const bool read = cli_call_read(call, command, argc, argv, exit_code);
    cli_flush();
    if (own >= 0)
        dup2(own, STDERR_FILENO);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    if (own >= 0)
        close(own);
    if (out >= 0)
        close(out);
    return read;
}

/* What --mpi says, of a command that has the option. */
static const char *asked(const cli_call *call)
{
    cli_walk walk = cli_walk_start(call->command);
    for (const cli_option *option; (option = cli_walk_next(&walk));)
        if (strcmp(option->name, "mpi") == 0)
            return *(const char *const *)(const void *)((const char *)call->arguments + walk.offset);
    return "none";
}

/* An MPI that mpirun is not of finds each process alone: all would write the same file. */
static scree_status check_company(const char *which, scree_error *error)
{
    if (together.with.ranks > 1 || processes() < 2)
        return SCREE_OK;
    snprintf(error->text, sizeof error->text,
             "mpirun has started %ld processes, and by libscree-mpi-%s each is alone: mpirun is of another MPI; leave "
             "--mpi out, or name that one",
             processes(), which);
    return error->status = SCREE_ERR_UNSUPPORTED;
}

static scree_status start(const char *which, scree_error *error)
{
    scree_status status = load(which, error);
    if (status == SCREE_OK)
        status = together.start(&together.with, error);
    if (status == SCREE_OK)
        status = check_company(which, error);
    together.started = status == SCREE_OK;
    if (together.started && together.with.rank > 0)
        fall_silent();
    return status;
}

bool cli_together_start(const cli_call *call, int *exit_code)
{
    scree_error error = SCREE_ERROR_INIT;
    const char *mpi = asked(call);
    const bool is_open = !mpi || strcmp(mpi, "auto") == 0;
    const char *which = is_open ? started_by() : mpi;
    if (!which || strcmp(which, "none") == 0)
        return true;
    if (rank_text())
        cli_guard_start(call->program, rank_text());
    if (start(which, &error) == SCREE_OK)
        return true;
    if (is_first_started())
        cli_print(stderr, "scree: %s\n", error.text);
    *exit_code = CLI_FAILURE;
    return false;
}

const scree_communicator *cli_together_with(void)
{
    return together.started ? &together.with : NULL;
}

bool cli_together_is_first(void)
{
    return !together.started || together.with.rank == 0;
}

void cli_together_failed(void)
{
    together.failed = true;
}

scree_status cli_together_agree(scree_status status, scree_error *error)
{
    if (!together.started || together.failed)
        return status;
    status = scree_communicator_agree(&together.with, status, error);
    together.failed = status != SCREE_OK;
    return status;
}

void cli_together_end(void)
{
    if (together.started)
        together.end(&together.with);
    together.started = false;
}
