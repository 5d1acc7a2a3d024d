/* suite_record_layout.c - the table of record layouts agrees with itself, with the decoder and with
 * fxt(5).
 *
 * The lists of the manual page are read from its source. An item is ".It [lo..hi]", ".It word" or
 * the like. Its text begins with the name of the field, up to a comma, colon or semicolon. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/fxt/record.h"
#include "src/fxt/record_layout.h"
#include "tests/unit/lib/suites.h"

/* ---- the table ---- */

START_TEST(fields_cover_all_bits_of_a_header) {
    const struct record_layout *l = &record_layouts[_i];
    bool large =
        _i == FXT_K_LARGE_EVENT || _i == FXT_K_LARGE_ATTACHMENT || _i == FXT_K_LARGE_UNKNOWN;
    unsigned next = record_layout_framing(large)[1].hi + 1u, word = 0;
    size_t k = 0;
    for (; k < l->n && l->fields[k].kind < FIELD_FOLLOWS; k++) {
        const struct record_field *f = &l->fields[k];
        if (f->word == word + 1) {
            ck_assert_uint_eq(next, 64);
            word++;
            next = 0;
        }
        ck_assert_uint_eq(f->word, word);
        ck_assert_uint_eq(f->lo, next);
        ck_assert_uint_ge(f->hi, f->lo);
        next = f->hi + 1u;
    }
    ck_assert_uint_eq(next, 64);
    for (; k < l->n; k++)
        ck_assert_uint_ge(l->fields[k].kind, FIELD_FOLLOWS);
}
END_TEST

START_TEST(what_follows_is_governed_by_a_field_of_the_header) {
    const struct record_layout *l = &record_layouts[_i];
    for (size_t k = 0; k < l->n; k++) {
        const struct record_field *f = &l->fields[k];
        bool found = f->kind < FIELD_FOLLOWS || f->hi == 0;
        for (size_t j = 0; j < k && !found; j++) {
            const struct record_field *by = &l->fields[j];
            found = by->kind < FIELD_FOLLOWS && by->word == f->word && by->lo == f->lo &&
                    by->hi == f->hi;
        }
        ck_assert_msg(found, "%s", f->name);
    }
}
END_TEST

/* Is 0 the only value of a field that has a meaning? */
static bool only_zero(const struct record_field *f) {
    enum record_values values = (enum record_values)f->values;
    if (values == VALUES_NONE || record_layout_meaningless(values) == NULL ||
        record_layout_value(values, 0) == NULL)
        return false;
    for (uint64_t v = 1; v <= FXT_BITS(UINT64_MAX, f->lo, f->hi); v++)
        if (record_layout_value(values, v))
            return false;
    return true;
}

START_TEST(bits_that_must_be_zero_are_the_reserved_ones) {
    const struct record_layout *l = &record_layouts[_i];
    uint64_t zero = 0;
    for (size_t k = 0; k < l->n; k++) {
        const struct record_field *f = &l->fields[k];
        if (f->kind == FIELD_OPAQUE)
            zero = RECORD_UNKNOWN;
        else if (f->word == 0 &&
                 (f->kind == FIELD_RESERVED || (f->kind < FIELD_FOLLOWS && only_zero(f))))
            zero |= FXT_PUT(UINT64_MAX, f->lo, f->hi);
    }
    ck_assert_uint_eq(l->zero, _i == FXT_K_MAGIC ? ~FXT_MAGIC : zero);
}
END_TEST

START_TEST(a_size_that_the_header_decides_is_that_of_the_fields) {
    const struct record_layout *l = &record_layouts[_i];
    unsigned words = 1, longer = 0;
    bool decided = l->zero != RECORD_UNKNOWN;
    uint8_t lo = 0, hi = 0;
    for (size_t k = 0; k < l->n; k++) {
        const struct record_field *f = &l->fields[k];
        if (f->kind < FIELD_FOLLOWS)
            continue;
        if (f->kind == FIELD_TEXT) {
            lo = f->lo;
            hi = f->hi;
        } else if (f->hi > 0 || f->kind == FIELD_CONTENTS || f->kind == FIELD_TICKS) {
            decided = false;
        } else if (f->flags & FIELD_TAIL) {
            longer++;
        } else {
            words++;
        }
    }
    ck_assert_uint_eq(l->words, decided ? words : 0);
    if (!decided)
        return;
    ck_assert_uint_eq(l->longer, longer > 0 ? words + longer : 0);
    ck_assert_uint_eq(l->lo, lo);
    ck_assert_uint_eq(l->hi, hi);
}
END_TEST

