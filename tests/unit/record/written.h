/* written.h - a file that a module of record/ writes, and its records as a suite reads them: word
 * by word. */
#ifndef FXTOP_WRITTEN_H
#define FXTOP_WRITTEN_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "record/output.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"

struct written {
    char path[SCRATCH_PATH];
    struct output output;
    uint64_t *v; /* the file, after written_read() */
    size_t n;
};

static inline void written_begin(struct written *w, uint64_t limit) {
    struct err err;
    int fd = scratch_file(w->path, "written");
    ck_assert_int_ge(fd, 0);
    close(fd);
    w->v = NULL;
    w->n = 0;
    ck_assert_msg(output_open(&w->output, w->path, limit, &err), "%s", err.text);
}

static inline size_t written_size(uint64_t header) {
    return (header & 15) == 15 ? (size_t)(header >> 4 & 0xffffffff) : (size_t)(header >> 4 & 0xfff);
}

/* Reads the file, whose records must be whole. */
static inline void written_read(struct written *w) {
    FILE *f = fopen(w->path, "rb");
    ck_assert_ptr_nonnull(f);
    fseek(f, 0, SEEK_END);
    long bytes = ftell(f);
    rewind(f);
    ck_assert_int_eq(bytes % 8, 0);
    free(w->v);
    w->n = (size_t)bytes / 8;
    w->v = malloc((size_t)bytes + 8);
    ck_assert_uint_eq(fread(w->v, 8, w->n, f), w->n);
    fclose(f);
    size_t at = 0;
    while (at < w->n) {
        size_t size = written_size(w->v[at]);
        ck_assert(size > 0 && size <= w->n - at);
        at += size;
    }
}

/* The number of records of a type, and of a kind of it (bits 16 to 19), or of any if it is -1. */
static inline unsigned written_count(const struct written *w, unsigned type, int kind) {
    unsigned n = 0;
    for (size_t at = 0; at < w->n; at += written_size(w->v[at]))
        n += (w->v[at] & 15) == type && (kind < 0 || (w->v[at] >> 16 & 15) == (unsigned)kind);
    return n;
}

static inline void written_end(struct written *w) {
    free(w->v);
    unlink(w->path);
}

#endif
