/* details_row.c - the details of the track of the current line, while nothing is selected. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/process_label.h"
#include "model/store/row_track.h"
#include "model/trace/trace_life.h"
#include "src/base/units.h"
#include "ui/drawer/counters.h"
#include "ui/drawer/details.h"
#include "ui/timeline/kinds/curve.h"
#include "ui/timeline/track_ops.h"

/* Names that a thread or process had before. */
static void older_names(struct drawer_text *p, struct object_owner owner) {
    uint32_t names[16];
    size_t n = objects_names(trace_kernel_objects(p->app->trace), owner, names, 16);
    for (size_t i = 1; i < n; i++) {
        drawer_text_say(p, ROLE_DIM, i == 1 ? "former names: " : ", ");
        drawer_text_value(p, ROLE_TEXT, trace_name(p->app->trace, names[i]));
    }
    if (n > 1)
        drawer_text_next_line(p);
}

#define OBJECTS_MAX 16 /* whose arguments are shown */

/* Arguments that are for programs: the place of a track among its like, and the kind of an imported
 * record. */
static bool is_for_programs(const struct detail_argument *a) {
    if (str_eq(a->name, STR("metadata")))
        return a->type == FXT_ARG_STRING && a->string.n > 8 &&
               memcmp(a->string.s, "process_", 8) == 0;
    return str_eq(a->name, STR("sort_index"));
}

static void arguments_of(struct drawer_text *p, const struct object *object) {
    struct detail d;
    struct detail_argument a;
    unsigned n = 0;
    if (!detail_open(&d, p->app->trace, object->offset))
        return;
    for (struct fxt_arguments args = d.record.args; detail_argument(&d, &args, &a);) {
        if (is_for_programs(&a))
            continue;
        drawer_text_argument(p, &a);
        n++;
    }
    if (n > 0)
        drawer_text_next_line(p);
}

/* Arguments of the objects of a process, the latest first: labels of Chrome's JSON, for example. */
static void object_arguments(struct drawer_text *p, uint16_t world, uint64_t koid) {
    const struct objects *objects = trace_kernel_objects(p->app->trace);
    uint32_t i = objects_find_koid(objects, world, koid, OBJECT_PROCESS);
    for (int n = 0; n < OBJECTS_MAX && i != UINT32_MAX; n++) {
        const struct object *o = object_at(objects, i);
        if (o->type == FXT_OBJECT_PROCESS)
            arguments_of(p, o);
        i = o->before;
    }
}

/* How long the thread ran, how long slices cover it, and when it ended. */
static void life_of(struct drawer_text *p, struct thread *t) {
    struct trace *trace = p->app->trace;
    int64_t begin, end, from = trace_begin(trace), to = trace_end(trace);
    bool ended, ascii = p->app->grid.ascii, scheduled = trace_thread_scheduled(trace, t);
    char buf[48];
    if (!scheduled && nest_rows(&t->nest) == 0)
        return;
    if (scheduled) {
        drawer_text_say(p, ROLE_DIM, "CPU time ");
        drawer_text_say(p, ROLE_VALUE,
                        units_duration(trace_thread_cpu_time(trace, t, from, to), ascii, buf));
    }
    if (nest_rows(&t->nest) > 0) {
        drawer_text_say(p, ROLE_DIM, scheduled ? "  covered " : "covered ");
        drawer_text_say(p, ROLE_VALUE,
                        units_duration(trace_thread_covered(trace, t, from, to), ascii, buf));
    }
    if (trace_thread_span(trace, t, &begin, &end, &ended) && ended) {
        drawer_text_say(p, ROLE_DIM, "  ended at ");
        drawer_text_say(p, ROLE_VALUE, session_point(p->app, end, session_resolution(trace), buf));
    }
    drawer_text_next_line(p);
}

static void thread_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    struct thread *t = trace_thread(app->trace, track->of);
    char buf[48];
    details_thread_name(p, t);
    drawer_text_next_line(p);
    life_of(p, t);
    if (t->id.form != THREAD_UNDEFINED)
        older_names(p, (struct object_owner){t->id.tid, FXT_OBJECT_THREAD,
                                             t->id.form == THREAD_PAIR, t->id.pid, t->id.world});
    drawer_text_count(p, "", t->events, "event");
    struct slice_set set = SLICE_SET(SLICE_ITER_SLICES, t->number, INT64_MIN, INT64_MAX);
    struct left_out left_out = slice_iter_left_out(app->trace, &set);
    drawer_text_count(p, ", ", t->nest.slices - left_out.slices, "slice");
    drawer_text_count(p, " on ", nest_rows(&t->nest), "row");
    if (left_out.slices > 0) {
        drawer_text_say(p, ROLE_TEXT, ", ");
        drawer_text_say(p, ROLE_VALUE, units_count(left_out.slices, false, buf));
        drawer_text_say(p, ROLE_TEXT, " ");
        drawer_text_say(p, ROLE_TEXT, slice_iter_left_out_word(left_out));
        drawer_text_say(p, ROLE_TEXT, " left out");
    }
    drawer_text_count(p, ", ", trace_instant_count(t), "instant");
    if (trace_kind_count(app->trace, FXT_K_LARGE_EVENT) > 0)
        drawer_text_say(p, ROLE_TEXT, " and large blobs");
    drawer_text_next_line(p);
    if (t->events == 0)
        return;
    drawer_text_say(p, ROLE_DIM, "events from ");
    drawer_text_say(p, ROLE_VALUE,
                    session_point(app, t->first, session_resolution(app->trace), buf));
    drawer_text_say(p, ROLE_DIM, " to ");
    drawer_text_say(p, ROLE_VALUE,
                    session_point(app, t->last, session_resolution(app->trace), buf));
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
        snprintf(text, sizeof text, "min %s, max %s",
                 curve_text(counter_sample(series, least), NULL, 20, a),
                 curve_text(counter_sample(series, most), NULL, 20, b));
        drawer_text_say(p, ROLE_TEXT, text);
        if (counter_average(series, trace_begin(app->trace), trace_end(app->trace), &average)) {
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
                       trace_kind_count(app->trace, FXT_K_SWITCH) +
                       trace_kind_count(app->trace, FXT_K_WAKEUP);
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
    older_names(p, (struct object_owner){proc->pid, FXT_OBJECT_PROCESS, false, 0, proc->world});
    object_arguments(p, proc->world, proc->pid);
}