START_TEST(a_header_is_of_the_kind_that_the_decoder_finds) {
    for (uint64_t type = 0; type < 16; type++)
        for (uint64_t sub = 0; sub < 16; sub++) {
            unsigned lo = record_layout_subtype[type];
            uint64_t word = type | (lo > 0 ? sub << lo : 0) | 1 << 4;
            uint8_t kind = record_layout_kinds[type][sub];
            struct fxt_record r;
            if (kind == FXT_K_MAGIC)
                word = FXT_MAGIC;
            word = record_order(word, false);
            record_decode(&r, &word, 1, 1, false);
            ck_assert_msg(r.kind == kind, "type %d, subtype %d", (int)type, (int)sub);
        }
}
END_TEST

START_TEST(a_type_without_a_meaning_is_not_plausible) {
    ck_assert(record_layout_plausible(FXT_MAGIC, 1) != NULL);
    ck_assert(record_layout_plausible(FXT_MAGIC & ~(UINT64_C(1) << 52), 1) == NULL);
    ck_assert(record_layout_plausible(FXT_EVENT | FXT_PUT(FXT_FLOW_END, 16, 19), 9) != NULL);
    ck_assert(record_layout_plausible(FXT_EVENT | FXT_PUT(FXT_FLOW_END + 1, 16, 19), 9) == NULL);
    ck_assert(record_layout_plausible(FXT_LARGE, 9) != NULL);
    ck_assert(record_layout_plausible(FXT_LARGE | FXT_PUT(1, 36, 39), 9) == NULL);
    ck_assert(record_layout_plausible(11, 9) == NULL);
}
END_TEST

/* ---- fxt(5) ---- */

struct listed { /* of a list: the text after .It, and its description in one line */
    char head[40], text[200];
};

static char *page;

static void open_page(void) {
    const char *dir = getenv("srcdir");
    char path[300];
    snprintf(path, sizeof path, "%s/man/fxt.5", dir && *dir ? dir : ".");
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    page = calloc(1, 1 << 18);
    ck_assert(page != NULL);
    ck_assert_uint_lt(fread(page, 1, (1 << 18) - 1, f), (1 << 18) - 1);
    fclose(f);
}

static void close_page(void) {
    free(page);
}

/* Copies a line; returns the next one, or NULL. */
static const char *line_at(const char *p, char line[200]) {
    size_t n = strcspn(p, "\n");
    ck_assert_uint_lt(n, 200);
    memcpy(line, p, n);
    line[n] = 0;
    return p[n] ? p + n + 1 : NULL;
}

/* The line after the heading of a section, or after the one that begins with `start` in it. */
static const char *find(const char *section, const char *start) {
    char line[200];
    bool inside = false;
    for (const char *p = page; p;) {
        p = line_at(p, line);
        if (strncmp(line, ".Sh ", 4) == 0 || strncmp(line, ".Ss ", 4) == 0)
            inside = strcmp(line + 4, section) == 0;
        else if (inside && strncmp(line, start, strlen(start)) == 0)
            return p;
    }
    ck_abort_msg("no list in section %s", section);
    return NULL;
}

/* The next item of a list; NULL: it ends. */
static const char *next_item(const char *p, struct listed *item) {
    char line[200];
    const char *next = line_at(p, line);
    if (strcmp(line, ".El") == 0)
        return NULL;
    ck_assert_msg(strncmp(line, ".It ", 4) == 0, "%s", line);
    snprintf(item->head, sizeof item->head, "%.39s", line + 4);
    item->text[0] = 0;
    for (p = next;
         (next = line_at(p, line)), strncmp(line, ".It", 3) != 0 && strncmp(line, ".El", 3) != 0;
         p = next) {
        size_t n = strlen(item->text);
        snprintf(item->text + n, sizeof item->text - n, "%s%.100s", n > 0 ? " " : "", line);
    }
    return p;
}

/* Does the text begin with this name, and nothing else up to its end or a comma, colon or
 * semicolon? */
static bool named(const char *text, const char *name) {
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && (text[n] == 0 || strchr(",:;", text[n]));
}

