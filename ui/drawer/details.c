/* details.c - what the drawer says about the selected event and the current row. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "src/base/units.h"
#include "ui/drawer/drawer_text.h"
#include "ui/timeline/draw.h"
#include "ui/timeline/kinds/draw_curve.h"
#include "ui/timeline/track_ops.h"

/* ---- what several say ---- */

static void thread_name(struct drawer_text *p, const struct thread *t) {
    char buf[40], id[48];
    bool named;
    if (t->process != NO_PROCESS) {
        drawer_text_value(p, ROLE_TEXT,
                          trace_process_name(p->app->trace, trace_process(p->app->trace, t->process), buf, &named));
        snprintf(id, sizeof id, named ? " %" PRIu64 " / " : " / ", t->id.pid);
        drawer_text_say(p, ROLE_DIM, id);
    }
    drawer_text_value(p, ROLE_TEXT, trace_thread_name(p->app->trace, t, buf, &named));
    if (named) {
        snprintf(id, sizeof id, " %" PRIu64, t->id.tid);
        drawer_text_say(p, ROLE_DIM, id);
    }
}

#define CHILDREN_SOUGHT 5000 /* rows and slices, one by one, where children are not all on the row below */

/* What the slice does not spend in children: those of the rows below that name it their parent. False where to find
 * them costs more than a frame may. */
static bool self_time(struct app *app, const struct thread *t, const struct slice *s, int64_t *ns) {
    int64_t end = slice_open(s) ? trace_end(app->trace) : slice_end(s), self = end - s->start;
    uint32_t left = CHILDREN_SOUGHT;
    *ns = self;
    for (uint32_t row = app->timeline.selection.row + 1; row < nest_rows(&t->nest); row++) {
        struct lane *lane = nest_row(&t->nest, row);
        if (t->nest.displaced == 0) {
            *ns = self - lane_busy(lane, s->start, end);
            return true;
        }
        uint32_t i = lane_from(lane, s->start), j = lane_from(lane, end);
        if (j - i >= left)
            return false;
        left -= j - i + 1;
        for (uint32_t k = i; k < j; k++) {
            uint32_t prow, parent;
            if (nest_parent(&t->nest, trace_slice_extra(app->trace), row, k, &prow, &parent) &&
                prow == app->timeline.selection.row && parent == app->timeline.selection.i)
                self -=
                    (slice_end(lane_at(lane, k)) < end ? slice_end(lane_at(lane, k)) : end) - lane_at(lane, k)->start;
        }
    }
    *ns = self;
    return true;
}

static void ancestors(struct drawer_text *p, const struct thread *t, uint32_t row, uint32_t i) {
    const struct slice_extra *aside = trace_slice_extra(p->app->trace);
    char buf[32];
    bool found = true;
    for (int n = 0; found && n < 12; n++) {
        const struct slice *s = lane_at(nest_row(&t->nest, row), i);
        drawer_text_say(p, ROLE_DIM, n == 0 ? "in: " : " < ");
        drawer_text_value(p, ROLE_TEXT, trace_name(p->app->trace, trace_packed_name(p->app->trace, s->a)));
        drawer_text_say(p, ROLE_DIM, " ");
        drawer_text_say(p, ROLE_DIM, slice_open(s) ? "open" : units_duration(slice_dur(s), p->app->grid.ascii, buf));
        found = nest_parent(&t->nest, aside, row, i, &row, &i);
    }
    if (found)
        drawer_text_say(p, ROLE_DIM, " < ...");
    drawer_text_next_line(p);
}

