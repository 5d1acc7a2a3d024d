/* cache.h - an index that is kept from one run to the next: a file a trace in $XDG_CACHE_HOME/fxtop, else
 * ~/.cache/fxtop. It belongs to one build of the program and to one content of one file: size, times and a sample are
 * compared. All of them together take at most CACHE_MOST bytes; those that were used longest ago go first.
 *
 * One persist visitor goes over the content; the same function measures, writes and reads it. Near bytes are verified
 * as a whole when the file is found. Far bytes, most of them, are verified by block on first use (cache_look()).
 * Arrays that were read are in a private mapping of the file and are valid as long as it is. */
#ifndef FXTOP_CACHE_H
#define FXTOP_CACHE_H

#include <sys/types.h>

#include "src/io/file.h"

#define CACHE_MOST (UINT64_C(2) << 30)

struct cache;
struct map;

/* The kept index of the file as it is now, opened for reading; NULL where there is none that is whole. */
struct cache *cache_find(const struct file *file);
void cache_close(struct cache *cache); /* may be NULL */
/* Was all of it there, and read by the walk? */
bool cache_whole(const struct cache *cache);
void cache_remove(const struct cache *cache);

/* Starts a process that writes what visit() visits, in its present state, and leaves a complete file or none. 0: no
 * process could be started, or there is no directory. It costs a copy of this process's page tables. The child has no
 * file open but its own. */
pid_t cache_spawn(const struct file *file, void (*visit)(struct cache *cache, void *ctx), void *ctx);
/* Polls the writer, or waits for it. Not to be called again after it returned true. It may outlive this process. */
bool cache_reap(pid_t writer, bool wait);
/* Writes it in this process. */
bool cache_write(const struct file *file, void (*visit)(struct cache *cache, void *ctx), void *ctx);

/* ---- for walks */

bool cache_reads(const struct cache *cache);
/* A value as its bytes lie in memory; pointers in it mean nothing once they are read. */
void cache_bytes(struct cache *cache, void *p, size_t n);
/* n elements of `size` bytes; when they are read v does not matter, and they are where the map has them. */
void *cache_array(struct cache *cache, void *v, size_t n, size_t size);
/* Does the same, but reads into memory of its own, for free(). */
void *cache_copy(struct cache *cache, void *v, size_t n, size_t size);
void cache_map(struct cache *cache, struct map *map);

#define cache_value(c, v) cache_bytes((c), &(v), sizeof(v))
#define cache_vec(c, a)                                                                                                \
    do {                                                                                                               \
        cache_value((c), (a)->n);                                                                                      \
        (a)->v = cache_array((c), (a)->v, (a)->n, sizeof *(a)->v);                                                     \
        if (cache_reads(c))                                                                                            \
            (a)->cap = 0; /* borrowed */                                                                               \
    } while (0)

#define CACHE_BLOCK 3072u /* bytes that are far and checked together */

/* The next n far bytes, of an array whose parts follow each other, each but the last a multiple of CACHE_BLOCK. */
void cache_put_far(struct cache *cache, const void *v, size_t n);

struct cache_far { /* such an array as it was read */
    unsigned char *v;
    uint64_t *checks; /* of its blocks; zeroed once they were compared */
    uint64_t n;       /* bytes */
    struct cache *cache;
};

struct cache_far *cache_take_far(struct cache *cache, uint64_t n); /* freed with the cache */
/* Compares a block; where it is damaged, fill() puts something harmless there, and cache_damaged(). */
void cache_look(struct cache_far *far, uint64_t block, void (*fill)(void *ctx, uint64_t block), void *ctx);
bool cache_damaged(const struct cache *cache);

#endif
