/* packets.c - `left_out` is the table of packets without a meaning here. */
#include "src/import/perfetto/packets.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/import/perfetto/proto.h"
#include "src/import/perfetto/system_events.h"

#define LOG_MOST 8192
#define NO_PROCESSES "processes are not recorded: the data source linux.process_stats writes them"

void packets_init(struct packets *p) {
    import_lines_init(&p->lines, NULL, NULL);
    p->lines.number = IMPORT_NO_LINES;
    kernel_events_init(&p->kernel, &p->lines, NO_PROCESSES);
    clocks_init(&p->clocks);
    event_tracks_init(&p->tracks, &p->kernel);
    track_events_init(&p->events, &p->tracks, &p->lines);
    bundles_init(&p->bundles, &p->kernel, &p->clocks);
    writer_magic(&p->lines.w); /* a source that grows is opened once there are words */
}

void packets_free(struct packets *p) {
    track_events_free(&p->events);
    bundles_free(&p->bundles);
    event_tracks_free(&p->tracks);
    clocks_free(&p->clocks);
    sequence_free(&p->sequences);
    kernel_events_free(&p->kernel);
    import_lines_free(&p->lines);
}

/* Writes the initialization record before the first event. */
static void start(struct packets *p) {
    if (p->kernel.started)
        return;
    if (p->wall.known)
        writer_init_base(&p->lines.w, KERNEL_SECOND, p->wall.ns, p->wall.unix_ns);
    else
        writer_init_record(&p->lines.w, KERNEL_SECOND);
    p->kernel.started = true;
}

void packets_end(struct packets *p) {
    start(p);
    bundles_end(&p->bundles);
    track_events_end(&p->events);
    event_tracks_end(&p->tracks);
    kernel_events_end(&p->kernel);
}

/* ---- processes ---- */

static void take_process(struct packets *p, struct str message) {
    struct str name = {"", 0};
    uint64_t pid = 0;
    for (struct proto f = proto_of(message); proto_next(&f);)
        if (f.tag == PROTO_V(1))
            pid = (uint32_t)f.value;
        else if (f.tag == PROTO_B(3) && name.n == 0)
            name = f.bytes;
    struct kernel_threads *threads = &p->kernel.threads;
    kernel_threads_is_of(threads, kernel_threads_get(threads, pid), pid);
    kernel_threads_process(threads, pid, name, KERNEL_NAMED_BY_SYSTEM);
}

static void take_thread(struct packets *p, struct str message) {
    struct str name = {"", 0};
    uint64_t tid = 0, pid = 0;
    for (struct proto f = proto_of(message); proto_next(&f);)
        if (f.tag == PROTO_V(1))
            tid = (uint32_t)f.value;
        else if (f.tag == PROTO_B(2))
            name = f.bytes;
        else if (f.tag == PROTO_V(3))
            pid = (uint32_t)f.value;
    struct kernel_threads *threads = &p->kernel.threads;
    struct kernel_thread *t = kernel_threads_get(threads, tid);
    kernel_threads_is_of(threads, t, pid);
    kernel_threads_name(threads, t, name, KERNEL_NAMED_BY_LIST);
}

static void take_processes(struct packets *p, struct str message) {
    for (struct proto f = proto_of(message); proto_next(&f);)
        if (f.tag == PROTO_B(1))
            take_process(p, f.bytes);
        else if (f.tag == PROTO_B(2))
            take_thread(p, f.bytes);
}

/* ---- logs ---- */

struct log {
    uint64_t ts, pid, tid;
    const char *priority;
    struct str tag, message;
};

static void write_log(struct packets *p, const struct log *log) {
    char text[LOG_MOST];
    int n = snprintf(text, sizeof text, "%s%s%.*s%s%.*s", log->priority, *log->priority ? ": " : "",
                     str_head(log->tag, 1024), log->tag.s, log->tag.n > 0 ? ": " : "",
                     str_head(log->message, LOG_MOST - 1100), log->message.s);
    struct kernel_threads *threads = &p->kernel.threads;
    struct kernel_thread *t = kernel_threads_get(threads, log->tid);
    start(p);
    if (t->pid == KERNEL_NO_PID && log->pid != 0)
        kernel_threads_is_of(threads, t, log->pid);
    struct writer_thread thread = log->pid != 0
                                      ? writer_intern_thread(&p->lines.w, log->pid, log->tid)
                                      : kernel_threads_place(threads, t);
    import_lines_mark(&p->lines);
    writer_log(&p->lines.w, log->ts, thread, (struct str){text, (size_t)n});
}

