/* chrome.c - Chrome's trace event format, written for Perfetto, speedscope and chrome://tracing
 * (EXPORT 5).
 *
 * chrome_plan.c chooses the events and their order; here each becomes a JSON object. Viewers refuse
 * surrogate pairs as escapes and read numbers as doubles: an integer that a double cannot hold is
 * written as a string. */
#include "model/output/ndjson.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "model/output/chrome_plan.h"
#include "model/output/json.h"
#include "model/output/lines/blocks.h"
#include "model/store/row_track.h"
#include "src/base/units.h"

#define EXACT_MAX (UINT64_C(1) << 53) /* integers up to here are exact as doubles */

struct chrome {
    struct json j;
    struct trace *trace;
    struct detail_memo *memo;
    int64_t origin;
    struct chrome_plan plan;
    bool any;         /* an event was written */
    bool *homeless;   /* by world: the process of threads without one was named */
    uint64_t written; /* events before those of the two makers */
    /* the object "args" of the current event: keys so far, escaped, one after the other, and where
     * each ends */
    bool in_args;
    struct chars keys;
    VEC(size_t) key_ends;
    char apart[BLOCKS_APART];
};

/* ---- writing ---- */

static bool open_record(struct chrome *c, struct detail *d, uint64_t offset) {
    return detail_open_by(d, c->trace, offset, c->memo);
}

/* Microseconds with three decimals; a time is never negative, nor a duration. */
static void microseconds(struct chrome *c, int64_t ns) {
    unsigned rest = (unsigned)(ns % 1000);
    chars_i64(c->j.out, ns / 1000);
    char *to = chars_space(c->j.out, 4);
    to[0] = '.';
    to[1] = (char)('0' + rest / 100);
    to[2] = (char)('0' + rest / 10 % 10);
    to[3] = (char)('0' + rest % 10);
    c->j.out->n += 4;
}

static void time_field(struct chrome *c, const char *name, int64_t ns) {
    json_key(&c->j, name);
    microseconds(c, ns);
}

struct owner { /* of an event, in the numbers of the format */
    uint64_t pid, tid;
};

static void begin_event(struct chrome *c, const char *phase, struct str category, struct str name,
                        struct owner owner, int64_t time) {
    chars_text(c->j.out, c->any ? ",\n{" : "\n{");
    c->any = true;
    c->j.first = true;
    json_text(&c->j, "ph", str_of(phase));
    if (category.s)
        json_text(&c->j, "cat", category);
    json_text(&c->j, "name", name);
    json_u64(&c->j, "pid", owner.pid);
    json_u64(&c->j, "tid", owner.tid);
    time_field(c, "ts", time);
}

static struct owner owner_of(const struct chrome_track *track) {
    return (struct owner){track->pid, track->tid};
}

static uint16_t world_of(const struct trace *trace, uint64_t offset) {
    return trace_file_world(trace, trace_record_file(trace, offset));
}

/* The owner of a record, by its thread if it has one. */
static struct owner record_owner(const struct chrome *c, const struct detail *d) {
    uint32_t thread = detail_thread(d);
    bool several = trace_hosts(c->trace) > 1;
    uint64_t none = c->plan.no_pids[several ? world_of(c->trace, d->offset) : 0];
    return thread == NO_THREAD ? (struct owner){none, none}
                               : owner_of(chrome_plan_track(&c->plan, thread));
}

static bool key_used(const struct chrome *c, const char *key, size_t n) {
    size_t from = 0;
    for (size_t i = 0; i < c->key_ends.n; from = c->key_ends.v[i++])
        if (c->key_ends.v[i] - from == n && memcmp(c->keys.v + from, key, n) == 0)
            return true;
    return false;
}

/* The next key of "args": a second one of that name is "name (2)". */
static void argument_key(struct chrome *c, struct str name) {
    size_t from = c->keys.n;
    chars_add(&c->keys, STR(""));
    json_escape(&c->j, name, &c->keys);
    size_t escaped = c->keys.n;
    for (unsigned i = 2; key_used(c, c->keys.v + from, c->keys.n - from); i++) {
        char suffix[16];
        c->keys.n = escaped;
        snprintf(suffix, sizeof suffix, " (%u)", i);
        chars_add(&c->keys, str_of(suffix));
    }
    vec_push(&c->key_ends, c->keys.n);
    if (!c->in_args)
        json_key(&c->j, "args");
    chars_put(c->j.out, c->in_args ? ',' : '{');
    chars_put(c->j.out, '"');
    chars_add(c->j.out, (struct str){c->keys.v + from, c->keys.n - from});
    chars_text(c->j.out, "\":");
    c->in_args = true;
}

