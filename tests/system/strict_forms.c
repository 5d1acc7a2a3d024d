/* strict_forms.c - the forms of printed answers: text, JSON, a JSON value a line, CSV.
 *
 * Text is valid UTF-8 without controls except newline, without invisible characters and those of
 * the classes Cc, Cf, Cs, Co, Cn, Zl, Zp. utf8proc classifies characters here, because text.h is
 * under test. */
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "tests/system/strict.h"

enum { JSON_DEPTH = 32 };

/* ---- characters ---- */

/* One character of well-formed UTF-8 off the front; 0: it is none. */
size_t strict_decode(const unsigned char *s, size_t n, uint32_t *cp) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80                   ? 1
                    : s[0] >= 0xC0 && s[0] < 0xE0 ? 2
                    : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                    : s[0] >= 0xF0 && s[0] < 0xF8 ? 4
                                                  : 0;
    if (length == 0 || length > n)
        return 0;
    *cp = length == 1 ? s[0] : s[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        *cp = *cp << 6 | (s[i] & 0x3Fu);
    }
    return *cp < least[length] || *cp > 0x10FFFF || (*cp >= 0xD800 && *cp < 0xE000) ? 0 : length;
}

/* Why a character may not come out; NULL: it may. */
static const char *forbidden(uint32_t cp) {
    if (cp >= 0x20 && cp < 0x7F)
        return NULL;
    switch (utf8proc_category((utf8proc_int32_t)cp)) {
    case UTF8PROC_CATEGORY_CC:
        return "a control character (Cc)";
    case UTF8PROC_CATEGORY_CF:
        return "a format character (Cf)";
    case UTF8PROC_CATEGORY_CS:
        return "a surrogate (Cs)";
    case UTF8PROC_CATEGORY_CO:
        return "a private character (Co)";
    case UTF8PROC_CATEGORY_CN:
        return "an unassigned character (Cn)";
    case UTF8PROC_CATEGORY_ZL:
        return "a line separator (Zl)";
    case UTF8PROC_CATEGORY_ZP:
        return "a paragraph separator (Zp)";
    default:
        break;
    }
    if ((cp >= 0xFE00 && cp <= 0xFE0F) || cp == 0x034F || cp == 0x115F || cp == 0x1160 ||
        cp == 0x3164 || cp == 0xFFA0 || cp == 0x17B4 || cp == 0x17B5 ||
        (cp >= 0x180B && cp <= 0x180F) || (cp >= 0xE0000 && cp <= 0xE0FFF))
        return "a character that nothing is drawn for";
    return NULL;
}

bool strict_is_mark(uint32_t cp) {
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return cp >= 0x300 && (c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_ME);
}

/* A drawn character must also have a width on which terminals agree. */
const char *strict_forbidden_cell(uint32_t cp) {
    if (cp >= 0x1F1E6 && cp <= 0x1F1FF)
        return "half of a flag";
    if (cp >= 0x1F3FB && cp <= 0x1F3FF)
        return "a skin tone";
    if (!strict_is_mark(cp) && utf8proc_charwidth((utf8proc_int32_t)cp) < 1)
        return "a character of no width";
    return forbidden(cp);
}

/* ---- text ---- */

