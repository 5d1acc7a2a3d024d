/* async.c - joins begins and ends of async operations, in (time, file order), and gives them rows
 * (SEMANTICS 8).
 *
 * Open operations are in an index by category and id. The ones that share both are a family, mostly
 * of one: an end looks at them one by one, and in a large family asks the index by the other keys.
 * A new operation takes the first row below its outer one without an open operation. A tree of bits
 * per group finds that row in O(log n). An event that is earlier than a processed one leads to a
 * rebuild (time_log.h). It derives a second state, which then takes the place of the first. */
#include "model/store/async_internal.h"

#include <string.h>

#include "src/base/discard.h"

#define DERIVE_COST 6 /* of an event, in units of work */

/* (category, id); (process, category, id); the same two and their name; (thread, category, id), and
 * its name */
enum key { ANY, KEY, KEY_NAME, ANY_NAME, THREAD, THREAD_NAME, KEYS };

static inline bool is_own(enum key k) {
    return k == KEY || k == KEY_NAME;
}

static inline bool is_of_thread(enum key k) {
    return k >= THREAD;
}

static inline bool is_named(enum key k) {
    return k == KEY_NAME || k == ANY_NAME || k == THREAD_NAME;
}

static inline uint64_t key(const struct open_who *who, unsigned k) {
    uint32_t place = is_own(k) ? who->process : 0;
    if (is_of_thread(k))
        place = who->thread;
    uint64_t whose = hash_words(who->id, (uint64_t)who->category << 32 | place);
    return is_named(k) ? hash_words(whose, who->name) : whose;
}

static inline int64_t time_of(const struct async_arrival *e) {
    return e->entry.at.time;
}

static inline uint64_t offset_of(const struct async_arrival *e) {
    return event_key_offset(e->entry.at.offset);
}

/* Ids of two worlds are never the same. */
static inline struct open_who who(const struct async_derived *async,
                                  const struct async_arrival *e) {
    uint64_t id = e->entry.value;
    if (async->worlds)
        id = world_key(world_at(async->worlds, offset_of(e)), id);
    return (struct open_who){id, e->key.who, e->key.category, e->key.name, e->key.thread};
}

void async_init(struct async *async) {
    *async = (struct async){0};
    open_index_init(&async->state.open, KEYS, key);
}

static void free_group(struct async_group *g) {
    for (uint32_t row = 0; row < g->nlanes; row++)
        lane_free(&g->lanes[row]);
    free(g->lanes);
    for (int level = 0; level < ASYNC_LEVELS; level++)
        free(g->taken[level]);
    vec_free(&g->instants);
    free(g);
}

void async_clear(struct async_derived *async) {
    for (size_t i = 0; i < async->groups.n; i++)
        free_group(async->groups.v[i]);
    vec_free(&async->groups);
    map_free(&async->by_name);
    open_index_free(&async->open);
    vec_free(&async->by_key);
    problems_free(&async->problems);
}

static void release(void *before) {
    async_clear(before);
    free(before);
}

void async_free(struct async *async) {
    async_clear(&async->state);
    time_log_array_free(&async->input.log);
    event_keys_free(&async->input.event_keys);
}

struct group_query {
    const struct async_derived *async;
    uint32_t process, name;
    uint16_t world;
};

static bool same_group(const void *ctx, uint32_t i) {
    const struct group_query *q = ctx;
    const struct async_group *g = q->async->groups.v[i];
    return g->process == q->process && g->name == q->name && g->world == q->world;
}

__attribute__((noinline)) uint32_t async_find_group(struct async_derived *async, uint32_t process,
                                                    uint32_t name, uint16_t world) {
    struct group_query q = {async, process, name, world};
    uint64_t hash = hash_words((uint64_t)process << 32 | name, 3 + (uint64_t)world);
    uint32_t i = map_intern(&async->by_name, hash, same_group, &q, (uint32_t)async->groups.n);
    if (i < async->groups.n)
        return i;
    struct async_group *g = err_calloc(1, sizeof *g);
    g->process = process;
    g->name = name;
    g->world = world;
    vec_push(&async->groups, g);
    return i;
}

