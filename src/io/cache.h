/* cache.h - the index cache: the index of a trace on disk, from one run to the next.
 *
 * Each trace has one file in $XDG_CACHE_HOME/fxtop, else ~/.cache/fxtop. It belongs to one build of
 * the program and to one content of the trace: size, times and a sample are compared. The index
 * of a trace that is inflated or converted also has its words, if they take at most a quarter of
 * the cache.
 * All files together take at most CACHE_MOST bytes; the least recently used are removed first.
 * Failure to write is no error: the next run builds the index again.
 *
 * One persist visitor goes over the content; the same function measures, writes and reads it. Near
 * bytes are verified as a whole when the file is found. Far bytes, most of them, are verified by
 * block on first use (cache_look()). Arrays that were read are in a private mapping of the file and
 * are valid as long as it is. */
#ifndef FXTOP_CACHE_H
#define FXTOP_CACHE_H

#include <sys/types.h>

#include "src/io/file.h"

#define CACHE_MOST (UINT64_C(2) << 30)

struct cache;
struct map;

/* Bytes that all files together may take from now on; at first CACHE_MOST. */
void cache_limit(uint64_t bytes);

/* Opens the cached index of the file for reading, or of a set of files or parts, which have their
 * own bytes. set: all else that the index depends on, by cache_mix(); 0 for one file. NULL: there
 * is none for their present content, or it is damaged. */
struct cache *cache_find(struct file *file, uint64_t set);
/* A number that is the same in each process. */
uint64_t cache_mix(uint64_t hash, uint64_t value);
/* To be called before anything is hashed, if that comes before cache_find(). */
void cache_share_key(void);
/* Gives the file the bytes that the index keeps of it (kept_bytes.h). False: it cannot take
 * them. */
bool cache_restore(const struct cache *cache, struct file *file);
void cache_close(struct cache *cache); /* may be NULL */
/* Whether the visitor has read everything, no more and no less. */
bool cache_whole(const struct cache *cache);
void cache_remove(const struct cache *cache); /* deletes the file */

/* Starts a process that writes what visit() visits, in its present state, and leaves a complete
 * file or none. 0: no process could be started, or there is no directory. It costs a copy of this
 * process's page tables. The child has no file open but its own. */
pid_t cache_spawn(struct file *file, uint64_t set, void (*visit)(struct cache *cache, void *ctx),
                  void *ctx);
/* Polls the writer, or waits for it. Not to be called again after it returned true. It may outlive
 * this process. */
bool cache_reap(pid_t writer, bool wait);
/* Writes the index in this process. False: it was not written. */
bool cache_write(struct file *file, uint64_t set, void (*visit)(struct cache *cache, void *ctx),
                 void *ctx);

/* ---- for persist visitors. A failure is remembered: all later values are zeros, and cache_whole()
 * is false. */

bool cache_reads(const struct cache *cache);
/* The bytes of a value as in memory. Pointers in a value that was read are invalid. */
void cache_bytes(struct cache *cache, void *p, size_t n);
/* An array of n elements of `size` bytes; returns it. When reading, v is ignored and the array is
 * in the mapping. */
void *cache_array(struct cache *cache, void *v, size_t n, size_t size);
/* Like cache_array(), but reads into memory from malloc(). */
void *cache_copy(struct cache *cache, void *v, size_t n, size_t size);
void cache_map(struct cache *cache, struct map *map);

#define cache_value(c, v) cache_bytes((c), &(v), sizeof(v))
#define cache_vec(c, a)                                                                            \
    do {                                                                                           \
        cache_value((c), (a)->n);                                                                  \
        (a)->v = cache_array((c), (a)->v, (a)->n, sizeof *(a)->v);                                 \
        if (cache_reads(c))                                                                        \
            (a)->cap = 0; /* borrowed */                                                           \
    } while (0)

#define CACHE_BLOCK 4096u /* far bytes with one checksum */

/* Writes the next n bytes of a far array. The size of each part but the last is a multiple of
 * CACHE_BLOCK. */
void cache_put_far(struct cache *cache, const void *v, size_t n);

struct cache_far { /* a far array that was read */
    unsigned char *v;
    uint64_t *checks; /* checksum of each block; 0: the block was verified */
    uint64_t n;       /* bytes */
    struct cache *cache;
};

/* The next far array, of n bytes; NULL: the file does not have it. Freed with the cache. */
struct cache_far *cache_take_far(struct cache *cache, uint64_t n);
/* Verifies a block. If it is damaged, fill() overwrites it with valid content and cache_damaged()
 * becomes true. */
void cache_look(struct cache_far *far, uint64_t block, void (*fill)(void *ctx, uint64_t block),
                void *ctx);
bool cache_damaged(const struct cache *cache);
/* Verifies all far bytes that the visitor took: false if some are damaged. Looks at them are free
 * from then on. */
bool cache_verify(struct cache *cache);

#endif
