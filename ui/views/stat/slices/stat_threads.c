/* stat_threads.c - States: threads by state; CPUs: threads by CPU time. Both are rows of
 * thread_states.h. */
#include "model/query/process_label.h"
#include "model/query/stat/tables/thread_states.h"
#include "model/trace/trace_life.h"
#include "src/base/text.h"
#include "src/base/time/sum.h"
#include "src/base/units.h"
#include "ui/drawer/phrase.h"
#include "ui/timeline/move.h"
#include "ui/views/stat/slices/stat_go.h"
#include "ui/views/stat/slices/stat_tab.h"
#include "ui/views/view_table.h"

struct pair { /* a row of States */
    uint32_t row;
    enum thread_state state;
};

struct threads {
    struct stat_asked asked;
    struct thread_states states;
    VEC(struct pair) pairs; /* states with time, once those are known */
};

static int64_t share_of(int64_t part, int64_t all) {
    return sum_share(sum_from(part), sum_from(all));
}

static struct str thread_name(const struct threads *t, uint32_t thread,
                              struct relation_value *value) {
    return phrase_thread(t->asked.app->trace, thread, " ", value->buf, sizeof value->buf);
}

/* Marks a recorded command with the argument that distinguishes it: "cc1 18426 m7.c". */
static void mark_command(const struct threads *t, uint32_t thread, struct table_cell *cell) {
    struct trace *trace = t->asked.app->trace;
    uint32_t process = trace_thread(trace, thread)->process;
    char label[PROCESS_LABEL];
    if (process == NO_PROCESS || !process_label_begun(trace, thread))
        return;
    size_t n = process_label(trace, process, label), at = n;
    while (at > 0 && label[at - 1] != ' ')
        at--;
    text_plain(cell->mark, sizeof cell->mark, (struct str){label + at, n - at},
               TEXT_TRACK | (t->asked.app->grid.ascii ? TEXT_ASCII : 0));
}

/* ---- States ---- */

enum { THREAD, STATE, TIME, SHARE, COUNT, LONGEST, AT, WOKEN_BY, WAKES, COLUMNS };

