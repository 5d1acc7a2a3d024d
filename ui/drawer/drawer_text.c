#include "ui/drawer/drawer_text.h"

#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "src/base/units.h"

#define BLOB_SHOWN 4096  /* bytes of an argument */
#define VALUE_LINES 2000 /* of one value: 32,000 bytes as escapes on 20 columns */

bool pane_visible(const struct pane *p) {
    return p->line >= p->app->drawer_scroll && p->line < p->app->drawer_scroll + p->rows;
}

static int row_of(const struct pane *p) {
    return p->y + p->line - p->app->drawer_scroll;
}

void pane_next_line(struct pane *p) {
    p->line++;
    p->x = 1;
}

void pane_glyph(struct pane *p, enum role role, uint32_t cp) {
    if (pane_visible(p) && p->x < p->app->grid.cols)
        grid_put(&p->app->grid, p->x, row_of(p), cp, style_look(role));
    p->x++;
}

static unsigned flags_of(const struct app *app) {
    return app->grid.ascii ? TEXT_ASCII : 0;
}

static bool is_digit(uint32_t cp) {
    return cp >= '0' && cp <= '9';
}

/* Columns up to the next blank, or up to more than `most`. A number takes its unit along. */
static int word_width(struct text t, int most) {
    struct glyph glyph;
    uint32_t before = 0;
    int x = 0, width = 0;
    while (x <= most && text_next(&t, &glyph)) {
        if (before == ' ' ? glyph.cp[0] <= '9' : glyph.cp[0] == ' ' && !is_digit(before))
            break;
        before = glyph.cp[0];
        x += glyph.width;
        if (before != ' ')
            width = x;
    }
    return width;
}

void pane_value(struct pane *p, enum role role, struct str s) {
    struct grid *g = &p->app->grid;
    struct text t = text_begin(s, flags_of(p->app)), from = t;
    struct glyph glyph;
    bool begins = true; /* a word */
    int indent = p->x < g->cols / 2 ? p->x : 4, lines = 0;
    struct look look = style_look(role), strange = style_look(ROLE_STRANGE);
    for (; text_next(&t, &glyph); from = t) {
        bool blank = glyph.cp[0] == ' ';
        int room = g->cols - indent, word = begins && !blank ? word_width(from, room) : 0;
        begins = blank;
        if (blank && p->x >= g->cols)
            continue; /* the line breaks here */
        if (p->x + glyph.width > g->cols || (p->x + word > g->cols && word <= room)) {
            if (++lines > VALUE_LINES)
                return;
            p->line++;
            p->x = indent;
        }
        if (pane_visible(p)) {
            struct cell *c = grid_at(g, p->x, row_of(p));
            if (c) {
                memcpy(c->cp, glyph.cp, sizeof c->cp);
                c->look = glyph.strange ? strange : look;
                if (glyph.width == 2 && grid_at(g, p->x + 1, row_of(p))) {
                    *grid_at(g, p->x + 1, row_of(p)) = *c;
                    grid_at(g, p->x + 1, row_of(p))->cp[0] = 0;
                }
            }
        }
        p->x += glyph.width;
    }
}

void pane_say(struct pane *p, enum role role, const char *text) {
    pane_value(p, role, str_of(text));
}

void pane_count(struct pane *p, const char *before, uint64_t n, const char *noun) {
    char text[96], count[32];
    snprintf(text, sizeof text, "%s%s %s%s", before, ticks_count(n, false, count), noun, n == 1 ? "" : "s");
    pane_say(p, ROLE_TEXT, text);
}

const char *pane_hex(struct str s, size_t at, char text[96]) {
    int n = snprintf(text, 96, "%08zx  ", at);
    for (size_t i = 0; i < PANE_HEX; i++) {
        if (i < s.n)
            snprintf(text + n, 96 - (size_t)n, "%02x", (unsigned char)s.s[i]);
        else
            strcpy(text + n, "  ");
        strcpy(text + n + 2, i % 8 == 7 ? "  " : " ");
        n += i % 8 == 7 ? 4 : 3;
    }
    for (size_t i = 0; i < PANE_HEX; i++)
        text[n++] = i >= s.n ? ' ' : s.s[i] >= ' ' && s.s[i] <= '~' ? s.s[i] : '.';
    text[n] = 0;
    return text;
}

void pane_text(struct pane *p, struct str s) {
    while (s.n > 0) {
        const char *end = memchr(s.s, '\n', s.n);
        size_t n = end ? (size_t)(end - s.s) : s.n;
        pane_value(p, ROLE_TEXT, (struct str){s.s, n});
        pane_next_line(p);
        s = (struct str){s.s + n + (end != NULL), s.n - n - (end != NULL)};
    }
}

