/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is room for, and what the system keeps of files. A case that needs more disk or memory than is free is
 * left out, with a sentence: better than a machine that swaps. A file is made cold by asking the system to forget it
 * (posix_fadvise, which needs no rights), once it is on disk; mincore tells whether it did. */

#include "bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const double DISK_SPARE = 2e9; /* is left to others */

static double free_disk(const char *folder)
{
    struct statvfs found;
    return statvfs(folder, &found) == 0 ? (double)found.f_bavail * (double)found.f_frsize : 0;
}

/* MemAvailable, in bytes; where there is no such line: all of it. */
static double free_memory(void)
{
    char line[256];
    double kilobytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1024;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kilobytes = strtod(line + 13, NULL);
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}

bool bench_has_room(bench *b, const bench_case *c, double disk, double memory)
{
    const double disk_there = free_disk(b->folder);
    const double memory_there = free_memory();
    if (disk > 0 && disk + DISK_SPARE > disk_there)
        bench_leave_out(b, "%s: its data takes %.1f GB, and %s has only %.1f GB free", c->name, disk * 1e-9, b->folder,
                        disk_there * 1e-9);
    else if (memory > memory_there)
        bench_leave_out(b, "%s: both programs take about %.1f GB of memory, and only %.1f GB are free", c->name,
                        memory * 1e-9, memory_there * 1e-9);
    else
        return true;
    return false;
}

bool bench_file_exists(const char *path)
{
    return access(path, R_OK) == 0;
}

double bench_file_bytes(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (double)found.st_size : 0;
}

/* The share of the file's pages that are in memory. */
static double share_kept(int file, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t pages = (bytes + page - 1) / page;
    size_t kept = 0;
    unsigned char *is_kept = malloc(pages);
    void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (is_kept && map != MAP_FAILED && mincore(map, bytes, is_kept) == 0)
        for (size_t i = 0; i < pages; i++)
            kept += is_kept[i] & 1;
    else
        kept = pages;
    if (map != MAP_FAILED)
        munmap(map, bytes);
    free(is_kept);
    return (double)kept / (double)pages;
}

double bench_file_forget(const char *path)
{
    const int file = open(path, O_RDONLY);
    const double bytes = bench_file_bytes(path);
    double kept = 1;
    if (file < 0 || bytes <= 0)
        return kept;
    if (fsync(file) == 0 && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0)
        kept = share_kept(file, (size_t)bytes);
    close(file);
    return kept;
}

/* A line of /proc/self/status, in bytes. */
static double status_of(const char *name)
{
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = strtod(line + strlen(name), NULL);
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}

double bench_memory_begin(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return status_of("VmRSS:");
}

double bench_memory_peak(void)
{
    return status_of("VmHWM:");
}
