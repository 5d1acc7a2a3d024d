/* nsys_names.h - the texts, owners and launches that rows of an nsys database refer to. */
#ifndef FXTOP_NSYS_NAMES_H
#define FXTOP_NSYS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/map.h"
#include "src/base/str.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/import/profiles/stack_tree.h"

#define NSYS_KEY 4

struct nsys_key { /* its kind, and numbers */
    int64_t v[NSYS_KEY];
};

struct nsys_entry {
    struct nsys_key key;
    uint64_t value;
};

/* Numbers by keys; the latest value counts. */
struct nsys_table {
    struct map map;
    VEC(struct nsys_entry) entries;
};

void nsys_table_set(struct nsys_table *t, const struct nsys_key *key, uint64_t value);
uint64_t nsys_table_get(const struct nsys_table *t,
                        const struct nsys_key *key); /* UINT64_MAX: none */
void nsys_table_free(struct nsys_table *t);

struct nsys_text {
    size_t at, n;
};

/* Texts one after the other. */
struct nsys_texts {
    VEC(char) bytes;
    VEC(struct nsys_text) v;
};

uint64_t nsys_texts_add(struct nsys_texts *texts, struct str text);
struct str nsys_texts_get(const struct nsys_texts *texts, uint64_t i);
void nsys_texts_free(struct nsys_texts *texts);

/* Calls that work of the GPU may come from. */
struct nsys_launch {
    uint64_t pid, tid, ts;
    int64_t correlation;
};

struct nsys_launches {
    VEC(struct nsys_launch) v;
    bool sorted;
};

void nsys_launches_add(struct nsys_launches *all, const struct nsys_launch *one);
/* The latest one of this correlation that began by then, else the first; NULL: none. */
const struct nsys_launch *nsys_launches_find(struct nsys_launches *all, uint64_t pid,
                                             int64_t correlation, uint64_t ts);

/* Stacks by the numbers of their samples; stacks that begin alike share that part. */
struct nsys_stacks {
    struct stack_tree tree;
    struct u64map below;  /* by stack + 1 and frame */
    struct u64map stacks; /* by sample; UINT32_MAX: it was taken */
};

/* frames: the innermost first */
void nsys_stacks_add(struct nsys_stacks *stacks, int64_t id, const uint32_t *frames, size_t n);
/* Sets the frames of a sample, until the next call. A stack is taken once. */
void nsys_stacks_take(struct nsys_stacks *stacks, int64_t id, struct samples_sample *sample);
void nsys_stacks_free(struct nsys_stacks *stacks);

#endif