static void record_line(struct drawer_text *p, const struct detail *d, uint64_t end) {
    char text[120];
    snprintf(text, sizeof text, "record %s @0x%" PRIx64 " + %" PRIu64 " B", fxt_kind_name(d->record.kind), d->offset,
             d->record.words * 8);
    drawer_text_say(p, ROLE_DIM, text);
    if (end != 0) {
        snprintf(text, sizeof text, ", ends @0x%" PRIx64, end);
        drawer_text_say(p, ROLE_DIM, text);
    }
    if (!d->provider->implicit) {
        drawer_text_say(p, ROLE_DIM, "   provider ");
        drawer_text_value(p, ROLE_DIM, d->provider->name);
    }
    if (d->record.faults & FXT_FAULT_CONTENTS)
        drawer_text_say(p, ROLE_WARN, "   contents exceed the record");
    drawer_text_next_line(p);
}

static void state_word(struct drawer_text *p, uint32_t state) {
    char text[24];
    const char *name = sched_state_name(state);
    snprintf(text, sizeof text, "state %" PRIu32, state);
    drawer_text_say(p, ROLE_VALUE, name ? name : text);
}

#define STATES_ADDED 100000 /* of a slice: a frame must not cost what a trace does */
#define WAKERS 6            /* told one by one */

struct waker {
    uint64_t koid, times;
    struct str name;
};

static void add_waker(struct waker v[WAKERS + 1], uint64_t koid, struct str name) {
    size_t i = 0;
    while (i < WAKERS && v[i].times > 0 && v[i].koid != koid)
        i++;
    v[i].koid = koid; /* the last: all others */
    v[i].name = name;
    v[i].times++;
}

static void say_wakers(struct drawer_text *p, const struct waker v[WAKERS + 1], uint64_t wakeups) {
    char text[64];
    snprintf(text, sizeof text, wakeups == 1 ? "  woken" : "  woken %" PRIu64 " times:", wakeups);
    drawer_text_say(p, ROLE_DIM, text);
    for (size_t i = 0; i <= WAKERS && v[i].times > 0; i++) {
        const char *separator = i > 0 ? ", " : " ";
        if (wakeups == 1)
            snprintf(text, sizeof text, " by ");
        else
            snprintf(text, sizeof text, "%s%" PRIu64 " by ", separator, v[i].times);
        drawer_text_say(p, ROLE_DIM, text);
        if (i == WAKERS) {
            drawer_text_say(p, ROLE_DIM, "others");
        } else if (v[i].koid == 0) {
            drawer_text_say(p, ROLE_DIM, "an unknown waker");
        } else {
            snprintf(text, sizeof text, "%" PRIu64 " ", v[i].koid);
            drawer_text_say(p, ROLE_DIM, text);
            drawer_text_value(p, ROLE_TEXT, v[i].name);
        }
    }
}

/* "state: running 0.2 ms 2% | blocked 8.2 ms 93% (woken by io)": how a thread spent [from, to). */
static void states_within(struct drawer_text *p, uint32_t thread, int64_t from, int64_t to) {
    struct app *app = p->app;
    const struct sched_thread *t = sched_thread(trace_sched(app->trace), thread);
    int64_t sums[SCHED_RUNNING + 1] = {0};
    uint64_t wakeups = 0;
    struct waker wakers[WAKERS + 1] = {{0, 0, STR("")}};
    char dur[32], text[64];
    if (t == NULL || to <= from)
        return;
    uint32_t i = lane_before(&t->lane, from), j = lane_from(&t->lane, to);
    i = i == UINT32_MAX ? 0 : i;
    if (j - i > STATES_ADDED) {
        drawer_text_say(p, ROLE_DIM, "states: too many changes to sum up");
        drawer_text_next_line(p);
        return;
    }
    for (; i < j; i++) {
        const struct slice *s = lane_at(&t->lane, i);
        int64_t a = s->start > from ? s->start : from, b = slice_end(s) < to ? slice_end(s) : to;
        struct detail d;
        struct detail_argument arg;
        uint32_t state = sched_state(t, i);
        if (b > a && state <= SCHED_RUNNING)
            sums[state] += b - a;
        if (!sched_woken(t, i) || s->start < from)
            continue;
        wakeups++;
        bool told = detail_open(&d, app->trace, slice_offset(s)) && detail_find(&d, "waker", &arg) &&
                    arg.type == FXT_ARG_KOID;
        add_waker(wakers, told ? arg.bits : 0, told ? arg.object : STR(""));
    }
    bool any = false;
    static const uint8_t order[] = {SCHED_RUNNING,
                                    SCHED_RUNNABLE,
                                    SCHED_BLOCKED,
                                    SCHED_SUSPENDED,
                                    SCHED_NEW,
                                    SCHED_DYING,
                                    SCHED_DEAD,
                                    6,
                                    7,
                                    8,
                                    9,
                                    10,
                                    11,
                                    12,
                                    13,
                                    14,
                                    15};
    for (size_t k = 0; k < sizeof order; k++) {
        if (sums[order[k]] == 0)
            continue;
        drawer_text_say(p, ROLE_DIM, any ? "  " : "state: ");
        state_word(p, order[k]);
        snprintf(text, sizeof text, " %s %d%%", units_duration(sums[order[k]], app->grid.ascii, dur),
                 (int)((double)sums[order[k]] / (double)(to - from) * 100 + 0.5));
        drawer_text_say(p, ROLE_TEXT, text);
        any = true;
    }
    if (wakeups > 0)
        say_wakers(p, wakers, wakeups);
    if (any || wakeups > 0)
        drawer_text_next_line(p);
}

