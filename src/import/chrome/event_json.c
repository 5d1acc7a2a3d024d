/* event_json.c - finds the events in a stream of JSON and hands each to event_write.c.
 *
 * The source is an array of events, an object with such an array as "traceEvents" and anything
 * around it, or events one after the other. "samples" are events, too. `place` is what the grammar
 * expects next; there is no stack, because an event, its "args" and its "id2" are all the nesting
 * that matters. Deeper values are copied as text, and only their brackets are counted.
 *
 * A fault drops the event that it is in. Reading resumes at the next `{` that may begin one. A
 * fault in "args" drops arguments alone: reading goes on at the next one, or else at the next field
 * that the event lacks. A missing comma is a fault that drops nothing. */
#include "src/import/chrome/event_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/base/err.h"
#include "src/import/chrome/event_fields.h"
#include "src/import/chrome/event_key.h"
#include "src/import/chrome/event_kind.h"
#include "src/import/chrome/event_need.h"
#include "src/import/chrome/event_write.h"
#include "src/import/json/json_read.h"

#define DEPTH_MAX 512   /* brackets whose kind is remembered; deeper ones are only counted */
#define EVENT_DIGITS 32 /* of an integer that a decimal comma may follow */
#define PIECE 65536     /* bytes of the source converted at a time */
#define KEPT_MOST ((size_t)64 << 20) /* bytes of a source whose kind is not known */
#define MAGIC 8                      /* bytes of the magic number */

enum place {
    OUTSIDE,  /* before, after and between values of the top */
    EVENTS,   /* in an array of events */
    KEY,      /* in an object, before a key or its end */
    COLON,    /* after a key */
    VALUE,    /* after a colon */
    COLLECT,  /* in a value that is copied as text */
    SKIPPING, /* after a fault in "args": to the next argument */
    SEEKING,  /* after a fault in "args": to a field of the event */
    RESUMING, /* after a fault */
};

struct import {
    struct json_scan scan;
    struct event_fields ev;
    struct event_write out;
    enum place place;
    enum event_level level,
        outer;    /* outer: LEVEL_TOP or LEVEL_EVENT, the level around LEVEL_ARGS and LEVEL_ID2 */
    bool follows; /* a key, or an event, was before in the same object or array */
    bool args, sought; /* the event has "args"; a field was looked for after a fault in there */
    bool lost, after;  /* a fault was in there; they end right before the next token */
    bool pending;      /* it has ended without all its fields: perhaps a bracket is wrong */
    bool next;         /* the next event begins at this bracket */
    uint64_t from;     /* offset of the last key */
    /* the object that ended last, of those that are values; `args` or `id2` begin at: */
    struct span {
        uint64_t from, to;
    } value;
    uint64_t entered, again; /* again: bytes before it were read twice */
    uint64_t indent;         /* the column of the event; if it follows a cut one, of that */
    bool cut;                /* one was, right before the next token */
    bool loose;             /* after a fault outside of arrays: no comma is missed between events */
    bool in_top;            /* the array of events is within an object */
    bool samples;           /* it is "samples" */
    bool found;             /* there was a place for events: "traceEvents", or an event */
    bool array, objects;    /* an array at the top, and objects in it */
    struct event_kind kind; /* until it is found */
    bool waits;             /* neither is known yet; then these are all bytes so far: */
    VEC(char) source;
    bool hurry, begun;      /* begun: the magic number was given meanwhile */
    enum event_field field; /* of COLON and VALUE; EVENT_FIELDS: none, and then: */
    struct str key;         /* in the arena; until its colon, of a field, the token */
    size_t before_key;      /* bytes of the arena in use without it */
    char raw_key[512];      /* as the source writes it; empty if it does not fit */
    size_t nraw_key;
    /* of COLLECT */
    uint64_t depth;
    uint64_t kinds[DEPTH_MAX / 64]; /* a bit each: 1 for an array */
    uint64_t opened[DEPTH_MAX];     /* offsets */
    size_t collected;               /* start in the arena */
    bool to_rest, discard;          /* discard: it has a fault */
    bool whole;                     /* it is kept whole, as it is too long */
    bool comma;                     /* a value has come: a comma is due before the next */
    bool colon;                     /* a value is due */
    size_t rest_before;             /* bytes of text of further arguments before the current key */
    uint64_t integer_end;           /* offset after the last value, if that is an integer; else 0 */
};

/* ---- fields ---- */

/* Whether a value goes to the text of further arguments: the 15th, and all around the events. */
static bool goes_to_rest(const struct import *im) {
    return im->level == LEVEL_TOP || im->ev.nargs >= EVENT_ARGUMENTS;
}

static void rest_key(struct import *im) {
    im->rest_before = im->ev.nrest;
    event_fields_rest(&im->ev, STR("\""));
    event_fields_rest(&im->ev, (struct str){im->raw_key, im->nraw_key});
    event_fields_rest(&im->ev, STR("\":"));
}

/* A word that is no value of JSON becomes a string. */
static bool is_quoted(const struct json_token *token) {
    return token->kind == JSON_STRING || token->kind == JSON_WORD;
}

