/* event_write.c - one event in, records out.
 *
 * `phases` is the table of what each phase becomes. Names of few bytes are interned; all else is inline. A record has
 * at most 4,095 words, so texts are cut as soon as the rest of it would not fit. */
#include "src/import/event_write.h"

#include "src/import/json_read.h"

#define INTERN_MAX 1024 /* bytes of a name that is registered */
#define RECORD_MAX (WRITER_RECORD_MAX * 8)
#define FIXED_BYTES (8 * 8) /* header, time, thread, end, id */
#define AROUND "around the events"
#define BIAS_NS 1000000000000000000u /* 10^9 s */

void event_write_init(struct event_write *out) {
    writer_init(&out->w, NULL);
}

void event_write_free(struct event_write *out) {
    writer_free(&out->w);
    event_owners_free(&out->owners);
    event_frames_free(&out->frames);
    event_states_free(&out->states);
    vec_free(&out->marks);
    vec_free(&out->cases);
}

void event_write_begin(struct event_write *out) {
    out->marks.n = out->cases.n = 0;
    if (writer_offset(&out->w) == 0) {
        writer_magic(&out->w);
        writer_init_record(&out->w, 1000000000);
    }
}

void event_write_end(struct event_write *out, bool last, struct import_news *news) {
    if (last) {
        event_flows_write(&out->flows, &out->w);
        event_states_end(&out->states, &out->w);
    }
    *news = (struct import_news){writer_take(&out->w), out->marks.v, out->marks.n, out->cases.v, out->cases.n};
}

void event_write_fault(struct event_write *out, enum import_fault fault, uint64_t source) {
    vec_push(&out->cases, ((struct import_case){fault, {writer_offset(&out->w), source}}));
}

/* ---- texts and arguments ---- */

static struct writer_string name_ref(struct event_write *out, struct str name) {
    return name.n <= INTERN_MAX ? writer_intern(&out->w, name) : writer_inline(name);
}

/* An event under construction: what it takes so far, and its arguments. */
struct building {
    struct event_write *out;
    struct event_fields *ev;
    struct writer_argument args[EVENT_ARGUMENTS + 1];
    size_t n, bytes;
};

static size_t inline_bytes(struct writer_string s) {
    return s.text.s != NULL ? (s.text.n + 7) & ~(size_t)7 : 0;
}

/* Cuts a text to what the record still holds, with a header of an argument for each that may follow. */
static struct str fitted(struct building *b, struct str text) {
    size_t kept = b->bytes + 16 * (EVENT_ARGUMENTS + 2 - b->n), left = kept < RECORD_MAX ? RECORD_MAX - kept : 0;
    left = left < WRITER_STRING_MAX ? left & ~(size_t)7 : WRITER_STRING_MAX;
    if (text.n > left) {
        text.n = left;
        b->ev->cut = true;
    }
    return text;
}

static struct writer_string fitted_name(struct building *b, struct str name) {
    struct writer_string ref = name_ref(b->out, fitted(b, name));
    b->bytes += inline_bytes(ref);
    return ref;
}

static void put_argument(struct building *b, struct writer_argument a) {
    b->bytes += 16;
    b->args[b->n++] = a;
}

static void text_argument(struct building *b, struct str name, struct str text) {
    if (b->n > EVENT_ARGUMENTS)
        return;
    struct writer_string key = fitted_name(b, name), value = writer_inline(fitted(b, text));
    b->bytes += inline_bytes(value);
    put_argument(b, writer_text(key, value));
}

static void number_argument(struct building *b, struct str name, struct str text) {
    int64_t i;
    uint64_t u;
    double x;
    if (json_read_i64(text, &i))
        put_argument(b, writer_number(FXT_ARG_INT64, fitted_name(b, name), (uint64_t)i));
    else if (json_read_u64(text, &u))
        put_argument(b, writer_number(FXT_ARG_UINT64, fitted_name(b, name), u));
    else if (json_read_double(text, &x))
        put_argument(b, writer_double(fitted_name(b, name), x));
    else
        text_argument(b, name, text);
}

