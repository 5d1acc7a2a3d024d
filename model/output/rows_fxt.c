/* rows_fxt.c - writes rows with ticks of 1 ns, as times of the trace's clock. Each lane is a
 * thread; ids of the provider and of the process are the greatest that the trace does not have. */
#include "model/output/rows_fxt.h"

#include "model/store/row_track.h"
#include "src/fxt/writer.h"

#define LAST_PROVIDER 0xfffffffeu
#define LAST_PID (UINT64_C(1) << 31)

/* The greatest id from `id` on downwards that no provider has. */
static uint32_t free_provider(const struct trace *trace, uint32_t id) {
    struct reader *reader = trace_reader(trace);
    for (size_t i = 0; i < reader_provider_count(reader);) {
        bool taken = reader_provider(reader, i)->id == id;
        id -= taken;
        i = taken ? 0 : i + 1;
    }
    return id;
}

/* A pid such that neither it nor the ids of its threads are those of a process. */
static uint64_t free_pid(const struct trace *trace, uint64_t pid, size_t lanes) {
    for (size_t i = 0; i < trace_process_count(trace);) {
        uint64_t other = trace_process(trace, i)->pid;
        bool taken = other >= pid && other - pid <= lanes;
        pid = taken ? other - lanes - 1 : pid;
        i = taken ? 0 : i + 1;
    }
    return pid;
}

static size_t count_lanes(const struct row_tracks *tracks) {
    size_t n = 0;
    for (uint32_t i = 0; i < tracks->v.n; i++)
        n += row_tracks_at(tracks, i) ? row_tracks_at(tracks, i)->lanes.n : 0;
    return n;
}

static struct str cut(struct str text) {
    return (struct str){text.s, (size_t)str_head(text, WRITER_STRING_MAX)};
}

/* The tick of a time; 0 for one from before the clock. */
static uint64_t tick_of(const struct trace *trace, int64_t time) {
    struct wide ns = wide_add(trace_origin_wide(trace), time - trace_origin(trace));
    return ns.hi == 0 ? ns.lo : 0;
}

static void write_row(struct writer *w, const struct trace *trace, const struct row_track *track,
                      const struct row_track_row *row, struct writer_thread thread) {
    struct writer_argument args[2];
    size_t n = 0;
    if (row->value)
        args[n++] = writer_text(writer_intern(w, STR("value")),
                                writer_inline(cut(row_track_text(track, row->value))));
    if (row->colour)
        args[n++] = writer_text(writer_intern(w, STR("colour")),
                                writer_inline(cut(row_track_text(track, row->colour))));
    struct writer_event event = {.ts = tick_of(trace, row->time),
                                 .thread = thread,
                                 .category = writer_intern(w, STR("question")),
                                 .name = writer_intern(w, cut(row_track_name(track, row))),
                                 .args = {args, n}};
    if (row->dur < 0)
        writer_begin(w, &event);
    else
        writer_complete(w, &event, event.ts + (uint64_t)row->dur);
}

static void write_lane(struct writer *w, const struct trace *trace, const struct row_track *track,
                       const struct lane *lane, struct writer_thread thread) {
    for (uint32_t i = 0; i < lane->n; i++)
        write_row(w, trace, track, row_track_row_of(track, lane_at(lane, i)), thread);
}

bool rows_fxt_any(struct trace *trace) {
    return count_lanes(trace_row_tracks(trace)) > 0;
}

bool rows_fxt_write(struct trace *trace, FILE *out, struct err *err) {
    const struct row_tracks *tracks = trace_row_tracks(trace);
    size_t lanes = count_lanes(tracks);
    struct writer w;
    if (lanes == 0)
        return true;
    uint64_t pid = free_pid(trace, LAST_PID, lanes), tid = pid;
    writer_init(&w, out);
    writer_provider_info(&w, free_provider(trace, LAST_PROVIDER), STR("questions"));
    writer_init_record(&w, UINT64_C(1000000000));
    struct writer_argument process =
        writer_number(FXT_ARG_KOID, writer_intern(&w, STR("process")), pid);
    writer_kernel_object(&w, FXT_OBJECT_PROCESS, pid, writer_inline(STR("questions")),
                         (struct writer_arguments){NULL, 0});
    for (uint32_t i = 0; i < tracks->v.n; i++) {
        const struct row_track *track = row_tracks_at(tracks, i);
        for (size_t k = 0; track && k < track->lanes.n; k++) {
            writer_kernel_object(&w, FXT_OBJECT_THREAD, ++tid,
                                 writer_inline(cut(str_of(track->name))),
                                 (struct writer_arguments){&process, 1});
            write_lane(&w, trace, track, &track->lanes.v[k], writer_intern_thread(&w, pid, tid));
        }
    }
    bool done = writer_flush(&w, err);
    writer_free(&w);
    return done;
}