static void rest_token(struct import *im, const struct json_token *token) {
    if (is_quoted(token))
        event_fields_rest(&im->ev, STR("\""));
    event_fields_rest(&im->ev, token->text);
    if (is_quoted(token))
        event_fields_rest(&im->ev, STR("\""));
}

/* The text of a further argument has ended: it goes to the event, unless it has a fault. */
static void rest_end(struct import *im, bool keep) {
    struct event_fields *ev = &im->ev;
    event_fields_rest(ev, STR(","));
    ev->used = im->before_key;
    if (im->level == LEVEL_EVENT && ev->noutside == EVENT_FIELDS_REST) {
        keep = false;
        ev->cut = true;
    }
    if (!keep)
        ev->nrest = im->rest_before;
    else if (im->level == LEVEL_EVENT)
        ev->outside[ev->noutside++] = (struct event_part){im->rest_before, ev->nrest};
}

static bool is_integer(const struct json_token *token) {
    size_t i = token->text.n > 0 && token->text.s[0] == '-' ? 1 : 0;
    while (i < token->text.n && token->text.s[i] >= '0' && token->text.s[i] <= '9')
        i++;
    return token->kind == JSON_NUMBER && i == token->text.n && token->text.n < EVENT_DIGITS;
}

static void value(struct import *im, const struct json_token *token) {
    struct event_fields *ev = &im->ev;
    im->integer_end = is_integer(token) ? token->at + token->text.n : 0;
    if (im->field == EVENT_FIELDS && goes_to_rest(im)) {
        rest_key(im);
        rest_token(im, token);
        rest_end(im, true);
        return;
    }
    struct event_value v = {is_quoted(token) ? JSON_STRING : token->kind,
                            token->kind == JSON_STRING ? event_fields_unescape(ev, token)
                                                       : event_fields_keep(ev, token->text)};
    if (im->field != EVENT_FIELDS && v.kind == JSON_NULL)
        v = (struct event_value){.kind = JSON_MORE};
    if (im->field != EVENT_FIELDS)
        ev->v[im->field] = v;
    else if (im->level < LEVEL_FRAMES)
        event_fields_add(ev, im->key, v, im->level == LEVEL_EVENT);
}

/* The digits after a decimal comma, as some locales write it: the value before them gets them,
 * after a point. */
static bool fraction(struct import *im, const struct json_token *token) {
    struct event_fields *ev = &im->ev;
    bool rest =
        im->field == EVENT_FIELDS && im->rest_before < ev->nrest && ev->rest[ev->nrest - 1] == ',';
    struct event_value *v = NULL;
    if (im->field != EVENT_FIELDS)
        v = &ev->v[im->field];
    else if (ev->nargs > 0)
        v = &ev->args[ev->nargs - 1].value;
    if (token->kind != JSON_NUMBER || token->text.s[0] == '-' || im->integer_end == 0 ||
        im->level > LEVEL_ARGS || !json_scan_after_comma(&im->scan, im->integer_end, token->at) ||
        (v == NULL && !rest))
        return false;
    event_write_comma(&im->out, token->at);
    im->integer_end = 0;
    if (rest) {
        ev->rest[ev->nrest - 1] = '.'; /* for the comma at its end */
        event_fields_rest(ev, token->text);
        event_fields_rest(ev, STR(","));
        if (ev->noutside > 0 && im->level == LEVEL_EVENT)
            ev->outside[ev->noutside - 1].to = ev->nrest;
        return true;
    }
    event_fields_keep(ev, STR("."));
    event_fields_keep(ev, token->text);
    v->text.n = (size_t)(ev->arena + ev->used - v->text.s);
    return true;
}

/* A comma may be missing between keys, events and values of nested text: the next one is read. */
static void miss_comma(struct import *im, const struct json_token *token) {
    char buf[EVENT_QUOTED];
    event_write_fault(&im->out, IMPORT_SYNTAX, token->at, "expected a comma before %s",
                      event_write_quoted(token->text, buf));
}

/* ---- values that are copied as text ---- */

/* A value that is longer than a text may be: a part of a profile is needed whole. */
static __attribute__((noinline)) void collect_whole(struct import *im, struct str text) {
    struct event_fields *ev = &im->ev;
    if (!im->whole && im->level == LEVEL_ARGS && str_eq(im->key, STR("data"))) {
        ev->whole.n = 0;
        event_fields_whole(ev, (struct str){ev->arena + im->collected, ev->used - im->collected});
        im->whole = true;
    }
    if (im->whole)
        event_fields_whole(ev, text);
    ev->cut = true;
}

static void collect_text(struct import *im, struct str text) {
    if (im->to_rest)
        event_fields_rest(&im->ev, text);
    else if (!im->whole && im->ev.used - im->collected + text.n <= WRITER_STRING_MAX &&
             im->ev.used + text.n <= EVENT_ARENA)
        event_fields_keep(&im->ev, text);
    else
        collect_whole(im, text);
}

