/* track_events.c - reads the fields of an event in one pass; repeated ones are read again where
 * they are written. */
#include "src/import/perfetto/track_events.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/import/perfetto/proto.h"

#define FLOW STR("flow")
#define LOG_MOST 8192
#define STACK_MOST KERNEL_STACK_MOST

enum { BEGIN = 1, END = 2, INSTANT = 3, COUNTER = 4, STATE = 5 };

struct fields { /* of a TrackEvent */
    struct str message;
    uint64_t type, track, name_iid, legacy_name_iid, location_iid, stack_iid, correlation;
    struct str name, legacy, log, location, stack, correlation_text;
    uint64_t value; /* of a counter */
    bool has_type, has_track, has_value, has_double, has_phase, has_annotations, has_flows,
        has_counters, has_bind, has_correlation;
};

struct event { /* on its way to records */
    struct track_events *t;
    struct sequence *s;
    struct fields f;
    struct event_track *track; /* or NULL: the thread of the sequence */
    struct event_track_owner owner;
    struct str category, name;
    struct writer_event e;
};

void track_events_init(struct track_events *t, struct event_tracks *tracks,
                       struct import_lines *lines) {
    t->tracks = tracks;
    t->lines = lines;
    annotations_init(&t->args, &lines->w);
    legacy_events_init(&t->legacy, lines, &t->args.fields);
}

void track_events_free(struct track_events *t) {
    annotations_free(&t->args);
    legacy_events_free(&t->legacy);
    vec_free(&t->flows);
    vec_free(&t->category);
    vec_free(&t->text);
}

struct track_events_time track_events_time(struct str message) {
    struct track_events_time time = {0};
    struct proto p = proto_of(message);
    while (proto_next(&p))
        if (p.tag == PROTO_V(1)) {
            time.has_difference = true;
            time.difference = p.value;
        } else if (p.tag == PROTO_V(16)) {
            time.has_time = p.value != 0;
            time.time = p.value;
        }
    return time;
}

/* ---- reading ---- */

static void note_field(struct track_events *t, const struct proto *p) {
    unsigned field = (unsigned)(p->tag >> 3);
    if (field == 2 || field == 17)
        import_lines_note(t->lines, "the CPU time of a thread at an event is left out");
    else if (field == 8 || field == 20)
        import_lines_note(t->lines, "the instructions of a thread at an event are left out");
    else if (field == 5)
        import_lines_note(t->lines, "task_execution of an event is left out");
    else if ((field >= 24 && field <= 29) || field == 32 || field == 35 ||
             (field >= 38 && field <= 43 && field != 42) || field == 49 || field == 50)
        import_lines_note(t->lines, "a message of Chrome within an event is left out");
    else if (field == 57)
        import_lines_note(t->lines, "callstack_weight of an event is left out");
    else if (field >= 1000)
        import_lines_note(t->lines, "an extension of an event is left out");
}

static void read_legacy(struct fields *f, struct str message) {
    struct proto p = proto_of(message);
    f->legacy = message;
    while (proto_next(&p)) {
        if (p.tag == PROTO_V(1))
            f->legacy_name_iid = p.value;
        else if (p.tag == PROTO_V(2))
            f->has_phase = true;
        else if (p.tag == PROTO_V(8))
            f->has_bind = true;
    }
}