static void argument(struct building *b, struct str name, const struct event_value *v) {
    if (b->n > EVENT_ARGUMENTS)
        return;
    switch (v->kind) {
    case JSON_NUMBER:
        number_argument(b, name, v->text);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        put_argument(b, writer_number(FXT_ARG_BOOL, fitted_name(b, name), v->kind == JSON_TRUE));
        break;
    case JSON_NULL:
        put_argument(b, writer_number(FXT_ARG_NULL, fitted_name(b, name), 0));
        break;
    default:
        text_argument(b, name, v->text);
        break;
    }
}

static void stack_argument(struct building *b) {
    const struct event_value *sf = &b->ev->v[EVENT_SF];
    size_t n = event_frames_stack(&b->out->frames, sf->text, b->out->text, sizeof b->out->text);
    if (n > 0)
        text_argument(b, STR("stack"), (struct str){b->out->text, n});
    else
        argument(b, STR("sf"), sf);
}

/* The arguments past the 14th: JSON text. */
static void rest_argument(struct building *b) {
    size_t n = b->ev->nrest;
    if (n == 0)
        return;
    char *text = b->out->text;
    n = n - 1 < sizeof b->out->text - 2 ? n - 1 : sizeof b->out->text - 2; /* without the last comma */
    text[0] = '{';
    memcpy(text + 1, b->ev->rest, n);
    text[n + 1] = '}';
    text_argument(b, STR("more"), (struct str){text, n + 2});
}

static void arguments(struct building *b) {
    for (size_t i = 0; i < b->ev->nargs; i++)
        argument(b, b->ev->args[i].name, &b->ev->args[i].value);
    if (event_has(b->ev, EVENT_SF))
        stack_argument(b);
    rest_argument(b);
}

/* ---- what an event becomes ---- */

/* An event on its way to a record. */
struct event {
    struct building b;
    struct writer_event e;
    struct event_owner owner;
    struct json_time ts, early; /* early: how much before 0 it began, if that was too early */
};

static void note_fault(struct event *x, enum import_fault fault) {
    event_write_fault(x->b.out, fault, x->b.ev->at);
}

static const struct writer_event *complete(struct event *x) {
    arguments(&x->b);
    x->e.args = (struct writer_arguments){x->b.args, x->b.n};
    return &x->e;
}

static void slice_begins(struct event *x) {
    event_flows_slice(&x->b.out->flows, x->owner.pid, x->owner.tid, x->e.ts);
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
    event_flows_bind(&x->b.out->flows, &x->b.out->w, &e,
                     &(struct event_bind){id.value, x->owner.pid, x->owner.tid, in, out});
}

static void write_begin(struct event *x) {
    slice_begins(x);
    writer_begin(&x->b.out->w, complete(x));
    bound_flow(x);
}

static void write_end(struct event *x) {
    writer_end(&x->b.out->w, complete(x));
}

/* A duration that makes no sense is 0. */
static struct json_time end_of(struct event *x, const struct event_value *dur) {
    struct json_time length, end = x->ts;
    bool negative;
    if (!json_read_time(dur->text, &length, &negative) || negative || !json_read_add(x->ts, length, &end))
        note_fault(x, IMPORT_FIELD);
    else if (!json_read_subtract(end, x->early, &end))
        end = x->ts;
    return end;
}

static void write_complete(struct event *x) {
    const struct event_value *dur = &x->b.ev->v[EVENT_DUR];
    if (!event_has(x->b.ev, EVENT_DUR)) { /* Chrome writes those that had not ended */
        write_begin(x);
        return;
    }
    struct json_time end = end_of(x, dur);
    slice_begins(x);
    writer_complete(&x->b.out->w, complete(x), json_read_ns(end));
    bound_flow(x);
}

static void write_instant(struct event *x) {
    const struct event_value *message = &x->b.ev->args[0].value;
    if (x->b.ev->nargs == 1 && str_eq(x->b.ev->v[EVENT_NAME].text, STR("log")) &&
        str_eq(x->b.ev->v[EVENT_CAT].text, STR("log")) && message->kind == JSON_STRING) { /* as --export=json writes it */
        writer_log(&x->b.out->w, x->e.ts, x->e.thread, fitted(&x->b, message->text));
        return;
    }
    const struct event_value *s = &x->b.ev->v[EVENT_S];
    char scope = s->kind == JSON_STRING && s->text.n > 0 ? s->text.s[0] : 't';
    complete(x);
    if (scope == 'p' || scope == 'g')
        writer_instant_scope(&x->b.out->w, &x->e, scope == 'p' ? 1 : 2);
    else
        writer_instant(&x->b.out->w, &x->e);
}