static void text_argument(struct chrome *c, const char *name, struct str value) {
    argument_key(c, str_of(name));
    json_string(&c->j, value);
}

static bool beyond_doubles(const struct detail_argument *a) {
    switch (a->type) {
    case FXT_ARG_INT64:
        return (a->bits >> 63 ? -a->bits : a->bits) > EXACT_MAX;
    case FXT_ARG_UINT64:
    case FXT_ARG_KOID:
        return a->bits > EXACT_MAX;
    default:
        return false;
    }
}

/* A double stays one for viewers: 1.0, not 1. */
static void double_value(struct chrome *c, const struct detail_argument *a) {
    char buf[64];
    struct str text = detail_value(a, buf);
    bool integer = text.n > 0;
    for (size_t i = 0; i < text.n; i++)
        integer = integer && ((text.s[i] >= '0' && text.s[i] <= '9') || text.s[i] == '-');
    json_value(&c->j, a);
    if (integer)
        chars_text(c->j.out, ".0");
}

static void argument(struct chrome *c, struct str name, const struct detail_argument *a) {
    char buf[64];
    argument_key(c, name);
    if (a->type == FXT_ARG_NULL)
        chars_text(c->j.out, "null");
    else if (a->type == FXT_ARG_DOUBLE)
        double_value(c, a);
    else if (!json_has_value(a) || beyond_doubles(a))
        json_string(&c->j, detail_value(a, buf));
    else
        json_value(&c->j, a);
}

static void number_argument(struct chrome *c, const char *name, uint64_t v) {
    argument(c, str_of(name), &(struct detail_argument){.type = FXT_ARG_UINT64, .bits = v});
}

static void hex_argument(struct chrome *c, const char *name, uint64_t v) {
    argument(c, str_of(name), &(struct detail_argument){.type = FXT_ARG_POINTER, .bits = v});
}

static void record_arguments(struct chrome *c, struct detail *d) {
    struct detail_argument a;
    struct fxt_arguments args = d->record.args;
    while (detail_argument(d, &args, &a))
        argument(c, a.name, &a);
}

/* The arguments of the record that ends a slice: read last, as it may replace the one that is
 * open. */
static void end_arguments(struct chrome *c, uint64_t end, struct detail *d) {
    if (end != 0 && open_record(c, d, end))
        record_arguments(c, d);
}

static void end_event(struct chrome *c) {
    if (c->in_args)
        chars_put(c->j.out, '}');
    c->in_args = false;
    c->keys.n = c->key_ends.n = 0;
    chars_put(c->j.out, '}');
    json_write(&c->j);
}

static void name_event(struct chrome *c, const char *what, uint64_t pid, uint64_t tid,
                       struct str name, const char *suffix) {
    struct chars text = {0};
    chars_add(&text, name);
    chars_add(&text, str_of(suffix));
    begin_event(c, "M", (struct str){NULL, 0}, str_of(what), (struct owner){pid, tid}, 0);
    text_argument(c, "name", (struct str){text.v, text.n});
    end_event(c);
    vec_free(&text);
}

/* The place of a process or thread among its like, if its writer gave one. */
static void sort_event(struct chrome *c, const char *what, struct owner owner, int32_t index) {
    if (index == 0)
        return;
    begin_event(c, "M", (struct str){NULL, 0}, str_of(what), owner, 0);
    argument(c, STR("sort_index"),
             &(struct detail_argument){.type = FXT_ARG_INT64, .bits = (uint64_t)(int64_t)index});
    end_event(c);
}

static void labels_event(struct chrome *c, uint64_t pid, struct str labels) {
    begin_event(c, "M", (struct str){NULL, 0}, STR("process_labels"), (struct owner){pid, pid}, 0);
    text_argument(c, "labels", labels);
    end_event(c);
}

/* Its host is the first label of a process, if there are several. */
static void label_host(struct chrome *c, uint64_t pid, uint16_t world, struct str more) {
    struct chars text = {0};
    char host[96];
    size_t n = trace_host_name(c->trace, world, host, sizeof host);
    chars_add(&text, (struct str){host, n});
    if (more.n > 0)
        chars_text(&text, ", ");
    chars_add(&text, more);
    labels_event(c, pid, (struct str){text.v, text.n});
    vec_free(&text);
}

