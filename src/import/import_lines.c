/* import_lines.c - cuts pieces of bytes at their line feeds, and names the place of a fault. */
#include "src/import/import_lines.h"

#include <inttypes.h>

#include "src/import/chrome/event_write.h"

#define SNIFF_LINES 8 /* among which two must fit */

void import_lines_init(struct import_lines *lines,
                       void (*take)(void *ctx, struct str line, bool too_long), void *ctx) {
    *lines = (struct import_lines){.take = take, .ctx = ctx};
    writer_init(&lines->w, NULL);
}

void import_lines_free(struct import_lines *lines) {
    writer_free(&lines->w);
    free(lines->held);
    vec_free(&lines->marks);
    vec_free(&lines->cases);
    vec_free(&lines->notes);
}

struct str import_lines_unmarked(struct str line) {
    bool marked = line.n >= 3 && memcmp(line.s, "\xef\xbb\xbf", 3) == 0;
    return marked ? (struct str){line.s + 3, line.n - 3} : line;
}

static void end_line(struct import_lines *lines, struct str line) {
    if (lines->number == 0)
        line = import_lines_unmarked(line);
    if (line.n > 0 && line.s[line.n - 1] == '\r')
        line.n--;
    lines->line = line;
    if (lines->too_long)
        import_lines_fault(lines, IMPORT_CUT, line.s, "longer than %zu bytes: left out",
                           IMPORT_LINES_MOST);
    const char *zero = lines->zeros || line.n == 0 ? NULL : memchr(line.s, '\0', line.n);
    if (zero) { /* the first of a hole may be within a line, and the last within a later one */
        lines->zeros = true;
        import_lines_fault(lines, IMPORT_SYNTAX, zero,
                           "a zero byte within a line: bytes are lost there");
    }
    lines->take(lines->ctx, line, lines->too_long);
    lines->too_long = false;
    lines->n = 0;
}

/* Keeps the first bytes of a line whose end has not come. */
static void hold(struct import_lines *lines, struct str part) {
    size_t fits = IMPORT_LINES_MOST - lines->n;
    if (lines->held == NULL)
        lines->held = err_malloc(IMPORT_LINES_MOST);
    lines->too_long |= part.n > fits;
    fits = part.n < fits ? part.n : fits;
    if (fits > 0)
        memcpy(lines->held + lines->n, part.s, fits);
    lines->n += fits;
}

void import_lines_step(struct import_lines *lines, struct str bytes, bool last) {
    lines->marks.n = lines->cases.n = 0;
    while (bytes.n > 0) {
        const char *end = memchr(bytes.s, '\n', bytes.n);
        struct str part = {bytes.s, end ? (size_t)(end - bytes.s) : bytes.n};
        bool whole = end && lines->n == 0 && part.n <= IMPORT_LINES_MOST;
        if (lines->n == 0 && !lines->too_long)
            lines->begin = lines->at;
        if (!whole)
            hold(lines, part);
        if (end) {
            end_line(lines, whole ? part : (struct str){lines->held, lines->n});
            lines->number++;
            part.n++;
        }
        lines->at += part.n;
        bytes = (struct str){bytes.s + part.n, bytes.n - part.n};
    }
    if (last && lines->n > 0)
        end_line(lines, (struct str){lines->held, lines->n});
    else if (last && lines->number > 0)
        lines->number--; /* marks from now on are of the last line */
}

static struct import_mark mark_of(const struct import_lines *lines) {
    return (struct import_mark){writer_offset(&lines->w), {lines->begin, lines->number, 0}};
}

void import_lines_mark(struct import_lines *lines) {
    vec_push(&lines->marks, mark_of(lines));
}

static __attribute__((format(printf, 5, 0))) void add_case(struct import_lines *lines,
                                                           enum import_fault kind,
                                                           const struct import_mark *at,
                                                           uint64_t column, const char *format,
                                                           va_list args) {
    struct import_case one = {kind, *at, NULL};
    if (kind == IMPORT_IGNORED || lines->faults++ < IMPORT_WHY) /* notes are few */
        one.why = event_write_why(at->source.line + 1, column + 1, format, args);
    vec_push(&lines->cases, one);
}