/* Viewers take "12" for a number in a counter. */
static void numbers(struct event_fields *ev) {
    double x;
    for (size_t i = 0; i < ev->nargs; i++)
        if (ev->args[i].value.kind == JSON_STRING && json_read_double(ev->args[i].value.text, &x))
            ev->args[i].value.kind = JSON_NUMBER;
}

/* An id that is a text becomes part of the name, as Chrome shows it. */
static void write_counter(struct event *x) {
    struct event_id id = event_owner_any_id(x->b.ev);
    char *text = x->b.out->text;
    struct str name = x->b.ev->v[EVENT_NAME].text;
    numbers(x->b.ev);
    if (id.text.n > 0 && name.n + id.text.n + 2 <= INTERN_MAX) {
        if (name.n > 0)
            memcpy(text, name.s, name.n);
        text[name.n] = '[';
        memcpy(text + name.n + 1, id.text.s, id.text.n);
        text[name.n + 1 + id.text.n] = ']';
        x->e.name = fitted_name(&x->b, (struct str){text, name.n + id.text.n + 2});
        id.value = 0;
    }
    writer_counter(&x->b.out->w, complete(x), id.value);
}

/* The text of an id that is a hash stays as an argument. */
static struct event_id shown_id(struct event *x) {
    struct event_id id = event_owner_any_id(x->b.ev);
    if (id.text.n > 0)
        text_argument(&x->b, STR("id"), id.text);
    if (id.scope.n > 0)
        text_argument(&x->b, STR("scope"), id.scope);
    if (!id.known)
        note_fault(x, IMPORT_FIELD);
    return id;
}

static void write_async(struct event *x) {
    struct event_id id = shown_id(x);
    char ph = x->b.ev->v[EVENT_PH].text.s[0];
    enum fxt_event type = ph == 'b' || ph == 'S'   ? FXT_ASYNC_BEGIN
                          : ph == 'e' || ph == 'F' ? FXT_ASYNC_END
                                                   : FXT_ASYNC_INSTANT;
    writer_async(&x->b.out->w, type, complete(x), id.value);
}

static void write_flow(struct event *x) {
    struct event_id id = shown_id(x);
    const struct event_value *bp = &x->b.ev->v[EVENT_BP];
    char ph = x->b.ev->v[EVENT_PH].text.s[0];
    bool around = bp->kind == JSON_STRING && str_eq(bp->text, STR("e"));
    complete(x);
    if (ph == 'f' && !around && x->b.n == 0 && x->e.category.text.s == NULL && x->e.name.text.s == NULL) {
        struct event_flow end = {x->owner.pid, x->owner.tid, x->e.ts, id.value, x->e.category, x->e.name, UINT64_MAX};
        event_flows_wait(&x->b.out->flows, &x->b.out->w, &end);
        return;
    }
    writer_flow(&x->b.out->w, ph == 's' ? FXT_FLOW_BEGIN : ph == 't' ? FXT_FLOW_STEP : FXT_FLOW_END, &x->e, id.value);
}

static const struct event_value *find_argument(const struct event_fields *ev, struct str name) {
    for (size_t i = 0; i < ev->nargs; i++)
        if (str_eq(ev->args[i].name, name))
            return &ev->args[i].value;
    return NULL;
}