static void open_bracket(struct import *im, const struct json_token *token) {
    if (im->depth < DEPTH_MAX) {
        uint64_t bit = UINT64_C(1) << im->depth % 64, *word = &im->kinds[im->depth / 64];
        *word = token->kind == JSON_ARRAY ? *word | bit : *word & ~bit;
        im->opened[im->depth] = token->at;
    }
    im->depth++;
}

/* Whether the innermost bracket is that of an array. deep: if that is not remembered. */
static bool in_array(const struct import *im, bool deep) {
    uint64_t i = im->depth - 1;
    return i < DEPTH_MAX ? im->kinds[i / 64] >> i % 64 & 1 : deep;
}

static void close_bracket(struct import *im, const struct json_token *token) {
    im->depth--;
    if (token->kind == JSON_OBJECT_END && im->depth < DEPTH_MAX)
        im->value = (struct span){im->opened[im->depth], token->at};
}

static void collect_begin(struct import *im, const struct json_token *token) {
    im->to_rest = goes_to_rest(im);
    if (im->to_rest)
        rest_key(im);
    im->collected = im->ev.used;
    im->depth = 0;
    im->place = COLLECT;
    im->comma = im->discard = im->colon = im->whole = false;
    im->integer_end = 0;
    open_bracket(im, token);
    collect_text(im, token->text);
}

/* Commas are not tokens: one comes between a value and the next value or key. */
static void collect_token(struct import *im, const struct json_token *token) {
    bool begins = token->kind != JSON_OBJECT_END && token->kind != JSON_ARRAY_END &&
                  token->kind != JSON_COLON;
    if (begins && im->comma && !token->comma)
        miss_comma(im, token);
    if (begins && im->comma)
        collect_text(im, STR(","));
    im->comma =
        token->kind != JSON_OBJECT && token->kind != JSON_ARRAY && token->kind != JSON_COLON;
    im->colon = token->kind == JSON_COLON;
    if (is_quoted(token))
        collect_text(im, STR("\""));
    collect_text(im, token->text);
    if (is_quoted(token))
        collect_text(im, STR("\""));
}

/* Whether keys belong to the top, or to the first object of the array: a file without events is
 * named by them. */
static bool is_first(const struct import *im) {
    return im->level == LEVEL_TOP || (im->level == LEVEL_EVENT && !im->objects && im->array);
}

static bool collect(struct import *im, const struct json_token *token) {
    /* more likely a quote is missing, or the word is a part of one */
    if (token->kind == JSON_WORD && (im->comma || json_scan_glued(&im->scan, token) != token->at))
        return false;
    if (token->kind == JSON_OBJECT && im->next)
        return false;
    bool ends = token->kind == JSON_OBJECT_END || token->kind == JSON_ARRAY_END,
         array = token->kind == JSON_ARRAY_END;
    if (ends && in_array(im, array) != array) /* a bracket of the other kind */
        return false;
    if (!im->found && is_first(im))
        event_kind_token(&im->kind, im->depth, token);
    collect_token(im, token);
    im->ev.cut |= token->cut;
    if (token->kind == JSON_WORD)
        event_fields_word(&im->ev, token->text);
    if (token->kind == JSON_OBJECT || token->kind == JSON_ARRAY) {
        open_bracket(im, token);
        return true;
    }
    if (!ends)
        return true;
    close_bracket(im, token);
    if (im->depth > 0)
        return true;
    im->place = KEY;
    struct event_value v = {JSON_OBJECT,
                            {im->ev.arena + im->collected, im->ev.used - im->collected}};
    if (im->to_rest)
        rest_end(im, !im->discard);
    else if (im->discard)
        im->ev.used = im->before_key;
    else if (im->field != EVENT_FIELDS)
        im->ev.v[im->ev.nested = im->field] = v;
    else if (im->level < LEVEL_FRAMES)
        event_fields_add(&im->ev, im->key, v, im->level == LEVEL_EVENT);
    return true;
}

/* ---- the fields of an event that has a fault in "args" ---- */

static bool may_follow(const struct import *im) {
    return im->args && event_need_any(&im->ev);
}

/* Whether a key is a field that is not there yet: one that is none of "args". */
static bool is_missing(const void *import, struct str key) {
    const struct import *im = import;
    return event_need_field(&im->ev, event_key_field(key, LEVEL_EVENT));
}

/* Whether it has ended without a field that it needs: perhaps a bracket of "args" is at fault. */
static bool lacks(const struct import *im) {
    const struct event_fields *ev = &im->ev;
    if (!im->args)
        return false;
    bool all = event_has(ev, EVENT_PH) && event_has(ev, EVENT_TS) && event_has(ev, EVENT_PID) &&
               event_has(ev, EVENT_TID);
    return (im->lost || !all) && may_follow(im);
}

/* Writes an event that has ended. */
static void write_event(struct import *im) {
    im->pending = im->args = im->lost = im->after = false;
    event_write(&im->out, &im->ev);
}

/* ---- the grammar. Each function takes one token; false: it does not belong there. ---- */

