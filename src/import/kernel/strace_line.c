/* strace_line.c - reads a line from the left: process, time, then the call, signal or exit.
 *
 * The end of a call's arguments is found by its strings and brackets: a string may hold anything
 * that the program wrote, also `) = 0` and `<unfinished ...>`. */
#include "src/import/kernel/strace_line.h"

#include "src/import/json/json_read.h"

#define PID_DIGITS 7 /* a longer number without a point is no process */
#define ATTACHED STR("strace: Process ")
#define OLD_PROCESS STR("Process ")
#define UNFINISHED STR("<unfinished ...>")

struct cursor {
    struct str line;
    size_t i;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '?';
}

static bool at(const struct cursor *c, struct str mark) {
    return c->i + mark.n <= c->line.n && memcmp(c->line.s + c->i, mark.s, mark.n) == 0;
}

static bool take(struct cursor *c, struct str mark) {
    bool is = at(c, mark);
    c->i += is ? mark.n : 0;
    return is;
}

static bool blanks(struct cursor *c) {
    size_t from = c->i;
    while (c->i < c->line.n && (c->line.s[c->i] == ' ' || c->line.s[c->i] == '\t'))
        c->i++;
    return c->i > from;
}

static struct str rest(const struct cursor *c) {
    return (struct str){c->line.s + c->i, c->line.n - c->i};
}

static struct str without_blanks(struct str s) {
    while (s.n > 0 && (s.s[s.n - 1] == ' ' || s.s[s.n - 1] == '\t'))
        s.n--;
    while (s.n > 0 && (s.s[0] == ' ' || s.s[0] == '\t')) {
        s.s++;
        s.n--;
    }
    return s;
}

/* Up to this character, which is passed over. False: there is none. */
static bool take_until(struct cursor *c, char end, struct str *text) {
    const char *to = c->i < c->line.n ? memchr(c->line.s + c->i, end, c->line.n - c->i) : NULL;
    if (to == NULL)
        return false;
    *text = (struct str){c->line.s + c->i, (size_t)(to - (c->line.s + c->i))};
    c->i += text->n + 1;
    return true;
}

static struct str digits(struct cursor *c) {
    size_t from = c->i;
    while (c->i < c->line.n && is_digit(c->line.s[c->i]))
        c->i++;
    return (struct str){c->line.s + from, c->i - from};
}

/* `123 `, `123<comm> ` or `[pid 123] `. */
static void read_tid(struct cursor *c, struct strace_line *to) {
    struct cursor ahead = *c;
    bool bracket = take(&ahead, STR("[pid "));
    blanks(&ahead);
    struct str number = digits(&ahead);
    uint64_t tid;
    if (number.n > PID_DIGITS || !json_read_u64(number, &tid))
        return;
    struct str comm = {"", 0};
    if (take(&ahead, STR("<")) && !take_until(&ahead, '>', &comm))
        return;
    if ((bracket && !take(&ahead, STR("]"))) || !blanks(&ahead))
        return;
    to->has_tid = true;
    to->tid = tid;
    to->comm = comm;
    *c = ahead;
}

static bool two_digits(struct cursor *c, uint64_t limit, uint64_t *value) {
    struct str number = digits(c);
    return number.n == 2 && json_read_u64(number, value) && *value < limit;
}

/* `.123456` as ns, if it is there; beyond nine digits the tenth rounds. */
static bool fraction(struct cursor *c, uint64_t *ns) {
    *ns = 0;
    if (!take(c, STR(".")))
        return true;
    struct str text = digits(c);
    for (size_t i = 0; i < 9; i++)
        *ns = *ns * 10 + (i < text.n ? (uint64_t)(text.s[i] - '0') : 0);
    *ns += text.n > 9 && text.s[9] >= '5';
    return text.n > 0;
}

static bool day_time(struct cursor *c, struct strace_line *to) {
    uint64_t h, m, s, ns;
    if (!two_digits(c, 24, &h) || !take(c, STR(":")) || !two_digits(c, 60, &m) ||
        !take(c, STR(":")) || !two_digits(c, 61, &s) || !fraction(c, &ns))
        return false;
    to->clock = STRACE_DAY;
    to->time = ((h * 60 + m) * 60 + s) * STRACE_SECOND + ns;
    return true;
}

static bool seconds(struct cursor *c, struct strace_line *to) {
    struct cursor ahead = *c;
    struct str whole = digits(&ahead);
    uint64_t s, ns;
    if (!json_read_u64(whole, &s) || s > INT64_MAX / STRACE_SECOND - 1 || !at(&ahead, STR(".")) ||
        !fraction(&ahead, &ns))
        return false;
    *c = ahead;
    to->clock = whole.n >= 9 ? STRACE_EPOCH : STRACE_SINCE;
    to->time = s * STRACE_SECOND + ns;
    return true;
}