static void label_process(struct chrome *c, const struct process *p, uint64_t pid) {
    struct detail d;
    struct detail_argument a;
    bool labelled = detail_labels(&d, c->trace, p, &a);
    if (trace_hosts(c->trace) > 1)
        label_host(c, pid, p->world, labelled ? a.string : (struct str){"", 0});
    else if (labelled)
        labels_event(c, pid, a.string);
    sort_event(c, "process_sort_index", (struct owner){pid, pid},
               trace_process_sort_index(c->trace, p));
}

static void name_thread(struct chrome *c, const struct chrome_track *track) {
    const struct thread *t = trace_thread(c->trace, track->thread);
    char buf[40], suffix[80] = "";
    bool named;
    struct str name = trace_thread_name(c->trace, t, buf, &named);
    struct event_list_identity id = event_list_identity(c->trace, t);
    int n = 0;
    if (id.has_tid && !track->overlap)
        sort_event(c, "thread_sort_index", owner_of(track), trace_thread_sort_index(c->trace, t));
    if (!named && !track->overlap && id.has_tid && id.tid == track->tid)
        return; /* viewers make up the same name from its number */
    if (id.provider)
        n = snprintf(suffix, sizeof suffix, " of provider %" PRIu32, id.provider->id);
    else if (named && id.has_tid && id.tid >= CHROME_NUMBER_MAX)
        n = snprintf(suffix, sizeof suffix, " (koid %" PRIu64 ")", id.tid);
    if (track->overlap)
        snprintf(suffix + n, sizeof suffix - (size_t)n, " (overlap %" PRIu32 ")", track->overlap);
    name_event(c, "thread_name", track->pid, track->tid, name, suffix);
}

/* A process in place of none, or of the CPUs of a host. */
static void name_for_host(struct chrome *c, uint64_t pid, const char *name, uint16_t world) {
    name_event(c, "process_name", pid, pid, str_of(name), "");
    if (trace_hosts(c->trace) > 1)
        label_host(c, pid, world, (struct str){"", 0});
}

static void name_homeless(struct chrome *c, uint16_t world) {
    if (!c->homeless[world])
        name_for_host(c, c->plan.no_pids[world], "no process", world);
    c->homeless[world] = true;
}

static void name_cpus(struct chrome *c, uint16_t world) {
    struct trace *trace = c->trace;
    uint64_t pid = c->plan.cpus_pids[world];
    bool any = false;
    char name[40];
    for (size_t i = 0; i < sched_cpu_count(trace_sched(trace)); i++) {
        const struct sched_cpu *cpu = sched_cpu(trace_sched(trace), i);
        if (cpu->world != world)
            continue;
        if (!any)
            name_for_host(c, pid, "CPUs", world);
        any = true;
        snprintf(name, sizeof name, "CPU %u", cpu->number);
        name_event(c, "thread_name", pid, c->plan.cpu_tids[i], str_of(name), "");
    }
}

static void write_names(struct chrome *c) {
    struct trace *trace = c->trace;
    char buf[40], suffix[40];
    for (size_t i = 0; i < trace_process_count(trace); i++) {
        const struct process *p = trace_process(trace, i);
        bool named;
        struct str name = trace_process_name(trace, p, buf, &named);
        suffix[0] = '\0';
        label_process(c, p, c->plan.pids[i]);
        if (!named && p->pid == c->plan.pids[i])
            continue;
        if (named && p->pid >= CHROME_NUMBER_MAX)
            snprintf(suffix, sizeof suffix, " (koid %" PRIu64 ")", p->pid);
        name_event(c, "process_name", c->plan.pids[i], c->plan.pids[i], name, suffix);
    }
    for (size_t i = 0; i < c->plan.tracks.n; i++) {
        const struct chrome_track *track = &c->plan.tracks.v[i];
        const struct thread *t = trace_thread(trace, track->thread);
        if (trace_thread_hidden(trace, t) || trace_thread_none(trace, t))
            continue;
        if (t->process == NO_PROCESS)
            name_homeless(c, t->id.world);
        name_thread(c, track);
    }
    for (uint32_t world = 0; world < trace_hosts(trace); world++)
        name_cpus(c, (uint16_t)world);
}

static void mark_damaged(struct chrome *c) {
    json_key(&c->j, "damaged_time");
    chars_text(c->j.out, "true");
}

