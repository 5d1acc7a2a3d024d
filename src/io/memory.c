/* memory.c - asks /proc/meminfo and the limits of the process. */
#include "src/io/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define PACKED 6 /* a compressed trace may become so many times larger */

uint64_t memory_free(void) {
    static const char name[] = "MemAvailable:";
    char line[200];
    uint64_t free = UINT64_MAX;
    struct rlimit limit;
    FILE *f = fopen("/proc/meminfo", "re");
    while (f && free == UINT64_MAX && fgets(line, sizeof line, f))
        if (strncmp(line, name, sizeof name - 1) == 0)
            free = strtoull(line + sizeof name - 1, NULL, 10) << 10;
    if (f)
        fclose(f);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < free)
        free = limit.rlim_cur;
    return free;
}

uint64_t memory_need(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode))
        return 0;
    size_t n = strlen(path);
    bool packed = n > 4 && (strcmp(path + n - 3, ".gz") == 0 || strcmp(path + n - 4, ".zst") == 0);
    uint64_t size = (uint64_t)s.st_size, stored = (uint64_t)s.st_blocks * 512;
    return (stored < size ? stored : size) / 10 * (packed ? 7 * PACKED : 7);
}
