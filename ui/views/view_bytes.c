/* view_bytes.c - words at the left, what they mean beside them, or below them where the screen is narrow. */
#include "ui/views/view_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/dissect.h"
#include "model/trace/trace_problems.h"
#include "src/base/text.h"
#include "ui/show.h"
#include "ui/views/view.h"
#include "ui/views/view_lists.h"

#define WIDE 96         /* columns, from which on fields stand beside words */
#define WORDS_SHOWN 8   /* of a stream */
#define VALUE_LINES 200 /* of one value */
#define RANGE 9         /* columns of "[16..19] " */
#define NAME 20         /* of a field's name */

struct dump {
    struct app *app;
    struct dissection a;
    bool wide;
    int digits; /* of an offset */
    int indent; /* where fields begin */
};

struct words {                       /* at the left of the lines to come */
    uint64_t next, end, hidden_from; /* words of the record; from hidden_from on they are counted */
};

static struct pager_line *last_line(struct dump *d) {
    return &d->app->views.pager.lines.v[d->app->views.pager.lines.n - 1];
}

/* "000058  0002000101120044  D......." of the next word, or blanks. */
static void left_side(struct dump *d, struct words *w, char out[80]) {
    uint64_t at = d->a.offset + w->next * 8;
    size_t n;
    unsigned char bytes[9];
    *out = 0;
    if (w->next < w->end && w->next < w->hidden_from) {
        const uint64_t *word = file_span(trace_file(d->app->trace), at, 8, &n);
        if (word && n >= 8) {
            uint64_t raw = record_word(word, false), stored = record_order(raw, false);
            memcpy(bytes, &stored, 8);
            for (int i = 0; i < 8; i++)
                bytes[i] = bytes[i] >= 0x20 && bytes[i] < 0x7f ? bytes[i] : '.';
            bytes[8] = 0;
            snprintf(out, 80, "%0*" PRIx64 " %016" PRIx64 " %s", d->digits, at,
                     reader_big_endian(trace_reader(d->app->trace)) ? record_swap(raw) : raw, (char *)bytes);
        } else if (word) {
            char hex[17] = "", ascii[9] = "";
            for (size_t i = 0; i < n; i++) {
                unsigned char c = ((const unsigned char *)word)[i];
                snprintf(hex + i * 2, 3, "%02x", c);
                ascii[i] = c >= 0x20 && c < 0x7f ? (char)c : '.';
            }
            snprintf(out, 80, "%0*" PRIx64 " %-16s %s", d->digits, at, hex, ascii);
        }
        w->next++;
    } else if (w->next < w->end) {
        uint64_t bytes_left = (w->end - w->next) * 8;
        snprintf(out, 80, "%*s... %" PRIu64 " more bytes", d->digits + 1, "", bytes_left);
        w->next = w->end;
    }
}

static bool words_left(const struct words *w) {
    return w->next < w->end;
}

/* One line of the right side, behind what is left of the words. */
static void line(struct dump *d, struct words *w, bool warn, const char *text) {
    char left[80] = "";
    if (d->wide)
        left_side(d, w, left);
    pager_add(&d->app->views.pager, false, 0, "%-*s%s", d->indent, left, text);
    last_line(d)->warn = warn;
}

/* The bytes of text that fit into `room` columns, at least one character; text is safe already. */
static size_t fitting(const char *text, int room) {
    struct str s = {text, strnlen(text, 320)}; /* room for the last character, with its marks, that begins before 300 */
    struct text t = text_begin(s, 0);
    struct glyph glyph;
    size_t n = 0;
    for (int width = 0; n < 300 && text_next(&t, &glyph);) {
        width += glyph.width;
        if (n > 0 && width > room)
            break;
        if (t.pending_at >= t.pending_n)
            n = s.n - t.rest.n;
    }
    return n;
}

/* Text from the column of values on; `first` stands before its first line. */
static void lines(struct dump *d, struct words *w, bool warn, const char *first, const char *text) {
    char out[480];
    int lead = RANGE + NAME, room = d->app->grid.cols - 2 - d->indent - lead;
    if (room < 16) {
        lead = 4;
        room = d->app->grid.cols - 2 - d->indent - lead;
        line(d, w, warn, first);
        first = "";
    }
    if (room < 8)
        room = 8;
    for (int n = 0; n == 0 || *text; n++) {
        size_t part = fitting(text, room);
        if (n == VALUE_LINES) {
            snprintf(out, sizeof out, "%*s... %zu more bytes", lead, "", strlen(text));
            line(d, w, warn, out);
            return;
        }
        if (text[part]) { /* not within a word, if that is not too long */
            size_t blank = part;
            while (blank > part / 2 && text[blank] != ' ')
                blank--;
            if (text[blank] == ' ')
                part = blank + 1;
        }
        snprintf(out, sizeof out, "%-*s%.*s", lead, n == 0 ? first : "", (int)part, text);
        line(d, w, warn, out);
        text += part;
    }
}