/* A time, and the relative one that -r writes after it: `(+     0.000203734)`. */
static void read_time(struct cursor *c, struct strace_line *to) {
    struct cursor ahead = *c;
    struct str relative;
    if (!seconds(&ahead, to) && !day_time(&ahead, to))
        return;
    if (!blanks(&ahead)) {
        to->clock = STRACE_NO_TIME;
        return;
    }
    if (take(&ahead, STR("(+")) && take_until(&ahead, ')', &relative))
        blanks(&ahead);
    *c = ahead;
}

/* `<0.000123>` at the end of the line, which it is taken off. */
static void read_duration(struct cursor *c, struct strace_line *to) {
    struct str line = c->line;
    while (line.n > 0 && line.s[line.n - 1] == ' ')
        line.n--;
    size_t i = line.n;
    if (i == 0 || line.s[i - 1] != '>')
        return;
    while (i > 0 && line.s[i - 1] != '<')
        i--;
    struct cursor number = {{line.s, line.n - 1}, i};
    uint64_t s, ns;
    if (i < 2 || line.s[i - 2] != ' ' || !json_read_u64(digits(&number), &s) ||
        !at(&number, STR(".")) || !fraction(&number, &ns) || number.i != line.n - 1 ||
        s > INT64_MAX / STRACE_SECOND - 1)
        return;
    to->has_dur = true;
    to->dur = s * STRACE_SECOND + ns;
    c->line.n = i - 1;
}

/* Passes over a string; the cursor is at its quote. False: it does not end. */
static bool pass_string(struct cursor *c) {
    for (c->i++; c->i < c->line.n; c->i++) {
        if (c->line.s[c->i] == '\\' && c->i + 1 < c->line.n)
            c->i++;
        else if (c->line.s[c->i] == '"') {
            c->i++;
            return true;
        }
    }
    return false;
}

/* Passes over the path of a descriptor (-y: `3</etc/x>`), if one is here. */
static void pass_path(struct cursor *c) {
    struct cursor ahead = *c;
    struct str path;
    bool is_path = c->i > 0 && is_word(c->line.s[c->i - 1]) && c->i + 1 < c->line.n &&
                   c->line.s[c->i + 1] != '<';
    ahead.i++;
    c->i = is_path && take_until(&ahead, '>', &path) ? ahead.i : c->i + 1;
}

enum ending { ENDING_CLOSED, ENDING_UNFINISHED, ENDING_OPEN };

/* The arguments up to the bracket that closes them. depth: of brackets that are open. */
static enum ending read_args(struct cursor *c, unsigned depth, struct str *args) {
    size_t from = c->i;
    while (c->i < c->line.n) {
        char one = c->line.s[c->i];
        *args = (struct str){c->line.s + from, c->i - from};
        if (one == '"') {
            if (!pass_string(c))
                return ENDING_OPEN;
        } else if (one == '<' && take(c, UNFINISHED)) {
            *args = without_blanks(*args);
            return ENDING_UNFINISHED;
        } else if (one == '<') {
            pass_path(c);
        } else {
            bool closes = one == ')' || (depth > 1 && (one == ']' || one == '}'));
            depth += one == '(' || one == '[' || one == '{';
            depth -= closes;
            c->i++;
            if (depth == 0) {
                *args = without_blanks(*args);
                return ENDING_CLOSED;
            }
        }
    }
    return ENDING_OPEN;
}

/* `3</etc/x> (text)`, `-1 ENOENT (text)`, `? ERESTARTSYS (text)`, `0x7f12`, `?`. */
static void read_result(struct cursor *c, struct strace_line *to) {
    struct str text;
    size_t from = c->i;
    while (c->i < c->line.n && c->line.s[c->i] != ' ' && c->line.s[c->i] != '<')
        c->i++;
    to->ret = (struct str){c->line.s + from, c->i - from};
    if (take(c, STR("<")))
        take_until(c, '>', &to->path);
    blanks(c);
    from = c->i;
    while (at(c, STR("E")) || (c->i > from && c->i < c->line.n && is_word(c->line.s[c->i])))
        c->i++;
    to->errnum = (struct str){c->line.s + from, c->i - from};
    text = without_blanks(rest(c));
    bool wrapped = text.n > 2 && text.s[0] == '(' && text.s[text.n - 1] == ')' &&
                   memchr(text.s + 1, ')', text.n - 2) == NULL;
    to->note = wrapped ? (struct str){text.s + 1, text.n - 2} : text;
}

/* The arguments of a call, or the rest of them, and its result. */
static const char *read_call(struct cursor *c, struct strace_line *to, bool resumed) {
    enum ending ending = read_args(c, 1, &to->args);
    if (ending == ENDING_OPEN)
        return resumed ? "the resumed call does not end" : "the call does not end";
    blanks(c);
    bool unfinished = ending == ENDING_UNFINISHED || take(c, UNFINISHED);
    blanks(c);
    if (unfinished) {
        to->kind = resumed ? STRACE_AGAIN : STRACE_UNFINISHED;
        return NULL;
    }
    if (!take(c, STR("=")) || !blanks(c) || c->i == c->line.n)
        return "expected = and the result of the call";
    to->kind = resumed ? STRACE_RESUMED : STRACE_CALL;
    read_result(c, to);
    return NULL;
}