static void slice_details(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app);
    const struct thread *t = trace_thread(app->trace, app->timeline.selection.of);
    const struct slice_extra *aside = trace_slice_extra(app->trace);
    struct detail d;
    int64_t self;
    char buf[48], dur[32], text[160];
    uint32_t row = 0, i = 0;
    bool known = detail_open(&d, app->trace, app->timeline.selection.offset);
    drawer_text_value(p, ROLE_HEADER, trace_name(app->trace, trace_packed_name(app->trace, s->a)));
    if (known && d.category.n > 0) {
        drawer_text_say(p, ROLE_DIM, "  ");
        drawer_text_value(p, ROLE_TEXT, d.category);
    }
    drawer_text_say(p, ROLE_DIM, "  ");
    thread_name(p, t);
    snprintf(text, sizeof text, "  depth %" PRIu32,
             nest_depth(&t->nest, aside, app->timeline.selection.row, app->timeline.selection.i));
    drawer_text_say(p, ROLE_DIM, text);
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_VALUE, session_point(app, s->start, 1, buf));
    drawer_text_say(p, ROLE_DIM, "  dur ");
    drawer_text_say(p, ROLE_VALUE,
                    slice_open(s) ? "open, never ended" : units_duration(slice_dur(s), app->grid.ascii, dur));
    if (!slice_open(s) && slice_dur(s) >= 1000) {
        snprintf(text, sizeof text, " (%" PRId64 " ns)", slice_dur(s));
        drawer_text_say(p, ROLE_DIM, text);
    }
    drawer_text_say(p, ROLE_DIM, "  self ");
    drawer_text_say(p, ROLE_VALUE, self_time(app, t, s, &self) ? units_duration(self, app->grid.ascii, dur) : "-");
    if (slice_flags(s) & SLICE_OVERLAP)
        drawer_text_say(p, ROLE_WARN, "  overlaps the previous slice");
    if (slice_flags(s) & SLICE_MISMATCH)
        drawer_text_say(p, ROLE_WARN, "  the end has another name");
    drawer_text_next_line(p);
    draw_same_line(p, s);
    states_within(p, t->number, s->start, slice_open(s) ? trace_end(app->trace) : slice_end(s));
    bool has_parent = nest_parent(&t->nest, aside, app->timeline.selection.row, app->timeline.selection.i, &row, &i);
    if (has_parent)
        ancestors(p, t, row, i);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    uint64_t end = slice_extra_end_offset(aside, s);
    if (end != 0)
        drawer_text_arguments(p, end, "end args: ", false);
    if (known && detail_open(&d, app->trace, app->timeline.selection.offset))
        record_line(p, &d, end);
}