static const struct relation_column state_values[COLUMNS] = {
    [THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [STATE] = {"state", "state", RELATION_TEXT, RELATION_NONE, false},
    [TIME] = {"time_ns", "time", RELATION_INTEGER, RELATION_DURATION, false},
    [SHARE] = {"share", "of thread", RELATION_INTEGER, RELATION_SHARE, false},
    [COUNT] = {"count", "count", RELATION_INTEGER, RELATION_COUNT, false},
    [LONGEST] = {"longest_ns", "longest", RELATION_INTEGER, RELATION_DURATION, false},
    [AT] = {"longest_at_ns", "longest at", RELATION_INTEGER, RELATION_TIME, false},
    [WOKEN_BY] = {"woken_by", "woken by", RELATION_TEXT, RELATION_NONE, false},
    [WAKES] = {"wakes", "wakes", RELATION_INTEGER, RELATION_COUNT, false},
};

static const struct table_column state_columns[COLUMNS] = {
    [THREAD] = {NULL, 13, 0, 0, false, true}, [STATE] = {NULL, 11, 11, 0, false, false},
    [TIME] = {NULL, 9, 9, 0, true, true},     [SHARE] = {NULL, 9, 9, 1, true, true},
    [COUNT] = {NULL, 6, 8, 4, true, true},    [LONGEST] = {NULL, 9, 9, 2, true, true},
    [AT] = {NULL, 14, 18, 6, false, true},    [WOKEN_BY] = {NULL, 10, 20, 3, false, false},
    [WAKES] = {NULL, 5, 6, 5, true, true},
};

static uint64_t state_rows(void *ctx) {
    const struct threads *t = stat_tab_data(ctx);
    return t ? t->pairs.n : 0;
}

static void state_get(void *ctx, struct relation_row row, int column,
                      struct relation_value *value) {
    const struct threads *t = stat_tab_data(ctx);
    struct pair pair = t->pairs.v[row.row];
    const struct thread_states_row *r = &t->states.rows.v[pair.row];
    bool walked = thread_states_known(&t->states, pair.row);
    bool known = walked && pair.state != THREAD_UNKNOWN && r->count[pair.state] > 0;
    bool woken = walked && (pair.state == THREAD_RUNNABLE || pair.state == THREAD_BLOCKED);
    switch (column) {
    case THREAD:
        relation_set_text(value, thread_name(t, r->thread, value));
        break;
    case STATE:
        relation_set_text(value, str_of(thread_states_name(t->states.trace, r, pair.state)));
        break;
    case TIME:
        relation_set_integer(value, r->time[pair.state]);
        break;
    case SHARE:
        relation_set_integer(value, share_of(r->time[pair.state], r->lived));
        break;
    case WOKEN_BY:
        if (woken && r->waker != NO_THREAD)
            relation_set_text(value, thread_name(t, r->waker, value));
        break;
    case WAKES:
        if (woken && r->wakes > 0)
            relation_set_integer(value, (int64_t)r->wakes);
        break;
    case COUNT:
        if (known)
            relation_set_integer(value, (int64_t)r->count[pair.state]);
        break;
    default:
        if (known)
            relation_set_integer(value, column == LONGEST ? r->longest[pair.state]
                                                          : r->longest_at[pair.state]);
        break;
    }
}

static void state_format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    static const enum role roles[THREAD_STATES] = {ROLE_RUNNING, ROLE_RUNNABLE, ROLE_BLOCKED,
                                                   ROLE_TEXT, ROLE_DIM};
    const struct threads *t = stat_tab_data(ctx);
    if (column == STATE || column == TIME || column == SHARE)
        cell->role = roles[t->pairs.v[row.row].state];
    else if (column == THREAD)
        mark_command(t, t->states.rows.v[t->pairs.v[row.row].row].thread, cell);
    else if (column == AT && cell->value.type == RELATION_INTEGER)
        view_table_point(t->asked.app, cell);
}

/* Rows of States exist once all times are known. In the order of threads, which has
 * the last of equal rows first, running time begins those of a thread. */
static void add_pairs(void *data) {
    struct threads *t = data;
    for (uint32_t i = 0; i < t->states.rows.n; i++)
        for (int state = THREAD_STATES - 1; state >= 0; state--)
            if (t->states.rows.v[i].time[state] > 0)
                vec_push(&t->pairs, ((struct pair){i, (enum thread_state)state}));
}

static void make(struct task *task, void *data) {
    struct threads *t = data;
    thread_states_make(task, &t->states, t->asked.app->trace, t->asked.range, add_pairs, t);
}

static unsigned percent(const void *data) {
    return thread_states_percent(&((const struct threads *)data)->states);
}

/* Times are of the whole range from the first row on. The other columns come row by row. */
static unsigned so_far(const void *data) {
    return ((const struct threads *)data)->states.times ? 100 : 0;
}

static void release(void *data) {
    struct threads *t = data;
    thread_states_free(&t->states);
    vec_free(&t->pairs);
}

/* Selects the state at that time: its details are what ran instead, or what ended it. */
static void select_state(struct app *app, uint32_t thread, int64_t at) {
    const struct sched_thread *t = sched_thread(trace_sched(app->trace), thread);
    uint32_t i = t ? lane_before(&t->lane, at) : UINT32_MAX;
    if (i != UINT32_MAX)
        move_select(app, selection_of_lane(&track_thread_state, thread, 0, &t->lane, i));
}

/* The longest state of the row. */
static void state_go(void *data, uint64_t row) {
    struct threads *t = data;
    struct pair pair = t->pairs.v[row];
    const struct thread_states_row *r = &t->states.rows.v[pair.row];
    int64_t at = r->longest_at[pair.state];
    if (!thread_states_known(&t->states, pair.row) || pair.state == THREAD_UNKNOWN ||
        r->count[pair.state] == 0) {
        stat_go(t->asked.app, &track_thread, r->thread,
                range_begin(t->asked.range, t->asked.app->trace),
                range_end(t->asked.range, t->asked.app->trace));
    } else {
        stat_go(t->asked.app, &track_thread, r->thread, at, units_sum(at, r->longest[pair.state]));
        select_state(t->asked.app, r->thread, at);
    }
}

