/* tracegen_tokens.c - tokens of the language of tracegen.h: numbers, strings, threads and
 * arguments.
 *
 * A token moves the place in the line after itself. The first mistake is kept, and later ones are
 * not reported. */
#include "tests/lib/tracegen_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool tracegen_wrong(struct gen *g, const char *why) {
    if (g->why == NULL)
        g->why = why;
    return false;
}

/* ---- tokens ---- */

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

bool tracegen_at_end(struct gen *g) {
    while (blank(*g->p))
        g->p++;
    return *g->p == '\0' || *g->p == '\n' || *g->p == '#';
}

bool tracegen_ends_token(char c) {
    return c == '\0' || c == '\n' || c == '#' || blank(c);
}

static char *keep(struct gen *g, size_t n) {
    char *s = err_malloc(n + 1);
    vec_push(&g->kept, s);
    return s;
}

uint64_t tracegen_number(struct gen *g) {
    char *end;
    if (tracegen_at_end(g))
        return tracegen_wrong(g, "a number is missing");
    errno = 0;
    uint64_t v = *g->p == '-' ? (uint64_t)strtoll(g->p, &end, 0) : strtoull(g->p, &end, 0);
    if (end == g->p || errno != 0)
        return tracegen_wrong(g, "not a number");
    g->p = end;
    return v;
}

unsigned tracegen_small(struct gen *g) {
    uint64_t v = tracegen_number(g);
    if (v > UINT32_MAX)
        tracegen_wrong(g, "the number is too large");
    return (unsigned)v;
}

static bool escape(struct gen *g, char *out) {
    char hex[3] = "";
    switch (*g->p++) {
    case 'n':
        *out = '\n';
        return true;
    case 't':
        *out = '\t';
        return true;
    case 'e':
        *out = '\x1b';
        return true;
    case '"':
    case '\\':
        *out = g->p[-1];
        return true;
    case 'x':
        if (!isxdigit((unsigned char)g->p[0]) || !isxdigit((unsigned char)g->p[1]))
            return tracegen_wrong(g, "\\x wants two hexadecimal digits");
        memcpy(hex, g->p, 2);
        *out = (char)strtoul(hex, NULL, 16);
        g->p += 2;
        return true;
    default:
        return tracegen_wrong(g, "unknown escape");
    }
}

struct str tracegen_quoted(struct gen *g) {
    if (tracegen_at_end(g) || *g->p != '"') {
        tracegen_wrong(g, "a \"string\" is missing");
        return STR("");
    }
    char *s = keep(g, strcspn(g->p, "\n"));
    size_t n = 0;
    for (g->p++; *g->p != '"'; n++) {
        if (*g->p == '\0' || *g->p == '\n') {
            tracegen_wrong(g, "the string has no end");
            break;
        }
        if (*g->p != '\\')
            s[n] = *g->p++;
        else if (g->p++, !escape(g, &s[n]))
            break;
    }
    g->p += *g->p == '"';
    return (struct str){s, n};
}

struct str tracegen_bytes(struct gen *g) {
    if (tracegen_at_end(g) || strncmp(g->p, "fill:", 5) != 0)
        return tracegen_quoted(g);
    g->p += 5;
    size_t n = tracegen_small(g);
    char *s = keep(g, n);
    for (size_t i = 0; i < n; i++)
        s[i] = (char)i;
    return (struct str){s, n};
}

static bool is_index(const char *p) {
    if (*p++ != 's' || !isdigit((unsigned char)*p))
        return false;
    while (isdigit((unsigned char)*p))
        p++;
    return tracegen_ends_token(*p) || *p == '=';
}

struct writer_string tracegen_string(struct gen *g) {
    if (!tracegen_at_end(g) && is_index(g->p)) {
        g->p++;
        return writer_index((uint16_t)tracegen_small(g));
    }
    bool even_empty = *g->p == 'i';
    g->p += even_empty;
    struct str s = tracegen_quoted(g);
    return s.n > 0 || even_empty ? writer_inline(s) : writer_index(0);
}