static void begin_object(struct import *im, const struct json_token *token,
                         enum event_level level) {
    im->follows = im->args = im->sought = im->lost = im->after = false;
    event_fields_clear(&im->ev);
    im->ev.at = im->scan.keep = im->from = token->at;
    json_scan_watch(&im->scan, token->at);
    if (!im->cut || json_scan_indented(&im->scan, token->at, im->scan.watched.column))
        im->indent = im->scan.watched.column;
    im->cut = false;
    im->level = level;
    im->place = KEY;
}

static bool outside(struct import *im, const struct json_token *token) {
    if (token->kind == JSON_OBJECT)
        begin_object(im, token, LEVEL_TOP);
    else if (token->kind == JSON_ARRAY) {
        im->place = EVENTS;
        im->follows = im->loose = false;
    }
    im->array |= token->kind == JSON_ARRAY;
    return token->kind == JSON_OBJECT || token->kind == JSON_ARRAY;
}

static bool events(struct import *im, const struct json_token *token) {
    switch (token->kind) {
    case JSON_OBJECT:
        if (im->follows && !im->loose && !token->comma)
            miss_comma(im, token);
        begin_object(im, token, LEVEL_EVENT);
        return true;
    case JSON_ARRAY: /* traces of Zipkin */
        return !im->found && !im->objects && !im->in_top;
    case JSON_ARRAY_END:
        im->samples = false;
        if (im->in_top) {
            begin_object(im, token, LEVEL_TOP);
            im->follows = true;
        } else
            im->place = OUTSIDE;
        return true;
    default: /* numbers under that name are no samples */
        return im->samples && token->kind < JSON_WORD && token->kind > JSON_COLON && !token->open;
    }
}

static void end_object(struct import *im, uint64_t at) {
    im->place = KEY;
    im->follows = true;
    switch (im->level) {
    case LEVEL_ARGS:
    case LEVEL_ID2:
        im->after = im->level == LEVEL_ARGS;
        im->level = im->outer;
        im->value = (struct span){im->entered, at};
        break;
    case LEVEL_FRAMES:
        im->level = LEVEL_TOP;
        break;
    case LEVEL_FRAME:
        im->level = LEVEL_FRAMES;
        event_write_frame(&im->out, &im->ev);
        event_fields_clear_frame(&im->ev);
        break;
    case LEVEL_EVENT:
        im->place = EVENTS;
        if (im->samples && !event_has(&im->ev, EVENT_PH))
            im->ev.v[EVENT_PH] = (struct event_value){JSON_STRING, STR("P")};
        im->found |= event_has(&im->ev, EVENT_PH);
        if (!im->found && is_first(im))
            event_kind_object(&im->kind, false);
        im->objects = true;
        im->pending = lacks(im);
        if (!im->pending)
            write_event(im);
        break;
    case LEVEL_TOP:
        im->place = OUTSIDE;
        im->found |= event_has(&im->ev, EVENT_PH);
        if (!im->found)
            event_kind_object(&im->kind, true);
        im->pending = event_has(&im->ev, EVENT_PH) && lacks(im);
        if (event_has(&im->ev, EVENT_PH) && !im->pending)
            write_event(im);
        else if (!im->pending)
            event_write_around(&im->out, &im->ev);
        im->in_top = false;
        break;
    }
}

static bool key(struct import *im, const struct json_token *token) {
    if (token->kind == JSON_OBJECT_END) {
        end_object(im, token->at);
        return true;
    }
    if (token->kind == JSON_NUMBER)
        return fraction(im, token);
    if (token->kind != JSON_STRING || token->open)
        return false;
    if (im->follows && !token->comma) {
        miss_comma(im, token);
        im->lost |= im->after || im->level == LEVEL_ARGS;
    }
    im->follows = true;
    im->before_key = im->ev.used;
    im->rest_before = im->ev.nrest;
    im->key = token->escaped ? event_fields_unescape(&im->ev, token) : token->text;
    im->field = event_key_field(im->key, im->level);
    if (!im->found && is_first(im))
        event_kind_key(&im->kind, 0, im->key);
    if (im->field == EVENT_FIELDS) {
        if (!token->escaped)
            im->key = event_fields_unescape(&im->ev, token);
        im->nraw_key = token->text.n <= sizeof im->raw_key ? token->text.n : 0;
        im->ev.cut |= im->nraw_key < token->text.n;
        memcpy(im->raw_key, token->text.s, im->nraw_key);
    }
    im->place = json_scan_colon(&im->scan) ? VALUE : COLON;
    im->after = false;
    im->from = token->at;
    return true;
}

static bool enter(struct import *im, const struct json_token *token, enum event_level level) {
    im->args |= level == LEVEL_ARGS;
    im->entered = token->at;
    im->outer = im->level;
    im->level = level;
    im->place = KEY;
    im->follows = false;
    return true;
}

