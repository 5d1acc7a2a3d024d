#include "ui/views/view_lists.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/query/detail.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "ui/drawer/drawer_text.h"
#include "ui/timeline/track_ops.h"
#include "ui/views/view.h"

#define LISTED 20000     /* lines of a kind: a page is made at once */
#define BLOB_SHOWN 65536 /* bytes of a blob */

static unsigned flags_of(const struct app *app) {
    return app->grid.ascii ? TEXT_ASCII : 0;
}

static void open_list(struct app *app, enum view view) {
    pager_clear(&app->views.pager);
    app->views.current = view;
    app->views.pager.choose = true;
}

static void more(struct app *app, size_t n) {
    if (n > LISTED)
        pager_add(&app->views.pager, false, 0, "  and %zu more: fxtop --export=ndjson prints all", n - LISTED);
}

/* "  name=value  name=value", safe, cut where it is very long. */
static void arguments(struct app *app, uint64_t offset, char text[400]) {
    struct detail d;
    struct detail_argument a;
    size_t n = 0;
    text[0] = 0;
    if (!detail_open(&d, app->trace, offset))
        return;
    struct fxt_arguments args = d.record.args;
    while (n < 300 && detail_argument(&d, &args, &a)) {
        char name[48], value[80], buf[64];
        text_plain(name, sizeof name, a.name, flags_of(app));
        text_plain(value, sizeof value, a.object.n > 0 ? a.object : detail_value(&a, buf), flags_of(app));
        n += (size_t)snprintf(text + n, 400 - n, "  %s=%s", name, value);
    }
}

static void thread_name(const struct app *app, uint32_t thread, char text[64]) {
    char buf[40];
    bool named;
    text_plain(text, 40, trace_thread_name(app->trace, trace_thread(app->trace, thread), buf, &named), flags_of(app));
}

/* ---- objects ---- */

static void object(struct app *app, const struct object *o, bool user) {
    char name[80], args[400], kind[24], whose[40] = "";
    text_plain(name, sizeof name, trace_name(app->trace, o->name), flags_of(app));
    arguments(app, o->offset, args);
    if (o->has_process)
        snprintf(whose, sizeof whose, "  process %" PRIu64, o->process);
    if (user) {
        pager_add(&app->views.pager, false, 0, "  0x%-18" PRIx64 " %s%s%s", o->koid, name, whose, args);
        return;
    }
    const char *type = fxt_object_name(o->type);
    snprintf(kind, sizeof kind, "type %u", o->type);
    pager_add(&app->views.pager, false, 0, "  %-20" PRIu64 " %-12s %s%s%s", o->koid, type ? type : kind, name, whose,
              args);
}

static void objects(struct app *app, const struct objects *list, bool user) {
    char count[32];
    pager_add(&app->views.pager, true, 0, "%s: %s", user ? "Userspace objects" : "Kernel objects",
              units_count(object_count(list), false, count));
    for (size_t i = 0; i < object_count(list) && i < LISTED; i++)
        object(app, object_at(list, i), user);
    more(app, object_count(list));
}

void show_objects(struct app *app) {
    open_list(app, VIEW_OBJECTS);
    objects(app, trace_kernel_objects(app->trace), false);
    objects(app, trace_user_objects(app->trace), true);
}

/* ---- blobs ---- */

static void blob_title(struct app *app, const struct blob *b, char text[200]) {
    char name[80], size[32], kind[24];
    const char *type = blob_kind(b->type);
    text_plain(name, sizeof name, trace_name(app->trace, b->name), flags_of(app));
    snprintf(kind, sizeof kind, "type %u", b->type);
    snprintf(text, 200, "%-32s %-12s %10s", name, type ? type : kind, units_bytes(b->bytes, size));
}

/* "  at +1.2 ms  main" of an event, or "". */
static const char *place(struct app *app, const struct blob *b, char text[120]) {
    char when[48], name[64];
    text[0] = 0;
    if (!b->is_event)
        return text;
    thread_name(app, b->thread, name);
    snprintf(text, 120, "  at %s  %s", session_point(app, b->time, session_resolution(app), when), name);
    return text;
}

