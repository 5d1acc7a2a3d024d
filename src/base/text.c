/* text.c - what a character is (one table of verdicts, cached), and strings as glyphs, plain text
 * and JSON.
 *
 * A verdict comes from utf8proc's categories and from two opinions on the width: utf8proc's and
 * libc's. libc answers in a UTF-8 locale only, so it is asked in "C.UTF-8", whatever locale the
 * program runs in. */
#include "src/base/text.h"

#include <inttypes.h>
#include <locale.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>
#ifdef HAVE_XLOCALE_H
#include <xlocale.h>
#endif

#include "src/base/err.h"

#define SUBSTITUTE 0xFFFD

enum verdict {
    V_ONE = 1,  /* one column */
    V_TWO,      /* two columns */
    V_MARK,     /* combines with the character before it */
    V_DISPUTED, /* RELIABILITY 1.3: terminals disagree on it */
    V_HIDDEN,   /* RELIABILITY 1.2: nothing to see, or nothing that could be trusted */
};

/* --- What a character is --- */

/* Characters that no font shows and no category identifies: Unicode's Default_Ignorable_Code_Point
 * without those that are format characters or unassigned anyway (DerivedCoreProperties.txt).
 * Sorted. */
static const struct {
    uint32_t first, last;
} ignorable[] = {
    {0x034F, 0x034F},   /* combining grapheme joiner */
    {0x115F, 0x1160},   /* Hangul fillers */
    {0x17B4, 0x17B5},   /* Khmer inherent vowels */
    {0x180B, 0x180F},   /* Mongolian variation selectors */
    {0x3164, 0x3164},   /* Hangul filler */
    {0xFE00, 0xFE0F},   /* variation selectors */
    {0xFFA0, 0xFFA0},   /* halfwidth Hangul filler */
    {0xE0000, 0xE0FFF}, /* tags, variation selectors supplement */
};

static bool is_ignorable(uint32_t cp) {
    for (size_t i = 0; i < sizeof ignorable / sizeof *ignorable && cp >= ignorable[i].first; i++)
        if (cp <= ignorable[i].last)
            return true;
    return utf8proc_get_property((utf8proc_int32_t)cp)->ignorable;
}

/* Whether some terminals draw it as one cluster with its neighbour, and others do not. */
static bool joins_neighbours(uint32_t cp) {
    bool regional_indicator = cp >= 0x1F1E6 && cp <= 0x1F1FF;
    bool skin_tone = cp >= 0x1F3FB && cp <= 0x1F3FF;
    return regional_indicator || skin_tone;
}

/* libc's width, or `otherwise` if this system has no C.UTF-8. */
static int libc_width(uint32_t cp, int otherwise) {
    static _Atomic(locale_t) utf8;
    static _Atomic bool asked;
    if (!atomic_load(&asked)) {
        locale_t made = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0), none = (locale_t)0;
        if (made != (locale_t)0 && !atomic_compare_exchange_strong(&utf8, &none, made))
            freelocale(made); /* another thread was first */
        atomic_store(&asked, true);
    }
    locale_t locale = atomic_load(&utf8);
    if (locale == (locale_t)0)
        return otherwise;
    locale_t before = uselocale(locale);
    int width = wcwidth((wchar_t)cp);
    uselocale(before);
    return width;
}

static enum verdict judge(uint32_t cp) {
    if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
        return V_HIDDEN;
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)cp);
    switch (category) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return V_HIDDEN;
    default:
        break;
    }
    if (is_ignorable(cp))
        return V_HIDDEN;
    int width = utf8proc_charwidth((utf8proc_int32_t)cp);
    if (joins_neighbours(cp) || libc_width(cp, width) != width)
        return V_DISPUTED;
    if (width == 1)
        return V_ONE;
    if (width == 2)
        return V_TWO;
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ? V_MARK
                                                                                : V_DISPUTED;
}

/* judge() through a small cache; an entry is the character and its verdict in one word, so threads
 * need no lock. */
