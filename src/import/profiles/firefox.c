/* firefox.c - profiles as Firefox's profiler processes them, in all versions, and as the browser
 * (gecko) writes them: processes of threads, each with samples and markers.
 *
 * Keys are in any order, so the places of all tables are found first. Then one thread after the
 * other is read into memory and written in parts. */
#include "src/import/profiles/firefox.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/map.h"
#include "src/import/import_whole.h"
#include "src/import/profiles/firefox_frames.h"
#include "src/import/profiles/firefox_markers.h"

#define NONE FIREFOX_NO_PLACE
#define MS 6 /* 10^6 ns */
#define BYTES 0
/* Unix times before this are those of a clock that began with the machine, as perf writes them. */
#define WALL_LEAST ((uint64_t)100 * 1000000000 * 1000000)

enum { STACK, TIME, DELTA, WEIGHT, SAMPLE_COLUMNS };
enum { COUNT, COUNT_TIME, COUNT_DELTA, COUNTER_COLUMNS };

struct process {
    uint64_t meta, counters, categories; /* places, or NONE */
    struct firefox_places shared;        /* tables that are not in a thread */
    struct json_time base;               /* of its times */
    size_t first;                        /* of its threads */
};

struct thread {
    uint64_t at;
    uint32_t process;
    uint64_t pid, tid; /* once it is read */
};

struct counter {
    uint64_t at;
    uint32_t process;
};

struct owner { /* a text instead of a number, or a thread */
    struct str text;
    uint64_t pid, tid;
};

struct level { /* a bracket that is open: that of a process, or of the list of those in it */
    uint32_t process;
    bool list;
};

/* Tables without a place in a trace. Each is a note once. */
static const char *const ignored[] = {"nativeAllocations", "jsAllocations", "jsTracer",
                                      "jsTracerEvents",    "visualMetrics", "pages"};
#define IGNORED (sizeof ignored / sizeof *ignored)

struct firefox {
    struct import_whole whole;
    uint64_t after; /* the place of the present document */
    VEC(struct process) processes;
    VEC(struct thread) threads;
    VEC(struct counter) counters;
    VEC(struct level) levels;
    size_t next_thread, next_counter;
    struct map by_text, by_thread;
    VEC(struct owner) texts, owners;
    struct u64map named; /* a hash of the latest name of a process */
    bool clocked, told[IGNORED], told_pid, told_type, told_unnamed;
    int unit;        /* of times */
    struct str type; /* of weights */
    /* by the number of tables that threads have for themselves: so each shared one is read once */
    struct firefox_frames all_frames[FIREFOX_TABLES + 1], *frames;
    struct firefox_names categories[2]; /* of the first process, and of another one */
    struct firefox_markers markers;
    enum { NOTHING, SAMPLES, MARKERS, COUNTS } within;
    size_t row, rows; /* of the present table */
    struct columns samples, counts;
    uint32_t idle; /* a frame: the thread waits */
    /* of the present thread: */
    uint64_t pid, tid, markers_at, left; /* left: ns, or NONE: when it ended */
    struct str name;
    uint32_t process;
    uint64_t at;
    int64_t last; /* ns: of its last sample */
    /* of the present counter: */
    struct writer_event counter;
    int64_t sum;
    double real; /* the sum, once a count is not whole */
    bool is_real;
    struct json_pull_text text, other;
};

static void fault(struct firefox *f, uint64_t at, const char *sentence) {
    import_whole_fault(&f->whole, IMPORT_FIELD, at, "%s", sentence);
}

static void note(struct firefox *f, uint64_t at, const char *sentence) {
    import_whole_fault(&f->whole, IMPORT_IGNORED, at, "%s", sentence);
}

/* ---- the places of everything ---- */

static void look_for_ignored(struct firefox *f) {
    struct json_pull *pull = &f->whole.pull;
    for (size_t i = 0; i < IGNORED; i++)
        if (!f->told[i] && pull->bracket && json_pull_is(pull, ignored[i])) {
            f->told[i] = true;
            import_whole_fault(&f->whole, IMPORT_IGNORED, pull->token.at, "%s are left out",
                               ignored[i]);
        }
}