/* ESC [ numbers m; its length, 0: it is none. */
static size_t sgr(const unsigned char *s, size_t n) {
    size_t i = 2;
    if (n < 3 || s[0] != 0x1B || s[1] != '[')
        return 0;
    while (i < n && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
        i++;
    return i < n && s[i] == 'm' ? i + 1 : 0;
}

bool strict_text_holds(const char *what, const char *bytes, size_t size, unsigned flags) {
    const unsigned char *s = (const unsigned char *)bytes;
    unsigned marks = MARKS_MOST; /* none without a base */
    for (size_t at = 0, n; at < size; at += n) {
        uint32_t cp = 0;
        if (flags & COLOURED && (n = sgr(s + at, size - at)) > 0)
            continue;
        n = strict_decode(s + at, size - at, &cp);
        const char *why = n == 0 ? "no UTF-8" : cp == '\n' ? NULL : strict_forbidden_cell(cp);
        if (flags & ASCII && why == NULL && cp != '\n' && (cp < 0x20 || cp > 0x7E))
            why = "no ASCII";
        marks = n > 0 && strict_is_mark(cp) ? marks + 1 : 0;
        if (why == NULL && marks > MARKS_MOST)
            why = "too many combining marks";
        if (why) {
            strict_complain(what, why, bytes, size, at);
            return false;
        }
    }
    if (size > 0 && bytes[size - 1] != '\n') {
        strict_complain(what, "the last line has no end", bytes, size, size - 1);
        return false;
    }
    return true;
}

/* ---- JSON ---- */

struct json {
    const unsigned char *s;
    size_t n, at;
    const char *why;
};

static bool json_fail(struct json *j, const char *why) {
    if (j->why == NULL)
        j->why = why;
    return false;
}

static void json_blank(struct json *j) {
    while (j->at < j->n && (j->s[j->at] == ' ' || j->s[j->at] == '\n'))
        j->at++;
}

static bool json_take(struct json *j, char c) {
    if (j->at >= j->n || j->s[j->at] != (unsigned char)c)
        return false;
    j->at++;
    return true;
}

static bool json_hex(struct json *j, uint32_t *value) {
    *value = 0;
    for (int i = 0; i < 4; i++, j->at++) {
        unsigned char c = j->at < j->n ? j->s[j->at] : 0;
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F'))
            return json_fail(j, "no four digits after \\u");
        *value = *value << 4 | (c <= '9' ? c - (uint32_t)'0' : (c | 0x20u) - 'a' + 10);
    }
    return true;
}

static bool json_string(struct json *j) {
    if (!json_take(j, '"'))
        return json_fail(j, "no string");
    while (j->at < j->n && j->s[j->at] != '"') {
        uint32_t cp, low;
        if (j->s[j->at] != '\\') {
            size_t n = strict_decode(j->s + j->at, j->n - j->at, &cp);
            const char *why = n == 0 ? "no UTF-8" : forbidden(cp);
            if (why)
                return json_fail(j, why);
            j->at += n;
            continue;
        }
        j->at++;
        if (j->at < j->n && j->s[j->at] != 0 && strchr("\"\\/bfnrt", j->s[j->at])) {
            j->at++;
            continue;
        }
        if (!json_take(j, 'u') || !json_hex(j, &cp))
            return json_fail(j, "no escape");
        if (cp >= 0xDC00 && cp < 0xE000)
            return json_fail(j, "half of a pair of surrogates");
        if (cp >= 0xD800 && cp < 0xDC00 &&
            (!json_take(j, '\\') || !json_take(j, 'u') || !json_hex(j, &low) || low < 0xDC00 ||
             low > 0xDFFF))
            return json_fail(j, "half of a pair of surrogates");
    }
    return json_take(j, '"') || json_fail(j, "a string without end");
}

static bool json_digits(struct json *j) {
    size_t from = j->at;
    while (j->at < j->n && j->s[j->at] >= '0' && j->s[j->at] <= '9')
        j->at++;
    return j->at > from || json_fail(j, "no number");
}

static bool json_number(struct json *j) {
    json_take(j, '-');
    bool zero = j->at < j->n && j->s[j->at] == '0';
    size_t from = j->at;
    if (!json_digits(j) || (zero && j->at > from + 1))
        return json_fail(j, "no number");
    if (json_take(j, '.') && !json_digits(j))
        return false;
    if (json_take(j, 'e') || json_take(j, 'E')) {
        if (!json_take(j, '-'))
            json_take(j, '+');
        return json_digits(j);
    }
    return true;
}

static bool json_word(struct json *j, const char *word) {
    size_t n = strlen(word);
    if (j->n - j->at < n || memcmp(j->s + j->at, word, n) != 0)
        return json_fail(j, "no value");
    j->at += n;
    return true;
}

static bool json_value(struct json *j, int depth) {
    json_blank(j);
    unsigned char c = j->at < j->n ? j->s[j->at] : 0;
    if (depth > JSON_DEPTH)
        return json_fail(j, "nested too deep");
    if (c == '"')
        return json_string(j);
    if (c == 't' || c == 'f' || c == 'n')
        return json_word(j, c == 't' ? "true" : c == 'f' ? "false" : "null");
    if (c != '{' && c != '[')
        return json_number(j);
    char end = c == '{' ? '}' : ']';
    j->at++;
    json_blank(j);
    if (json_take(j, end))
        return true;
    do {
        json_blank(j);
        if (c == '{') {
            if (!json_string(j))
                return false;
            if (!json_take(j, ':'))
                return json_fail(j, "no colon");
        }
        if (!json_value(j, depth + 1))
            return false;
        json_blank(j);
    } while (json_take(j, ','));
    return json_take(j, end) || json_fail(j, "no end of a list");
}

bool strict_json_holds(const char *what, const char *bytes, size_t size) {
    struct json j = {(const unsigned char *)bytes, size, 0, NULL};
    if (json_value(&j, 0))
        json_blank(&j);
    if (j.why == NULL && j.at < size)
        j.why = "something after the value";
    if (j.why)
        strict_complain(what, j.why, bytes, size, j.at);
    return j.why == NULL;
}

/* One value per line; the last one has their number. */
bool strict_lines_hold(const char *what, const char *bytes, size_t size) {
    size_t lines = 0, last = 0;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t n = end ? (size_t)(end - bytes) - at : size - at;
        if (end == NULL || bytes[at] != '{') {
            strict_complain(what, "a line that is no object", bytes, size, at);
            return false;
        }
        if (!strict_json_holds(what, bytes + at, n))
            return false;
        last = at;
        lines++;
        at += n + 1;
    }
    char wanted[60];
    int n = snprintf(wanted, sizeof wanted, "{\"type\":\"end\",\"lines\":%zu}\n", lines);
    if (size - last == (size_t)n && memcmp(bytes + last, wanted, (size_t)n) == 0)
        return true;
    strict_complain(what, "the last line does not count the lines", bytes, size, last);
    return false;
}

