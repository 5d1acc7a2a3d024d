/* drawer_text.c - text and fields of the drawer, wrapped at the width of the screen and
 * scrolled. */
#include "ui/drawer/drawer_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/query/detail.h"
#include "src/base/units.h"
#include "ui/screen/wrap.h"

#define BLOB_SHOWN 4096  /* bytes of an argument that are shown */
#define VALUE_LINES 2000 /* of one value: 32,000 bytes as escapes on 20 columns */

bool drawer_text_visible(const struct drawer_text *p) {
    return p->line >= p->app->drawer.scroll && p->line < p->app->drawer.scroll + p->rows;
}

static int row_of(const struct drawer_text *p) {
    return p->y + p->line - p->app->drawer.scroll;
}

static void put_value(struct drawer_text *p, enum role role, struct str s);

static unsigned flags_of(const struct grid *grid) {
    return grid->ascii ? TEXT_ASCII : 0;
}

#define INDENT 4 /* of lines that go on */

/* Draws the label that waits, on the next line if `next` begins with a word that does not fit after
 * it. */
static void end_label(struct drawer_text *p, struct str next) {
    char text[sizeof p->label];
    if (p->label[0] == 0)
        return;
    memcpy(text, p->label, sizeof text);
    p->label[0] = 0;
    struct str label = str_of(text);
    int cols = p->app->grid.cols, blanks = (int)strspn(text, " ");
    size_t word = wrap_word(next, (size_t)cols, flags_of(&p->app->grid)),
           rest = label.n - (size_t)blanks;
    if (p->x + (int)(label.n + word) > cols && INDENT + (int)(rest + word) <= cols &&
        p->x > INDENT) {
        p->line++;
        p->x = INDENT;
        label = (struct str){label.s + blanks, rest};
    }
    put_value(p, ROLE_DIM, label);
}

void drawer_text_next_line(struct drawer_text *p) {
    end_label(p, STR(""));
    p->line++;
    p->x = 1;
}

void drawer_text_glyph(struct drawer_text *p, enum role role, uint32_t cp) {
    end_label(p, STR(""));
    if (drawer_text_visible(p) && p->x < p->app->grid.cols)
        grid_put(&p->app->grid, p->x, row_of(p), cp, style_look(role));
    p->x++;
}

void drawer_text_swatch(struct drawer_text *p, struct look look) {
    struct grid *g = &p->app->grid;
    if (style_depth() == COLOR_MONO)
        return;
    end_label(p, STR(""));
    if (drawer_text_visible(p))
        grid_put(g, p->x, row_of(p), g->ascii ? '#' : 0x25A0,
                 (struct look){look.bg, LOOK_DEFAULT, 0});
    p->x += 2;
}

enum role drawer_text_link(struct drawer_text *p, const struct drawer_link *link, enum role role) {
    end_label(p, STR(""));
    if (p->nlinks == DRAWER_TEXT_LINKS)
        return role;
    p->links[p->nlinks] = *link;
    p->links[p->nlinks].line = p->line;
    if (p->nlinks == p->current && drawer_text_visible(p))
        grid_here(&p->app->grid, p->x, row_of(p));
    return p->nlinks++ == p->current ? ROLE_TAB_CURRENT : role;
}

static void put_glyph(struct drawer_text *p, const struct glyph *glyph, struct look look) {
    struct cell *c = drawer_text_visible(p) ? grid_at(&p->app->grid, p->x, row_of(p)) : NULL;
    if (c) {
        memcpy(c->cp, glyph->cp, sizeof c->cp);
        c->look = look;
        struct cell *right = glyph->width == 2 ? grid_at(&p->app->grid, p->x + 1, row_of(p)) : NULL;
        if (right) {
            *right = *c;
            right->cp[0] = 0;
        }
    }
    p->x += glyph->width;
}

static void put_text(struct drawer_text *p, struct str s, enum role role) {
    struct text t = text_begin(s, flags_of(&p->app->grid));
    struct glyph glyph;
    while (text_next(&t, &glyph))
        put_glyph(p, &glyph, style_look(glyph.strange ? ROLE_STRANGE : role));
}