static bool nested(struct import *im, const struct json_token *token) {
    bool object = token->kind == JSON_OBJECT,
         event = im->level == LEVEL_TOP || im->level == LEVEL_EVENT;
    bool other = im->field == EVENT_FIELDS;
    if (im->next)
        return false;
    bool samples = other && str_eq(im->key, STR("samples"));
    if (im->level == LEVEL_TOP && !object &&
        (samples || (other && str_eq(im->key, STR("traceEvents"))))) {
        event_write_around(&im->out, &im->ev);
        im->in_top = true;
        im->samples = samples;
        im->found |= !samples;
        im->place = EVENTS;
        im->follows = im->loose = false;
        return true;
    }
    if (other && event && object && str_eq(im->key, STR("args")))
        return enter(im, token, LEVEL_ARGS);
    if (other && event && object && str_eq(im->key, STR("id2")))
        return enter(im, token, LEVEL_ID2);
    if (other && im->level == LEVEL_TOP && object && str_eq(im->key, STR("stackFrames")))
        return enter(im, token, LEVEL_FRAMES);
    if (im->level == LEVEL_FRAMES && object) {
        im->ev.v[EVENT_SF] = (struct event_value){JSON_STRING, im->key};
        return enter(im, token, LEVEL_FRAME);
    }
    collect_begin(im, token);
    return true;
}

static bool any_value(struct import *im, const struct json_token *token) {
    if (im->level == LEVEL_ARGS && token->comma) /* the next key: no value is there */
        return false;
    if (im->field == EVENT_FIELDS && im->level <= LEVEL_EVENT && token->kind != JSON_OBJECT &&
        str_eq(im->key, STR("args")))
        im->args = im->lost = true; /* their first bracket is at fault, if anything is */
    switch (token->kind) {
    case JSON_WORD:
    case JSON_STRING:
    case JSON_NUMBER:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        if (token->kind == JSON_WORD && json_scan_glued(&im->scan, token) != token->at)
            return false;
        if (token->kind == JSON_WORD)
            event_fields_word(&im->ev, token->text);
        im->place = KEY;
        value(im, token);
        return !token->open;
    case JSON_OBJECT:
    case JSON_ARRAY:
        return nested(im, token);
    default:
        return false;
    }
}

static bool take(struct import *im, const struct json_token *token) {
    switch (im->place) {
    case OUTSIDE:
        return outside(im, token);
    case EVENTS:
        return events(im, token);
    case KEY:
        return key(im, token);
    case COLON:
        if (token->kind == JSON_COLON)
            im->place = VALUE;
        return token->kind == JSON_COLON;
    case VALUE:
        return any_value(im, token);
    default:
        return token->kind != JSON_BAD && !token->open && collect(im, token);
    }
}

/* ---- the importer ---- */

static void *start(void) {
    struct import *im = err_calloc(1, sizeof *im);
    event_write_init(&im->out, &im->scan);
    im->scan.zero = event_write_zero;
    im->scan.zero_ctx = &im->out;
    event_write_begin(&im->out);
    im->waits = true;
    return im;
}

static void stop(void *import) {
    struct import *im = import;
    for (size_t i = 0; im->waits && i < im->out.cases.n; i++)
        free(im->out.cases.v[i].why); /* they were not given */
    event_write_free(&im->out);
    event_fields_free(&im->ev);
    vec_free(&im->source);
    json_scan_free(&im->scan);
    free(im);
}

/* A token that does not belong there. place: the one before. */
static void bad_token(struct import *im, enum place place, const struct json_token *token) {
    static const char *const expected[] = {[OUTSIDE] = "an array or an object",
                                           [EVENTS] = "an event, { or ]",
                                           [KEY] = "a key in quotes, or }",
                                           [COLON] = "a colon after the key",
                                           [VALUE] = "a value",
                                           [COLLECT] = "a value, or the bracket that was opened"};
    char buf[EVENT_QUOTED];
    event_write_fault(&im->out, IMPORT_SYNTAX, token->at, "expected %s, not %s", expected[place],
                      event_write_quoted(token->text, buf));
}

/* Whether an event is in no array. */
static bool is_outside(const struct import *im) {
    bool within = im->level == LEVEL_ARGS || im->level == LEVEL_ID2;
    return (within ? im->outer : im->level) == LEVEL_TOP && !im->in_top;
}

/* The rest of an event cannot be read: it is written if nothing but arguments is lost, or its last
 * bracket. Reading goes on at a field that it lacks, or at the next event. */
static void lose_rest(struct import *im, bool ended) {
    bool within = im->level == LEVEL_ARGS || (im->level <= LEVEL_EVENT && (im->lost || im->after)),
         again = within && !im->sought;
    if (ended && may_follow(im))
        event_need_take(&im->ev);
    if ((ended || within) && event_need_nothing(&im->ev)) {
        im->found = im->objects = true;
        write_event(im);
        again = false;
    }
    im->place = RESUMING;
    if (again && may_follow(im) && (json_scan_again(&im->scan, im->from) || !ended)) {
        im->sought = true;
        im->outer = im->level == LEVEL_ARGS ? im->outer : im->level;
        im->place = SEEKING;
    } else
        im->level = LEVEL_TOP;
}

/* Goes to the next field of the event that is not there yet, or to the next event. False: not in
 * this piece. */