static enum verdict verdict(uint32_t cp) {
    static _Atomic uint32_t cache[2048];
    if (cp >= 0x20 && cp < 0x7F)
        return V_ONE;
    if (cp > 0x10FFFF)
        return V_HIDDEN;
    _Atomic uint32_t *entry = &cache[(cp ^ cp >> 11) % (sizeof cache / sizeof *cache)];
    uint32_t known = atomic_load_explicit(entry, memory_order_relaxed);
    if (known >> 3 != cp || !known) {
        known = cp << 3 | (uint32_t)judge(cp);
        atomic_store_explicit(entry, known, memory_order_relaxed);
    }
    return known & 7;
}

bool text_strange(uint32_t cp) {
    return verdict(cp) >= V_DISPUTED;
}

/* --- UTF-8 --- */

/* Ill-formed parts are those of Unicode 3.9, "best practice". */
size_t text_decode(struct str s, uint32_t *cp) {
    const unsigned char *b = (const unsigned char *)s.s;
    unsigned lo = 0x80, hi = 0xBF;
    size_t need;
    if (b[0] < 0x80) {
        *cp = b[0];
        return 1;
    }
    *cp = TEXT_BAD;
    uint32_t value;
    if (b[0] >= 0xC2 && b[0] <= 0xDF) {
        need = 1;
        value = b[0] & 0x1F;
    } else if ((b[0] & 0xF0) == 0xE0) {
        need = 2;
        value = b[0] & 0x0F;
        if (b[0] == 0xE0)
            lo = 0xA0; /* else too long a form */
        else if (b[0] == 0xED)
            hi = 0x9F; /* else a surrogate */
    } else if (b[0] >= 0xF0 && b[0] <= 0xF4) {
        need = 3;
        value = b[0] & 0x07;
        if (b[0] == 0xF0)
            lo = 0x90;
        else if (b[0] == 0xF4)
            hi = 0x8F;
    } else {
        return 1;
    }
    for (size_t i = 1; i <= need; i++) {
        if (i >= s.n || b[i] < lo || b[i] > hi)
            return i;
        value = value << 6 | (b[i] & 0x3F);
        lo = 0x80;
        hi = 0xBF;
    }
    *cp = value;
    return need + 1;
}

size_t text_utf8(uint32_t cp, char out[4]) {
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000))
        cp = SUBSTITUTE;
    return (size_t)utf8proc_encode_char((utf8proc_int32_t)cp, (utf8proc_uint8_t *)out);
}

/* --- Glyphs --- */

struct text text_begin(struct str s, unsigned flags) {
    return (struct text){.rest = s, .flags = flags};
}

static void take(struct text *text, size_t n) {
    text->rest.s += n;
    text->rest.n -= n;
}

static bool next_is_mark(const struct text *text, uint32_t *cp, size_t *n) {
    if (text->rest.n == 0 || (unsigned char)text->rest.s[0] < 0x80)
        return false;
    *n = text_decode(text->rest, cp);
    return *cp != TEXT_BAD && verdict(*cp) == V_MARK;
}

/* A character with at most two combining marks; a third mark becomes a glyph of its own. */
static bool plain_glyph(struct text *text, struct glyph *glyph, uint32_t cp, uint8_t width) {
    *glyph = (struct glyph){{cp, 0, 0}, width, false};
    uint32_t mark;
    size_t n;
    for (int i = 1; i < 3 && !(text->flags & TEXT_ASCII) && next_is_mark(text, &mark, &n); i++) {
        glyph->cp[i] = mark;
        take(text, n);
    }
    return true;
}

static bool substitute(const struct text *text, struct glyph *glyph) {
    *glyph = (struct glyph){{text->flags & TEXT_ASCII ? '?' : SUBSTITUTE, 0, 0}, 1, true};
    return true;
}

/* The next character of the escape being spelled out. */
static bool spell(struct text *text, struct glyph *glyph) {
    *glyph = (struct glyph){{(unsigned char)text->pending[text->pending_at++], 0, 0}, 1, true};
    return true;
}