/* The thread of what is selected, and what it did there. */
static void around(struct drawer_text *p) {
    uint32_t thread = selection_thread(p->app->trace, &p->app->timeline.selection), row, i;
    if (thread == NO_THREAD)
        return;
    const struct thread *t = trace_thread(p->app->trace, thread);
    if (trace_slice_at(p->app->trace, t->number, p->app->timeline.selection.time, &row, &i))
        ancestors(p, t, row, i);
}

static void its_thread(struct drawer_text *p) {
    uint32_t thread = selection_thread(p->app->trace, &p->app->timeline.selection);
    if (thread == NO_THREAD)
        return;
    drawer_text_say(p, ROLE_DIM, "  ");
    thread_name(p, trace_thread(p->app->trace, thread));
}

static void duration(struct drawer_text *p, const struct slice *s) {
    char buf[48], dur[32], text[64];
    drawer_text_say(p, ROLE_VALUE, session_point(p->app, s->start, 1, buf));
    drawer_text_say(p, ROLE_DIM, "  dur ");
    drawer_text_say(p, ROLE_VALUE,
                    slice_open(s) ? "open, never ended" : units_duration(slice_dur(s), p->app->grid.ascii, dur));
    if (!slice_open(s) && slice_dur(s) >= 1000) {
        snprintf(text, sizeof text, " (%" PRId64 " ns)", slice_dur(s));
        drawer_text_say(p, ROLE_DIM, text);
    }
}

static void its_record(struct drawer_text *p) {
    struct detail d;
    if (detail_open(&d, p->app->trace, p->app->timeline.selection.offset))
        record_line(p, &d, drawer_text_end_of(p->app));
}

#define CONTENTS_SHOWN 4096 /* bytes of a large blob: they are read again for each picture */

static void contents(struct drawer_text *p, const struct blob *b) {
    char bytes[CONTENTS_SHOWN], left[32], text[80];
    size_t n = blob_head(trace_reader(p->app->trace), trace_file(p->app->trace), b, bytes, sizeof bytes);
    drawer_text_contents(p, (struct str){bytes, n});
    if (n == b->bytes)
        return;
    snprintf(text, sizeof text, "... and %s more: :blobs shows them", units_bytes(b->bytes - n, left));
    drawer_text_say(p, ROLE_DIM, text);
    drawer_text_next_line(p);
}

static void instant_details(struct drawer_text *p) {
    static const char *const scopes[] = {"thread", "process", "global"};
    struct app *app = p->app;
    struct detail d;
    char buf[48], text[64], size[32];
    const struct blob *blob = app->timeline.selection.kind == &track_thread_instant
                                  ? blob_event(trace_blobs(app->trace), app->timeline.selection.offset)
                                  : NULL;
    if (!detail_open(&d, app->trace, app->timeline.selection.offset))
        return;
    drawer_text_value(p, ROLE_HEADER, d.name);
    drawer_text_say(p, ROLE_DIM, "  ");
    drawer_text_value(p, ROLE_TEXT, d.category);
    its_thread(p);
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_VALUE, session_point(app, app->timeline.selection.time, 1, buf));
    if (app->timeline.selection.kind == &track_async_instant &&
        detail_open(&d, app->trace, app->timeline.selection.offset)) {
        snprintf(text, sizeof text, "  async instant, id 0x%" PRIx64, d.record.id);
        drawer_text_say(p, ROLE_DIM, text);
    } else if (blob) {
        snprintf(text, sizeof text, "  large blob, %s", units_bytes(blob->bytes, size));
        drawer_text_say(p, ROLE_DIM, text);
    } else {
        drawer_text_say(p, ROLE_DIM, "  instant");
    }
    if (app->timeline.selection.kind == &track_thread_instant && blob == NULL && d.record.kind == FXT_K_INSTANT &&
        d.record.scope.present && d.record.scope.value < 3) {
        drawer_text_say(p, ROLE_DIM, ", scope ");
        drawer_text_say(p, ROLE_VALUE, scopes[d.record.scope.value]);
    }
    drawer_text_next_line(p);
    around(p);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    if (blob)
        contents(p, blob);
    its_record(p);
}