static bool seek(struct import *im) {
    enum json_skip found = json_scan_key(&im->scan, is_missing, event_key_begins, im);
    if (found == JSON_SKIP_MORE)
        return false;
    if (found == JSON_SKIP_FAILED)
        im->args = im->lost = im->after = false;
    im->place = found == JSON_SKIPPED ? KEY : EVENTS;
    im->level = found == JSON_SKIPPED ? im->outer : LEVEL_TOP;
    im->follows = found == JSON_SKIPPED;
    im->integer_end = 0;
    return true;
}

/* After the end of an event that misses fields another key: that was the bracket of "args". */
static bool reopens(const struct json_token *token) {
    return token->kind == JSON_STRING && token->comma && !token->open;
}

static void reopen(struct import *im, enum place place, const struct json_token *token) {
    im->pending = false;
    im->level = place == OUTSIDE ? LEVEL_TOP : LEVEL_EVENT;
    im->place = KEY;
    im->follows = true;
    json_scan_back(&im->scan, token, 0, 0);
}

/* A value that is copied as text has a fault. */
static void collect_lose(struct import *im) {
    if (im->to_rest)
        rest_end(im, false);
    else
        im->ev.used = im->before_key;
}

/* A fault within "args" loses one argument, if the next one is found. */
static bool lose_argument(struct import *im, enum place place, const struct json_token *token) {
    bool runs_on = json_scan_runs_on(&im->scan, token->at);
    if (im->level != LEVEL_ARGS || place == OUTSIDE || place == EVENTS)
        return false;
    im->lost = true;
    if (place == COLLECT && token->kind == JSON_BAD) {
        im->discard = true;
        return true;
    }
    if (place == KEY && !token->comma)
        event_fields_lose_last(&im->ev);
    bool closes = token->kind == JSON_OBJECT_END || token->kind == JSON_ARRAY_END;
    if (runs_on || token->kind == JSON_OBJECT ||
        (place == COLLECT && (closes || im->depth > JSON_SKIP_DEPTH)))
        return false;
    if (place == COLLECT)
        collect_lose(im);
    json_scan_back(&im->scan, token, place == COLLECT ? (unsigned)im->depth : 0, im->kinds[0]);
    im->place = SKIPPING;
    return true;
}

/* Goes to the next argument. False: not in this piece. */
static bool skip_argument(struct import *im) {
    enum json_skip skipped = json_scan_skip(&im->scan, event_key_begins);
    im->integer_end = 0;
    if (skipped == JSON_SKIPPED)
        im->place = KEY;
    else if (skipped == JSON_SKIP_FAILED)
        lose_rest(im, false);
    return skipped != JSON_SKIP_MORE;
}

/* The next event begins within an event: its bracket is missing, and perhaps that of "args". */
static bool miss_end(struct import *im, enum place place, const struct json_token *token) {
    bool object = token->kind == JSON_OBJECT;
    if (!object && im->after && may_follow(im)) /* a bracket too many after "args" */
        return false;
    bool around = im->level == LEVEL_TOP && !event_has(&im->ev, EVENT_PH);
    if (place != KEY || around || im->level == LEVEL_ARGS || im->level == LEVEL_ID2)
        return object && im->level <= LEVEL_ID2 && im->next;
    if (object && (im->after || im->lost) && !json_scan_parted(&im->scan, token->at) &&
        json_scan_event(&im->scan, token->at, event_key_begins, false) != JSON_SKIPPED)
        return false;
    return (im->level == LEVEL_TOP && object) ||
           (im->level == LEVEL_EVENT && (object || token->kind == JSON_ARRAY_END));
}

/* A fault that loses the rest of the event, or its end. The next one begins at a bracket that is
 * the token, or that a string ran over. */
static void give_up(struct import *im, enum place place, const struct json_token *token) {
    bool next = miss_end(im, place, token);
    if (next)
        json_scan_back(&im->scan, token, 0, 0);
    if (place == COLLECT)
        collect_lose(im);
    lose_rest(im, next);
    json_scan_run_back(&im->scan, token->at);
    im->cut = next;
    if (next && im->place == RESUMING)
        im->place = EVENTS;
    im->next = false;
}

/* ---- events that were cut, with the next one right after them, as ring buffers leave them ---- */

static bool is_within(const struct import *im) {
    return im->place >= KEY && im->place <= COLLECT && im->level <= LEVEL_ID2;
}

/* Whether an object may not begin at this place within an event: perhaps it is the next event. No
 * value in an array begins a line as its own event does. */
static bool is_stray(const struct import *im, const struct json_token *token) {
    bool event = im->level > LEVEL_TOP || event_has(&im->ev, EVENT_PH),
         value = im->place == VALUE || im->colon;
    if (!is_within(im) || (im->place == COLLECT && !event))
        return false;
    if (im->place == KEY || im->place == COLON)
        return true;
    return (value ? token->comma : !in_array(im, true) || (im->comma && !token->comma)) ||
           json_scan_indented(&im->scan, token->at, im->indent);
}

