/* flow.c - joins flow points to flows, in (time, file order) (SEMANTICS 7).
 *
 * Open flows are in an index by id. A point looks for its flow among those of its id, first by
 * process and category, then by category. A flow that ended stays in the index until the time
 * changes, as points of that time may still join it (SEMANTICS 7.2). Points of one time wait for
 * each other: their kinds are their order (SEMANTICS 7.1). Flows that ended are in a second index,
 * but only once a point is in no open flow: in most traces none is.
 *
 * A point that is earlier than a joined one leads to a rebuild (time_log.h). It makes a second
 * state, which then takes the place of the first. */
#include "model/store/flow.h"

#include "src/base/discard.h"
#include "src/base/hash.h"

#define TAKE_COST 4 /* of a point, in units of work */

enum key { ID, KEY, CATEGORY, KEYS }; /* id, (process, category, id), (category, id) */

static inline uint64_t key(const struct open_who *who, unsigned k) {
    uint32_t process = k == KEY ? who->process : 0;
    return hash_words(who->id, k == ID ? 0 : (uint64_t)who->category << 32 | process);
}

/* Whether two flows of one id have the same key k. */
static inline bool alike(const struct open_who *a, const struct open_who *b, unsigned k) {
    int category = (k == ID) | (a->category == b->category), /* without branches */
        process = (k != KEY) | (a->process == b->process);
    return (category & process) != 0;
}

/* The latest flow of key k. hash: key ID. */
static inline uint32_t latest(struct open_index *set, const struct open_who *who, uint64_t hash,
                              enum key k) {
    return open_index_in_family(set, open_index_latest(set, ID, hash), who, k, alike);
}

/* Whether there is another flow of key k, the latest of which is `node`. */
static bool has_another(struct open_index *set, const struct open_who *who, uint32_t node,
                        enum key k) {
    uint32_t other = open_index_in_family(set, open_index_older(set, ID, node), who, k, alike);
    return other == node ? open_index_older(set, k, node) != 0 : other != 0;
}

static void init_state(struct flow_derived *flows) {
    open_index_init(&flows->open, KEYS, key);
    open_index_init(&flows->ended, KEYS, key);
}

void flows_init(struct flows *flows) {
    *flows = (struct flows){0};
    init_state(&flows->state);
}

static void clear(struct flow_derived *flows) {
    for (size_t i = 0; i < flows->on_thread.n; i++)
        vec_free(&flows->on_thread.v[i].v);
    vec_free(&flows->on_thread);
    vec_free(&flows->v);
    open_index_free(&flows->open);
    open_index_free(&flows->ended);
    vec_free(&flows->points);
    vec_free(&flows->ended_now);
    vec_free(&flows->waiting);
}

static void release(void *before) {
    clear(before);
    free(before);
}

void flows_free(struct flows *flows) {
    clear(&flows->state);
    vec_free(&flows->input.log);
    vec_free(&flows->input.processes);
    event_keys_free(&flows->input.event_keys);
}

static inline void add(struct flow_input *flows, const struct flow_point *p) {
    if (p->thread != NO_THREAD) {
        while (flows->processes.n <= p->thread)
            vec_push(&flows->processes, NO_THREAD);
        flows->processes.v[p->thread] = p->process;
    }
    struct event_key key = {p->thread, p->category, p->name, p->stays_open};
    uint64_t mark = event_key_mark(&flows->event_keys, p->at.offset, p->kind, key);
    vec_push(&flows->log, ((struct flow_entry){{p->at.time, mark}, p->id}));
}

static inline struct flow_point point_of(const struct flow_input *in, const struct flow_entry *e) {
    const struct event_key *key = event_key_of(&in->event_keys, e->at.offset);
    return (struct flow_point){.at = {e->at.time, event_key_offset(e->at.offset)},
                               .id = e->id,
                               .thread = key->who,
                               .category = key->category,
                               .name = key->name,
                               .process =
                                   key->who == NO_THREAD ? NO_THREAD : in->processes.v[key->who],
                               .kind = (enum flow_kind)event_key_kind(e->at.offset),
                               .stays_open = key->thread != 0};
}