/* ---- CSV ---- */

/* Cells that are not text: numbers, true and false. */
static bool csv_bare(const char *s, size_t n) {
    if ((n == 4 && memcmp(s, "true", 4) == 0) || (n == 5 && memcmp(s, "false", 5) == 0))
        return true;
    for (size_t i = 0; i < n; i++)
        if ((s[i] < '0' || s[i] > '9') && !(s[i] == '-' && i == 0 && n > 1))
            return false;
    return true;
}

bool strict_csv_holds(const char *what, const char *bytes, size_t size, bool lines) {
    size_t cells = 0, columns = 0, rows = 0, at = 0;
    const char *why = NULL;
    while (at < size && why == NULL) {
        size_t from = at;
        if (bytes[at] == '"') {
            if (++at < size && bytes[at] != 0 && strchr("=+-@", bytes[at]))
                why = "a cell that begins like a formula";
            for (; why == NULL; at++) {
                uint32_t cp = 0;
                if (at >= size)
                    why = "a cell without end";
                else if (bytes[at] != '"') {
                    size_t n = strict_decode((const unsigned char *)bytes + at, size - at, &cp);
                    why = n == 0 ? "no UTF-8" : lines && cp == '\n' ? NULL : forbidden(cp);
                    at += n > 0 ? n - 1 : 0;
                } else if (at + 1 < size && bytes[at + 1] == '"')
                    at++;
                else
                    break;
            }
            at++;
        } else {
            while (at < size && bytes[at] != ',' && bytes[at] != '\r' && bytes[at] != '\n')
                at++;
            if (rows > 0 && !csv_bare(bytes + from, at - from))
                why = "a cell that is neither a number nor in quotes";
            else if (rows == 0 && strcspn(bytes + from, "\"=+@\x1b") < at - from)
                why = "a title with marks";
        }
        if (why)
            break;
        cells++;
        if (at < size && bytes[at] == ',') {
            at++;
        } else if (at + 1 < size && bytes[at] == '\r' && bytes[at + 1] == '\n') {
            at += 2;
            columns = rows++ == 0 ? cells : columns;
            why = cells != columns ? "a row of another length" : NULL;
            cells = 0;
        } else {
            why = "neither a comma nor CR LF after a cell";
        }
    }
    if (why == NULL && cells > 0)
        why = "the last row has no end";
    if (why)
        strict_complain(what, why, bytes, size, at);
    return why == NULL;
}