static void open_process(struct firefox *f) {
    uint32_t n = (uint32_t)f->processes.n;
    if (!json_pull_enter(&f->whole.pull, JSON_OBJECT))
        return;
    struct process process = {.meta = NONE, .counters = NONE, .categories = NONE};
    firefox_places_init(&process.shared);
    vec_push(&f->processes, process);
    vec_push(&f->levels, ((struct level){n, false}));
}

static void read_process_key(struct firefox *f, uint32_t i) {
    struct json_pull *pull = &f->whole.pull;
    struct process *process = &f->processes.v[i];
    look_for_ignored(f);
    firefox_places_key(&process->shared, pull);
    if (json_pull_is(pull, "meta"))
        process->meta = pull->token.at;
    else if (json_pull_is(pull, "counters"))
        process->counters = pull->token.at;
    else if (json_pull_is(pull, "shared") && json_pull_enter(pull, JSON_OBJECT))
        while (json_pull_next(pull))
            firefox_places_key(&process->shared, pull);
    else if (json_pull_is(pull, "threads") && json_pull_enter(pull, JSON_ARRAY))
        while (json_pull_next(pull))
            vec_push(&f->threads, ((struct thread){pull->token.at, i, 0, 0}));
}

/* Finds all processes of a document, which nest. */
static void find_processes(struct firefox *f) {
    struct json_pull *pull = &f->whole.pull;
    while (f->levels.n > 0) {
        struct level level = f->levels.v[f->levels.n - 1];
        if (!json_pull_next(pull))
            f->levels.n--;
        else if (level.list)
            open_process(f);
        else if (json_pull_is(pull, "processes") && json_pull_enter(pull, JSON_ARRAY))
            vec_push(&f->levels, ((struct level){level.process, true}));
        else
            read_process_key(f, level.process);
    }
}

static void find_counters(struct firefox *f) {
    struct json_pull *pull = &f->whole.pull;
    for (uint32_t i = 0; i < f->processes.n; i++) {
        if (f->processes.v[i].counters == NONE)
            continue;
        json_pull_back(pull, f->processes.v[i].counters);
        if (json_pull_enter(pull, JSON_ARRAY))
            while (json_pull_next(pull))
                vec_push(&f->counters, ((struct counter){pull->token.at, i}));
    }
}

/* ---- processes ---- */

static void read_units(struct firefox *f) {
    struct json_pull *pull = &f->whole.pull;
    if (!json_pull_enter(pull, JSON_OBJECT))
        return;
    while (json_pull_next(pull))
        if (json_pull_is(pull, "time") && str_eq(pull->token.text, STR("bytes")))
            f->unit = BYTES;
}

static bool read_ms(const struct json_token *token, struct json_time *time) {
    bool negative;
    return token->kind == JSON_NUMBER &&
           json_read_unit(token->text, MS, time, &negative) == JSON_READ_TIME && !negative;
}

/* Sets the clock by the first process: its times are in the wall's, in bytes, or since the machine
 * began. perf counts them from there, not from startTime, and its interval is always 1. */
static void set_clock(struct firefox *f, struct process *process, struct json_time interval) {
    bool perf = process->base.ns > 0 && process->base.ns < WALL_LEAST;
    bool wall = process->base.ns >= WALL_LEAST && f->unit == MS;
    if (!wall)
        process->base = (struct json_time){0, 0};
    if (f->clocked)
        return;
    f->clocked = true;
    if (wall)
        writer_init_base(&f->whole.w, 1000000000, process->base.ns, process->base.ns);
    else
        writer_init_record(&f->whole.w, 1000000000);
    if (f->unit == BYTES) {
        note(f, process->meta, "times are places in a file, in bytes: each is a nanosecond");
        samples_period(f->whole.samples, 0, SAMPLES_NO_GAPS);
    } else if (!perf) {
        samples_period(f->whole.samples, 0, json_read_ns(interval));
    }
}