/* `--- NAME text ---`, `+++ text +++`: the text between the marks. */
static bool read_between(struct cursor *c, struct str mark, struct str *text) {
    if (!take(c, mark))
        return false;
    *text = without_blanks(rest(c));
    if (text->n >= mark.n && memcmp(text->s + text->n - mark.n, mark.s, mark.n) == 0)
        text->n -= mark.n;
    *text = without_blanks(*text);
    return true;
}

/* The number of the call (-n) or the address (-i) in brackets. */
static bool pass_bracket(struct cursor *c) {
    struct cursor ahead = *c;
    struct str inside;
    if (at(c, STR("[ Process ")) || !take(&ahead, STR("[")) || !take_until(&ahead, ']', &inside) ||
        !blanks(&ahead))
        return false;
    *c = ahead;
    return true;
}

/* Whether a text begins with the fate of a process. */
static bool is_fate(struct str text) {
    static const char *const words[] = {"attached", "detached", "suspended", "resumed"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text.n >= strlen(words[i]) && memcmp(text.s, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* A message of strace; before 4.9 it is `Process 12 attached`. */
static bool read_message(struct cursor *c, struct strace_line *to) {
    struct cursor old = *c;
    uint64_t tid = 0;
    bool is = at(c, STR("strace: ")) || at(c, STR("[ Process "));
    if (take(c, ATTACHED)) {
        json_read_u64(digits(c), &to->attached);
    } else if (!is && take(&old, OLD_PROCESS)) {
        is = json_read_u64(digits(&old), &tid) && blanks(&old) && is_fate(rest(&old));
        to->attached = is && at(&old, STR("attached")) ? tid : 0;
    }
    if (is)
        to->kind = STRACE_MESSAGE;
    return is;
}

static const char *read_event(struct cursor *c, struct strace_line *to) {
    struct str word;
    if (read_between(c, STR("+++"), &to->name)) {
        to->kind = STRACE_EXIT;
        return NULL;
    }
    if (read_between(c, STR("---"), &to->name)) {
        struct cursor signal = {to->name, 0};
        to->kind = STRACE_SIGNAL;
        if (take_until(&signal, ' ', &word) && at(&signal, STR("{"))) {
            to->name = word;
            to->args = rest(&signal);
        }
        return NULL;
    }
    if (read_message(c, to))
        return NULL;
    bool resumed = take(c, STR("<... "));
    size_t from = c->i;
    while (c->i < c->line.n && is_word(c->line.s[c->i]))
        c->i++;
    to->name = (struct str){c->line.s + from, c->i - from};
    if (to->name.n == 0)
        return "expected a call, --- or +++";
    if (!take(c, resumed ? STR(" resumed>") : STR("("))) {
        to->name.n = 0;
        return resumed ? "expected resumed>" : "expected ( after the name";
    }
    return read_call(c, to, resumed);
}

const char *strace_line_read(struct str line, struct strace_line *to, const char **where) {
    struct cursor c = {line, 0};
    *to = (struct strace_line){0};
    read_tid(&c, to);
    blanks(&c);
    read_time(&c, to);
    if (to->clock == STRACE_NO_TIME) { /* messages of strace itself have none */
        *where = line.s;
        return read_message(&c, to) ? NULL : "expected a time: strace -ttt writes it";
    }
    if (!at(&c, STR("+++")) && !at(&c, STR("---")))
        read_duration(&c, to);
    while (pass_bracket(&c))
        continue;
    const char *wrong = read_event(&c, to);
    *where = line.s + c.i;
    return wrong;
}

size_t strace_line_split(struct str line) {
    struct str end = STR(" attached");
    size_t i = line.n >= end.n ? line.n - end.n : 0;
    if (i == 0 || memcmp(line.s + i, end.s, end.n) != 0)
        return 0;
    while (i > 0 && is_digit(line.s[i - 1]))
        i--;
    struct cursor c = {line, i >= ATTACHED.n ? i - ATTACHED.n : line.n};
    if (!at(&c, ATTACHED))
        c.i = i >= OLD_PROCESS.n ? i - OLD_PROCESS.n : line.n;
    return at(&c, ATTACHED) || at(&c, OLD_PROCESS) ? c.i : 0;
}

bool strace_line_frame(struct str line, struct str *frame) {
    struct cursor c = {line, 0};
    blanks(&c);
    if (c.i == 0 || !take(&c, STR("> ")))
        return false;
    *frame = without_blanks(rest(&c));
    return frame->n > 0;
}
