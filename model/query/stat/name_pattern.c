/* name_pattern.c - goes over the name once. */
#include "model/query/stat/name_pattern.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define QUOTED_MOST 1000 /* bytes between quotes; a longer part stays as it is */

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The quoted part that begins at `at`, with both quotes, in bytes; 0: none does. */
static size_t quoted(struct str s, size_t at) {
    char quote = s.s[at];
    if ((quote != '\'' && quote != '"' && quote != '`') || (at > 0 && is_word(s.s[at - 1])))
        return 0;
    for (size_t i = at + 1; i < s.n && i - at <= QUOTED_MOST + 1; i++)
        if (s.s[i] == quote && (i + 1 == s.n || !is_word(s.s[i + 1])))
            return i + 1 - at;
    return 0;
}

/* The number that begins at `at`, in bytes; 0: none does. *hex: it has 0x before it. */
static size_t number(struct str s, size_t at, bool *hex) {
    size_t n = 0;
    *hex = s.n - at > 2 && s.s[at] == '0' && s.s[at + 1] == 'x' &&
           isxdigit((unsigned char)s.s[at + 2]);
    if (*hex)
        for (n = 2; at + n < s.n && isxdigit((unsigned char)s.s[at + n]);)
            n++;
    else
        while (at + n < s.n && isdigit((unsigned char)s.s[at + n]))
            n++;
    return n;
}

static void add(struct name_pattern *to, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        vec_push(to, text[i]);
}

static void add_text(struct name_pattern *to, const char *text) {
    add(to, text, strlen(text));
}

/* Appends the text with the quote in place of each Q. */
static void add_quoted(struct name_pattern *to, const char *text, char quote) {
    for (; *text; text++)
        vec_push(to, *text == 'Q' ? quote : *text);
}

static void add_pattern(struct str s, bool quotes, struct name_pattern *to) {
    bool hex;
    for (size_t at = 0, n; at < s.n; at += n) {
        if (quotes && (n = quoted(s, at)) > 0) {
            add_quoted(to, "Q...Q", s.s[at]);
        } else if ((n = number(s, at, &hex)) > 0) {
            add_text(to, hex ? "0xN" : "N");
        } else {
            n = 1;
            add(to, s.s + at, n);
        }
    }
}

void name_pattern_add(struct str s, struct name_pattern *to) {
    add_pattern(s, true, to);
}

void name_pattern_add_numbers(struct str s, struct name_pattern *to) {
    add_pattern(s, false, to);
}

static void add_byte(struct name_pattern *to, char c) {
    char escaped[8];
    snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned char)c);
    if (is_word(c) || c == ' ')
        vec_push(to, c);
    else
        add_text(to, escaped);
}

/* An N may be one of the name. */
void name_pattern_regex(struct str s, struct name_pattern *to) {
    vec_push(to, '^');
    for (size_t at = 0, n; at < s.n; at += n) {
        n = quoted(s, at);
        if (n > 0) {
            add_quoted(to, "Q([^Q]|Q(?=[0-9A-Za-z_[:^ascii:]]))*Q", s.s[at]);
        } else if (s.n - at > 2 && strncmp(s.s + at, "0xN", 3) == 0) {
            n = 3;
            add_text(to, "0x(N|[0-9a-fA-F]+)");
        } else {
            n = 1;
            if (s.s[at] == 'N')
                add_text(to, "(N|[0-9]+)");
            else
                add_byte(to, s.s[at]);
        }
    }
    vec_push(to, '$');
}
