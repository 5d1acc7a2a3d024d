/* relation_print.c - a relation as ndjson, as aligned columns, and as a table of Markdown.
 *
 * Columns are as wide as their widest cell, so the cells of a table are asked for twice. Text of
 * the trace is made safe first; in Markdown characters that mean something there get a
 * backslash. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "model/output/json.h"
#include "model/output/relation.h"
#include "src/base/text.h"
#include "src/base/time/sum.h"
#include "src/base/units.h"

#define TEXT_MOST 48 /* columns of text; longer ones are cut */
#define CELL_MAX 400

struct printer {
    const struct relation *relation;
    void *ctx;
    FILE *out;
    const struct relation_style *style;
    char cell[CELL_MAX]; /* text of one, its bytes and columns */
    size_t n, width;
};

static uint64_t rows_of(const struct printer *p) {
    return p->style->order ? p->style->order->count : p->relation->rows(p->ctx);
}

static bool row_at(const struct printer *p, uint64_t at, struct relation_row *row) {
    *row = (struct relation_row){at, RELATION_NO_ROW};
    return p->style->order == NULL || p->style->order->row(p->style->order->ctx, at, row);
}

/* ---- ndjson ---- */

static void json_cell(struct json *j, const struct relation_column *column,
                      const struct relation_value *value, int64_t origin) {
    int64_t n = value->integer;
    if (value->type == RELATION_NULL || (column->unit == RELATION_BOOLEAN && n == 0))
        return;
    json_key(j, column->name);
    if (value->type == RELATION_DIGITS ||
        (value->type == RELATION_TEXT && column->unit == RELATION_JSON))
        chars_add(j->out, value->text);
    else if (value->type == RELATION_TEXT)
        json_string(j, value->text);
    else if (value->type == RELATION_REAL)
        chars_format(j->out, "%.17g", value->real);
    else if (column->unit == RELATION_BOOLEAN)
        chars_text(j->out, "true");
    else if (column->unit == RELATION_SHARE)
        relation_share(j->out, n);
    else if (column->unit == RELATION_SUM && n == INT64_MAX)
        json_string(j, STR(SUM_AT_LEAST));
    else if (column->unit >= RELATION_BYTES)
        chars_u64(j->out, (uint64_t)n);
    else
        chars_i64(j->out, column->unit == RELATION_TIME ? units_since(origin, n) : n);
}

void relation_ndjson(const struct relation *r, void *ctx, FILE *out,
                     const struct relation_style *style) {
    struct printer p = {.relation = r, .ctx = ctx, .out = out, .style = style};
    struct relation_value value = {.type = RELATION_NULL};
    struct chars text = {0};
    struct json j = {.out = &text};
    struct relation_row row;
    uint64_t n = rows_of(&p);
    for (uint64_t at = 0; at < n; at++) {
        if (!row_at(&p, at, &row))
            continue;
        j.first = true;
        chars_put(&text, '{');
        for (int c = 0; c < r->ncolumns; c++) {
            relation_get(r, ctx, row, c, &value);
            json_cell(&j, &r->columns[c], &value, style->origin);
        }
        chars_add(&text, STR("}\n"));
        if (text.n >= CHARS_PIECE)
            chars_write(&text, out);
    }
    chars_write(&text, out);
    vec_free(&text);
}

/* ---- for a reader ---- */

static bool is_shown(const struct printer *p, int c) {
    return p->relation->columns[c].title != NULL && (c >= 64 || !(p->style->without >> c & 1));
}

static bool is_text(const struct relation_column *column) {
    return column->type == RELATION_TEXT;
}

static size_t width_of(const char *s) {
    return text_width(str_of(s), 0, CELL_MAX);
}

/* Characters of a text that the program made, each in one column. */
static size_t count_of(struct str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.s[i] & 0xC0) != 0x80;
    return n;
}

static void take_text(struct printer *p, struct str text) {
    p->n = text.n;
    if (text.n > 0)
        memcpy(p->cell, text.s, text.n);
    p->cell[text.n] = '\0';
    p->width = count_of(text);
}

/* A text of the trace, made safe. */
static void take_strange_text(struct printer *p, struct str text) {
    unsigned flags = TEXT_TRACK | (p->style->ascii ? TEXT_ASCII : 0);
    struct text each = text_begin(text, flags);
    struct glyph g;
    size_t n = 0, width = 0, all = text_width(text, flags, TEXT_MOST + 1);
    while (text_next(&each, &g) && n + 16 < sizeof p->cell) {
        if (all > TEXT_MOST && width + g.width > TEXT_MOST - 2)
            break;
        for (int i = 0; i < 3 && g.cp[i]; i++)
            n += text_utf8(g.cp[i], p->cell + n);
        width += g.width;
    }
    snprintf(p->cell + n, sizeof p->cell - n, "%s", all > TEXT_MOST ? ".." : "");
    p->n = strlen(p->cell);
    p->width = width_of(p->cell);
}

/* Puts the cell, as text that is safe to show, into p->cell: at most TEXT_MOST columns; "-" if it
 * is null. */
