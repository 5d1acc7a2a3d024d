/* fuzz_text.c - any bytes as a trace's text, in each form of output: cells, text, JSON. The first
 * byte chooses the flags, the second the space. */
#include <stdlib.h>
#include <string.h>

#include "src/base/err.h"
#include "src/base/vec.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/sound_grid.h"
#include "ui/screen/grid.h"

struct bytes {
    char *v;
    size_t n, cap;
};

/* UTF-8 as Unicode's table 3-7 has it, row by row: the character at s and its length, or TEXT_BAD
 * and the length of the longest part that a row begins with (1 where none does). */
static size_t slow_decode(const char *s, size_t n, uint32_t *cp) {
    static const struct {
        unsigned char n, low[4], high[4], bits;
    } rows[] = {
        {1, {0x00}, {0x7F}, 0x7F},
        {2, {0xC2, 0x80}, {0xDF, 0xBF}, 0x1F},
        {3, {0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}, 0x0F},
        {3, {0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}, 0x0F},
        {3, {0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}, 0x0F},
        {3, {0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}, 0x0F},
        {4, {0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}, 0x07},
        {4, {0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}, 0x07},
        {4, {0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}, 0x07},
    };
    size_t longest = 1;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        size_t i = 0;
        while (i < rows[r].n && i < n && (unsigned char)s[i] >= rows[r].low[i] &&
               (unsigned char)s[i] <= rows[r].high[i])
            i++;
        if (i == rows[r].n) {
            *cp = (unsigned char)s[0] & rows[r].bits;
            for (size_t k = 1; k < i; k++)
                *cp = *cp * 64 + ((unsigned char)s[k] - 0x80u);
            return i;
        }
        longest = i > longest ? i : longest;
    }
    *cp = TEXT_BAD;
    return longest;
}

static void decoding(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t cp, slow;
        size_t length = text_decode((struct str){s + i, n - i}, &cp),
               slow_length = slow_decode(s + i, n - i, &slow);
        if (cp != slow || length != slow_length)
            fuzz_unsound("%zu bytes at %zu are U+%04X, not %zu and U+%04X", slow_length, i, slow,
                         length, cp);
        char again[4];
        if (cp != TEXT_BAD)
            FUZZ_MUST(text_utf8(cp, again) == length && memcmp(again, s + i, length) == 0);
    }
}

/* Glyph by glyph, put together; each is what text.h allows. */
static void glyphs(struct str s, unsigned flags, struct bytes *out, size_t *width,
                   struct bytes *ends) {
    struct text text = text_begin(s, flags);
    struct glyph g;
    *width = 0;
    for (size_t steps = 0; text_next(&text, &g); steps++) {
        FUZZ_MUST(steps < 12 * s.n); /* a byte becomes ^X, \xNN or less; three become <U+NNNN> */
        FUZZ_MUST(sound_glyph(g.cp, g.width, flags & TEXT_ASCII));
        *width += g.width;
        for (int i = 0; i < 3 && g.cp[i]; i++) {
            vec_reserve(out, out->n + 4);
            out->n += text_utf8(g.cp[i], out->v + out->n);
        }
        vec_push(ends, 1);
        vec_reserve(ends, out->n + 1);
        while (ends->n < out->n)
            vec_push(ends, 0);
    }
    vec_push(ends, 1);
}

/* ends.v[i]: a glyph ends before byte i of `whole`. */
static void plain(struct str s, unsigned flags, size_t cap) {
    struct bytes whole = {0}, ends = {0};
    size_t width;
    glyphs(s, flags, &whole, &width, &ends);
    FUZZ_MUST(text_width(s, flags, SIZE_MAX) == width);
    FUZZ_MUST(text_width(s, flags, cap) == (width < cap ? width : cap));
    char *copy = text_dup(s, flags), cut[256];
    FUZZ_MUST(strlen(copy) == whole.n && (whole.n == 0 || memcmp(copy, whole.v, whole.n) == 0));
    /* Output is stable: text that was made safe stays as it is. */
    char *twice = text_dup(str_of(copy), flags);
    FUZZ_MUST(strcmp(copy, twice) == 0 && text_width(str_of(copy), flags, SIZE_MAX) == width);
    cap = cap < sizeof cut ? cap : sizeof cut;
    memset(cut, 'x', sizeof cut);
    size_t n = text_plain(cut, cap, s, flags);
    if (cap > 0) {
        FUZZ_MUST(n < cap && cut[n] == '\0' && n <= whole.n &&
                  (n == 0 || memcmp(cut, whole.v, n) == 0));
        FUZZ_MUST(ends.v[n] == 1);
        /* no more is left out than must be */
        FUZZ_MUST(n == whole.n || whole.n >= cap || cap - n <= 12);
    }
    for (size_t i = cap > 0 ? n + 1 : 0; i < sizeof cut; i++)
        FUZZ_MUST(cut[i] == 'x');
    free(copy);
    free(twice);
    vec_free(&whole);
    vec_free(&ends);
}