static void async_details(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app);
    struct detail d;
    char text[96];
    drawer_text_value(p, ROLE_HEADER, trace_name(app->trace, trace_packed_name(app->trace, s->a)));
    if (detail_open(&d, app->trace, app->timeline.selection.offset) && d.category.n > 0) {
        drawer_text_say(p, ROLE_DIM, "  ");
        drawer_text_value(p, ROLE_TEXT, d.category);
    }
    snprintf(text, sizeof text, "  async id 0x%" PRIx64 "  depth %" PRIu32, d.record.id,
             async_depth(trace_slice_extra(app->trace), s));
    drawer_text_say(p, ROLE_DIM, text);
    its_thread(p);
    drawer_text_next_line(p);
    duration(p, s);
    uint64_t end = drawer_text_end_of(app);
    uint32_t from = selection_thread(app->trace, &app->timeline.selection),
             to = end ? trace_thread_at(app->trace, end) : from;
    if (to != from && to != NO_THREAD) {
        drawer_text_say(p, ROLE_DIM, "  ended on ");
        thread_name(p, trace_thread(app->trace, to));
    }
    if (slice_flags(s) & SLICE_MISMATCH)
        drawer_text_say(p, ROLE_WARN, "  the end has another name");
    drawer_text_next_line(p);
    draw_same_line(p, s);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    if (end != 0)
        drawer_text_arguments(p, end, "end args: ", false);
    its_record(p);
}

static void state_details(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app);
    struct detail d;
    struct detail_argument a;
    const struct sched_thread *t = sched_thread(trace_sched(app->trace), app->timeline.selection.of);
    state_word(p, sched_state(t, app->timeline.selection.i));
    its_thread(p);
    drawer_text_next_line(p);
    duration(p, s);
    drawer_text_next_line(p);
    if (sched_woken(t, app->timeline.selection.i) && detail_open(&d, app->trace, app->timeline.selection.offset)) {
        drawer_text_say(p, ROLE_DIM, "woken");
        if (detail_find(&d, "waker", &a) && a.type == FXT_ARG_KOID) {
            char koid[32];
            snprintf(koid, sizeof koid, " by %" PRIu64 " ", a.bits);
            drawer_text_say(p, ROLE_TEXT, koid);
            drawer_text_value(p, ROLE_TEXT, a.object);
        }
        drawer_text_next_line(p);
    }
    around(p);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    its_record(p);
}

static void run_details(struct drawer_text *p) {
    struct app *app = p->app;
    const struct slice *s = session_slice(app);
    struct detail d;
    struct detail_argument a;
    char text[64], buf[64];
    const struct sched_cpu *cpu = sched_cpu(trace_sched(app->trace), app->timeline.selection.of);
    uint32_t flags = sched_run(cpu, app->timeline.selection.i)->flags;
    snprintf(text, sizeof text, "cpu %u", cpu->number);
    drawer_text_say(p, ROLE_HEADER, text);
    its_thread(p);
    if (flags & SCHED_IDLE)
        drawer_text_say(p, ROLE_DIM, "  idle");
    drawer_text_next_line(p);
    duration(p, s);
    if (flags & SCHED_KNOWN) {
        drawer_text_say(p, ROLE_DIM, "  left ");
        state_word(p, flags & SCHED_LEFT);
    } else if (!slice_open(s)) {
        drawer_text_say(p, ROLE_WARN, "  the switch that ended it names another thread");
    }
    if (detail_open(&d, app->trace, app->timeline.selection.offset)) {
        bool first = flags & SCHED_FIRST;
        if (d.record.kind == FXT_K_SWITCH_LEGACY) {
            snprintf(text, sizeof text, "  priority %d",
                     first ? d.record.sched.out_priority : d.record.sched.in_priority);
            drawer_text_say(p, ROLE_DIM, text);
        } else if (detail_find(&d, first ? "outgoing_weight" : "incoming_weight", &a)) {
            drawer_text_say(p, ROLE_DIM, "  weight ");
            drawer_text_value(p, ROLE_VALUE, detail_value(&a, buf));
        }
    }
    drawer_text_next_line(p);
    around(p);
    its_record(p);
}