/* The last value is a part of one, or the next event. */
static void lose_value(struct import *im, uint64_t next) {
    struct event_fields *ev = &im->ev;
    if (im->place == COLLECT)
        collect_lose(im);
    else if (im->entered == next)
        ev->nargs = ev->nrest = ev->noutside = 0;
    else if (im->field != EVENT_FIELDS)
        ev->v[im->field].kind = JSON_MORE;
    else if (im->rest_before < ev->nrest) {
        bool outside = ev->noutside > 0 && ev->outside[ev->noutside - 1].from == im->rest_before;
        ev->noutside -= outside;
        ev->nrest = im->rest_before;
    } else if (ev->nargs > 0)
        ev->nargs--;
}

/* An event ends at the begin of the next one. It is written if nothing but arguments is lost. */
static void cut(struct import *im, uint64_t next) {
    char buf[EVENT_QUOTED];
    const struct import_place at = im->scan.watched;
    bool named = im->ev.v[EVENT_NAME].kind == JSON_STRING;
    const char *quote = named ? "\"" : "",
               *name = named ? event_write_quoted(im->ev.v[EVENT_NAME].text, buf) : "";
    event_write_fault(&im->out, IMPORT_SYNTAX, next,
                      "the event %s%s%s%sof line %" PRIu64 ", column %" PRIu64
                      " is cut: the next one begins here",
                      quote, name, quote, named ? " " : "", at.line + 1, at.column + 1);
    if (event_need_nothing(&im->ev)) {
        im->found = im->objects = true;
        write_event(im);
    }
    im->loose |= is_outside(im);
    im->args = im->lost = im->after = false;
    im->cut = true;
    im->level = LEVEL_TOP;
    im->place = EVENTS;
    json_scan_again(&im->scan, next);
}

/* Whether an object in "args" that lacks its last bracket may have the fields of their event: that
 * has no "ph", but others, or the object begins with another key. */
static bool takes_fields(const struct import *im, uint64_t args) {
    bool fields = false;
    for (int i = 0; i < EVENT_FIELDS; i++)
        fields |= event_has(&im->ev, (enum event_field)i);
    return !event_has(&im->ev, EVENT_PH) &&
           (fields || json_scan_event(&im->scan, args, event_key_begins, true) != JSON_SKIPPED);
}

enum ahead { AHEAD_MORE, AHEAD_NONE, AHEAD_CUT }; /* more: not in this piece */

/* Ends an event if the value right before a byte is the next one, whole: it was cut before that.
 * Bytes are read again once. */
static enum ahead cut_before_value(struct import *im, uint64_t at) {
    const uint64_t from = im->value.from;
    bool whole = from > im->ev.at && at > im->again && at - from <= JSON_SCAN_AGAIN &&
                 json_scan_follows(&im->scan, im->value.to + 1, at);
    enum json_skip event =
        whole ? json_scan_event(&im->scan, from, event_key_begins, false) : JSON_SKIP_FAILED;
    if (event == JSON_SKIP_MORE)
        return AHEAD_MORE;
    if (event == JSON_SKIP_FAILED ||
        ((im->entered == from || im->level == LEVEL_ARGS) && takes_fields(im, from)))
        return AHEAD_NONE;
    im->again = at;
    lose_value(im, from);
    cut(im, from);
    return AHEAD_CUT;
}

/* Whether a token that may not be there is the next event, or follows it. That begins at a bracket
 * that is the token, or that a string ran over, or with the value before the token. */
static __attribute__((noinline)) enum ahead look_ahead(struct import *im,
                                                       const struct json_token *token) {
    bool object = token->kind == JSON_OBJECT,
         word = token->kind == JSON_WORD || token->kind == JSON_BAD;
    uint64_t next = word ? json_scan_glued(&im->scan, token) : token->at;
    im->next = false;
    if (!is_within(im) || (word && next == token->at))
        return AHEAD_NONE;
    if (token->kind == JSON_ARRAY_END) {
        enum ahead before = cut_before_value(im, next);
        if (before == AHEAD_MORE)
            json_scan_back(&im->scan, token, 0, 0);
        return before;
    }
    if (!object && !word)
        return AHEAD_NONE;
    enum json_skip event = json_scan_event(&im->scan, next, event_key_begins, false);
    bool due = im->place == COLON || (im->place == KEY && im->follows); /* a colon or a comma */
    if (event == JSON_SKIP_FAILED && (!object || (due && !json_scan_parted(&im->scan, next))))
        /* it may be cut before its "ph" */
        event = json_scan_event(&im->scan, next, event_key_begins, true);
    if (event == JSON_SKIP_MORE)
        json_scan_back(&im->scan, token, 0, 0);
    if (event != JSON_SKIPPED)
        return event == JSON_SKIP_MORE ? AHEAD_MORE : AHEAD_NONE;
    enum ahead before = object ? cut_before_value(im, next) : AHEAD_NONE;
    if (before == AHEAD_MORE)
        json_scan_back(&im->scan, token, 0, 0);
    if (before != AHEAD_NONE)
        return before;
    im->next = object && json_scan_parted(&im->scan, next);
    if (im->next)
        return AHEAD_NONE;
    if (im->place == COLLECT ||
        (im->place == KEY && (!object || json_scan_touches(&im->scan, next))))
        lose_value(im, next);
    cut(im, next);
    return AHEAD_CUT;
}

