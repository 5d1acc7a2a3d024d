/* functions.c - functions of SQL that SQLite does not have.
 *
 * Scalars are in a table: name, number of arguments, function. Some share a function and find their
 * factor in their row. Regular expressions are compiled once a statement (auxiliary data of an
 * argument). */
#include "sql/functions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sql/aggregate/percentile.h"
#include "sql/arguments/arguments.h"
#include "sql/family.h"
#include "sql/lanes.h"

struct call { /* what a function finds as its user data */
    struct source *source;
    const struct functions_scalar *scalar;
};

struct source *functions_source(sqlite3_context *out) {
    return ((struct call *)sqlite3_user_data(out))->source;
}

int64_t functions_factor(sqlite3_context *out) {
    return ((struct call *)sqlite3_user_data(out))->scalar->factor;
}

struct str functions_text(sqlite3_value *v) {
    const char *s = (const char *)sqlite3_value_text(v);
    return s ? (struct str){s, (size_t)sqlite3_value_bytes(v)} : STR("");
}

static bool is_null(sqlite3_value *v) {
    return sqlite3_value_type(v) == SQLITE_NULL;
}

/* ---- time ---- */

static void trace_bound(sqlite3_context *out, int n, sqlite3_value **v) {
    int64_t start, end, which = functions_factor(out);
    (void)n;
    (void)v;
    lanes_bounds(functions_source(out), &start, &end);
    /* start <= end, both >= 0 */
    if (which == 0)
        sqlite3_result_int64(out, start);
    else
        sqlite3_result_int64(out, which == 1 ? end : end - start);
}

/* A number times the factor, rounded; integers exactly while they fit. */
static void times(sqlite3_context *out, int n, sqlite3_value **v) {
    int64_t product, factor = functions_factor(out);
    (void)n;
    if (is_null(v[0]))
        return;
    if (sqlite3_value_numeric_type(v[0]) == SQLITE_INTEGER &&
        !__builtin_mul_overflow((int64_t)sqlite3_value_int64(v[0]), factor, &product)) {
        sqlite3_result_int64(out, product);
        return;
    }
    double x = sqlite3_value_double(v[0]) * (double)factor;
    if (fabs(x) < 9.2e18)
        sqlite3_result_int64(out, llround(x));
    else
        sqlite3_result_double(out, x);
}

static void divided(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (!is_null(v[0]))
        sqlite3_result_int64(out, sqlite3_value_int64(v[0]) / functions_factor(out));
}

/* ns of the trace's clock -> ns since 1970; false: the trace does not know when its clock began. */
static bool unix_time(struct source *source, int64_t at, int64_t *ns) {
    uint64_t tps, tick, unix_ns;
    bool has_base;
    if (!reader_init(trace_reader(source->trace), &tps, &tick, &unix_ns, &has_base) || !has_base ||
        tps == 0)
        return false;
    struct wide base = wide_div(wide_mul(tick, 1000000000), tps);
    return base.hi == 0 && base.lo <= INT64_MAX && unix_ns <= INT64_MAX &&
           !__builtin_sub_overflow(at, (int64_t)base.lo, ns) &&
           !__builtin_add_overflow(*ns, (int64_t)unix_ns, ns);
}

static void to_realtime(sqlite3_context *out, int n, sqlite3_value **v) {
    int64_t ns;
    (void)n;
    if (!is_null(v[0]) && unix_time(functions_source(out), sqlite3_value_int64(v[0]), &ns))
        sqlite3_result_int64(out, ns);
}

/* The clock of a trace is monotonic. */
static void to_monotonic(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (!is_null(v[0]))
        sqlite3_result_int64(out, sqlite3_value_int64(v[0]));
}

/* HH:MM:SS mmm uuu nnn. */
static void to_timecode(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (is_null(v[0]))
        return;
    uint64_t ns = (uint64_t)sqlite3_value_int64(v[0]), s = ns / 1000000000;
    char text[64];
    snprintf(text, sizeof text,
             "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " %03" PRIu64 " %03" PRIu64 " %03" PRIu64,
             s / 3600, s / 60 % 60, s % 60, ns / 1000000 % 1000, ns / 1000 % 1000, ns % 1000);
    sqlite3_result_text(out, text, -1, SQLITE_TRANSIENT);
}