static void read_fields(struct track_events *t, struct fields *f, struct str message) {
    struct proto p = proto_of(message);
    *f = (struct fields){.message = message};
    while (proto_next(&p)) {
        switch (p.tag) {
        case PROTO_V(9):
            f->type = p.value;
            f->has_type = true;
            break;
        case PROTO_V(11):
            f->track = p.value;
            f->has_track = true;
            break;
        case PROTO_V(10):
            f->name_iid = p.value;
            break;
        case PROTO_B(23):
            f->name = p.bytes;
            break;
        case PROTO_V(30):
        case PROTO_F(44):
            f->value = p.value;
            f->has_value = true;
            f->has_double = p.tag == PROTO_F(44);
            break;
        case PROTO_B(4):
            f->has_annotations = true;
            break;
        case PROTO_B(6):
            read_legacy(f, p.bytes);
            break;
        case PROTO_B(21):
            f->log = p.bytes;
            break;
        case PROTO_B(33):
            f->location = p.bytes;
            break;
        case PROTO_V(34):
            f->location_iid = p.value;
            break;
        case PROTO_V(52):
        case PROTO_B(53):
        case PROTO_V(54):
            f->has_correlation = true;
            f->correlation = p.value;
            f->correlation_text = p.tag == PROTO_B(53) ? p.bytes : STR("");
            if (p.tag == PROTO_V(54))
                f->correlation_text = (struct str){NULL, 1}; /* the text of a number */
            break;
        case PROTO_B(55):
            f->stack = p.bytes;
            break;
        case PROTO_V(56):
            f->stack_iid = p.value;
            break;
        case PROTO_V(3):
        case PROTO_B(3):
        case PROTO_B(22):
        case PROTO_V(1):
        case PROTO_V(16):
            break;
        default:
            f->has_flows |=
                p.tag >> 3 == 36 || p.tag >> 3 == 42 || p.tag >> 3 == 47 || p.tag >> 3 == 48;
            f->has_counters |= p.tag >> 3 == 12 || p.tag >> 3 == 46;
            note_field(t, &p);
            break;
        }
    }
    if (p.broken)
        import_lines_fault(t->lines, IMPORT_SYNTAX, NULL,
                           "an event whose bytes are no fields: read up to there");
}

/* ---- names ---- */

static void append(struct track_events *t, struct str text) {
    vec_reserve(&t->category, t->category.n + text.n + 1);
    if (t->category.n > 0)
        t->category.v[t->category.n++] = ',';
    if (text.n > 0)
        memcpy(t->category.v + t->category.n, text.s, text.n);
    t->category.n += text.n;
}

/* One category as it is; several with commas between. */
static struct str category_of(struct event *x) {
    struct track_events *t = x->t;
    struct proto_numbers iids = proto_numbers(x->f.message, 3, PROTO_VARINT);
    struct proto p = proto_of(x->f.message);
    struct str one = {"", 0};
    char unknown[40];
    uint64_t iid;
    size_t n = 0;
    t->category.n = 0;
    while (proto_number(&iids, &iid)) {
        const struct sequence_entry *e = sequence_find(x->s, SEQUENCE_CATEGORY, iid);
        if (e == NULL)
            snprintf(unknown, sizeof unknown, "unknown(%" PRIu64 ")", iid);
        struct str text = e ? sequence_text(x->s, e) : str_of(unknown);
        if (n == 0 && e)
            one = text;
        if (n == 1 && t->category.n == 0)
            append(t, one);
        if (n > 0 || !e)
            append(t, text);
        n++;
    }
    while (proto_next(&p)) {
        if (p.tag != PROTO_B(22))
            continue;
        if (n == 0)
            one = p.bytes;
        if (n == 1 && t->category.n == 0)
            append(t, one);
        if (n > 0)
            append(t, p.bytes);
        n++;
    }
    return t->category.n > 0 ? (struct str){t->category.v, t->category.n} : one;
}

static struct str name_of(const struct event *x) {
    uint64_t iid = x->f.name_iid ? x->f.name_iid : x->f.legacy_name_iid;
    return iid ? sequence_bytes(x->s, SEQUENCE_NAME, iid) : x->f.name;
}

static void find_track(struct event *x) {
    struct track_events *t = x->t;
    bool given = x->f.has_track || x->s->has_track;
    uint64_t uuid = x->f.has_track ? x->f.track : x->s->track;
    bool thread = x->s->has_thread && (!given || (uuid == 0 && x->f.has_phase));
    if (thread) {
        x->owner = (struct event_track_owner){true, x->s->pid, x->s->tid};
        return;
    }
    x->track = event_tracks_get(t->tracks, given ? uuid : 0);
    x->owner = event_tracks_owner(t->tracks, x->track);
}

/* ---- arguments ---- */

static struct str append_frame(struct track_events *t, struct str function) {
    size_t n = t->text.n + function.n + 1;
    if (n <= STACK_MOST) {
        vec_reserve(&t->text, n);
        if (t->text.n > 0)
            t->text.v[t->text.n++] = ';';
        if (function.n > 0)
            memcpy(t->text.v + t->text.n, function.s, function.n);
        t->text.n += function.n;
    }
    return (struct str){t->text.v, t->text.n};
}

