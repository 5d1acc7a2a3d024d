/* event_write.c - one event in, records out.
 *
 * `phases` is the table of what each phase becomes. */
#include "src/import/chrome/event_write.h"

#include <inttypes.h>

#include "src/import/chrome/event_build.h"
#include "src/import/chrome/event_key.h"
#include "src/import/json/json_read.h"

#define AROUND "around the events"
#define HELD_MOST ((size_t)1 << 20)  /* bytes of words before it is known that there are events */
#define BIAS_NS 1000000000000000000u /* 10^9 s */

static void mark_sample(void *ctx, const struct import_place *source) {
    struct event_write *out = ctx;
    vec_push(&out->marks, ((struct import_mark){writer_offset(&out->w), *source}));
}

static void fault_sample(void *ctx, enum import_fault kind, const struct import_place *source,
                         const char *sentence) {
    struct event_write *out = ctx;
    event_write_fault_at(out, kind, &(struct import_mark){writer_offset(&out->w), *source}, "%s",
                         sentence);
}

void event_write_init(struct event_write *out, const struct json_scan *scan) {
    writer_init(&out->w, NULL);
    out->scan = scan;
    out->profiles = event_profiles_new(
        (struct samples_out){&out->w, NULL, out, mark_sample, fault_sample}, &out->owners);
}

void event_write_free(struct event_write *out) {
    writer_free(&out->w);
    event_owners_free(&out->owners);
    event_frames_free(&out->frames);
    event_flows_free(&out->flows);
    event_states_free(&out->states);
    event_profiles_free(out->profiles);
    vec_free(&out->marks);
    vec_free(&out->cases);
}

void event_write_begin(struct event_write *out) {
    out->marks.n = out->cases.n = 0;
    if (writer_offset(&out->w) == 0) {
        writer_magic(&out->w);
        out->w.ends_by_name = true;
        writer_init_record(&out->w, 1000000000);
    }
}

/* Marks the records of states with the events that they are made of, and counts states that
 * contradict others. */
static void mark_states(struct event_write *out) {
    struct event_states *states = &out->states;
    for (size_t i = 0; i < states->written.n; i++) {
        const struct event_written *one = &states->written.v[i];
        struct import_mark mark = {one->words, one->at};
        vec_push(&out->marks, mark);
        if (one->marked)
            event_write_fault_at(out, IMPORT_DAMAGED, &mark, "a state is marked as damaged");
    }
    states->written.n = 0;
    for (size_t i = 0; i < states->overlaps.found.n; i++)
        event_write_overlap(out, &states->overlaps.found.v[i]);
    states->overlaps.found.n = 0;
}

/* Marks the ends of flows that waited. */
static void mark_flows(struct event_write *out) {
    for (size_t i = 0; i < out->flows.written.n; i++)
        vec_push(&out->marks, out->flows.written.v[i]);
    out->flows.written.n = 0;
}

void event_write_end(struct event_write *out, bool last, bool found, struct import_news *news) {
    if (last) {
        event_flows_write(&out->flows, &out->w);
        mark_flows(out);
        event_frames_write(&out->frames, &out->w);
        event_profiles_end(out->profiles);
        event_states_end(&out->states, &out->w, out->latest);
    } else if (out->hurry) {
        event_states_write(&out->states, &out->w);
    }
    mark_states(out);
    out->found = out->found || found;
    if (last && out->found && out->w.moments == 0) {
        struct import_mark begin = {.words = writer_offset(&out->w)};
        event_write_fault_at(out, IMPORT_IGNORED, &begin, "no events");
    }
    *news = (struct import_news){.words = out->found ? writer_take(&out->w) : (struct str){"", 0},
                                 .marks = out->marks.v,
                                 .nmarks = out->marks.n,
                                 .cases = out->cases.v,
                                 .ncases = out->cases.n,
                                 .held = last ? 0 : event_states_bytes(&out->states)};
}

/* ---- what an event becomes ---- */

/* An event on its way to a record. */
struct event {
    struct event_write *out;
    struct event_build b;
    struct writer_event e;
    struct event_owner owner;
    struct json_time ts;
    const char *cannot_be;    /* what is wrong with the field of a time that cannot be, or NULL */
    enum event_field damaged; /* that field */
};

