/* legacy_events.c - fills the fields that the event would have in JSON. */
#include "src/import/perfetto/legacy_events.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/import/perfetto/proto.h"

void legacy_events_init(struct legacy_events *l, struct import_lines *lines,
                        struct event_fields *fields) {
    event_write_init(&l->out, &l->scan);
    l->out.timed = true;
    l->scan.base = UINT64_MAX; /* all places are the watched one */
    l->lines = lines;
    l->fields = fields;
}

void legacy_events_free(struct legacy_events *l) {
    event_write_free(&l->out);
}

/* Lends the writer of all others. */
static void lend(struct legacy_events *l, struct writer *own) {
    *own = l->out.w;
    l->out.w = l->lines->w;
    l->out.marks.n = l->out.cases.n = 0;
}

static void take_back(struct legacy_events *l, const struct writer *own) {
    l->lines->w = l->out.w;
    l->out.w = *own;
    for (size_t i = 0; i < l->out.marks.n; i++)
        vec_push(&l->lines->marks, l->out.marks.v[i]);
    for (size_t i = 0; i < l->out.cases.n; i++)
        vec_push(&l->lines->cases, l->out.cases.v[i]);
    l->out.marks.n = l->out.cases.n = 0;
}

void legacy_events_end(struct legacy_events *l) {
    struct writer own;
    lend(l, &own);
    event_flows_write(&l->out.flows, &l->out.w);
    for (size_t i = 0; i < l->out.flows.written.n; i++)
        vec_push(&l->out.marks, l->out.flows.written.v[i]);
    l->out.flows.written.n = 0;
    event_profiles_end(l->out.profiles);
    take_back(l, &own);
}

static void set_text(struct legacy_events *l, enum event_field field, struct str text) {
    l->fields->v[field] = (struct event_value){JSON_STRING, event_fields_keep(l->fields, text)};
}

static void set_number(struct legacy_events *l, enum event_field field, uint64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    l->fields->v[field] =
        (struct event_value){JSON_NUMBER, event_fields_keep(l->fields, str_of(text))};
}

static void set_time(struct legacy_events *l, uint64_t ns) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000);
    l->fields->v[EVENT_TS] =
        (struct event_value){JSON_NUMBER, event_fields_keep(l->fields, str_of(text))};
}

static void set_scope(struct legacy_events *l, uint64_t scope) {
    static const struct str scopes[] = {{"t", 1}, {"g", 1}, {"p", 1}, {"t", 1}};
    if (scope < sizeof scopes / sizeof *scopes)
        set_text(l, EVENT_S, scopes[scope]);
}

/* Sets a field of a LegacyEvent, but for its phase. */
static void set_field(struct legacy_events *l, const struct proto *p, char phase,
                      struct event_track_owner *owner) {
    char us[24];
    switch (p->tag) {
    case PROTO_V(3):
        snprintf(us, sizeof us, "%" PRId64, (int64_t)p->value);
        if (phase == 'X') /* T with one would be a state */
            l->fields->v[EVENT_DUR] =
                (struct event_value){JSON_NUMBER, event_fields_keep(l->fields, str_of(us))};
        break;
    case PROTO_V(6):
        set_number(l, EVENT_ID, p->value);
        break;
    case PROTO_V(10):
        set_number(l, EVENT_ID_LOCAL, p->value);
        break;
    case PROTO_V(11):
        set_number(l, EVENT_ID_GLOBAL, p->value);
        break;
    case PROTO_B(7):
        set_text(l, EVENT_SCOPE, p->bytes);
        break;
    case PROTO_V(12):
        if (p->value)
            set_text(l, EVENT_BP, STR("e"));
        break;
    case PROTO_V(14):
        set_scope(l, p->value);
        break;
    case PROTO_V(18):
        owner->pid = owner->tid = (uint32_t)p->value;
        break;
    case PROTO_V(19):
        owner->tid = (uint32_t)p->value;
        break;
    default:
        break;
    }
}

void legacy_events_take(struct legacy_events *l, const struct legacy_event *e, struct str message) {
    struct proto p = proto_of(message);
    struct event_track_owner owner = e->owner;
    char phase = '?';
    while (proto_next(&p))
        if (p.tag == PROTO_V(2))
            phase = p.value > ' ' && p.value <= '~' ? (char)p.value : '?';
    for (p = proto_of(message); proto_next(&p);)
        set_field(l, &p, phase, &owner);
    set_text(l, EVENT_PH, (struct str){&phase, 1});
    set_text(l, EVENT_CAT, e->category);
    set_text(l, EVENT_NAME, e->name);
    set_number(l, EVENT_PID, owner.pid);
    set_number(l, EVENT_TID, owner.tid);
    set_time(l, e->ts);
    l->fields->at = l->lines->begin;
    l->scan.watched = (struct import_place){l->lines->begin, IMPORT_NO_LINES, 0};
    struct writer own;
    lend(l, &own);
    event_write(&l->out, l->fields);
    take_back(l, &own);
}