static void put_value(struct drawer_text *p, enum role role, struct str s) {
    int cols = p->app->grid.cols, indent = p->x < cols / 2 ? p->x : INDENT, lines = 0;
    while (s.n > 0) {
        bool blank = s.s[0] == ' ';
        size_t n = blank ? 1 : wrap_fill(s, cols - p->x, cols - indent, flags_of(&p->app->grid));
        if (!blank || p->x < cols) /* a blank at a line break is left out */
            put_text(p, (struct str){s.s, n}, role);
        s = (struct str){s.s + n, s.n - n};
        if (blank || s.n == 0 || s.s[0] == ' ')
            continue;
        if (++lines > VALUE_LINES) /* the line is full */
            return;
        p->line++;
        p->x = indent;
    }
}

void drawer_text_value(struct drawer_text *p, enum role role, struct str s) {
    if (s.n == 0)
        return;
    end_label(p, s);
    put_value(p, role, s);
}

/* "  avg ", "state: ", but not " / " or "  ". */
static bool is_label(const char *text, size_t n, enum role role) {
    return role == ROLE_DIM && n > 1 && text[n - 1] == ' ' &&
           (isalnum((unsigned char)text[n - 2]) || text[n - 2] == ':');
}

void drawer_text_say(struct drawer_text *p, enum role role, const char *text) {
    size_t n = strlen(text);
    if (!is_label(text, n, role) || n >= sizeof p->label) {
        drawer_text_value(p, role, str_of(text));
        return;
    }
    end_label(p, STR(""));
    memcpy(p->label, text, n + 1);
}

void drawer_text_count(struct drawer_text *p, const char *before, uint64_t n, const char *noun) {
    char text[96], count[32];
    snprintf(text, sizeof text, "%s%s %s%s", before, units_count(n, false, count), noun,
             n == 1 ? "" : "s");
    drawer_text_say(p, ROLE_TEXT, text);
}

const char *drawer_text_hex(struct str s, size_t at, char text[96]) {
    int n = snprintf(text, 96, "%08zx  ", at);
    for (size_t i = 0; i < DRAWER_TEXT_HEX; i++) {
        char byte[4] = "  ";
        if (i < s.n)
            snprintf(byte, sizeof byte, "%02x", (unsigned char)s.s[i]);
        n += snprintf(text + n, 96 - (size_t)n, "%s%s", byte, i % 8 == 7 ? "  " : " ");
    }
    for (size_t i = 0; i < DRAWER_TEXT_HEX; i++) {
        char c = i < s.n ? s.s[i] : ' ';
        text[n++] = c >= ' ' && c <= '~' ? c : '.';
    }
    text[n] = 0;
    return text;
}

void drawer_text_text(struct drawer_text *p, struct str s) {
    while (s.n > 0) {
        const char *end = memchr(s.s, '\n', s.n);
        size_t n = end ? (size_t)(end - s.s) : s.n;
        drawer_text_value(p, ROLE_TEXT, (struct str){s.s, n});
        drawer_text_next_line(p);
        s = (struct str){s.s + n + (end != NULL), s.n - n - (end != NULL)};
    }
}

static void hex_line(struct drawer_text *p, struct str s, size_t at) {
    char text[96];
    drawer_text_say(
        p, ROLE_TEXT,
        drawer_text_hex(
            (struct str){s.s + at, s.n - at < DRAWER_TEXT_HEX ? s.n - at : DRAWER_TEXT_HEX}, at,
            text));
}

void drawer_text_contents(struct drawer_text *p, struct str s) {
    bool readable = text_readable(s);
    if (readable)
        drawer_text_text(p, s);
    for (size_t at = 0; !readable && at < s.n; at += DRAWER_TEXT_HEX) {
        hex_line(p, s, at);
        drawer_text_next_line(p);
    }
}

void drawer_text_field(struct drawer_text *p, enum role role, struct str s, int width) {
    end_label(p, STR(""));
    if (drawer_text_visible(p))
        grid_name(&p->app->grid, (struct grid_place){p->x, row_of(p), p->x + width}, s,
                  style_look(role), 0);
    p->x += width;
}

void drawer_text_right(struct drawer_text *p, enum role role, const char *text, int column) {
    end_label(p, STR(""));
    int x = column - (int)text_width(str_of(text), flags_of(&p->app->grid), 1000);
    p->x = x > p->x ? x : p->x + 1; /* a number that is too wide covers no other */
    drawer_text_say(p, role, text);
}

/* ---- arguments ---- */

/* The content after "7 bytes": as text, or as hexadecimal bytes. whole: many bytes, on lines of
 * their own; else a few.
 */