static const char *head_of(const struct record_field *f, char head[40]) {
    if (f->kind < FIELD_FOLLOWS) {
        snprintf(head, 40, "[%d..%d]", f->lo, f->hi);
        return head;
    }
    switch (f->kind) {
    case FIELD_INLINE_TEXT:
    case FIELD_TEXT:
    case FIELD_BYTES:
    case FIELD_CONTENTS:
        return "stream";
    case FIELD_ARGUMENTS:
        return "arguments";
    case FIELD_ADDRESSES:
        return "words";
    default:
        return "word";
    }
}

static void same_field(const char *section, const struct listed *item,
                       const struct record_field *f) {
    char head[40];
    bool opaque = f->kind == FIELD_OPAQUE;
    bool inlined = f->kind == FIELD_INLINE_ID || f->kind == FIELD_INLINE_TEXT;
    ck_assert_msg(strcmp(item->head, head_of(f, head)) == 0, "%s: %s %s, not %s", section,
                  item->head, item->text, head_of(f, head));
    ck_assert_msg(opaque ? strncmp(item->text, "depends on", 10) == 0 : named(item->text, f->name),
                  "%s: %s %s, not %s", section, item->head, item->text, f->name);
    ck_assert_msg((strstr(item->text, "inline") != NULL) == inlined, "%s: %s", section, item->text);
    ck_assert_msg((strstr(item->text, "may be absent") != NULL) ==
                      ((f->flags & FIELD_OMITTED) != 0),
                  "%s: %s", section, item->text);
}

/* The bits that the page gives a value: "subtype: 1". */
static uint64_t value_of(const struct listed *item, const struct record_field *f) {
    const char *colon = strchr(item->text, ':');
    return colon && isdigit((unsigned char)colon[2])
               ? FXT_PUT(strtoull(colon + 2, NULL, 0), f->lo, f->hi)
               : 0;
}

START_TEST(a_layout_is_that_of_the_manual_page) {
    const struct record_layout *l = &record_layouts[_i];
    if (l->section == NULL)
        return;
    bool large = _i == FXT_K_LARGE_EVENT || _i == FXT_K_LARGE_ATTACHMENT, second = false;
    struct listed item;
    uint64_t header = 0;
    const char *p = find(l->section, ".Bl -tag -width \"arguments\"");
    for (size_t k = 0; k < 2; k++) {
        const struct record_field *f = &record_layout_framing(large)[k];
        ck_assert((p = next_item(p, &item)) != NULL);
        same_field(l->section, &item, f);
        header |= value_of(&item, f);
    }
    for (size_t k = 0; k < l->n && l->fields[k].kind != FIELD_UNKNOWN_REST; k++) {
        const struct record_field *f = &l->fields[k];
        bool last = _i >= FXT_K_INSTANT && _i <= FXT_K_FLOW_END && f->kind >= FIELD_FOLLOWS &&
                    k == l->n - 1;
        if (last && f->kind != FIELD_ARGUMENTS) /* it is in the list of event types */
            break;
        ck_assert_msg((p = next_item(p, &item)) != NULL, "%s has no %s", l->section, f->name);
        if (f->word == 1 && !second) {
            ck_assert_str_eq(item.text, "with these fields:");
            p = next_item(p, &item);
            second = true;
        }
        same_field(l->section, &item, f);
        if (f->kind < FIELD_FOLLOWS && f->word == 0)
            header |= value_of(&item, f);
    }
    if (strcmp(l->section, "EVENTS") == 0) {
        ck_assert((p = next_item(p, &item)) != NULL);
        ck_assert_str_eq(item.text, "of some event types");
    } else if (l->zero != RECORD_UNKNOWN) {
        unsigned type = (unsigned)FXT_BITS(header, 0, 3);
        ck_assert_uint_eq(record_layout_kinds[type][header >> record_layout_subtype[type] & 15],
                          _i);
        ck_assert(_i != FXT_K_MAGIC || header == FXT_MAGIC);
    }
    ck_assert_msg(next_item(p, &item) == NULL, "%s: %s %s", l->section, item.head, item.text);
}
END_TEST

/* The cells of a line of a table, without blanks around them. Returns how many there are. */
static int cells_of(char *line, char *cells[4]) {
    int n = 0;
    for (char *p = line, *end; p && n < 4; p = end) {
        end = strstr(p, "Ta");
        if (end) {
            *end = 0;
            end += 2;
        }
        while (*p == ' ')
            p++;
        for (size_t k = strlen(p); k > 0 && p[k - 1] == ' ';)
            p[--k] = 0;
        cells[n++] = p;
    }
    return n;
}