static void read_meta(struct firefox *f, struct process *process) {
    struct json_pull *pull = &f->whole.pull;
    struct json_time interval = {0, 0};
    if (process->meta != NONE) {
        json_pull_back(pull, process->meta);
        if (json_pull_enter(pull, JSON_OBJECT))
            while (json_pull_next(pull)) {
                look_for_ignored(f);
                if (json_pull_is(pull, "startTime") && !read_ms(&pull->token, &process->base))
                    fault(f, pull->token.at, "startTime is no time");
                else if (json_pull_is(pull, "interval") && !read_ms(&pull->token, &interval))
                    fault(f, pull->token.at, "interval is no time");
                else if (json_pull_is(pull, "sampleUnits"))
                    read_units(f);
                else if (json_pull_is(pull, "categories"))
                    process->categories = pull->token.at;
                else if (json_pull_is(pull, "markerSchema"))
                    firefox_markers_schema(&f->markers);
            }
    }
    set_clock(f, process, interval);
}

/* Reads the names of the categories of a process, or those of the first one. */
static void read_categories(struct firefox *f, const struct process *process) {
    bool own = process->categories != NONE && process != f->processes.v;
    f->markers.categories = &f->categories[own];
    firefox_names_read(&f->categories[own], &f->whole.pull,
                       own ? process->categories : f->processes.v[0].categories);
}