/* raw -> value (note) */
static char *field_text(const struct dissection *a, const struct dissect_field *f) {
    char *out = NULL;
    size_t n = 0;
    const char *q = f->quoted ? "\"" : "";
    FILE *m = open_memstream(&out, &n);
    if (m == NULL)
        err_no_memory();
    if (f->raw)
        fputs(dissect_text(a, f->raw), m);
    if (!f->elsewhere && f->value)
        fprintf(m, "%s%s%s%s", f->raw ? " -> " : "", q, dissect_text(a, f->value), q);
    if (f->note)
        fprintf(m, " (%s)", dissect_text(a, f->note));
    if (fclose(m) != 0)
        err_no_memory();
    return out;
}

static void field(struct dump *d, struct words *w, const struct dissect_field *f) {
    char range[24], first[80], why[120], sign[8];
    if (f->unit == DISSECT_BITS)
        snprintf(range, sizeof range, "[%u..%u]", (unsigned)(f->bit % 64), (unsigned)((f->bit + f->bits - 1) % 64));
    else
        snprintf(range, sizeof range, "%s", f->unit == DISSECT_STREAM ? "stream" : f->bits == 64 ? "word" : "words");
    snprintf(first, sizeof first, "%-*s%-*s", RANGE, range, NAME, f->name);
    char *text = field_text(&d->a, f);
    lines(d, w, f->why != NULL, first, text);
    free(text);
    if (f->why) {
        sign[text_utf8(grid_glyph(&d->app->grid, GLYPH_WARN), sign)] = 0;
        snprintf(why, sizeof why, "%s %s", sign, f->why);
        lines(d, w, true, "", why);
    }
}

/* Fields are taken together by the words that they are in; left and right sides of a group are as long as they are. */
static void fields(struct dump *d) {
    const struct dissection *a = &d->a;
    for (size_t i = 0, j; i < a->v.n; i = j) {
        uint64_t from = a->v.v[i].bit / 64, end = from;
        for (j = i; j < a->v.n; j++) {
            const struct dissect_field *f = &a->v.v[j];
            uint64_t to = (f->bit + f->bits + 63) / 64;
            if (f->bits > 0 && f->bit / 64 >= end && j > i)
                break;
            end = to > end ? to : end;
        }
        struct words w = {from, end, end - from > WORDS_SHOWN + 1 ? from + WORDS_SHOWN : end};
        char left[80];
        while (!d->wide && words_left(&w)) {
            left_side(d, &w, left);
            pager_add(&d->app->views.pager, false, 0, "%s", left);
        }
        for (size_t k = i; k < j; k++)
            field(d, &w, &a->v.v[k]);
        while (words_left(&w))
            line(d, &w, false, "");
    }
}

static void add_warning(struct dump *d, const char *text) {
    char sign[8];
    sign[text_utf8(grid_glyph(&d->app->grid, GLYPH_WARN), sign)] = 0;
    pager_add(&d->app->views.pager, false, 0, "%s %s", sign, text);
    last_line(d)->warn = true;
}

static void faults(struct dump *d) {
    char text[300];
    size_t n = 0;
    for (int i = 1; i < DISSECT_FAULTS; i++)
        if (d->a.faults & 1u << i)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "",
                                  dissect_fault_name((enum dissect_fault)i));
    if (n > 0)
        add_warning(d, text);
}

/* label: "begin: ", or "". */
static void record(struct app *app, const char *label, uint64_t offset) {
    struct dump d = {.app = app, .wide = app->grid.cols >= WIDE};
    unsigned flags = app->grid.ascii ? TEXT_ASCII : 0;
    struct dissect_place place = {trace_reader(app->trace), app->trace, flags};
    offset -= offset % 8;
    if (!dissect_open(&d.a, &place, offset)) {
        pager_add(&app->views.pager, true, 0, "%snothing at byte %" PRIu64 ": the trace ends there", label, offset);
        dissect_free(&d.a);
        return;
    }
    const char *kind =
        d.a.frame == FRAME_RECORD || d.a.frame == FRAME_CUT ? fxt_kind_name((enum fxt_kind)d.a.kind) : "no record";
    pager_add(&app->views.pager, true, 0, "%s%s%s at byte %" PRIu64 " (0x%" PRIx64 "), %" PRIu64 " bytes", label,
              d.a.frame == FRAME_CUT ? "cut " : "", kind, offset, offset, d.a.size);
    if (!d.a.provider->implicit) {
        char name[200];
        text_plain(name, sizeof name, d.a.provider->name, flags | TEXT_TRACK);
        pager_add(&app->views.pager, false, 0, "provider %s (%" PRIu32 ")", name, d.a.provider->id);
    }
    faults(&d);
    d.digits = snprintf(NULL, 0, "%" PRIx64, offset + d.a.bytes);
    if (d.digits < 6)
        d.digits = 6;
    d.indent = d.wide ? d.digits + 28 : 4;
    fields(&d);
    dissect_free(&d.a);
}