static void sample_details(struct drawer_text *p) {
    struct app *app = p->app;
    const struct counter_series *s = counter_series(trace_counters(app->trace), app->timeline.selection.of);
    const struct counter_sample *v = counter_sample(s, app->timeline.selection.i);
    struct detail_argument a = {.type = counter_type(v), .bits = v->bits};
    char buf[64], text[96];
    const struct track track = {.kind = &track_counter, .of = app->timeline.selection.of};
    char name[96];
    drawer_text_value(p, ROLE_HEADER, track_list_name(app->trace, &track, name));
    its_thread(p);
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_VALUE, session_point(app, app->timeline.selection.time, 1, buf));
    drawer_text_say(p, ROLE_DIM, "  ");
    drawer_text_value(p, ROLE_VALUE, detail_value(&a, buf));
    snprintf(text, sizeof text, " %s", fxt_argument_name(a.type));
    drawer_text_say(p, ROLE_DIM, text);
    if (app->timeline.selection.i > 0) {
        double more = counter_difference(v, &v[-1]);
        snprintf(text, sizeof text, "  %s%s after ", more >= 0 ? "+" : "", curve_number(more, buf));
        drawer_text_say(p, ROLE_TEXT, text);
        drawer_text_say(p, ROLE_TEXT, units_duration(v->at.time - v[-1].at.time, app->grid.ascii, buf));
    }
    snprintf(text, sizeof text, "   sample %u of %zu", app->timeline.selection.i + 1, counter_sample_count(s));
    drawer_text_say(p, ROLE_DIM, text);
    drawer_text_next_line(p);
    around(p);
    drawer_text_arguments(p, app->timeline.selection.offset, "args: ", false);
    its_record(p);
}

static void log_details(struct drawer_text *p) {
    struct app *app = p->app;
    struct detail d;
    char buf[48];
    drawer_text_say(p, ROLE_VALUE, session_point(app, app->timeline.selection.time, 1, buf));
    its_thread(p);
    drawer_text_next_line(p);
    if (detail_open(&d, app->trace, app->timeline.selection.offset))
        drawer_text_text(p, d.record.payload);
    around(p);
    its_record(p);
}

/* Names that a thread or process had before. */
static void older_names(struct drawer_text *p, uint8_t type, uint64_t koid, bool has_pid, uint64_t pid) {
    uint32_t names[16];
    size_t n = objects_names(trace_kernel_objects(p->app->trace), type, koid, has_pid, pid, names, 16);
    for (size_t i = 1; i < n; i++) {
        drawer_text_say(p, ROLE_DIM, i == 1 ? "former names: " : ", ");
        drawer_text_value(p, ROLE_TEXT, trace_name(p->app->trace, names[i]));
    }
    if (n > 1)
        drawer_text_next_line(p);
}

/* ---- the current row, by its kind ---- */