/* The time of day as 2022-04-20T01:45:13.989693816; NULL: it is not known. */
static void abs_time(sqlite3_context *out, int n, sqlite3_value **v) {
    int64_t ns;
    char day[64], text[96];
    struct tm tm;
    (void)n;
    if (is_null(v[0]) || !unix_time(functions_source(out), sqlite3_value_int64(v[0]), &ns) ||
        ns < 0)
        return;
    time_t s = (time_t)(ns / 1000000000);
    if (gmtime_r(&s, &tm) == NULL)
        return;
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(text, sizeof text, "%s.%09d", day, (int)(ns % 1000000000));
    sqlite3_result_text(out, text, -1, SQLITE_TRANSIENT);
}

/* ---- texts ---- */

#define LONGEST ((size_t)64 << 20)

struct pattern *functions_pattern(struct str text) {
    struct chars typed = {0};
    chars_add(&typed, STR("/(?-i)"));
    chars_add(&typed, text);
    chars_add(&typed, STR("/"));
    vec_push(&typed, '\0');
    struct pattern *pattern = memchr(text.s, 0, text.n) ? NULL : pattern_regex(typed.v, 1, NULL);
    vec_free(&typed);
    return pattern;
}

static void free_pattern(void *pattern) {
    pattern_free(pattern);
}

static void regexp(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (is_null(v[0]) || is_null(v[1]))
        return;
    struct pattern *pattern = sqlite3_get_auxdata(out, 0), *made = NULL;
    if (pattern == NULL)
        pattern = made = functions_pattern(functions_text(v[0]));
    if (pattern == NULL) {
        sqlite3_result_error(out, "regexp: the first argument is no regular expression", -1);
        return;
    }
    sqlite3_result_int(out, pattern_matches(pattern, functions_text(v[1])));
    if (made)
        sqlite3_set_auxdata(out, 0, made, free_pattern);
}