/* Ids of two worlds are never the same. */
static inline struct open_who who_of(const struct flow_input *in, const struct flow_point *p) {
    uint64_t id = in->worlds ? world_key(world_at(in->worlds, p->at.offset), p->id) : p->id;
    return (struct open_who){id, p->process, p->category, 0, 0};
}

struct flow_point flow_point(const struct flows *flows, uint32_t point) {
    return point_of(&flows->input, &flows->input.log.v[point]);
}

static inline void place_on_thread(struct flow_derived *flows, uint32_t point, uint32_t thread) {
    if (thread == NO_THREAD)
        return;
    while (flows->on_thread.n <= thread)
        vec_push(&flows->on_thread, (struct flow_points){{0}});
    vec_push(&flows->on_thread.v[thread].v, point);
}

/* Adds a point to a flow that has begun, or ended. An end later than the first is a problem, and no
 * arrow leads to it, unless flows stay open. */
static inline void join(struct flow_derived *flows, uint32_t flow, uint32_t point, bool end,
                        bool stay_open) {
    struct flow *f = &flows->v.v[flow];
    bool again = end && f->ended && !f->counts && !stay_open;
    flows->points.v[point].flow = flow;
    if (!again)
        flows->points.v[point].before = f->at_end ? flows->points.v[f->last].before : f->last;
    flows->ended_again += again && !f->ended_again;
    flows->points.v[f->last].after = point;
    f->ended_again |= again;
    f->at_end = end;
    f->last = point;
    f->points += f->points < FLOW_MOST;
}

/* ---- flows that ended ---- */

/* The last one of a process, category and id counts. */
static void remember(struct flow_derived *flows, uint32_t flow, const struct open_who *who) {
    uint64_t hash = key(who, ID);
    uint32_t before = latest(&flows->ended, who, hash, KEY);
    if (before)
        open_index_remove(&flows->ended, before);
    open_index_add(&flows->ended, who, hash, 0, flow, 0);
}

static inline void forget_ended(struct flow_derived *flows) {
    for (size_t i = 0; i < flows->ended_now.n; i++) {
        const struct flow_ended *e = &flows->ended_now.v[i];
        if (!flows->v.v[e->flow].counts)
            continue;
        if (flows->remembers)
            remember(flows, e->flow, &open_index_node(&flows->open, e->node)->who);
        open_index_remove(&flows->open, e->node);
        flows->v.v[e->flow].counts = false;
    }
    flows->ended_now.n = 0;
}

/* Entries that are joined into `to`. */
struct joining {
    struct flow_derived *to;
    const struct flow_input *in;
    const struct flow_entry *sorted; /* NULL: those of the log */
};

static struct flow_point joined_point(const struct joining *j, uint32_t point) {
    return point_of(j->in, &(j->sorted ? j->sorted : j->in->log.v)[point]);
}

static void remember_all(const struct joining *j) {
    struct flow_derived *flows = j->to;
    for (uint32_t i = 0; i < flows->v.n; i++) {
        const struct flow *f = &flows->v.v[i];
        struct flow_point p = joined_point(j, f->first);
        struct open_who who = who_of(j->in, &p);
        if (f->ended && !f->counts && !f->unresolved && p.kind != FLOW_END)
            remember(flows, i, &who);
    }
    flows->remembers = true;
}

/* The flow that ended and that a point of no open flow belongs to: the last one of its process,
 * category and id; else the only one of its category and id. UINT32_MAX: none. */
static uint32_t find_ended(const struct joining *j, const struct open_who *who, uint64_t hash) {
    if (!j->to->remembers)
        remember_all(j);
    uint32_t node = latest(&j->to->ended, who, hash, KEY);
    if (node == 0) {
        node = latest(&j->to->ended, who, hash, CATEGORY);
        if (node && has_another(&j->to->ended, who, node, CATEGORY))
            return UINT32_MAX;
    }
    return node ? open_index_node(&j->to->ended, node)->value : UINT32_MAX;
}

/* ---- joining ---- */

