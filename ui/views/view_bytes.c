/* view_bytes.c - X: the words of a record at the left, their fields at the right, or below them on
 * a narrow screen.
 *
 * A dissection (model/query/dissect.h) lists the fields in the order of their bits. Fields that
 * share words form a group; left and right side of a group are as long as the longer of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/query/dissect.h"
#include "src/base/text.h"
#include "ui/screen/wrap.h"
#include "ui/views/view_page.h"

#define WIDE 96         /* columns, from which on fields are at the right of words */
#define WORDS_SHOWN 8   /* of a stream */
#define VALUE_LINES 200 /* of one value, at most */
#define LINE_BYTES 320  /* of a line, at most */
#define RANGE 9         /* columns of "[16..19] " */
#define NAME 20         /* columns of a field's name */

struct dump {
    struct app *app;
    struct pager *pager;
    struct dissection a;
    bool wide;
    int digits; /* of an offset */
    int indent; /* column at which fields begin */
};

struct words { /* at the left of the next lines */
    /* words of the record; those from hidden_from on are only counted */
    uint64_t next, end, hidden_from;
};

static struct pager_line *last_line(struct dump *d) {
    return &d->pager->lines.v[d->pager->lines.n - 1];
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
                     reader_big_endian(trace_reader(d->app->trace)) ? record_swap(raw) : raw,
                     (char *)bytes);
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

/* One line of the right side, after the next word. */
static void line(struct dump *d, struct words *w, bool warn, const char *text) {
    char left[80] = "";
    if (d->wide)
        left_side(d, w, left);
    pager_add(d->pager, false, 0, "%-*s%s", d->indent, left, text);
    last_line(d)->warn = warn;
}

/* Text from the column of values on, with `first` before its first line. */
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
        struct str head = {text, strnlen(text, LINE_BYTES)};
        size_t part = wrap_fit(head, (size_t)room, 0, WRAP_HALF);
        while (head.n == LINE_BYTES && part > 1 && ((unsigned char)text[part] & 0xc0) == 0x80)
            part--; /* not inside a character */
        if (n == VALUE_LINES) {
            snprintf(out, sizeof out, "%*s... %zu more bytes", lead, "", strlen(text));
            line(d, w, warn, out);
            return;
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
        snprintf(range, sizeof range, "[%u..%u]", (unsigned)(f->bit % 64),
                 (unsigned)((f->bit + f->bits - 1) % 64));
    else if (f->unit == DISSECT_STREAM)
        snprintf(range, sizeof range, "stream");
    else
        snprintf(range, sizeof range, "%s", f->bits == 64 ? "word" : "words");
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

/* Group by group of fields that share words. */
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
            pager_add(d->pager, false, 0, "%s", left);
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
    pager_add(d->pager, false, 0, "%s %s", sign, text);
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
static void record(struct view *view, const char *label, uint64_t offset) {
    struct app *app = view->app;
    struct dump d = {.app = app, .pager = view_page_pager(view), .wide = app->grid.cols >= WIDE};
    unsigned flags = app->grid.ascii ? TEXT_ASCII : 0;
    struct dissect_place place = {trace_reader(app->trace), app->trace, flags};
    offset -= offset % 8;
    if (!dissect_open(&d.a, &place, offset)) {
        pager_add(d.pager, true, 0, "%snothing at byte %" PRIu64 ": the trace ends there", label,
                  offset);
        dissect_free(&d.a);
        return;
    }
    const char *kind = d.a.frame == FRAME_RECORD || d.a.frame == FRAME_CUT
                           ? fxt_kind_name((enum fxt_kind)d.a.kind)
                           : "no record";
    pager_add(d.pager, true, 0, "%s%s%s at byte %" PRIu64 " (0x%" PRIx64 "), %" PRIu64 " bytes",
              label, d.a.frame == FRAME_CUT ? "cut " : "", kind, offset, offset, d.a.size);
    struct import_place source;
    const struct file *file = trace_file(d.app->trace);
    if (file_import_source(file, offset, &source))
        pager_add(d.pager, false, 0, "%smade from %s at byte %" PRIu64, label, file_imported(file),
                  source.byte);
    if (!d.a.provider->implicit) {
        char name[200];
        text_plain(name, sizeof name, d.a.provider->name, flags | TEXT_TRACK);
        pager_add(d.pager, false, 0, "provider %s (%" PRIu32 ")", name, d.a.provider->id);
    }
    faults(&d);
    d.digits = snprintf(NULL, 0, "%" PRIx64, offset + d.a.bytes);
    if (d.digits < 6)
        d.digits = 6;
    d.indent = d.wide ? d.digits + 28 : 4;
    fields(&d);
    dissect_free(&d.a);
}

/* ---- the view ---- */

struct bytes {
    struct view_page page;
    struct view_record shown;
};

static void fill(struct view *view) {
    struct bytes *bytes = view->state;
    const struct view_record *shown = &bytes->shown;
    struct pager *pager = &bytes->page.pager;
    if (shown->heading[0])
        pager_add(pager, true, 0, "%s", shown->heading);
    record(view, shown->end ? "begin: " : "", shown->offset);
    if (shown->end == 0)
        return;
    pager_add(pager, false, 0, "%s", "");
    record(view, "end: ", shown->end);
}

static void *make(struct view *view) {
    struct bytes *bytes = err_calloc(1, sizeof *bytes);
    (void)view;
    bytes->page.fill = fill;
    return bytes;
}

/* Shows the record of the current row of the view in which X was pressed, else of the timeline's
 * selection. X in the view itself closes it. */
static bool open(struct view *view) {
    struct app *app = view->app;
    struct bytes *bytes = view->state;
    struct view *from = app->views.current;
    struct view_record shown;
    if (from == view) {
        view_leave(app);
        return false;
    }
    if (!view_record(&app->views, &shown))
        return false;
    bytes->shown = shown;
    view->back = from->ops->record ? from : NULL;
    return view_page_open(view);
}

/* Offsets of another trace mean nothing. */
static bool update(struct view *view, bool renewed) {
    return !renewed && view_page_update(view, false);
}

const struct view_ops view_bytes = {
    .title = "[X Bytes]",
    .modes = MODE_TEXT,
    .make = make,
    .free = view_page_free,
    .open = open,
    .draw = view_page_draw,
    .resize = view_page_resize,
    .update = update,
    .pointer = view_page_pointer,
    .find = view_page_find,
};
