/* names.c - interned strings.
 *
 * The bytes are in blocks that never move, so that a struct str of a name lasts as long as the
 * names. A name costs its bytes, 16 bytes for its place, and 12 to 24 in the map. */
#include "src/fxt/names.h"

#include "src/base/map.h"
#include "src/base/vec.h"
#include "src/io/cache.h"

#define NAME_BLOCK (256u << 10) /* bytes; the first block is smaller */

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
    return map_find(&names->map, hash_bytes(s, n), same_name, &q);
}

static char *name_space(struct names *names, size_t n) {
    if (names->size - names->used < n) {
        size_t usual = names->blocks.n == 0 ? 4096 : NAME_BLOCK;
        size_t size = n > NAME_BLOCK ? n : usual;
        char *block = err_malloc(size);
        vec_push(&names->blocks, block);
        names->used = 0;
        names->size = size;
        names->bytes += size;
    }
    char *space = names->blocks.v[names->blocks.n - 1] + names->used;
    names->used += n;
    return space;
}

uint64_t names_hash(const struct names *names, const char *s, size_t n) {
    uint64_t hash = hash_bytes(s, n);
    map_prefetch(&names->map, hash);
    return hash;
}

uint32_t names_intern_hashed(struct names *names, const char *s, size_t n, uint64_t hash) {
    struct name_query q = {names, {s, n}};
    uint32_t id = map_intern(&names->map, hash, same_name, &q, (uint32_t)names->all.n);
    if (id < names->all.n)
        return id;
    char *copy = name_space(names, n + (n == 0));
    memcpy(copy, s, n);
    vec_push(&names->all, ((struct str){copy, n}));
    return id;
}

uint32_t names_intern(struct names *names, const char *s, size_t n) {
    struct name_query q = {names, {s, n}};
    uint32_t *guess = map_guess(&names->map, hash_sketch(s, n)), before = (uint32_t)names->all.n;
    if (*guess && same_name(&q, *guess - 1))
        return *guess - 1;
    uint32_t id = names_intern_hashed(names, s, n, hash_bytes(s, n));
    if (id < before)
        *guess = id + 1;
    return id;
}

struct str names_str(const struct names *names, uint32_t id) {
    return names->all.v[id];
}

uint32_t names_count(const struct names *names) {
    return (uint32_t)names->all.n;
}

uint64_t names_bytes(const struct names *names) {
    return names->bytes + names->all.cap * sizeof(struct str) + map_bytes(&names->map);
}

/* Writes all lengths and then all bytes. Names that are read point into the file of the cache. */
void names_persist(struct names *names, struct cache *cache) {
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
    cache_map(cache, &names->map);
}