static void take_cell(struct printer *p, struct relation_row row, int c) {
    const struct relation_column *column = &p->relation->columns[c];
    struct relation_value value;
    char buf[48];
    bool ascii = p->style->ascii;
    relation_get(p->relation, p->ctx, row, c, &value);
    if (value.type == RELATION_NULL) {
        take_text(p, STR("-"));
    } else if (value.type == RELATION_INTEGER && column->unit == RELATION_TIME) {
        take_text(p,
                  str_of(units_point(units_since(p->style->origin, value.integer), 1, ascii, buf)));
    } else {
        struct str text = relation_text(column, &value, ascii, buf);
        bool own = value.type == RELATION_INTEGER || value.type == RELATION_REAL;
        if (own || (text.n <= TEXT_MOST && text_json_plain(text) == text.n))
            take_text(p, text);
        else
            take_strange_text(p, text);
    }
}

static void put_blanks(struct chars *out, size_t n) {
    memset(chars_space(out, n + 1), ' ', n);
    out->n += n;
}

struct place { /* of a cell */
    size_t width;
    bool left, last;
};

static void put_padded(struct chars *out, struct str s, size_t own, struct place place) {
    size_t pad = own < place.width ? place.width - own : 0;
    if (!place.left)
        put_blanks(out, pad);
    chars_add(out, s);
    if (place.left && !place.last)
        put_blanks(out, pad);
    chars_text(out, place.last ? "\n" : "  ");
}

#define COLUMNS_MAX 32

/* Many rows are in no cache: so they are read one by one, and in their own order if that is
 * allowed. */
static void find_widths(struct printer *p, uint64_t n, int ncolumns,
                        struct place places[COLUMNS_MAX]) {
    const struct relation *r = p->relation;
    struct relation_row row;
    bool all = p->style->all;
    for (int c = 0; c < ncolumns; c++)
        places[c] = (struct place){is_shown(p, c) ? width_of(r->columns[c].title) : 0,
                                   is_text(&r->columns[c]), false};
    for (int c = ncolumns; c-- > 0;)
        if (is_shown(p, c)) {
            places[c].last = true;
            break;
        }
    for (uint64_t at = 0; at < n; at++) {
        if (all)
            row = (struct relation_row){at, RELATION_NO_ROW};
        else if (!row_at(p, at, &row))
            continue;
        for (int c = 0; c < ncolumns; c++) {
            if (!is_shown(p, c))
                continue;
            take_cell(p, row, c);
            places[c].width = p->width > places[c].width ? p->width : places[c].width;
        }
    }
}

void relation_aligned(const struct relation *r, void *ctx, FILE *out,
                      const struct relation_style *style) {
    struct printer p = {.relation = r, .ctx = ctx, .out = out, .style = style};
    struct place places[COLUMNS_MAX];
    struct chars text = {0};
    struct relation_row row;
    uint64_t n = rows_of(&p);
    int ncolumns = r->ncolumns < COLUMNS_MAX ? r->ncolumns : COLUMNS_MAX;
    find_widths(&p, n, ncolumns, places);
    for (int c = 0; c < ncolumns; c++)
        if (is_shown(&p, c))
            put_padded(&text, str_of(r->columns[c].title), width_of(r->columns[c].title),
                       places[c]);
    for (uint64_t at = 0; at < n; at++) {
        if (!row_at(&p, at, &row))
            continue;
        for (int c = 0; c < ncolumns; c++) {
            if (!is_shown(&p, c))
                continue;
            take_cell(&p, row, c);
            put_padded(&text, (struct str){p.cell, p.n}, p.width, places[c]);
        }
        if (text.n >= CHARS_PIECE)
            chars_write(&text, out);
    }
    chars_write(&text, out);
    vec_free(&text);
}

/* Whether sites that take Markdown would make a link of the text around this character: @name, #12,
 * http://, www. */
static bool begins_link(const char *text, const char *s) {
    if (*s == '@' || *s == '#')
        return isalnum((unsigned char)s[1]);
    if (*s == ':')
        return s[1] == '/' && s[2] == '/';
    return s - text >= 2 && s[1] == '.' && strncasecmp(s - 2, "www", 3) == 0;
}

/* Some look for links in the text that is left when backslashes are gone. A comment divides it for
 * these. */
void relation_markdown_text(const char *text, FILE *out) {
    for (const char *s = text; *s; s++) {
        if (strchr("\\|`*_<>[]~@#&", *s))
            putc('\\', out);
        putc(*s, out);
        if (begins_link(text, s))
            fputs("<!-- -->", out);
    }
}

void relation_markdown_cell(const char *s, FILE *out) {
    putc(' ', out);
    relation_markdown_text(s, out);
    fputs(" |", out);
}

void relation_markdown(const struct relation *r, void *ctx, FILE *out,
                       const struct relation_style *style) {
    struct printer p = {.relation = r, .ctx = ctx, .out = out, .style = style};
    struct relation_row row;
    uint64_t n = rows_of(&p);
    putc('|', out);
    for (int c = 0; c < r->ncolumns; c++)
        if (is_shown(&p, c))
            relation_markdown_cell(r->columns[c].title, out);
    fputs("\n|", out);
    for (int c = 0; c < r->ncolumns; c++)
        if (is_shown(&p, c))
            fputs(is_text(&r->columns[c]) ? "---|" : "---:|", out);
    putc('\n', out);
    for (uint64_t at = 0; at < n; at++) {
        if (!row_at(&p, at, &row))
            continue;
        putc('|', out);
        for (int c = 0; c < r->ncolumns; c++) {
            if (!is_shown(&p, c))
                continue;
            take_cell(&p, row, c);
            relation_markdown_cell(p.cell, out);
        }
        putc('\n', out);
    }
}