static void write_state(struct event *x) {
    const struct event_fields *ev = x->b.ev;
    const struct event_value *cpu = find_argument(ev, STR("cpu"));
    struct str name = ev->v[EVENT_NAME].text;
    uint64_t number = 0;
    struct event_state s = {x->owner.pid, x->owner.tid, x->e.ts, 0, name.n > 0 ? name.s[0] : 'S', -1};
    bool runs = str_eq(name, STR("Running"));
    s.end = json_read_ns(end_of(x, &ev->v[EVENT_DUR]));
    if (runs && (cpu == NULL || !json_read_u64(cpu->text, &number) || number >= EVENT_STATE_CPUS)) {
        note_fault(x, IMPORT_FIELD);
        return;
    }
    if (runs)
        s.cpu = (int)number;
    event_states_add(&x->b.out->states, &x->b.out->w, &s);
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
    static const char *const verbs[] = {"created", "snapshot", "deleted"};
    struct event_id id = shown_id(x);
    char ph = x->b.ev->v[EVENT_PH].text.s[0];
    text_argument(&x->b, STR("object"), str_of(verbs[ph == 'N' ? 0 : ph == 'O' ? 1 : 2]));
    complete(x);
    if (ph != 'D')
        writer_userspace_object(&x->b.out->w, id.value, x->e.thread, x->e.name, (struct writer_arguments){NULL, 0});
    writer_instant(&x->b.out->w, &x->e);
}

/* ---- metadata, which has no time ---- */

static void name_object(struct event_write *out, unsigned type, uint64_t koid, uint64_t pid, struct str name,
                        struct writer_arguments more) {
    struct writer_argument args[EVENT_ARGUMENTS + 1];
    size_t n = 0;
    if (type == FXT_OBJECT_THREAD)
        args[n++] = writer_number(FXT_ARG_KOID, writer_intern(&out->w, STR("process")), pid);
    for (size_t i = 0; i < more.n && n < EVENT_ARGUMENTS + 1; i++)
        args[n++] = more.v[i];
    writer_kernel_object(&out->w, type, koid, name_ref(out, name), (struct writer_arguments){args, n});
}

static void metadata(struct event *x) {
    struct event_fields *ev = x->b.ev;
    struct str what = ev->v[EVENT_NAME].text, name = {"", 0};
    bool thread = what.n >= 7 && memcmp(what.s, "thread_", 7) == 0;
    bool known = str_eq(what, STR("thread_name")) || str_eq(what, STR("process_name"));
    for (size_t i = 0; i < ev->nargs; i++) {
        const struct event_argument *a = &ev->args[i];
        if (known && str_eq(a->name, STR("name")) && a->value.kind == JSON_STRING)
            name = fitted(&x->b, a->value.text);
        else if (str_eq(a->name, STR("sort_index")))
            number_argument(&x->b, a->name, a->value.text);
        else
            argument(&x->b, a->name, &a->value);
    }
    rest_argument(&x->b);
    if (!known)
        text_argument(&x->b, STR("metadata"), what);
    if (x->owner.new_thread.n > 0 || x->owner.new_process.n > 0 || x->b.n > 0 || name.n > 0)
        name_object(x->b.out, thread ? FXT_OBJECT_THREAD : FXT_OBJECT_PROCESS, thread ? x->owner.tid : x->owner.pid,
                    x->owner.pid, name, (struct writer_arguments){x->b.args, x->b.n});
}

/* ---- the phases ---- */

#define PHASES 128
static const struct phase {
    void (*write)(struct event *x);
    bool untimed, ignored; /* ignored: with a note */
} phases[PHASES] = {
    ['X'] = {write_complete, false, false}, ['B'] = {write_begin, false, false},
    ['E'] = {write_end, false, false},      ['i'] = {write_instant, false, false},
    ['I'] = {write_instant, false, false},  ['R'] = {write_instant, false, false},
    ['P'] = {write_instant, false, false},  ['v'] = {write_instant, false, false},
    ['V'] = {write_instant, false, false},  ['C'] = {write_counter, false, false},
    ['b'] = {write_async, false, false},    ['n'] = {write_async, false, false},
    ['e'] = {write_async, false, false},    ['S'] = {write_async, false, false},
    ['p'] = {write_async, false, false},    ['F'] = {write_async, false, false},
    ['s'] = {write_flow, false, false},     ['t'] = {write_flow, false, false},
    ['f'] = {write_flow, false, false},     ['T'] = {write_step_or_state, false, false},
    ['N'] = {write_object, false, false},   ['O'] = {write_object, false, false},
    ['D'] = {write_object, false, false},   ['M'] = {metadata, true, false},
    ['c'] = {NULL, true, true},             ['('] = {NULL, true, true},
    [')'] = {NULL, true, true},
};

