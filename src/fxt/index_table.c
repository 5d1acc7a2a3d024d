/* index_table.c - names, threads, and index tables that remember.
 *
 * Cost of a registration: 16 bytes in the log, 4 in a page of 64, 4 to 8 among those at hand; of a name: its bytes, 16
 * for its place, 12 to 24 in the hash. Names are hashed by SipHash-1-3, ids by two products, with a secret of this run:
 * neither can be chosen to collide. Guesses can, and then cost what they would have saved. */
#include "src/fxt/index_table.h"

#include <sys/random.h>
#include <time.h>

#include "src/base/wide.h"
#include "src/io/cache.h"

#define NO_NUMBER UINT32_MAX

static uint64_t secret[4]; /* secret[0] is odd once they are drawn */

static void draw_secret(void) {
    if (getrandom(secret, sizeof secret, GRND_NONBLOCK) != sizeof secret) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
            secret[i] = ((uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec) * (2 * i + 1);
    }
    secret[0] |= 1;
}

void map_secret(uint64_t out[4]) {
    if (secret[0] == 0)
        draw_secret();
    memcpy(out, secret, sizeof secret);
}

bool map_share_secret(const uint64_t in[4]) {
    if (secret[0] == 0 && in[0] & 1)
        memcpy(secret, in, sizeof secret);
    return memcmp(secret, in, sizeof secret) == 0;
}

static uint64_t rotate(uint64_t x, int b) {
    return x << b | x >> (64 - b);
}

static void sip_round(uint64_t v[4]) {
    v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
    v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
}

static void sip_start(uint64_t v[4]) {
    if (secret[0] == 0)
        draw_secret();
    v[0] = secret[0] ^ UINT64_C(0x736f6d6570736575);
    v[1] = secret[1] ^ UINT64_C(0x646f72616e646f6d);
    v[2] = secret[0] ^ UINT64_C(0x6c7967656e657261);
    v[3] = secret[1] ^ UINT64_C(0x7465646279746573);
}

static void sip_word(uint64_t v[4], uint64_t w) {
    v[3] ^= w;
    sip_round(v);
    v[0] ^= w;
}