/* The byte of the line that a place is; 0: it is in another text. */
static uint64_t column_of(const struct import_lines *lines, const char *at) {
    uintptr_t place = (uintptr_t)at, line = (uintptr_t)lines->line.s;
    return place >= line && place - line <= lines->line.n ? place - line : 0;
}

void import_lines_fault(struct import_lines *lines, enum import_fault kind, const char *at,
                        const char *format, ...) {
    struct import_mark mark = mark_of(lines);
    va_list args;
    va_start(args, format);
    add_case(lines, kind, &mark, column_of(lines, at), format, args);
    va_end(args);
}

static __attribute__((format(printf, 3, 4))) void add_note(struct import_lines *lines,
                                                           const struct import_mark *at,
                                                           const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_case(lines, IMPORT_IGNORED, at, 0, format, args);
    va_end(args);
}

static void end_note(struct import_lines *lines, const struct import_note *note) {
    if (note->n > 1)
        add_note(lines, &note->first, "%s (%" PRIu64 " times)", note->text, note->n);
    else
        add_note(lines, &note->first, "%s", note->text);
}

void import_lines_note(struct import_lines *lines, const char *text) {
    size_t i = 0;
    while (i < lines->notes.n && lines->notes.v[i].text != text)
        i++;
    if (i == lines->notes.n)
        vec_push(&lines->notes, ((struct import_note){text, 0, mark_of(lines)}));
    lines->notes.v[i].n++;
}

struct import_news import_lines_news(struct import_lines *lines, bool last) {
    if (last && lines->w.moments == 0)
        import_lines_note(lines, "no events");
    for (size_t i = 0; last && i < lines->notes.n; i++)
        end_note(lines, &lines->notes.v[i]);
    return (struct import_news){.words = writer_take(&lines->w),
                                .marks = lines->marks.v,
                                .nmarks = lines->marks.n,
                                .cases = lines->cases.v,
                                .ncases = lines->cases.n};
}

struct writer_string import_lines_name(struct import_lines *lines, struct str text) {
    if (text.n > WRITER_STRING_MAX)
        import_lines_fault(lines, IMPORT_CUT, text.s, "a name of more than %d bytes: cut",
                           WRITER_STRING_MAX);
    text.n = text.n < WRITER_STRING_MAX ? text.n : WRITER_STRING_MAX;
    return text.n > IMPORT_LINES_NAME ? writer_inline(text) : writer_intern(&lines->w, text);
}

static bool says_nothing(struct str line) {
    size_t i = 0;
    while (i < line.n && (line.s[i] == ' ' || line.s[i] == '\t' || line.s[i] == '\r'))
        i++;
    return i == line.n || line.s[0] == '#';
}

enum import_sniff import_lines_sniff(struct str first, bool all,
                                     bool (*fits)(struct str line, bool cut)) {
    bool ended = all && first.n < IMPORT_SNIFF_MAX, full = first.n >= IMPORT_SNIFF_MAX;
    unsigned lines = 0, fit = 0;
    struct str rest = import_lines_unmarked(first);
    while (rest.n > 0 && lines < SNIFF_LINES && fit == (lines > 0)) {
        const char *end = memchr(rest.s, '\n', rest.n);
        if (end == NULL && !ended)
            break;
        struct str line = {rest.s, end ? (size_t)(end - rest.s) : rest.n};
        rest.s += line.n + (end != NULL);
        rest.n -= line.n + (end != NULL);
        if (line.n > 0 && line.s[line.n - 1] == '\r')
            line.n--;
        if (says_nothing(line))
            continue;
        lines++;
        fit += fits(line, end == NULL);
    }
    if (fit == 2 || (ended && fit == 1 && lines == 1))
        return IMPORT_YES;
    return all || full || fit < (lines > 0) || lines == SNIFF_LINES ? IMPORT_NO : IMPORT_MORE;
}