/* Marks an event if the time of its record is damaged, so that it is read again as such. */
static void damage_of(struct chrome *c, uint64_t offset) {
    if (trace_damaged_at(c->trace, offset))
        mark_damaged(c);
}

/* Marks an end that is written apart from its begin. If it has no record of its own, as that of a
 * complete slice, it would be in the span without a mark. */
static void damage_of_end(struct chrome *c, const struct slice *s, uint64_t record) {
    if (record == 0 && slice_end(s) > trace_end(c->trace) && trace_damaged_slice(c->trace, s))
        mark_damaged(c);
    damage_of(c, record);
}

static void write_slice(struct chrome *c, const struct chrome_event *ev) {
    const struct chrome_track *track = &c->plan.tracks.v[ev->track];
    const struct slice *s = event_list_slice(c->trace, ev->entry);
    struct detail d;
    bool known = open_record(c, &d, ev->entry->offset);
    bool unended = slice_unended(s),
         pairs = track->pairs && !chrome_pair_lasts(&c->plan, ev->entry),
         whole = !pairs && !slice_open(s);
    const char *phase = whole || unended ? "X" : "B";
    if (ev->kind == CHROME_SLICE_END)
        phase = "E";
    begin_event(c, phase, known ? d.category : STR(""), detail_slice_name(&d, known, s),
                owner_of(track), units_since(c->origin, ev->time));
    uint64_t end = trace_end_record(c->trace, s);
    if (ev->kind == CHROME_SLICE_END) {
        damage_of_end(c, s, end);
        end_event(c);
        return;
    }
    if (whole)
        time_field(c, "dur", slice_dur(s));
    if (trace_damaged_at(c->trace, ev->entry->offset) || trace_damaged_untold(c->trace, s) ||
        (whole && end != 0 && trace_damaged_at(c->trace, end)))
        mark_damaged(c);
    if (known)
        record_arguments(c, &d);
    end_arguments(c, end, &d);
    end_event(c);
}

static void write_instant(struct chrome *c, const struct chrome_event *ev) {
    static const char *const scopes[] = {"t", "p", "g"};
    const struct chrome_track *track = &c->plan.tracks.v[ev->track];
    struct detail d;
    if (!open_record(c, &d, ev->entry->offset))
        return;
    bool log = ev->kind == CHROME_LOG;
    uint64_t scope =
        !log && d.record.kind == FXT_K_INSTANT && d.record.scope.present ? d.record.scope.value : 0;
    begin_event(c, "i", log ? STR("log") : d.category, log ? STR("log") : d.name, owner_of(track),
                units_since(c->origin, ev->time));
    json_text(&c->j, "s", str_of(scopes[scope < 3 ? scope : 0]));
    damage_of(c, ev->entry->offset);
    if (log)
        text_argument(c, "message", d.record.payload);
    else
        record_arguments(c, &d);
    end_event(c);
}

/* Viewers draw counters, so values are numbers here; NaN and values of other types are left out. */
static void write_counter(struct chrome *c, const struct chrome_event *ev) {
    struct detail d;
    struct detail_argument a;
    bool any = false;
    if (!open_record(c, &d, ev->entry->offset))
        return;
    struct owner owner = record_owner(c, &d);
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        struct counter_sample sample = {{0, a.type}, a.bits};
        if (!counter_numeric(a.type) || isnan(counter_value(&sample)))
            continue;
        if (!any) {
            begin_event(c, "C", d.category, d.name, owner, units_since(c->origin, ev->time));
            if (!(d.record.faults & FXT_FAULT_NO_TAIL) && d.record.id != 0)
                json_hex(&c->j, "id", d.record.id);
            damage_of(c, ev->entry->offset);
        }
        any = true;
        if (beyond_doubles(&a)) {
            double x = counter_value(&sample);
            a.type = FXT_ARG_DOUBLE;
            memcpy(&a.bits, &x, sizeof x);
        }
        argument(c, a.name, &a);
    }
    if (any)
        end_event(c);
}