static void take_android(struct packets *p, struct str message) {
    static const char *const priorities[] = {"",     "",     "VERBOSE", "DEBUG",
                                             "INFO", "WARN", "ERROR",   "FATAL"};
    for (struct proto f = proto_of(message); proto_next(&f);) {
        struct log log = {.priority = "", .tag = {"", 0}, .message = {"", 0}};
        if (f.tag != PROTO_B(1))
            continue;
        for (struct proto e = proto_of(f.bytes); proto_next(&e);) {
            if (e.tag == PROTO_V(2))
                log.pid = (uint32_t)e.value;
            else if (e.tag == PROTO_V(3))
                log.tid = (uint32_t)e.value;
            else if (e.tag == PROTO_V(5))
                clocks_time(&p->clocks, 0, CLOCKS_REALTIME, e.value, &log.ts);
            else if (e.tag == PROTO_B(6))
                log.tag = e.bytes;
            else if (e.tag == PROTO_V(7) && e.value < sizeof priorities / sizeof *priorities)
                log.priority = priorities[e.value];
            else if (e.tag == PROTO_B(8))
                log.message = e.bytes;
        }
        write_log(p, &log);
    }
}

static void take_journal(struct packets *p, uint64_t ts, struct str message) {
    static const char *const priorities[] = {"EMERG", "ALERT",  "CRIT", "ERROR",
                                             "WARN",  "NOTICE", "INFO", "DEBUG"};
    struct log log = {.ts = ts, .priority = "", .tag = {"", 0}, .message = {"", 0}};
    for (struct proto f = proto_of(message); proto_next(&f);) {
        if (f.tag == PROTO_V(1))
            log.pid = (uint32_t)f.value;
        else if (f.tag == PROTO_V(2))
            log.tid = (uint32_t)f.value;
        else if (f.tag == PROTO_V(5) && f.value < sizeof priorities / sizeof *priorities)
            log.priority = priorities[f.value];
        else if (f.tag == PROTO_B(6))
            log.tag = f.bytes;
        else if (f.tag == PROTO_B(7))
            log.message = f.bytes;
    }
    if (log.tid == 0)
        log.tid = log.pid;
    write_log(p, &log);
}

/* ---- packets without a meaning here ---- */

static const struct {
    unsigned field;
    const char *note; /* NULL: it is not about the program */
} left_out[] = {
    {34, NULL},
    {35, NULL},
    {36, NULL},
    {45, NULL},
    {67, NULL},
    {69, NULL},
    {82, NULL},
    {89, NULL},

    {109, NULL},
    {113, NULL},
    {124, NULL},
    {126, NULL},
    {4, "inode_file_map is left out"},
    {5, "chrome_events is left out"},
    {7, "sys_stats is left out"},
    {9, "process_stats is left out"},
    {37, "profile_packet (a heap profile) is left out"},
    {38, "battery is left out"},
    {40, "power_rails is left out"},
    {46, "a trigger is left out"},
    {47, "packages_list is left out"},
    {48, "chrome_benchmark_metadata is left out"},
    {49, "perfetto_metatrace is left out"},
    {51, "chrome_metadata is left out"},
    {52, "gpu_counter_event is left out"},
    {53, "gpu_render_stage_event is left out"},
    {54, "streaming_profile_packet is left out"},
    {56, "a heap graph is left out"},
    {57, "graphics_frame_event is left out"},
    {61, "module_symbols is left out"},
    {62, "vulkan_memory_event is left out"},
    {63, "gpu_log is left out"},
    {64, "deobfuscation_mapping is left out"},
    {65, "vulkan_api_event is left out"},
    {66, "perf_sample is left out"},
    {68, "smaps_packet is left out"},
    {71, "gpu_mem_total_event is left out"},
    {72, "extension_descriptor is left out"},
    {73, "memory_tracker_snapshot is left out"},
    {74, "streaming_allocation is left out"},
    {75, "streaming_free is left out"},
    {77, "android_energy_estimation_breakdown is left out"},
    {84, "statsd_atom is left out"},
    {86, "android_system_property is left out"},
    {91, "entity_state_residency is left out"},
    {90, "track_event_range_of_interest is left out"},
    {95, "etw_events is left out"},
    {99, "code of V8 is left out"},
    {107, "remote_clock_sync is left out"},
    {135, "stack_sample is left out"},
};