static void ended_row(struct drawer_text *p, const struct track *track) {
    const struct track_gone *gone = &p->app->timeline.tracks.gone.v[track->of];
    char text[TRACK_ENDED_TEXT];
    track_ended_text(&p->app->timeline, gone, text);
    drawer_text_say(p, ROLE_TEXT, text);
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_DIM, "Enter shows them");
    drawer_text_next_line(p);
}

static void trace_row(struct drawer_text *p, const struct track *track) {
    struct trace *trace = p->app->trace;
    char buf[TRACE_ALIGNED_TEXT], text[TRACE_ALIGNED_TEXT + 64], events[32], size[32];
    for (size_t i = 0; i < trace_files(trace); i++) {
        struct file_part part;
        if (trace_file_world(trace, i) != track->of)
            continue;
        trace_file_part(trace, i, &part);
        drawer_text_value(p, ROLE_HEADER, str_of(trace_file_name(trace, i)));
        snprintf(text, sizeof text, "  %s; %s, %s events",
                 trace_aligned_text(trace, i, p->app->grid.ascii, buf),
                 units_bytes(part.end - part.begin, size),
                 units_count(trace_file_events(trace, i), false, events));
        drawer_text_say(p, ROLE_TEXT, text);
        drawer_text_next_line(p);
        drawer_text_value(p, ROLE_DIM, str_of(trace_file_path(trace, i)));
        drawer_text_next_line(p);
    }
}

/* The question of a track, and how to be rid of it. */
static void rows_row(struct drawer_text *p, const struct track *track) {
    struct app *app = p->app;
    const struct row_track *of = row_tracks_at(trace_row_tracks(app->trace), track->of);
    const struct as_track_state *s = &app->as_track;
    if (of == NULL)
        return;
    drawer_text_value(p, ROLE_HEADER, str_of(of->name));
    drawer_text_count(p, "  ", of->rows.n, "row");
    drawer_text_say(p, ROLE_DIM, "  :no-track takes it away");
    drawer_text_next_line(p);
    for (size_t i = 0; i < s->v.n; i++)
        if (strcmp(s->v.v[i].name, of->question) == 0)
            drawer_text_value(p, ROLE_TEXT, str_of(s->v.v[i].text));
    drawer_text_next_line(p);
}

static void unread_row(struct drawer_text *p, const struct track *track) {
    size_t n;
    const struct trace_unread *unread = &trace_unread(p->app->trace, &n)[track->of];
    drawer_text_value(p, ROLE_HEADER, str_of(unread->name));
    drawer_text_next_line(p);
    drawer_text_say(p, ROLE_ERROR, unread->why.text);
    drawer_text_next_line(p);
}

static const struct {
    const struct track_ops *kind;
    void (*details)(struct drawer_text *p, const struct track *track);
} rows[] = {
    {&track_thread, thread_row}, {&track_counter, counter_row}, {&track_async, async_row},
    {&track_cpu, cpu_row},       {&track_cpus, cpu_row},        {&track_profile, profile_row},
    {&track_log, log_row},       {&track_process, process_row}, {&track_empty, process_row},
    {&track_ended, ended_row},   {&track_trace, trace_row},     {&track_unread, unread_row},
    {&track_rows, rows_row}};

/* The command line of a process that was recorded. */
static void command_row(struct drawer_text *p, const struct track *track) {
    struct detail d;
    struct detail_argument a;
    struct str command = process_label_command(p->app->trace, track->process, &d, &a);
    if (command.n == 0)
        return;
    drawer_text_value(p, ROLE_HEADER, command);
    drawer_text_next_line(p);
}

/* Nothing is selected: the current row. */
void details_row(struct drawer_text *p) {
    const struct track *track = session_track(&p->app->timeline);
    if (p->app->timeline.tracks.set == LIST_COUNTERS) {
        counters_draw(p);
        return;
    }
    if (track == NULL) {
        drawer_text_say(p, ROLE_DIM, "no track");
        drawer_text_next_line(p);
    }
    if (track && track->alone && process_label_begun(p->app->trace, track->of))
        command_row(p, track);
    for (size_t i = 0; track && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == track->kind)
            rows[i].details(p, track);
    if (track && track->alone) /* the row is that of the process, too */
        process_row(p, track);
    details_hot(p);
    if (track && track->more) {
        drawer_text_say(p, ROLE_DIM, "its samples and counters are hidden: e shows them");
        drawer_text_next_line(p);
    }
    drawer_text_say(p, ROLE_DIM,
                    "nothing selected: h and l select events, Enter the one at the cursor");
    drawer_text_next_line(p);
}