static uint64_t sip_end(uint64_t v[4]) {
    v[2] ^= 0xff;
    sip_round(v);
    sip_round(v);
    sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t map_hash(const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    uint64_t v[4], w, tail = (uint64_t)n << 56;
    sip_start(v);
    for (; n >= 8; n -= 8, p += 8) {
        memcpy(&w, p, 8);
        sip_word(v, w);
    }
    w = 0;
    if (n > 0)
        memcpy(&w, p, n);
    sip_word(v, w | tail);
    return sip_end(v);
}

static uint64_t fold(uint64_t a, uint64_t b) {
    struct wide w = wide_mul(a, b);
    return w.hi ^ w.lo;
}

/* Two products with secret factors: a file's writer can neither see nor guess what meets what. */
uint64_t map_hash2(uint64_t a, uint64_t b) {
    if (secret[0] == 0)
        draw_secret();
    return fold(fold(a ^ secret[1], secret[2] | 1) + (b ^ secret[3]), secret[0]);
}

uint32_t map_find(const struct map *map, uint64_t hash, bool (*same)(const void *ctx, uint32_t number),
                  const void *ctx) {
    if (map->slots == NULL)
        return NO_NUMBER;
    for (size_t i = (size_t)(hash >> 32) & map->mask;; i = (i + 1) & map->mask) {
        uint32_t number = map->slots[i];
        if (number == 0)
            return NO_NUMBER;
        if (map->hashes[i] == (uint32_t)(hash >> 32) && same(ctx, number - 1))
            return number - 1;
    }
}

static void map_place(struct map *map, uint32_t top, uint32_t slot) {
    size_t i = top & map->mask;
    while (map->slots[i] != 0)
        i = (i + 1) & map->mask;
    map->slots[i] = slot;
    map->hashes[i] = top;
}

/* Only the top half of a hash is kept; it gives the place too, so that growing need not ask the owner. */
void map_add(struct map *map, uint64_t hash, uint32_t number) {
    if (map->slots == NULL || (map->n + 1) * 4 > (map->mask + 1) * 3) {
        struct map old = *map;
        size_t size = old.slots ? (old.mask + 1) * 2 : 16;
        map->mask = size - 1;
        map->slots = err_calloc(size, sizeof *map->slots);
        map->hashes = err_malloc(size * sizeof *map->hashes);
        map->guesses = NULL;
        for (size_t i = 0; old.slots && i <= old.mask; i++)
            if (old.slots[i] != 0)
                map_place(map, old.hashes[i], old.slots[i]);
        map_free(&old);
    }
    map_place(map, (uint32_t)(hash >> 32), number + 1);
    map->n++;
}

void map_make_guesses(struct map *map) {
    map->guesses = err_calloc((map->mask | MAP_GUESSES) + 1, sizeof *map->guesses);
}

void map_free(struct map *map) {
    free(map->slots);
    free(map->hashes);
    free(map->guesses);
    map->slots = NULL;
    map->hashes = NULL;
    map->guesses = NULL;
}

void map_walk(struct map *map, struct cache *cache) {
    cache_value(cache, map->mask);
    cache_value(cache, map->n);
    size_t slots = map->n > 0 ? map->mask + 1 : 0;
    free(map->guesses); /* there are as many again when one is asked for */
    map->guesses = NULL;
    map->slots = cache_copy(cache, map->slots, slots, sizeof *map->slots);
    map->hashes = cache_copy(cache, map->hashes, slots, sizeof *map->hashes);
}

/* Names: bytes in blocks that never move, so that a struct str of a name lasts as long as the names. */
#define NAME_BLOCK (256u << 10)

struct names {
    VEC(struct str) all;
    VEC(char *) blocks;
    size_t used, size; /* of the last block */
    uint64_t bytes;
    struct map map;
};

struct names *names_new(void) {
    struct names *names = err_calloc(1, sizeof *names);
    names_intern(names, "", 0);
    return names;
}

void names_free(struct names *names) {
    if (names == NULL)
        return;
    for (size_t i = 0; i < names->blocks.n; i++)
        free(names->blocks.v[i]);
    vec_free(&names->blocks);
    vec_free(&names->all);
    map_free(&names->map);
    free(names);
}

struct name_query {
    const struct names *names;
    struct str s;
};

static bool same_name(const void *ctx, uint32_t number) {
    const struct name_query *q = ctx;
    return str_eq(q->names->all.v[number], q->s);
}

uint32_t names_find(const struct names *names, const char *s, size_t n) {
    struct name_query q = {names, {s, n}};
    return map_find(&names->map, map_hash(s, n), same_name, &q);
}

static char *name_room(struct names *names, size_t n) {
    if (names->size - names->used < n) {
        size_t size = n > NAME_BLOCK ? n : names->blocks.n == 0 ? 4096 : NAME_BLOCK;
        char *block = err_malloc(size);
        vec_push(&names->blocks, block);
        names->used = 0;
        names->size = size;
        names->bytes += size;
    }
    char *room = names->blocks.v[names->blocks.n - 1] + names->used;
    names->used += n;
    return room;
}

/* A word of its first and last bytes. */
static uint64_t name_key(const char *s, size_t n) {
    uint64_t first = 0, last = 0;
    if (n >= 8) {
        memcpy(&first, s, 8);
        memcpy(&last, s + n - 8, 8);
    } else if (n >= 4) {
        memcpy(&first, s, 4);
        memcpy(&last, s + n - 4, 4);
    } else if (n > 0) {
        first = (unsigned char)s[0] | (uint64_t)(unsigned char)s[n / 2] << 8 | (uint64_t)(unsigned char)s[n - 1] << 16;
    }
    return first ^ rotate(last, 23) ^ n;
}

uint32_t names_intern(struct names *names, const char *s, size_t n) {
    struct name_query q = {names, {s, n}};
    uint64_t key = name_key(s, n);
    uint32_t *guess = map_guess(&names->map, key);
    if (*guess && same_name(&q, *guess - 1))
        return *guess - 1;
    uint64_t hash = map_hash(s, n);
    uint32_t id = map_find(&names->map, hash, same_name, &q);
    if (id != NO_NUMBER) {
        *guess = id + 1;
        return id;
    }
    char *copy = name_room(names, n + (n == 0));
    memcpy(copy, s, n);
    id = (uint32_t)names->all.n;
    vec_push(&names->all, ((struct str){copy, n}));
    map_add(&names->map, hash, id);
    return id;
}

struct str names_str(const struct names *names, uint32_t id) {
    return names->all.v[id];
}

uint32_t names_count(const struct names *names) {
    return (uint32_t)names->all.n;
}

uint64_t names_bytes(const struct names *names) {
    return names->bytes + names->all.cap * sizeof(struct str) + (names->map.mask + 1) * 12;
}

/* Their lengths, and then all bytes. */
void names_walk(struct names *names, struct cache *cache) {
    VEC(uint32_t) lengths = {0};
    uint64_t bytes = 0;
    for (size_t i = 0; !cache_reads(cache) && i < names->all.n; i++) {
        vec_push(&lengths, (uint32_t)names->all.v[i].n);
        bytes += names->all.v[i].n;
    }
    cache_vec(cache, &lengths);
    cache_value(cache, bytes);
    if (cache_reads(cache)) {
        const char *s = cache_array(cache, NULL, bytes, 1);
        names->all.n = 0;
        for (size_t i = 0; lengths.v && i < lengths.n && lengths.v[i] <= bytes; i++) {
            vec_push(&names->all, ((struct str){lengths.v[i] > 0 ? s : "", lengths.v[i]}));
            s = s ? s + lengths.v[i] : NULL;
            bytes -= lengths.v[i];
        }
        map_free(&names->map);
    } else {
        char *all = err_malloc(bytes + 1), *at = all;
        for (size_t i = 0; i < names->all.n; i++) {
            memcpy(at, names->all.v[i].s, names->all.v[i].n);
            at += names->all.v[i].n;
        }
        cache_array(cache, all, bytes, 1);
        free(all);
    }
    vec_free(&lengths);
    map_walk(&names->map, cache);
}

struct threads {
    VEC(struct thread_id) all;
    struct map map;
};

struct threads *threads_new(void) {
    return err_calloc(1, sizeof(struct threads));
}

void threads_free(struct threads *threads) {
    if (threads == NULL)
        return;
    vec_free(&threads->all);
    map_free(&threads->map);
    free(threads);
}

void threads_walk(struct threads *threads, struct cache *cache) {
    cache_vec(cache, &threads->all);
    map_walk(&threads->map, cache);
}

struct thread_query {
    const struct threads *threads;
    const struct thread_id *id;
};

static bool same_thread(const void *ctx, uint32_t number) {
    const struct thread_query *q = ctx;
    const struct thread_id *a = &q->threads->all.v[number], *b = q->id;
    return a->pid == b->pid && a->tid == b->tid && a->form == b->form && a->index == b->index &&
           a->provider == b->provider;
}

static uint64_t thread_hash(const struct thread_id *id) {
    return map_hash2(id->pid ^ (uint64_t)id->form << 61 ^ (uint64_t)id->provider << 20, id->tid + id->index);
}

uint32_t threads_find(const struct threads *threads, const struct thread_id *id) {
    struct thread_query q = {threads, id};
    return map_find(&threads->map, thread_hash(id), same_thread, &q);
}

uint32_t threads_intern(struct threads *threads, const struct thread_id *id) {
    uint32_t number = threads_find(threads, id);
    if (number != NO_NUMBER)
        return number;
    number = (uint32_t)threads->all.n;
    vec_push(&threads->all, *id);
    map_add(&threads->map, thread_hash(id), number);
    return number;
}

uint32_t threads_intern_ids(struct threads *threads, enum thread_form form, uint64_t pid, uint64_t tid,
                            uint64_t offset) {
    uint64_t key = tid ^ pid << 32 ^ (uint64_t)form << 63;
    uint32_t guess = *map_guess(&threads->map, key);
    if (guess) {
        const struct thread_id *t = &threads->all.v[guess - 1];
        if (t->tid == tid && t->pid == pid && t->form == form)
            return guess - 1;
    }
    uint32_t number = threads_intern(threads, &(struct thread_id){.pid = pid, .tid = tid, .form = form, .offset = offset});
    *map_guess(&threads->map, key) = number + 1;
    return number;
}

uint32_t threads_count(const struct threads *threads) {
    return (uint32_t)threads->all.n;
}

const struct thread_id *threads_id(const struct threads *threads, uint32_t number) {
    return &threads->all.v[number];
}

static uint64_t def_key(uint32_t index, uint64_t offset) {
    return (uint64_t)index << 48 | (offset / 8 & ((UINT64_C(1) << 48) - 1));
}

void deftab_set(struct deftab *t, uint32_t index, uint64_t offset, uint32_t value) {
    uint32_t page = index >> 6;
    if (page >= t->npages) {
        t->pages = err_realloc(t->pages, page + 1, sizeof *t->pages);
        memset(t->pages + t->npages, 0, (page + 1 - t->npages) * sizeof *t->pages);
        t->npages = page + 1;
    }
    if (t->pages[page] == NULL)
        t->pages[page] = err_calloc(64, sizeof **t->pages);
    if (t->pages[page][index & 63] == value)
        return; /* registered again as it was: nothing new holds from here on */
    t->pages[page][index & 63] = value;
    if (index <= t->dense)
        t->near[index] = value;
    for (uint32_t v; (v = deftab_get(t, t->dense + 1)) != 0;) {
        if (t->dense + 2 > t->near_cap) {
            t->near_cap = t->near_cap * 2 + 8;
            t->near = err_realloc(t->near, t->near_cap, sizeof *t->near);
            t->near[0] = 1;
        }
        t->near[++t->dense] = v;
    }
    if (t->n == t->cap) {
        t->cap += t->cap / 2 + 4;
        t->log = err_realloc(t->log, t->cap, sizeof *t->log);
    }
    t->log[t->n++] = (struct def){def_key(index, offset), value, 0};
}

static int def_order(const void *a, const void *b) {
    uint64_t x = ((const struct def *)a)->key, y = ((const struct def *)b)->key;
    return x < y ? -1 : x > y;
}

uint32_t deftab_at(struct deftab *t, uint32_t index, uint64_t offset) {
    uint64_t key = def_key(index, offset);
    if (t->n - t->sorted > 256) { /* the log grows in file order; a look-up wants it by index */
        qsort(t->log, t->n, sizeof *t->log, def_order);
        t->sorted = t->n;
    }
    const struct def *best = NULL;
    size_t lo = 0, hi = t->sorted;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->log[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo > 0 && t->log[lo - 1].key >> 48 == index)
        best = &t->log[lo - 1];
    for (size_t i = t->sorted; i < t->n; i++)
        if (t->log[i].key >> 48 == index && t->log[i].key < key && (best == NULL || best->key < t->log[i].key))
            best = &t->log[i];
    return best ? best->value : 0;
}

void deftab_free(struct deftab *t) {
    for (uint32_t i = 0; i < t->npages; i++)
        free(t->pages[i]);
    free(t->pages);
    free(t->near);
    if (t->cap > 0)
        free(t->log);
    *t = (struct deftab){0};
}

void deftab_walk(struct deftab *t, struct cache *cache) {
    cache_value(cache, t->n);
    cache_value(cache, t->sorted);
    t->log = cache_array(cache, t->log, t->n, sizeof *t->log);
    if (cache_reads(cache))
        t->cap = 0; /* borrowed */
}