/* Fields around the content of a packet. */
static bool is_about(uint64_t field) {
    return field == 3 || field == 8 || field == 10 || field == 12 || field == 13 || field == 41 ||
           field == 42 || field == 58 || field == 59 || field == 79 || field == 87 || field == 98;
}

static void note_left_out(struct packets *p, uint64_t field) {
    size_t i = 0, n = sizeof left_out / sizeof *left_out;
    while (i < n && left_out[i].field != field)
        i++;
    if (i == n && !is_about(field))
        import_lines_note(&p->lines, "a packet of another kind is left out");
    else if (i < n && left_out[i].note)
        import_lines_note(&p->lines, left_out[i].note);
}

static void take_config(struct packets *p, struct str message) {
    if (message.n <= WRITER_STRING_MAX)
        writer_blob(&p->lines.w, writer_intern(&p->lines.w, STR("trace config")), FXT_BLOB_PERFETTO,
                    message);
    else
        import_lines_fault(&p->lines, IMPORT_CUT, NULL,
                           "a trace config of more than %d bytes: left out", WRITER_STRING_MAX);
}

/* ---- a packet ---- */

struct packet {
    struct str message;
    struct sequence *s;
    uint64_t ts, sequence, clock, flags, machine;
    struct str defaults, interned, snapshot, event;
    bool has_ts, has_clock, cleared, dropped;
};

static void read_packet(struct packet *x, struct str message) {
    struct proto f = proto_of(message);
    *x = (struct packet){.message = message};
    while (proto_next(&f)) {
        switch (f.tag) {
        case PROTO_V(8):
            x->ts = f.value;
            x->has_ts = true;
            break;
        case PROTO_V(10):
            x->sequence = (uint32_t)f.value;
            break;
        case PROTO_V(13):
            x->flags = f.value;
            break;
        case PROTO_V(41):
            x->cleared = f.value != 0;
            break;
        case PROTO_V(42):
            x->dropped = f.value != 0;
            break;
        case PROTO_V(58):
            x->clock = f.value;
            x->has_clock = true;
            break;
        case PROTO_V(98):
            x->machine = f.value;
            break;
        case PROTO_B(6):
            x->snapshot = f.bytes;
            break;
        case PROTO_B(11):
            x->event = f.bytes;
            break;
        case PROTO_B(12):
            x->interned = f.bytes;
            break;
        case PROTO_B(59):
            x->defaults = f.bytes;
            break;
        default:
            break;
        }
    }
}

/* The state of its sequence changes. False: the packet needs one that is lost. */
static bool take_state(struct packets *p, struct packet *x) {
    x->s = sequence_get(&p->sequences, x->sequence);
    if (x->cleared || (x->flags & 1)) {
        sequence_clear(x->s);
    } else if (x->dropped) {
        if (x->s->valid)
            import_lines_note(&p->lines, "packets of a sequence are lost before one");
        x->s->valid = false;
    }
    if (x->defaults.n > 0)
        sequence_set_defaults(x->s, x->defaults);
    if (x->interned.n > 0)
        sequence_intern(x->s, x->interned);
    if (x->snapshot.n > 0) {
        struct clocks_wall wall;
        clocks_snapshot(&p->clocks, x->sequence, x->snapshot, &wall);
        if (wall.known && !p->kernel.started)
            p->wall = wall;
    }
    return x->s->valid || !(x->flags & 2);
}

/* The time of a packet by the clock of the trace. */
static void set_time(struct packets *p, struct packet *x) {
    uint64_t clock = x->has_clock ? x->clock : 0;
    struct track_events_time own =
        x->event.n > 0 ? track_events_time(x->event) : (struct track_events_time){0};
    if (own.has_difference || own.has_time) {
        uint64_t us = own.has_difference ? x->s->time_us += own.difference : own.time;
        clocks_time(&p->clocks, x->sequence, CLOCKS_MONOTONIC, us * 1000, &x->ts);
        x->has_ts = true;
        return;
    }
    if (clock == 0 && x->s->has_clock)
        clock = x->s->clock;
    if (x->has_ts && clock != 0 && !clocks_time(&p->clocks, x->sequence, clock, x->ts, &x->ts))
        import_lines_fault(&p->lines, IMPORT_FIELD, NULL,
                           "no snapshot has clock %" PRIu64 ": its time is taken as it is", clock);
}

