/* colors.c - totals of all values of the key in a task; the greatest ten of them get colours. Names
 * that only threads with one slice have, such as totals that a writer put there, come after others.
 *
 * A value is known by the hash of its text, so that it has the same colour in every run. The task
 * also has a vote for each name (model/store/vote.h): the value with most of its time. */
#include "ui/timeline/colors.h"

#include <stdio.h>
#include <string.h>

#include "model/query/stat/name_pattern.h"
#include "model/query/stat/slice_group.h"
#include "model/store/vote.h"
#include "model/trace/trace_life.h"
#include "src/base/text.h"
#include "src/base/u64map.h"
#include "ui/screen/style.h"

#define TEXT 200    /* bytes of a text that its hash is of */
#define ROW_UNITS 4 /* of work: a text is hashed */

struct name_votes {
    struct vote vote;
    uint64_t all;     /* ns of its slices */
    uint64_t singles; /* threads that have one slice of it and nothing else */
};

struct value { /* of the key; names that share a colour are one */
    uint32_t hash, rows;
    struct aggregate_key heaviest;
    struct sum most, total;
    bool shared; /* threads with more than one slice have it */
};

struct totals {
    struct trace *trace;
    struct slice_group group;
    char argument[COLORS_ARGUMENT];
    struct aggregate aggregate;
    uint32_t (*number)(void *ctx, uint32_t track, const struct slice *s);
    VEC(struct name_votes) names; /* by name */
    uint32_t hues;
    bool patterns;
    VEC(struct value) values;
};

/* ---- totals ---- */

static struct name_votes *votes_of(struct totals *t, uint32_t name) {
    while (t->names.n <= name)
        vec_push(&t->names, ((struct name_votes){VOTE_EMPTY, 0, 0}));
    return &t->names.v[name];
}

static uint32_t vote_for(void *data, uint32_t track, const struct slice *s) {
    struct totals *t = data;
    uint32_t name = trace_packed_name(t->trace, s->begin_word),
             number = t->number(&t->group, track, s);
    uint64_t dur = slice_open(s) || slice_dur(s) < 1 ? 1 : (uint64_t)slice_dur(s);
    struct name_votes *v = votes_of(t, name);
    dur = dur < (uint64_t)INT64_MAX - v->all ? dur : (uint64_t)INT64_MAX - v->all;
    vote_add(&v->vote, number, dur);
    v->all += dur;
    return number;
}

static void count_singles(struct task *task, struct totals *t) {
    size_t threads = trace_thread_count(t->trace);
    for (uint32_t i = 0; i < threads && task_spend(task, 1); i++) {
        struct thread *thread = trace_thread(t->trace, i);
        if (!trace_thread_single(t->trace, thread))
            continue;
        for (uint32_t row = 0; row < nest_rows(&thread->nest); row++) {
            struct lane *lane = nest_row(&thread->nest, row);
            if (lane->n == 1)
                votes_of(t, trace_packed_name(t->trace, lane_at(lane, 0)->begin_word))->singles++;
        }
    }
}

static void add(struct task *task, struct totals *t, unsigned kinds) {
    struct slice_set set = SLICE_SET_ALL(kinds);
    struct slice_order order;
    set.times = !slice_group_needs_records(&t->group);
    slice_order_init(&order, t->trace, &set);
    aggregate_nested(&t->aggregate, t->trace, &order, task);
    slice_order_free(&order);
}

static uint32_t hash_of(struct str text) {
    text.n = text.n < TEXT ? text.n : TEXT;
    return style_name_hash(text);
}

static uint32_t hash_of_name(struct str name, bool patterns) {
    return patterns ? style_pattern_hash(name) : style_name_hash(name);
}

static uint32_t hash_of_key(const struct totals *t, const struct aggregate_key *key) {
    char buf[TEXT + 100];
    struct str text = slice_group_text(&t->group, key, buf, sizeof buf);
    return t->group.by == GROUP_BY_NAME ? hash_of_name(text, t->patterns) : hash_of(text);
}