void show_blobs(struct app *app) {
    const struct blobs *blobs = trace_blobs(app->trace);
    char text[200], where[120], args[400];
    open_list(app, VIEW_BLOBS);
    pager_add(&app->views.pager, true, 0, "Blobs: %zu", blob_count(blobs));
    for (size_t i = 0; i < blob_count(blobs) && i < LISTED; i++) {
        const struct blob *b = blob_at(blobs, i);
        char chunks[40] = "";
        blob_title(app, b, text);
        arguments(app, b->offset, args);
        if (blob_chunk_count(b) > 1)
            snprintf(chunks, sizeof chunks, "  %zu chunks", blob_chunk_count(b));
        pager_add(&app->views.pager, false, i + 1, "  %s%s%s%s", text, chunks, place(app, b, where), args);
    }
    more(app, blob_count(blobs));
    if (blob_count(blobs) > 0)
        pager_add(&app->views.pager, false, 0,
                  "Enter shows a blob, Enter again goes to its time; :w FILE writes it.");
}

static void text_lines(struct app *app, const char *s, size_t n) {
    while (n > 0) {
        const char *end = memchr(s, '\n', n);
        size_t length = end ? (size_t)(end - s) : n;
        char *line = text_dup((struct str){s, length}, flags_of(app));
        pager_wrap(&app->views.pager, app->grid.cols, 2, line);
        free(line);
        s += length + (end != NULL);
        n -= length + (end != NULL);
    }
}

static void show_blob(struct app *app, uint32_t i) {
    const struct blob *b = blob_at(trace_blobs(app->trace), i);
    char *bytes = err_malloc(BLOB_SHOWN);
    size_t n = blob_head(trace_reader(app->trace), trace_file(app->trace), b, bytes, BLOB_SHOWN);
    char text[200], left[96], where[120];
    pager_clear(&app->views.pager);
    app->views.current = VIEW_BLOB;
    app->views.blob = i;
    blob_title(app, b, text);
    pager_add(&app->views.pager, true, 0, "%s", text);
    if (b->is_event)
        pager_add(&app->views.pager, false, 0, "%s: Enter goes there", place(app, b, where));
    if (text_readable((struct str){bytes, n}))
        text_lines(app, bytes, n);
    else
        for (size_t at = 0; at < n; at += DRAWER_TEXT_HEX)
            pager_add(&app->views.pager, false, 0, "%s",
                      drawer_text_hex((struct str){bytes + at, n - at < DRAWER_TEXT_HEX ? n - at : DRAWER_TEXT_HEX}, at,
                                      left));
    if (n < b->bytes)
        pager_add(&app->views.pager, false, 0, "... and %s more: :w FILE writes all", units_bytes(b->bytes - n, left));
    free(bytes);
}

static bool put(void *ctx, const char *bytes, size_t n) {
    return fwrite(bytes, 1, n, ctx) == n;
}

static void write_to(struct app *app, const char *path, bool over) {
    const struct blobs *blobs = trace_blobs(app->trace);
    const struct pager_line *line =
        app->views.current == VIEW_BLOBS && app->views.pager.current < app->views.pager.lines.n
            ? &app->views.pager.lines.v[app->views.pager.current]
            : NULL;
    uint64_t i = app->views.current == VIEW_BLOB ? app->views.blob + UINT64_C(1) : line ? line->tag : 0;
    char safe[60], size[32];
    if (i == 0 || i > blob_count(blobs)) {
        session_say(app, true, "no blob selected: :blobs lists them");
        return;
    }
    text_plain(safe, sizeof safe, str_of(path), flags_of(app));
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (over ? O_TRUNC : O_EXCL), 0666);
    FILE *out = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (out == NULL) {
        session_say(app, true, errno == EEXIST ? "%s exists: :w! overwrites it" : "%s: %s", safe,
                strerror(errno));
        if (fd >= 0)
            close(fd);
        return;
    }
    bool whole = blob_read(trace_reader(app->trace), trace_file(app->trace), blob_at(blobs, i - 1), put, out),
         wrote = !ferror(out);
    wrote = fclose(out) == 0 && wrote;
    if (!wrote)
        session_say(app, true, "%s: %s", safe, strerror(errno));
    else if (!whole)
        session_say(app, true, "%s: the trace has only a part of it", safe);
    else
        session_say(app, false, "%s: %s written", safe, units_bytes(blob_at(blobs, i - 1)->bytes, size));
}

void view_blob_write(struct app *app, const char *path) {
    write_to(app, path, false);
}

void view_blob_write_over(struct app *app, const char *path) {
    write_to(app, path, true);
}

/* ---- profiler ---- */

