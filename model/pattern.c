#include "model/pattern.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "src/vec.h"

#define REGEX_MOST 600 /* characters, repeated ones as often: libc may take the square of them, some dozen bytes each */

struct pattern {
    char *given;
    char *text; /* what is looked for: the literal, or the regular expression without slashes */
    size_t n;
    bool exact, fold, is_regex;
    regex_t regex;
    VEC(char) copy; /* of a name, for regexec() */
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

/* pattern->text is in lower case already. */
static bool contains_folded(const struct pattern *pattern, struct str name) {
    for (size_t i = 0; i + pattern->n <= name.n; i++) {
        size_t k = 0;
        while (k < pattern->n && lower(name.s[i + k]) == pattern->text[k])
            k++;
        if (k == pattern->n)
            return true;
    }
    return false;
}

/* On a copy that ends in a NUL; where the name holds one, another control character stands for it. */
static bool regex_matches(struct pattern *pattern, struct str name) {
    vec_reserve(&pattern->copy, name.n + 1);
    for (size_t i = 0; i < name.n; i++)
        pattern->copy.v[i] = name.s[i] ? name.s[i] : '\1';
    pattern->copy.v[name.n] = '\0';
    return regexec(&pattern->regex, pattern->copy.v, 0, NULL, 0) == 0;
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

bool pattern_matches(struct pattern *pattern, struct str name) {
    if (pattern->is_regex)
        return regex_matches(pattern, name);
    if (pattern->exact)
        return str_eq(name, (struct str){pattern->text, pattern->n});
    if (pattern->fold)
        return contains_folded(pattern, name);
    return name.n >= pattern->n && contains(pattern, name);
}

/* The last character of the bracket expression that begins at p, or of the text. */
static const char *bracket_end(const char *p) {
    p += p[1] == '^' ? 2 : 1;
    p += *p == ']';
    for (; *p && *p != ']'; p++)
        if (*p == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '=')) {
            const char end[] = {p[1], ']', '\0'}, *close = strstr(p + 2, end);
            p = close ? close + 1 : p;
        }
    return *p ? p : p - 1;
}

/* Why libc would take memory or time without bound for it; NULL: it would not. It writes out what is repeated, x+ as
 * xx*, and x{2,5} as xxxxx, and tries all ways for what refers back. Where it is no expression this means nothing. */
static const char *too_much(const char *p) {
    VEC(uint64_t) outer = {0}; /* what stands before each open parenthesis */
    uint64_t sum = 0, last = 0;
    for (; *p && sum + last <= REGEX_MOST; p++) {
        uint64_t times = 1;
        switch (*p) {
        case '+':
            times = 2;
            break;
        case '{':
            for (; *p && *p != '}'; p++)
                if (*p >= '0' && *p <= '9' && (p[-1] < '0' || p[-1] > '9')) {
                    uint64_t n = strtoull(p, NULL, 10);
                    times = n > REGEX_MOST ? REGEX_MOST : n > times ? n : times;
                }
            times++;
            if (*p == '\0')
                p--;
            break;
        case '(':
            vec_push(&outer, sum + last);
            sum = 1; /* as much as nothing in it */
            last = 0;
            break;
        case ')':
            last += sum;
            sum = outer.n > 0 ? outer.v[--outer.n] : 0;
            break;
        default:
            if (*p == '\\' && p[1] >= '1' && p[1] <= '9') {
                vec_free(&outer);
                return "it refers back";
            }
            if (*p == '\\' && p[1])
                p++;
            else if (*p == '[')
                p = bracket_end(p);
            sum += last;
            last = 1;
            break;
        }
        last *= times;
    }
    for (size_t i = 0; i < outer.n; i++)
        sum += outer.v[i];
    vec_free(&outer);
    return sum + last > REGEX_MOST ? "it repeats too much" : NULL;
}

static bool compile(struct pattern *pattern, struct err *err) {
    size_t n = strlen(pattern->text), backslashes = 0;
    if (n > 0 && pattern->text[n - 1] == '/') { /* the closing one, unless a backslash makes it a character */
        while (backslashes + 1 < n && pattern->text[n - 2 - backslashes] == '\\')
            backslashes++;
        if (backslashes % 2 == 0)
            pattern->text[n - 1] = '\0';
    }
    if (*pattern->text == '\0')
        return err_set(err, ERR_NO_OFFSET, "nothing to search for");
    const char *refused = too_much(pattern->text);
    if (refused)
        return err_set(err, ERR_NO_OFFSET, "bad regular expression: %s", refused);
    int flags = REG_EXTENDED | REG_NOSUB | (has_upper(pattern->text) ? 0 : REG_ICASE);
    int code = regcomp(&pattern->regex, pattern->text, flags);
    if (code != 0) {
        char why[128];
        regerror(code, &pattern->regex, why, sizeof why);
        return err_set(err, ERR_NO_OFFSET, "bad regular expression: %s", why);
    }
    pattern->is_regex = true;
    return true;
}

struct pattern *pattern_new(const char *text, bool exact, struct err *err) {
    if (*text == '\0') {
        err_set(err, ERR_NO_OFFSET, "nothing to search for");
        return NULL;
    }
    struct pattern *pattern = err_calloc(1, sizeof *pattern);
    size_t n = strlen(text) + 1;
    bool is_regex = *text == '/' && !exact;
    pattern->exact = exact;
    pattern->given = memcpy(err_malloc(n), text, n);
    pattern->text = memcpy(err_malloc(n), text + is_regex, n - is_regex);
    if (is_regex && !compile(pattern, err)) {
        pattern_free(pattern);
        return NULL;
    }
    pattern->n = strlen(pattern->text);
    pattern->fold = !exact && !has_upper(pattern->text);
    return pattern;
}

void pattern_free(struct pattern *pattern) {
    if (pattern == NULL)
        return;
    vec_free(&pattern->copy);
    if (pattern->is_regex)
        regfree(&pattern->regex);
    free(pattern->text);
    free(pattern->given);
    free(pattern);
}

const char *pattern_text(const struct pattern *pattern) {
    return pattern->given;
}