static const struct phase *phase_of(const struct event_fields *ev) {
    struct str ph = ev->v[EVENT_PH].text;
    const struct phase *phase = ph.n == 1 && (unsigned char)ph.s[0] < PHASES ? &phases[(unsigned char)ph.s[0]] : NULL;
    return phase && (phase->write || phase->ignored) ? phase : NULL;
}

/* An owner that is a text in the source gets the text as its name. */
static void name_owner(struct event_write *out, const struct event_owner *o) {
    static const struct writer_arguments none = {NULL, 0};
    if (o->new_process.n > 0)
        name_object(out, FXT_OBJECT_PROCESS, o->pid, o->pid, o->new_process, none);
    if (o->new_thread.n > 0)
        name_object(out, FXT_OBJECT_THREAD, o->tid, o->pid, o->new_thread, none);
}

/* Ticks have no sign. If the first time of a source is negative, all are moved by BIAS_NS; else a negative one is 0. */
static bool time_of(struct event *x) {
    /* cppcheck-suppress ctuuninitvar ; its caller sets the parts that are read */
    const struct event_fields *ev = x->b.ev;
    struct event_write *out = x->b.out;
    struct json_time given;
    bool negative;
    if (!event_has(ev, EVENT_TS) || !json_read_time(ev->v[EVENT_TS].text, &given, &negative))
        return false;
    if (!out->timed && negative)
        out->bias.ns = BIAS_NS;
    out->timed = true;
    x->early = (struct json_time){0, 0};
    if (negative && !json_read_subtract(out->bias, given, &x->ts)) {
        json_read_subtract(given, out->bias, &x->early);
        x->ts = (struct json_time){0, 0};
        note_fault(x, IMPORT_FIELD);
    } else if (!negative && !json_read_add(out->bias, given, &x->ts)) {
        return false;
    }
    x->e.ts = json_read_ns(x->ts);
    return true;
}

void event_write(struct event_write *out, struct event_fields *ev) {
    const struct phase *phase = phase_of(ev);
    struct event x; /* without the arguments, of which each is set when it is added */
    x.early = (struct json_time){0, 0};
    x.b.out = out;
    x.b.ev = ev;
    x.b.n = 0;
    x.b.bytes = FIXED_BYTES;
    x.e = (struct writer_event){.ts = 0};
    x.ts = (struct json_time){0, 0};
    if (phase == NULL || phase->ignored) {
        event_write_fault(out, phase ? IMPORT_IGNORED : event_has(ev, EVENT_PH) ? IMPORT_UNKNOWN : IMPORT_FIELD, ev->at);
        return;
    }
    if (!phase->untimed && !time_of(&x)) {
        event_write_fault(out, IMPORT_FIELD, ev->at);
        return;
    }
    vec_push(&out->marks, ((struct import_mark){writer_offset(&out->w), ev->at}));
    x.owner = event_owner(&out->owners, ev);
    name_owner(out, &x.owner);
    if (!phase->untimed) {
        x.e.thread = writer_intern_thread(&out->w, x.owner.pid, x.owner.tid);
        x.e.category = fitted_name(&x.b, ev->v[EVENT_CAT].text);
        x.e.name = fitted_name(&x.b, ev->v[EVENT_NAME].text);
    }
    phase->write(&x);
    if (ev->cut)
        event_write_fault(out, IMPORT_CUT, ev->at);
}

void event_write_frame(struct event_write *out, const struct event_fields *ev) {
    event_frames_add(&out->frames, ev->v[EVENT_SF].text, ev->v[EVENT_NAME].text, ev->v[EVENT_PARENT].text);
}

void event_write_around(struct event_write *out, const struct event_fields *ev) {
    if (ev->cut)
        event_write_fault(out, IMPORT_CUT, ev->at);
    if (ev->nrest == 0)
        return;
    char *text = out->text;
    size_t n = ev->nrest - 1 < sizeof out->text - 2 ? ev->nrest - 1 : sizeof out->text - 2;
    text[0] = '{';
    memcpy(text + 1, ev->rest, n);
    text[n + 1] = '}';
    writer_blob(&out->w, writer_intern(&out->w, STR(AROUND)), 1, (struct str){text, n + 2});
}
