/* descriptors.c - the files of descriptors, from /proc. */
#include "record/watch/descriptors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 65536 /* that are kept; then all are forgotten */
#define PATH 4096

static uint64_t key_of(uint32_t pid, uint32_t number) {
    return u64map_key((uint64_t)pid << 32 | number);
}

static struct descriptor *find(const struct descriptors *d, uint64_t key) {
    uint64_t place = u64map_get(&d->places, key);
    return place == UINT64_MAX ? NULL : &d->v.v[place - 1];
}

void descriptors_free(struct descriptors *d) {
    for (size_t i = 0; i < d->v.n; i++)
        free(d->v.v[i].path);
    vec_free(&d->v);
    u64map_free(&d->places);
}

static struct descriptor *make(struct descriptors *d, uint64_t key) {
    struct descriptor *known = find(d, key);
    if (known)
        return known;
    if (d->v.n >= MOST) {
        descriptors_free(d);
        *d = (struct descriptors){.latest = d->latest, .since = d->latest};
    }
    vec_push(&d->v, ((struct descriptor){.key = key}));
    u64map_set(&d->places, key, d->v.n);
    return &d->v.v[d->v.n - 1];
}

void descriptors_closed(struct descriptors *d, uint32_t pid, uint32_t number, uint64_t time) {
    struct descriptor *one = make(d, key_of(pid, number));
    one->closed = time > one->closed ? time : one->closed;
    d->latest = time > d->latest ? time : d->latest;
    if (one->path && one->to > time)
        one->to = time;
}

/* The last close of a descriptor, or of all that its process has. */
static uint64_t last_close(const struct descriptors *d, uint32_t pid,
                           const struct descriptor *one) {
    const struct descriptor *all = find(d, key_of(pid, DESCRIPTORS_ALL));
    return all && all->closed > one->closed ? all->closed : one->closed;
}

const char *descriptors_known(const struct descriptors *d, uint32_t pid, uint32_t number,
                              uint64_t time) {
    const struct descriptor *one = find(d, key_of(pid, number)),
                            *all = find(d, key_of(pid, DESCRIPTORS_ALL));
    if (one == NULL || one->path == NULL || time < one->from || time > one->to)
        return NULL;
    return all && all->closed >= one->from ? NULL : one->path;
}

void descriptors_look(struct descriptors *d, uint32_t pid, uint32_t number, uint64_t time) {
    char path[64], target[PATH];
    struct descriptor *one = make(d, key_of(pid, number));
    if (last_close(d, pid, one) > time || time < d->since)
        return;
    snprintf(path, sizeof path, "/proc/%lu/fd/%lu", (unsigned long)pid, (unsigned long)number);
    ssize_t n = readlink(path, target, sizeof target - 1);
    free(one->path);
    one->path = n > 0 ? err_copy(target, (size_t)n) : NULL;
    one->from = time;
    one->to = UINT64_MAX;
}
