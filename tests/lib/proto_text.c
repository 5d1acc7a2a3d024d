/* proto_text.c - a parser that writes as it goes; messages are written to a buffer of their own. */
#include "tests/lib/proto_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "src/base/vec.h"

struct bytes {
    VEC(char) b;
};

static void put(struct bytes *to, const void *v, size_t n) {
    vec_reserve(&to->b, to->b.n + n + 1);
    if (n > 0)
        memcpy(to->b.v + to->b.n, v, n);
    to->b.n += n;
}

static void varint(struct bytes *to, uint64_t n) {
    do {
        char c = (char)((n & 127) | (n > 127 ? 128 : 0));
        put(to, &c, 1);
        n >>= 7;
    } while (n > 0);
}

static void fixed(struct bytes *to, uint64_t n, size_t size) {
    for (size_t i = 0; i < size; i++, n >>= 8)
        put(to, &(char){(char)(n & 255)}, 1);
}

static void delimited(struct bytes *to, uint64_t field, const struct bytes *of) {
    varint(to, field << 3 | 2);
    varint(to, of->b.n);
    put(to, of->b.v, of->b.n);
}

static void blanks(const char **s) {
    while (**s != '\0' && (isspace((unsigned char)**s) || **s == ',' || **s == '#'))
        *s += **s == '#' ? strcspn(*s, "\n") : 1;
}

static bool string(const char **s, struct bytes *to) {
    for ((*s)++; **s != '"'; (*s)++) {
        char c = **s;
        if (c == '\0')
            return false;
        if (c == '\\' && (*s)[1] >= '0' && (*s)[1] <= '3') {
            c = (char)strtol((char[]){(*s)[1], (*s)[2], (*s)[3], '\0'}, NULL, 8);
            *s += 3;
        } else if (c == '\\') {
            c = *++*s;
            c = c == 'n' ? '\n' : c;
        }
        put(to, &c, 1);
    }
    (*s)++;
    return true;
}

static void number(const char **s, uint64_t field, struct bytes *to) {
    size_t n = strcspn(*s, " \n,}]");
    if (strncmp(*s, "0x", 2) == 0) {
        varint(to, field << 3 | (n == 18 ? 1 : 5));
        fixed(to, strtoull(*s, NULL, 16), n == 18 ? 8 : 4);
    } else if (memchr(*s, '.', n)) {
        double d = strtod(*s, NULL);
        uint64_t bits;
        memcpy(&bits, &d, sizeof bits);
        varint(to, field << 3 | 1);
        fixed(to, bits, 8);
    } else {
        varint(to, field << 3);
        varint(to, **s == '-' ? (uint64_t)strtoll(*s, NULL, 10) : strtoull(*s, NULL, 10));
    }
    *s += n;
}

static bool fields(const char **s, char end, struct bytes *to, int depth);

static bool value(const char **s, uint64_t field, struct bytes *to) {
    struct bytes of = {0};
    bool fine = true;
    if (**s == '"') {
        fine = string(s, &of);
        delimited(to, field, &of);
    } else if (**s == '[') {
        for ((*s)++, blanks(s); fine && **s != ']'; blanks(s)) {
            fine = isdigit((unsigned char)**s) || **s == '-';
            varint(&of, **s == '-' ? (uint64_t)strtoll(*s, NULL, 10) : strtoull(*s, NULL, 10));
            *s += strcspn(*s, " \n,]");
        }
        *s += fine;
        delimited(to, field, &of);
    } else {
        fine = isdigit((unsigned char)**s) || **s == '-';
        if (fine)
            number(s, field, to);
    }
    vec_free(&of.b);
    return fine;
}

static bool message(const char **s, uint64_t field, bool packed, struct bytes *to, int depth) {
    struct bytes of = {0}, small = {0};
    bool fine = **s == '{' && depth < 40;
    if (fine) {
        (*s)++;
        fine = fields(s, '}', &of, depth + 1);
    }
    if (fine && packed) {
        uLongf n = compressBound(of.b.n);
        vec_reserve(&small.b, n);
        fine = compress((Bytef *)small.b.v, &n, (const Bytef *)of.b.v, of.b.n) == Z_OK;
        small.b.n = n;
    }
    if (fine)
        delimited(to, field, packed ? &small : &of);
    vec_free(&of.b);
    vec_free(&small.b);
    return fine;
}

static bool fields(const char **s, char end, struct bytes *to, int depth) {
    for (blanks(s); **s != end; blanks(s)) {
        if (strncmp(*s, "raw: \"", 6) == 0) {
            *s += 5;
            if (!string(s, to))
                return false;
            continue;
        }
        char *after;
        uint64_t field = strtoull(*s, &after, 10);
        if (after == *s || !isdigit((unsigned char)**s))
            return false;
        bool colon = *after == ':';
        *s = after + colon;
        blanks(s);
        bool packed = strncmp(*s, "zlib ", 5) == 0;
        *s += packed ? 5 : 0;
        if (colon ? !value(s, field, to) : !message(s, field, packed, to, depth))
            return false;
    }
    *s += end != '\0';
    return true;
}

char *proto_text(const char *text, size_t *n, const char **at) {
    struct bytes all = {0};
    *at = text;
    if (!fields(at, '\0', &all, 0)) {
        vec_free(&all.b);
        return NULL;
    }
    *n = all.b.n;
    put(&all, "", 0);
    return all.b.v;
}