/* A time that cannot be: the problem is noted with the record of the event. */
static void cannot_be(struct event *x, const char *what, enum event_field field) {
    if (x->cannot_be) /* the event has no time, so none of its end */
        return;
    x->cannot_be = what;
    x->damaged = field;
}

/* A field without a sense: `what` is what is wrong with it. */
static void bad_field(struct event *x, const char *what, struct str value) {
    char buf[EVENT_QUOTED];
    event_write_fault(x->out, IMPORT_FIELD, x->b.ev->at, "%s: %s", what,
                      event_write_quoted(value, buf));
}

/* Reads a value as a number: a text may have a decimal comma. */
static struct str number_text(struct event *x, const struct event_value *v) {
    if (v->kind == JSON_STRING && event_fields_decimal(x->b.ev, v->text))
        event_write_comma(x->out, x->b.ev->at);
    return v->text;
}

/* The name of the events of a phase. */
static const char *phase_name(char ph) {
    static const struct {
        const char *phases, *name;
    } names[] = {{"bS", "async begin"},   {"eF", "async end"},      {"npT", "async instant"},
                 {"s", "flow begin"},     {"t", "flow step"},       {"f", "flow end"},
                 {"N", "object created"}, {"O", "object snapshot"}, {"D", "object deleted"},
                 {"X", "complete event"}, {"B", "begin"},           {"E", "end"},
                 {"C", "counter"},        {"iIRPvV", "instant"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strchr(names[i].phases, ph))
            return names[i].name;
    return "event";
}

/* An id has no meaning for slices and instants. */
static void kept_id(struct event *x) {
    if (event_has(x->b.ev, EVENT_ID))
        event_build_value(&x->b, STR("id"), &x->b.ev->v[EVENT_ID]);
}

/* Whether an event has the mark of a damaged time. */
static bool is_marked(const struct event_fields *ev) {
    return ev->v[EVENT_DAMAGED].kind == JSON_TRUE;
}

/* The next record is one with a damaged time, if it has one. */
static void note_damaged(struct event *x) {
    char buf[EVENT_QUOTED];
    if (x->cannot_be)
        event_write_fault(x->out, IMPORT_DAMAGED, x->b.ev->at, "%s: %s", x->cannot_be,
                          event_write_quoted(x->b.ev->v[x->damaged].text, buf));
    else if (is_marked(x->b.ev))
        event_write_fault(x->out, IMPORT_DAMAGED, x->b.ev->at, "marked as damaged: ts %s",
                          event_write_quoted(x->b.ev->v[EVENT_TS].text, buf));
}

static void take_arguments(struct event *x) {
    event_build_arguments(&x->b);
    x->e.args = (struct writer_arguments){x->b.args, x->b.n};
}

/* Its record is the next one. */
static const struct writer_event *complete(struct event *x) {
    take_arguments(x);
    note_damaged(x);
    return &x->e;
}

static void slice_begins(struct event *x) {
    event_flows_slice(&x->out->flows, x->owner.pid, x->owner.tid, x->e.ts);
}

/* Flows of the second kind: "bind_id" on a slice that they leave, enter, or both. */
static void bound_flow(struct event *x) {
    const struct event_fields *ev = x->b.ev;
    struct event_id id = event_owner_id(ev, EVENT_BIND_ID);
    bool in = ev->v[EVENT_FLOW_IN].kind == JSON_TRUE, out = ev->v[EVENT_FLOW_OUT].kind == JSON_TRUE;
    if (!id.known || !(in || out))
        return;
    struct writer_event e = x->e;
    e.args.n = 0;
    event_flows_bind(&x->out->flows, x->b.w, &e,
                     &(struct event_bind){id.value, x->owner.pid, x->owner.tid, in, out});
}

static void write_begin(struct event *x) {
    kept_id(x);
    slice_begins(x);
    writer_begin(x->b.w, complete(x));
    bound_flow(x);
}

static void write_end(struct event *x) {
    kept_id(x);
    writer_end(x->b.w, complete(x));
}

/* Reads the end of an event. A duration that makes no sense has none; an event with a time that
 * cannot be has no length. */
static uint64_t end_of(struct event *x) {
    const struct event_value *dur = &x->b.ev->v[EVENT_DUR];
    struct json_time length, end = x->ts;
    bool negative = false;
    enum json_read_kind kind = json_read_time(number_text(x, dur), &length, &negative);
    bool senseless = kind == JSON_READ_NO_TIME || (kind == JSON_READ_TIME && negative);
    if (kind == JSON_READ_NO_TIME)
        bad_field(x, "dur is no time", dur->text);
    else if (senseless)
        bad_field(x, "dur is negative", dur->text);
    else if (kind != JSON_READ_TIME || !json_read_add(x->ts, length, &end))
        cannot_be(x, "dur is too long", EVENT_DUR);
    if (x->cannot_be)
        return json_read_ns(x->ts);
    return senseless ? FXT_NO_END : json_read_ns(end);
}

static void write_complete(struct event *x) {
    bool ends = event_has(x->b.ev, EVENT_DUR); /* Chrome writes those that had not ended */
    uint64_t end = ends ? end_of(x) : FXT_NO_END;
    if (end != FXT_NO_END && end > x->out->latest && !is_marked(x->b.ev))
        x->out->latest = end;
    slice_begins(x);
    kept_id(x);
    writer_complete(x->b.w, complete(x), end);
    bound_flow(x);
}

static void write_instant(struct event *x) {
    const struct event_value *message = &x->b.ev->args[0].value;
    if (x->b.ev->nargs == 1 && str_eq(x->b.ev->v[EVENT_NAME].text, STR("log")) &&
        str_eq(x->b.ev->v[EVENT_CAT].text, STR("log")) &&
        message->kind == JSON_STRING) { /* as --export=json writes it */
        note_damaged(x);
        writer_log(x->b.w, x->e.ts, x->e.thread, event_build_fitted(&x->b, message->text));
        return;
    }
    const struct event_value *s = &x->b.ev->v[EVENT_S];
    char scope = s->kind == JSON_STRING && s->text.n > 0 ? s->text.s[0] : 't';
    kept_id(x);
    complete(x);
    if (scope == 'p' || scope == 'g')
        writer_instant_scope(x->b.w, &x->e, scope == 'p' ? 1 : 2);
    else
        writer_instant(x->b.w, &x->e);
}

static const struct event_value *find_argument(const struct event_fields *ev, struct str name) {
    for (size_t i = 0; i < ev->nargs; i++)
        if (str_eq(ev->args[i].name, name))
            return &ev->args[i].value;
    return NULL;
}

/* A part of a profile of V8: false: it has no data. */
static bool profile(struct event *x) {
    struct event_fields *ev = x->b.ev;
    const struct event_value *data = find_argument(ev, STR("data"));
    bool begins = str_eq(ev->v[EVENT_NAME].text, STR("Profile"));
    if (data == NULL || data->kind != JSON_OBJECT || data->text.s[0] != '{' ||
        (!begins && !str_eq(ev->v[EVENT_NAME].text, STR("ProfileChunk"))))
        return false;
    struct event_profile_part part = {
        begins,  x->owner.pid,    x->owner.tid, event_owner_any_id(ev).value,
        x->e.ts, x->out->bias.ns, data->text,   x->out->scan->watched};
    if (ev->whole.n > 0) {
        part.data = (struct str){ev->whole.v, ev->whole.n};
        ev->cut = false;
    }
    event_profiles_take(x->out->profiles, &part);
    return true;
}

static void write_sample(struct event *x) {
    if (!profile(x))
        write_instant(x);
}

/* Viewers take "12" for a number in a counter. */
static void numbers(struct event *x) {
    struct event_fields *ev = x->b.ev;
    double number;
    for (size_t i = 0; i < ev->nargs; i++) {
        struct event_value *v = &ev->args[i].value;
        if (v->kind == JSON_STRING && json_read_double(number_text(x, v), &number))
            v->kind = JSON_NUMBER;
    }
}

/* Reads a value of the further arguments. False: they end, or are cut. */
static bool next_value(struct event_fields *ev, struct json_scan *rest, struct event_value *v) {
    struct json_token token;
    uint64_t depth = 0;
    if (json_scan_next(rest, &token) != JSON_COLON)
        return false;
    do {
        if (json_scan_next(rest, &token) == JSON_MORE || token.open)
            return false;
        depth += token.kind == JSON_OBJECT || token.kind == JSON_ARRAY;
        depth -= token.kind == JSON_OBJECT_END || token.kind == JSON_ARRAY_END;
    } while (depth > 0);
    v->kind = token.kind;
    v->text = token.kind == JSON_STRING ? event_fields_unescape(ev, &token) : token.text;
    return true;
}

/* Takes up to EVENT_ARGUMENTS of the further arguments. */
static bool next_series(struct event_fields *ev, struct json_scan *rest) {
    struct json_token key;
    ev->nargs = 0;
    while (ev->nargs < EVENT_ARGUMENTS && json_scan_next(rest, &key) == JSON_STRING) {
        struct event_argument *a = &ev->args[ev->nargs];
        a->name = event_fields_unescape(ev, &key);
        if (!next_value(ev, rest, &a->value))
            break;
        ev->nargs++;
    }
    return ev->nargs > 0;
}

/* More series than a record has arguments are in further records. */
static void write_series(struct event *x, uint64_t id) {
    struct event_fields *ev = x->b.ev;
    struct json_scan rest = {.last = true};
    size_t fixed = x->b.bytes;
    if (ev->nrest > 0)
        json_scan_feed(&rest, (struct str){ev->rest, ev->nrest}, true);
    ev->nrest = 0;
    do {
        numbers(x);
        writer_counter(x->b.w, complete(x), id);
        x->b.n = 0;
        x->b.bytes = fixed;
    } while (next_series(ev, &rest));
    json_scan_free(&rest);
}

/* An id that is a text becomes part of the name, as Chrome shows it. */
static void write_counter(struct event *x) {
    event_fields_only_args(x->b.ev);
    if (x->b.ev->nargs == 0)
        event_write_fault(x->out, IMPORT_FIELD, x->b.ev->at, "counter without args");
    struct event_id id = event_owner_any_id(x->b.ev);
    char *text = x->out->text;
    struct str name = x->b.ev->v[EVENT_NAME].text;
    if (id.text.n > 0 && name.n + id.text.n + 2 <= EVENT_BUILD_NAME) {
        if (name.n > 0)
            memcpy(text, name.s, name.n);
        text[name.n] = '[';
        memcpy(text + name.n + 1, id.text.s, id.text.n);
        text[name.n + 1 + id.text.n] = ']';
        x->e.name = event_build_name(&x->b, (struct str){text, name.n + id.text.n + 2});
        id.value = 0;
    }
    write_series(x, id.value);
}

/* The text of an id that is a hash stays as an argument. */
static struct event_id shown_id(struct event *x) {
    struct event_id id = event_owner_any_id(x->b.ev);
    if (id.text.n > 0)
        event_build_text(&x->b, STR("id"), id.text);
    if (id.scope.n > 0)
        event_build_text(&x->b, STR("scope"), id.scope);
    if (!id.known)
        event_write_fault(x->out, IMPORT_FIELD, x->b.ev->at, "%s without id",
                          phase_name(x->b.ev->v[EVENT_PH].text.s[0]));
    return id;
}

static void write_async(struct event *x) {
    struct event_id id = shown_id(x);
    char ph = x->b.ev->v[EVENT_PH].text.s[0];
    enum fxt_event type = FXT_ASYNC_INSTANT;
    if (ph == 'b' || ph == 'S')
        type = FXT_ASYNC_BEGIN;
    else if (ph == 'e' || ph == 'F')
        type = FXT_ASYNC_END;
    writer_async(x->b.w, type, complete(x), id.value);
}

static void write_flow(struct event *x) {
    struct event_id id = shown_id(x);
    const struct event_value *bp = &x->b.ev->v[EVENT_BP];
    char ph = x->b.ev->v[EVENT_PH].text.s[0];
    bool around = bp->kind == JSON_STRING && str_eq(bp->text, STR("e"));
    complete(x);
    size_t before = x->b.w->bytes.n;
    enum fxt_event later = ph == 't' ? FXT_FLOW_STEP : FXT_FLOW_END;
    writer_flow(x->b.w, ph == 's' ? FXT_FLOW_BEGIN : later, &x->e, id.value);
    if (ph == 'f' && !around && !is_marked(x->b.ev) && !x->cannot_be) /* that is said right here */
        event_flows_wait(
            &x->out->flows, x->b.w, x->b.w->bytes.n - before,
            &(struct event_flow_end){x->owner.pid, x->owner.tid, x->e.ts, x->out->scan->watched});
    mark_flows(x->out);
}

static void write_state(struct event *x) {
    const struct event_fields *ev = x->b.ev;
    const struct event_value *cpu = find_argument(ev, STR("cpu"));
    struct str name = ev->v[EVENT_NAME].text;
    uint64_t number = 0;
    struct event_state s = {x->owner.pid,
                            x->owner.tid,
                            x->e.ts,
                            0,
                            name.n > 0 ? name : STR("S"),
                            -1,
                            find_argument(ev, STR("io_wait")),
                            find_argument(ev, STR("blocked_function")),
                            is_marked(ev),
                            x->out->scan->watched,
                            event_overlap_unit(ev->v[EVENT_TS].text),
                            0};
    bool runs = str_eq(name, STR("Running"));
    s.end = end_of(x);
    s.end_unit = event_overlap_unit(ev->v[EVENT_DUR].text);
    s.end_unit = s.end_unit > s.begin_unit ? s.end_unit : s.begin_unit;
    if (x->cannot_be) {
        bad_field(x, x->cannot_be, ev->v[x->damaged].text);
        return;
    }
    if (runs && cpu == NULL) {
        event_write_fault(x->out, IMPORT_FIELD, ev->at, "state Running without args.cpu");
        return;
    }
    if (runs && (!json_read_u64(cpu->text, &number) || number >= EVENT_STATE_CPUS)) {
        bad_field(x, "args.cpu is no CPU below 1024", cpu->text);
        return;
    }
    if (runs)
        s.cpu = (int)number;
    else if (name.n == 0 || name.n >= EVENT_STATE_LETTERS)
        bad_field(x, "name is no state, and counts as S", name);
    event_states_add(&x->out->states, &s);
}

/* T is a step of an operation, or a state: only that has a duration. */
static void write_step_or_state(struct event *x) {
    if (event_has(x->b.ev, EVENT_DUR))
        write_state(x);
    else
        write_async(x);
}

/* N O D: a userspace object by its id, and an instant at its time. */
static void write_object(struct event *x) {
    struct event_id id = shown_id(x);
    char ph = x->b.ev->v[EVENT_PH].text.s[0];
    struct str later = ph == 'O' ? STR("snapshot") : STR("deleted");
    event_build_text(&x->b, STR("object"), ph == 'N' ? STR("created") : later);
    take_arguments(x);
    if (ph != 'D')
        writer_userspace_object(x->b.w, id.value, x->e.thread, x->e.name,
                                (struct writer_arguments){NULL, 0});
    note_damaged(x);
    writer_instant(x->b.w, &x->e);
}

/* ---- metadata, which has no time ---- */

static void put_process(struct event_build *b) {
    event_build_put(b, writer_number(FXT_ARG_KOID, writer_intern(b->w, STR("process")), b->pid));
}

static bool is_of_thread(const struct event_fields *ev) {
    struct str what = ev->v[EVENT_NAME].text;
    return what.n >= 7 && memcmp(what.s, "thread_", 7) == 0;
}

static void metadata(struct event *x) {
    struct event_fields *ev = x->b.ev;
    struct str what = ev->v[EVENT_NAME].text, name = {"", 0};
    bool thread = is_of_thread(ev);
    bool known = str_eq(what, STR("thread_name")) || str_eq(what, STR("process_name"));
    if (thread)
        put_process(&x->b);
    size_t fixed = x->b.n;
    for (size_t i = 0; i < ev->nargs; i++) {
        const struct event_argument *a = &ev->args[i];
        bool names = known && str_eq(a->name, STR("name"));
        if (names && a->value.kind == JSON_OBJECT)
            bad_field(x, "name is neither text nor number", a->value.text);
        if (names && (a->value.kind == JSON_STRING || a->value.kind == JSON_NUMBER))
            name = event_build_fitted(&x->b, a->value.text);
        else if (!str_eq(a->name, STR("sort_index")) ||
                 !event_build_number(&x->b, a->name, a->value.text))
            event_build_value(&x->b, a->name, &a->value);
    }
    if (!known)
        event_build_text(&x->b, STR("metadata"), what);
    event_build_rest(&x->b);
    if (known && thread)
        event_profiles_name(x->out->profiles, x->owner.pid, x->owner.tid, name);
    if (x->b.n > fixed || name.n > 0)
        writer_kernel_object(x->b.w, thread ? FXT_OBJECT_THREAD : FXT_OBJECT_PROCESS,
                             thread ? x->owner.tid : x->owner.pid, event_build_ref(x->b.w, name),
                             (struct writer_arguments){x->b.args, x->b.n});
}

/* ---- the phases ---- */

#define PHASES 128
static const struct phase {
    void (*write)(struct event *x);
    bool untimed, ignored; /* ignored: with a note */
} phases[PHASES] = {
    ['X'] = {write_complete, false, false},
    ['B'] = {write_begin, false, false},
    ['E'] = {write_end, false, false},
    ['i'] = {write_instant, false, false},
    ['I'] = {write_instant, false, false},
    ['R'] = {write_instant, false, false},
    ['P'] = {write_sample, false, false},
    ['v'] = {write_instant, false, false},
    ['V'] = {write_instant, false, false},
    ['C'] = {write_counter, false, false},
    ['b'] = {write_async, false, false},
    ['n'] = {write_async, false, false},
    ['e'] = {write_async, false, false},
    ['S'] = {write_async, false, false},
    ['p'] = {write_async, false, false},
    ['F'] = {write_async, false, false},
    ['s'] = {write_flow, false, false},
    ['t'] = {write_flow, false, false},
    ['f'] = {write_flow, false, false},
    ['T'] = {write_step_or_state, false, false},
    ['N'] = {write_object, false, false},
    ['O'] = {write_object, false, false},
    ['D'] = {write_object, false, false},
    ['M'] = {metadata, true, false},
    ['c'] = {NULL, true, true},
    ['('] = {NULL, true, true},
    [')'] = {NULL, true, true},
    ['='] = {NULL, true, true},
};

static const struct phase *phase_of(const struct event_fields *ev) {
    struct str ph = ev->v[EVENT_PH].text;
    const struct phase *phase =
        ph.n == 1 && (unsigned char)ph.s[0] < PHASES ? &phases[(unsigned char)ph.s[0]] : NULL;
    return phase && (phase->write || phase->ignored) ? phase : NULL;
}

/* An owner that is a text in the source gets the text as its name. */
static void name_owner(struct event_build *b, const struct event_owner *o) {
    struct writer *w = b->w;
    if (o->new_process.n > 0)
        writer_kernel_object(w, FXT_OBJECT_PROCESS, o->pid, event_build_ref(b->w, o->new_process),
                             (struct writer_arguments){NULL, 0});
    if (o->new_thread.n == 0)
        return;
    put_process(b);
    writer_kernel_object(w, FXT_OBJECT_THREAD, o->tid, event_build_ref(b->w, o->new_thread),
                         (struct writer_arguments){b->args, 1});
    b->n = 0;
    b->bytes = EVENT_BUILD_FIXED;
}

/* Ticks have no sign. If the first time of a source is negative, all are moved by BIAS_NS. Another
 * time that cannot be is damaged: the event is at the time before it in the source. */
static bool time_of(struct event *x) {
    /* cppcheck-suppress ctuuninitvar ; its caller sets the parts that are read */
    const struct event_fields *ev = x->b.ev;
    struct event_write *out = x->out;
    struct json_time given;
    bool negative;
    if (!event_has(ev, EVENT_TS)) {
        event_write_fault(out, IMPORT_FIELD, ev->at, "%s without ts",
                          phase_name(ev->v[EVENT_PH].text.s[0]));
        return false;
    }
    enum event_field field = event_has(ev, EVENT_OWN_TS) ? EVENT_OWN_TS : EVENT_TS;
    enum json_read_kind kind = json_read_time(number_text(x, &ev->v[field]), &given, &negative);
    if (kind == JSON_READ_NO_TIME) {
        bad_field(x, "ts is no time", ev->v[field].text);
        return false;
    }
    if (!out->timed && negative && kind == JSON_READ_TIME)
        out->bias.ns = BIAS_NS;
    if (negative && (kind != JSON_READ_TIME || !json_read_subtract(out->bias, given, &x->ts)))
        cannot_be(x, "ts is negative", field);
    else if (!negative && (kind != JSON_READ_TIME || !json_read_add(out->bias, given, &x->ts)))
        cannot_be(x, "ts is too large", field);
    if (x->cannot_be)
        x->ts = out->timed ? out->last : (struct json_time){INT64_MAX, 0};
    else
        out->timed = true;
    if (!x->cannot_be)
        out->last = x->ts;
    x->e.ts = json_read_ns(x->ts);
    if (x->e.ts > out->latest && !is_marked(ev))
        out->latest = x->e.ts;
    return true;
}

/* An event of a phase that is not known, or has no meaning here. */
static void no_phase(struct event_write *out, const struct event_fields *ev,
                     const struct phase *phase) {
    char buf[EVENT_QUOTED];
    event_write_quoted(ev->v[EVENT_PH].text, buf);
    if (phase)
        event_write_fault(out, IMPORT_IGNORED, ev->at, "ph %s has no meaning here", buf);
    else if (event_has(ev, EVENT_PH))
        event_write_fault(out, IMPORT_UNKNOWN, ev->at, "ph is unknown: %s", buf);
    else
        event_write_fault(out, IMPORT_FIELD, ev->at, "an event without ph");
}

/* Counts what did not fit into a record, values of the wrong kind, and words that are no JSON. */
static void note_rest(struct event_write *out, const struct event_fields *ev) {
    char buf[EVENT_QUOTED];
    if (ev->nested != EVENT_FIELDS && ev->nested != EVENT_DUR && /* which has a problem already */
        ev->v[ev->nested].kind == JSON_OBJECT)
        event_write_fault(out, IMPORT_FIELD, ev->at, "%s is neither text nor number: %s",
                          event_key_name(ev->nested),
                          event_write_quoted(ev->v[ev->nested].text, buf));
    if (ev->cut)
        event_write_fault(out, IMPORT_CUT, ev->at,
                          "texts or arguments beyond what a record holds: cut");
    if (ev->worded)
        event_write_fault(out, IMPORT_FIELD, ev->at, "a word without quotes: %s",
                          event_write_quoted(ev->word, buf));
}

void event_write(struct event_write *out, struct event_fields *ev) {
    const struct phase *phase = phase_of(ev);
    struct event x; /* without the arguments, of which each is set when it is added */
    x.cannot_be = NULL;
    x.out = out;
    x.b.w = &out->w;
    x.b.frames = &out->frames;
    x.b.text = out->text;
    x.b.ev = ev;
    x.b.n = 0;
    x.b.bytes = EVENT_BUILD_FIXED;
    x.e = (struct writer_event){.ts = 0};
    x.ts = (struct json_time){0, 0};
    if (phase == NULL && event_fields_empty(ev)) /* after the last comma, as TensorFlow writes it */
        return;
    if (phase == NULL || phase->ignored) {
        no_phase(out, ev, phase);
        return;
    }
    if (!phase->untimed && !time_of(&x))
        return;
    vec_push(&out->marks, ((struct import_mark){writer_offset(&out->w), out->scan->watched}));
    if (phase->write == metadata && !is_of_thread(ev)) /* then its tid means nothing */
        ev->v[EVENT_TID] = (struct event_value){.kind = JSON_MORE};
    x.owner = event_owner(&out->owners, ev);
    x.b.pid = x.owner.pid;
    name_owner(&x.b, &x.owner);
    if (!phase->untimed) {
        x.e.thread = writer_intern_thread(&out->w, x.owner.pid, x.owner.tid);
        /* SQL distinguishes it from none */
        bool blank = event_has(ev, EVENT_CAT) && ev->v[EVENT_CAT].text.n == 0;
        x.e.category =
            blank ? writer_inline(STR("")) : event_build_name(&x.b, ev->v[EVENT_CAT].text);
        x.e.name = event_build_name(&x.b, ev->v[EVENT_NAME].text);
    }
    phase->write(&x);
    note_rest(out, ev);
}

void event_write_frame(struct event_write *out, const struct event_fields *ev) {
    const struct event_value *v = ev->v;
    if (!event_frames_add(&out->frames, v[EVENT_SF].text, v[EVENT_NAME].text, v[EVENT_PARENT].text))
        event_write_fault(out, IMPORT_CUT, ev->at, "more than a MiB of stack frames: cut");
}

void event_write_around(struct event_write *out, const struct event_fields *ev) {
    if (ev->cut)
        event_write_fault(out, IMPORT_CUT, ev->at,
                          "text around the events beyond what a record holds: cut");
    if (ev->nrest == 0 || (!out->found && out->w.bytes.n > HELD_MOST))
        return;
    char *text = out->text;
    size_t n = ev->nrest - 1 < sizeof out->text - 2 ? ev->nrest - 1 : sizeof out->text - 2;
    text[0] = '{';
    memcpy(text + 1, ev->rest, n);
    text[n + 1] = '}';
    writer_blob(&out->w, writer_intern(&out->w, STR(AROUND)), 1, (struct str){text, n + 2});
}