struct writer_thread tracegen_thread(struct gen *g) {
    struct writer_thread t = {0};
    if (!tracegen_at_end(g) && *g->p == 't') {
        g->p++;
        t.index = (uint8_t)tracegen_small(g);
        return t;
    }
    t.pid = tracegen_number(g);
    if (*g->p++ != '/') {
        g->p--;
        tracegen_wrong(g, "a thread is t1, 5/6 or 5/-");
    } else if (*g->p == '-' && tracegen_ends_token(g->p[1])) {
        g->p++;
        t.no_tid = true;
    } else {
        t.tid = tracegen_number(g);
    }
    return t;
}

/* ---- arguments ---- */

static const struct {
    const char *word;
    uint8_t type;
} argument_types[] = {
    {"i32:", FXT_ARG_INT32},
    {"u32:", FXT_ARG_UINT32},
    {"i64:", FXT_ARG_INT64},
    {"u64:", FXT_ARG_UINT64},
    {"f64:", FXT_ARG_DOUBLE},
    {"ptr:", FXT_ARG_POINTER},
    {"koid:", FXT_ARG_KOID},
    {"bool:", FXT_ARG_BOOL},
    {"blob:", FXT_ARG_BLOB},
    {"null", FXT_ARG_NULL},
    {"type", 255},
};

static void typed_value(struct gen *g, struct writer_argument *a) {
    size_t i = 0, n = sizeof argument_types / sizeof *argument_types;
    while (i < n && strncmp(g->p, argument_types[i].word, strlen(argument_types[i].word)) != 0)
        i++;
    if (i == n) {
        a->type = FXT_ARG_STRING;
        a->string = tracegen_string(g);
        return;
    }
    g->p += strlen(argument_types[i].word);
    a->type = argument_types[i].type;
    switch (a->type) {
    case FXT_ARG_NULL:
        break;
    case 255:
        a->type = (uint8_t)tracegen_small(g);
        break;
    case FXT_ARG_BLOB:
        a->blob = tracegen_bytes(g);
        break;
    case FXT_ARG_BOOL:
        a->bits = *g->p == 't';
        g->p += strcspn(g->p, " \t\n#");
        break;
    case FXT_ARG_DOUBLE: {
        char *end;
        *a = writer_double(a->name, strtod(g->p, &end));
        if (end == g->p)
            tracegen_wrong(g, "not a double");
        g->p = end;
        break;
    }
    default:
        a->bits = tracegen_number(g);
        break;
    }
}

static bool is_tail(const char *p, const struct tracegen_tail *tail) {
    size_t n = tail ? strlen(tail->word) : 0;
    return tail && strncmp(p, tail->word, n) == 0 && p[n] == '=' &&
           isdigit((unsigned char)p[n + 1]);
}

static struct writer_string argument_name(struct gen *g) {
    if (*g->p == '"' || (*g->p == 'i' && g->p[1] == '"') || is_index(g->p))
        return tracegen_string(g);
    size_t n = strcspn(g->p, "= \t\n#");
    struct str s = {g->p, n};
    g->p += n;
    return writer_inline(s);
}

struct writer_arguments tracegen_arguments(struct gen *g,
                                           struct writer_argument args[TRACEGEN_ARGS],
                                           struct tracegen_tail *tail) {
    size_t n = 0;
    while (g->why == NULL && !tracegen_at_end(g)) {
        if (is_tail(g->p, tail)) {
            g->p += strlen(tail->word) + 1;
            tail->value = tracegen_number(g);
            tail->given = true;
            continue;
        }
        if (n == TRACEGEN_ARGS) {
            tracegen_wrong(g, "too many arguments");
            break;
        }
        args[n] = (struct writer_argument){.name = argument_name(g)};
        if (*g->p++ != '=') {
            g->p--;
            tracegen_wrong(g, "an argument is name=value");
            break;
        }
        typed_value(g, &args[n++]);
        if (!tracegen_ends_token(*g->p))
            tracegen_wrong(g, "something follows the value");
    }
    return (struct writer_arguments){args, n};
}
