/* import_whole.c - keeps a source, and the records that are made of it in parts. */
#include "src/import/import_whole.h"

#include <stdarg.h>
#include <stdio.h>

#include "src/import/chrome/event_write.h"
#include "src/io/memory.h"

#define UNKNOWN_MEMORY (UINT64_C(1) << 31) /* bytes, if the system does not say */
#define SECOND 1000000000
#define NAME_MOST 1024 /* bytes of a name that is registered */

static void mark(void *ctx, const struct import_place *source) {
    import_whole_mark(ctx, source->byte);
}

static void fault(void *ctx, enum import_fault kind, const struct import_place *source,
                  const char *sentence) {
    import_whole_fault(ctx, kind, source->byte, "%s", sentence);
}

static void note_zero(void *whole, uint64_t at) {
    import_whole_fault(whole, IMPORT_SYNTAX, at, JSON_SCAN_ZEROS);
}

void import_whole_init(struct import_whole *whole) {
    whole->pull.scan.zero = note_zero;
    whole->pull.scan.zero_ctx = whole;
    writer_init(&whole->w, NULL);
    writer_magic(&whole->w); /* a source that grows is opened once there are words */
    whole->made_tid = SAMPLES_MADE_TID;
    whole->most = import_whole_memory();
    whole->samples =
        samples_new((struct samples_out){&whole->w, &whole->made_tid, whole, mark, fault});
    samples_event(whole->samples, STR("samples"));
}

void import_whole_free(struct import_whole *whole) {
    samples_free(whole->samples);
    json_pull_free(&whole->pull);
    writer_free(&whole->w);
    vec_free(&whole->marks);
    vec_free(&whole->cases);
}

uint64_t import_whole_memory(void) {
    uint64_t free = memory_free();
    return free < UINT64_MAX ? free / 2 : UNKNOWN_MEMORY;
}

bool import_whole_take(struct import_whole *whole, struct str bytes, bool last) {
    whole->marks.n = whole->cases.n = 0;
    if (whole->reads)
        return true;
    bool full = bytes.n > whole->most - json_pull_size(&whole->pull);
    if (!full)
        json_pull_add(&whole->pull, bytes);
    whole->reads = full || last || whole->hurried;
    if (full)
        import_whole_fault(whole, IMPORT_CUT, json_pull_size(&whole->pull),
                           "the rest is left out: too little memory");
    if (whole->reads && !whole->clocked)
        writer_init_record(&whole->w, SECOND);
    return whole->reads;
}

void import_whole_hurry(struct import_whole *whole) {
    whole->hurried = json_pull_size(&whole->pull) > 0;
}

struct import_news import_whole_news(struct import_whole *whole, bool more) {
    if (whole->done && whole->w.moments == 0 && !whole->told) {
        whole->told = true;
        import_whole_fault(whole, IMPORT_IGNORED, 0, "no events");
    }
    return (struct import_news){.words = writer_take(&whole->w),
                                .marks = whole->marks.v,
                                .nmarks = whole->marks.n,
                                .cases = whole->cases.v,
                                .ncases = whole->cases.n,
                                .held = whole->reads ? 0 : json_pull_size(&whole->pull),
                                .more = more};
}

/* The last byte, if it is beyond. */
static struct import_place place(struct import_whole *whole, uint64_t at) {
    size_t n = json_pull_size(&whole->pull);
    return json_pull_place(&whole->pull, at >= n && n > 0 ? n - 1 : at);
}

bool import_whole_document(struct import_whole *whole) {
    struct json_pull *pull = &whole->pull;
    char buf[EVENT_QUOTED];
    while (json_pull_top(pull)) {
        if (json_pull_enter(pull, JSON_OBJECT))
            return true;
        import_whole_fault(whole, IMPORT_SYNTAX, pull->token.at, "expected an object, not %s",
                           event_write_quoted(pull->token.text, buf));
    }
    if (!pull->fault || whole->lost)
        return false;
    whole->lost = true;
    if (pull->truncated)
        import_whole_fault(whole, IMPORT_TRUNCATED, json_pull_size(pull),
                           "the source ends within a value");
    else
        import_whole_fault(whole, IMPORT_SYNTAX, pull->token.at, "expected a value, not %s",
                           event_write_quoted(pull->token.text, buf));
    return false;
}

void import_whole_mark(struct import_whole *whole, uint64_t at) {
    vec_push(&whole->marks, ((struct import_mark){writer_offset(&whole->w), place(whole, at)}));
}

void import_whole_fault(struct import_whole *whole, enum import_fault kind, uint64_t at,
                        const char *format, ...) {
    struct import_place where = place(whole, at);
    struct import_case one = {kind, {writer_offset(&whole->w), where}, NULL};
    va_list args;
    va_start(args, format);
    if (whole->faults++ < IMPORT_WHY)
        one.why = event_write_why(where.line + 1, where.column + 1, format, args);
    va_end(args);
    vec_push(&whole->cases, one);
}

struct writer_string import_whole_text(struct import_whole *whole, struct str text) {
    text.n = (size_t)str_head(text, WRITER_STRING_MAX / 4);
    return text.n > NAME_MOST ? writer_inline(text) : writer_intern(&whole->w, text);
}

void import_whole_process(struct import_whole *whole, uint64_t pid, struct str name) {
    name.n = (size_t)str_head(name, NAME_MOST);
    writer_kernel_object(&whole->w, FXT_OBJECT_PROCESS, pid, writer_intern(&whole->w, name),
                         (struct writer_arguments){NULL, 0});
}

void import_whole_thread(struct import_whole *whole, uint64_t pid, uint64_t tid, struct str name) {
    name.n = (size_t)str_head(name, NAME_MOST);
    struct writer_argument process =
        writer_number(FXT_ARG_KOID, writer_intern(&whole->w, STR("process")), pid);
    writer_kernel_object(&whole->w, FXT_OBJECT_THREAD, tid, writer_intern(&whole->w, name),
                         (struct writer_arguments){&process, 1});
}