static bool spell_number(struct text *text, struct glyph *glyph, uint32_t cp) {
    int n = snprintf(text->pending, sizeof text->pending,
                     text->flags & TEXT_ASCII ? "\\u{%X}" : "<U+%04X>", cp);
    text->pending_n = (uint8_t)n;
    text->pending_at = 0;
    return spell(text, glyph);
}

static bool spell_bytes(struct text *text, struct glyph *glyph, const char *bytes, size_t n) {
    static const char digits[] = "0123456789ABCDEF";
    char *p = text->pending;
    for (size_t i = 0; i < n; i++) { /* at most 3 bytes: 12 characters */
        *p++ = '\\';
        *p++ = 'x';
        *p++ = digits[(unsigned char)bytes[i] >> 4];
        *p++ = digits[bytes[i] & 15];
    }
    text->pending_n = (uint8_t)(p - text->pending);
    text->pending_at = 0;
    return spell(text, glyph);
}

static bool spell_control(struct text *text, struct glyph *glyph, uint32_t cp) {
    text->pending[0] = '^';
    text->pending[1] = (char)(cp ^ 0x40); /* DEL is ^? */
    text->pending_n = 2;
    text->pending_at = 0;
    return spell(text, glyph);
}

bool text_next(struct text *text, struct glyph *glyph) {
    if (text->pending_at < text->pending_n)
        return spell(text, glyph);
    if (text->rest.n == 0)
        return false;
    const char *start = text->rest.s;
    unsigned char first = (unsigned char)start[0];
    if (first >= 0x20 && first < 0x7F) {
        take(text, 1);
        return plain_glyph(text, glyph, first, 1);
    }
    uint32_t cp;
    size_t n = text_decode(text->rest, &cp);
    take(text, n);
    bool track = text->flags & TEXT_TRACK, ascii = text->flags & TEXT_ASCII;
    if (cp == TEXT_BAD)
        return ascii && !track ? spell_bytes(text, glyph, start, n) : substitute(text, glyph);
    enum verdict what = verdict(cp);
    if (what <= V_TWO && !ascii)
        return plain_glyph(text, glyph, cp, (uint8_t)what);
    if (track) {
        while (what == V_MARK && next_is_mark(text, &cp, &n)) /* a run of marks is one substitute */
            take(text, n);
        return substitute(text, glyph);
    }
    return cp < 0x20 || cp == 0x7F ? spell_control(text, glyph, cp) : spell_number(text, glyph, cp);
}

/* --- Whole strings --- */

size_t text_width(struct str s, unsigned flags, size_t limit) {
    struct text text = text_begin(s, flags);
    struct glyph glyph;
    size_t width = 0;
    while (width < limit && text_next(&text, &glyph))
        width += glyph.width;
    return width < limit ? width : limit;
}

/* out: three characters of at most 4 bytes. */
static size_t glyph_utf8(const struct glyph *glyph, char out[12]) {
    size_t n = text_utf8(glyph->cp[0], out);
    for (int i = 1; i < 3 && glyph->cp[i]; i++)
        n += text_utf8(glyph->cp[i], out + n);
    return n;
}

struct str text_skip(struct str s, unsigned flags, size_t columns) {
    struct text t = text_begin(s, flags);
    struct glyph g;
    struct str rest = s;
    for (size_t n = 0; n < columns && text_next(&t, &g);) {
        n += g.width;
        if (n <= columns && t.pending_at == t.pending_n)
            rest = t.rest;
    }
    return rest;
}

size_t text_plain(char *out, size_t cap, struct str s, unsigned flags) {
    struct text text = text_begin(s, flags);
    struct glyph glyph;
    size_t length = 0;
    if (cap == 0)
        return 0;
    while (text_next(&text, &glyph)) {
        char bytes[12];
        size_t n = glyph_utf8(&glyph, bytes);
        if (n >= cap - length)
            break;
        memcpy(out + length, bytes, n);
        length += n;
    }
    out[length] = '\0';
    return length;
}