static void write_sched(struct chrome *c, const struct chrome_event *ev) {
    const struct sched_cpu *cpu = sched_cpu(trace_sched(c->trace), ev->entry->thread);
    const struct slice *s = lane_at(&cpu->lane, ev->entry->i);
    const struct thread *t = trace_thread(c->trace, sched_run(cpu, ev->entry->i).thread);
    uint32_t flags = sched_flags(cpu, ev->entry->i);
    struct detail d;
    struct detail_argument a;
    char buf[40];
    bool named;
    bool end = ev->kind == CHROME_SCHED_END, whole = !c->plan.pairs && !slice_open(s) && !end;
    const char *begins = whole ? "X" : "B";
    begin_event(c, end ? "E" : begins, STR("sched"), trace_thread_name(c->trace, t, buf, &named),
                (struct owner){c->plan.cpus_pids[cpu->world], c->plan.cpu_tids[ev->entry->thread]},
                units_since(c->origin, ev->time));
    bool damaged = trace_damaged_run(c->trace, &cpu->lane, ev->entry->i);
    if (whole)
        time_field(c, "dur", slice_dur(s));
    if (damaged && (!end || slice_end(s) > trace_end(c->trace)))
        mark_damaged(c);
    if (end) {
        end_event(c);
        return;
    }
    struct event_list_identity id = event_list_identity(c->trace, t);
    if (id.has_pid)
        number_argument(c, "pid", id.pid);
    if (id.has_tid)
        number_argument(c, "tid", id.tid);
    if (flags & SCHED_KNOWN) {
        const char *state = sched_state_name(flags & SCHED_LEFT);
        if (state)
            text_argument(c, "end_state", str_of(state));
        else
            number_argument(c, "end_state", flags & SCHED_LEFT);
    }
    const char *weight = NULL;
    if (open_record(c, &d, ev->entry->offset))
        weight = detail_priority(&d, flags & SCHED_FIRST, &a);
    if (weight)
        argument(c, str_of(weight), &a);
    end_event(c);
}

/* A state of a thread, which Perfetto reads since v54, with its names of states. The states with a
 * CPU become its rows of the scheduler. An open one lasts to the trace's end. */
static void begin_state(struct chrome *c, uint32_t thread, const struct slice *s, struct str name,
                        bool damaged) {
    const struct chrome_track *track = chrome_plan_track(&c->plan, thread);
    begin_event(c, "T", STR("sched"), name, owner_of(track), units_since(c->origin, s->start));
    int64_t end = trace_end(c->trace); /* a damaged begin is beyond it */
    int64_t lasted = end > s->start ? units_since(s->start, end) : 0;
    time_field(c, "dur", slice_open(s) ? lasted : slice_dur(s));
    if (damaged)
        mark_damaged(c);
}

/* Whether the state of a thread that begins with a run is damaged. */
static bool damaged_running(struct chrome *c, uint32_t thread, const struct slice *run) {
    const struct sched_thread *t = sched_thread(trace_sched(c->trace), thread);
    uint32_t i = t ? lane_find(&t->lane, run->start, slice_offset(run)) : UINT32_MAX;
    return i != UINT32_MAX && sched_damaged(t, i);
}

/* Whether a run, or a state, that counts as idle is of a thread with a number. One of priority 0
 * may be any; weights decide. */
static bool is_real(struct chrome *c, const struct chrome_event *ev, uint32_t thread) {
    struct event_list_identity id = event_list_identity(c->trace, trace_thread(c->trace, thread));
    struct detail d;
    return id.has_tid && id.tid != 0 && open_record(c, &d, ev->entry->offset) &&
           d.record.kind == FXT_K_SWITCH_LEGACY;
}

static void write_running(struct chrome *c, const struct chrome_event *ev) {
    const struct sched_cpu *cpu = sched_cpu(trace_sched(c->trace), ev->entry->thread);
    struct sched_run run = sched_run(cpu, ev->entry->i);
    if ((run.flags & SCHED_OF_IDLE) && !is_real(c, ev, run.thread))
        return;
    const struct slice *s = lane_at(&cpu->lane, ev->entry->i);
    begin_state(c, run.thread, s, STR("Running"),
                trace_damaged_run(c->trace, &cpu->lane, ev->entry->i) ||
                    damaged_running(c, run.thread, s));
    number_argument(c, "cpu", (uint64_t)cpu->number);
    end_event(c);
}

