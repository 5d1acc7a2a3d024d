/* fuzz_query.c - typed text: patterns, times, lines in a prompt, names of commands, options, places
 * to start. The first byte chooses; strings end in a NUL. */
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/options.h"
#include "model/query/filter.h"
#include "src/base/pattern.h"
#include "src/base/text.h"
#include "src/base/units.h"
#include "src/base/vec.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/sound_grid.h"
#include "tests/lib/tracegen.h"
#include "ui/app.h"
#include "ui/command.h"
#include "ui/screen/key_decode.h"

#define STRINGS 8

/* The input as strings, in memory of its own, which the first begins; returns how many there
 * are. */
static size_t split(const uint8_t *data, size_t size, char *out[STRINGS + 1]) {
    char *all = err_malloc(size + 1);
    memcpy(all, data, size);
    all[size] = '\0';
    size_t n = 0;
    for (char *s = all; s <= all + size && n < STRINGS; s += strlen(s) + 1)
        out[n++] = s;
    out[n] = NULL;
    return n;
}

static void one_line(const struct err *err) {
    FUZZ_MUST(err->text[0] != '\0' && strlen(err->text) < sizeof err->text);
    for (const char *s = err->text; *s; s++)
        FUZZ_MUST((unsigned char)*s >= 0x20 && *s != 0x7F);
}

/* ---- patterns ---- */

static bool slow_contains(const char *name, const char *text, bool fold) {
    char a[2] = "", b[2] = "";
    if (*text == '\0')
        return true;
    for (; *name; name++) {
        size_t k = 0;
        for (; text[k] && name[k]; k++) {
            *a = name[k];
            *b = text[k];
            if (fold && *a >= 'A' && *a <= 'Z')
                *a += 32;
            if (*a != *b)
                break;
        }
        if (text[k] == '\0')
            return true;
    }
    return false;
}