static inline void finish(struct flow_derived *flows, uint32_t node) {
    uint32_t flow = open_index_node(&flows->open, node)->value;
    struct flow *f = &flows->v.v[flow];
    if (f->ended)
        return;
    f->ended = f->counts = 1;
    flows->complete += f->begun;
    vec_push(&flows->ended_now, ((struct flow_ended){flow, node}));
}

static bool is_ended(const struct flow_derived *flows, uint32_t node) {
    return flows->v.v[open_index_node(&flows->open, node)->value].ended;
}

/* Each (process, category) is in the set once, so a second one of the same category or id is
 * another. */
static __attribute__((noinline)) uint32_t joined_in_family(struct flow_derived *flows,
                                                           const struct open_who *who,
                                                           uint32_t family, bool *unresolved) {
    struct open_index *open = &flows->open;
    uint32_t node = open_index_in_family(open, family, who, KEY, alike);
    if (node && !is_ended(flows, node))
        return node;
    node = open_index_in_family(open, family, who, CATEGORY, alike);
    *unresolved =
        node ? has_another(open, who, node, CATEGORY) : open_index_older(open, ID, family) != 0;
    if (*unresolved)
        return 0;
    return node ? node : family;
}

/* The node that a step or end joins; 0: none. Mostly it is the only one of its id. */
static inline uint32_t joined(struct flow_derived *flows, const struct open_who *who, uint64_t hash,
                              bool *unresolved) {
    uint32_t family = open_index_latest(&flows->open, ID, hash);
    if (family == 0 ||
        (alike(&open_index_node(&flows->open, family)->who, who, KEY) && !is_ended(flows, family)))
        return family;
    return joined_in_family(flows, who, family, unresolved);
}

/* A point that joins no flow begins one. */
static inline __attribute__((always_inline)) void begin(struct flow_derived *flows, uint32_t point,
                                                        const struct flow_point *p,
                                                        const struct open_who *who, uint64_t hash,
                                                        bool unresolved) {
    uint32_t flow = (uint32_t)flows->v.n, before = latest(&flows->open, who, hash, KEY);
    bool begun = p->kind == FLOW_BEGIN, end = p->kind == FLOW_END;
    struct flow f = {.first = point,
                     .last = point,
                     .points = 1,
                     .begun = begun,
                     .ended = end && !unresolved,
                     .unresolved = unresolved,
                     .at_end = end};
    flows->points.v[point].flow = flow;
    vec_push(&flows->v, f);
    if (begun)
        flows->begun++;
    else if (unresolved)
        flows->unresolved++;
    else
        flows->unbegun++;
    if (unresolved || end)
        return;
    if (before) { /* only one flow of a process, category and id is open (SEMANTICS 7.3) */
        flows->v.v[open_index_node(&flows->open, before)->value].counts = false;
        open_index_remove(&flows->open, before);
    }
    open_index_add(&flows->open, who, hash, 0, flow, 0);
}

static inline __attribute__((always_inline)) void take_point(const struct joining *j,
                                                             uint32_t point,
                                                             const struct flow_point *p) {
    struct flow_derived *flows = j->to;
    struct open_who who = who_of(j->in, p);
    uint64_t hash = key(&who, ID);
    bool unresolved = false, end = p->kind == FLOW_END;
    uint32_t node = p->kind == FLOW_BEGIN ? 0 : joined(flows, &who, hash, &unresolved),
             flow = UINT32_MAX;
    if (node)
        flow = open_index_node(&flows->open, node)->value;
    else if (!unresolved && (end || (p->kind == FLOW_STEP && p->stays_open)))
        flow = find_ended(j, &who, hash);
    if (flow == UINT32_MAX) {
        begin(flows, point, p, &who, hash, unresolved);
        return;
    }
    join(flows, flow, point, end, p->stays_open);
    if (end && node)
        finish(flows, node);
}

/* Points of one time, numbered from `first` on. */
struct at_once {
    const struct flow_point *v;
    uint32_t first, n;
};

static void take(const struct joining *j, const struct at_once *now, uint32_t k) {
    take_point(j, now->first + k, &now->v[k]);
}

/* Whether a flow of a point's process, category and id is open. */
static bool own_is_open(const struct joining *j, const struct flow_point *p) {
    struct open_who who = who_of(j->in, p);
    return latest(&j->to->open, &who, key(&who, ID), KEY) != 0;
}

