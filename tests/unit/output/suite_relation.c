/* suite_relation.c - rows as CSV, read back by a reader of RFC 4180; and as text. */
#include "model/output/relation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/time/sum.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { ROWS = 40 };

struct table {
    uint64_t rows;
    char text[ROWS][12];
    size_t n[ROWS];
    int64_t number[ROWS];
    bool null[ROWS][8];
};

static const struct relation_column columns[] = {
    {.name = "text", .title = "text", .type = RELATION_TEXT},
    {.name = "lines", .title = "lines", .type = RELATION_TEXT, .lines = true},
    {.name = "number", .title = "number", .type = RELATION_INTEGER, .unit = RELATION_COUNT},
    {.name = "time", .title = "time", .type = RELATION_INTEGER, .unit = RELATION_TIME},
    {.name = "real", .title = "real", .type = RELATION_REAL},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static uint64_t rows(void *ctx) {
    return ((struct table *)ctx)->rows;
}

static void get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    const struct table *t = ctx;
    if (t->null[row.row][column])
        return;
    if (column < 2)
        relation_set_text(value, (struct str){t->text[row.row], t->n[row.row]});
    else if (column < 4)
        relation_set_integer(value, t->number[row.row]);
    else
        relation_set_real(value, (double)t->number[row.row] / 2);
}

static const struct relation relation = {"table", columns, N_COLUMNS, false, rows, get};

static struct table any_table(struct chance *chance) {
    struct table t = {.rows = below(chance, ROWS + 1)};
    for (uint64_t row = 0; row < t.rows; row++) {
        t.n[row] = below(chance, sizeof t.text[0] + 1);
        for (size_t i = 0; i < t.n[row]; i++)
            t.text[row][i] = "ab,\"\n '0"[below(chance, 8)];
        t.number[row] = (int64_t)below(chance, 2000) - 1000;
        for (int c = 0; c < N_COLUMNS; c++)
            t.null[row][c] = below(chance, 5) == 0;
    }
    return t;
}

/* The next field of a line; *quoted is set for "", *last is set at the end of a line. */
static size_t field(const char **s, char *to, bool *quoted, bool *last) {
    const char *p = *s;
    size_t n = 0;
    *quoted = *p == '"';
    if (*quoted) {
        for (p++; *p != '"' || p[1] == '"'; p++) {
            ck_assert_int_ne(*p, '\0');
            p += *p == '"';
            to[n++] = *p;
        }
        p++;
    } else {
        while (*p != ',' && *p != '\r' && *p != '\n')
            to[n++] = *p++;
    }
    *last = *p != ',';
    if (*p == '\r')
        p++;
    ck_assert(*p == ',' || *p == '\n');
    *s = p + 1;
    to[n] = '\0';
    return n;
}

/* Line feeds are spelled out where a text may have no lines. */
static void check_text(const struct table *t, uint64_t row, bool lines, const char *got, int set) {
    char wanted[40];
    size_t n = 0;
    for (size_t i = 0; i < t->n[row]; i++) {
        if (t->text[row][i] == '\n' && !lines) {
            wanted[n++] = '^';
            wanted[n++] = 'J';
        } else {
            wanted[n++] = t->text[row][i];
        }
    }
    wanted[n] = '\0';
    MUST(strcmp(got, wanted) == 0, set);
}

static void check_row(const struct table *t, uint64_t row, const char **s, int64_t origin,
                      int set) {
    for (int c = 0; c < N_COLUMNS; c++) {
        char got[80];
        bool quoted, last;
        size_t n = field(s, got, &quoted, &last);
        MUST(last == (c == N_COLUMNS - 1), set);
        if (t->null[row][c]) {
            MUST(n == 0 && !quoted, set);
        } else if (c < 2) {
            MUST(quoted, set);
            check_text(t, row, c == 1, got, set);
        } else {
            MUST(!quoted, set);
            double number = strtod(got, NULL);
            double wanted = (double)t->number[row];
            wanted = c == 2   ? (double)(uint64_t)t->number[row]
                     : c == 3 ? wanted - (double)origin
                              : wanted / 2;
            MUST(number == wanted, set);
        }
    }
}

static bool every_other(void *ctx, uint64_t at, struct relation_row *row) {
    uint64_t n = *(uint64_t *)ctx;
    row->row = n - 1 - at;
    row->before = RELATION_NO_ROW;
    return at % 2 == 0;
}

