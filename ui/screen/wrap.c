/* wrap.c - breaks text into lines.
 *
 * One loop measures characters until the line is full, and remembers the last place at which it may
 * be broken. It looks at no more than fits, so that breaking a long text costs its length. */
#include "ui/screen/wrap.h"

#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A blank after a word; but "8 ms" and "1 234 567" stay whole. */
static bool breaks_before(struct str s, size_t at) {
    return s.s[at] == ' ' && s.s[at - 1] != ' ' &&
           (!is_digit(s.s[at - 1]) || at + 1 == s.n || (unsigned char)s.s[at + 1] <= '9');
}

/* After a blank in the second half of the first n bytes; n if there is none. */
static size_t after_blank(struct str s, size_t n) {
    size_t blank = n;
    while (blank > n / 2 && s.s[blank] != ' ')
        blank--;
    return s.s[blank] == ' ' ? blank + 1 : n;
}

size_t wrap_fit(struct str s, size_t columns, unsigned flags, enum wrap_at at) {
    struct text text = text_begin(s, flags);
    struct glyph glyph;
    size_t width = 0, blank = 0, last = 0;
    while (text_next(&text, &glyph)) {
        size_t end = s.n - text.rest.n;
        width += glyph.width;
        if (width > columns && last > 0) {
            if (at == WRAP_BLANK && blank > 0)
                return blank;
            return at == WRAP_HALF ? after_blank(s, last) : last;
        }
        if (text.pending_at < text.pending_n) /* inside an escape */
            continue;
        last = end;
        if (end < s.n && breaks_before(s, end))
            blank = end;
    }
    return s.n;
}

size_t wrap_word(struct str s, size_t most, unsigned flags) {
    size_t end = 1;
    if (s.n == 0)
        return 0;
    while (end < s.n && end <= most * 4 && !breaks_before(s, end))
        end++;
    return text_width((struct str){s.s, end}, flags, most + 1);
}

size_t wrap_fill(struct str s, int columns, int full, unsigned flags) {
    size_t line = full > 0 ? (size_t)full : 1, left = columns > 0 ? (size_t)columns : 0;
    size_t n = left > 0 ? wrap_fit(s, left, flags, WRAP_BLANK) : 0, next = n;
    while (next < s.n && s.s[next] == ' ')
        next++;
    /* Up to the end or a blank that breaks: a word that is too long for any line begins here. */
    if (n > 0 && (next == s.n || (next > n && breaks_before(s, n)))) {
        struct str rest = {s.s + next, s.n - next};
        return rest.n > 0 && wrap_word(rest, line, flags) > line
                   ? wrap_fit(s, left, flags, WRAP_ANYWHERE)
                   : n;
    }
    return left < line && wrap_word(s, line, flags) <= line ? 0 : n;
}

struct str wrap_take(struct str *rest, int columns, unsigned flags) {
    struct str line = {rest->s, 0};
    if (rest->n == 0) /* an empty text may have no address */
        return line;
    const char *newline = memchr(rest->s, '\n', rest->n);
    size_t n = newline ? (size_t)(newline - rest->s) : rest->n;
    size_t most = columns > 0 ? (size_t)columns : 0;
    line.n = n > 0 ? wrap_fit((struct str){rest->s, n}, most, flags, WRAP_ANYWHERE) : 0;
    size_t taken = line.n + (line.n == n && newline != NULL);
    *rest = (struct str){rest->s + taken, rest->n - taken};
    return line;
}

int wrap_count(struct str text, int columns, unsigned flags) {
    int n = 0;
    do {
        wrap_take(&text, columns, flags);
        n++;
    } while (text.n > 0 && n < WRAP_LINES);
    return n;
}
