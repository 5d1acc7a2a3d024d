#include "src/base/pattern.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/vec.h"

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

struct group { /* of a regular expression, as far as it was read */
    uint64_t sum, last;                     /* characters, repeated ones as often: all but the last atom, the last one */
    bool nothing_so_far, last_may, nothing; /* all before the last atom, it, and an alternative before may match nothing */
};

static bool may_be_nothing(const struct group *g) {
    return g->nothing || (g->nothing_so_far && g->last_may);
}

static void next_atom(struct group *g, bool may) {
    g->sum += g->last;
    g->last = 1;
    g->nothing_so_far = g->nothing_so_far && g->last_may;
    g->last_may = may;
}

/* Why libc would take memory or time without bound for it; NULL: it would not. It writes out what is repeated, x+ as
 * xx*, and x{2,5} as xxxxx; where x may match nothing it then follows all ways through the copies, and it tries all for
 * what refers back. Where it is no expression this means nothing. */
static const char *too_much(const char *p) {
    const struct group empty = {1, 0, true, true, false};
    struct group g = empty;
    VEC(struct group) outer = {0};
    const char *why = NULL;
    for (; *p && !why; p++) {
        uint64_t times = 1, least = 1;
        switch (*p) {
        case '*':
        case '?':
            g.last_may = true;
            break;
        case '+':
            times = 2;
            break;
        case '{':
            least = strtoull(p + 1, NULL, 10);
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
            vec_push(&outer, g);
            g = empty;
            break;
        case ')': {
            struct group inner = g;
            g = outer.n > 0 ? outer.v[--outer.n] : empty;
            next_atom(&g, may_be_nothing(&inner));
            g.last = inner.sum + inner.last;
            break;
        }
        case '|':
            g.nothing = may_be_nothing(&g);
            g.nothing_so_far = g.last_may = true;
            g.sum += g.last;
            g.last = 0;
            break;
        default:
            if (*p == '\\' && p[1] >= '1' && p[1] <= '9')
                why = "it refers back";
            next_atom(&g, *p == '^' || *p == '$' || (*p == '\\' && p[1] && strchr("<>bB`'", p[1])));
            if (*p == '\\' && p[1])
                p++;
            else if (*p == '[')
                p = bracket_end(p);
            break;
        }
        if (times > 1 && g.last > 0 && g.last_may)
            why = "it repeats what may be nothing";
        g.last *= times;
        g.last_may = g.last_may || least == 0;
        if (g.sum + g.last > REGEX_MOST || outer.n > REGEX_MOST)
            why = "it repeats too much";
    }
    vec_free(&outer);
    return why;
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