/* The stack of an event, the outermost frame first. */
static struct str stack_of(struct event *x) {
    struct track_events *t = x->t;
    struct str all = {"", 0};
    uint64_t iid, function;
    t->text.n = 0;
    for (struct proto p = proto_of(x->f.stack); proto_next(&p);) {
        if (p.tag != PROTO_B(1))
            continue;
        struct str name = {"", 0};
        for (struct proto frame = proto_of(p.bytes); proto_next(&frame);)
            if (frame.tag == PROTO_B(1))
                name = frame.bytes;
        all = append_frame(t, name);
    }
    if (x->f.stack_iid == 0)
        return all;
    struct proto_numbers frames =
        proto_numbers(sequence_bytes(x->s, SEQUENCE_CALLSTACK, x->f.stack_iid), 2, PROTO_VARINT);
    while (proto_number(&frames, &iid)) {
        function = 0;
        struct proto p = proto_of(sequence_bytes(x->s, SEQUENCE_FRAME, iid));
        while (proto_next(&p))
            if (p.tag == PROTO_V(2))
                function = p.value;
        all = append_frame(t, sequence_bytes(x->s, SEQUENCE_FUNCTION, function));
    }
    return all;
}

static void add_location(struct event *x) {
    struct str message = x->f.location_iid
                             ? sequence_bytes(x->s, SEQUENCE_LOCATION, x->f.location_iid)
                             : x->f.location;
    struct proto p = proto_of(message);
    while (proto_next(&p)) {
        if (p.tag == PROTO_B(2))
            annotations_text(&x->t->args, STR("file"), p.bytes);
        else if (p.tag == PROTO_B(3))
            annotations_text(&x->t->args, STR("function"), p.bytes);
        else if (p.tag == PROTO_V(4))
            annotations_number(&x->t->args, STR("line"), p.value);
    }
}

static void add_correlation(struct event *x) {
    const struct fields *f = &x->f;
    struct str name = STR("correlation_id");
    if (f->correlation_text.n > 0 && f->correlation_text.s)
        annotations_text(&x->t->args, name, f->correlation_text);
    else if (f->correlation_text.n > 0)
        annotations_text(&x->t->args, name,
                         sequence_bytes(x->s, SEQUENCE_CORRELATION, f->correlation));
    else
        annotations_number(&x->t->args, name, f->correlation);
}

static void take_arguments(struct event *x, bool on_track) {
    struct annotations *a = &x->t->args;
    annotations_start(a);
    x->e.category = event_build_name(&a->b, x->category);
    x->e.name = event_build_name(&a->b, x->name);
    struct str track = on_track && x->track ? event_tracks_name(x->t->tracks, x->track) : STR("");
    if (track.n > 0 && x->f.type != END)
        event_build_put(&a->b, writer_text(event_build_name(&a->b, STR("track")),
                                           event_build_name(&a->b, track)));
    if (x->f.has_annotations)
        for (struct proto p = proto_of(x->f.message); proto_next(&p);)
            if (p.tag == PROTO_B(4))
                annotations_add(a, x->s, p.bytes);
    if (x->f.location_iid || x->f.location.n > 0)
        add_location(x);
    if (x->f.has_correlation)
        add_correlation(x);
    if (x->f.stack.n > 0 || x->f.stack_iid)
        annotations_text(a, STR("stack"), stack_of(x));
    x->e.args = annotations_end(a);
    if (a->fields.cut)
        import_lines_fault(x->t->lines, IMPORT_CUT, NULL,
                           "texts or arguments beyond what a record holds: cut");
    if (a->protos)
        import_lines_note(x->t->lines, "a message of another schema in an argument is left out");
}

/* ---- flows ---- */

static void add_flow(struct event *x, uint64_t id, enum track_events_point kind) {
    struct track_events_flow flow = {
        id, x->e.ts, x->owner.pid, x->owner.tid, {x->t->lines->begin, IMPORT_NO_LINES, 0}, kind};
    vec_push(&x->t->flows, flow);
}

