/* relation.c - the values of a relation as text: with units for the screen, and as RFC 4180.
 *
 * CSV has no escapes, so controls and characters that deceive are spelled out as on the screen: ^J,
 * <U+202E>. They are taken from text_json(), which passes runs of plain characters as they are and
 * every other character as one escape. Text that a spreadsheet would take for a formula gets an
 * apostrophe before it. */
#include "model/output/relation.h"

#include <inttypes.h>
#include <string.h>

#include "src/base/text.h"
#include "src/base/time/sum.h"
#include "src/base/units.h"

/* ---- text with units ---- */

static bool is_unsigned(enum relation_unit unit) {
    return unit >= RELATION_BYTES && unit <= RELATION_ID;
}

static struct str number_text(enum relation_unit unit, int64_t n, bool ascii, char buf[48]) {
    switch (unit) {
    case RELATION_DURATION:
    case RELATION_SUM:
        return str_of(units_duration(n, ascii, buf));
    case RELATION_BYTES:
        return str_of(units_bytes((uint64_t)n, buf));
    case RELATION_COUNT:
        return str_of(units_count((uint64_t)n, true, buf));
    case RELATION_SHARE:
        return str_of(sum_share_text(n, buf));
    case RELATION_BOOLEAN:
        return n ? STR("true") : STR("false");
    case RELATION_OFFSET:
        snprintf(buf, 48, "0x%" PRIx64, (uint64_t)n);
        return str_of(buf);
    default:
        snprintf(buf, 48, is_unsigned(unit) ? "%" PRIu64 : "%" PRId64, n);
        return str_of(buf);
    }
}

struct str relation_text(const struct relation_column *column, const struct relation_value *value,
                         bool ascii, char buf[48]) {
    switch (value->type) {
    case RELATION_TEXT:
    case RELATION_DIGITS:
        return value->text;
    case RELATION_INTEGER:
        return number_text(column->unit, value->integer, ascii, buf);
    case RELATION_REAL:
        snprintf(buf, 48, "%g", value->real);
        return str_of(buf);
    default:
        return STR("");
    }
}

/* ---- CSV ---- */

/* Receives from text_json() runs of plain characters, and escapes, each in one piece. */
static void put(void *ctx, const char *s, size_t n) {
    struct chars *out = ctx;
    unsigned hi, lo;
    if (s[0] != '\\')
        chars_add(out, (struct str){s, n});
    else if (n == 2)
        chars_text(out, s[1] == '"' ? "\"\"" : "\\");
    /* NOLINTNEXTLINE(cert-err34-c): four digits always fit */
    else if (n == 12 && sscanf(s, "\\u%4x\\u%4x", &hi, &lo) == 2)
        chars_format(out, "<U+%04X>", ((hi - 0xD800) << 10) + (lo - 0xDC00) + 0x10000);
    else if (sscanf(s, "\\u%4x", &lo) == 1 && (lo < 0x20 || lo == 0x7F)) // NOLINT(cert-err34-c)
        chars_format(out, "^%c", (int)(lo ^ 0x40));
    else
        chars_format(out, "<U+%04X>", lo);
}

/* Spreadsheets may pass over line feeds before a formula, and take the wide forms of ASCII. */
static bool is_formula(struct str s) {
    uint32_t cp = '\n';
    while (cp == '\n' && s.n > 0) {
        size_t n = text_decode(s, &cp);
        s = (struct str){s.s + n, s.n - n};
    }
    if (cp > 0xFF00 && cp <= 0xFF5E)
        cp -= 0xFF00 - 0x20;
    return cp == '=' || cp == '+' || cp == '-' || cp == '@';
}

void relation_csv_text(struct chars *out, struct str s, bool lines) {
    const char *end;
    bool formula = is_formula(s);
    if (!formula && chars_quoted(out, s))
        return;
    chars_put(out, '"');
    if (formula)
        chars_put(out, '\'');
    while (lines && s.n > 0 && (end = memchr(s.s, '\n', s.n)) != NULL) {
        size_t n = (size_t)(end - s.s);
        text_json((struct str){s.s, n}, put, out);
        chars_put(out, '\n');
        s = (struct str){s.s + n + 1, s.n - n - 1};
    }
    text_json(s, put, out);
    chars_put(out, '"');
}

void relation_share(struct chars *out, int64_t share) {
    int64_t n = share / 10000 + (share % 10000 >= 5000);
    chars_format(out, "%" PRId64 ".%04d", n / 10000, (int)(n % 10000));
}

static void csv_integer(struct chars *out, enum relation_unit unit, int64_t n, int64_t origin) {
    if (unit == RELATION_BOOLEAN)
        chars_text(out, n ? "true" : "false");
    else if (unit == RELATION_SHARE)
        relation_share(out, n);
    else if (unit == RELATION_SUM && n == INT64_MAX)
        chars_text(out, SUM_AT_LEAST);
    else if (is_unsigned(unit))
        chars_u64(out, (uint64_t)n);
    else
        chars_i64(out, unit == RELATION_TIME ? units_since(origin, n) : n);
}

static void csv_value(struct chars *out, const struct relation_column *column,
                      const struct relation_value *value, int64_t origin) {
    switch (value->type) {
    case RELATION_TEXT:
        relation_csv_text(out, value->text, column->lines);
        break;
    case RELATION_INTEGER:
        csv_integer(out, column->unit, value->integer, origin);
        break;
    case RELATION_REAL:
        chars_format(out, "%.17g", value->real);
        break;
    case RELATION_DIGITS:
        chars_add(out, value->text);
        break;
    default:
        break;
    }
}

static void csv_after(const struct relation *r, int column, struct chars *out) {
    if (column + 1 < r->ncolumns)
        chars_put(out, ',');
    else
        chars_add(out, STR("\r\n"));
}

void relation_csv_header(const struct relation *r, struct chars *out) {
    for (int c = 0; c < r->ncolumns; c++) {
        if (r->bare_names)
            chars_text(out, r->columns[c].name);
        else
            relation_csv_text(out, str_of(r->columns[c].name), false);
        csv_after(r, c, out);
    }
}

void relation_csv_row(const struct relation *r, void *ctx, struct relation_row row, int64_t origin,
                      struct chars *out) {
    struct relation_value value;
    for (int c = 0; c < r->ncolumns; c++) {
        relation_get(r, ctx, row, c, &value);
        csv_value(out, &r->columns[c], &value, origin);
        csv_after(r, c, out);
    }
}

void relation_csv(const struct relation *r, void *ctx, FILE *out,
                  const struct relation_order *order, int64_t origin) {
    struct chars text = {0};
    uint64_t n = order ? order->count : r->rows(ctx);
    relation_csv_header(r, &text);
    for (uint64_t at = 0; at < n; at++) {
        struct relation_row row = {at, at > 0 ? at - 1 : RELATION_NO_ROW};
        if (order && !order->row(order->ctx, at, &row))
            continue;
        relation_csv_row(r, ctx, row, origin, &text);
        if (text.n >= CHARS_PIECE)
            chars_write(&text, out);
    }
    chars_write(&text, out);
    vec_free(&text);
}
