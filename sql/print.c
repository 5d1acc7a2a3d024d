/* print.c - the rows of a query as text.
 *
 * CSV, ndjson and Markdown are written row by row. A table needs the widths of its columns, so its
 * cells are kept as text until the end: one run of characters, and the end of each cell. Reals are
 * the shortest digits that read back as the same, with a point; in CSV they have six decimals, as
 * those of Perfetto. */
#include "sql/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "model/output/json.h"
#include "model/output/relation.h"
#include "src/base/text.h"

#define TABLE_WIDEST 100 /* columns of a cell in a table; longer ones are cut */
#define LOOK 64          /* rows between two looks at the disk */

struct printer {
    struct query *query;
    const struct print_style *style;
    FILE *out;
    int columns;       /* the one of the trace included */
    struct chars line; /* of CSV and ndjson: the row */
    /* of a table */
    struct chars text;
    VEC(size_t) ends;   /* of each cell in `text` */
    VEC(bool) rights;   /* of each cell: a number */
    VEC(size_t) widths; /* of each column */
    uint64_t rows;
};

/* The trace's cell, if there is one, is column 0. */
static struct query_cell cell_of(const struct printer *p, int column) {
    if (p->style->trace == NULL)
        return query_cell(p->query, column);
    if (column > 0)
        return query_cell(p->query, column - 1);
    return (struct query_cell){.type = QUERY_TEXT, .text = str_of(p->style->trace)};
}

static struct str name_of(const struct printer *p, int column) {
    if (p->style->trace == NULL)
        return str_of(query_column(p->query, column));
    return column > 0 ? str_of(query_column(p->query, column - 1)) : STR("trace");
}

static const char *real_text(double x, char buf[40]) {
    if (isnan(x))
        return "NaN";
    if (isinf(x))
        return x < 0 ? "-Infinity" : "Infinity";
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, 40, "%.*g", digits, x);
        if (strtod(buf, NULL) == x)
            break;
    }
    size_t n = strlen(buf);
    if (buf[strspn(buf, "-0123456789")] == '\0')
        snprintf(buf + n, 40 - n, ".0");
    return buf;
}

/* A number as text; NULL: the cell is none. */
static const char *number_text(const struct query_cell *cell, char buf[40]) {
    if (cell->type == QUERY_REAL)
        return real_text(cell->real, buf);
    if (cell->type != QUERY_INTEGER)
        return NULL;
    snprintf(buf, 40, "%" PRId64, cell->integer);
    return buf;
}

/* ---- CSV, ndjson, Markdown ---- */

/* Whether a text is a decimal number, which no spreadsheet takes for a formula. */
static bool is_number(struct str s) {
    size_t at = s.n > 0 && (s.s[0] == '-' || s.s[0] == '+'), digits = 0, points = 0;
    for (; at < s.n; at++) {
        digits += s.s[at] >= '0' && s.s[at] <= '9';
        points += s.s[at] == '.';
        if ((s.s[at] < '0' || s.s[at] > '9') && s.s[at] != '.')
            return false;
    }
    return digits > 0 && points <= 1;
}

static void csv_row(struct printer *p) {
    char buf[40];
    for (int c = 0; c < p->columns; c++) {
        struct query_cell cell = cell_of(p, c);
        const char *number = number_text(&cell, buf);
        if (cell.type == QUERY_REAL && isfinite(cell.real))
            chars_format(&p->line, "%f", cell.real); /* as Perfetto prints them */
        else if (number)
            chars_text(&p->line, number);
        else if (cell.type != QUERY_NULL && is_number(cell.text))
            chars_format(&p->line, "\"%.*s\"", (int)cell.text.n, cell.text.s);
        else if (cell.type != QUERY_NULL)
            relation_csv_text(&p->line, cell.text, true);
        chars_text(&p->line, c + 1 < p->columns ? "," : "\n");
    }
    chars_write(&p->line, p->out);
}

static void csv_head(struct printer *p) {
    for (int c = 0; c < p->columns; c++) {
        relation_csv_text(&p->line, name_of(p, c), false);
        chars_text(&p->line, c + 1 < p->columns ? "," : "\n");
    }
    chars_write(&p->line, p->out);
}

static void ndjson_row(struct printer *p) {
    struct json j = {.out = &p->line, .first = true};
    char buf[40];
    chars_put(&p->line, '{');
    for (int c = 0; c < p->columns; c++) {
        struct query_cell cell = cell_of(p, c);
        const char *number = number_text(&cell, buf);
        bool finite = cell.type != QUERY_REAL || isfinite(cell.real);
        if (c > 0)
            chars_put(&p->line, ',');
        json_string(&j, name_of(p, c));
        chars_put(&p->line, ':');
        if (cell.type == QUERY_NULL)
            chars_text(&p->line, "null");
        else if (number)
            chars_format(&p->line, finite ? "%s" : "\"%s\"", number);
        else if (cell.type == QUERY_BLOB)
            json_base64(&j, cell.text);
        else
            json_string(&j, cell.text);
    }
    chars_text(&p->line, "}\n");
    chars_write(&p->line, p->out);
}

static void markdown_text(struct printer *p, struct str s) {
    char *safe = text_dup(s, TEXT_TRACK | (p->style->ascii ? TEXT_ASCII : 0));
    relation_markdown_cell(safe, p->out);
    free(safe);
}