START_TEST(csv_reads_back_as_the_values_it_was_made_of) {
    struct chance chance = {141};
    for (int set = 0; set < 500; set++) {
        struct table t = any_table(&chance);
        char *csv = NULL, name[80];
        size_t n;
        int64_t origin = (int64_t)below(&chance, 100);
        FILE *out = open_memstream(&csv, &n);
        struct relation_order order = {t.rows, every_other, &t.rows};
        relation_csv(&relation, &t, out, set % 2 ? &order : NULL, origin);
        fclose(out);
        const char *s = csv;
        for (int c = 0; c < N_COLUMNS; c++) {
            bool quoted, last;
            field(&s, name, &quoted, &last);
            MUST(strcmp(name, columns[c].name) == 0 && quoted && last == (c == N_COLUMNS - 1), set);
        }
        for (uint64_t row = 0; row < t.rows; row++) {
            if (set % 2 == 0)
                check_row(&t, row, &s, origin, set);
            else if (row % 2 == 0)
                check_row(&t, t.rows - 1 - row, &s, origin, set);
        }
        MUST(*s == '\0', set);
        free(csv);
    }
}
END_TEST

START_TEST(what_a_spreadsheet_would_compute_is_marked_as_text) {
    static const char *const texts[] = {"=1+1", "+1", "-1", "@x", "a=1", " =1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct table t = {.rows = 1, .n = {strlen(texts[i])}};
        char *csv = NULL;
        size_t n;
        memcpy(t.text[0], texts[i], t.n[0]);
        FILE *out = open_memstream(&csv, &n);
        relation_csv(&relation, &t, out, NULL, 0);
        fclose(out);
        ck_assert_int_eq(strchr(csv, '\n')[1], '"');
        ck_assert_int_eq(strchr(csv, '\n')[2] == '\'', i < 4);
        free(csv);
    }
}
END_TEST

START_TEST(text_of_a_value_has_its_unit_and_of_none_is_empty) {
    static const struct {
        enum relation_unit unit;
        int64_t integer;
        const char *text;
    } cases[] = {{RELATION_NONE, -5, "-5"},
                 {RELATION_TIME, 1500, "1500"},
                 {RELATION_DURATION, 1500, "1.500 us"},
                 {RELATION_BOOLEAN, 1, "true"},
                 {RELATION_BOOLEAN, 0, "false"},
                 {RELATION_BYTES, 1000, "1.00 kB"},
                 {RELATION_COUNT, 12400, "12.4k"},
                 {RELATION_OFFSET, 31, "0x1f"},
                 {RELATION_ID, -1, "18446744073709551615"}};
    struct relation_value value = {.type = RELATION_INTEGER};
    char buf[48];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct relation_column column = {.type = RELATION_INTEGER, .unit = cases[i].unit};
        value.integer = cases[i].integer;
        struct str text = relation_text(&column, &value, true, buf);
        ck_assert_msg(str_eq(text, str_of(cases[i].text)), "%.*s", (int)text.n, text.s);
    }
    struct table t = {.rows = 1, .null = {{true}}};
    value.type = RELATION_TEXT; /* the value before must not show through */
    relation_get(&relation, &t, (struct relation_row){0, RELATION_NO_ROW}, 0, &value);
    ck_assert(value.type == RELATION_NULL && relation_text(&columns[0], &value, true, buf).n == 0);
}
END_TEST

/* ---- every type and unit, byte for byte ---- */

enum { NAME, NOTE, START, LENGTH, SIZE, COUNT, PLACE, KOID, OPEN, RATIO, DELTA, COLUMNS };

static const struct relation_column cell_columns[COLUMNS] = {
    [NAME] = {"name", "name", RELATION_TEXT, RELATION_NONE, false},
    [NOTE] = {"note", "note", RELATION_TEXT, RELATION_NONE, true},
    [START] = {"start_ns", "start", RELATION_INTEGER, RELATION_TIME, false},
    [LENGTH] = {"dur_ns", "dur", RELATION_INTEGER, RELATION_DURATION, false},
    [SIZE] = {"bytes", "size", RELATION_INTEGER, RELATION_BYTES, false},
    [COUNT] = {"count", "n", RELATION_INTEGER, RELATION_COUNT, false},
    [PLACE] = {"offset", "at", RELATION_INTEGER, RELATION_OFFSET, false},
    [KOID] = {"koid", "koid", RELATION_INTEGER, RELATION_ID, false},
    [OPEN] = {"open", "open", RELATION_INTEGER, RELATION_BOOLEAN, false},
    [RATIO] = {"ratio", "ratio", RELATION_REAL, RELATION_NONE, false},
    [DELTA] = {"after_ns", "after", RELATION_INTEGER, RELATION_DURATION, false},
};