/* Goes on after a fault. False: not in this piece. */
static bool recover(struct import *im) {
    if (im->place == SKIPPING && !skip_argument(im))
        return false;
    if (im->place == SEEKING && !seek(im))
        return false;
    if (im->place == RESUMING && !json_scan_resume(&im->scan, event_key_begins))
        return false;
    if (im->place == RESUMING)
        im->place = EVENTS;
    return true;
}

static void convert(struct import *im, struct str bytes, bool last) {
    struct json_token token;
    json_scan_feed(&im->scan, bytes, last);
    for (;;) {
        if (im->place >= SKIPPING && !recover(im))
            return;
        if (json_scan_next(&im->scan, &token) == JSON_MORE) {
            if (last && is_within(im) &&
                cut_before_value(im, im->scan.base + im->scan.pos) == AHEAD_CUT)
                continue;
            return;
        }
        enum place place = im->place;
        if (token.kind == JSON_OBJECT && is_stray(im, &token)) {
            enum ahead ahead = look_ahead(im, &token);
            if (ahead == AHEAD_MORE)
                return;
            if (ahead == AHEAD_CUT)
                continue;
        }
        bool again = im->pending && reopens(&token);
        if (im->pending && token.kind == JSON_OBJECT_END) { /* another one too many */
            bad_token(im, place, &token);
            continue;
        }
        if (im->pending && !again)
            write_event(im);
        if (!again && take(im, &token))
            continue;
        if (!again && token.kind != JSON_OBJECT) {
            enum ahead ahead = look_ahead(im, &token);
            if (ahead == AHEAD_MORE)
                return;
            if (ahead == AHEAD_CUT)
                continue;
        }
        if (token.open) /* step() notes that the source ends here */
            return;
        bad_token(im, place, &token);
        if (again)
            reopen(im, place, &token);
        im->loose |= place == OUTSIDE || is_outside(im);
        if (again || lose_argument(im, place, &token))
            continue;
        give_up(im, place, &token);
    }
}

/* Keeps the bytes of a source whose kind is not known. */
static void keep(struct import *im, struct str bytes) {
    vec_reserve(&im->source, im->source.n + bytes.n + 1);
    memcpy(im->source.v + im->source.n, bytes.s, bytes.n);
    im->source.n += bytes.n;
}

/* Another importer gets all bytes so far. */
static void hand_over(struct import *im, struct str bytes, struct import_news *news) {
    if (im->source.n > 0) {
        keep(im, bytes);
        bytes = (struct str){im->source.v, im->source.n};
    }
    *news = (struct import_news){.reader = im->kind.reader, .source = bytes};
}

/* Words, places and faults wait until the kind is known. */
static void wait_on(struct import *im, struct str bytes, struct import_news *news) {
    bool begins = im->hurry && !im->begun;
    keep(im, bytes);
    im->begun |= begins;
    *news = (struct import_news){.words = {(const char *)im->out.w.bytes.v, begins ? MAGIC : 0}};
}

static void end_step(struct import *im, bool last, struct import_news *news) {
    char said[EVENT_KIND_NAME];
    if (last && im->pending)
        write_event(im);
    im->found |= last && im->array && !im->objects; /* of no events */
    if (last && im->place != OUTSIDE && im->place != EVENTS && im->place != RESUMING &&
        im->place != SEEKING && !(im->in_top && im->level == LEVEL_TOP))
        event_write_fault(&im->out, IMPORT_TRUNCATED, im->ev.at,
                          "the source ends within this event");
    if (last && !im->found)
        event_write_fault(&im->out, IMPORT_NO_EVENTS, 0, "%s", event_kind_name(&im->kind, said));
    event_write_end(&im->out, last, im->found, news);
    if (im->waits && im->begun)
        news->words = (struct str){news->words.s + MAGIC, news->words.n - MAGIC};
    im->waits = false;
    vec_free(&im->source);
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct import *im = import;
    if (!im->waits)
        event_write_begin(&im->out);
    if (bytes.n == 0) /* then it may have no address */
        bytes = STR("");
    struct str rest = bytes;
    do {
        struct str piece = {rest.s, rest.n < PIECE ? rest.n : PIECE};
        rest = (struct str){rest.s + piece.n, rest.n - piece.n};
        convert(im, piece, last && rest.n == 0);
    } while (rest.n > 0 && !(im->waits && im->kind.reader));
    if (im->waits && im->kind.reader)
        hand_over(im, bytes, news);
    else if (im->waits && !im->found && !last && im->source.n + bytes.n <= KEPT_MOST)
        wait_on(im, bytes, news);
    else
        end_step(im, last, news);
}

static void hurry(void *import) {
    struct import *im = import;
    im->out.found = im->out.hurry = im->hurry = true;
}

const struct importer event_json = {"Chrome JSON", event_kind_sniff, start, step, stop, hurry};
