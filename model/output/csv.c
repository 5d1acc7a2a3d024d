/* csv.c - slices as RFC 4180: CRLF, text always in quotes, what is not there empty.
 *
 * The format has no escapes, so controls and characters that deceive are spelled out as on the screen: ^J, <U+202E>. No
 * cell of a slice has a line break. Text that a spreadsheet would take for a formula gets an apostrophe before it. */
#include "model/output/ndjson.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "model/output/event_list.h"
#include "model/query/detail.h"
#include "model/trace/trace_internal.h"
#include "src/base/text.h"

/* What text_json() puts: runs as they are, and escapes, each in one piece. */
static void put(void *ctx, const char *s, size_t n) {
    FILE *out = ctx;
    unsigned hi, lo;
    if (s[0] != '\\')
        fwrite(s, 1, n, out);
    else if (n == 2)
        fputs(s[1] == '"' ? "\"\"" : "\\", out);
    else if (n == 12 && sscanf(s, "\\u%4x\\u%4x", &hi, &lo) == 2) // NOLINT(cert-err34-c): four digits always fit
        fprintf(out, "<U+%04X>", ((hi - 0xD800) << 10) + (lo - 0xDC00) + 0x10000);
    else if (sscanf(s, "\\u%4x", &lo) == 1 && (lo < 0x20 || lo == 0x7F)) // NOLINT(cert-err34-c)
        fprintf(out, "^%c", (int)(lo ^ 0x40));
    else
        fprintf(out, "<U+%04X>", lo);
}

static void guard(FILE *out, struct str s) {
    if (s.n > 0 && strchr("=+-@", s.s[0]) && s.s[0] != 0)
        putc('\'', out);
}

void export_csv_text(FILE *out, struct str s, const char *after) {
    putc('"', out);
    guard(out, s);
    text_json(s, put, out);
    putc('"', out);
    fputs(after, out);
}

void export_csv_lines(FILE *out, struct str s, const char *after) {
    const char *end;
    putc('"', out);
    guard(out, s);
    while (s.n > 0 && (end = memchr(s.s, '\n', s.n)) != NULL) {
        size_t n = (size_t)(end - s.s);
        text_json((struct str){s.s, n}, put, out);
        putc('\n', out);
        s = (struct str){s.s + n + 1, s.n - n - 1};
    }
    text_json(s, put, out);
    putc('"', out);
    fputs(after, out);
}

static void arguments(FILE *out, struct trace *trace, uint64_t offset, bool *any) {
    struct detail d;
    struct detail_argument a;
    char buf[64];
    if (offset == 0 || !detail_open(&d, trace, offset))
        return;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        fputs(*any ? "; " : "\"", out);
        if (!*any)
            guard(out, a.name.n > 0 ? a.name : STR("="));
        *any = true;
        text_json(a.name, put, out);
        putc('=', out);
        text_json(detail_value(&a, buf), put, out);
    }
}

static void thread_cells(FILE *out, struct trace *trace, const struct thread *t) {
    char buf[40];
    bool named;
    if (t->id.form == THREAD_PAIR)
        fprintf(out, "%" PRIu64, t->id.pid);
    putc(',', out);
    if (t->id.form != THREAD_UNDEFINED)
        fprintf(out, "%" PRIu64, t->id.tid);
    putc(',', out);
    struct str name = trace_thread_name(trace, t, buf, &named);
    if (named || t->id.form == THREAD_UNDEFINED)
        export_csv_text(out, name, "");
    putc(',', out);
    if (t->process != NO_PROCESS) {
        name = trace_process_name(trace, trace->processes.v[t->process], buf, &named);
        if (named)
            export_csv_text(out, name, "");
    }
    putc(',', out);
}

static void slice_row(FILE *out, struct trace *trace, const struct event_list_entry *e) {
    const struct slice *s = event_list_slice(trace, e);
    struct detail d;
    bool known = detail_open(&d, trace, e->offset), any = false;
    fprintf(out, "%" PRIu32 ",", e->id);
    if (e->parent)
        fprintf(out, "%" PRIu32, e->parent->id);
    putc(',', out);
    thread_cells(out, trace, trace->threads.v[e->thread]);
    export_csv_text(out, known ? d.category : STR(""), ",");
    export_csv_text(out, trace_name(trace, trace_packed_name(trace, s->a)), ",");
    fprintf(out, "%" PRId64 ",", e->time - trace_origin(trace));
    if (!slice_open(s))
        fprintf(out, "%" PRId64, slice_dur(s));
    fprintf(out, ",%" PRIu32 ",%s,", e->depth, slice_open(s) ? "true" : "false");
    arguments(out, trace, e->offset, &any);
    arguments(out, trace, nest_end_offset(&trace->slice_extra, s), &any);
    fputs(any ? "\"\r\n" : "\r\n", out);
}

bool export_csv(struct trace *trace, FILE *out) {
    struct event_list t;
    errno = 0;
    event_list_init(&t, trace, false);
    fputs("id,parent,pid,tid,thread,process,cat,name,ts,dur,depth,open,args\r\n", out);
    for (size_t i = 0; i < t.v.n; i++)
        slice_row(out, trace, t.order[i]);
    event_list_free(&t);
    return fflush(out) == 0 && !ferror(out);
}
