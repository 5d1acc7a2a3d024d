/* index_table.h - what records define: names, threads, providers with their string and thread tables and their clock.
 *
 * names: bytes -> dense id, copied once; id 0 is the empty string. threads: (pid, tid) -> dense number. A provider's
 * table gives the current value of an index in two loads, and by binary search the value an index had at an offset:
 * each registration costs 16 bytes and the distinct bytes of its string. Hashes are keyed per run. */
#ifndef FXTOP_INDEX_TABLE_H
#define FXTOP_INDEX_TABLE_H

#include "src/base/str.h"
#include "src/base/vec.h"

struct cache; /* cache.h: for what is kept */

/* A keyed open-addressing map from a hash to a dense number; the owner compares. */
struct map {
    uint32_t *slots; /* number + 1, 0: free */
    uint32_t *hashes;
    uint32_t *guesses; /* at least as many; NULL while nobody asks for one */
    size_t mask, n;
};

/* The secret of all maps: they may be kept and read again by a run that has the same. The second is false where this
 * run has another one already. */
void map_secret(uint64_t secret[4]);
bool map_share_secret(const uint64_t secret[4]);

uint64_t map_hash(const void *bytes, size_t n); /* keyed, for hostile content */
uint64_t map_hash2(uint64_t a, uint64_t b);     /* keyed, of two words */
/* Calls same(ctx, number) on candidates; returns the number, or UINT32_MAX. */
uint32_t map_find(const struct map *map, uint64_t hash, bool (*same)(const void *ctx, uint32_t number),
                  const void *ctx);
void map_add(struct map *map, uint64_t hash, uint32_t number);
/* Where to note what was found for a key, number + 1, and to find it again without a hash: the owner compares, for a
 * key is any word that tells most apart. Lasts until the next map_add(). */
#define MAP_GUESSES 1023 /* a mask: of few, all differ mostly */
void map_make_guesses(struct map *map);
static inline uint32_t *map_guess(struct map *map, uint64_t key) {
    if (map->guesses == NULL)
        map_make_guesses(map);
    return &map->guesses[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (map->mask | MAP_GUESSES)];
}
void map_free(struct map *map);
void map_walk(struct map *map, struct cache *cache);

struct names;
struct names *names_new(void);
void names_free(struct names *names);
void names_walk(struct names *names, struct cache *cache);
uint32_t names_intern(struct names *names, const char *s, size_t n); /* one that came before: by a guess */
uint32_t names_find(const struct names *names, const char *s, size_t n); /* UINT32_MAX: not there */
struct str names_str(const struct names *names, uint32_t id);
uint32_t names_count(const struct names *names);
uint64_t names_bytes(const struct names *names); /* own memory */

#define NO_THREAD UINT32_MAX

struct thread_id {
    uint64_t pid, tid;
    uint8_t index;     /* of an undefined thread of `provider` */
    uint8_t form;      /* enum thread_form */
    uint32_t provider; /* number of the provider, undefined ones */
    uint64_t offset;   /* of the first record that names it */
};

enum thread_form {
    THREAD_PAIR,      /* process and thread known */
    THREAD_TID,       /* only the thread's koid (scheduling subtypes 1 and 2, profiler, kernel objects) */
    THREAD_UNDEFINED, /* <thread 9> of a provider */
};

struct threads;
struct threads *threads_new(void);
void threads_free(struct threads *threads);
void threads_walk(struct threads *threads, struct cache *cache);
uint32_t threads_intern(struct threads *threads, const struct thread_id *id);
/* The same of a form that is told by its ids, THREAD_PAIR or THREAD_TID (pid 0); by a guess, too. */
uint32_t threads_intern_ids(struct threads *threads, enum thread_form form, uint64_t pid, uint64_t tid, uint64_t offset);
uint32_t threads_find(const struct threads *threads, const struct thread_id *id); /* NO_THREAD: not there */
uint32_t threads_count(const struct threads *threads);
const struct thread_id *threads_id(const struct threads *threads, uint32_t number);

struct deftab {       /* index -> value, now and at an offset */
    uint32_t dense;   /* 1..dense are all registered: most look-ups only ask those */
    uint32_t *near;   /* their values, from [1] on; [0] is 1: reference 0 means what is numbered 0. NULL: none are */
    uint32_t near_cap;
    uint32_t **pages; /* of 64 values each */
    uint32_t npages;
    struct def {
        uint64_t key;
        uint32_t value, pad;
    } * log; /* key: index << 48 | offset / 8 */
    size_t n, cap, sorted;
};

static inline uint32_t deftab_get(const struct deftab *t, uint32_t index) { /* 0: never registered */
    return index >> 6 < t->npages && t->pages[index >> 6] ? t->pages[index >> 6][index & 63] : 0;
}
void deftab_set(struct deftab *t, uint32_t index, uint64_t offset, uint32_t value); /* value > 0 */
uint32_t deftab_at(struct deftab *t, uint32_t index, uint64_t offset); /* last value set before offset, or 0 */
void deftab_free(struct deftab *t);
void deftab_walk(struct deftab *t, struct cache *cache); /* what an index meant at an offset, not what it means now */

#define TIME_BRIEF ((UINT64_C(1) << 61) - 1) /* ns: the difference of two such needs no check */

struct clock {
    uint64_t tps;   /* ticks per second; 1 tick = 1 ns where 0 */
    uint64_t scale; /* ns a tick where that is whole, else 0 */
    uint64_t brief; /* ticks that are at most TIME_BRIEF ns; 0 where scale is */
};

#define PROVIDER_NO_TIME INT64_MIN /* no event has that: it would be out of range */

struct provider {
    uint32_t number; /* place in the file's order; 0 is the implicit one */
    uint32_t id;
    struct str name; /* owned */
    uint64_t offset; /* of the record that made it */
    bool declared;   /* by a provider info record */
    bool implicit;
    struct deftab strings; /* value: name id + 1 */
    struct deftab threads; /* value: thread number + 1 */
    struct clock clock;
    uint64_t records;
    int64_t last_time; /* of its last event; PROVIDER_NO_TIME: it has none */
};

#endif
