/* event_fields.h - one event of Chrome's trace event format, as its JSON object has it.
 *
 * All texts are in `arena`, without escapes, until event_fields_clear(). A text that does not fit
 * is cut, and `cut` is set. */
#ifndef FXTOP_EVENT_FIELDS_H
#define FXTOP_EVENT_FIELDS_H

#include "src/fxt/writer.h"
#include "src/import/json/json_scan.h"

#define EVENT_ARGUMENTS 14           /* of a record's 15; the last is for all further ones */
#define EVENT_REST WRITER_STRING_MAX /* bytes of text that these have */
#define EVENT_WHOLE ((size_t)64 << 20)
#define EVENT_ARENA 98304 /* bytes: three texts of the greatest length */

/* A value: a string without escapes; a number as it is written; a word; JSON text of an object or
 * array. */
struct event_value {
    enum json_kind kind; /* JSON_MORE: not there, or null in a field */
    struct str text;
};

struct event_argument {
    struct str name;
    struct event_value value;
    bool field; /* a field of the event that has no meaning here, not one of its "args" */
};

#define EVENT_FIELDS_REST 32 /* such fields in the text of further arguments */

enum event_field { /* fields with a meaning; all others are arguments */
                   EVENT_PH,
                   EVENT_CAT,
                   EVENT_NAME,
                   EVENT_TS,
                   EVENT_DUR,
                   EVENT_PID,
                   EVENT_TID,
                   EVENT_ID,
                   EVENT_ID_LOCAL, /* of the object "id2" */
                   EVENT_ID_GLOBAL,
                   EVENT_SCOPE,
                   EVENT_S,
                   EVENT_BP,
                   EVENT_BIND_ID,
                   EVENT_FLOW_IN,
                   EVENT_FLOW_OUT,
                   EVENT_SF, /* the number of a stack frame; its end's: */
                   EVENT_ESF,
                   EVENT_PARENT,  /* of a stack frame */
                   EVENT_DAMAGED, /* the time is damaged, as --export=json marks it */
                   EVENT_OWN_TS,  /* its time, if "ts" is one at which viewers read it rightly */
                   EVENT_FIELDS
};

struct event_fields {
    uint64_t at; /* offset of its `{` in the source, in bytes */
    struct event_value v[EVENT_FIELDS];
    struct event_argument args[EVENT_ARGUMENTS];
    /* of `rest`: fields, not of "args" */
    struct event_part {
        size_t from, to;
    } outside[EVENT_FIELDS_REST];
    size_t noutside;
    size_t nargs, used, nrest;
    VEC(char) whole;         /* all of an argument "data" that the arena cannot hold; else empty */
    enum event_field nested; /* the last one that had an object or array; EVENT_FIELDS: none */
    bool cut, worded;        /* worded: a value is a word that JSON does not have: */
    struct str word;         /* the begin of the first one */
    char word_bytes[32];
    char arena[EVENT_ARENA];
    char rest[EVENT_REST]; /* `"name":value,` of further arguments, as the source writes them */
};

void event_fields_clear(struct event_fields *ev);
/* Forgets all but the text around the events, after a stack frame. */
void event_fields_clear_frame(struct event_fields *ev);
void event_fields_free(struct event_fields *ev);
/* Appends the text to `whole`, at most EVENT_WHOLE bytes. */
void event_fields_whole(struct event_fields *ev, struct str text);
/* Whether the object had no field at all. */
bool event_fields_empty(const struct event_fields *ev);
/* Copies text to the arena: as it is, or a string's without its escapes. */
struct str event_fields_keep(struct event_fields *ev, struct str text);
struct str event_fields_unescape(struct event_fields *ev, const struct json_token *string);
void event_fields_add(struct event_fields *ev, struct str name, struct event_value value,
                      bool field);
/* Forgets the last argument: a fault right after it, without a comma, shows that it is not the one
 * that was meant. */
void event_fields_lose_last(struct event_fields *ev);
/* Makes a point of the comma of a number in a text of the arena: "45,8"; false: there is none. */
bool event_fields_decimal(struct event_fields *ev, struct str text);
/* Leaves the arguments that are "args". */
void event_fields_only_args(struct event_fields *ev);
/* Notes a word that is no JSON. */
void event_fields_word(struct event_fields *ev, struct str word);
void event_fields_rest(struct event_fields *ev, struct str text);
/* Adds `"name":value,` to it: of a value without escapes. */
void event_fields_rest_value(struct event_fields *ev, struct str name,
                             const struct event_value *value);

static inline bool event_has(const struct event_fields *ev, enum event_field field) {
    return ev->v[field].kind != JSON_MORE;
}

#endif