/* The group of an operation that is in no other one. */
static inline uint32_t group_of(struct async_derived *async, const struct async_arrival *e) {
    uint32_t key = event_key_in(e->entry.at.offset);
    if (key < async->by_key.n && async->by_key.v[key] != 0)
        return async->by_key.v[key] - 1;
    bool none = e->key.who == UINT32_MAX && async->worlds;
    uint16_t world = none ? world_at(async->worlds, offset_of(e)) : 0;
    uint32_t i = async_find_group(async, e->key.who, e->key.name, world);
    while (async->by_key.n <= key && key < EVENT_KEY_FAR)
        vec_push(&async->by_key, 0);
    if (key < EVENT_KEY_FAR)
        async->by_key.v[key] = i + 1;
    return i;
}

static size_t words_of(uint32_t rows, int level) {
    uint64_t n = rows;
    for (int i = 0; i <= level; i++)
        n = (n + 63) / 64;
    return (size_t)n;
}

static void grow(struct async_group *g) {
    uint32_t before = g->cap;
    g->cap += g->cap / 2 + 4;
    g->lanes = err_realloc(g->lanes, g->cap, sizeof *g->lanes);
    for (int level = 0; level < ASYNC_LEVELS; level++) {
        size_t old = words_of(before, level), words = words_of(g->cap, level);
        g->taken[level] = err_realloc(g->taken[level], words, sizeof *g->taken[level]);
        memset(g->taken[level] + old, 0, (words - old) * sizeof *g->taken[level]);
    }
}

void async_take_row(struct async_group *g, uint32_t row, bool taken) {
    for (int level = 0; level < ASYNC_LEVELS; level++, row /= 64) {
        uint64_t *word = &g->taken[level][row / 64], bit = UINT64_C(1) << row % 64, before = *word;
        *word = taken ? before | bit : before & ~bit;
        if ((taken ? *word : before) != UINT64_MAX)
            break; /* higher levels only mark full words */
    }
}

/* The first row from `row` on without an open operation; it is free, because events are processed
 * in order. Goes up a level if a word is full, then down again to the first bit that is not set. */
uint32_t async_find_row(struct async_group *g, uint32_t row) {
    uint64_t at = row;
    int level = 0;
    while (level < ASYNC_LEVELS && at / 64 < words_of(g->cap, level)) {
        uint64_t free_bits = ~g->taken[level][at / 64] & (UINT64_MAX << at % 64);
        if (free_bits == 0) {
            at = at / 64 + 1;
            level++;
            continue;
        }
        at = at / 64 * 64 + (uint64_t)__builtin_ctzll(free_bits);
        if (level == 0)
            break;
        level--;
        at *= 64;
    }
    if (level == 0 && at < g->nlanes)
        return (uint32_t)at;
    if (g->nlanes == g->cap)
        grow(g);
    g->lanes[g->nlanes] = LANE_EMPTY;
    return g->nlanes++;
}

/* Whether two operations of one category and id have the same key k. */
static inline bool alike(const struct open_who *a, const struct open_who *b, unsigned k) {
    int process = !is_own(k) | (a->process == b->process); /* without branches */
    int thread = !is_of_thread(k) | (a->thread == b->thread),
        name = !is_named(k) | (a->name == b->name);
    return (process & thread & name) != 0;
}

static inline __attribute__((always_inline)) uint32_t latest(struct open_index *open,
                                                             const struct open_who *me,
                                                             uint32_t from, enum key k) {
    return open_index_in_family(open, from, me, k, alike);
}

static inline void begin(struct async_derived *async, const struct slice_extra *extra,
                         const struct async_arrival *e) {
    struct open_who me = who(async, e);
    uint64_t any = key(&me, ANY);
    uint32_t outer = latest(&async->open, &me, open_index_latest(&async->open, ANY, any), KEY);
    uint32_t depth = 0, row = 0, group;
    if (outer) {
        const struct open_node *node = open_index_node(&async->open, outer);
        depth = node->rank;
        group = node->value;
        row = node->more + 1;
    } else {
        group = group_of(async, e);
    }
    struct async_group *g = async->groups.v[group];
    row = async_find_row(g, row);
    async_take_row(g, row, true);
    if (depth > 0 ||
        (async->again && extra->get(extra->ctx, offset_of(e) + SLICE_EXTRA_DEPTH) != UINT64_MAX))
        extra->set(extra->ctx, offset_of(e) + SLICE_EXTRA_DEPTH, depth);
    struct slice s =
        slice_make(time_of(e), SLICE_OPEN, event_pack(offset_of(e), e->key.name), UINT64_MAX, 0);
    lane_push(&g->lanes[row], &s);
    g->ops++;
    open_index_add(&async->open, &me, any, depth + 1, group, row);
    async->unfinished++;
}