static const struct {
    const char *name, *note;
    int64_t start, length;
    uint64_t koid;
} cells[] = {
    {"a \"b\"\n", "one\ntwo\x1b", 1000, 1500, UINT64_MAX},
    {"=1+1", "-x\n=y", 1400, -3, 7},
    {"", NULL, INT64_MIN, 0, 0},
};

static uint64_t cell_rows(void *ctx) {
    (void)ctx;
    return sizeof cells / sizeof *cells;
}

static void cell_get(void *ctx, struct relation_row row, int column, struct relation_value *value) {
    size_t i = (size_t)row.row;
    (void)ctx;
    switch (column) {
    case NAME:
        snprintf(value->buf, sizeof value->buf, "%s", cells[i].name);
        relation_set_text(value, str_of(value->buf));
        break;
    case NOTE:
        if (cells[i].note)
            relation_set_text(value, str_of(cells[i].note));
        break;
    case START:
        relation_set_integer(value, cells[i].start);
        break;
    case LENGTH:
        relation_set_integer(value, cells[i].length);
        break;
    case KOID:
        relation_set_integer(value, (int64_t)cells[i].koid);
        break;
    case OPEN:
        relation_set_integer(value, i == 1);
        break;
    case RATIO:
        relation_set_real(value, 0.5 + (double)i);
        break;
    case DELTA:
        if (row.before != RELATION_NO_ROW)
            relation_set_integer(value, (int64_t)(row.row * 100 + row.before));
        break;
    default:
        relation_set_integer(value, 12345 + (int64_t)i);
        break;
    }
}

static struct relation cell_relation = {"cells", cell_columns, COLUMNS, false, cell_rows, cell_get};

static char *csv(const struct relation_order *order, int64_t origin) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    relation_csv(&cell_relation, NULL, f, order, origin);
    fclose(f);
    return text;
}

#define NAMES                                                                                      \
    "\"name\",\"note\",\"start_ns\",\"dur_ns\",\"bytes\",\"count\",\"offset\",\"koid\",\"open\","  \
    "\"ratio\",\"after_"                                                                           \
    "ns\"\r\n"
#define ROW_0                                                                                      \
    "\"a \"\"b\"\"^J\",\"one\ntwo^[\",900,1500,12345,12345,12345,18446744073709551615,false,0.5,"
#define ROW_1 "\"'=1+1\",\"'-x\n=y\",1300,-3,12346,12346,12346,7,true,1.5,"
#define ROW_2 "\"\",,-9223372036854775808,0,12347,12347,12347,0,false,2.5,"

START_TEST(all_rows_in_their_order) {
    char *text = csv(NULL, 100);
    ck_assert_str_eq(text, NAMES ROW_0 "\r\n" ROW_1 "100\r\n" ROW_2 "201\r\n");
    free(text);
}
END_TEST

START_TEST(names_without_quotes) {
    cell_relation.bare_names = true;
    char *text = csv(&(struct relation_order){0, NULL, NULL}, 0);
    cell_relation.bare_names = false;
    ck_assert_str_eq(text,
                     "name,note,start_ns,dur_ns,bytes,count,offset,koid,open,ratio,after_ns\r\n");
    free(text);
}
END_TEST

/* Backwards, without the middle one. */
static bool backwards(void *ctx, uint64_t at, struct relation_row *row) {
    uint64_t *asked = ctx;
    ck_assert_uint_eq(at, (*asked)++);
    *row = (struct relation_row){2 - at, at > 0 ? 2 : RELATION_NO_ROW};
    return at != 1;
}

START_TEST(rows_that_are_chosen_and_ordered) {
    uint64_t asked = 0;
    char *text = csv(&(struct relation_order){3, backwards, &asked}, 100);
    ck_assert_str_eq(text, NAMES ROW_2 "\r\n" ROW_0 "2\r\n");
    ck_assert_uint_eq(asked, 3);
    free(text);
}
END_TEST

/* A share is rounded once, to the digits that are printed: 7 of 136 are 5.147 %, which four digits
 * round to 5.15 %, and one then to 5.2 %. */