static void take_event(struct packets *p, const struct packet *x, struct str message) {
    if (!x->has_ts) {
        import_lines_fault(&p->lines, IMPORT_FIELD, NULL, "an event without a time");
        return;
    }
    start(p);
    if (x->ts > INT64_MAX)
        import_lines_fault(&p->lines, IMPORT_DAMAGED, NULL, "a time that cannot be");
    track_events_take(&p->events, x->s, x->ts, message);
}

/* The thread that is meant by events without a track. */
static void set_thread(struct sequence *s, uint64_t pid, uint64_t tid, struct str message) {
    s->has_thread = true;
    s->pid = pid;
    s->tid = tid;
    s->time_us = 0;
    for (struct proto f = proto_of(message); proto_next(&f);)
        if (f.tag == PROTO_V(6))
            s->time_us = f.value;
}

static void take_thread_descriptor(struct packets *p, const struct packet *x, struct str message) {
    uint64_t pid, tid;
    if (event_tracks_thread(&p->tracks, message, &pid, &tid))
        set_thread(x->s, pid, tid, message);
}

static void take_descriptor(struct packets *p, const struct packet *x, struct str message) {
    const struct event_track *track = event_tracks_describe(&p->tracks, message);
    if (track == NULL) {
        import_lines_fault(&p->lines, IMPORT_FIELD, NULL, "a track without a uuid");
        return;
    }
    if (!x->s->valid || !track->has_thread)
        return;
    for (struct proto f = proto_of(message); proto_next(&f);)
        if (f.tag == PROTO_B(4))
            set_thread(x->s, track->pid, track->tid, f.bytes);
}

static void take_content(struct packets *p, const struct packet *x, struct packets_within *within) {
    uint64_t pid;
    struct proto f = proto_of(x->message);
    while (proto_next(&f)) {
        switch (f.tag) {
        case PROTO_B(1): /* FtraceEventBundle */
            start(p);
            bundles_take(&p->bundles, x->s, f.bytes);
            break;
        case PROTO_B(2):
            take_processes(p, f.bytes);
            break;
        case PROTO_B(6):
            break;
        case PROTO_B(11):
            take_event(p, x, f.bytes);
            break;
        case PROTO_B(33):
            take_config(p, f.bytes);
            break;
        case PROTO_B(39):
            take_android(p, f.bytes);
            break;
        case PROTO_B(43):
            event_tracks_process(&p->tracks, f.bytes, &pid);
            break;
        case PROTO_B(44):
            take_thread_descriptor(p, x, f.bytes);
            break;
        case PROTO_B(50):
        case PROTO_B(133):
            *within = (struct packets_within){f.bytes, f.tag == PROTO_B(133)};
            break;
        case PROTO_B(60):
            take_descriptor(p, x, f.bytes);
            break;
        case PROTO_B(132):
            take_journal(p, x->ts, f.bytes);
            break;
        case PROTO_B(117):
        case PROTO_B(118):
        case PROTO_B(120):
        case PROTO_B(122):
            start(p);
            system_events_take(&p->bundles, f.tag >> 3, x->ts, f.bytes);
            break;
        default:
            note_left_out(p, f.tag >> 3);
            break;
        }
    }
    if (f.broken)
        import_lines_fault(&p->lines, IMPORT_SYNTAX, NULL,
                           "a packet whose bytes are no fields: read up to there");
}

struct packets_within packets_take(struct packets *p, struct str message, uint64_t at) {
    struct packet x;
    struct packets_within within = {{NULL, 0}, false};
    p->lines.begin = at;
    read_packet(&x, message);
    if (x.machine != 0) {
        import_lines_note(&p->lines, "a packet of another machine is left out");
        return within;
    }
    if (!take_state(p, &x)) {
        import_lines_note(&p->lines,
                          "a packet needs the state of its sequence, which is lost: left out");
        return within;
    }
    set_time(p, &x);
    take_content(p, &x, &within);
    return within;
}
