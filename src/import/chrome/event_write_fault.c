/* event_write_fault.c - faults of the source, each with its place and a sentence. */
#include <inttypes.h>
#include <stdio.h>

#include "src/base/text.h"
#include "src/import/chrome/event_write.h"

const char *event_write_quoted(struct str text, char buf[EVENT_QUOTED]) {
    static const char more[] = "...";
    size_t most = EVENT_QUOTED - sizeof more;
    size_t n = text_plain(buf, most + 1, text, TEXT_ASCII);
    if (text.n > n || n == most)
        memcpy(buf + n, more, sizeof more);
    return buf;
}

char *event_write_why(uint64_t line, uint64_t column, const char *format, va_list args) {
    char text[160];
    int n = 0;
    if (line > 0)
        n = snprintf(text, sizeof text, "line %" PRIu64 ", column %" PRIu64 ": ", line, column);
    vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    return memcpy(err_malloc(strlen(text) + 1), text, strlen(text) + 1);
}

static __attribute__((format(printf, 4, 0))) void add_case(struct event_write *out,
                                                           enum import_fault fault,
                                                           const struct import_mark *at,
                                                           const char *format, va_list args) {
    struct import_case one = {fault, *at, NULL};
    bool whole = fault == IMPORT_NO_EVENTS; /* it is about all of the source */
    if (out->said[fault]++ < IMPORT_WHY)
        one.why =
            event_write_why(whole ? 0 : at->source.line + 1, at->source.column + 1, format, args);
    vec_push(&out->cases, one);
}

void event_write_fault(struct event_write *out, enum import_fault fault, uint64_t source,
                       const char *format, ...) {
    struct import_mark at = {writer_offset(&out->w), {source, 0, 0}};
    va_list args;
    if (out->said[fault] < IMPORT_WHY && fault != IMPORT_NO_EVENTS)
        at.source = json_scan_place(out->scan, source);
    va_start(args, format);
    add_case(out, fault, &at, format, args);
    va_end(args);
}

void event_write_fault_at(struct event_write *out, enum import_fault fault,
                          const struct import_mark *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_case(out, fault, at, format, args);
    va_end(args);
}

void event_write_comma(struct event_write *out, uint64_t source) {
    if (!out->commas)
        event_write_fault(out, IMPORT_SYNTAX, source,
                          "a decimal comma: read as a point, here and elsewhere");
    out->commas = true;
}

void event_write_zero(void *out, uint64_t source) {
    event_write_fault(out, IMPORT_SYNTAX, source, JSON_SCAN_ZEROS);
}

void event_write_overlap(struct event_write *out, const struct event_overlap *one) {
    struct import_mark mark = {writer_offset(&out->w), one->at};
    char next[40] = "state of its thread";
    if (one->cpu >= 0)
        snprintf(next, sizeof next, "run on CPU %d", one->cpu);
    char us[32];
    int n =
        snprintf(us, sizeof us, "%" PRIu64 ".%03" PRIu64, one->length / 1000, one->length % 1000);
    while (us[n - 1] == '0')
        n--;
    n -= us[n - 1] == '.';
    event_write_fault_at(out, IMPORT_FIELD, &mark,
                         "dur reaches over the next %s (line %" PRIu64 ", column %" PRIu64
                         "): %.*s",
                         next, one->over.line + 1, one->over.column + 1, n, us);
}