static int by_time(const void *x, const void *y) {
    const struct track_events_flow *a = x, *b = y;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    if (a->ts != b->ts)
        return a->ts < b->ts ? -1 : 1;
    return (a->at.byte > b->at.byte) - (a->at.byte < b->at.byte);
}

static void write_flow(struct track_events *t, const struct track_events_flow *flow,
                       enum fxt_event type, uint64_t id) {
    struct writer_event e = {.ts = flow->ts,
                             .thread = writer_intern_thread(&t->lines->w, flow->pid, flow->tid),
                             .category = writer_intern(&t->lines->w, FLOW),
                             .name = writer_intern(&t->lines->w, FLOW)};
    t->lines->begin = flow->at.byte;
    import_lines_mark(t->lines);
    writer_flow(&t->lines->w, type, &e, id);
}

/* Whether the flow of point i goes on to another one. */
static bool goes_on(const struct track_events *t, size_t i) {
    const struct track_events_flow *flow = &t->flows.v[i];
    for (i++; i < t->flows.n && t->flows.v[i].id == flow->id; i++)
        if (t->flows.v[i].kind != TRACK_EVENTS_BRANCH)
            return true;
    return false;
}

/* The first point of a flow is its begin, and the last one its end; that of one that does not go on
 * is none. A branch is a flow of its own from the latest other point. */