struct found {
    uint32_t node;   /* the open operation; 0: none */
    uint32_t family; /* the latest of its category and id */
    bool other_name;
};

/* The operation of a family that an event refers to. */
static __attribute__((noinline)) uint32_t choose(struct open_index *open, const struct open_who *me,
                                                 uint32_t family) {
    if (open_index_older(open, ANY, family) == 0)
        return family;
    uint32_t own = latest(open, me, family, KEY), any = own ? own : family;
    uint32_t thread = latest(open, me, own, THREAD), named = latest(open, me, thread, THREAD_NAME);
    if (named == 0)
        named = latest(open, me, any, own ? KEY_NAME : ANY_NAME);
    if (named == 0)
        named = thread;
    return named ? named : any;
}

/* The open operation that an event refers to (SEMANTICS 8.1). An empty name matches any. Mostly one
 * is in question. */
static inline __attribute__((always_inline)) struct found opened(struct async_derived *async,
                                                                 const struct open_who *me) {
    uint32_t family = open_index_latest(&async->open, ANY, key(me, ANY)), node = family;
    if (family == 0)
        return (struct found){0, 0, false};
    const struct open_node *first = open_index_node(&async->open, family);
    if (!((first->older[ANY] == 0) | alike(&first->who, me, THREAD_NAME)))
        node = choose(&async->open, me, family);
    return (struct found){
        node, family, open_index_node(&async->open, node)->who.name != me->name && me->name != 0};
}

/* Removes an operation. The latest one of its process, category and id knows how many of them are
 * open. */
static inline void forget(struct open_index *open, struct found found) {
    const struct open_who me = open_index_node(open, found.node)->who;
    uint64_t any = open_index_node(open, found.node)->key[ANY];
    uint32_t rank = open_index_node(open, latest(open, &me, found.family, KEY))->rank;
    open_index_remove(open, found.node);
    if (rank > 1)
        open_index_node(open, latest(open, &me, open_index_latest(open, ANY, any), KEY))->rank =
            rank - 1;
}

static inline void end(struct async_derived *async, const struct slice_extra *extra,
                       const struct async_arrival *e) {
    const struct open_who me = who(async, e);
    struct found found = opened(async, &me);
    if (found.node == 0) {
        problem_add(&async->problems, PROBLEM_ASYNC_END_WITHOUT_BEGIN, offset_of(e), 0, time_of(e),
                    NO_THREAD);
        return;
    }
    if (found.other_name)
        problem_add(&async->problems, PROBLEM_ASYNC_END_NAME_MISMATCH, offset_of(e), 0, time_of(e),
                    NO_THREAD);
    uint32_t row = open_index_node(&async->open, found.node)->more;
    struct async_group *g = async->groups.v[open_index_node(&async->open, found.node)->value];
    struct lane *lane = &g->lanes[row];
    slice_extra_close(extra, lane_last(lane), time_of(e), offset_of(e),
                      found.other_name ? SLICE_MISMATCH : 0);
    async_take_row(g, row, false);
    lane->end = time_of(e);
    forget(&async->open, found);
    async->unfinished--;
}

/* Puts an instant on the operation that an end would close; if none is open, on the first row of
 * its name. */
static void instant(struct async_derived *async, const struct async_arrival *e) {
    const struct open_who me = who(async, e);
    uint32_t node = opened(async, &me).node, group, row = 0;
    if (node) {
        group = open_index_node(&async->open, node)->value;
        row = open_index_node(&async->open, node)->more;
    } else {
        group = group_of(async, e);
    }
    vec_push(&async->groups.v[group]->instants,
             ((struct async_instant){{time_of(e), offset_of(e)}, e->key.name, row}));
}