START_TEST(event_types_end_as_the_manual_page_says) {
    char line[200], name[40], *cells[4];
    const char *p = find("EVENTS", ".Bl -column");
    for (unsigned type = 0; type <= FXT_FLOW_END; type++) {
        const struct record_layout *l = &record_layouts[FXT_K_INSTANT + type];
        const struct record_field *last = &l->fields[l->n - 1];
        p = line_at(p, line);
        ck_assert_int_eq(cells_of(line + 4, cells), 3);
        ck_assert_uint_eq(strtoul(cells[0], NULL, 10), type);
        snprintf(name, sizeof name, "%s", fxt_kind_name((enum fxt_kind)(FXT_K_INSTANT + type)));
        if (strchr(name, '_'))
            *strchr(name, '_') = ' ';
        ck_assert_str_eq(cells[1], name);
        ck_assert_msg(named(cells[2], last->kind == FIELD_ARGUMENTS ? "none" : last->name), "%s",
                      cells[2]);
        ck_assert_int_eq(strstr(cells[2], "may be absent") != NULL,
                         (last->flags & FIELD_TAIL) != 0);
    }
    line_at(p, line);
    ck_assert_str_eq(line, ".El");
}
END_TEST

/* A cell "[32..47] value ref". */
static void same_cell(const char *cell, const struct record_field *f) {
    char head[40];
    snprintf(head, sizeof head, "[%d..%d] ", f->lo, f->hi);
    ck_assert_msg(strncmp(cell, head, strlen(head)) == 0 && named(cell + strlen(head), f->name),
                  "%s, not %s%s", cell, head, f->name);
}

START_TEST(arguments_are_those_of_the_manual_page) {
    struct listed item;
    char line[200], *cells[4];
    const char *p = find("ARGUMENTS", ".Bl -tag -width \"arguments\"");
    for (size_t k = 0; k < 3; k++) {
        ck_assert((p = next_item(p, &item)) != NULL);
        ck_assert_msg(named(item.text, record_layout_argument_header[k].name), "%s", item.text);
    }
    p = find("ARGUMENTS", ".It Em type");
    for (unsigned type = 0; type <= FXT_ARG_BLOB; type++) {
        const struct record_layout *l = &record_layout_arguments[type];
        const struct record_field *last = &l->fields[l->n - 1];
        p = line_at(p, line);
        ck_assert_int_eq(cells_of(line + 4, cells), 4);
        ck_assert_uint_eq(strtoul(cells[0], NULL, 10), type);
        ck_assert_str_eq(cells[1], fxt_argument_name((uint8_t)type));
        same_cell(cells[2], &l->fields[0]);
        ck_assert_msg(named(cells[3], last->kind == FIELD_VALUE_WORD                      ? "word"
                                      : last->kind == FIELD_VALUE_BYTES || last->hi == 47 ? "stream"
                                                                                          : "none"),
                      "%s: %s", cells[1], cells[3]);
        if (l->fields[1].kind < FIELD_FOLLOWS) {
            p = line_at(p, line);
            ck_assert_int_eq(cells_of(line + 4, cells), 4);
            same_cell(cells[2], &l->fields[1]);
        }
    }
    line_at(p, line);
    ck_assert_str_eq(line, ".El");
}
END_TEST

SUITE(record_layout) {
    Suite *s = suite_create("record_layout");
    TCase *table = tcase_create("table"), *manual = tcase_create("manual");
    tcase_add_loop_test(table, fields_cover_all_bits_of_a_header, 0, FXT_K_COUNT);
    tcase_add_loop_test(table, what_follows_is_governed_by_a_field_of_the_header, 0, FXT_K_COUNT);
    tcase_add_loop_test(table, bits_that_must_be_zero_are_the_reserved_ones, 0, FXT_K_COUNT);
    tcase_add_loop_test(table, a_size_that_the_header_decides_is_that_of_the_fields, 0,
                        FXT_K_COUNT);
    tcase_add_test(table, a_header_is_of_the_kind_that_the_decoder_finds);
    tcase_add_test(table, a_type_without_a_meaning_is_not_plausible);
    suite_add_tcase(s, table);
    tcase_add_checked_fixture(manual, open_page, close_page);
    tcase_add_loop_test(manual, a_layout_is_that_of_the_manual_page, 0, FXT_K_COUNT);
    tcase_add_test(manual, event_types_end_as_the_manual_page_says);
    tcase_add_test(manual, arguments_are_those_of_the_manual_page);
    suite_add_tcase(s, manual);
    return s;
}
