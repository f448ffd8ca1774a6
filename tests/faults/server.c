/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a command again and again with another call that fails, without loading it again: where main would begin, this
 * process reads requests and forks for each. A request is a line "KIND AT AFTER" (numbers); the answers are "pid P" as
 * soon as the child runs, then "done STATUS POINTS FAILED CALL", a line "trace ADDRESS..." of module+offset, a line
 * "live" of PLACE=COUNT for the allocations that were alive at the end. FAULTS_PIPES gives the two descriptors,
 * FAULTS_FILES the beginning of the names of standard input, output and error (.in, .out, .err). FAULTS_LOAD names
 * libraries to load before, separated by colons. */

#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RANGES = 512 };

fault_state *fault_shared;
static fault_state *state; /* what fault_shared becomes in a child */

typedef struct range {
    uintptr_t begin;
    uintptr_t end;
    fault_owner owner;
    char name[64];
    uintptr_t base;
} range;

static range ranges[MOST_RANGES];
static int range_count;

static fault_owner owner_named(const char *name)
{
    static const char *const others[] = {"libcjson",    "libz.",      "liblzma",     "libzstd",  "liblapack",
                                         "libopenblas", "libblas",    "libtmg",      "libgfort", "libc.",
                                         "libm.",       "ld-",        "libquadmath", "libgcc",   "linux-",
                                         "libdl",       "libpthread", "libgomp",     "libfault"};
    if (strncmp(name, "libscree", 8) == 0 || strcmp(name, "scree") == 0)
        return FAULT_OURS;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return FAULT_SYSTEM;
    return FAULT_DRAWING;
}

static int add_ranges(struct dl_phdr_info *info, size_t size, void *program)
{
    const char *path = info->dlpi_name[0] ? info->dlpi_name : program;
    const char *slash = strrchr(path, '/');
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && range_count < MOST_RANGES; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        range *r = &ranges[range_count++];
        r->base = info->dlpi_addr;
        r->begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        r->end = r->begin + info->dlpi_phdr[i].p_memsz;
        snprintf(r->name, sizeof r->name, "%s", slash ? slash + 1 : path);
        r->owner = owner_named(r->name);
    }
    return 0;
}

static const range *range_of(uintptr_t address)
{
    for (int i = 0; i < range_count; i++)
        if (address >= ranges[i].begin && address < ranges[i].end)
            return &ranges[i];
    return NULL;
}

fault_owner fault_owner_of(const void *address)
{
    const range *r = range_of((uintptr_t)address);
    return r ? r->owner : FAULT_DRAWING;
}

bool fault_here(fault_kind kind, const char *call)
{
    const long point = atomic_fetch_add(&fault_shared->points, 1) + 1;
    (void)kind;
    if (point < fault_shared->at || (point > fault_shared->at && !fault_shared->after))
        return false;
    if (atomic_fetch_add(&fault_shared->failed, 1) == 0) {
        snprintf(fault_shared->call, sizeof fault_shared->call, "%s", call);
        fault_shared->depth = backtrace(fault_shared->trace, FAULT_TRACE);
    }
    return true;
}

static void put_place(FILE *out, uintptr_t address)
{
    const range *r = range_of(address);
    if (r)
        fprintf(out, " %s+0x%lx", r->name, (unsigned long)(address - r->base));
    else
        fprintf(out, " 0x%lx", (unsigned long)address);
}

static void answer(FILE *out, int status)
{
    fprintf(out, "done %d %ld %ld %s\ntrace", status, (long)state->points, (long)state->failed,
            state->failed > 0 ? state->call : "-");
    for (int i = 0; i < state->depth; i++)
        put_place(out, (uintptr_t)state->trace[i]);
    fputs("\nlive", out);
    for (int i = 0; i < FAULT_SITES; i++)
        if (state->sites[i].live > 0) {
            put_place(out, state->sites[i].place);
            fprintf(out, "=%ld", (long)state->sites[i].live);
        }
    fputs("\n", out);
    fflush(out);
}

static void redirect(const char *files, const char *ending, int flags, int fd)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", files, ending);
    const int file = open(path, flags, 0600);
    if (file < 0 || dup2(file, fd) != fd)
        _exit(99);
    close(file);
}

/* In the child: standard files, and from here on calls are counted. */
static void begin(const int pipes[2])
{
    const char *files = getenv("FAULTS_FILES");
    close(pipes[0]);
    close(pipes[1]);
    redirect(files, ".in", O_RDONLY, 0);
    redirect(files, ".out", O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(files, ".err", O_WRONLY | O_CREAT | O_TRUNC, 2);
    fault_shared = state;
}

static void load_libraries(void)
{
    char *names = getenv("FAULTS_LOAD");
    char *copy = strdup(names ? names : "");
    char *place = NULL;
    for (char *name = strtok_r(copy, ":", &place); name; name = strtok_r(NULL, ":", &place))
        if (!dlopen(name, RTLD_NOW))
            fprintf(stderr, "%s\n", dlerror());
    free(copy);
}

static int (*real_main)(int, char **, char **);

/* Returns in a child only, which becomes the command. */
static void serve(char *program)
{
    int pipes[2];
    char line[128];
    const char *given = getenv("FAULTS_PIPES");
    void *warm[4];
    if (!given || sscanf(given, "%d,%d", &pipes[0], &pipes[1]) != 2)
        return;
    load_libraries();
    backtrace(warm, 4);
    dl_iterate_phdr(add_ranges, program);
    /* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory wants */
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsetenv("LD_PRELOAD");
    FILE *in = fdopen(pipes[0], "r");
    FILE *out = fdopen(pipes[1], "w");
    while (state != MAP_FAILED && in && out && fgets(line, sizeof line, in)) {
        int kind = 0;
        long at = 0;
        int after = 0;
        int status = 0;
        memset(state, 0, sizeof *state);
        if (sscanf(line, "%d %ld %d", &kind, &at, &after) != 3)
            break;
        state->kind = kind;
        state->at = at;
        state->after = after != 0;
        const pid_t child = fork();
        if (child == 0) {
            begin(pipes);
            return;
        }
        fprintf(out, "pid %d\n", (int)child);
        fflush(out);
        if (child < 0 || waitpid(child, &status, 0) != child)
            break;
        answer(out, status);
    }
    _exit(0);
}

static int serving_main(int argc, char **argv, char **environment)
{
    serve(argv[0]);
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return real(serving_main, argc, argv, init, fini, rtld_fini, stack_end);
}