static void thread_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    const struct thread *t = trace_thread(app->trace, track->of);
    char buf[48];
    thread_name(p, t);
    drawer_text_next_line(p);
    if (t->id.form != THREAD_UNDEFINED)
        older_names(p, FXT_OBJECT_THREAD, t->id.tid, t->id.form == THREAD_PAIR, t->id.pid);
    drawer_text_count(p, "", t->events, "event");
    drawer_text_count(p, ", ", t->nest.slices, "slice");
    drawer_text_count(p, " on ", nest_rows(&t->nest), "row");
    drawer_text_count(p, ", ", trace_instant_count(t), "instant");
    if (trace_kind_count(app->trace, FXT_K_LARGE_EVENT) > 0)
        drawer_text_say(p, ROLE_TEXT, " and large blobs");
    drawer_text_next_line(p);
    if (t->events == 0)
        return;
    drawer_text_say(p, ROLE_DIM, "events from ");
    drawer_text_say(p, ROLE_VALUE, session_point(app, t->first, session_resolution(app), buf));
    drawer_text_say(p, ROLE_DIM, " to ");
    drawer_text_say(p, ROLE_VALUE, session_point(app, t->last, session_resolution(app), buf));
    drawer_text_next_line(p);
}

static void counter_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    char a[32], b[32], text[160];
    struct counter_series *series = counter_series(trace_counters(app->trace), track->of);
    size_t least, most;
    double average;
    char name[96];
    drawer_text_value(p, ROLE_HEADER, track_list_name(app->trace, track, name));
    drawer_text_count(p, "  counter, ", counter_sample_count(series), "sample");
    drawer_text_next_line(p);
    if (counter_extent(series, 0, counter_sample_count(series), &least, &most)) {
        snprintf(text, sizeof text, "min %s, max %s", curve_text(counter_sample(series, least), NULL, 20, a),
                 curve_text(counter_sample(series, most), NULL, 20, b));
        drawer_text_say(p, ROLE_TEXT, text);
        if (counter_average(series, trace_origin(app->trace), trace_end(app->trace), &average)) {
            snprintf(text, sizeof text, ", mean over time %s", curve_number(average, a));
            drawer_text_say(p, ROLE_TEXT, text);
        }
        drawer_text_next_line(p);
    }
}

static void async_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    const struct async_group *g = async_group(trace_async(app->trace), track->of);
    drawer_text_value(p, ROLE_HEADER, trace_name(app->trace, g->name));
    drawer_text_count(p, "  async, ", g->ops, "operation");
    drawer_text_count(p, " on ", async_group_rows(g), "row");
    drawer_text_count(p, ", ", async_instant_count(g), "instant");
    drawer_text_next_line(p);
}

static void cpu_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    (void)track;
    const struct sched *sched = trace_sched(app->trace);
    uint64_t records = trace_kind_count(app->trace, FXT_K_SWITCH_LEGACY) +
                       trace_kind_count(app->trace, FXT_K_SWITCH) + trace_kind_count(app->trace, FXT_K_WAKEUP);
    drawer_text_count(p, "", sched_cpu_count(sched), "CPU");
    drawer_text_count(p, ", ", sched_thread_count(sched), "thread");
    drawer_text_count(p, ", ", records, "scheduling record");
    drawer_text_next_line(p);
}

static void profile_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    (void)track;
    size_t n;
    trace_profile(app->trace, &n);
    drawer_text_count(p, "", n, "record");
    drawer_text_say(p, ROLE_TEXT, " of the profiler: :profile lists them");
    drawer_text_next_line(p);
}

static void log_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    (void)track;
    size_t n;
    trace_logs(app->trace, &n);
    drawer_text_count(p, "", n, "log record");
    drawer_text_say(p, ROLE_TEXT, ": 5 lists them");
    drawer_text_next_line(p);
}

static void process_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    char buf[48], text[160];
    bool named;
    if (track->process == NO_PROCESS)
        return;
    const struct process *proc = trace_process(app->trace, track->process);
    drawer_text_value(p, ROLE_HEADER, trace_process_name(app->trace, proc, buf, &named));
    snprintf(text, sizeof text, "  process %" PRIu64 ", ", proc->pid);
    drawer_text_count(p, text, trace_process_thread_count(proc), "thread");
    drawer_text_next_line(p);
    older_names(p, FXT_OBJECT_PROCESS, proc->pid, false, 0);
}

