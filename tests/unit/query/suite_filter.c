/* suite_filter.c - which texts a filter holds for, and that its printed form is the same filter. */
#include "model/query/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static struct chance chance = {8675309};

/* A bare word, quotes and expressions as texts alone: which names they hold for, and how they are
 * printed. */
START_TEST(texts_of_the_grammar) {
    static const struct {
        const char *text;
        bool exact;
        enum filter_operator op;
        const char *holds, *fails, *printed;
    } cases[] = {
        {"draw", false, FILTER_CONTAINS, "ReDrawFrame", "DraFrame", "draw"},
        {"Draw", false, FILTER_CONTAINS, "ReDrawFrame", "redraw", "Draw"},
        {"\"a b\"", false, FILTER_CONTAINS, "xa by", "b a", "\"a b\""},
        {"a\" \"b", false, FILTER_CONTAINS, "xa by", "b a", "\"a b\""},
        {"\"\\\"\\\\\"", false, FILTER_CONTAINS, "x\"\\y", "\"", "\"\\\"\\\\\""},
        {"a,bc", false, FILTER_CONTAINS, "abc", "cb", "a,bc"},
        {"a,", false, FILTER_CONTAINS, "f(a,b)", "a b", "\"a,\""},
        {"/dra.$/", false, FILTER_CONTAINS, "redraW", "drawn", "/dra.$/"},
        {"/Dra.$", false, FILTER_CONTAINS, "Draw", "draw", "/Dra.$/"},
        {"//Dra.$", false, FILTER_CONTAINS, "Draw", "draw", "/Dra.$/"},
        {"/a/b", false, FILTER_CONTAINS, "xa/b", "ab", "/a/b/"},
        {"/a b/", false, FILTER_CONTAINS, "xa b", "a", "/a b/"},
        {"///a", false, FILTER_CONTAINS, "x/a", "a", "/\\/a/"},
        {"operator<", false, FILTER_CONTAINS, "operator<<", "operator", "\"operator<\""},
        {"operator==", false, FILTER_CONTAINS, "operator==", "operator=", "operator=="},
        {"~Foo", false, FILTER_CONTAINS, "A::~Foo", "A::Foo", "\"~Foo\""},
        {"vector<int>", false, FILTER_CONTAINS, "vector<int>", "vector<", "vector<int>"},
        {"!draw", false, FILTER_CONTAINS, "paint", "draw", "!draw"},
        {"!!draw", false, FILTER_CONTAINS, "draw", "paint", "draw"},
        {"name=draw", false, FILTER_EQUALS, "Draw", "drawn", "name=draw"},
        {"name!=draw,paint", false, FILTER_NOT_EQUALS, "x", "Paint", "name!=draw,paint"},
        {"name~/^d/,x", false, FILTER_CONTAINS, "draw", "add", "name~/^d/,x"},
        {"name!~d", false, FILTER_NOT_CONTAINS, "x", "add", "name!~d"},
        {"name=\"/d/\"", false, FILTER_EQUALS, "/d/", "d", "name=\"/d/\""},
        {"draw", true, FILTER_EQUALS, "draw", "Draw", "draw"},
        {"/draw/ x=1", true, FILTER_EQUALS, "/draw/ x=1", "draw", "\"/draw/ x=1\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        char printed[40];
        struct filter *f = filter_new(cases[i].text, cases[i].exact, &err);
        MUST(f != NULL && f->terms.n == 1 &&
                 (f->terms.v[0].op == cases[i].op || f->terms.v[0].field == FILTER_ARGUMENT),
             (int)i);
        MUST(filter_matches(f, str_of(cases[i].holds)) &&
                 !filter_matches(f, str_of(cases[i].fails)),
             (int)i);
        MUST(strcmp(filter_text(f), cases[i].text) == 0, (int)i);
        MUST(filter_print(f, printed, sizeof printed) == strlen(cases[i].printed), (int)i);
        ck_assert_str_eq(printed, cases[i].printed);
        filter_free(f);
    }
}
END_TEST

/* Terms are separated by blanks; fields, operators and values are read by the table of the
 * grammar. */
START_TEST(terms_of_the_grammar) {
    static const struct {
        const char *text;
        int terms;
        enum filter_field field; /* of the last */
        enum filter_operator op;
        const char *printed;
    } cases[] = {
        {" dur>5ms  Frame ", 2, FILTER_TEXT, FILTER_CONTAINS, "dur>5ms Frame"},
        {"dur>p99", 1, FILTER_DURATION, FILTER_MORE, "dur>p99"},
        {"self>=1ms", 1, FILTER_SELF, FILTER_AT_LEAST, "self>=1ms"},
        {"!ts<1.2s", 1, FILTER_TIME, FILTER_LESS, "!ts<1.2s"},
        {"pid!=12,13", 1, FILTER_PID, FILTER_NOT_EQUALS, "pid!=12,13"},
        {"depth<=3", 1, FILTER_DEPTH, FILTER_AT_MOST, "depth<=3"},
        {"kind=slice,instant", 1, FILTER_KIND, FILTER_EQUALS, "kind=slice,instant"},
        {"kind=\"a b\"", 1, FILTER_ARGUMENT, FILTER_EQUALS, "arg.kind=\"a b\""},
        {"arg.kind=a", 1, FILTER_ARGUMENT, FILTER_EQUALS, "arg.kind=a"},
        {"bytes>4k", 1, FILTER_ARGUMENT, FILTER_MORE, "bytes>4k"},
        {"\"a b\"=c", 1, FILTER_ARGUMENT, FILTER_EQUALS, "\"a b\"=c"},
        {"in=Frame has!~x parent=a flow=\"f g\"", 4, FILTER_FLOW, FILTER_EQUALS,
         "in=Frame has!~x parent=a flow=\"f g\""},
        {"state!=blocked,running", 1, FILTER_STATE, FILTER_NOT_EQUALS, "state!=blocked,running"},
        {"open !open problem", 3, FILTER_PROBLEM, FILTER_EQUALS, "open !open problem"},
        {"\"open\"", 1, FILTER_TEXT, FILTER_CONTAINS, "\"open\""},
        {"'a b'", 1, FILTER_TEXT, FILTER_CONTAINS, "\"a b\""},
        {"name='it\\'s \"c\"','x'", 1, FILTER_NAME, FILTER_EQUALS, "name=\"it's \\\"c\\\"\",x"},
        {"don't name=it's", 2, FILTER_NAME, FILTER_EQUALS, "don't name=it's"},
        {"'a b'=c", 1, FILTER_ARGUMENT, FILTER_EQUALS, "\"a b\"=c"},
        {"kind='a b'", 1, FILTER_ARGUMENT, FILTER_EQUALS, "arg.kind=\"a b\""},
        {"/a/ /b", 2, FILTER_TEXT, FILTER_CONTAINS, "/a/ /b/"},
        {"a \"or\" 'and'", 3, FILTER_TEXT, FILTER_CONTAINS, "a \"or\" \"and\""},
        {"or a or", 3, FILTER_TEXT, FILTER_CONTAINS, "\"or\" a \"or\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        char printed[60];
        struct filter *f = filter_new(cases[i].text, false, &err);
        ck_assert_msg(f != NULL, "%s: %s", cases[i].text, err.text);
        MUST((int)f->terms.n == cases[i].terms, (int)i);
        MUST(f->terms.v[f->terms.n - 1].field == cases[i].field &&
                 f->terms.v[f->terms.n - 1].op == cases[i].op,
             (int)i);
        filter_print(f, printed, sizeof printed);
        ck_assert_str_eq(printed, cases[i].printed);
        filter_free(f);
    }
}
END_TEST

/* An error names the column of the fault, in characters, and the expected syntax. */
START_TEST(faults_are_one_line) {
    static const char *const faults[][2] = {
        {"", "nothing to search for"},
        {"  ", "nothing to search for"},
        {"/", "nothing to search for"},
        {"/a(/", "/a(/: missing closing parenthesis at column 4"},
        {"\u00e9 name~/a(/", "/a(/: missing closing parenthesis at column 11"},
        {"dur>5", "column 5: dur takes a time with its unit, such as 5ms, or p99"},
        {"x ts>", "column 6: a value is wanted after >"},
        {"\u00b5 ts>4", "column 6: ts takes a time with its unit, such as 5ms"},
        {"ts>p99", "column 4: ts takes a time with its unit, such as 5ms"},
        {"pid=1,", "column 7: a value is wanted after ,"},
        {"pid=ab", "column 5: pid takes a whole number"},
        {"pid=18446744073709551616", "column 5: pid takes a whole number"},
        {"pid~1", "column 4: pid is compared by = != < <= > >="},
        {"name<a", "column 5: name is compared by = ~ != !~"},
        {"state>a", "column 6: state is compared by = and !="},
        {"kind=foo", "column 6: kind is slice, instant, async, flow, counter, log or state"},
        {"state=foo", "column 7: state is running, runnable, blocked, suspended, new, dying, dead, "
                      "unknown or a number"},
        {"name=\"a b", "column 6: a closing quote is wanted"},
        {"\"a", "column 1: a closing quote is wanted"},
        {"a name=b'", "column 9: no quote is open that ends here; quotes make \"a'\" text"},
        {"name=a',b", "column 7: no quote is open that ends here; quotes make \"a'\" text"},
        {"name='a' b'", "column 11: no quote is open that ends here; quotes make \"a'\" text"},
        {"name='a b", "column 6: a closing quote is wanted"},
        {"name~/a", "column 6: a closing / is wanted"},
        {"a ! b", "column 4: a term is wanted after !"},
        {"arg.x=", "column 7: a value is wanted after ="},
        {"name=a or name=e", "column 8: commas in a value mean or: name=a,b; quotes make or text"},
        {"a  ||  b", "column 4: commas in a value mean or: name=a,b; quotes make || text"},
        {"dur>5ms and name=e",
         "column 9: all terms must hold, without and between them; quotes make it text"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct err err = {.text = ""};
        MUST(filter_new(faults[i][0], false, &err) == NULL, (int)i);
        ck_assert_str_eq(err.text, faults[i][1]);
    }
}
END_TEST

/* Two terms of a field exclude each other if no number fits both: of all pairs, with the halves
 * between. */
START_TEST(terms_that_exclude_each_other_are_found) {
    static const char *const operators[] = {"=", "!=", "<", "<=", ">", ">="};
    static const char *const others[] = {"name=a name=a",
                                         "name=a name=A",
                                         "name=a,b name=b,c",
                                         "name=a cat=b",
                                         "!name=a name=b",
                                         "name~a name~b",
                                         "name~/a/ name=b",
                                         "dur>p99 dur<p50",
                                         "in=a in=b",
                                         "a !b",
                                         "name=a name~A",
                                         "name=a name!=A",
                                         "name=a,b name!=b",
                                         "open open",
                                         "depth!=1 depth!=2",
                                         "kind=slice,flow kind=flow",
                                         "name!=a name!=b",
                                         "depth<1",
                                         "!depth<0",
                                         "dur>=0",
                                         "hop>1ms ts>1ms",
                                         "kind=async,counter dur>1ms",
                                         "self<2s dur>1s",
                                         "self>=1s dur<=1s",
                                         "kind=counter !dur>1ms",
                                         "self>1s dur<p50"};
    static const struct {
        const char *text;
        size_t terms[2];
    } apart[] = {
        {"pid=1,2 pid=3", {0, 1}},
        {"depth=1,2 depth>2", {0, 1}},
        {"depth=1,2 depth!=2,1", {0, 1}},
        {"depth=1 !depth<3", {0, 1}},
        {"name=a,b name=c", {0, 1}},
        {"name=A,b name!=a,b", {0, 1}},
        {"name=a !name=a", {0, 1}},
        {"name=ab name~c", {0, 1}},
        {"name=a name!~a", {0, 1}},
        {"name~/a/ !name~/a/", {0, 1}},
        {"kind=slice kind=flow,log", {0, 1}},
        {"open !open", {0, 1}},
        {"in=a !in=a", {0, 1}},
        {"open name=a dur>1ms name=e", {1, 3}},
        {"big !big", {0, 1}},
        {"depth<0", {0, 0}},
        {"pid=1 dur<=-1ms,-2ms", {1, 1}},
        {"kind=counter dur>5ms", {0, 1}},
        {"self>1s kind!=slice", {0, 1}},
        {"hop>1ms name=a open", {0, 2}},
        {"self>2s dur<1s", {0, 1}},
        {"dur<1s self>=1s", {0, 1}},
    };
    struct err err;
    size_t at[2];
    for (int i = 0; i < 6 * 4 * 6 * 4; i++) {
        char text[60];
        bool any = false;
        snprintf(text, sizeof text, "depth%s%d depth%s%d", operators[i % 6], i / 6 % 4,
                 operators[i / 24 % 6], i / 144);
        if (strstr(text, "depth<0")) /* which nothing fits */
            continue;
        struct filter *f = filter_new(text, false, &err);
        for (int x = -1; x <= 8; x++) {
            bool fits = true;
            for (int k = 0; k < 2; k++)
                fits = fits &&
                       filter_term_result(
                           &f->terms.v[k],
                           filter_term_fits_number(&f->terms.v[k], filter_real(x / 2.0)), true);
            any = any || fits;
        }
        ck_assert_msg(filter_contradiction(f, at) != any, "%s", text);
        filter_free(f);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct filter *f = filter_new(others[i], false, &err);
        MUST(!filter_contradiction(f, at), (int)i);
        filter_free(f);
    }
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        struct filter *f = filter_new(apart[i].text, false, &err);
        MUST(filter_contradiction(f, at), (int)i);
        MUST(at[0] == apart[i].terms[0] && at[1] == apart[i].terms[1], (int)i);
        filter_free(f);
    }
}
END_TEST

/* In a table, columns are the fields; all other left sides are text. */
START_TEST(columns_of_a_table) {
    static const struct filter_column columns[] = {{"name", "name", FILTER_IS_TEXT},
                                                   {"dur_ns", "dur", FILTER_IS_TIME},
                                                   {"size", "bytes", FILTER_IS_NUMBER}};
    struct err err;
    char printed[60];
    struct filter *f =
        filter_new_rows("dur>5ms bytes>=4k size=1 pid=3 open name~x", columns, 3, &err);
    ck_assert_msg(f != NULL, "%s", err.text);
    static const int expected[] = {1, 2, 2, -1, -1, 0};
    for (size_t i = 0; i < 6; i++)
        MUST(expected[i] < 0
                 ? f->terms.v[i].field == FILTER_TEXT
                 : f->terms.v[i].field == FILTER_COLUMN && f->terms.v[i].column == expected[i],
             (int)i);
    ck_assert_double_eq(f->terms.v[1].values.v[0].number.d, 4000);
    filter_print(f, printed, sizeof printed);
    ck_assert_str_eq(printed, "dur>5ms bytes>=4k size=1 \"pid=3\" \"open\" name~x");
    filter_free(f);
    f = filter_new_rows("thread~'x y' pid=\"3\",4 a,", columns, 3, &err);
    ck_assert_msg(f != NULL, "%s", err.text);
    filter_print(f, printed, sizeof printed);
    ck_assert_str_eq(printed, "\"thread~x y\" \"pid=3,4\" \"a,\"");
    ck_assert_str_eq(filter_no_column(f), "thread");
    filter_free(f);
    ck_assert_ptr_null(filter_new_rows("dur>5", columns, 3, &err));
    ck_assert_str_eq(err.text, "column 5: dur takes a time with its unit, such as 5ms");
    ck_assert_ptr_null(filter_new_rows("name>a", columns, 3, &err));
}
END_TEST

/* Numbers of all types compare exactly, where a double would not. */
START_TEST(numbers_compare_exactly) {
    struct filter_number big = filter_unsigned(UINT64_MAX), less = filter_unsigned(UINT64_MAX - 1),
                         minus = filter_signed(-1);
    ck_assert_int_eq(filter_compare(less, big), -1);
    ck_assert_int_eq(filter_compare(minus, big), -1);
    ck_assert_int_eq(filter_compare(big, minus), 1);
    ck_assert_int_eq(filter_compare(filter_signed(-2), minus), -1);
    ck_assert_int_eq(filter_compare(filter_signed(7), filter_unsigned(7)), 0);
    ck_assert_int_eq(filter_compare(filter_real(0.5), minus), 1);
    ck_assert_int_eq(filter_compare((struct filter_number){0}, minus), 2);
}
END_TEST

static bool slow_contains(const char *text, const char *part) {
    bool fold = true;
    for (const char *p = part; *p; p++)
        fold = fold && !isupper((unsigned char)*p);
    for (; *text; text++) {
        size_t n = 0;
        while (part[n] && text[n] && (fold ? tolower((unsigned char)text[n]) : text[n]) == part[n])
            n++;
        if (part[n] == '\0')
            return true;
    }
    return false;
}

/* Pieces that a filter is made of, in any order: most results are filters, some are none. */
static void throw_filter(char *text, size_t cap) {
    static const char *const pieces[] = {
        "a",       "B",   "ab",    " ",       " ",    "/",    "\"",   "\\",   ",",
        "!",       "=",   "!=",    "~",       "!~",   "<",    ">=",   "name", "dur",
        "5ms",     "p99", "kind",  "slice",   "open", "arg.", "x",    "3",    "0x1f",
        "4k",      "in",  "state", "running", "ts",   "1.5s", "self", "//",   "depth",
        "problem", "-2",  ".",     "flow",    "'"};
    size_t n = 0;
    text[0] = '\0';
    for (uint64_t k = 1 + below(&chance, 9); k > 0; k--) {
        const char *piece = pieces[below(&chance, sizeof pieces / sizeof *pieces)];
        if (n + strlen(piece) + 1 > cap)
            break;
        memcpy(text + n, piece, strlen(piece) + 1);
        n += strlen(piece);
    }
}

static bool same_value(const struct filter_value *a, const struct filter_value *b) {
    return strcmp(a->text, b->text) == 0 && a->is_regex == b->is_regex &&
           (a->pattern == NULL) == (b->pattern == NULL) && a->number.type == b->number.type &&
           a->number.i == b->number.i && a->number.u == b->number.u && a->number.d == b->number.d;
}

static bool same_term(const struct filter_term *a, const struct filter_term *b) {
    bool same =
        a->field == b->field && a->op == b->op && a->negated == b->negated &&
        a->values.n == b->values.n && (a->left == NULL) == (b->left == NULL) &&
        (a->left == NULL || strcmp(a->left, b->left) == 0) &&
        (a->literal == NULL) == (b->literal == NULL) &&
        (a->literal == NULL || strcmp(pattern_text(a->literal), pattern_text(b->literal)) == 0);
    for (size_t i = 0; same && i < a->values.n; i++)
        same = same_value(&a->values.v[i], &b->values.v[i]);
    return same;
}

/* Whatever is parsed prints as text that parses to the same terms, and prints the same again. */
START_TEST(print_is_parsed_back) {
    char text[80], printed[400], twice[400];
    struct err err;
    int parsed = 0;
    for (int i = 0; i < 100000; i++) {
        throw_filter(text, sizeof text);
        struct filter *f = filter_new(text, false, &err);
        if (f == NULL)
            continue;
        parsed++;
        ck_assert_uint_lt(filter_print(f, printed, sizeof printed), sizeof printed);
        struct filter *again = filter_new(printed, false, &err);
        ck_assert_msg(again != NULL, "%s, printed as %s: %s", text, printed, again ? "" : err.text);
        bool same = again->terms.n == f->terms.n;
        for (size_t k = 0; same && k < f->terms.n; k++)
            same = same_term(&f->terms.v[k], &again->terms.v[k]);
        ck_assert_msg(same, "%s, printed as %s", text, printed);
        filter_print(again, twice, sizeof twice);
        ck_assert_str_eq(printed, twice);
        filter_free(again);
        filter_free(f);
    }
    ck_assert_int_gt(parsed, 20000);
}
END_TEST

/* The byte of the first quote of `text`, values of a field, that opens or closes nothing; its
 * length: there is none. Read letter by letter. */
static size_t slow_fault(const char *text) {
    bool first = true; /* in a word or a value */
    size_t i = 0, n = strlen(text);
    for (; i < n; i++) {
        char c = text[i];
        if (c == '"' || (c == '\'' && first)) {
            size_t from = i;
            for (i++; i < n && text[i] != c; i++)
                ;
            if (i == n)
                return from;
        } else if (c == '\'' && (i + 1 == n || text[i + 1] == ' ' || text[i + 1] == ',')) {
            return i;
        }
        first = c == ' ' || c == ',';
    }
    return n;
}

START_TEST(a_quote_that_opens_or_closes_nothing_is_named) {
    static const char letters[] = "ab'\"', ";
    for (int i = 0; i < 20000; i++) {
        char text[16] = "name=a", want[16];
        struct err err = {.text = ""};
        size_t n = 6 + below(&chance, 9);
        for (size_t k = 6; k < n; k++) {
            text[k] = letters[below(&chance, sizeof letters - 1)];
            if (text[k] == ',' || text[k] == ' ') /* a value follows */
                text[k + 1 < n ? ++k : k] = 'b';
        }
        text[n] = '\0';
        size_t fault = slow_fault(text + 5) + 5;
        struct filter *f = filter_new(text, false, &err);
        snprintf(want, sizeof want, "column %zu:", fault + 1);
        ck_assert_msg((f != NULL) == (fault == n), "%s: %s", text, err.text);
        ck_assert_msg(f || strncmp(err.text, want, strlen(want)) == 0, "%s: %s", text, err.text);
        filter_free(f);
    }
}
END_TEST

static void throw_text(char *text, size_t most) {
    static const char letters[] = "abAB. ";
    size_t n = 1 + below(&chance, most - 1);
    for (size_t i = 0; i < n; i++)
        text[i] = letters[below(&chance, sizeof letters - 1)];
    text[n] = '\0';
}

/* Quoted literals against a search letter by letter. */
START_TEST(literals_against_a_slow_search) {
    char text[6], quoted[9], name[12];
    struct err err;
    for (int i = 0; i < 20000; i++) {
        throw_text(text, sizeof text - 1);
        snprintf(quoted, sizeof quoted, "\"%s\"", text);
        struct filter *f = filter_new(quoted, false, &err);
        for (int k = 0; k < 5; k++) {
            throw_text(name, sizeof name - 1);
            MUST(filter_matches(f, str_of(name)) == slow_contains(name, text), i);
        }
        filter_free(f);
    }
}
END_TEST

START_TEST(print_is_cut_and_returns_its_length) {
    struct err err;
    char out[6] = "?????";
    struct filter *f = filter_new("abcdefgh", false, &err);
    ck_assert_uint_eq(filter_print(f, out, 4), 8);
    ck_assert_str_eq(out, "abc");
    ck_assert_int_eq(out[4], '?');
    ck_assert_uint_eq(filter_print(f, NULL, 0), 8);
    filter_free(f);
}
END_TEST

/* A number beyond 64 bits is not the last one of 64 bits. */
START_TEST(numbers_beyond_64_bits_equal_none) {
    static const char *const texts[] = {"size=99999999999999999999", "size=-99999999999999999999"};
    for (size_t i = 0; i < 2; i++) {
        struct err err;
        struct filter *f = filter_new(texts[i], false, &err);
        const struct filter_term *term = &f->terms.v[0];
        ck_assert(!filter_term_fits_number(term, i == 0 ? filter_unsigned(UINT64_MAX)
                                                        : filter_signed(INT64_MIN)));
        ck_assert(filter_term_fits_number(term, term->values.v[0].number));
        filter_free(f);
    }
}
END_TEST

/* Each beginning that completions offer is a field with an operator that it takes; a beginning with
 * a value is a term. */
START_TEST(beginnings_are_those_of_terms) {
    char text[64], buf[32];
    unsigned fields = 0, values = 0;
    for (size_t n = 0; filter_beginning(n, buf, sizeof buf); n++) {
        struct err err;
        char last = buf[strlen(buf) - 1];
        bool open = last == '=' || last == '>';
        bool is_value = strncmp(buf, "kind=", 5) == 0 || strncmp(buf, "state=", 6) == 0;
        const char *value = !open ? "" : !is_value ? "1" : buf[0] == 'k' ? "slice" : "running";
        snprintf(text, sizeof text, "%s%s", buf, value);
        struct filter *f = filter_new(text, false, &err);
        if (f == NULL) { /* a time */
            snprintf(text, sizeof text, "%s%sms", buf, value);
            f = filter_new(text, false, &err);
        }
        MUST(f != NULL && f->terms.n == 1, (int)n);
        MUST(f->terms.v[0].field != FILTER_TEXT && f->terms.v[0].field != FILTER_ARGUMENT, (int)n);
        filter_free(f);
        fields += open || !is_value;
        values += !open && is_value;
    }
    ck_assert_uint_eq(fields, FILTER_ARGUMENT - FILTER_NAME);
    ck_assert_uint_eq(values, 7 + 8);
}
END_TEST

SUITE(filter) {
    Suite *s = suite_create("filter");
    TCase *c = tcase_create("filter");
    tcase_add_test(c, texts_of_the_grammar);
    tcase_add_test(c, terms_of_the_grammar);
    tcase_add_test(c, faults_are_one_line);
    tcase_add_test(c, numbers_beyond_64_bits_equal_none);
    tcase_add_test(c, terms_that_exclude_each_other_are_found);
    tcase_add_test(c, columns_of_a_table);
    tcase_add_test(c, numbers_compare_exactly);
    tcase_add_test(c, print_is_parsed_back);
    tcase_add_test(c, a_quote_that_opens_or_closes_nothing_is_named);
    tcase_add_test(c, literals_against_a_slow_search);
    tcase_add_test(c, print_is_cut_and_returns_its_length);
    tcase_add_test(c, beginnings_are_those_of_terms);
    suite_add_tcase(s, c);
    return s;
}