/* Joins the rows of one hash. */
static void join(struct task *task, struct totals *t) {
    struct u64map places = {0};
    t->patterns = t->group.by == GROUP_BY_NAME && t->aggregate.rows.n > t->hues;
    for (size_t i = 0; i < t->aggregate.rows.n && task_spend(task, ROW_UNITS); i++) {
        const struct aggregate_row *row = &t->aggregate.rows.v[i];
        if (slice_group_reads(&t->group) && row->key.name == SLICE_GROUP_NONE)
            continue;
        uint32_t hash = hash_of_key(t, &row->key);
        uint64_t place = u64map_get(&places, hash);
        if (place == UINT64_MAX) {
            place = t->values.n;
            u64map_set(&places, hash, place);
            vec_push(&t->values, ((struct value){.hash = hash}));
        }
        struct value *v = &t->values.v[place];
        if (v->rows++ == 0 || sum_cmp(row->total, v->most) > 0) {
            v->most = row->total;
            v->heaviest = row->key;
        }
        v->total = sum_plus(v->total, row->total);
        v->shared = v->shared || t->group.by != GROUP_BY_NAME ||
                    row->count != votes_of(t, row->key.name)->singles;
    }
    u64map_free(&places);
}

static void make_totals(struct task *task, void *data) {
    struct totals *t = data;
    t->aggregate = AGGREGATE_INIT(AGGREGATE_NAME);
    slice_group_apply(&t->group, &t->aggregate);
    t->number = t->aggregate.group;
    t->aggregate.group = vote_for;
    t->aggregate.group_ctx = t;
    add(task, t, SLICE_ITER_SLICES);
    add(task, t, SLICE_ITER_OPERATIONS);
    count_singles(task, t);
    join(task, t);
}

static void free_totals(void *data) {
    struct totals *t = data;
    aggregate_free(&t->aggregate);
    slice_group_free(&t->group);
    vec_free(&t->names);
    vec_free(&t->values);
}

static const struct answer_ops totals_ops = {sizeof(struct totals), make_totals, free_totals};

/* ---- ranks ---- */

static bool heavier(const struct value *a, const struct value *b) {
    return a->shared != b->shared ? a->shared : sum_cmp(a->total, b->total) > 0;
}

/* Puts a value into the heaviest so far, of which there are n; returns how many there are then. */
static uint32_t insert(const struct value **heaviest, uint32_t n, uint32_t most,
                       const struct value *value) {
    uint32_t i = n < most ? n : most - 1;
    if (n == most && !heavier(value, heaviest[i]))
        return n;
    for (; i > 0 && heavier(value, heaviest[i - 1]); i--)
        heaviest[i] = heaviest[i - 1];
    heaviest[i] = value;
    return n < most ? n + 1 : n;
}

static bool rank(struct app *app, const struct totals *t) {
    struct colors *colors = &app->timeline.colors;
    const struct value *heaviest[STYLE_SERIES] = {0};
    uint32_t hashes[STYLE_SERIES], n = 0;
    char buf[TEXT + 100];
    for (size_t i = 0; i < t->values.n; i++)
        n = insert(heaviest, n, style_hues(), &t->values.v[i]);
    for (uint32_t i = 0; i < n; i++) {
        struct str text = slice_group_text(&t->group, &heaviest[i]->heaviest, buf, sizeof buf);
        struct name_pattern pattern = {0};
        if (heaviest[i]->rows > 1) {
            name_pattern_add_numbers(text, &pattern);
            text = (struct str){pattern.v, pattern.n};
        }
        hashes[i] = colors->top[i].hash = heaviest[i]->hash;
        text_plain(colors->top[i].text, sizeof colors->top[i].text, text,
                   app->grid.ascii ? TEXT_ASCII : 0);
        vec_free(&pattern);
    }
    colors->ntop = n;
    colors->patterns = t->patterns;
    colors->ranks++;
    return style_rank(hashes, n);
}

bool colors_step(struct app *app) {
    struct colors *colors = &app->timeline.colors;
    bool complete = trace_state(app->trace) == TRACE_COMPLETE;
    if (style_depth() == COLOR_MONO || (colors->ranked && !complete))
        return false;
    if (!answer_is_of(&colors->totals, app->trace, colors->changes)) {
        struct totals *t = answer_ask(&colors->totals, &totals_ops, app->trace, colors->changes);
        t->trace = app->trace;
        memcpy(t->argument, colors->argument, sizeof t->argument);
        t->hues = style_hues();
        slice_group_init(&t->group, app->trace, colors->by, t->argument);
    }
    if (colors->totals.done)
        return false;
    if (!answer_step(&colors->totals, app->work))
        return true;
    const struct totals *t = colors->totals.shown;
    colors->ranked = colors->ranked || t->aggregate.rows.n > 0;
    app->dirty = rank(app, t) || colors->by != GROUP_BY_NAME || app->dirty;
    return true; /* for the legend, whose page is asked before */
}

void colors_free(struct app *app) {
    answer_drop(&app->timeline.colors.totals);
    style_rank(NULL, 0);
}

/* ---- looks ---- */