static void write_flows(struct track_events *t) {
    const struct track_events_flow *latest = NULL;
    if (t->flows.n > 1)
        qsort(t->flows.v, t->flows.n, sizeof *t->flows.v, by_time);
    for (size_t i = 0; i < t->flows.n; i++) {
        const struct track_events_flow *flow = &t->flows.v[i];
        bool begins = latest == NULL || latest->id != flow->id;
        if (begins && (flow->kind == TRACK_EVENTS_END || flow->kind == TRACK_EVENTS_BRANCH))
            continue;
        if (flow->kind == TRACK_EVENTS_BRANCH) {
            uint64_t own = flow->id ^ (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
            write_flow(t, latest, FXT_FLOW_BEGIN, own);
            write_flow(t, flow, FXT_FLOW_END, own);
            continue;
        }
        bool ends = flow->kind == TRACK_EVENTS_END || !goes_on(t, i);
        if (!begins)
            write_flow(t, flow, ends ? FXT_FLOW_END : FXT_FLOW_STEP, flow->id);
        else if (!ends) /* branches alone need no begin */
            write_flow(t, flow, FXT_FLOW_BEGIN, flow->id);
        latest = flow->kind == TRACK_EVENTS_END ? NULL : flow;
    }
}

/* `bind_id` of a slice. */
static void add_bound(struct event *x) {
    static const enum track_events_point kinds[] = {TRACK_EVENTS_BRANCH, TRACK_EVENTS_BEGIN,
                                                    TRACK_EVENTS_STEP};
    uint64_t id = 0, direction = 0;
    for (struct proto p = proto_of(x->f.legacy); proto_next(&p);)
        if (p.tag == PROTO_V(8))
            id = p.value;
        else if (p.tag == PROTO_V(13))
            direction = p.value;
    if (direction >= 1 && direction <= 3)
        add_flow(x, id, kinds[direction - 1]);
}

static void add_flows(struct event *x) {
    static const struct {
        unsigned char field, old;
        enum track_events_point kind;
    } kinds[] = {{47, 36, TRACK_EVENTS_STEP}, {48, 42, TRACK_EVENTS_END}};
    uint64_t id;
    if (x->f.has_bind)
        add_bound(x);
    for (size_t i = 0; x->f.has_flows && i < 2; i++) {
        struct proto_numbers ids = proto_numbers(x->f.message, kinds[i].field, PROTO_FIXED64),
                             old = proto_numbers(x->f.message, kinds[i].old, PROTO_VARINT);
        bool any = false;
        while (proto_number(&ids, &id)) {
            add_flow(x, id, kinds[i].kind);
            any = true;
        }
        while (!any && proto_number(&old, &id))
            add_flow(x, id, kinds[i].kind);
    }
}

/* ---- slices and instants ---- */

static void write_thread_event(struct event *x) {
    struct writer *w = &x->t->lines->w;
    import_lines_mark(x->t->lines);
    if (x->f.type == BEGIN) {
        legacy_events_slice(&x->t->legacy, &x->owner, x->e.ts);
        writer_begin(w, &x->e);
    } else if (x->f.type == END) {
        x->e.category = x->e.name = (struct writer_string){0}; /* it ends the innermost one */
        writer_end(w, &x->e);
    } else {
        writer_instant(w, &x->e);
    }
    add_flows(x);
}

static void write_operation(struct event *x) {
    struct event_tracks *tracks = x->t->tracks;
    import_lines_mark(x->t->lines);
    if (x->f.type == BEGIN)
        event_tracks_begin(tracks, x->track, &x->e, x->category);
    else if (x->f.type == END)
        event_tracks_finish(tracks, x->track, &x->e, x->name);
    else
        writer_async(&x->t->lines->w, FXT_ASYNC_INSTANT, &x->e, x->track->uuid);
    add_flows(x);
}

/* A state lasts until the next one of its track; one without a name only ends it. */
static void write_state(struct event *x) {
    struct event_tracks *tracks = x->t->tracks;
    if (x->track->has_state) {
        struct writer_event end = {.ts = x->e.ts, .thread = x->e.thread};
        import_lines_mark(x->t->lines);
        event_tracks_finish(tracks, x->track, &end, STR(""));
    }
    x->track->has_state = x->name.n > 0;
    if (!x->track->has_state)
        return;
    import_lines_mark(x->t->lines);
    event_tracks_begin(tracks, x->track, &x->e, x->category);
}

/* ---- counters ---- */

static void write_counter(struct event *x, struct event_track *track, bool is_double,
                          uint64_t bits) {
    struct event_tracks *tracks = x->t->tracks;
    struct import_lines *lines = x->t->lines;
    struct event_track_owner owner = event_tracks_owner(tracks, track);
    int64_t whole = (int64_t)bits;
    bool exact =
        !is_double && !track->incremental && !__builtin_mul_overflow(whole, track->unit, &whole);
    double value = (is_double ? proto_double(bits) : (double)(int64_t)bits) * (double)track->unit;
    if (track->incremental)
        value = sequence_sum(x->s, track->uuid, value);
    struct str series = track->series ? texts_get(&tracks->texts, track->series) : STR("value");
    struct writer_string key = import_lines_name(lines, series);
    struct writer_argument arg =
        exact ? writer_number(FXT_ARG_INT64, key, (uint64_t)whole) : writer_double(key, value);
    struct writer_event e = {.ts = x->e.ts,
                             .thread = event_tracks_place(tracks, &owner),
                             .category = import_lines_name(lines, x->category),
                             .name = import_lines_name(lines, event_tracks_name(tracks, track)),
                             .args = {&arg, 1}};
    import_lines_mark(lines);
    writer_counter(&lines->w, &e, track->uuid);
}

/* The values of other counters at this time: their tracks are named by the event, or by default. */
static void write_counters(struct event *x) {
    static const struct {
        unsigned char tracks, values;
        bool is_double;
    } kinds[] = {{31, 12, false}, {45, 46, true}};
    struct str defaults = {x->s->defaults.v, x->s->defaults.n};
    for (size_t i = 0; i < 2; i++) {
        struct proto_numbers own = proto_numbers(x->f.message, kinds[i].tracks, PROTO_VARINT),
                             other = proto_numbers(defaults, kinds[i].tracks, PROTO_VARINT),
                             values =
                                 proto_numbers(x->f.message, kinds[i].values,
                                               kinds[i].is_double ? PROTO_FIXED64 : PROTO_VARINT);
        uint64_t uuid, value;
        bool has_own = proto_number(&own, &uuid), first = true;
        while (proto_number(&values, &value)) {
            bool more = true;
            if (!has_own)
                more = proto_number(&other, &uuid);
            else if (!first)
                more = proto_number(&own, &uuid);
            first = false;
            if (!more) {
                import_lines_fault(x->t->lines, IMPORT_FIELD, NULL,
                                   "more values of counters than tracks for them");
                break;
            }
            write_counter(x, event_tracks_get(x->t->tracks, uuid), kinds[i].is_double, value);
        }
    }
}

/* ---- log messages ---- */

/* The file of a SourceLocation, and its line. */
static struct str location_of(struct str message, uint64_t *line) {
    struct str file = {"", 0};
    for (struct proto p = proto_of(message); proto_next(&p);)
        if (p.tag == PROTO_B(2))
            file = p.bytes;
        else if (p.tag == PROTO_V(4))
            *line = p.value;
    return file;
}

static void write_log(struct event *x) {
    static const char *const priorities[] = {"",     "",     "VERBOSE", "DEBUG",
                                             "INFO", "WARN", "ERROR",   "FATAL"};
    struct track_events *t = x->t;
    struct str body = {"", 0}, file = {"", 0};
    uint64_t priority = 0, line = 0;
    char text[LOG_MOST], place[32] = "";
    for (struct proto p = proto_of(x->f.log); proto_next(&p);)
        if (p.tag == PROTO_V(1))
            file = location_of(sequence_bytes(x->s, SEQUENCE_LOCATION, p.value), &line);
        else if (p.tag == PROTO_V(2))
            body = sequence_bytes(x->s, SEQUENCE_LOG, p.value);
        else if (p.tag == PROTO_V(3) && p.value < sizeof priorities / sizeof *priorities)
            priority = p.value;
    if (file.n > 0)
        snprintf(place, sizeof place, ":%" PRIu64 ": ", line);
    int n = snprintf(text, sizeof text, "%s%s%.*s%s%.*s", priorities[priority],
                     priority > 1 ? ": " : "", str_head(file, 512), file.s, place,
                     str_head(body, LOG_MOST - 600), body.s);
    import_lines_mark(t->lines);
    writer_log(&t->lines->w, x->e.ts, x->e.thread, (struct str){text, (size_t)n});
}

/* ---- an event ---- */

static void take_legacy(struct event *x) {
    annotations_start(&x->t->args);
    for (struct proto p = proto_of(x->f.message); proto_next(&p);)
        if (p.tag == PROTO_B(4))
            annotations_field(&x->t->args, x->s, p.bytes);
    struct legacy_event e = {x->e.ts, x->owner, x->category, x->name};
    legacy_events_take(&x->t->legacy, &e, x->f.legacy);
    add_flows(x);
}

static void write_typed(struct event *x) {
    struct track_events *t = x->t;
    bool thread = x->owner.thread && x->f.type != STATE;
    if (x->f.type == COUNTER && !x->f.has_value) {
        import_lines_fault(t->lines, IMPORT_FIELD, NULL, "a counter without a value");
    } else if (x->f.type == COUNTER && x->track) {
        write_counter(x, x->track, x->f.has_double, x->f.value);
    } else if (x->f.type >= BEGIN && x->f.type <= STATE && (x->track || thread)) {
        take_arguments(x, !thread);
        if (thread)
            write_thread_event(x);
        else if (x->f.type == STATE)
            write_state(x);
        else
            write_operation(x);
    } else if (x->f.type == COUNTER || x->f.type == STATE) {
        import_lines_fault(t->lines, IMPORT_FIELD, NULL, "a counter or a state without a track");
    } else {
        import_lines_fault(t->lines, IMPORT_UNKNOWN, NULL, "an event of an unknown type: %" PRIu64,
                           x->f.type);
    }
}

void track_events_take(struct track_events *t, struct sequence *s, uint64_t ts,
                       struct str message) {
    struct event x = {.t = t, .s = s, .e.ts = ts};
    read_fields(t, &x.f, message);
    x.category = category_of(&x);
    x.name = name_of(&x);
    find_track(&x);
    x.e.thread = event_tracks_place(t->tracks, &x.owner);
    if (x.f.has_counters)
        write_counters(&x);
    if (x.f.has_phase)
        take_legacy(&x);
    else if (x.f.has_type)
        write_typed(&x);
    else
        import_lines_fault(t->lines, IMPORT_FIELD, NULL, "an event without a type");
    if (x.f.log.s)
        write_log(&x);
}

void track_events_end(struct track_events *t) {
    write_flows(t);
    legacy_events_end(&t->legacy);
}
