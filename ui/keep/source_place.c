/* source_place.c - finds the file and line that the arguments of an event name.
 *
 * The arguments are read twice: for a line, then for files, as either may come first. Nothing is
 * opened. */
#include "ui/keep/source_place.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "model/query/detail.h"
#include "src/base/text.h"

#define DIGITS_MOST 9u /* of a line */

static bool is_one_of(struct str name, const char *const *names) {
    while (*names && !str_eq(name, str_of(*names)))
        names++;
    return *names != NULL;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The number that a text is; 0: it is none, or is too large. */
static uint32_t number_of(struct str s) {
    uint32_t v = 0;
    if (s.n > DIGITS_MOST)
        return 0;
    for (size_t i = 0; i < s.n; i++) {
        if (!is_digit(s.s[i]))
            return 0;
        v = v * 10 + (uint32_t)(s.s[i] - '0');
    }
    return v;
}

/* The line that an argument holds; 0: none. */
static uint32_t line_of(const struct detail_argument *a) {
    static const char *const names[] = {"line", "lineno", NULL};
    if (!is_one_of(a->name, names))
        return 0;
    if (a->type == FXT_ARG_STRING)
        return number_of(a->string);
    bool number = a->type == FXT_ARG_INT32 || a->type == FXT_ARG_INT64 ||
                  a->type == FXT_ARG_UINT32 || a->type == FXT_ARG_UINT64;
    return number && a->bits < 1000000000 ? (uint32_t)a->bits : 0; /* negative ones are large */
}

/* Takes ":12" off the end of a text; 0: it ends in no line. */
static uint32_t take_line(struct str *s) {
    size_t n = s->n;
    while (n > 0 && is_digit(s->s[n - 1]))
        n--;
    if (n < 2 || s->s[n - 1] != ':')
        return 0;
    uint32_t line = number_of((struct str){s->s + n, s->n - n});
    if (line > 0)
        s->n = n - 1;
    return line;
}

static bool is_file(struct str name, char path[PATH_MAX]) {
    char z[PATH_MAX], real[PATH_MAX];
    struct stat s;
    if (name.n == 0 || name.n >= sizeof z)
        return false;
    for (size_t i = 0; i < name.n; i++)
        if ((unsigned char)name.s[i] < 0x20 || name.s[i] == 0x7f)
            return false;
    memcpy(z, name.s, name.n);
    z[name.n] = 0;
    if (realpath(z, real) == NULL || stat(real, &s) != 0 || !S_ISREG(s.st_mode))
        return false;
    memcpy(path, real, strlen(real) + 1);
    return true;
}

/* "draw.c:12:5" is line 12 of draw.c. False: the text has no line, or there is no such file. */
static bool take_text(struct source_place *place, struct str text) {
    uint32_t last = take_line(&text), line = last;
    if (last == 0)
        return false;
    bool found = is_file(text, place->path);
    if (!found && (line = take_line(&text)) > 0) /* the last was the column */
        found = is_file(text, place->path);
    place->line = found ? line : 0;
    return found;
}

static bool take_argument(struct source_place *place, const struct detail_argument *a, bool named,
                          uint32_t line) {
    static const char *const names[] = {"file", "path", "filename", "source", NULL};
    if (a->type != FXT_ARG_STRING || is_one_of(a->name, names) != named)
        return false;
    if (named && is_file(a->string, place->path)) {
        place->line = line;
        return true;
    }
    if (take_text(place, a->string))
        return true;
    if (named && place->missing[0] == 0 && a->string.n > 0)
        text_plain(place->missing, sizeof place->missing, a->string, TEXT_ASCII);
    return false;
}

void source_place_init(struct source_place *place) {
    place->path[0] = place->missing[0] = 0;
    place->line = 0;
}

bool source_place_take(struct source_place *place, struct trace *trace, uint64_t offset) {
    struct detail d;
    struct detail_argument a;
    uint32_t line = 0;
    if (place->path[0] || !detail_open(&d, trace, offset))
        return place->path[0] != 0;
    struct fxt_arguments args = d.record.args;
    while (line == 0 && detail_argument(&d, &args, &a))
        line = line_of(&a);
    for (int named = 1; named >= 0 && place->path[0] == 0; named--) {
        args = d.record.args;
        while (detail_argument(&d, &args, &a) && !take_argument(place, &a, named, line))
            continue;
    }
    return place->path[0] != 0;
}
