/* event_write.h - writes the records that one event of Chrome's trace event format becomes.
 *
 * doc/IMPORT.md lists what each phase becomes. Times are nanoseconds, a tick each. */
#ifndef FXTOP_EVENT_WRITE_H
#define FXTOP_EVENT_WRITE_H

#include <stdarg.h>

#include "src/import/chrome/event_flow.h"
#include "src/import/chrome/event_frame.h"
#include "src/import/chrome/event_owner.h"
#include "src/import/chrome/event_profile.h"
#include "src/import/chrome/event_state.h"
#include "src/import/json/json_read.h"
#include "src/io/import.h"

struct event_write {
    struct writer w;
    struct event_owners owners;
    struct event_flows flows;
    struct event_frames frames;
    struct event_states states;
    struct event_profiles *profiles;
    struct json_time bias;         /* added to all times */
    bool timed;                    /* an event with a time was written: the bias stays */
    struct json_time last;         /* time of the last event that has one */
    uint64_t latest;               /* ns: the last time of an event or its end */
    VEC(struct import_mark) marks; /* of this step */
    VEC(struct import_case) cases;
    bool found;                   /* there is a place for events */
    bool hurry;                   /* states are written before the source ends */
    bool commas;                  /* decimal commas were noted */
    uint64_t said[IMPORT_FAULTS]; /* cases of each kind so far */
    const struct json_scan *scan; /* of the source */
    char text[WRITER_STRING_MAX]; /* of an argument that is put together */
};

void event_write_init(struct event_write *out, const struct json_scan *scan);
void event_write_free(struct event_write *out);

/* Around the events of one step. */
void event_write_begin(struct event_write *out);
/* found: there is a place for events; before, and without one to the end, there are no words. */
void event_write_end(struct event_write *out, bool last, bool found, struct import_news *news);

void event_write(struct event_write *out, struct event_fields *ev);
/* A stack frame: its number in EVENT_SF. */
void event_write_frame(struct event_write *out, const struct event_fields *ev);
/* The text around the events: a blob "around the events", if there is any. */
void event_write_around(struct event_write *out, const struct event_fields *ev);
/* Counts a fault at this offset of the source, with a sentence of printf() about what is wrong. */
void event_write_fault(struct event_write *out, enum import_fault fault, uint64_t source,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Counts one of an event that was read before. */
void event_write_fault_at(struct event_write *out, enum import_fault fault,
                          const struct import_mark *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void event_write_overlap(struct event_write *out, const struct event_overlap *one);

/* A number with a decimal comma was read at this offset: one problem notes it for the source. */
void event_write_comma(struct event_write *out, uint64_t source);
/* Notes the zero byte that json_scan.h finds; out: a struct event_write. */
void event_write_zero(void *out, uint64_t source);

/* The sentence of a case, after its line and column, from 1, unless the line is 0. Its receiver
 * frees it. */
char *event_write_why(uint64_t line, uint64_t column, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#define EVENT_QUOTED 40 /* bytes of text of the source in such a sentence */
/* Text of the source as it may be printed, cut; in buf. */
const char *event_write_quoted(struct str text, char buf[EVENT_QUOTED]);

#endif