/* regexp_extract(text, pattern). */
static void regexp_extract(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (is_null(v[0]) || is_null(v[1]))
        return;
    struct pattern *pattern = sqlite3_get_auxdata(out, 1), *made = NULL;
    struct str part;
    if (pattern == NULL)
        pattern = made = functions_pattern(functions_text(v[1]));
    if (pattern == NULL) {
        sqlite3_result_error(out, "regexp_extract: the second argument is no regular expression",
                             -1);
        return;
    }
    if (pattern_group(pattern, functions_text(v[0]), &part))
        sqlite3_result_text64(out, part.s, part.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    if (made)
        sqlite3_set_auxdata(out, 1, made, free_pattern);
}

/* regexp(pattern, text, flags): i for any case, c for the case as it is; the last one counts. */
static void regexp_flags(sqlite3_context *out, int n, sqlite3_value **v) {
    struct str flags = functions_text(v[2]), text = functions_text(v[0]);
    bool any = false;
    (void)n;
    if (is_null(v[0]) || is_null(v[1]) || is_null(v[2]))
        return;
    for (size_t i = 0; i < flags.n; i++)
        any = flags.s[i] == 'i' || (any && flags.s[i] != 'c');
    struct chars pattern = {0};
    chars_add(&pattern, any ? STR("(?i)") : STR(""));
    chars_add(&pattern, text);
    struct pattern *made =
        functions_pattern((struct str){pattern.n > 0 ? pattern.v : "", pattern.n});
    vec_free(&pattern);
    if (made == NULL)
        sqlite3_result_error(out, "regexp: the first argument is no regular expression", -1);
    else
        sqlite3_result_int(out, pattern_matches(made, functions_text(v[1])));
    pattern_free(made);
}

/* The bytes of the character at a byte of a text; 0 at its end. */
static size_t character(struct str s, size_t at) {
    size_t n = at < s.n;
    while (at + n < s.n && ((unsigned char)s.s[at + n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* Adds the text with all matches replaced. An empty match counts unless another one ends there.
 * False: it is stopped, or too long. */
static bool replace_all(struct source *source, struct pattern *pattern, struct str s,
                        struct str with, struct chars *text) {
    size_t done = 0, last = SIZE_MAX; /* up to here it is copied; the end of the last match */
    struct str match;
    while (text->n <= LONGEST && !source_stopped(source) &&
           pattern_match_from(pattern, s, done, &match)) {
        size_t from = (size_t)(match.s - s.s);
        chars_add(text, (struct str){s.s + done, from - done});
        done = from + match.n;
        if (match.n > 0 || from != last)
            chars_add(text, with);
        last = done;
        if (match.n > 0)
            continue;
        size_t next = character(s, done);
        chars_add(text, (struct str){s.s + done, next});
        done += next;
        if (next == 0)
            break;
    }
    chars_add(text, (struct str){s.s + done, s.n - done});
    return text->n <= LONGEST;
}

/* regexp_replace_simple(text, pattern, replacement). */
static void regexp_replace(sqlite3_context *out, int n, sqlite3_value **v) {
    struct str s = functions_text(v[0]), with = functions_text(v[2]);
    struct chars text = {0};
    (void)n;
    if (is_null(v[0]) || is_null(v[1]) || is_null(v[2]))
        return;
    struct pattern *pattern = functions_pattern(functions_text(v[1]));
    if (pattern == NULL) {
        sqlite3_result_error(
            out, "regexp_replace_simple: the second argument is no regular expression", -1);
        return;
    }
    vec_reserve(&text, s.n + 1);
    if (!replace_all(functions_source(out), pattern, s, with, &text))
        sqlite3_result_error_toobig(out);
    else
        sqlite3_result_text64(out, text.v, text.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    pattern_free(pattern);
    vec_free(&text);
}

/* The characters of a text from the last to the first. */
static void reverse(sqlite3_context *out, int n, sqlite3_value **v) {
    struct str s = functions_text(v[0]);
    (void)n;
    if (is_null(v[0]))
        return;
    char *text = err_malloc(s.n + 1);
    for (size_t at = 0, k; at < s.n; at += k) {
        for (k = 1; at + k < s.n && ((unsigned char)s.s[at + k] & 0xc0) == 0x80;)
            k++;
        memcpy(text + s.n - at - k, s.s + at, k);
    }
    sqlite3_result_text64(out, text, s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    free(text);
}

static bool is_blank(char c) {
    return c != '\0' && strchr(" \t\n\r\f\v", c) != NULL;
}

/* A number in hexadecimal, with or without 0x, between blanks. */
static void unhex(sqlite3_context *out, int n, sqlite3_value **v) {
    struct str s = functions_text(v[0]);
    uint64_t number = 0;
    (void)n;
    while (s.n > 0 && is_blank(s.s[s.n - 1]))
        s.n--;
    while (s.n > 0 && is_blank(s.s[0]))
        s = (struct str){s.s + 1, s.n - 1};
    if (s.n > 2 && s.s[0] == '0' && (s.s[1] == 'x' || s.s[1] == 'X'))
        s = (struct str){s.s + 2, s.n - 2};
    if (is_null(v[0]) || s.n == 0 || s.n > 16)
        return;
    for (size_t i = 0; i < s.n; i++) {
        const char *digits = "0123456789abcdef", *digit = strchr(digits, s.s[i] | 0x20);
        if (s.s[i] == 0 || digit == NULL)
            return;
        number = number << 4 | (uint64_t)(digit - digits);
    }
    sqlite3_result_int64(out, (sqlite3_int64)number);
}

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void base64_encode(sqlite3_context *out, int n, sqlite3_value **v) {
    const unsigned char *s = sqlite3_value_blob(v[0]);
    size_t bytes = (size_t)sqlite3_value_bytes(v[0]), at = 0;
    (void)n;
    if (is_null(v[0]))
        return;
    char *text = err_malloc((bytes + 2) / 3 * 4 + 1);
    for (size_t i = 0; i < bytes; i += 3) {
        size_t left = bytes - i;
        uint32_t three = (uint32_t)s[i] << 16 | (left > 1 ? (uint32_t)s[i + 1] << 8 : 0) |
                         (left > 2 ? s[i + 2] : 0u);
        for (size_t k = 0; k < 4; k++)
            text[at++] = k <= left ? base64[three >> (18 - 6 * k) & 63] : '=';
    }
    sqlite3_result_text64(out, text, at, SQLITE_TRANSIENT, SQLITE_UTF8);
    free(text);
}

/* NULL: it is no base64. */
static void base64_decode(sqlite3_context *out, int n, sqlite3_value **v) {
    struct str s = functions_text(v[0]);
    (void)n;
    if (is_null(v[0]))
        return;
    while (s.n > 0 && s.s[s.n - 1] == '=')
        s.n--;
    unsigned char *bytes = err_malloc(s.n + 1);
    size_t at = 0;
    uint32_t bits = 0;
    bool fine = s.n % 4 != 1;
    for (size_t i = 0; i < s.n && fine; i++) {
        const char *digit = s.s[i] ? strchr(base64, s.s[i]) : NULL;
        fine = digit != NULL;
        bits = bits << 6 | (fine ? (uint32_t)(digit - base64) : 0);
        if (i % 4 > 0)
            bytes[at++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    if (fine)
        sqlite3_result_blob64(out, bytes, at, SQLITE_TRANSIENT);
    free(bytes);
}

/* ---- states ---- */

static const char *state_words(struct str letter) {
    static const struct {
        const char *letter, *words;
    } states[] = {
        {"R", "Runnable"},      {"R+", "Runnable (Preempted)"},
        {"S", "Sleeping"},      {"D", "Uninterruptible Sleep"},
        {"T", "Stopped"},       {"t", "Traced"},
        {"Z", "Exit (Zombie)"}, {"X", "Exit (Dead)"},
        {"x", "Task Dead"},     {"I", "Idle"},
        {"K", "Wakekill"},      {"W", "Waking"},
        {"P", "Parked"},        {"N", "No Load"},
    };
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (str_eq(letter, str_of(states[i].letter)))
            return states[i].words;
    return NULL;
}

/* The words for a letter of thread_state.state, and " (IO)" or " (non-IO)" by the second
 * argument. */
static void state_string(sqlite3_context *out, int n, sqlite3_value **v) {
    const char *words = state_words(functions_text(v[0]));
    if (is_null(v[0]) && n == 1)
        return;
    const char *io = "";
    if (n > 1 && !is_null(v[1]))
        io = sqlite3_value_int64(v[1]) == 1 ? " (IO)" : " (non-IO)";
    char *text =
        words ? sqlite3_mprintf("%s%s", words, io)
              : sqlite3_mprintf("%.*s%s", (int)functions_text(v[0]).n, functions_text(v[0]).s, io);
    if (text == NULL)
        sqlite3_result_error_nomem(out);
    else
        sqlite3_result_text(out, text, -1, sqlite3_free);
}

/* The part of a text with a number, from 0 on, between separators; NULL: there is none. */
static void str_split(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (is_null(v[0]) || is_null(v[1]) || is_null(v[2]))
        return;
    struct str s = functions_text(v[0]), separator = functions_text(v[1]);
    int64_t wanted = sqlite3_value_int64(v[2]);
    if (separator.n == 0 || wanted < 0) {
        sqlite3_result_error(out, "str_split wants a separator and a number from 0 on", -1);
        return;
    }
    for (;;) {
        size_t at = 0;
        while (at + separator.n <= s.n && memcmp(s.s + at, separator.s, separator.n) != 0)
            at++;
        bool last = at + separator.n > s.n;
        if (wanted-- == 0) {
            sqlite3_result_text64(out, s.s, last ? s.n : at, SQLITE_TRANSIENT, SQLITE_UTF8);
            return;
        }
        if (last)
            return;
        s.s += at + separator.n;
        s.n -= at + separator.n;
    }
}

static void null_if_empty(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (!is_null(v[0]) && functions_text(v[0]).n > 0)
        sqlite3_result_value(out, v[0]);
}

static void hash(sqlite3_context *out, int n, sqlite3_value **v) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (int k = 0; k < n; k++) {
        struct str s = functions_text(v[k]);
        for (size_t i = 0; i <= s.n; i++)
            h = (h ^ (i < s.n ? (unsigned char)s.s[i] : 0x1f)) * UINT64_C(1099511628211);
    }
    sqlite3_result_int64(out, (sqlite3_int64)(h >> 1)); /* never negative */
}

/* ---- slices ---- */

static struct str without(struct str s, const char *prefix) {
    size_t n = strlen(prefix);
    return s.n > n && memcmp(s.s, prefix, n) == 0 ? (struct str){s.s + n, s.n - n}
                                                  : (struct str){NULL, 0};
}

static void finalize(void *statement) {
    sqlite3_finalize(statement);
}

/* "b[0].c" as a path of SQLite: $."b"[0]."c". False: it is none. */
static bool json_path(struct str key, struct chars *path) {
    chars_text(path, "$");
    for (size_t i = 0, n; i < key.n; i += n) {
        const char *s = key.s + i;
        bool item = s[0] == '[';
        for (n = 1; i + n < key.n && (item ? s[n] >= '0' && s[n] <= '9' : !strchr(".[", s[n]));)
            n++;
        if (n == 1 ||
            (item ? i + n == key.n || s[n] != ']' : s[0] != '.' || memchr(s, '"', n) != NULL))
            return false;
        n += item;
        if (item)
            chars_add(path, (struct str){s, n});
        else
            chars_format(path, ".\"%.*s\"", (int)(n - 1), s + 1);
    }
    return true;
}

/* The value at a path of an argument that is an object or a list of JSON. The statement is kept
 * with the key. */
static void value_of_key(sqlite3_context *out, struct str json, struct str key) {
    static const char sql[] = "SELECT CASE WHEN json_valid(?1) THEN json_extract(?1, ?2) END";
    sqlite3_stmt *statement = sqlite3_get_auxdata(out, 1);
    struct chars path = {0};
    bool kept = statement != NULL, fine = json_path(key, &path);
    int status = SQLITE_OK;
    if (fine && !kept)
        status = sqlite3_prepare_v3(sqlite3_context_db_handle(out), sql, -1, 0, &statement, NULL);
    if (fine && status == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, json.s, (int)json.n, SQLITE_TRANSIENT);
        sqlite3_bind_text(statement, 2, path.v, (int)path.n, SQLITE_TRANSIENT);
        status = sqlite3_step(statement);
        if (status == SQLITE_ROW)
            sqlite3_result_value(out, sqlite3_column_value(statement, 0));
        sqlite3_reset(statement);
        if (!kept)
            sqlite3_set_auxdata(out, 1, statement, finalize);
    }
    if (status != SQLITE_OK && status != SQLITE_ROW && status != SQLITE_DONE)
        sqlite3_result_error_code(out, status);
    vec_free(&path);
}

/* Arguments that JSON has inside of others are one text in FXT: "data.url" is in "data". */
static void extract_nested(sqlite3_context *out, const struct arguments *a, struct str key) {
    for (size_t i = 1; i < key.n; i++) {
        if (!strchr(".[", key.s[i]))
            continue;
        const struct argument *x = arguments_find(a, (struct str){key.s, i});
        struct str json = x ? arguments_text(a, x) : STR("");
        if (json.n > 0 && strchr("{[", json.s[0])) {
            value_of_key(out, json, (struct str){key.s + i, key.n - i});
            return;
        }
    }
}

static void extract_arg(sqlite3_context *out, int n, sqlite3_value **v) {
    struct arguments a = {0};
    (void)n;
    if (is_null(v[0]) || is_null(v[1]))
        return;
    struct str key = functions_text(v[1]);
    arguments_read(&a, functions_source(out), sqlite3_value_int64(v[0]));
    const struct argument *x = arguments_find(&a, key);
    static const char *const prefixes[] = {"debug.", "args."};
    struct str bare = key;
    for (int i = 0; i < 2 && x == NULL; i++) {
        struct str rest = without(key, prefixes[i]);
        bare = rest.s ? rest : bare;
        x = rest.s ? arguments_find(&a, rest) : NULL;
    }
    if (x)
        arguments_value(&a, x, out);
    else
        extract_nested(out, &a, bare);
    arguments_free(&a);
}

static void slice_is_ancestor(sqlite3_context *out, int n, sqlite3_value **v) {
    (void)n;
    if (!is_null(v[0]) && !is_null(v[1]))
        sqlite3_result_int(out, family_is_ancestor(functions_source(out), sqlite3_value_int64(v[0]),
                                                   sqlite3_value_int64(v[1])));
}

static const struct functions_scalar scalars[] = {
    {"trace_start", 0, trace_bound, 0},
    {"trace_end", 0, trace_bound, 1},
    {"trace_dur", 0, trace_bound, 2},
    {"ms", 1, times, 1000000},
    {"us", 1, times, 1000},
    {"s", 1, times, 1000000000},
    {"time_from_ns", 1, times, 1},
    {"time_from_us", 1, times, 1000},
    {"time_from_ms", 1, times, 1000000},
    {"time_from_s", 1, times, 1000000000},
    {"time_from_min", 1, times, INT64_C(60000000000)},
    {"time_from_hours", 1, times, INT64_C(3600000000000)},
    {"time_from_days", 1, times, INT64_C(86400000000000)},
    {"time_to_ns", 1, divided, 1},
    {"time_to_us", 1, divided, 1000},
    {"time_to_ms", 1, divided, 1000000},
    {"time_to_s", 1, divided, 1000000000},
    {"time_to_min", 1, divided, INT64_C(60000000000)},
    {"time_to_hours", 1, divided, INT64_C(3600000000000)},
    {"time_to_days", 1, divided, INT64_C(86400000000000)},
    {"to_realtime", 1, to_realtime, 0},
    {"to_monotonic", 1, to_monotonic, 0},
    {"regexp", 2, regexp, 0},
    {"regexp", 3, regexp_flags, 0},
    {"regexp_extract", 2, regexp_extract, 0},
    {"regexp_replace_simple", 3, regexp_replace, 0},
    {"reverse", 1, reverse, 0},
    {"unhex", 1, unhex, 0},
    {"base64_encode", 1, base64_encode, 0},
    {"base64_decode", 1, base64_decode, 0},
    {"sched_state_to_human_readable_string", 1, state_string, 0},
    {"sched_state_io_to_human_readable_string", 2, state_string, 0},
    {"to_timecode", 1, to_timecode, 0},
    {"abs_time_str", 1, abs_time, 0},
    {"str_split", 3, str_split, 0},
    {"null_if_empty", 1, null_if_empty, 0},
    {"hash", -1, hash, 0},
    {"extract_arg", 2, extract_arg, 0},
    {"slice_is_ancestor", 2, slice_is_ancestor, 0},
};

int functions_add(sqlite3 *db, struct source *source, const struct functions_scalar *rows,
                  size_t n) {
    int status = SQLITE_OK;
    for (size_t i = 0; i < n && status == SQLITE_OK; i++) {
        struct call *call = sqlite3_malloc(sizeof *call);
        if (call == NULL)
            return SQLITE_NOMEM;
        *call = (struct call){source, &rows[i]};
        status = sqlite3_create_function_v2(db, rows[i].name, rows[i].args,
                                            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                            call, rows[i].call, NULL, NULL, sqlite3_free);
    }
    return status;
}

int functions_register(sqlite3 *db, struct source *source) {
    int status = percentile_register(db);
    return status == SQLITE_OK
               ? functions_add(db, source, scalars, sizeof scalars / sizeof *scalars)
               : status;
}