static void markdown_row(struct printer *p) {
    char buf[40];
    putc('|', p->out);
    for (int c = 0; c < p->columns; c++) {
        struct query_cell cell = cell_of(p, c);
        const char *number = number_text(&cell, buf);
        if (number)
            relation_markdown_cell(number, p->out);
        else
            markdown_text(p, cell.text);
    }
    putc('\n', p->out);
}

static void markdown_head(struct printer *p, bool rows) {
    putc('|', p->out);
    for (int c = 0; c < p->columns; c++)
        markdown_text(p, name_of(p, c));
    fputs("\n|", p->out);
    for (int c = 0; c < p->columns; c++)
        fputs(rows && cell_of(p, c).type <= QUERY_REAL && cell_of(p, c).type != QUERY_NULL ? "---:|"
                                                                                           : "---|",
              p->out);
    putc('\n', p->out);
}

/* ---- a table ---- */

static void add_cell(struct printer *p, int column, struct str s, bool right) {
    unsigned flags = TEXT_TRACK | (p->style->ascii ? TEXT_ASCII : 0);
    struct text each = text_begin(s, flags);
    struct glyph g;
    char bytes[4] = "";
    size_t all = text_width(s, flags, TABLE_WIDEST + 1), width = 0;
    while (text_next(&each, &g)) {
        if (all > TABLE_WIDEST && width + g.width > TABLE_WIDEST - 2)
            break;
        for (int i = 0; i < 3 && g.cp[i]; i++)
            chars_add(&p->text, (struct str){bytes, text_utf8(g.cp[i], bytes)});
        width += g.width;
    }
    if (all > TABLE_WIDEST) {
        chars_add(&p->text, STR(".."));
        width += 2;
    }
    vec_push(&p->ends, p->text.n);
    vec_push(&p->rights, right);
    p->widths.v[column] = width > p->widths.v[column] ? width : p->widths.v[column];
}

static void table_head(struct printer *p) {
    for (int c = 0; c < p->columns; c++)
        vec_push(&p->widths, 0);
    for (int c = 0; c < p->columns; c++)
        add_cell(p, c, name_of(p, c), false);
}

static void table_row(struct printer *p) {
    char buf[40];
    for (int c = 0; c < p->columns; c++) {
        struct query_cell cell = cell_of(p, c);
        const char *number = number_text(&cell, buf);
        struct str text = cell.text;
        if (number)
            text = str_of(number);
        else if (cell.type == QUERY_NULL)
            text = p->style->ascii ? STR("-") : STR("\xc2\xb7");
        add_cell(p, c, text, number != NULL);
    }
}

/* Whether a column's first value that is not its name is a number: then the name is on the right,
 * too. */
static bool is_right(const struct printer *p, int column) {
    for (uint64_t row = 1; row <= p->rows && row <= 100; row++)
        if (p->rights.v[row * (uint64_t)p->columns + (uint64_t)column])
            return true;
    return false;
}

static void table_print(struct printer *p) {
    for (size_t k = 0; k < p->ends.n; k++) {
        int column = (int)(k % (size_t)p->columns);
        bool last = column + 1 == p->columns;
        size_t from = k > 0 ? p->ends.v[k - 1] : 0;
        struct str s = {p->text.v + from, p->ends.v[k] - from};
        int pad = (int)(p->widths.v[column] - text_width(s, 0, TABLE_WIDEST + 2));
        bool right = p->rights.v[k] || (k < (size_t)p->columns && is_right(p, column));
        if (pad > 0 && right)
            fprintf(p->out, "%*s", pad, "");
        fwrite(s.s, 1, s.n, p->out);
        if (pad > 0 && !right && !last)
            fprintf(p->out, "%*s", pad, "");
        fputs(last ? "\n" : "  ", p->out);
    }
}

/* ---- all rows ---- */

static void head(struct printer *p, bool rows) {
    if (p->style->format == FORMAT_TABLE)
        table_head(p);
    else if (p->style->format == FORMAT_CSV)
        csv_head(p);
    else if (p->style->format == FORMAT_MARKDOWN)
        markdown_head(p, rows);
}

static void row(struct printer *p) {
    static void (*const rows[])(struct printer *) = {[FORMAT_TABLE] = table_row,
                                                     [FORMAT_CSV] = csv_row,
                                                     [FORMAT_NDJSON] = ndjson_row,
                                                     [FORMAT_MARKDOWN] = markdown_row};
    rows[p->style->format](p);
    p->rows++;
}

enum query_state print_rows(struct query *query, const struct print_style *style, FILE *out,
                            struct err *err) {
    struct printer p = {.query = query, .style = style, .out = out};
    enum query_state state = query_step(query, err);
    if ((state == QUERY_ROW || state == QUERY_DONE) && query_columns(query) > 0) {
        p.columns = query_columns(query) + (style->trace != NULL);
        head(&p, state == QUERY_ROW);
    }
    for (; state == QUERY_ROW && !ferror(out); state = query_step(query, err)) {
        row(&p);
        if (style->fits && p.rows % LOOK == 0 && !style->fits()) {
            err_set(err, ERR_NO_OFFSET,
                    "the answer would leave the disk too little space: TMPDIR names another place");
            state = QUERY_FAILED;
            break;
        }
    }
    if (p.columns > 0 && style->format == FORMAT_TABLE)
        table_print(&p);
    vec_free(&p.line);
    vec_free(&p.text);
    vec_free(&p.ends);
    vec_free(&p.rights);
    vec_free(&p.widths);
    return state == QUERY_ROW ? QUERY_DONE : state; /* the output failed */
}
