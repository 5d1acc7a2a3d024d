/* quote.c - quotes for shells and for lines of commands.
 *
 * No form of quotes with escapes is the same in all shells: dash takes $'..' for a dollar and '..',
 * in which \' ends it; fish reads \\ and \' within '..'. So a quote and a backslash stand outside
 * of all quotes, which is alike in all. */
#include "src/io/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "src/base/text.h"

static bool is_strange(struct str s, unsigned flags) {
    struct text t = text_begin(s, flags);
    struct glyph glyph;
    while (text_next(&t, &glyph))
        if (glyph.strange)
            return true;
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.s[i] < ' ' || s.s[i] == 0x7f)
            return true;
    return false;
}

/* Whether all characters are among those, and there is one. */
static bool is_of(struct str s, const char *characters) {
    size_t i = 0;
    while (i < s.n && s.s[i] != 0 && strchr(characters, s.s[i]))
        i++;
    return i == s.n && s.n > 0;
}

/* ---- shells ---- */

#define SAFE "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_./"

/* The shell cuts line feeds off the end of what printf writes, so those have quotes of their own.
 */
static char *octal(struct str s) {
    static const char before[] = "\"$(printf '", after[] = "')\"", quoted[] = "'\n'";
    char *out = err_malloc(sizeof before + sizeof after + 4 * s.n), *to = stpcpy(out, before);
    size_t n = s.n;
    while (n > 0 && s.s[n - 1] == '\n')
        n--;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s.s[i];
        if (is_of((struct str){s.s + i, 1}, SAFE))
            *to++ = s.s[i];
        else
            to += snprintf(to, 5, "\\%03o", c);
    }
    to = n > 0 ? stpcpy(to, after) : out;
    for (; n < s.n; n++)
        to = stpcpy(to, quoted);
    *to = 0;
    return out;
}

char *quote_shell(struct str s, unsigned flags, bool always) {
    if (!always && is_of(s, SAFE "@+:,-"))
        return err_copy(s.s, s.n);
    if (is_strange(s, flags))
        return octal(s);
    char *out = err_malloc(4 * s.n + 3), *to = out;
    *to++ = '\'';
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == '\'' || s.s[i] == '\\')
            to += snprintf(to, 5, "'\\%c'", s.s[i]);
        else
            *to++ = s.s[i];
    }
    stpcpy(to, "'");
    return out;
}

/* ---- lines of commands ---- */

static bool ends_blank(struct str s) {
    return s.n > 0 && (s.s[0] == ' ' || s.s[s.n - 1] == ' ');
}

char *quote_line(const char *words, struct str text) {
    static const char before[] = QUOTE_LINE;
    char *out = err_malloc(sizeof before + strlen(words) + 3 * text.n + 1), *to = out;
    bool spelled = is_strange(text, 0) || ends_blank(text);
    to = stpcpy(to, spelled ? before : "");
    to = stpcpy(to, words);
    *to++ = ' ';
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.s[i];
        bool plain = c > ' ' && c < 0x7f && c != '%';
        if (spelled && !plain && !(c == ' ' && i > 0 && i + 1 < text.n))
            to += snprintf(to, 4, "%%%02x", c);
        else
            *to++ = text.s[i];
    }
    *to = 0;
    return out;
}

static int digit(char c) {
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

char *quote_line_read(const char *line) {
    size_t before = sizeof QUOTE_LINE - 1;
    if (strncmp(line, QUOTE_LINE, before) != 0)
        return err_copy(line, strlen(line));
    char *out = err_copy(line + before, strlen(line + before)), *to = out;
    for (const char *s = out; *s; s++) {
        if (*s != '%') {
            *to++ = *s;
            continue;
        }
        int high = digit(s[1]), low = high >= 0 ? digit(s[2]) : -1;
        if (low < 0 || high + low == 0) { /* a NUL would end the line */
            free(out);
            return NULL;
        }
        *to++ = (char)(high * 16 + low);
        s += 2;
    }
    *to = 0;
    return out;
}