bool colors_track(const struct app *app, uint32_t track, struct look *look) {
    const struct colors *colors = &app->timeline.colors;
    char buf[TEXT + 100];
    if (colors->by != GROUP_BY_THREAD && colors->by != GROUP_BY_PROCESS)
        return false;
    struct slice_group group = {.trace = app->trace, .by = colors->by};
    *look = style_slice(hash_of(slice_group_text_of(&group, track, NULL, buf, sizeof buf)));
    return true;
}

struct look colors_slice(const struct app *app, uint32_t track, const struct slice *slice) {
    const struct colors *colors = &app->timeline.colors;
    struct slice_group group = {
        .trace = app->trace, .by = colors->by, .argument = colors->argument};
    char buf[TEXT + 100];
    if (colors->by == GROUP_BY_NAME)
        return style_slice(hash_of_name(trace_slice_name(app->trace, slice), colors->patterns));
    return style_slice(hash_of(slice_group_text_of(&group, track, slice, buf, sizeof buf)));
}

bool colors_name(const struct app *app, uint32_t name, struct look *look) {
    const struct colors *colors = &app->timeline.colors;
    const struct totals *t = colors->totals.shown;
    if (colors->by == GROUP_BY_NAME) {
        *look = style_slice(hash_of_name(trace_name(app->trace, name), colors->patterns));
        return true;
    }
    if (t == NULL || colors->totals.question != colors->changes || name >= t->names.n)
        return false;
    const struct name_votes *v = &t->names.v[name];
    if (v->all == 0 || v->vote.surplus < v->all - v->vote.surplus)
        return false;
    *look = style_slice(hash_of_key(t, &(struct aggregate_key){v->vote.name, 0, 0}));
    return true;
}

bool colors_group(const struct app *app, enum slice_group_by by, const char *argument,
                  struct str text, struct look *look) {
    const struct colors *colors = &app->timeline.colors;
    if (by != colors->by || by == GROUP_BY_NAME ||
        (by == GROUP_BY_ARGUMENT && strcmp(argument, colors->argument) != 0))
        return false;
    *look = style_slice(hash_of(text));
    return true;
}

/* ---- the key ---- */

static const struct {
    const char *word;
    enum slice_group_by by;
} keys[] = {{"name", GROUP_BY_NAME},
            {"category", GROUP_BY_CATEGORY},
            {"thread", GROUP_BY_THREAD},
            {"process", GROUP_BY_PROCESS}};
#define KEYS (sizeof keys / sizeof *keys)
#define CHROME "cname" /* the argument that has the colours of Chrome's traces (doc/IMPORT.md) */

const char *colors_key(const struct timeline *timeline, char buf[COLORS_ARGUMENT + 8]) {
    const struct colors *colors = &timeline->colors;
    for (size_t i = 0; i < KEYS; i++)
        if (keys[i].by == colors->by)
            return keys[i].word;
    if (strcmp(colors->argument, CHROME) == 0)
        return "trace";
    snprintf(buf, COLORS_ARGUMENT + 8, "arg.%s", colors->argument);
    return buf;
}

static void set(struct app *app, enum slice_group_by by, const char *argument) {
    struct colors *colors = &app->timeline.colors;
    char buf[COLORS_ARGUMENT + 8], safe[80];
    if (colors->by != by || strcmp(colors->argument, argument) != 0) {
        colors->by = by;
        snprintf(colors->argument, sizeof colors->argument, "%s", argument);
        colors->changes++;
        colors->ranked = colors->patterns = false;
        colors->ntop = 0;
        colors->ranks++;
        style_rank(NULL, 0);
        app->dirty = true;
    }
    text_plain(safe, sizeof safe, str_of(colors_key(&app->timeline, buf)),
               app->grid.ascii ? TEXT_ASCII : 0);
    session_say(app, false, "colours by %s: ? has the legend", safe);
}

void colors_next(struct app *app) {
    size_t i = 0;
    while (i < KEYS && keys[i].by != app->timeline.colors.by)
        i++;
    set(app, keys[i < KEYS ? (i + 1) % KEYS : 0].by, "");
}

void colors_type(struct app *app, const char *text) {
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(keys[i].word, text) == 0) {
            set(app, keys[i].by, "");
            return;
        }
    if (strcmp(text, "trace") == 0)
        set(app, GROUP_BY_ARGUMENT, CHROME);
    else if (strncmp(text, "arg.", 4) == 0 && text[4] != 0 && strlen(text + 4) < COLORS_ARGUMENT)
        set(app, GROUP_BY_ARGUMENT, text + 4);
    else
        session_say(app, true, "expected name, category, thread, process, arg.NAME or trace");
}
