/* pattern.c - literals and regular expressions, matched against names.
 *
 * Literals are searched by memmem() or, with case folded, byte by byte. Regular expressions are
 * PCRE2's, interpreted: its compiler to machine code needs memory that is writable and executable,
 * and is not used.
 *
 * A backtracking matcher can take exponential time. PCRE2's match limit bounds the work for each
 * place where a match may start, not for the name. So every item of an expression is preceded by a
 * callout (PCRE2_AUTO_CALLOUT). It charges the step and the distance from the item before, and ends
 * the match when PATTERN_MOST is exceeded. PCRE2's own limits of calls, depth and heap are set as
 * well; they bound what happens between two callouts. */
#include "src/base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

#define BYTES_A_UNIT 8u  /* a scan without backtracking takes 1 to 2 ns a byte */
#define MOST_HEAP 16384u /* KiB of places to backtrack to */
/* bytes of an expression that an error quotes: the rest of the line is for the message */
#define SHOWN 100

struct pattern {
    char *given;
    char *text; /* what is looked for: the literal, or the regular expression without slashes */
    size_t n;
    bool exact, whole, fold;
    size_t column;    /* of the first slash in the line that was typed */
    pcre2_code *code; /* NULL: a literal */
    pcre2_match_data *data;
    pcre2_match_context *context;
    size_t at;     /* place in the name that the last callout saw */
    uint32_t cost; /* of the last match */
};

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static char lower(char c) {
    return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static bool has_upper(const char *s) {
    while (*s && !is_upper(*s))
        s++;
    return *s != '\0';
}

/* Whether the name goes on with the pattern at byte i; pattern->text is in lower case already. */
static bool folded_at(const struct pattern *pattern, struct str name, size_t i) {
    size_t k = 0;
    while (k < pattern->n && lower(name.s[i + k]) == pattern->text[k])
        k++;
    return k == pattern->n;
}

static bool contains_folded(const struct pattern *pattern, struct str name) {
    for (size_t i = 0; i + pattern->n <= name.n; i++)
        if (folded_at(pattern, name, i))
            return true;
    return false;
}

static bool contains(const struct pattern *pattern, struct str name) {
#ifdef HAVE_MEMMEM
    return memmem(name.s, name.n, pattern->text, pattern->n) != NULL;
#else
    size_t i = 0;
    while (i < name.n - pattern->n && memcmp(name.s + i, pattern->text, pattern->n) != 0)
        i++;
    return memcmp(name.s + i, pattern->text, pattern->n) == 0;
#endif
}

static int charge(pcre2_callout_block *block, void *ctx) {
    struct pattern *pattern = ctx;
    size_t from = pattern->at, to = block->current_position;
    pattern->cost += 1 + (uint32_t)((from < to ? to - from : from - to) / BYTES_A_UNIT);
    pattern->at = to;
    return pattern->cost < PATTERN_MOST ? 0 : PCRE2_ERROR_MATCHLIMIT;
}

static bool regex_matches_from(struct pattern *pattern, struct str name, size_t from) {
    pattern->at = from;
    pattern->cost = 1;
    PCRE2_SPTR s = (PCRE2_SPTR)(name.n > 0 ? name.s : "");
    return pcre2_match(pattern->code, s, name.n, from, 0, pattern->data, pattern->context) >= 0;
}

static bool regex_matches(struct pattern *pattern, struct str name) {
    return regex_matches_from(pattern, name, 0);
}

bool pattern_matches(struct pattern *pattern, struct str name) {
    if (pattern->code)
        return regex_matches(pattern, name);
    pattern->cost = 1 + (uint32_t)(name.n / BYTES_A_UNIT);
    if (pattern->exact || (pattern->whole && !pattern->fold))
        return str_eq(name, (struct str){pattern->text, pattern->n});
    if (pattern->whole)
        return name.n == pattern->n && folded_at(pattern, name, 0);
    if (pattern->fold)
        return contains_folded(pattern, name);
    return name.n >= pattern->n && contains(pattern, name);
}

bool pattern_group(struct pattern *pattern, struct str name, struct str *part) {
    uint32_t groups = 0;
    if (pattern->code == NULL || !regex_matches(pattern, name))
        return false;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(pattern->data);
    if (groups > 0 && ends[2] != PCRE2_UNSET && ends[2] != ends[3])
        ends += 2;
    bool found = ends[0] != PCRE2_UNSET && ends[0] <= ends[1] && ends[1] <= name.n;
    *part = found ? (struct str){name.s + ends[0], ends[1] - ends[0]} : STR("");
    return found;
}

bool pattern_match_from(struct pattern *pattern, struct str name, size_t from, struct str *match) {
    if (pattern->code == NULL || from > name.n || !regex_matches_from(pattern, name, from))
        return false;
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(pattern->data);
    if (ends[0] > ends[1] || ends[0] < from || ends[1] > name.n) /* \K may do this */
        return false;
    *match = (struct str){name.s + ends[0], ends[1] - ends[0]};
    return true;
}

uint32_t pattern_cost(const struct pattern *pattern) {
    return pattern->cost;
}

static void *allocate(size_t size, void *ctx) {
    (void)ctx;
    return err_malloc(size);
}

static void release(void *p, void *ctx) {
    (void)ctx;
    free(p);
}

/* PCRE2's message and the column of the fault in the text as it was given, in characters. */
static bool refuse(const struct pattern *pattern, int code, size_t offset, struct err *err) {
    char why[128], quoted[SHOWN + 1]; /* PCRE2's own messages are shorter than 100 bytes */
    pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
    text_plain(quoted, sizeof quoted, str_of(pattern->given), 0);
    size_t column = pattern->column + 1;
    for (size_t i = 0; i < offset && i < pattern->n; i++)
        column += ((unsigned char)pattern->text[i] & 0xc0) != 0x80;
    return err_set(err, ERR_NO_OFFSET, "%s: %s at column %zu", quoted, why, column);
}

static bool compile(struct pattern *pattern, struct err *err) {
    size_t n = pattern->n, backslashes = 0;
    /* the closing one, unless a backslash makes it a character */
    if (n > 0 && pattern->text[n - 1] == '/') {
        while (backslashes + 1 < n && pattern->text[n - 2 - backslashes] == '\\')
            backslashes++;
        if (backslashes % 2 == 0)
            pattern->text[--pattern->n] = '\0';
    }
    if (pattern->n == 0)
        return err_set(err, ERR_NO_OFFSET, "nothing to search for");
    pcre2_general_context *memory = pcre2_general_context_create(allocate, release, NULL);
    pcre2_compile_context *context = pcre2_compile_context_create(memory);
    uint32_t flags = PCRE2_AUTO_CALLOUT | PCRE2_DOLLAR_ENDONLY | PCRE2_DOTALL |
                     PCRE2_NEVER_BACKSLASH_C | (has_upper(pattern->text) ? 0 : PCRE2_CASELESS),
             utf = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF;
    int code;
    size_t offset;
    pattern->code =
        pcre2_compile((PCRE2_SPTR)pattern->text, pattern->n, flags | utf, &code, &offset, context);
    if (pattern->code == NULL && code < 0) /* it is not UTF-8 */
        pattern->code =
            pcre2_compile((PCRE2_SPTR)pattern->text, pattern->n, flags, &code, &offset, context);
    pcre2_compile_context_free(context);
    if (pattern->code) {
        pattern->data = pcre2_match_data_create(2, memory);
        pattern->context = pcre2_match_context_create(memory);
        pcre2_set_callout(pattern->context, charge, pattern);
        pcre2_set_match_limit(pattern->context, PATTERN_MOST);
        pcre2_set_depth_limit(pattern->context, PATTERN_MOST);
        pcre2_set_heap_limit(pattern->context, MOST_HEAP);
    }
    pcre2_general_context_free(memory);
    return pattern->code || refuse(pattern, code, offset, err);
}

static struct pattern *make(const char *text, bool is_regex) {
    struct pattern *pattern = err_calloc(1, sizeof *pattern);
    size_t n = strlen(text) + 1;
    pattern->given = memcpy(err_malloc(n), text, n);
    pattern->text = memcpy(err_malloc(n), text + is_regex, n - is_regex);
    pattern->n = n - 1 - is_regex;
    pattern->fold = !has_upper(pattern->text);
    return pattern;
}

struct pattern *pattern_literal(const char *text, bool whole) {
    struct pattern *pattern = make(text, false);
    pattern->whole = whole;
    return pattern;
}

struct pattern *pattern_regex(const char *text, size_t column, struct err *err) {
    struct pattern *pattern = make(text, true);
    pattern->column = column;
    if (compile(pattern, err))
        return pattern;
    pattern_free(pattern);
    return NULL;
}

struct pattern *pattern_new(const char *text, bool exact, struct err *err) {
    if (*text == '\0') {
        err_set(err, ERR_NO_OFFSET, "nothing to search for");
        return NULL;
    }
    if (*text == '/' && !exact)
        return pattern_regex(text, 1, err);
    struct pattern *pattern = make(text, false);
    pattern->exact = exact;
    pattern->fold = pattern->fold && !exact;
    return pattern;
}

void pattern_free(struct pattern *pattern) {
    if (pattern == NULL)
        return;
    pcre2_match_context_free(pattern->context);
    pcre2_match_data_free(pattern->data);
    pcre2_code_free(pattern->code);
    free(pattern->text);
    free(pattern->given);
    free(pattern);
}

const char *pattern_text(const struct pattern *pattern) {
    return pattern->given;
}