/* A point of a time with a begin that waits. */
struct held {
    uint64_t id;
    uint32_t k, first; /* first: of these, the first of its id */
};

static int by_id(const void *x, const void *y) {
    const struct held *a = x, *b = y;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->k > b->k) - (a->k < b->k);
}

static int by_first(const void *x, const void *y) {
    const struct held *a = x, *b = y;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->k > b->k) - (a->k < b->k);
}

/* Takes begins up to one that waits, then the steps and ends before it. Returns how many. */
static size_t take_some(const struct joining *j, const struct at_once *now, const struct held *v,
                        size_t n) {
    size_t to = 0;
    for (; to < n; to++) {
        const struct flow_point *p = &now->v[v[to].k];
        if (p->kind != FLOW_BEGIN)
            continue;
        if (to > 0 && own_is_open(j, p))
            break;
        take(j, now, v[to].k);
    }
    for (enum flow_kind kind = FLOW_STEP; kind <= FLOW_END; kind++)
        for (size_t i = 0; i < to; i++)
            if (now->v[v[i].k].kind == kind)
                take(j, now, v[i].k);
    return to;
}

/* Joins points of one time, one id after the other: flows of two ids have nothing in common. The
 * begins before `to` are joined already. */
static void join_by_id(const struct joining *j, const struct at_once *now, uint32_t to) {
    VEC(struct held) v = {0};
    for (uint32_t k = 0; k < now->n; k++)
        if (k >= to || now->v[k].kind != FLOW_BEGIN)
            vec_push(&v, ((struct held){now->v[k].id, k, k}));
    qsort(v.v, v.n, sizeof *v.v, by_id);
    for (size_t i = 1; i < v.n; i++)
        if (v.v[i].id == v.v[i - 1].id)
            v.v[i].first = v.v[i - 1].first;
    qsort(v.v, v.n, sizeof *v.v, by_first); /* flows are numbered in the order of the file */
    for (size_t i = 0, n; i < v.n; i += n) {
        for (n = 1; i + n < v.n && v.v[i + n].id == v.v[i].id;)
            n++;
        for (size_t done = 0; done < n;)
            done += take_some(j, now, v.v + i + done, n - done);
    }
    vec_free(&v);
}

/* Joins points of one time: begins, then steps, then ends. A begin whose own flow is open waits for
 * those of its id before it in the file (SEMANTICS 7.1). */
static void join_by_kind(const struct joining *j, const struct at_once *now) {
    unsigned kinds = 0;
    for (uint32_t k = 0; k < now->n; k++) {
        const struct flow_point *p = &now->v[k];
        kinds |= 1u << p->kind;
        if (p->kind != FLOW_BEGIN)
            continue;
        if (kinds != 1u << FLOW_BEGIN && own_is_open(j, p)) {
            j->to->top = FLOW_KINDS; /* if more of this time come, all are joined again */
            join_by_id(j, now, k);
            return;
        }
        take(j, now, k);
    }
    for (enum flow_kind kind = FLOW_STEP; kind <= FLOW_END; kind++)
        for (uint32_t k = 0; k < now->n && kinds >> kind & 1; k++)
            if (now->v[k].kind == kind)
                take(j, now, k);
}

static inline void go_to(struct flow_derived *flows, int64_t time) {
    if (time != flows->now && flows->ended_now.n > 0)
        forget_ended(flows);
    if (flows->points.n == 0 || time != flows->now)
        flows->top = FLOW_BEGIN;
    flows->now = time;
}

static inline void place(struct flow_derived *flows, uint32_t point, const struct flow_point *p) {
    vec_push(&flows->points, ((struct flow_link){0, NO_POINT, NO_POINT}));
    place_on_thread(flows, point, p->thread);
    flows->top = p->kind > flows->top ? p->kind : flows->top;
}