static void write_other_state(struct chrome *c, const struct chrome_event *ev) {
    static const char *const names[] = {
        [SCHED_NEW] = "R",     [SCHED_RUNNABLE] = "R", [SCHED_SUSPENDED] = "T",
        [SCHED_BLOCKED] = "S", [SCHED_DYING] = "Z",    [SCHED_DEAD] = "X"};
    const struct sched_thread *t = sched_thread_at(trace_sched(c->trace), ev->entry->thread);
    uint32_t state = sched_state(t, ev->entry->i);
    struct detail d;
    struct detail_argument a;
    bool idle = t->states.v[ev->entry->i] & SCHED_OF_IDLE;
    if (state >= sizeof names / sizeof *names || (idle && !is_real(c, ev, t->thread)))
        return;
    bool known = open_record(c, &d, ev->entry->offset) && d.record.args.count > 0;
    bool lettered =
        known && state != SCHED_RUNNING && detail_letters(&d, state == SCHED_BLOCKED, &a);
    begin_state(c, t->thread, lane_at(&t->lane, ev->entry->i),
                lettered ? a.string : str_of(names[state]), sched_damaged(t, ev->entry->i));
    if (known && detail_find(&d, "io_wait", &a))
        argument(c, STR("io_wait"), &a);
    if (known && detail_find(&d, "blocked_function", &a))
        argument(c, STR("blocked_function"), &a);
    end_event(c);
}

static void write_async(struct chrome *c, const struct chrome_event *ev) {
    struct detail d;
    if (!open_record(c, &d, ev->entry->offset))
        return;
    struct owner owner = record_owner(c, &d);
    const struct slice *s =
        ev->kind == CHROME_ASYNC_INSTANT ? NULL : event_list_operation(c->trace, ev->entry);
    const char *phase = s ? "e" : "n";
    if (ev->kind == CHROME_ASYNC_BEGIN)
        phase = "b";
    begin_event(c, phase, d.category, s ? detail_slice_name(&d, true, s) : d.name, owner,
                units_since(c->origin, ev->time));
    json_hex(&c->j, "id", ev->id);
    damage_of(c, ev->kind == CHROME_ASYNC_END
                     ? slice_extra_end_offset(trace_slice_extra(c->trace), s)
                     : ev->entry->offset);
    uint64_t id = d.record.id;
    if (ev->kind != CHROME_ASYNC_END)
        record_arguments(c, &d);
    else
        end_arguments(c, slice_extra_end_offset(trace_slice_extra(c->trace), s), &d);
    if (id != ev->id && ev->kind != CHROME_ASYNC_END)
        hex_argument(c, "id", id);
    end_event(c);
}

/* All events of a flow have the category and name of its first one, because viewers distinguish
 * flows by these, too. */
static void write_flow(struct chrome *c, const struct chrome_event *ev) {
    const struct chrome_track *track = &c->plan.tracks.v[ev->track];
    const struct flows *flows = trace_flows(c->trace);
    const struct flow *f = flows_at(flows, flow_link(flows, ev->point)->flow);
    struct flow_point p = flow_point(flows, ev->point);
    struct detail d;
    if (!open_record(c, &d, flow_offset(flows, f->first)))
        return;
    bool first = ev->point == f->first && (f->begun || f->points > 1);
    const char *later = p.kind == FLOW_END ? "f" : "t", *phase = first ? "s" : later;
    begin_event(c, phase, d.category, d.name, owner_of(track), units_since(c->origin, ev->time));
    json_hex(&c->j, "id", ev->id);
    json_text(&c->j, "bp", STR("e"));
    damage_of(c, flow_offset(flows, ev->point));
    if (ev->time != p.at.time)
        time_field(c, "own_ts", units_since(c->origin, p.at.time));
    if (p.id != ev->id)
        hex_argument(c, "id", p.id);
    end_event(c);
}

static void write_event(struct chrome *c, const struct chrome_event *ev) {
    switch ((enum chrome_kind)ev->kind) {
    case CHROME_SLICE:
    case CHROME_SLICE_END:
        write_slice(c, ev);
        break;
    case CHROME_FLOW:
        write_flow(c, ev);
        break;
    case CHROME_INSTANT:
    case CHROME_LOG:
        write_instant(c, ev);
        break;
    case CHROME_COUNTER:
        write_counter(c, ev);
        break;
    case CHROME_SCHED:
    case CHROME_SCHED_END:
        write_sched(c, ev);
        break;
    case CHROME_RUNNING:
        write_running(c, ev);
        break;
    case CHROME_STATE:
        write_other_state(c, ev);
        break;
    case CHROME_ASYNC_BEGIN:
    case CHROME_ASYNC_END:
    case CHROME_ASYNC_INSTANT:
        write_async(c, ev);
        break;
    }
}