static int by_process(const void *a, const void *b) {
    const struct thread *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void sort_threads(struct firefox *f) {
    if (f->threads.n > 1)
        qsort(f->threads.v, f->threads.n, sizeof *f->threads.v, by_process);
    for (size_t i = f->threads.n; i-- > 0;)
        f->processes.v[f->threads.v[i].process].first = i;
}

/* Reads the next document but for its threads. False: there is none. */
static bool read_document(struct firefox *f) {
    struct json_pull *pull = &f->whole.pull;
    firefox_markers_end(&f->markers);
    f->processes.n = f->threads.n = f->counters.n = 0;
    f->next_thread = f->next_counter = 0;
    if (f->after != NONE)
        json_pull_back(pull, f->after);
    if (!import_whole_document(&f->whole))
        return false;
    f->after = pull->token.at;
    f->unit = MS;
    /* It has been entered: go back, so that it opens as those within it do. */
    json_pull_back(pull, f->after);
    open_process(f);
    find_processes(f);
    for (size_t i = 0; i < f->processes.n; i++)
        read_meta(f, &f->processes.v[i]);
    find_counters(f);
    sort_threads(f);
    return true;
}

/* ---- processes and threads ---- */

struct wanted {
    const struct firefox *f;
    struct owner owner;
};

static bool same_text(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    return str_eq(w->f->texts.v[i].text, w->owner.text);
}

static bool same_thread(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct owner *owner = &w->f->owners.v[i];
    return owner->pid == w->owner.pid && owner->tid == w->owner.tid;
}

/* The number of a process or thread: a text that is none gets one. False: it has none. */
static bool number_of(struct firefox *f, const struct json_token *token, uint64_t *number) {
    if (token->kind != JSON_NUMBER && token->kind != JSON_STRING)
        return false;
    if (json_read_whole(token->text, number))
        return true;
    struct wanted wanted = {f, {.text = token->text}};
    uint32_t i = map_intern(&f->by_text, hash_bytes(token->text.s, token->text.n), same_text,
                            &wanted, (uint32_t)f->texts.n);
    if (i == f->texts.n)
        vec_push(&f->texts, ((struct owner){token->text, f->whole.made_tid++, 0}));
    *number = f->texts.v[i].pid;
    return true;
}

static void name_process(struct firefox *f, uint64_t pid, struct str name) {
    uint64_t hash = hash_bytes(name.s, name.n) >> 1;
    if (name.n == 0 || u64map_get(&f->named, u64map_key(pid)) == hash)
        return;
    u64map_set(&f->named, u64map_key(pid), hash);
    import_whole_process(&f->whole, pid, name);
}

static void no_process(struct firefox *f, uint64_t at) {
    name_process(f, 0, STR("(processes not recorded)"));
    if (!f->told_pid)
        note(f, at, "threads without a process");
    f->told_pid = true;
}

/* Whether there was no such thread before: numbers of threads that have ended are used again. */
static bool is_new(struct firefox *f, uint64_t pid, uint64_t tid) {
    struct wanted wanted = {f, {{"", 0}, pid, tid}};
    uint32_t i = map_intern(&f->by_thread, hash_words(pid, tid), same_thread, &wanted,
                            (uint32_t)f->owners.n);
    if (i < f->owners.n)
        return false;
    vec_push(&f->owners, wanted.owner);
    return true;
}

struct thread_keys {
    struct json_token name, process, pid, tid, left;
    uint64_t samples, markers;
    struct firefox_places tables;
};

/* False: it is no object. */
static bool read_thread(struct firefox *f, const struct thread *thread, struct thread_keys *keys) {
    struct json_pull *pull = &f->whole.pull;
    struct json_token none = {.kind = JSON_NULL, .text = {"", 0}};
    *keys = (struct thread_keys){none, none, none, none, none, NONE, NONE, {{0}}};
    firefox_places_init(&keys->tables);
    json_pull_back(pull, thread->at);
    if (!json_pull_enter(pull, JSON_OBJECT))
        return false;
    while (json_pull_next(pull)) {
        look_for_ignored(f);
        firefox_places_key(&keys->tables, pull);
        if (json_pull_is(pull, "name"))
            keys->name = pull->token;
        else if (json_pull_is(pull, "processName"))
            keys->process = pull->token;
        else if (json_pull_is(pull, "pid"))
            keys->pid = pull->token;
        else if (json_pull_is(pull, "tid"))
            keys->tid = pull->token;
        else if (json_pull_is(pull, "unregisterTime"))
            keys->left = pull->token;
        else if (json_pull_is(pull, "samples"))
            keys->samples = pull->token.at;
        else if (json_pull_is(pull, "markers"))
            keys->markers = pull->token.at;
    }
    return true;
}

/* The type of the weights of samples, if these are not as many samples each. */
static void read_type(struct firefox *f, uint64_t at) {
    struct json_pull *pull = &f->whole.pull;
    f->type = (struct str){"", 0};
    json_pull_back(pull, at);
    if (!json_pull_enter(pull, JSON_OBJECT))
        return;
    while (json_pull_next(pull))
        if (json_pull_is(pull, "weightType") && pull->token.kind == JSON_STRING &&
            !str_eq(pull->token.text, STR("samples")))
            f->type = pull->token.text;
    if (f->type.n > 0 && !f->told_type) {
        import_whole_fault(&f->whole, IMPORT_IGNORED, at,
                           "weights are no samples of time: the rows say what they are");
        f->told_type = true;
    }
}

static void name_thread(struct firefox *f, uint64_t tid, const char *suffix) {
    char text[1100];
    int n = snprintf(text, sizeof text, "%.*s%s", str_head(f->name, 1000), f->name.s, suffix);
    import_whole_thread(&f->whole, f->pid, tid, (struct str){text, (size_t)n});
}

/* Reads the tables of the next thread, and names it. */
static void begin_thread(struct firefox *f) {
    struct thread *thread = &f->threads.v[f->next_thread++];
    struct thread_keys keys;
    char type[80] = "";
    if (!read_thread(f, thread, &keys)) {
        import_whole_fault(&f->whole, IMPORT_UNKNOWN, thread->at, "a thread that is no object");
        return;
    }
    f->process = thread->process;
    f->at = thread->at;
    if (!number_of(f, &keys.pid, &f->pid)) {
        f->pid = 0;
        no_process(f, thread->at);
    }
    if (!number_of(f, &keys.tid, &f->tid) || !is_new(f, f->pid, f->tid))
        f->tid = f->whole.made_tid++;
    thread->pid = f->pid;
    thread->tid = f->tid;
    import_whole_mark(&f->whole, thread->at);
    name_process(f, f->pid, json_pull_string(&keys.process, &f->text));
    if (keys.process.text.n == 0 && keys.pid.kind == JSON_STRING)
        name_process(f, f->pid, json_pull_string(&keys.pid, &f->text));
    f->name = json_pull_string(&keys.name, &f->text);
    columns_clear(&f->samples);
    f->type = (struct str){"", 0};
    struct json_time base = f->processes.v[f->process].base, left;
    f->left = NONE;
    if (read_ms(&keys.left, &left) && json_read_add(base, left, &left))
        f->left = json_read_ns(left);
    f->frames =
        &f->all_frames[firefox_places_share(&keys.tables, &f->processes.v[f->process].shared)];
    f->markers.frames = f->frames;
    if (keys.samples != NONE || keys.markers != NONE)
        firefox_frames_read(f->frames, &keys.tables);
    if (keys.samples != NONE) {
        f->samples.from = base;
        f->samples.unit = f->unit;
        columns_read(&f->samples, keys.samples);
        if (f->samples.v[WEIGHT].v.n > 0)
            read_type(f, keys.samples);
    }
    if (f->type.n > 0)
        snprintf(type, sizeof type, " (%.*s)", str_head(f->type, 64), f->type.s);
    name_thread(f, f->tid, type);
    f->markers_at = keys.markers;
    f->within = SAMPLES;
    f->row = 0;
    f->rows = columns_rows(&f->samples);
    f->last = (int64_t)json_read_ns(base);
}

/* ---- samples ---- */

/* The weight of a sample: its number, of times nanoseconds. */
static uint64_t weight_of(struct firefox *f, int64_t at) {
    struct json_token *token = &f->whole.pull.token;
    uint64_t weight;
    struct json_time time;
    if (at < 0)
        return 1;
    json_pull_back(&f->whole.pull, (uint64_t)at);
    if (str_eq(f->type, STR("tracing-ms"))) {
        if (read_ms(token, &time))
            return json_read_ns(time);
    } else if (json_read_whole(token->text, &weight)) {
        return weight;
    }
    fault(f, (uint64_t)at, "a weight that cannot be: 0");
    return 0;
}

static void take_sample(struct firefox *f, size_t row) {
    struct import_place source = {.byte = f->samples.at.n > row ? f->samples.at.v[row] : f->at};
    int64_t stack = columns_cell(&f->samples, STACK, row),
            ts = columns_cell(&f->samples, f->samples.v[TIME].there ? TIME : DELTA, row);
    struct samples_sample sample = {.pid = f->pid,
                                    .tid = f->tid,
                                    .cpu = -1,
                                    .thread = f->name,
                                    .source = source,
                                    .weight = weight_of(f, columns_cell(&f->samples, WEIGHT, row))};
    if (ts < 0)
        fault(f, source.byte, "a sample without a time: at that of the one before");
    else
        f->last = ts;
    sample.ts = (uint64_t)f->last;
    if (stack >= (int64_t)f->frames->tree.v.n) {
        fault(f, source.byte, "a sample of a stack that is not there: it has none");
        stack = COLUMNS_NONE;
    }
    if (stack >= 0 && f->frames->tree.v.v[stack].frame.id == f->idle) {
        samples_off(f->whole.samples, sample.ts, f->pid, f->tid, &source);
        return;
    }
    stack_tree_get(&f->frames->tree, stack < 0 ? STACK_TREE_NONE : (uint32_t)stack, &sample);
    samples_add(f->whole.samples, &sample);
}

static void end_samples(struct firefox *f) {
    struct import_place source = {.byte = f->at};
    if (f->left != NONE)
        samples_off(f->whole.samples, f->left, f->pid, f->tid, &source);
    f->within = NOTHING;
    if (f->markers_at == NONE)
        return;
    firefox_markers_read(&f->markers, f->markers_at, f->processes.v[f->process].base, f->unit);
    f->row = 0;
    f->rows = columns_rows(&f->markers.table);
    if (f->rows == 0)
        return;
    read_categories(f, &f->processes.v[f->process]);
    uint64_t tid = f->whole.made_tid++;
    import_whole_mark(&f->whole, f->markers_at);
    name_thread(f, tid, " markers");
    f->markers.row = writer_intern_thread(&f->whole.w, f->pid, tid);
    f->within = MARKERS;
}

/* ---- counters ---- */

/* The samples of a counter: its own, or those of its first group. */
static void find_group(struct firefox *f, uint64_t *samples, unsigned *groups) {
    struct json_pull *pull = &f->whole.pull;
    bool list = json_pull_enter(pull, JSON_ARRAY);
    if (list && !json_pull_next(pull))
        return;
    do {
        if (!json_pull_enter(pull, JSON_OBJECT))
            continue;
        while (json_pull_next(pull))
            if (json_pull_is(pull, "samples") && ++*groups == 1)
                *samples = pull->token.at;
    } while (list && json_pull_next(pull));
}

static void begin_counter(struct firefox *f) {
    struct json_pull *pull = &f->whole.pull;
    struct counter counter = f->counters.v[f->next_counter++];
    struct json_token none = {.kind = JSON_NULL, .text = {"", 0}}, name = none, category = none,
                      pid_token = none;
    uint64_t samples = NONE, main = UINT64_MAX, pid = 0, tid;
    unsigned groups = 0;
    json_pull_back(pull, counter.at);
    if (!json_pull_enter(pull, JSON_OBJECT)) {
        fault(f, counter.at, "a counter that is no object");
        return;
    }
    while (json_pull_next(pull)) {
        if (json_pull_is(pull, "name"))
            name = pull->token;
        else if (json_pull_is(pull, "category"))
            category = pull->token;
        else if (json_pull_is(pull, "pid"))
            pid_token = pull->token;
        else if (json_pull_is(pull, "mainThreadIndex"))
            json_read_whole(pull->token.text, &main);
        else if (json_pull_is(pull, "samples"))
            samples = pull->token.at;
        else if (json_pull_is(pull, "sampleGroups") || json_pull_is(pull, "sample_groups"))
            find_group(f, &samples, &groups);
    }
    if (groups > 1)
        note(f, counter.at, "other groups of a counter are left out");
    if (samples == NONE) {
        fault(f, counter.at, "a counter without samples");
        return;
    }
    if (main >= f->threads.n)
        main = f->processes.v[counter.process].first;
    const struct thread *thread = main < f->threads.n ? &f->threads.v[main] : NULL;
    if (!number_of(f, &pid_token, &pid) && thread)
        pid = thread->pid;
    tid = thread && thread->pid == pid ? thread->tid : pid;
    f->counts.from = f->processes.v[counter.process].base;
    f->counts.unit = f->unit;
    columns_read(&f->counts, samples);
    import_whole_mark(&f->whole, counter.at);
    f->counter = (struct writer_event){
        .thread = writer_intern_thread(&f->whole.w, pid, tid),
        .category = import_whole_text(&f->whole, json_pull_string(&category, &f->other)),
        .name = import_whole_text(&f->whole, json_pull_string(&name, &f->text))};
    f->sum = 0;
    f->real = 0;
    f->is_real = false;
    f->row = 0;
    f->rows = columns_rows(&f->counts);
    f->within = COUNTS;
}

/* Adds a count; false: it is none. */
static bool add_count(struct firefox *f, const struct json_token *token) {
    int64_t whole;
    double real;
    if (token->kind != JSON_NUMBER || !json_read_double(token->text, &real))
        return false;
    if (!f->is_real && json_read_i64(token->text, &whole) &&
        !__builtin_add_overflow(f->sum, whole, &f->sum))
        return true;
    if (!f->is_real)
        f->real = (double)f->sum;
    f->is_real = true;
    f->real += real;
    return true;
}

/* A count is the difference to the one before. */
static void take_count(struct firefox *f, size_t row) {
    int64_t at = columns_cell(&f->counts, COUNT, row),
            ts = columns_cell(&f->counts, f->counts.v[COUNT_TIME].there ? COUNT_TIME : COUNT_DELTA,
                              row);
    uint64_t place = f->counts.at.n > row ? f->counts.at.v[row] : 0;
    if (at >= 0)
        json_pull_back(&f->whole.pull, (uint64_t)at);
    if (at < 0 || !add_count(f, &f->whole.pull.token)) {
        fault(f, place, "a count that is no number");
        return;
    }
    if (ts < 0) {
        fault(f, place, "a count without a time");
        return;
    }
    struct writer_string key = writer_intern(&f->whole.w, STR("count"));
    struct writer_argument arg = f->is_real ? writer_double(key, f->real)
                                            : writer_number(FXT_ARG_INT64, key, (uint64_t)f->sum);
    f->counter.ts = (uint64_t)ts;
    f->counter.args = (struct writer_arguments){&arg, 1};
    import_whole_mark(&f->whole, place);
    writer_counter(&f->whole.w, &f->counter, 0);
}

/* ---- the importer ---- */

/* Writes some records. False: all are written. */
static bool write_some(struct firefox *f) {
    while (!import_whole_full(&f->whole)) {
        if (f->within == SAMPLES && f->row < f->rows) {
            take_sample(f, f->row++);
        } else if (f->within == SAMPLES) {
            end_samples(f);
        } else if (f->within == MARKERS && f->row < f->rows) {
            firefox_markers_write(&f->markers, f->row++);
        } else if (f->within == COUNTS && f->row < f->rows) {
            take_count(f, f->row++);
        } else if (f->next_thread < f->threads.n) {
            begin_thread(f);
        } else if (f->next_counter < f->counters.n) {
            begin_counter(f);
        } else {
            f->within = NOTHING;
            if (!read_document(f)) {
                samples_end(f->whole.samples, 0);
                return false;
            }
        }
    }
    return true;
}

static void *start(void) {
    static const struct column samples[] = {{.name = "stack"},
                                            {.name = "time", .kind = COLUMN_TIME},
                                            {.name = "timeDeltas", .kind = COLUMN_DELTA},
                                            {.name = "weight", .kind = COLUMN_PLACE}},
                               counts[] = {{.name = "count", .kind = COLUMN_PLACE},
                                           {.name = "time", .kind = COLUMN_TIME},
                                           {.name = "timeDeltas", .kind = COLUMN_DELTA}};
    struct import_place none = {0, 0, 0};
    struct firefox *f = err_calloc(1, sizeof *f);
    import_whole_init(&f->whole);
    f->whole.clocked = f->whole.w.ends_by_name = true;
    f->after = NONE;
    f->idle = samples_frame(f->whole.samples, &none, STR("(idle)"), STR(""), STR(""));
    for (int i = 0; i <= FIREFOX_TABLES; i++)
        firefox_frames_init(&f->all_frames[i], &f->whole, &f->told_unnamed);
    firefox_markers_init(&f->markers, &f->whole);
    f->categories[0].at = f->categories[1].at = NONE;
    f->samples.pull = f->counts.pull = &f->whole.pull;
    f->samples.n = SAMPLE_COLUMNS;
    f->counts.n = COUNTER_COLUMNS;
    memcpy(f->samples.v, samples, sizeof samples);
    memcpy(f->counts.v, counts, sizeof counts);
    return f;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct firefox *f = import;
    bool more = import_whole_take(&f->whole, bytes, last) && !f->whole.done;
    if (more)
        f->whole.done = !(more = write_some(f));
    *news = import_whole_news(&f->whole, more);
}

static void stop(void *import) {
    struct firefox *f = import;
    for (int i = 0; i <= FIREFOX_TABLES; i++)
        firefox_frames_free(&f->all_frames[i]);
    vec_free(&f->categories[0].v);
    vec_free(&f->categories[1].v);
    firefox_markers_free(&f->markers);
    columns_free(&f->samples);
    columns_free(&f->counts);
    import_whole_free(&f->whole);
    vec_free(&f->processes);
    vec_free(&f->threads);
    vec_free(&f->counters);
    vec_free(&f->levels);
    vec_free(&f->texts);
    vec_free(&f->owners);
    map_free(&f->by_text);
    map_free(&f->by_thread);
    u64map_free(&f->named);
    vec_free(&f->text.v);
    vec_free(&f->other.v);
    free(f);
}

static void hurry(void *import) {
    import_whole_hurry(&((struct firefox *)import)->whole);
}

const struct importer firefox = {"a profile of Firefox", NULL, start, step, stop, hurry};