/* Joins the points that wait. */
static void settle(const struct joining *j) {
    struct flow_derived *flows = j->to;
    const struct at_once now = {flows->waiting.v, (uint32_t)flows->points.n,
                                (uint32_t)flows->waiting.n};
    go_to(flows, now.v[0].at.time);
    for (uint32_t k = 0; k < now.n; k++)
        place(flows, now.first + k, &now.v[k]);
    if (now.n > 1)
        join_by_kind(j, &now);
    else
        take(j, &now, 0);
    flows->waiting.n = 0;
}

/* Whether a point needs not wait: it is the first one of its time, and the next one is of a later
 * time, as those of most flows. */
static inline bool is_alone(const struct flow_derived *flows, const struct flow_point *p,
                            const struct flow_point *end) {
    return flows->waiting.n == 0 && flows->points.n > 0 && p->at.time > flows->now && p + 1 < end &&
           p[1].at.time > p->at.time;
}

static inline void take_alone(const struct joining *j, const struct flow_point *p) {
    uint32_t at = (uint32_t)j->to->points.n;
    go_to(j->to, p->at.time);
    place(j->to, at, p);
    take_point(j, at, p);
}

/* Joins those that wait if a point is of another time. */
static inline void go_on(const struct joining *j, const struct flow_point *p) {
    if (j->to->waiting.n > 0 && p->at.time != j->to->waiting.v[0].at.time)
        settle(j);
}

/* Whether points of this time were joined that come after one of the kind: all are joined again
 * then. */
static inline bool too_late(const struct flow_derived *flows, int64_t time, unsigned kind) {
    return time == flows->now && kind < flows->top && flows->points.n > 0;
}

void flows_take(struct flows *flows, const struct flow_point *v, size_t n) {
    struct time_log *log = &flows->state.time_log;
    const struct joining j = {&flows->state, &flows->input, NULL};
    for (const struct flow_point *p = v; p < v + n; p++) {
        add(&flows->input, p);
        if (too_late(&flows->state, p->at.time, p->kind) && log->state == TIME_LOG_IN_ORDER)
            log->state = TIME_LOG_BLOCKED;
        if (!time_log_follows(log, p->at.time))
            continue;
        go_on(&j, p);
        if (is_alone(&flows->state, p, v + n))
            take_alone(&j, p);
        else
            vec_push(&flows->state.waiting, *p);
    }
}

static struct time_log_entries entries_of(const struct flow_input *in) {
    return (struct time_log_entries){in->log.v, in->log.n, sizeof *in->log.v, NULL, NULL};
}

/* Joins entries [from, n). The last ones may wait. */
static bool join_all(const struct joining *j, size_t from, size_t n, struct task *task) {
    vec_reserve(&j->to->points, n);
    for (size_t i = from; i < n; i++) {
        if (!task_spend(task, TAKE_COST))
            return false;
        struct flow_point p = joined_point(j, (uint32_t)i);
        go_on(j, &p);
        vec_push(&j->to->waiting, p);
    }
    return true;
}

/* Joins all points again. */
static bool rebuild(struct flows *flows, struct task *task) {
    struct flow_input *in = &flows->input;
    struct flow_entry *sorted = time_log_sorted(task, entries_of(in));
    if (sorted == NULL)
        return false;
    struct flow_derived next = {.time_log = flows->state.time_log};
    init_state(&next);
    if (!join_all(&(struct joining){&next, in, sorted}, 0, in->log.n, task)) {
        clear(&next);
        free(sorted);
        return false;
    }
    time_log_rebuilt(&next.time_log, in->log.n, sorted[in->log.n - 1].at.time);
    const size_t n = in->log.n;
    discard_vec(&in->log);
    in->log.v = sorted;
    in->log.n = in->log.cap = n;
    struct flow_derived *before = err_malloc(sizeof *before);
    *before = flows->state;
    flows->state = next;
    discard(release, before);
    return true;
}

/* Whether one of the entries from `from` on comes after points of its time that it precedes. */
static bool any_too_late(const struct flows *flows, size_t from) {
    const struct flow_entry *v = flows->input.log.v;
    for (size_t i = from; i < flows->input.log.n && v[i].at.time == flows->state.now; i++)
        if (too_late(&flows->state, v[i].at.time, event_key_kind(v[i].at.offset)))
            return true;
    return false;
}

