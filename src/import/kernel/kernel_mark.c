/* kernel_mark.c - slices, counters and operations from marks, and instants from any other text.
 *
 * A name may hold bars: that of B goes to the end of the line, that of C and S to a number. */
#include "src/import/kernel/kernel_mark.h"

#include "src/import/chrome/event_write.h"
#include "src/import/json/json_read.h"

#define ATRACE STR("atrace")
#define SYNC STR("trace_event_clock_sync: realtime_ts=")

/* Takes the text up to the next bar, and the bar. False: there is none. */
static bool take_part(struct str *text, struct str *part) {
    const char *bar = text->n > 0 ? memchr(text->s, '|', text->n) : NULL;
    if (bar == NULL)
        return false;
    *part = (struct str){text->s, (size_t)(bar - text->s)};
    *text = (struct str){bar + 1, text->n - part->n - 1};
    return true;
}

static bool is_number(struct str text) {
    int64_t whole;
    double number;
    return json_read_i64(text, &whole) || json_read_double(text, &number);
}

/* Takes the last part that is a number. Text of HarmonyOS follows it (`|M62|...`), or it has a
 * blank before it. False: there is none; the text is as it was then. */
static bool take_number(struct str *text, struct str *part) {
    struct str left = *text;
    for (size_t end = text->n, i = end; i > 0; end = i - 1, i = end) {
        while (i > 0 && left.s[i - 1] != '|' && !(end == text->n && left.s[i - 1] == ' '))
            i--;
        *part = (struct str){left.s + i, end - i};
        if (i > 0 && is_number(*part)) {
            text->n = i - 1;
            return true;
        }
        if (i == 0)
            break;
    }
    return false;
}

static bool counter(struct kernel_events *k, const struct kernel_event *e, uint64_t pid,
                    struct str text) {
    struct str value;
    int64_t whole;
    double number;
    if (!take_number(&text, &value))
        return false;
    struct writer_string name = writer_intern(&k->lines->w, STR("value"));
    struct writer_argument arg;
    if (json_read_i64(value, &whole))
        arg = writer_number(FXT_ARG_INT64, name, (uint64_t)whole);
    else if (json_read_double(value, &number))
        arg = writer_double(name, number);
    else
        return false;
    struct writer_event w = {.ts = e->ts,
                             .thread = kernel_events_thread_in(k, e, pid),
                             .category = writer_intern(&k->lines->w, ATRACE),
                             .name = kernel_events_name(k, text),
                             .args = {&arg, 1}};
    import_lines_mark(k->lines);
    writer_counter(&k->lines->w, &w, 0);
    return true;
}

/* track: of G and H, or empty. Their cookies belong to the track, which is the category so. */
static bool operation(struct kernel_events *k, const struct kernel_event *e, uint64_t pid,
                      bool begins, struct str track, struct str text) {
    struct str cookie;
    int64_t id;
    if (track.n > 0 && json_read_i64(text, &id)) /* H|pid|track|cookie has no name */
        text.n = 0;
    else if (!take_number(&text, &cookie) || !json_read_i64(cookie, &id))
        return false;
    struct writer_argument arg =
        writer_text(writer_intern(&k->lines->w, STR("track")), kernel_events_name(k, track));
    struct writer_event w = {.ts = e->ts,
                             .thread = kernel_events_thread_in(k, e, pid),
                             .category = kernel_events_name(k, track.n > 0 ? track : ATRACE),
                             .name = kernel_events_name(k, text),
                             .args = {&arg, track.n > 0 && begins}};
    import_lines_mark(k->lines);
    writer_async(&k->lines->w, begins ? FXT_ASYNC_BEGIN : FXT_ASYNC_END, &w, (uint64_t)id);
    return true;
}

static void instant(struct kernel_events *k, const struct kernel_event *e, struct str track,
                    struct str name) {
    struct writer_argument arg =
        writer_text(writer_intern(&k->lines->w, STR("track")), kernel_events_name(k, track));
    kernel_events_instant(k, e, ATRACE, name, (struct writer_arguments){&arg, track.n > 0});
}

/* A mark whose process is known. False: it is none. */
static bool take_mark(struct kernel_events *k, const struct kernel_event *e, char kind,
                      uint64_t pid, struct str text) {
    struct str track = {"", 0};
    switch (kind) {
    case 'B':
        kernel_events_begin(k, e, ATRACE, text);
        return true;
    case 'E':
        kernel_events_finish(k, e, ATRACE);
        return true;
    case 'C':
        return counter(k, e, pid, text);
    case 'G':
    case 'H':
        return take_part(&text, &track) && track.n > 0 &&
               operation(k, e, pid, kind == 'G', track, text);
    case 'S':
    case 'F':
        return operation(k, e, pid, kind == 'S', track, text);
    case 'N':
        if (!take_part(&text, &track))
            return false;
        /* fall through */
    case 'I':
        instant(k, e, track, text);
        return true;
    default:
        return false;
    }
}

/* `B|123|...`, `E|123`: reads the process and what follows it. */
static bool read_pid(struct str text, uint64_t *pid, struct str *rest) {
    struct str part;
    *rest = (struct str){text.s + 2, text.n - 2};
    if (take_part(rest, &part))
        return json_read_u64(part, pid);
    part = *rest;
    *rest = (struct str){"", 0};
    return text.s[0] == 'E' && json_read_u64(part, pid);
}

void kernel_mark(struct kernel_events *k, struct kernel_event *e, struct str text) {
    struct str rest, sync = SYNC;
    uint64_t pid;
    bool bar = text.n >= 2 && text.s[1] == '|';
    while (text.n > 0 && text.s[text.n - 1] == ' ')
        text.n--;
    if (str_eq(text, STR("E")) || str_eq(text, STR("E|"))) {
        kernel_events_finish(k, e, ATRACE);
        return;
    }
    if (bar && read_pid(text, &pid, &rest) && strchr("BECSFGHIN", text.s[0])) {
        if (e->tid != 0 && e->thread->pid == KERNEL_NO_PID)
            kernel_threads_is_of(&k->threads, e->thread, pid);
        if (take_mark(k, e, text.s[0], pid, rest))
            return;
    }
    if (bar && strchr("BECSFGHIN", text.s[0])) {
        char buf[EVENT_QUOTED];
        import_lines_fault(k->lines, IMPORT_FIELD, e->at, "a mark without what it needs: %s",
                           event_write_quoted(text, buf));
    }
    if (text.n > sync.n && memcmp(text.s, sync.s, sync.n) == 0)
        import_lines_note(k->lines, "realtime_ts is the wall clock at its line, in ms since 1970");
    kernel_events_instant(k, e, e->category, text, (struct writer_arguments){NULL, 0});
}