/* Threads in the order of interest: by their running time, idle ones last. */
static int64_t state_key(void *ctx, struct relation_row row, int column) {
    const struct threads *t = stat_tab_data(ctx);
    struct relation_value value = {.type = RELATION_NULL};
    if (column == THREAD) {
        const struct thread_states_row *r = &t->states.rows.v[t->pairs.v[row.row].row];
        struct trace *trace = t->asked.app->trace;
        return trace_thread_rank(trace, trace_thread(trace, r->thread), r->time[THREAD_RUNNING]);
    }
    state_get(ctx, row, column, &value);
    return value.type == RELATION_INTEGER ? value.integer : INT64_MIN;
}

static uint64_t state_id(void *ctx, uint64_t row) {
    const struct threads *t = stat_tab_data(ctx);
    struct pair pair = t->pairs.v[row];
    return (uint64_t)t->states.rows.v[pair.row].thread * THREAD_STATES + (uint64_t)pair.state;
}

static const struct relation state_relation = {"thread_state", state_values, COLUMNS,
                                               false,          state_rows,   state_get};
static const struct table_source state_source = {&state_relation,  state_columns,  state_format,
                                                 .key = state_key, .id = state_id, .bar = TIME};

const struct stat_tab stat_threads_states = {
    .title = "States",
    .noun = "state",
    .none = "no scheduling in this range",
    .kinds = SLICE_ITER_STATES,
    .sources = &state_source,
    .sort = THREAD,
    .answer = {sizeof(struct threads), make, release},
    .percent = percent,
    .so_far = so_far,
    .go = state_go,
};

/* ---- CPUs ---- */

enum {
    CPU_THREAD,
    CPU_TIME,
    CPU_SHARE,
    CPU_SWITCHES,
    CPU_AVG,
    CPU_LONGEST,
    CPU_AT,
    CPU_WAITED,
    CPU_WAITED_MOST,
    CPU_ALIVE,
    CPU_COLUMNS
};

static const struct relation_column cpu_values[CPU_COLUMNS] = {
    [CPU_THREAD] = {"thread", "thread", RELATION_TEXT, RELATION_NONE, false},
    [CPU_TIME] = {"cpu_ns", "CPU time", RELATION_INTEGER, RELATION_DURATION, false},
    [CPU_SHARE] = {"share", "of thread", RELATION_INTEGER, RELATION_SHARE, false},
    [CPU_SWITCHES] = {"switches", "switches", RELATION_INTEGER, RELATION_COUNT, false},
    [CPU_AVG] = {"avg_ns", "avg", RELATION_INTEGER, RELATION_DURATION, false},
    [CPU_LONGEST] = {"longest_ns", "longest", RELATION_INTEGER, RELATION_DURATION, false},
    [CPU_AT] = {"longest_at_ns", "longest at", RELATION_INTEGER, RELATION_TIME, false},
    [CPU_WAITED] = {"runnable_ns", "runnable", RELATION_INTEGER, RELATION_DURATION, false},
    [CPU_WAITED_MOST] = {"longest_runnable_ns", "longest wait", RELATION_INTEGER, RELATION_DURATION,
                         false},
    [CPU_ALIVE] = {"alive_ns", "alive", RELATION_INTEGER, RELATION_DURATION, false},
};

static const struct table_column cpu_columns[CPU_COLUMNS] = {
    [CPU_THREAD] = {NULL, 14, 0, 0, false, false},
    [CPU_TIME] = {NULL, 9, 9, 0, true, true},
    [CPU_ALIVE] = {NULL, 9, 9, 2, true, true},
    [CPU_SHARE] = {NULL, 9, 9, 1, true, true},
    [CPU_SWITCHES] = {NULL, 8, 8, 5, true, true},
    [CPU_AVG] = {NULL, 9, 9, 6, true, true},
    [CPU_LONGEST] = {NULL, 9, 9, 2, true, true},
    [CPU_AT] = {NULL, 14, 18, 8, false, true},
    [CPU_WAITED] = {NULL, 9, 9, 3, true, true},
    [CPU_WAITED_MOST] = {NULL, 12, 12, 7, true, true},
};

