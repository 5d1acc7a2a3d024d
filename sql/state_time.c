/* state_time.c - how long a thread was in a state until a time.
 *
 * All rows of thread_state are put into classes once, each a list of its rows with the time in all
 * before. So the time of a slice in a state is two binary searches, however many states it
 * spans. */
#include "sql/state_time.h"

#include <stdlib.h>

#include "model/store/sched_life.h"
#include "sql/functions.h"
#include "sql/lanes.h"
#include "src/base/hash.h"
#include "src/base/lower_bound.h"
#include "src/base/u64map.h"

static const char kept;

struct stretch {
    int64_t ts, dur, before; /* before: the time in all earlier ones */
};

struct class {
    VEC(struct stretch) v;
    /* lanes of a row that has a damaged time, or no end; NULL: there is none */
    const struct rows_lane *damaged, *open;
    uint32_t damaged_row;
};

struct classes {
    VEC(struct class) v;
    uint32_t *of; /* by number of a row */
};

static void free_classes(void *of) {
    struct classes *c = of;
    for (size_t i = 0; i < c->v.n; i++)
        vec_free(&c->v.v[i].v);
    vec_free(&c->v);
    free(c->of);
    free(c);
}

/* The number of the class of a row. */
static uint64_t key_of(struct source *source, const struct rows_lane *lane, uint32_t i) {
    const struct sched_thread *t = sched_thread_at(trace_sched(source->trace), lane->owner);
    uint32_t state = sched_life_state(t, i);
    uint64_t key =
        hash_words((uint64_t)lane->key, (uint64_t)state * 2 + (sched_woken(t, i) ? 1 : 0));
    struct detail d;
    struct detail_argument a;
    if (state == SCHED_RUNNING ||
        !detail_open(&d, source->trace, slice_offset(lane_at(lane->of, i))))
        return key;
    if (detail_letters(&d, state == SCHED_BLOCKED, &a))
        key = hash_words(key, hash_bytes(a.string.s, a.string.n));
    if (detail_find(&d, "io_wait", &a))
        key = hash_words(key, hash_words(a.type, a.bits));
    if (detail_find(&d, "blocked_function", &a))
        key = hash_words(key, hash_bytes(a.string.s, a.string.n));
    return key;
}

static void add(struct classes *c, struct u64map *known, struct rows *rows,
                const struct rows_lane *lane, uint32_t i) {
    uint64_t key = u64map_key(key_of(rows->source, lane, i)), place = u64map_get(known, key);
    int64_t dur = rows_dur(lane, i);
    if (place == UINT64_MAX) {
        place = c->v.n;
        u64map_set(known, key, place);
        vec_push(&c->v, ((struct class){.v = {0}}));
    }
    c->of[lane->base - rows->first + i] = (uint32_t)place;
    struct class *class = &c->v.v[place];
    if (lanes_state_damaged(rows->source, lane, i)) {
        class->damaged = lane;
        class->damaged_row = i;
        return;
    }
    if (dur < 0)
        class->open = lane;
    if (dur > 0)
        vec_push(&class->v, ((struct stretch){rows_ts(rows->source, lane, i), dur, 0}));
}

static int by_ts(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    return x->ts < y->ts ? -1 : x->ts > y->ts;
}

/* A thread that is known by its koid, too, has rows in two lanes. */
static void add_up(struct class *class) {
    int64_t before = 0;
    bool sorted = true;
    for (size_t i = 1; i < class->v.n; i++)
        sorted = sorted && class->v.v[i - 1].ts <= class->v.v[i].ts;
    if (!sorted)
        qsort(class->v.v, class->v.n, sizeof *class->v.v, by_ts);
    for (size_t i = 0; i < class->v.n; i++) {
        class->v.v[i].before = before;
        if (__builtin_add_overflow(before, class->v.v[i].dur, &before))
            before = INT64_MAX;
    }
}

static struct classes *classes_of(struct source *source) {
    struct classes *c = source_find(source, &kept);
    struct rows *rows = lanes_states(source);
    if (c)
        return c;
    struct u64map known = {0};
    c = err_calloc(1, sizeof *c);
    c->of = err_malloc((rows->n + 1) * sizeof *c->of);
    memset(c->of, 0xff, rows->n * sizeof *c->of);
    for (size_t k = 0; k < rows->v.n; k++) {
        const struct rows_lane *lane = &rows->v.v[k];
        for (uint32_t i = 0; i < lane->n && !source_stopped(source); i++)
            if (!rows->skip || !rows->skip(source, lane, i))
                add(c, &known, rows, lane, i);
    }
    for (size_t i = 0; i < c->v.n; i++)
        add_up(&c->v.v[i]);
    u64map_free(&known);
    if (source_stopped(source)) {
        free_classes(c);
        return NULL;
    }
    source_keep(source, &kept, c, free_classes);
    return c;
}

static int64_t until(const struct class *class, int64_t ts) {
    size_t at = 0;
    lower_bound(at, class->v.n, k, class->v.v[k].ts < ts);
    if (at == 0)
        return 0;
    const struct stretch *last = &class->v.v[at - 1];
    int64_t since = ts - last->ts, time; /* both are times of the trace, and not negative */
    if (__builtin_add_overflow(last->before, since < last->dur ? since : last->dur, &time))
        time = INT64_MAX;
    return time;
}

static void state_time(sqlite3_context *out, int n, sqlite3_value **v) {
    struct source *source = functions_source(out);
    struct rows *rows = lanes_states(source);
    sqlite3_int64 id = sqlite3_value_int64(v[0]), ts = sqlite3_value_int64(v[1]);
    const struct classes *c = classes_of(source);
    (void)n;
    if (c == NULL || id < 0 || (uint64_t)id < rows->first ||
        (uint64_t)id - rows->first >= rows->n || c->of[(uint64_t)id - rows->first] == UINT32_MAX)
        return;
    const struct class *class = &c->v.v[c->of[(uint64_t)id - rows->first]];
    if (class->damaged)
        lanes_state_damaged(source, class->damaged, class->damaged_row);
    if (class->open)
        lanes_read_open(rows, class->open, class->open->n - 1);
    sqlite3_result_int64(out, ts < 0 ? 0 : until(class, ts));
}

int state_time_register(sqlite3 *db, struct source *source) {
    static const struct functions_scalar function = {"fxtop_state_time", 2, state_time, 0};
    return functions_add(db, source, &function, 1);
}