START_TEST(shares_are_rounded_once) {
    static const struct relation_column share = {
        .name = "share", .type = RELATION_INTEGER, .unit = RELATION_SHARE};
    for (int64_t whole = 1; whole < 250; whole++)
        for (int64_t part = 0; part <= 2 * whole; part++) {
            struct relation_value value = {.type = RELATION_INTEGER,
                                           .integer = sum_share(sum_from(part), sum_from(whole))};
            int64_t digits = (part * 20000 + whole) / (2 * whole);
            char buf[48], wanted[48];
            struct chars csv = {0};
            struct str got = relation_text(&share, &value, false, buf);
            snprintf(wanted, sizeof wanted, "%.1f%%", (double)part * 100 / (double)whole);
            ck_assert_msg(str_eq(got, str_of(wanted)), "%d of %d: %s", (int)part, (int)whole,
                          wanted);
            relation_share(&csv, value.integer);
            snprintf(wanted, sizeof wanted, "%d.%04d", (int)(digits / 10000),
                     (int)(digits % 10000));
            ck_assert_msg(str_eq((struct str){csv.v, csv.n}, str_of(wanted)), "%d of %d: %s",
                          (int)part, (int)whole, wanted);
            vec_free(&csv);
        }
}
END_TEST

static char *as_markdown(const char *s) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    relation_markdown_text(s, f);
    fclose(f);
    return text;
}

START_TEST(markdown_is_read_as_the_text) {
    static const char *const known[][2] = {
        {"@octocat", "\\@<!-- -->octocat"},
        {"a #12", "a \\#<!-- -->12"},
        {"# a @ b", "\\# a \\@ b"},
        {"&lt;b&gt;", "\\&lt;b\\&gt;"},
        {"http://x", "http:<!-- -->//x"},
        {"std::map", "std::map"},
        {"www.x.org", "www<!-- -->.x.org"},
        {"WwW.x", "WwW<!-- -->.x"},
        {"w.w", "w.w"},
        {"a|b<c>[d](e)*_`~\\", "a\\|b\\<c\\>\\[d\\](e)\\*\\_\\`\\~\\\\"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char *text = as_markdown(known[i][0]);
        ck_assert_str_eq(text, known[i][1]);
        free(text);
    }
}
END_TEST

/* Without comments and backslashes it is the text again, and neither a link nor a mention is in
 * it. */
START_TEST(markdown_has_no_links) {
    static const char characters[] = "aw1.:/@#&<|\\ ";
    struct chance chance = {77};
    for (int i = 0; i < 2000; i++) {
        char s[16], back[16 * 12];
        size_t n = (size_t)below(&chance, sizeof s), at = 0;
        for (size_t k = 0; k < n; k++)
            s[k] = characters[below(&chance, sizeof characters - 1)];
        s[n] = 0;
        char *text = as_markdown(s);
        MUST(strstr(text, "://") == NULL && strcasestr(text, "www.") == NULL, i);
        for (const char *c = text; *c;) {
            if (strncmp(c, "<!-- -->", 8) == 0) {
                c += 8;
                continue;
            }
            bool escaped = *c == '\\';
            c += escaped;
            MUST(escaped == (strchr("@#&<|\\", *c) != NULL), i);
            MUST((*c != '@' && *c != '#') || !isalnum((unsigned char)c[1]), i);
            back[at++] = *c++;
        }
        MUST(at == n && memcmp(back, s, n) == 0, i);
        free(text);
    }
}
END_TEST

SUITE(relation) {
    Suite *s = suite_create("relation");
    TCase *t = tcase_create("relation");
    tcase_add_test(t, shares_are_rounded_once);
    tcase_add_test(t, markdown_is_read_as_the_text);
    tcase_add_test(t, markdown_has_no_links);
    tcase_add_test(t, csv_reads_back_as_the_values_it_was_made_of);
    tcase_add_test(t, what_a_spreadsheet_would_compute_is_marked_as_text);
    tcase_add_test(t, text_of_a_value_has_its_unit_and_of_none_is_empty);
    tcase_add_test(t, all_rows_in_their_order);
    tcase_add_test(t, names_without_quotes);
    tcase_add_test(t, rows_that_are_chosen_and_ordered);
    tcase_add_test(t, markdown_is_read_as_the_text);
    tcase_add_test(t, markdown_has_no_links);
    suite_add_tcase(s, t);
    return s;
}