/* ---- which ---- */

static void open_page(struct app *app) {
    pager_clear(&app->views.pager);
    app->views.current = VIEW_BYTES;
}

/* tag: that of the line of the list of problems; the view's first line keeps it for the way back to the list. */
static void show_problem(struct app *app, uint64_t tag) {
    bool listed = app->views.current == VIEW_PROBLEMS;
    uint64_t kind = tag >> 32, i = (tag & UINT32_MAX) - 1;
    const struct problem *p = kind < PROBLEM_KINDS ? &trace_problems(app->trace)->kinds[kind] : NULL;
    if (p == NULL || i >= problem_case_count(p)) {
        session_say(app, false, "select a problem with a byte offset");
        return;
    }
    struct problem one = {.count = 1, .first_offset = problem_case(p, i)->offset, .detail = problem_case(p, i)->detail};
    char buf[96];
    open_page(app);
    const char *message =
        one.first_offset == p->first_offset ? problem_message((enum problem_kind)kind, &one, buf) : "";
    pager_add(&app->views.pager, true, listed ? tag : 0, "%s%s%s", problem_name((enum problem_kind)kind),
              *message ? ": " : "", message);
    record(app, "", one.first_offset);
}

static void show_pick(struct app *app) {
    const struct slice *s =
        selection_is_named(&app->timeline.selection)
            ? session_slice(app)
            : NULL;
    uint64_t end = s ? slice_extra_end_offset(trace_slice_extra(app->trace), s) : 0;
    open_page(app);
    record(app, end ? "begin: " : "", app->timeline.selection.offset);
    if (end != 0) {
        pager_add(&app->views.pager, false, 0, "%s", "");
        record(app, "end: ", end);
    }
}

/* Back to a list, on its line. */
static void reopen(struct app *app) {
    size_t line = app->views.bytes_line;
    if (app->views.bytes_back == VIEW_BLOBS || app->views.bytes_back == VIEW_BLOB)
        show_blobs(app);
    else if (app->views.bytes_back == VIEW_PROFILE)
        show_profile(app);
    else
        app->views.current = app->views.bytes_back;
    if (app->views.bytes_back != VIEW_BLOB && line < app->views.pager.lines.n)
        app->views.pager.current = line;
}

void bytes_close(struct app *app) {
    uint64_t tag = app->views.pager.lines.n > 0 ? app->views.pager.lines.v[0].tag : 0;
    if (tag == 0) {
        reopen(app);
        return;
    }
    show_problems(app);
    for (size_t i = 0; i < app->views.pager.lines.n; i++) /* a heading and its first case have the same tag */
        if (app->views.pager.lines.v[i].tag == tag)
            app->views.pager.current = i;
    pager_move(&app->views.pager, 0, app->grid.rows > 3 ? app->grid.rows - 3 : 1);
}

void bytes_show(struct app *app) {
    const struct pager *page = &app->views.pager;
    uint64_t offset;
    if (app->views.current == VIEW_BYTES) {
        bytes_close(app);
        return;
    }
    app->views.bytes_back = view_is_table(app) || lists_record(app, &offset) ? app->views.current : VIEW_TIMELINE;
    app->views.bytes_line = page->current;
    if (view_record(app, &offset) || lists_record(app, &offset)) {
        open_page(app);
        record(app, "", offset);
    } else if (view_is_table(app)) {
        session_say(app, false, "this row is not a record: Enter opens it");
    } else if (app->views.current == VIEW_PROBLEMS)
        show_problem(app, page->current < page->lines.n ? page->lines.v[page->current].tag : 0);
    else if (app->views.current == VIEW_TIMELINE && app->find.problem_tag)
        show_problem(app, app->find.problem_tag);
    else if (!selection_any(&app->timeline.selection))
        session_say(app, false, "nothing selected: h, l or Enter selects");
    else
        show_pick(app);
}