/* Whether an event is asked for; a counter's if one of its series is. */
static bool is_asked(const struct chrome *c, const struct chrome_event *ev) {
    if (ev->kind == CHROME_FLOW)
        return event_list_keeps_flow(&c->plan.list,
                                     flow_link(trace_flows(c->trace), ev->point)->flow);
    return ev->entry->left_out == EVENT_LIST_IN ||
           (ev->kind == CHROME_COUNTER && ev->entry->left_out == EVENT_LIST_BESIDE);
}

static void make(void *hand, uint64_t from, uint64_t to, struct chars *out) {
    struct chrome *c = hand;
    c->j.out = out;
    for (uint64_t i = c->written + from; i < c->written + to; i++) {
        struct chrome_event ev = chrome_plan_event(&c->plan, i);
        if (is_asked(c, &ev))
            write_event(c, &ev);
    }
}

/* Two makers write events, each after a comma: so one writes alone until there is an event. */
static void write_events(struct chrome *c, FILE *out) {
    struct chrome makers[BLOCKS_HANDS];
    void *hands[BLOCKS_HANDS];
    uint64_t n = c->plan.order.n;
    while (c->written < n && !c->any) {
        make(c, 0, 1, c->j.out);
        c->written++;
    }
    chars_write(c->j.out, out);
    for (int i = 0; i < BLOCKS_HANDS; i++) {
        makers[i] = *c;
        makers[i].j.file = NULL;
        makers[i].memo = detail_memo_new();
        makers[i].keys = (struct chars){0};
        makers[i].key_ends.v = NULL;
        makers[i].key_ends.n = makers[i].key_ends.cap = 0;
        hands[i] = &makers[i];
    }
    blocks_write(trace_share(c->trace), make, hands, n - c->written, out);
    for (int i = 0; i < BLOCKS_HANDS; i++) {
        detail_memo_free(makers[i].memo);
        vec_free(&makers[i].keys);
        vec_free(&makers[i].key_ends);
    }
}

static void write_row(struct chrome *c, const struct row_track *track, const struct slice *slice,
                      struct owner owner) {
    const struct row_track_row *row = row_track_row_of(track, slice);
    begin_event(c, row->dur < 0 ? "B" : "X", STR("question"), row_track_name(track, row), owner,
                units_since(c->origin, row->time));
    if (row->dur >= 0)
        time_field(c, "dur", row->dur);
    if (row->value)
        text_argument(c, "value", row_track_text(track, row->value));
    if (row->colour)
        text_argument(c, "colour", row_track_text(track, row->colour));
    end_event(c);
}

/* Tracks of questions are threads of a process of their own, one for each lane. */
static void write_rows(struct chrome *c) {
    const struct row_tracks *tracks = trace_row_tracks(c->trace);
    const uint64_t *tid = c->plan.rows_tids;
    if (tid)
        name_event(c, "process_name", c->plan.rows_pid, c->plan.rows_pid, STR("questions"), "");
    for (uint32_t i = 0; i < tracks->v.n; i++) {
        const struct row_track *track = row_tracks_at(tracks, i);
        for (size_t k = 0; track && k < track->lanes.n; k++, tid++) {
            const struct lane *lane = &track->lanes.v[k];
            struct owner owner = {c->plan.rows_pid, *tid};
            name_event(c, "thread_name", owner.pid, owner.tid, str_of(track->name), "");
            for (uint32_t row = 0; row < lane->n; row++)
                write_row(c, track, lane_at(lane, row), owner);
        }
    }
}

bool export_json_only(struct trace *trace, const struct question *asked, FILE *out) {
    struct chars text = {0};
    struct chrome c = {.j = {.out = &text, .file = out, .no_pairs = true},
                       .trace = trace,
                       .origin = trace_origin(trace)};
    errno = 0;
    chrome_plan_init(&c.plan, trace);
    c.homeless = err_calloc(trace_hosts(trace), sizeof *c.homeless);
    event_list_keep(&c.plan.list, trace, asked);
    chars_text(&text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    write_names(&c);
    write_events(&c, out);
    write_rows(&c);
    chars_text(&text, "\n]}\n");
    chars_write(&text, out);
    vec_free(&text);
    chrome_plan_free(&c.plan);
    free(c.homeless);
    vec_free(&c.keys);
    vec_free(&c.key_ends);
    return fflush(out) == 0 && !ferror(out);
}