static inline void derive(struct async_derived *async, const struct slice_extra *extra,
                          const struct async_arrival *e) {
    unsigned kind = FXT_K_ASYNC_BEGIN + event_key_kind(e->entry.at.offset);
    if (kind == FXT_K_ASYNC_BEGIN)
        begin(async, extra, e);
    else if (kind == FXT_K_ASYNC_END)
        end(async, extra, e);
    else
        instant(async, e);
}

void async_take(struct async_derived *state, const struct slice_extra *extra,
                const struct async_arrival *v, size_t n) {
    for (const struct async_arrival *e = v; e < v + n; e++)
        if (time_log_follows(&state->time_log, time_of(e)))
            derive(state, extra, e);
}

void async_derive(struct async_derived *state, const struct async_input *in,
                  const struct slice_extra *extra, const struct time_log_entry *entry) {
    derive(state, extra,
           &(struct async_arrival){*entry, *event_key_of(&in->event_keys, entry->at.offset)});
}

static bool derive_all(struct async_derived *state, const struct async_input *in,
                       const struct slice_extra *extra, const struct time_log_entry *v, size_t n,
                       struct task *task) {
    for (const struct time_log_entry *entry = v; entry < v + n; entry++) {
        if (!task_spend(task, DERIVE_COST))
            return false;
        async_derive(state, in, extra, entry);
    }
    return true;
}

void async_begin_again(const struct async *async, struct async_derived *next) {
    *next = (struct async_derived){
        .time_log = async->state.time_log, .worlds = async->state.worlds, .again = true};
    next->problems.worlds = async->state.worlds;
    open_index_init(&next->open, KEYS, key);
}

void async_replace(struct async *async, struct async_derived *next, struct time_log_entry *sorted,
                   size_t n, int64_t last) {
    time_log_rebuilt(&next->time_log, n, last);
    time_log_array_replace(&async->input.log, sorted);
    struct async_derived *before = err_malloc(sizeof *before);
    *before = async->state;
    async->state = *next;
    discard(release, before);
}

/* Derives all operations again. */
static bool rebuild(struct async *async, const struct slice_extra *extra, struct task *task) {
    struct time_log_array *log = &async->input.log;
    size_t n = time_log_array_count(log);
    struct time_log_entry *sorted = time_log_sorted(task, time_log_array_entries(log));
    if (sorted == NULL)
        return false;
    struct async_derived next;
    async_begin_again(async, &next);
    if (!derive_all(&next, &async->input, extra, sorted, n, task)) {
        async_clear(&next);
        free(sorted);
        return false;
    }
    async_replace(async, &next, sorted, n, sorted[n - 1].at.time);
    return true;
}

bool async_flush(struct async *async, const struct slice_extra *extra, bool all,
                 struct task *task) {
    struct time_log_array *log = &async->input.log;
    size_t from, packed;
    if (all)
        time_log_array_end(log);
    switch (time_log_next(&async->state.time_log, time_log_array_entries(log), all, task, &from)) {
    case TIME_LOG_REST:
        packed = log->packed.n;
        return derive_all(&async->state, &async->input, extra, log->v + (from - packed),
                          log->n + packed - from, task);
    case TIME_LOG_ALL:
        return rebuild(async, extra, task);
    default:
        return !task_over(task);
    }
}

void async_release(struct async *async) {
    async->state.time_log = (struct time_log){0};
    time_log_array_discard(&async->input.log);
}

uint32_t async_depth(const struct slice_extra *extra, const struct slice *s) {
    uint64_t depth = extra->get(extra->ctx, slice_offset(s) + SLICE_EXTRA_DEPTH);
    return depth == UINT64_MAX ? 0 : (uint32_t)depth;
}

uint64_t async_bytes(const struct async *async) {
    uint64_t n = async->input.log.packed.bytes.n + async->input.log.n * sizeof *async->input.log.v +
                 event_keys_bytes(&async->input.event_keys) +
                 async->state.open.nodes.cap * sizeof(struct open_node) +
                 async->state.by_key.n * sizeof(uint32_t);
    for (size_t i = 0; i < async->state.groups.n; i++) {
        const struct async_group *g = async->state.groups.v[i];
        n += sizeof *g + g->instants.n * sizeof *g->instants.v;
        for (uint32_t row = 0; row < g->nlanes; row++)
            n += lane_bytes(&g->lanes[row]);
    }
    return n;
}