static void whose(struct app *app, const struct occurrence *o, const struct detail *d, char text[64]) {
    if (o->thread == NO_THREAD)
        snprintf(text, 64, "process %" PRIu64, d->record.thread.pid);
    else
        thread_name(app, o->thread, text);
}

static void profile_line(struct app *app, const struct occurrence *o, uint64_t tag) {
    struct detail d;
    char when[48], who[64], name[80];
    if (!detail_open(&d, app->trace, o->at.offset) || d.record.kind != o->kind)
        return;
    const struct fxt_record *r = &d.record;
    whose(app, o, &d, who);
    session_point(app, o->at.time, session_resolution(app), when);
    if (o->kind == FXT_K_MODULE) {
        char id[80];
        size_t n = 0;
        for (size_t i = 0; i < r->module.build_id.n && n + 3 < sizeof id; i++)
            n += (size_t)snprintf(id + n, sizeof id - n, "%02x", (unsigned char)r->module.build_id.s[i]);
        id[n] = 0;
        text_plain(name, sizeof name, r->payload, flags_of(app));
        pager_add(&app->views.pager, false, tag, "  %14s  %-20s module %u %s  build id %s", when, who, r->module.id,
                  name, id);
    } else if (o->kind == FXT_K_MMAP) {
        pager_add(&app->views.pager, false, tag,
                  "  %14s  %-20s maps module %u %c%c%c  0x%" PRIx64 " + %" PRIu64 "  virtual 0x%" PRIx64, when, who,
                  r->mmap.module_id, r->mmap.flags & 1 ? 'r' : '-', r->mmap.flags & 2 ? 'w' : '-',
                  r->mmap.flags & 4 ? 'x' : '-', r->mmap.start, r->mmap.size, r->mmap.address);
    } else {
        char pcs[200];
        size_t n = 0;
        for (unsigned i = 0; i < r->backtrace.n && n + 20 < sizeof pcs; i++)
            n += (size_t)snprintf(pcs + n, sizeof pcs - n, " 0x%" PRIx64, record_word(r->backtrace.pcs + i, r->swap));
        pcs[n] = 0;
        pager_add(&app->views.pager, false, tag, "  %14s  %-20s backtrace of %u:%s", when, who, r->backtrace.n, pcs);
    }
}

void show_profile(struct app *app) {
    size_t n;
    const struct occurrence *v = trace_profile(app->trace, &n);
    open_list(app, VIEW_PROFILE);
    pager_add(&app->views.pager, true, 0, "Modules, mappings and backtraces: %zu", n);
    for (size_t i = 0; i < n && i < LISTED; i++)
        profile_line(app, &v[i], i + 1);
    more(app, n);
}

bool lists_record(const struct app *app, uint64_t *offset) {
    const struct pager *page = &app->views.pager;
    uint64_t tag = page->current < page->lines.n ? page->lines.v[page->current].tag : 0;
    const struct blobs *blobs = trace_blobs(app->trace);
    size_t n;
    const struct occurrence *profile = trace_profile(app->trace, &n);
    if (app->views.current == VIEW_BLOB && app->views.blob < blob_count(blobs))
        *offset = blob_at(blobs, app->views.blob)->offset;
    else if (app->views.current == VIEW_BLOBS && tag > 0 && tag <= blob_count(blobs))
        *offset = blob_at(blobs, tag - 1)->offset;
    else if (app->views.current == VIEW_PROFILE && tag > 0 && tag <= n)
        *offset = profile[tag - 1].at.offset;
    else
        return false;
    return true;
}

void show_listed(struct app *app, uint64_t tag) {
    size_t n;
    const struct occurrence *profile = trace_profile(app->trace, &n);
    if (app->views.current == VIEW_BLOB && app->views.blob < blob_count(trace_blobs(app->trace))) {
        const struct blob *b = blob_at(trace_blobs(app->trace), app->views.blob);
        struct selection selection = {&track_thread_instant, b->thread, 0, 0, b->time, b->offset};
        if (b->is_event && selection_find(app->trace, &selection))
            view_go(app, selection);
    } else if (app->views.current == VIEW_BLOBS && tag <= blob_count(trace_blobs(app->trace))) {
        show_blob(app, (uint32_t)(tag - 1));
    } else if (app->views.current == VIEW_PROFILE && tag <= n) {
        const struct occurrence *o = &profile[tag - 1];
        view_go(app, (struct selection){&track_profile_record, 0, 0, (uint32_t)(tag - 1), o->at.time, o->at.offset});
    }
}