static void blob(struct drawer_text *p, struct str s, bool whole) {
    bool readable = text_readable(s);
    size_t few = readable ? 2 * DRAWER_TEXT_HEX : DRAWER_TEXT_HEX;
    size_t all = s.n, most = whole ? BLOB_SHOWN : few;
    if (all > most)
        s.n = most;
    while (readable && s.n < all && s.n > 0 && ((unsigned char)s.s[s.n] & 0xc0) == 0x80)
        s.n--; /* not inside a character */
    drawer_text_say(p, ROLE_DIM, readable && s.n > 0 ? " \"" : "");
    if (readable)
        drawer_text_value(p, ROLE_VALUE, s);
    size_t step = s.n > DRAWER_TEXT_HEX ? DRAWER_TEXT_HEX : 1;
    for (size_t at = 0; !readable && at < s.n; at += step) {
        char text[8];
        if (step > 1) {
            drawer_text_next_line(p);
            hex_line(p, s, at);
        } else if (whole || p->x + 5 < p->app->grid.cols) {
            snprintf(text, sizeof text, " %02x", (unsigned char)s.s[at]);
            drawer_text_say(p, ROLE_VALUE, text);
        } else {
            s.n = at; /* no more fits on the line */
        }
    }
    if (s.n < all)
        drawer_text_glyph(p, ROLE_DIM, grid_glyph(&p->app->grid, GLYPH_ELLIPSIS));
    drawer_text_say(p, ROLE_DIM, readable && s.n > 0 ? "\"" : "");
}

static void argument(struct drawer_text *p, const struct detail_argument *a, bool table) {
    char buf[64];
    const char *type = fxt_argument_name(a->type);
    struct drawer_link link;
    enum role role = ROLE_VALUE;
    if (table && p->x < 1)
        p->x = 1;
    drawer_text_value(p, ROLE_LABEL, a->name);
    if (table) {
        drawer_text_say(p, ROLE_DIM, " ");
        drawer_text_say(p, ROLE_DIM, type ? type : "unknown");
        drawer_text_say(p, ROLE_DIM, " = ");
    } else {
        drawer_text_say(p, ROLE_DIM, "=");
    }
    bool quote = a->type == FXT_ARG_STRING, linked = drawer_link_of(p->app->trace, a, &link);
    if (linked)
        role = drawer_text_link(p, &link, role);
    if (quote)
        drawer_text_say(p, ROLE_DIM, "\"");
    drawer_text_value(p, role, detail_value(a, buf));
    if (quote)
        drawer_text_say(p, ROLE_DIM, "\"");
    if (a->type == FXT_ARG_BLOB)
        blob(p, a->string, table);
    if (a->object.n > 0) {
        drawer_text_say(p, ROLE_DIM, " (");
        drawer_text_value(p, role, a->object);
        drawer_text_say(p, ROLE_DIM, ")");
    }
    if (linked)
        drawer_text_glyph(p, ROLE_ARROW, grid_glyph(&p->app->grid, GLYPH_RIGHT));
}

void drawer_text_argument(struct drawer_text *p, const struct detail_argument *a) {
    argument(p, a, false);
    drawer_text_say(p, ROLE_DIM, "  ");
}

unsigned drawer_text_arguments(struct drawer_text *p, uint64_t offset, const char *label,
                               bool table) {
    struct detail d;
    struct detail_argument a;
    unsigned n = 0;
    if (!detail_open(&d, p->app->trace, offset))
        return 0;
    struct fxt_arguments args = d.record.args;
    while (detail_argument(&d, &args, &a)) {
        if (n == 0 && !table)
            drawer_text_say(p, ROLE_DIM, label);
        if (n == 0 && table && *label) {
            drawer_text_say(p, ROLE_DIM, label);
            drawer_text_next_line(p);
        }
        n++;
        if (table) {
            argument(p, &a, true);
            drawer_text_next_line(p);
        } else {
            drawer_text_argument(p, &a);
        }
        /* names and values are read from the map again for each argument */
    }
    if (d.record.faults & FXT_FAULT_ARGUMENTS) {
        drawer_text_say(p, ROLE_WARN,
                        table ? "the remaining arguments are malformed"
                              : "(the rest is malformed)");
        n++;
        if (table)
            drawer_text_next_line(p);
    }
    if (n > 0 && !table)
        drawer_text_next_line(p);
    return n;
}

uint64_t drawer_text_end_of(struct trace *trace, const struct timeline *timeline) {
    const struct slice *s =
        selection_is_named(&timeline->selection) ? session_slice(trace, timeline) : NULL;
    return s ? slice_extra_end_offset(trace_slice_extra(trace), s) : 0;
}
