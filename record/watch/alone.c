/* alone.c - a list in the order of the names, and the place of each process in it. */
#include "record/watch/alone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ERROR_SIGN " e"

bool alone_is_library(const char *name) {
    size_t n = strlen(ALONE_LIBRARY);
    return strncmp(name, ALONE_LIBRARY, n) == 0 &&
           (name[n] == 0 || name[n] == '\n' || strncmp(name + n, ERROR_SIGN, 2) == 0);
}

void alone_take(struct alone *alone, uint32_t pid, const char *name, const char *process) {
    size_t n = strlen(ALONE_LIBRARY);
    if (!alone_is_library(name) || name[n] != *ERROR_SIGN)
        return;
    long error = strtol(name + n + strlen(ERROR_SIGN), NULL, 10);
    uint64_t at = u64map_get(&alone->places, u64map_key(pid));
    if (error <= 0)
        return;
    if (at < alone->v.n) {
        alone->v.v[at].error = (int)error;
        return;
    }
    struct alone_process p = {.pid = pid, .error = (int)error};
    snprintf(p.name, sizeof p.name, "%.15s", process);
    u64map_set(&alone->places, u64map_key(pid), alone->v.n);
    vec_push(&alone->v, p);
}

void alone_free(struct alone *alone) {
    vec_free(&alone->v);
    u64map_free(&alone->places);
}