static uint64_t cpu_rows(void *ctx) {
    const struct threads *t = stat_tab_data(ctx);
    return t && t->states.times ? t->states.rows.n : 0;
}

static void cpu_get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct threads *t = stat_tab_data(ctx);
    const struct thread_states_row *r = &t->states.rows.v[row.row];
    uint64_t n = r->count[THREAD_RUNNING];
    bool known = thread_states_known(&t->states, (uint32_t)row.row);
    int64_t numbers[CPU_COLUMNS] = {[CPU_TIME] = r->time[THREAD_RUNNING],
                                    [CPU_ALIVE] = r->lived,
                                    [CPU_SHARE] = share_of(r->time[THREAD_RUNNING], r->lived),
                                    [CPU_SWITCHES] = (int64_t)n,
                                    [CPU_AVG] = n > 0 ? r->time[THREAD_RUNNING] / (int64_t)n : 0,
                                    [CPU_LONGEST] = r->longest[THREAD_RUNNING],
                                    [CPU_AT] = r->longest_at[THREAD_RUNNING],
                                    [CPU_WAITED] = r->time[THREAD_RUNNABLE],
                                    [CPU_WAITED_MOST] = r->longest[THREAD_RUNNABLE]};
    if (column == CPU_THREAD)
        relation_set_text(value, thread_name(t, r->thread, value));
    else if (column == CPU_TIME || column == CPU_ALIVE || column == CPU_SHARE ||
             column == CPU_WAITED ||
             (known && (n > 0 || column == CPU_SWITCHES || column == CPU_WAITED_MOST)))
        relation_set_integer(value, numbers[column]);
}

static void cpu_format(void *ctx, struct relation_row row, int column, struct table_cell *cell) {
    const struct threads *t = stat_tab_data(ctx);
    if (column == CPU_THREAD)
        mark_command(t, t->states.rows.v[row.row].thread, cell);
    else if (column == CPU_TIME)
        cell->role = ROLE_RUNNING;
    else if (column == CPU_WAITED || column == CPU_WAITED_MOST)
        cell->role = ROLE_RUNNABLE;
    else if (column == CPU_AT && cell->value.type == RELATION_INTEGER)
        view_table_point(t->asked.app, cell);
}

static void cpu_go(void *data, uint64_t row) {
    struct threads *t = data;
    const struct thread_states_row *r = &t->states.rows.v[row];
    int64_t at = r->longest_at[THREAD_RUNNING];
    if (thread_states_known(&t->states, (uint32_t)row) && r->count[THREAD_RUNNING] > 0)
        stat_go(t->asked.app, &track_thread, r->thread, at,
                units_sum(at, r->longest[THREAD_RUNNING]));
}

static uint64_t cpu_id(void *ctx, uint64_t row) {
    const struct threads *t = stat_tab_data(ctx);
    return t->states.rows.v[row].thread;
}

static const struct relation cpu_relation = {"thread_cpu", cpu_values, CPU_COLUMNS,
                                             false,        cpu_rows,   cpu_get};
static const struct table_source cpu_source = {&cpu_relation,   cpu_columns,
                                               cpu_format,      .id = cpu_id,
                                               .bar = CPU_TIME, .bar_takes = TABLE_BAR_TAKES};

const struct stat_tab stat_threads_cpus = {
    .title = "CPUs",
    .noun = "thread",
    .none = "no scheduling in this range",
    .kinds = SLICE_ITER_STATES,
    .sources = &cpu_source,
    .sort = CPU_TIME,
    .answer = {sizeof(struct threads), make, release},
    .percent = percent,
    .so_far = so_far,
    .go = cpu_go,
};