static void hex_line(struct pane *p, struct str s, size_t at) {
    char text[96];
    pane_say(p, ROLE_TEXT, pane_hex((struct str){s.s + at, s.n - at < PANE_HEX ? s.n - at : PANE_HEX}, at, text));
}

void pane_contents(struct pane *p, struct str s) {
    bool readable = text_readable(s);
    if (readable)
        pane_text(p, s);
    for (size_t at = 0; !readable && at < s.n; at += PANE_HEX) {
        hex_line(p, s, at);
        pane_next_line(p);
    }
}

void pane_field(struct pane *p, enum role role, struct str s, int width) {
    if (pane_visible(p))
        grid_text(&p->app->grid, p->x, row_of(p), p->x + width, s, style_look(role), flags_of(p->app), true);
    p->x += width;
}

void pane_right(struct pane *p, enum role role, const char *text, int column) {
    p->x = column - (int)text_width(str_of(text), flags_of(p->app), 1000);
    pane_say(p, role, text);
}

/* ---- arguments ---- */

/* Behind "7 bytes": as text, or as hexadecimal bytes. whole: many have lines of their own; else a few of them. */
static void blob(struct pane *p, struct str s, bool whole) {
    bool readable = text_readable(s);
    size_t all = s.n, most = whole ? BLOB_SHOWN : readable ? 2 * PANE_HEX : PANE_HEX;
    if (all > most)
        s.n = most;
    while (readable && s.n < all && s.n > 0 && ((unsigned char)s.s[s.n] & 0xc0) == 0x80)
        s.n--; /* not inside a character */
    pane_say(p, ROLE_DIM, readable && s.n > 0 ? " \"" : "");
    if (readable)
        pane_value(p, ROLE_VALUE, s);
    size_t step = s.n > PANE_HEX ? PANE_HEX : 1;
    for (size_t at = 0; !readable && at < s.n; at += step) {
        char text[8];
        if (step > 1) {
            pane_next_line(p);
            hex_line(p, s, at);
        } else if (whole || p->x + 5 < p->app->grid.cols) {
            snprintf(text, sizeof text, " %02x", (unsigned char)s.s[at]);
            pane_say(p, ROLE_VALUE, text);
        } else {
            s.n = at; /* no more fits on the line */
        }
    }
    if (s.n < all)
        pane_glyph(p, ROLE_DIM, grid_glyph(&p->app->grid, GLYPH_ELLIPSIS));
    pane_say(p, ROLE_DIM, readable && s.n > 0 ? "\"" : "");
}

static void argument(struct pane *p, const struct detail_argument *a, bool table) {
    char buf[64];
    const char *type = fxt_argument_name(a->type);
    if (table && p->x < 1)
        p->x = 1;
    pane_value(p, ROLE_LABEL, a->name);
    if (table) {
        pane_say(p, ROLE_DIM, " ");
        pane_say(p, ROLE_DIM, type ? type : "unknown");
        pane_say(p, ROLE_DIM, " = ");
    } else {
        pane_say(p, ROLE_DIM, "=");
    }
    bool quote = a->type == FXT_ARG_STRING;
    if (quote)
        pane_say(p, ROLE_DIM, "\"");
    pane_value(p, ROLE_VALUE, detail_value(a, buf));
    if (quote)
        pane_say(p, ROLE_DIM, "\"");
    if (a->type == FXT_ARG_BLOB)
        blob(p, a->string, table);
    if (a->object.n > 0) {
        pane_say(p, ROLE_DIM, " (");
        pane_value(p, ROLE_VALUE, a->object);
        pane_say(p, ROLE_DIM, ")");
    }
}

unsigned pane_arguments(struct pane *p, uint64_t offset, const char *label, bool table) {
    struct detail d;
    struct detail_argument a;
    unsigned n = 0;
    if (!detail_open(&d, p->app->trace, offset))
        return 0;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        if (n == 0 && !table)
            pane_say(p, ROLE_DIM, label);
        if (n == 0 && table && *label) {
            pane_say(p, ROLE_DIM, label);
            pane_next_line(p);
        }
        n++;
        argument(p, &a, table);
        if (table)
            pane_next_line(p);
        else
            pane_say(p, ROLE_DIM, "  ");
        /* names and values are read from the map anew, argument by argument */
    }
    if (d.record.faults & FXT_FAULT_ARGUMENTS) {
        pane_say(p, ROLE_WARN, table ? "the rest of the arguments is malformed" : "(the rest is malformed)");
        n++;
        if (table)
            pane_next_line(p);
    }
    if (n > 0 && !table)
        pane_next_line(p);
    return n;
}

uint64_t pane_end_of(struct app *app) {
    const struct slice *s = app->pick.kind == PICK_SLICE || app->pick.kind == PICK_ASYNC ? app_slice(app) : NULL;
    return s ? nest_end_offset(trace_aside(app->trace), s) : 0;
}