char *text_dup(struct str s, unsigned flags) {
    struct text text = text_begin(s, flags);
    struct glyph glyph;
    size_t size = 1;
    char bytes[12];
    while (text_next(&text, &glyph))
        size += glyph_utf8(&glyph, bytes);
    char *copy = err_malloc(size);
    text_plain(copy, size, s, flags);
    return copy;
}

bool text_readable(struct str s) {
    size_t strange = 0, breaks = 0, look = s.n < 4096 ? s.n : 4096;
    struct text t = text_begin((struct str){s.s, look}, 0);
    struct glyph glyph;
    while (text_next(&t, &glyph))
        strange += glyph.strange;
    for (size_t i = 0; i < look; i++) {
        strange += s.s[i] == 0;
        breaks += s.s[i] == '\n' || s.s[i] == '\t' || s.s[i] == '\r';
    }
    return strange <= breaks * 2 + look / 32;
}

/* Whether a byte is printable ASCII that JSON does not escape. */
static bool plain(char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

/* Whether 8 bytes are plain(); in each byte, bit 7 marks one that is not. */
static bool plain_8(const char *s) {
    const uint64_t ones = UINT64_MAX / 255, high = ones << 7;
    uint64_t v;
    memcpy(&v, s, sizeof v);
    uint64_t quote = v ^ ones * '"', backslash = v ^ ones * '\\';
    return ((v | (v - ones * 0x20) | (v + ones) | (quote - ones) | (backslash - ones)) & high) == 0;
}

size_t text_json_plain(struct str s) {
    size_t at = 0;
    while (s.n - at >= 8 && plain_8(s.s + at))
        at += 8;
    while (at < s.n && plain(s.s[at]))
        at++;
    return at;
}

void text_json(struct str s, void (*put)(void *ctx, const char *bytes, size_t n), void *ctx) {
    size_t from = 0, at = 0; /* s.s[from..at) goes out as it is */
    while (at < s.n) {
        uint32_t cp;
        at += text_json_plain((struct str){s.s + at, s.n - at});
        if (at == s.n)
            break;
        size_t n = text_decode((struct str){s.s + at, s.n - at}, &cp);
        char escape[16]; /* two \uXXXX of a surrogate pair and NUL are 13 */
        int length = 0;
        if (cp == TEXT_BAD)
            length = snprintf(escape, sizeof escape, "\xEF\xBF\xBD");
        else if (cp == '"' || cp == '\\')
            length = snprintf(escape, sizeof escape, "\\%c", (char)cp);
        else if (cp >= 0x10000 && verdict(cp) == V_HIDDEN)
            length = snprintf(escape, sizeof escape, "\\u%04x\\u%04x", 0xD7C0 + (cp >> 10),
                              0xDC00 + (cp & 0x3FF));
        else if (verdict(cp) == V_HIDDEN)
            length = snprintf(escape, sizeof escape, "\\u%04x", cp);
        if (length > 0) {
            if (at > from)
                put(ctx, s.s + from, at - from);
            put(ctx, escape, (size_t)length);
            from = at + n;
        }
        at += n;
    }
    if (at > from)
        put(ctx, s.s + from, at - from);
}

static bool quiet;

void text_quiet(void) {
    quiet = true;
}

void text_complain(const char *what, const char *note, bool ascii, const struct err *err) {
    char safe[600] = "", at[40] = "", line[1100];
    if (quiet && strcmp(note, "note: ") == 0)
        return;
    if (what)
        text_plain(safe, sizeof safe, str_of(strcmp(what, "-") == 0 ? "standard input" : what),
                   ascii ? TEXT_ASCII : 0);
    if (err->at != ERR_NO_OFFSET)
        snprintf(at, sizeof at, " (at byte %" PRIu64 ")", err->at);
    snprintf(line, sizeof line, "fxtop: %s%s%s%s%s\n", safe, what ? ": " : "", note, err->text, at);
    fwrite(line, 1, strlen(line), stderr); /* in one write, so that lines of processes stay whole */
}