bool flows_flush(struct flows *flows, bool all, struct task *task) {
    struct flow_derived *state = &flows->state;
    const size_t n = flows->input.log.n;
    size_t from;
    enum time_log_todo todo =
        time_log_next(&state->time_log, entries_of(&flows->input), all, task, &from);
    if (task_over(task))
        return false;
    if (todo == TIME_LOG_REST && any_too_late(flows, from)) {
        time_log_refuse(&state->time_log, from);
        todo = time_log_next(&state->time_log, entries_of(&flows->input), all, task, &from);
    }
    if (todo == TIME_LOG_ALL) {
        if (!rebuild(flows, task))
            return false;
    } else if (todo == TIME_LOG_REST &&
               !join_all(&(struct joining){state, &flows->input, NULL}, from, n, task)) {
        return false;
    }
    if (state->waiting.n > 0)
        settle(&(struct joining){state, &flows->input, NULL});
    return true;
}

static int problem_of(const struct flow *f) {
    if (f->unresolved)
        return PROBLEM_FLOW_UNRESOLVED;
    return f->begun ? PROBLEM_FLOW_WITHOUT_END : PROBLEM_FLOW_WITHOUT_BEGIN;
}

/* The first end after the one that ended the flow: it is joined without an arrow. */
static uint32_t late_end(const struct flows *flows, const struct flow *f) {
    uint32_t point = f->first;
    do
        point = flow_link(flows, point)->after;
    while (flow_link(flows, point)->before != NO_POINT);
    return point;
}

/* The first point of a flow that is earlier than the one before it, or NO_POINT. */
static uint32_t backwards(const struct flows *flows, const struct flow *f) {
    for (uint32_t k = f->first; k != NO_POINT; k = flow_link(flows, k)->after) {
        uint32_t before = flow_link(flows, k)->before;
        if (before != NO_POINT && flow_time(flows, k) < flow_time(flows, before))
            return k;
    }
    return NO_POINT;
}

static void add_backwards(const struct flows *flows, struct problems *problems) {
    for (size_t i = 0; i < flows->state.v.n; i++) {
        uint32_t point = backwards(flows, &flows->state.v.v[i]);
        if (point == NO_POINT)
            continue;
        struct flow_point p = flow_point(flows, point);
        problem_add(problems, PROBLEM_FLOW_BACKWARDS, p.at.offset, 0, p.at.time, p.thread);
    }
}

static bool has_problem(const struct flow_derived *flows, int kind) {
    switch (kind) {
    case PROBLEM_FLOW_ENDED_AGAIN:
        return flows->ended_again > 0;
    case PROBLEM_FLOW_UNRESOLVED:
        return flows->unresolved > 0;
    case PROBLEM_FLOW_WITHOUT_BEGIN:
        return flows->unbegun > 0;
    default:
        return flows->begun > flows->complete;
    }
}

void flows_problems(const struct flows *flows, int kind, struct problems *problems) {
    if (kind == PROBLEM_FLOW_BACKWARDS) {
        add_backwards(flows, problems);
        return;
    }
    if (!has_problem(&flows->state, kind))
        return;
    for (size_t i = 0; i < flows->state.v.n; i++) {
        const struct flow *f = &flows->state.v.v[i];
        bool again = kind == PROBLEM_FLOW_ENDED_AGAIN;
        if (again ? !f->ended_again : flow_complete(f) || problem_of(f) != kind)
            continue;
        struct flow_point p = flow_point(flows, again ? late_end(flows, f) : f->first);
        problem_add(problems, kind, p.at.offset, 0, p.at.time, p.thread);
    }
}

uint64_t flows_bytes(const struct flows *flows) {
    return flows->input.log.n * sizeof *flows->input.log.v +
           event_keys_bytes(&flows->input.event_keys) +
           flows->state.points.n * (sizeof *flows->state.points.v + sizeof(uint32_t)) +
           flows->state.on_thread.n * sizeof *flows->state.on_thread.v +
           flows->input.processes.n * sizeof *flows->input.processes.v +
           flows->state.v.n * sizeof *flows->state.v.v +
           flows->state.open.nodes.cap * sizeof(struct open_node);
}