static void keep(void *ctx, const char *bytes, size_t n) {
    struct bytes *out = ctx;
    vec_reserve(out, out->n + n);
    memcpy(out->v + out->n, bytes, n);
    out->n += n;
}

static uint32_t four_digits(const char *s) {
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = s[i] ? strchr("0123456789abcdef", s[i]) : NULL;
        FUZZ_MUST(digit != NULL);
        v = v * 16 + (uint32_t)(digit - "0123456789abcdef");
    }
    return v;
}

/* The next character inside of JSON's quotes. */
static size_t json_character(const char *s, size_t n, uint32_t *cp) {
    size_t length = slow_decode(s, n, cp);
    FUZZ_MUST(*cp != TEXT_BAD && *cp != '"');
    if (*cp != '\\') { /* as it is: nothing that a terminal could take for more than a character */
        FUZZ_MUST(*cp >= 0x20 && !(*cp >= 0x7F && *cp < 0xA0) && !(*cp >= 0x200B && *cp < 0x2010) &&
                  !(*cp >= 0x2028 && *cp < 0x202F) && !(*cp >= 0x2060 && *cp < 0x2070) &&
                  *cp != 0xFEFF && *cp != 0xAD && *cp != 0x61C &&
                  !(*cp >= 0xE000 && *cp < 0xF900) && *cp < 0xE0000);
        return length;
    }
    FUZZ_MUST(n >= 2);
    if (s[1] != 'u') {
        FUZZ_MUST(s[1] == '"' || s[1] == '\\');
        *cp = (unsigned char)s[1];
        return 2;
    }
    FUZZ_MUST(n >= 6);
    *cp = four_digits(s + 2);
    FUZZ_MUST(*cp < 0xDC00 || *cp > 0xDFFF);
    if (*cp < 0xD800 || *cp > 0xDBFF)
        return 6;
    FUZZ_MUST(n >= 12 && s[6] == '\\' && s[7] == 'u');
    uint32_t low = four_digits(s + 8);
    FUZZ_MUST(low >= 0xDC00 && low <= 0xDFFF);
    *cp = 0x10000 + ((*cp - 0xD800) << 10) + (low - 0xDC00);
    return 12;
}

static void json(struct str s) {
    struct bytes out = {0};
    text_json(s, keep, &out);
    size_t at = 0;
    for (size_t i = 0; i < s.n;) {
        uint32_t wanted, got;
        i += slow_decode(s.s + i, s.n - i, &wanted);
        FUZZ_MUST(at < out.n);
        at += json_character(out.v + at, out.n - at, &got);
        FUZZ_MUST(got == (wanted == TEXT_BAD ? 0xFFFD : wanted));
    }
    FUZZ_MUST(at == out.n);
    vec_free(&out);
}

/* Draws into `room` columns, with other cells on both sides. */
static void drawn(struct str s, unsigned flags, int room) {
    struct grid grid;
    struct look look = style_look(ROLE_TEXT);
    bool ascii = flags & TEXT_ASCII;
    grid_init(&grid, room + 4, 3, ascii);
    grid_clear(&grid, look);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < grid.cols; x++)
            grid_put(&grid, x, y, '.', look);
    int x = grid_text(&grid, (struct grid_place){2, 1, 2 + room}, s, look, flags & TEXT_TRACK,
                      flags & 4);
    size_t width = text_width(s, flags, (size_t)room + 1);
    FUZZ_MUST(x == 2 + (width > (size_t)room ? room : (int)width));
    FUZZ_MUST(sound_grid(&grid));
    for (int i = 0; i < 3 * grid.cols; i++) {
        int column = i % grid.cols;
        if (i / grid.cols != 1 || column < 2 || column >= x)
            FUZZ_MUST(grid.cells[i].cp[0] == '.');
    }
    grid_free(&grid);
}

void fuzz_text(const uint8_t *data, size_t size) {
    if (size < 2)
        return;
    struct str s = {(const char *)data + 2, size - 2};
    decoding(s.s, s.n);
    plain(s, data[0] & (TEXT_ASCII | TEXT_TRACK), data[1]);
    json(s);
    drawn(s, data[0] & 7, data[1] % 64);
    text_readable(s);
}