static void profile_details(struct drawer_text *p) {
    struct app *app = p->app;
    struct detail d;
    char text[120], buf[48];
    if (!detail_open(&d, app->trace, app->timeline.selection.offset))
        return;
    const struct fxt_record *r = &d.record;
    drawer_text_say(p, ROLE_HEADER, fxt_kind_name((enum fxt_kind)r->kind));
    its_thread(p);
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_VALUE, session_point(app, app->timeline.selection.time, 1, buf));
    if (r->kind == FXT_K_MODULE) {
        snprintf(text, sizeof text, "  module %u ", r->module.id);
        drawer_text_say(p, ROLE_DIM, text);
        drawer_text_value(p, ROLE_VALUE, r->payload);
        drawer_text_say(p, ROLE_DIM, "  build id ");
        for (size_t i = 0; i < r->module.build_id.n; i++) {
            snprintf(text, sizeof text, "%02x", (unsigned char)r->module.build_id.s[i]);
            drawer_text_say(p, ROLE_VALUE, text);
        }
    } else if (r->kind == FXT_K_MMAP) {
        snprintf(text, sizeof text,
                 "  module %u %c%c%c at 0x%" PRIx64 ", %" PRIu64 " bytes, virtual address 0x%" PRIx64,
                 r->mmap.module_id, r->mmap.flags & 1 ? 'r' : '-', r->mmap.flags & 2 ? 'w' : '-',
                 r->mmap.flags & 4 ? 'x' : '-', r->mmap.start, r->mmap.size, r->mmap.address);
        drawer_text_say(p, ROLE_VALUE, text);
    }
    drawer_text_next_line(p);
    for (unsigned i = 0; r->kind == FXT_K_BACKTRACE && i < r->backtrace.n; i++) {
        snprintf(text, sizeof text, "#%-3u 0x%" PRIx64, i, record_word(r->backtrace.pcs + i, r->swap));
        drawer_text_say(p, ROLE_VALUE, text);
        drawer_text_next_line(p);
    }
    around(p);
    its_record(p);
}

/* ---- by kind ---- */

static const struct {
    const struct selection_ops *kind;
    void (*details)(struct drawer_text *p);
} events[] = {{&track_thread_slice, slice_details},      {&track_thread_state, state_details},
              {&track_thread_instant, instant_details},  {&track_async_operation, async_details},
              {&track_async_instant, instant_details},   {&track_cpu_run, run_details},
              {&track_counter_sample, sample_details},   {&track_log_record, log_details},
              {&track_profile_record, profile_details}};

static const struct {
    const struct track_ops *kind;
    void (*details)(struct drawer_text *p, const struct track *track);
} rows[] = {{&track_thread, thread_row}, {&track_counter, counter_row},   {&track_async, async_row},
            {&track_cpu, cpu_row},       {&track_cpus, cpu_row},          {&track_profile, profile_row},
            {&track_log, log_row},       {&track_process, process_row},   {&track_empty, process_row}};

/* Nothing is selected: the current row. */
static void row_details(struct drawer_text *p) {
    const struct track *track = session_track(p->app);
    if (p->app->timeline.tracks.set == TRACK_LIST_COUNTERS) {
        draw_counters(p);
        return;
    }
    if (track == NULL) {
        drawer_text_say(p, ROLE_DIM, "no track");
        drawer_text_next_line(p);
    }
    for (size_t i = 0; track && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == track->kind)
            rows[i].details(p, track);
    drawer_text_say(p, ROLE_DIM, "nothing selected: h and l select events, Enter the one at the cursor");
    drawer_text_next_line(p);
}

void draw_details(struct drawer_text *p) {
    const struct selection_ops *kind = p->app->timeline.selection.kind;
    if (kind == NULL)
        row_details(p);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i].kind == kind)
            events[i].details(p);
}