static void pattern(char **strings, size_t n) {
    struct err err = {.text = ""};
    bool exact = n > 1 && *strings[1] == 'x',
         fold = strpbrk(strings[0], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL;
    struct pattern *p = pattern_new(strings[0], exact, &err);
    if (p == NULL) {
        one_line(&err);
        FUZZ_MUST(*strings[0] == '\0' || (*strings[0] == '/' && !exact));
        return;
    }
    FUZZ_MUST(strcmp(pattern_text(p), strings[0]) == 0);
    for (size_t i = 0; i < n; i++) {
        struct str name = str_of(strings[i]);
        bool matches = pattern_matches(p, name);
        FUZZ_MUST(pattern_matches(p, name) == matches);
        FUZZ_MUST(pattern_cost(p) <= PATTERN_MOST + name.n);
        if (exact)
            FUZZ_MUST(matches == (strcmp(strings[i], strings[0]) == 0));
        else if (*strings[0] != '/')
            FUZZ_MUST(matches == slow_contains(strings[i], strings[0], fold));
    }
    pattern_free(p);
}

/* ---- filters ---- */

/* Prints as text that parses to as many terms, prints the same, and holds for the same names. */
static void filter_of_input(char **strings, size_t n) {
    struct err err = {.text = ""};
    struct filter *f = filter_new(strings[0], false, &err);
    if (f == NULL) {
        one_line(&err);
        return;
    }
    size_t size = filter_print(f, NULL, 0) + 1;
    char *printed = err_malloc(size), *twice = err_malloc(size);
    FUZZ_MUST(filter_print(f, printed, size) == size - 1);
    struct filter *again = filter_new(printed, false, &err);
    FUZZ_MUST(again != NULL && again->terms.n == f->terms.n);
    FUZZ_MUST(filter_print(again, twice, size) == size - 1 && strcmp(printed, twice) == 0);
    for (size_t i = 0; i < n; i++)
        FUZZ_MUST(filter_matches(f, str_of(strings[i])) ==
                  filter_matches(again, str_of(strings[i])));
    free(printed);
    free(twice);
    filter_free(again);
    filter_free(f);
}

/* ---- times ---- */

static long double unit_of(const char *name) {
    static const struct {
        const char *name;
        long double ns;
    } units[] = {{"", 1},           {"ns", 1},      {"us", 1e3L},   {"\u00b5s", 1e3L},
                 {"\u03bcs", 1e3L}, {"ms", 1e6L},   {"s", 1e9L},    {"m", 60e9L},
                 {"min", 60e9L},    {"h", 3600e9L}, {"d", 86400e9L}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            return units[i].ns;
    return 0;
}

/* By a grammar and in floating point: false, or about how many ns. */
static bool slow_parse(const char *text, long double *ns) {
    static regex_t grammar;
    static bool compiled;
    regmatch_t m[6];
    char unit[8] = "", number[300];
    if (!compiled)
        FUZZ_MUST(regcomp(&grammar,
                          "^ *([+-]?)(([0-9]+[.]?[0-9]*)|([.][0-9]+)) *([a-z\302\265\316\274]*) *$",
                          REG_EXTENDED) == 0);
    compiled = true;
    if (regexec(&grammar, text, 6, m, 0) != 0 || m[5].rm_eo - m[5].rm_so >= (regoff_t)sizeof unit ||
        m[2].rm_eo - m[2].rm_so >= (regoff_t)sizeof number)
        return false;
    memcpy(unit, text + m[5].rm_so, (size_t)(m[5].rm_eo - m[5].rm_so));
    memcpy(number, text + m[2].rm_so, (size_t)(m[2].rm_eo - m[2].rm_so));
    number[m[2].rm_eo - m[2].rm_so] = '\0';
    long double scale = unit_of(unit);
    *ns = strtold(number, NULL) * scale;
    if (*ns > (long double)INT64_MAX)
        *ns = (long double)INT64_MAX;
    if (text[m[1].rm_so] == '-')
        *ns = -*ns;
    return scale > 0;
}

static void printed(int64_t ns, bool ascii) {
    char buf[48], digits[48];
    int64_t again;
    const char *(*const print[2])(int64_t, bool, char *) = {units_duration, units_duration_short};
    for (int i = 0; i < 2; i++) {
        print[i](ns, ascii, buf);
        FUZZ_MUST(strlen(buf) < 32);
        if (ns == INT64_MAX || ns == INT64_MIN) /* marked as too large */
            continue;
        FUZZ_MUST(units_parse(buf, strlen(buf), &again));
        long double error = (long double)again - (long double)ns, size = fabsl((long double)ns);
        FUZZ_MUST(fabsl(error) <= size * 0.0005L + 0.5L);
    }
    units_point(ns, 1, ascii, buf);
    FUZZ_MUST(strlen(buf) < 32 && units_parse(buf, strlen(buf), &again) &&
              (again == ns || ns == INT64_MIN));
    units_count((uint64_t)ns, false, buf);
    size_t n = 0;
    for (const char *s = buf; *s; s++)
        if (*s != ',')
            digits[n++] = *s;
    digits[n] = '\0';
    FUZZ_MUST(strtoull(digits, NULL, 10) == (uint64_t)ns);
    FUZZ_MUST(strlen(units_count((uint64_t)ns, true, buf)) < 8 &&
              strlen(units_bytes((uint64_t)ns, buf)) < 12);
    FUZZ_MUST(strlen(units_wall((uint64_t)ns, buf)) < 48);
    int64_t step = units_step(ns);
    FUZZ_MUST(step >= ns && step > 0);
}

/* The epsilon of a long double as it is computed here: valgrind has 53 bits of it, whatever the
 * compiler promises. */
static long double precision(void) {
    volatile long double part = 1;
    while (1 + part / 2 != 1)
        part /= 2;
    return part;
}

static void times(char **strings, size_t n) {
    long double near = 64 * precision();
    for (size_t i = 0; i < n; i++) {
        const char *s = strings[i];
        int64_t ns;
        long double slow = 0;
        if (strlen(s) > 200)
            return;
        bool parsed = units_parse(s, strlen(s), &ns);
        if (parsed != slow_parse(s, &slow) ||
            (parsed && fabsl((long double)ns - slow) > 1 + fabsl(slow) * near))
            fuzz_unsound("%s is %s %lld, not about %Lf", s, parsed ? "a time," : "none,",
                         parsed ? (long long)ns : 0, slow);
        if (parsed)
            printed(ns, i % 2);
        ns = 0;
        memcpy(&ns, s, strlen(s) < 8 ? strlen(s) : 8);
        printed(ns, i % 2);
    }
}

/* ---- the line editor, compared with an array of characters ---- */

struct shadow {
    uint32_t v[512];
    size_t n, cursor;
};

static void cut(struct shadow *l, size_t from, size_t to) {
    memmove(l->v + from, l->v + to, (l->n - to) * sizeof *l->v);
    l->n -= to - from;
    l->cursor = from;
}

static size_t word_before(const struct shadow *l) {
    size_t at = l->cursor;
    while (at > 0 && l->v[at - 1] == ' ')
        at--;
    while (at > 0 && l->v[at - 1] != ' ')
        at--;
    return at;
}

/* False where the line ends. */
static bool edit(struct shadow *l, uint32_t code) {
    switch (code) {
    case KEY_ENTERED:
    case KEY_ESCAPE:
    case KEY_CTRL('c'):
        return false;
    case KEY_ERASE:
        if (l->n == 0)
            return false;
        cut(l, l->cursor > 0 ? l->cursor - 1 : 0, l->cursor);
        break;
    case KEY_DELETE_:
        cut(l, l->cursor, l->cursor < l->n ? l->cursor + 1 : l->cursor);
        break;
    case KEY_CTRL('w'):
        cut(l, word_before(l), l->cursor);
        break;
    case KEY_CTRL('u'):
        cut(l, 0, l->cursor);
        break;
    case KEY_CTRL('k'):
        cut(l, l->cursor, l->n);
        break;
    case KEY_CURSOR_LEFT:
        l->cursor -= l->cursor > 0;
        break;
    case KEY_CURSOR_RIGHT:
        l->cursor += l->cursor < l->n;
        break;
    case KEY_TO_HOME:
    case KEY_CTRL('a'):
        l->cursor = 0;
        break;
    case KEY_TO_END:
    case KEY_CTRL('e'):
        l->cursor = l->n;
        break;
    default:
        if (code < 0x20 || (code >= 0x7F && code < 0xA0) || code > 0x10FFFF ||
            (code >= 0xD800 && code < 0xE000))
            break;
        memmove(l->v + l->cursor + 1, l->v + l->cursor, (l->n - l->cursor) * sizeof *l->v);
        l->v[l->cursor++] = code;
        l->n++;
    }
    return true;
}

static const char *complete(void *ctx, const char *stem, size_t n) {
    return command_complete(stem, n, ctx);
}

/* The line is now what the prompt shows: after a completion or a line of the history. */
static void take(struct shadow *l, struct prompt *prompt) {
    struct str rest = str_of(prompt_text(prompt));
    for (l->n = 0; rest.n > 0 && l->n < 500; l->n++) {
        size_t n = text_decode(rest, &l->v[l->n]);
        FUZZ_MUST(l->v[l->n] != TEXT_BAD);
        rest = (struct str){rest.s + n, rest.n - n};
    }
    l->cursor = l->n;
    FUZZ_MUST(prompt->cursor == prompt->text.n);
}

static void same_line(const struct shadow *l, struct prompt *prompt) {
    const char *s = prompt_text(prompt);
    size_t at = 0, cursor = 0;
    for (size_t i = 0; i < l->n; i++) {
        char bytes[4];
        size_t n = text_utf8(l->v[i], bytes);
        FUZZ_MUST(memcmp(s + at, bytes, n) == 0);
        at += n;
        if (i + 1 == l->cursor)
            cursor = at;
    }
    FUZZ_MUST(s[at] == '\0' && at == prompt->text.n && cursor == prompt->cursor);
}

static void typed(const uint8_t *data, size_t size) {
    struct key_decode decoder;
    struct prompt prompt = {0};
    struct prompt_history history = {0};
    struct shadow line = {.n = 0};
    char buf[COMMAND_COMPLETION];
    struct key key;
    key_decode_init(&decoder);
    size = size < 400 ? size : 400;
    key_decode_feed(&decoder, (const char *)data, size);
    for (int ends = 0; ends < 2; ends++) {
        while (key_decode_next(&decoder, true, ends, &key)) {
            if (!prompt.active) {
                prompt_open(&prompt, ":", "", &history);
                line = (struct shadow){.n = 0};
            }
            enum prompt_result result = prompt_key(&prompt, &key, complete, buf);
            if (key.code == KEY_TABBED || key.code == KEY_BACKTAB || key.code == KEY_CURSOR_UP ||
                key.code == KEY_CURSOR_DOWN) {
                if (prompt.cursor == prompt.text.n) /* else there was nothing to take */
                    take(&line, &prompt);
            } else if (key.code != KEY_POINTER) {
                FUZZ_MUST(edit(&line, key.code) == (result == PROMPT_EDITING));
            }
            same_line(&line, &prompt);
            FUZZ_MUST(prompt.active == (result == PROMPT_EDITING) && history.lines.n <= 200);
        }
    }
    prompt_free(&prompt);
    prompt_history_free(&history);
}

/* ---- names of commands, options, where to start ---- */

static bool fits(const struct command *c, const char *stem) {
    return strstr(c->name, stem) || (strlen(stem) >= 3 && strstr(c->help, stem));
}

static void commands_named(const char *stem) {
    size_t n = 0, slow = 0;
    char buf[COMMAND_COMPLETION];
    for (const char *name; (name = command_complete(stem, n, buf)) != NULL; n++) {
        const struct command *c = command_by_name(name, strcspn(name, " "));
        FUZZ_MUST(c && (strchr(name, ' ') ? c->run != NULL : fits(c, stem)));
    }
    if (strchr(stem, ' '))
        return;
    for (size_t i = 0; i < command_count; i++)
        slow += fits(&commands[i], stem);
    FUZZ_MUST(n == slow);
    const struct command *c = command_by_name(stem, strlen(stem));
    FUZZ_MUST(c == NULL || strcmp(c->name, stem) == 0 || strcmp(stem, "q") == 0);
}

static void options(char **strings, size_t n) {
    char name[] = "fxtop", *argv[STRINGS + 2] = {name};
    struct options o;
    struct err err = {.text = ""};
    for (size_t i = 0; i < n; i++)
        argv[i + 1] = strings[i];
    if (!options_parse(&o, (int)n + 1, argv, false, &err)) {
        one_line(&err);
        return;
    }
    FUZZ_MUST(o.mode >= MODE_LIST_KEYS || (o.path && *o.path));
    FUZZ_MUST(o.cols > 0 && o.cols <= 1000 && o.rows > 0 && o.rows <= 1000);
    FUZZ_MUST(o.color >= -1 && o.color <= 1);
}

static struct trace *small_trace(void) {
    static const char text[] = "magic\ninit 1000000000\nthread 1 7 8\nbegin 1000 t1 \"c\" \"a\"\n"
                               "instant 1500 t1 \"c\" \"i\"\nend 901000 t1 \"c\" \"a\"\ncomplete "
                               "950000 t1 \"c\" \"b\" end=990000\n";
    static struct trace *trace;
    struct trace_options none = {0};
    struct err err;
    char path[40];
    if (trace)
        return trace;
    struct trace_bytes bytes = tracegen(text, &err);
    FUZZ_MUST(bytes.v != NULL);
    int fd = fuzz_hold(bytes.v, bytes.n, path);
    trace = trace_open(path, &none, &err);
    FUZZ_MUST(trace != NULL);
    trace_load(trace);
    close(fd);
    free(bytes.v);
    return trace;
}

static void start(char **strings, size_t n) {
    struct trace *trace = small_trace();
    struct app app;
    struct err err = {.text = ""};
    app_init(&app, trace, 60, 16, false);
    const char *at = n > 0 && *strings[0] ? strings[0] : NULL,
               *window = n > 1 && *strings[1] ? strings[1] : NULL;
    if (app_start(&app, at, window, NULL, &err)) {
        FUZZ_MUST(app.timeline.cursor >= trace_origin(trace) &&
                  app.timeline.cursor <= trace_end(trace));
        FUZZ_MUST(app.timeline.window.width >= app.timeline.window.columns &&
                  app.timeline.window.from >= app.timeline.window.lo);
        FUZZ_MUST(app.timeline.window.from + app.timeline.window.width <= app.timeline.window.hi);
    } else {
        one_line(&err);
    }
    app_draw(&app);
    FUZZ_MUST(sound_grid(&app.grid));
    app_free(&app);
}

void fuzz_query(const uint8_t *data, size_t size) {
    char *strings[STRINGS + 1];
    if (size == 0)
        return;
    size_t n = split(data + 1, size - 1, strings);
    switch (data[0] % 6) {
    case 0:
        pattern(strings, n);
        filter_of_input(strings, n);
        break;
    case 1:
        times(strings, n);
        break;
    case 2:
        typed(data + 1, size - 1);
        break;
    case 3:
        commands_named(strings[0]);
        break;
    case 4:
        options(strings, n);
        break;
    default:
        start(strings, n);
        break;
    }
    free(strings[0]);
}
