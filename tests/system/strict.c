/* strict.c - checks the output of fxtop against a grammar of its own.
 *
 * strict modes|big|screen FXTOP TRACE [trace|refused] | options|names FXTOP TRACE
 *
 * modes runs every mode that prints, screen the real screen on a pseudo-terminal, options and names hostile command
 * lines and file names. Output is text: valid UTF-8 without controls except newline, without invisible characters and
 * those of the classes Cc, Cf, Cs, Co, Cn, Zl, Zp. JSON and CSV have their own forms. The screen may use the escape
 * sequences in the tables below and no others. utf8proc classifies characters here, because text.h is under test. Below
 * 1 MB of trace 256 MB of memory are enough, above that a number of bytes for each byte. Every answer has a deadline;
 * nothing sleeps. The last line is "N passed, N failed". */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utf8proc.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum {
    DEADLINE_MS = SANITIZED ? 120000 : 60000, /* of one answer: a hang, not a measurement */
    SMALL = 1 << 20,                          /* bytes of a trace that ... */
    SMALL_MB = 256,                           /* ... this much memory is enough for */
    BIG_FACTOR = 24,                          /* of each further byte of the trace */
    JSON_DEPTH = 32,
    MARKS_MOST = 2, /* combining marks on one character */
};

static unsigned passed, failed;
static const char *fxtop, *subject;

/* ---- saying what is wrong ---- */

static void show_bytes(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s[i] >= ' ' && s[i] < 0x7F)
            putchar(s[i]);
        else
            printf("\\x%02x", (unsigned char)s[i]);
}

static void complain(const char *what, const char *why, const char *bytes, size_t n, size_t at) {
    size_t from = at > 30 ? at - 30 : 0, to = at + 30 < n ? at + 30 : n;
    failed++;
    printf("FAILED: %s: ", subject);
    show_bytes(what, strlen(what));
    printf(": %s", why);
    if (bytes) {
        printf(", at byte %zu: ", at);
        show_bytes(bytes + from, to - from);
    }
    putchar('\n');
}

static _Noreturn void die(const char *what) {
    fprintf(stderr, "strict: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- characters ---- */

/* One character of well-formed UTF-8 off the front; 0: it is none. */
static size_t decode(const unsigned char *s, size_t n, uint32_t *cp) {
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
    if ((cp >= 0xFE00 && cp <= 0xFE0F) || cp == 0x034F || cp == 0x115F || cp == 0x1160 || cp == 0x3164 ||
        cp == 0xFFA0 || cp == 0x17B4 || cp == 0x17B5 || (cp >= 0x180B && cp <= 0x180F) ||
        (cp >= 0xE0000 && cp <= 0xE0FFF))
        return "a character that nothing is drawn for";
    return NULL;
}

static bool is_mark(uint32_t cp) {
    utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)cp);
    return cp >= 0x300 && (c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_ME);
}

/* A drawn character must also have a width on which terminals agree. */
static const char *forbidden_cell(uint32_t cp) {
    if (cp >= 0x1F1E6 && cp <= 0x1F1FF)
        return "half of a flag";
    if (cp >= 0x1F3FB && cp <= 0x1F3FF)
        return "a skin tone";
    if (!is_mark(cp) && utf8proc_charwidth((utf8proc_int32_t)cp) < 1)
        return "a character of no width";
    return forbidden(cp);
}

/* ---- text ---- */

enum { ASCII = 1, COLOURED = 2 }; /* what a mode's text may hold: ASCII alone, SGR sequences too */

/* ESC [ numbers m; its length, 0: it is none. */
static size_t sgr(const unsigned char *s, size_t n) {
    size_t i = 2;
    if (n < 3 || s[0] != 0x1B || s[1] != '[')
        return 0;
    while (i < n && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
        i++;
    return i < n && s[i] == 'm' ? i + 1 : 0;
}

static bool text_holds(const char *what, const char *bytes, size_t size, unsigned flags) {
    const unsigned char *s = (const unsigned char *)bytes;
    unsigned marks = MARKS_MOST; /* none without a base */
    for (size_t at = 0, n; at < size; at += n) {
        uint32_t cp = 0;
        if (flags & COLOURED && (n = sgr(s + at, size - at)) > 0)
            continue;
        n = decode(s + at, size - at, &cp);
        const char *why = n == 0 ? "no UTF-8" : cp == '\n' ? NULL : forbidden_cell(cp);
        if (flags & ASCII && why == NULL && cp != '\n' && (cp < 0x20 || cp > 0x7E))
            why = "no ASCII";
        marks = n > 0 && is_mark(cp) ? marks + 1 : 0;
        if (why == NULL && marks > MARKS_MOST)
            why = "too many combining marks";
        if (why) {
            complain(what, why, bytes, size, at);
            return false;
        }
    }
    if (size > 0 && bytes[size - 1] != '\n') {
        complain(what, "the last line has no end", bytes, size, size - 1);
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
            size_t n = decode(j->s + j->at, j->n - j->at, &cp);
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
            (!json_take(j, '\\') || !json_take(j, 'u') || !json_hex(j, &low) || low < 0xDC00 || low > 0xDFFF))
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

static bool json_holds(const char *what, const char *bytes, size_t size) {
    struct json j = {(const unsigned char *)bytes, size, 0, NULL};
    if (json_value(&j, 0))
        json_blank(&j);
    if (j.why == NULL && j.at < size)
        j.why = "something after the value";
    if (j.why)
        complain(what, j.why, bytes, size, j.at);
    return j.why == NULL;
}

/* One value per line; the last one has their number. */
static bool lines_hold(const char *what, const char *bytes, size_t size) {
    size_t lines = 0, last = 0;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t n = end ? (size_t)(end - bytes) - at : size - at;
        if (end == NULL || bytes[at] != '{') {
            complain(what, "a line that is no object", bytes, size, at);
            return false;
        }
        if (!json_holds(what, bytes + at, n))
            return false;
        last = at;
        lines++;
        at += n + 1;
    }
    char wanted[60];
    int n = snprintf(wanted, sizeof wanted, "{\"type\":\"end\",\"lines\":%zu}\n", lines);
    if (size - last == (size_t)n && memcmp(bytes + last, wanted, (size_t)n) == 0)
        return true;
    complain(what, "the last line does not count the lines", bytes, size, last);
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

static bool csv_holds(const char *what, const char *bytes, size_t size, bool lines) {
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
                    size_t n = decode((const unsigned char *)bytes + at, size - at, &cp);
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
        complain(what, why, bytes, size, at);
    return why == NULL;
}

/* ---- running fxtop ---- */

struct output {
    char *v;
    size_t n, cap;
};

struct run {
    int status; /* or -1: ended by a signal, or not in time */
    struct output out, err;
};

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads what is available; false at the end. */
static bool take(int fd, struct output *to) {
    if (to->cap - to->n < 65536) {
        to->cap = to->cap * 2 + 131072;
        to->v = realloc(to->v, to->cap);
        if (to->v == NULL)
            die("realloc");
    }
    ssize_t n = read(fd, to->v + to->n, to->cap - to->n - 1);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0)
        return false;
    to->n += (size_t)n;
    to->v[to->n] = '\0';
    return true;
}

/* Sanitizers reserve terabytes: memory is limited on plain builds alone. */
static uint64_t memory_for(const char *path) {
    struct stat status;
    uint64_t size = stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    uint64_t limit = (uint64_t)SMALL_MB << 20;
    return SANITIZED ? 0 : size > SMALL ? limit + size * BIG_FACTOR : limit;
}

static void limit_memory(uint64_t bytes) {
    struct rlimit limit = {(rlim_t)bytes, (rlim_t)bytes};
    if (bytes > 0 && setrlimit(RLIMIT_AS, &limit) != 0)
        _exit(126);
    limit = (struct rlimit){0, 0};
    setrlimit(RLIMIT_CORE, &limit);
}

static int wait_for(pid_t pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            die("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void run(struct run *r, char *const argv[], uint64_t memory, const char *locale) {
    int out[2], err[2];
    r->out.n = r->err.n = 0;
    fflush(stdout);
    if (pipe(out) != 0 || pipe(err) != 0)
        die("pipe");
    pid_t pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        int null = open("/dev/null", O_RDONLY);
        dup2(null, 0);
        dup2(out[1], 1);
        dup2(err[1], 2);
        for (int fd = 3; fd < 32; fd++)
            close(fd);
        setenv("LC_ALL", locale, 1);
        limit_memory(memory);
        setenv("XDG_STATE_HOME", "/dev/null", 0);
        execv(fxtop, argv);
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    struct pollfd fds[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    int64_t until = now_ms() + DEADLINE_MS;
    bool late = false;
    while ((fds[0].fd >= 0 || fds[1].fd >= 0) && !late) {
        int64_t left = until - now_ms();
        late = left <= 0;
        if (late || poll(fds, 2, (int)left) <= 0)
            continue;
        for (int i = 0; i < 2; i++)
            if (fds[i].fd >= 0 && fds[i].revents && !take(fds[i].fd, i == 0 ? &r->out : &r->err))
                fds[i].fd = -1;
    }
    if (late)
        kill(pid, SIGKILL);
    r->status = wait_for(pid);
    close(out[0]);
    close(err[0]);
}

/* ---- modes that print ---- */

enum form { TEXT, TEXT_ASCII_ONLY, TEXT_COLOURED, JSON, JSON_LINES, CSV, CSV_LINES };

struct mode {
    const char *option, *second; /* second may be NULL */
    enum form form;
    bool always; /* under sanitizers too: the screen's test shows the same views in one process */
};

/* A name that holds something of everything, typed. */
#define NASTY                                                                                                          \
    "a\xE2\x80\xAE"                                                                                                    \
    "b\xE2\x80\x8B\xEE\x80\x80\xF3\xA0\x81\x81\xEF\xB7\x90\xF0\x9F\x87\xA9\xC2\x9B%n\xCC\x81\xCC\x81\xCC\x81"

static const struct mode modes[] = {
    {"--summary", NULL, TEXT, true},
    {"--check", NULL, TEXT, true},
    {"--check=strict", NULL, TEXT, false},
    {"--records", NULL, TEXT, true},
    {"--records", "--ascii", TEXT_ASCII_ONLY, false},
    {"--summary", "--ascii", TEXT_ASCII_ONLY, false},
    {"--export=ndjson", NULL, JSON_LINES, true},
    {"--export=json", NULL, JSON, true},
    {"--export=csv", NULL, CSV, true},
    {"--export=csv", "--keys=5", CSV_LINES, true},
    {"--export=csv", "--keys=6", CSV, true},
    {"--print=120x40", "--keys=jl", TEXT, true},
    {"--print=20x5", "--keys=jlf", TEXT, false},
    {"--print=300x90", "--keys=Ejl<Tab>l", TEXT, false},
    {"--print=100x30", "--keys=jlWWWff<Tab>lll", TEXT, false},
    {"--print=100x30", "--keys=5/e<Enter>n<Enter>", TEXT, false},
    {"--print=100x30", "--keys=6<Enter>jj<Enter>", TEXT, false},
    {"--print=100x30", "--keys=!!!X", TEXT, false},
    {"--print=100x30", "--keys=:blobs<Enter><Enter>jj", TEXT, false},
    {"--print=100x30", "--keys=/" NASTY "<Enter>n", TEXT, false},
    {"--print=60x20", "--ascii", TEXT_ASCII_ONLY, false},
    {"--print=60x20", "--color=always", TEXT_COLOURED, true},
};

static bool form_holds(const char *what, const struct output *out, enum form form) {
    const char *v = out->n > 0 ? out->v : "";
    switch (form) {
    case TEXT:
        return text_holds(what, v, out->n, 0);
    case TEXT_ASCII_ONLY:
        return text_holds(what, v, out->n, ASCII);
    case TEXT_COLOURED:
        return text_holds(what, v, out->n, COLOURED);
    case JSON:
        return json_holds(what, v, out->n);
    case JSON_LINES:
        return lines_hold(what, v, out->n);
    default:
        return csv_holds(what, v, out->n, form == CSV_LINES);
    }
}

/* One line that begins with fxtop's name, or none. */
static bool error_holds(const char *what, const struct output *err, bool wanted, unsigned flags) {
    const char *v = err->n > 0 ? err->v : "", *end = memchr(v, '\n', err->n);
    const char *why = NULL;
    if (wanted != (err->n > 0))
        why = wanted ? "nothing on standard error" : "something on standard error";
    else if (wanted && (end == NULL || (size_t)(end - v) + 1 != err->n))
        why = "not one line on standard error";
    else if (wanted && strncmp(v, "fxtop: ", 7) != 0)
        why = "an error without fxtop's name";
    if (why)
        complain(what, why, v, err->n, 0);
    return why == NULL && text_holds(what, v, err->n, flags);
}

/* A run of a mode must be refused (status 2 and one line), or answer in the mode's form. */
static void judge(struct run *r, const char *what, enum form form, bool refused, bool answers_no) {
    char why[60];
    bool status = refused ? r->status == 2 : r->status == 0 || (answers_no && r->status == 1);
    if (!status) {
        snprintf(why, sizeof why, r->status < 0 ? "a signal, or no end in time" : "status %d", r->status);
        complain(what, why, r->err.n > 0 ? r->err.v : NULL, r->err.n, 0);
    } else if (error_holds(what, &r->err, refused, form == TEXT_ASCII_ONLY ? ASCII : 0)) {
        if (refused && r->out.n > 0)
            complain(what, "refused, and yet an answer", r->out.v, r->out.n, 0);
        else if (refused || form_holds(what, &r->out, form))
            passed++;
    }
}

static void run_mode(struct run *r, const struct mode *m, const char *path, bool refused) {
    char what[200];
    char *argv[] = {(char *)(uintptr_t) "fxtop",
                    (char *)(uintptr_t) "--no-cache",
                    (char *)(uintptr_t)m->option,
                    (char *)(uintptr_t)(m->second ? m->second : path),
                    (char *)(uintptr_t)(m->second ? path : NULL),
                    NULL};
    snprintf(what, sizeof what, "%s %s", m->option, m->second ? m->second : "");
    run(r, argv, memory_for(path), m->form == TEXT_ASCII_ONLY && m->second == NULL ? "C" : "C.UTF-8");
    judge(r, what, m->form, refused, strncmp(m->option, "--check", 7) == 0);
}

static void test_modes(const char *path, bool refused) {
    struct run r = {0};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i].always || !SANITIZED)
            run_mode(&r, &modes[i], path, refused);
    static const struct mode in_c[] = {{"--summary", NULL, TEXT_ASCII_ONLY, true}};
    run_mode(&r, &in_c[0], path, refused);
    free(r.out.v);
    free(r.err.v);
}

/* Runs for traces of millions of events: the modes that read all, and a frame. */
static void test_big(const char *path) {
    static const struct mode few[] = {{"--summary", NULL, TEXT, true}, {"--print=120x40", "--keys=jlEf", TEXT, true}};
    struct run r = {0};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        run_mode(&r, &few[i], path, false);
    free(r.out.v);
    free(r.err.v);
}

/* ---- command lines and file names ---- */

#define HOSTILE "\033]0;x\a\033[2J\xE2\x80\xAE\xC2\x9B\xFF\n\r%n"

static void test_options(const char *path) {
    static const struct {
        const char *options[3];
        bool refused;
        enum form form;
    } lines[] = {
        {{"--print", "--at=" HOSTILE}, true, TEXT},
        {{"--print", "--at=nan"}, true, TEXT},
        {{"--print", "--at=1e400s"}, true, TEXT},
        {{"--print", "--at=99999999999999999999s"}, false, TEXT},
        {{"--print", "--at=-5s"}, false, TEXT},
        {{"--print", "--at="}, true, TEXT},
        {{"--print", "--window=" HOSTILE}, true, TEXT},
        {{"--print", "--window=0"}, true, TEXT},
        {{"--print", "--window=-1ms"}, true, TEXT},
        {{"--print", "--window=9e999s"}, true, TEXT},
        {{"--print", "--window=99999999999999999999s", "--at=100%"}, false, TEXT},
        {{"--print", "--window=1ns", "--at=50%"}, false, TEXT},
        {{"--print", "--keys=" HOSTILE}, true, TEXT},
        {{"--print", "--keys=<" HOSTILE ">"}, true, TEXT},
        {{"--print", "--keys=<Nonsense>"}, true, TEXT},
        {{"--print", "--keys=:" NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=/" NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=&" NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=:" NASTY}, false, TEXT},
        {{"--print", "--keys=//(" NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=g" NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=t" NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=P" NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=:scale " NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=:flows " NASTY "<Enter>"}, false, TEXT},
        {{"--print", "--keys=:blobs<Enter>:w /nowhere/" NASTY "<Enter>"}, false, TEXT},
        {{"--print=" HOSTILE}, true, TEXT},
        {{"--print=0x0"}, true, TEXT},
        {{"--print=99999999999x1"}, true, TEXT},
        {{"--print=1x1"}, false, TEXT},
        {{"--print=1000x1000"}, false, TEXT},
        {{"--export=" HOSTILE}, true, TEXT},
        {{"--check=" HOSTILE}, true, TEXT},
        {{"--color=" HOSTILE}, true, TEXT},
        {{"--max-inflate=" HOSTILE}, true, TEXT},
        {{"--max-inflate=99999999999999999999t"}, true, TEXT},
        {{"--" HOSTILE}, true, TEXT},
        {{"-" HOSTILE}, true, TEXT},
        {{"--summary=" HOSTILE}, true, TEXT},
        {{"--summary", HOSTILE}, true, TEXT}, /* a second file */
        {{"--export=csv", "--keys=9"}, true, TEXT},
        {{"--export=csv", "--keys=5&" NASTY "<Enter>"}, false, CSV_LINES},
    };
    struct run r = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *argv[6] = {(char *)(uintptr_t) "fxtop"}, what[200] = "";
        int n = 1;
        for (int k = 0; k < 3 && lines[i].options[k]; k++) {
            argv[n++] = (char *)(uintptr_t)lines[i].options[k];
            snprintf(what + strlen(what), sizeof what - strlen(what), "%s ", lines[i].options[k]);
        }
        argv[n++] = (char *)(uintptr_t)path;
        argv[n] = NULL;
        run(&r, argv, memory_for(path), "C.UTF-8");
        judge(&r, what, lines[i].form, lines[i].refused, false);
        if (lines[i].refused) { /* the same line where the terminal has ASCII alone */
            run(&r, argv, memory_for(path), "C");
            judge(&r, what, TEXT_ASCII_ONLY, true, false);
        }
    }
    free(r.out.v);
    free(r.err.v);
}

static void copy(const char *from, const char *to) {
    static char bytes[65536];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t n;
    if (in < 0 || out < 0)
        die(to);
    while ((n = read(in, bytes, sizeof bytes)) > 0)
        if (write(out, bytes, (size_t)n) != n)
            die(to);
    close(in);
    close(out);
}

/* Opens a trace under hostile names, and the same names without a file. */
static void test_names(const char *path) {
    static const char *const names[] = {HOSTILE,
                                        NASTY,
                                        "\033[2J",
                                        "\xC2\x9B"
                                        "31m",
                                        "\x9B"
                                        "31m",
                                        "a\nb\nfxtop: all is well",
                                        "=cmd|'!A0",
                                        "\xE2\x80\xAEtxf",
                                        "\"},{",
                                        "%s%s%n",
                                        " ",
                                        "\\x1b",
                                        "\xED\xA0\x80",
                                        "a\xE2\x80",
                                        "-",
                                        "--help"};
    static const struct mode on[] = {
        {"--summary", NULL, TEXT, true},
        {"--export=ndjson", NULL, JSON_LINES, true},
        {"--export=json", NULL, JSON, true},
        {"--export=csv", NULL, CSV, true},
        {"--print", NULL, TEXT, true},
        {"--print", "--keys=9", TEXT, true},
        {"--summary", "--ascii", TEXT_ASCII_ONLY, true},
    };
    struct run r = {0};
    char dir[PATH_MAX], name[PATH_MAX + 100];
    snprintf(dir, sizeof dir, "%s.names", path);
    if (mkdir(dir, 0700) != 0)
        die(dir);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/%s", dir, names[i]);
        for (size_t k = 0; k < sizeof on / sizeof *on; k++) { /* not there */
            run_mode(&r, &on[k], name, true);
            k += 2;
        }
        static const struct mode in_c = {"--summary", NULL, TEXT_ASCII_ONLY, true};
        run_mode(&r, &in_c, name, true);
        copy(path, name);
        for (size_t k = 0; k < sizeof on / sizeof *on; k++)
            run_mode(&r, &on[k], name, false);
        if (truncate(name, 0) != 0)
            die(name);
        run_mode(&r, &on[0], name, true);
        unlink(name);
        if (mkdir(name, 0700) != 0)
            die(name);
        run_mode(&r, &on[0], name, true);
        rmdir(name);
    }
    rmdir(dir);
    free(r.out.v);
    free(r.err.v);
}

/* ---- the screen ---- */

/* Sequences that ncurses sends to an xterm-256color, and fxtop past it. Whatever is not here is a leak. */
static const struct csi {
    char final;
    const char *prefix; /* "?" or "" */
    int numbers;        /* at most; -1: exactly the list in `only` */
    const char *only;   /* of ';' lists with ends, each like ";1;" ; NULL: any number up to 9999 */
} allowed[] = {
    {'H', "", 2, NULL},
    {'A', "", 1, NULL},
    {'B', "", 1, NULL},
    {'C', "", 1, NULL},
    {'D', "", 1, NULL},
    {'G', "", 1, NULL},
    {'d', "", 1, NULL},
    {'X', "", 1, NULL},
    {'P', "", 1, NULL},
    {'@', "", 1, NULL},
    {'L', "", 1, NULL},
    {'M', "", 1, NULL},
    {'S', "", 1, NULL},
    {'T', "", 1, NULL},
    {'b', "", 1, NULL},
    {'Z', "", 0, NULL},
    {'r', "", 2, NULL},
    {'J', "", -1, ";; ;2;"}, /* to the end of the screen, all of it */
    {'K', "", -1, ";; ;1;"}, /* to the end of the line, to its begin */
    {'h', "", -1, ";4;"},
    {'l', "", -1, ";4;"}, /* insert mode */
    {'h', "?", -1, ";1; ;7; ;25; ;12;25; ;1049; ;1002; ;1006; ;2004;"},
    {'l', "?", -1, ";1; ;7; ;12; ;25; ;1049; ;1002; ;1006; ;2004;"},
    {'t', "", -1, ";22;0;0; ;23;0;0;"}, /* the title is saved and restored with the screen */
};

static const int sgr_numbers[] = {0, 1, 2, 4, 7, 22, 24, 27, 39, 49};

enum state { GROUND, ESCAPE, CHARSET, SEQUENCE, QUESTION };

/* After ESC: the question for the background colour, the only command of this form; it is asked once. */
static const char question[] = "]11;?\033\\";

static struct screen {
    int master;
    pid_t pid;
    enum state state;
    char seen[24]; /* the sequence, or the character, so far */
    size_t n;
    uint64_t at;     /* bytes read */
    unsigned clears; /* of the whole screen: a frame follows */
    unsigned marks;
    bool cursor_on, second_screen, mouse, paste; /* modes as they are now */
    bool asked; /* for the background */
    bool leaked, ended;
    const char *doing;
    char tail[64]; /* the bytes before */
} term;

static void leak(const char *why) {
    char context[64], what[120];
    size_t n = term.at < sizeof context ? (size_t)term.at : sizeof context;
    for (size_t i = 0; i < n; i++)
        context[i] = term.tail[(term.at - n + i) % sizeof term.tail];
    if (!term.leaked) {
        snprintf(what, sizeof what, "screen, at byte %llu, in '%s'", (unsigned long long)term.at, term.doing);
        complain(what, why, context, n, n);
    }
    term.leaked = true;
}

/* Numbers of a sequence; -1: it is not made of numbers. */
static int numbers_of(const char *s, int v[8]) {
    int n = 0;
    if (*s == '\0')
        return 0;
    for (;;) {
        if (n == 8)
            return -1;
        v[n] = -1;
        for (int digits = 0; *s >= '0' && *s <= '9'; s++) {
            if (++digits > 4)
                return -1;
            v[n] = (v[n] < 0 ? 0 : v[n]) * 10 + *s - '0';
        }
        n++;
        if (*s == '\0')
            return n;
        if (*s++ != ';')
            return -1;
    }
}

static bool colours_hold(const int *v, int n) {
    for (int i = 0; i < n; i++) {
        bool known =
            v[i] == -1 || (v[i] >= 30 && v[i] <= 37) || (v[i] >= 40 && v[i] <= 47) || (v[i] >= 90 && v[i] <= 107);
        for (size_t k = 0; k < sizeof sgr_numbers / sizeof *sgr_numbers; k++)
            known = known || v[i] == sgr_numbers[k];
        if ((v[i] == 38 || v[i] == 48) && i + 2 < n && v[i + 1] == 5 && v[i + 2] >= 0 && v[i + 2] < 256)
            i += 2;
        else if (!known)
            return false;
    }
    return true;
}

static void set_mode(const char *modes_, bool on) {
    if (strcmp(modes_, "1049") == 0)
        term.second_screen = on;
    else if (strcmp(modes_, "1002") == 0 || strcmp(modes_, "1006") == 0)
        term.mouse = on;
    else if (strcmp(modes_, "2004") == 0)
        term.paste = on;
    else if (strstr(modes_, "25"))
        term.cursor_on = on;
}

static void sequence(char final) {
    const char *prefix = term.seen[0] == '?' ? "?" : "", *body = term.seen + strlen(prefix);
    char in_list[160];
    int v[8], n = numbers_of(body, v);
    term.seen[term.n] = '\0';
    n = numbers_of(body, v);
    if (n < 0) {
        leak("a sequence that is not made of numbers");
        return;
    }
    if (final == 'm' && *prefix == '\0') {
        if (!colours_hold(v, n))
            leak("a colour or attribute that fxtop has not");
        return;
    }
    snprintf(in_list, sizeof in_list, ";%s;", body);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        const struct csi *c = &allowed[i];
        if (c->final != final || strcmp(c->prefix, prefix) != 0 ||
            (c->numbers >= 0 ? n > c->numbers : !strstr(c->only, in_list)))
            continue;
        if (*prefix)
            set_mode(body, final == 'h');
        term.clears += final == 'J' && strcmp(body, "2") == 0;
        return;
    }
    leak("a sequence that fxtop has not");
}

static void character(void) {
    uint32_t cp = 0;
    const char *why = decode((const unsigned char *)term.seen, term.n, &cp) == term.n ? forbidden_cell(cp) : "no UTF-8";
    term.marks = is_mark(cp) ? term.marks + 1 : 0;
    if (why == NULL && term.marks > MARKS_MOST)
        why = "too many combining marks";
    if (why)
        leak(why);
}

static void in_ground(unsigned char c) {
    term.seen[0] = (char)c;
    term.n = 1;
    if (c == 0x1B) {
        term.state = ESCAPE;
    } else if (c < 0x20 || c == 0x7F) {
        if (c != '\n' && c != '\r' && c != '\b')
            leak("a control character");
        term.marks = 0;
    } else if (c < 0x80) {
        character();
    }
}

static void byte(unsigned char c) {
    term.tail[term.at++ % sizeof term.tail] = (char)c;
    switch (term.state) {
    case GROUND:
        if (c >= 0x80 && c < 0xC0 && term.n > 0 && (unsigned char)term.seen[0] >= 0xC0 && term.n < 4)
            term.seen[term.n++] = (char)c;
        else
            in_ground(c);
        unsigned char first = (unsigned char)term.seen[0];
        size_t wanted = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (first >= 0x80 && (term.n == wanted || first < 0xC0)) {
            character();
            term.n = 0;
            term.seen[0] = 0;
        }
        break;
    case ESCAPE:
        term.state = c == '[' ? SEQUENCE : c == '(' ? CHARSET : c == ']' && !term.asked ? QUESTION : GROUND;
        term.n = term.state == QUESTION;
        term.seen[0] = 0;
        if (term.state == GROUND && c != 'M' && c != '=' && c != '>' && c != '7' && c != '8')
            leak("an escape that fxtop has not");
        break;
    case QUESTION:
        if (c != (unsigned char)question[term.n++]) {
            leak("a command that fxtop has not");
            term.state = GROUND;
        } else if (question[term.n] == '\0') {
            term.asked = true;
            term.state = GROUND;
        }
        term.n = term.state == QUESTION ? term.n : 0;
        break;
    case CHARSET:
        term.state = GROUND;
        if (c != 'B' && c != '0')
            leak("a character set that fxtop has not");
        break;
    default:
        if (c >= 0x40 && c < 0x7F) {
            term.seen[term.n] = '\0';
            sequence((char)c);
            term.state = GROUND;
            term.n = 0;
            term.seen[0] = 0;
        } else if (c < 0x20 || c > 0x7E || term.n + 2 > sizeof term.seen) {
            leak("a sequence that never ends");
            term.state = GROUND;
            term.n = 0;
        } else {
            term.seen[term.n++] = (char)c;
        }
        break;
    }
}

/* Reads until something came (and all of it that is there); false: fxtop has ended, or nothing came in time. */
static bool read_screen(void) {
    static unsigned char bytes[65536];
    struct pollfd ready = {term.master, POLLIN, 0};
    int n;
    while ((n = poll(&ready, 1, DEADLINE_MS)) < 0 && errno == EINTR)
        continue;
    if (n == 0) {
        leak("no answer in time");
        return false;
    }
    ssize_t got = read(term.master, bytes, sizeof bytes);
    if (got <= 0 && errno == EINTR)
        return true;
    if (got <= 0) {
        term.ended = true;
        return false;
    }
    for (ssize_t i = 0; i < got; i++)
        byte(bytes[i]);
    return true;
}

/* A terminal that takes nothing while it sends is read meanwhile. */
static void press(const char *keys, size_t n) {
    while (n > 0 && !term.ended) {
        struct pollfd ready = {term.master, POLLIN | POLLOUT, 0};
        if (poll(&ready, 1, DEADLINE_MS) <= 0)
            return;
        if (ready.revents & (POLLIN | POLLHUP) && !read_screen())
            return;
        if (!(ready.revents & POLLOUT))
            continue;
        ssize_t wrote = write(term.master, keys, n < 512 ? n : 512);
        if (wrote < 0 && errno != EINTR)
            return;
        if (wrote > 0) {
            keys += wrote;
            n -= (size_t)wrote;
        }
    }
}

static void wait_clear(unsigned before) {
    while (term.clears == before && read_screen())
        continue;
}

static void start_screen(const char *path) {
    struct winsize size = {.ws_row = 5, .ws_col = 20};
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 || ioctl(master, TIOCSWINSZ, &size) != 0)
        die("no pseudo-terminal");
    term = (struct screen){.master = master, .marks = MARKS_MOST, .cursor_on = true, .doing = "start"};
    fflush(stdout);
    term.pid = fork();
    if (term.pid < 0)
        die("fork");
    if (term.pid > 0)
        return;
    setsid();
    int fd = open(ptsname(master), O_RDWR);
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0 || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
        _exit(125);
    for (fd = 3; fd < 32; fd++)
        close(fd);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "xterm-256color", 1);
    limit_memory(memory_for(path));
    execl(fxtop, "fxtop", "--no-cache", path, (char *)NULL);
    _exit(127);
}

/* Text that a web page could put on the clipboard: also the end of the paste itself, in 7 and 8 bits. */
#define PASTED                                                                                                         \
    "z\033[31m\033]0;x\a\033P$q\033\\\xC2\x9B"                                                                         \
    "2J\x9B"                                                                                                           \
    "2J\xE2\x80\xAE\xE2\x80\x8B\xF3\xA0\x81\x81\xEE\x80\x80\xEF\xB7\x90"                                               \
    "\xED\xA0\x80\xC0\x9B%n\r\n\t\b\x7f"                                                                               \
    "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xF0\x9F\x87\xA9z"
#define PASTE "\033[200~" PASTED "\033[201~"

#define SEEN "\1" /* not a key */
/* One key per step, so that each is drawn. After each, Ctrl-L redraws the screen, so that all cells are seen and the
 * answer is known to be complete. Before it, keys that surely change something (SEEN) are waited for, so that their
 * change is seen alone. Enter leaves a prompt; Ctrl-U with Backspace cancels it. */
static const char *const walk[] = {
    "j",
    "l",
    "l",
    "f",
    "f",
    "\t",
    "l",
    "l",
    "l",
    "j",
    "\t",
    "u",
    "i",
    "^",
    "$",
    "*",
    "n",
    "]",
    "[",
    ")",
    "W",
    "d",
    "S",
    "G",
    "0",
    "E",
    "J",
    "}",
    "p",
    "j",
    "P\r",
    "o",
    "T",
    "T",
    "T",
    "!",
    "!",
    "X",
    "j",
    "1",
    "x",
    "C",
    SEEN "5",
    "j",
    "\r",
    "5",
    "s",
    ">",
    "I",
    "X",
    "1",
    SEEN "6",
    "\r",
    "j",
    "\r",
    "1",
    SEEN "7",
    "j",
    ":scale log\r",
    ":stack\r",
    ":value\r",
    SEEN "8",
    "j",
    "l",
    SEEN "9",
    "G",
    "1",
    SEEN "?",
    "G",
    "1",
    ":problems\r",
    "G",
    "\r",
    ":objects\r",
    "G",
    ":blobs\r",
    "j",
    "\r",
    "X",
    ":profile\r",
    "\r",
    "1",
    ":flows all\r",
};

static const char *const sized_walk[] = {"1", "j", "l", "\t", "l", "l",          "\t",       "5",  "6", "\r",
                                         "7", "8", "9", "1",  "X", ":objects\r", ":blobs\r", "\r", "1"};

static const char *const prompts[] = {"/", ":", "g", "&", "t", "5&", "5/", "9/"};

static void step(const char *keys) {
    unsigned before = term.clears;
    term.doing = keys;
    press(keys, strlen(keys));
    press("\f", 1);
    wait_clear(before);
}

/* The change is seen before the screen is redrawn. */
static void seen_step(const char *keys) {
    uint64_t before = term.at;
    term.doing = keys;
    press(keys, strlen(keys));
    while (term.at == before && read_screen())
        continue;
    step("");
}

static void resize(int cols, int rows) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    unsigned before = term.clears;
    term.doing = "resize";
    if (ioctl(term.master, TIOCSWINSZ, &size) != 0)
        die("TIOCSWINSZ");
    wait_clear(before);
}

static void paste_into(const char *prompt, bool enter) {
    size_t n = strlen(prompt);
    if (n > 1)
        step((char[]){prompt[0], '\0'});
    uint64_t before = term.at;
    term.doing = "paste";
    press(prompt + n - 1, 1);
    press(PASTE, sizeof PASTE - 1);
    while (term.at == before && read_screen())
        continue;
    step(enter ? "\r" : "\025\177");
    if (enter && n > 1)
        step("n");
    step("1");
}

static bool goes_on(void) {
    return !term.ended && !term.leaked;
}

static void walk_again(void) {
    for (size_t i = 0; i < sizeof sized_walk / sizeof *sized_walk && goes_on(); i++)
        step(sized_walk[i]);
}

/* The size in which most is done comes second: a third that came at once would have to wait. */
static void test_screen(const char *path) {
    start_screen(path);
    wait_clear(0);
    walk_again();
    resize(80, 24);
    for (size_t i = 0; i < sizeof walk / sizeof *walk && goes_on(); i++)
        if (walk[i][0] == *SEEN)
            seen_step(walk[i] + 1);
        else
            step(walk[i]);
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts && goes_on(); i++) {
        paste_into(prompts[i], false);
        paste_into(prompts[i], true);
    }
    if (goes_on())
        resize(200, 60);
    walk_again();
    if (term.ended && !term.leaked)
        leak("fxtop has ended by itself");
    term.doing = "leaving";
    if (!term.ended)
        press("1Q", 2);
    if (term.leaked)
        kill(term.pid, SIGKILL);
    while (!term.ended && read_screen())
        continue;
    int status = wait_for(term.pid);
    close(term.master);
    if (term.leaked)
        return;
    if (status != 0)
        leak("it did not end with status 0");
    else if (!term.cursor_on || term.second_screen || term.mouse || term.paste || term.state != GROUND)
        leak("a mode of the terminal is not as it was");
    else
        passed++;
}

/* A refusal is one line, before the screen is taken. */
static void test_refused_screen(const char *path) {
    start_screen(path);
    term.doing = "refused";
    while (read_screen())
        continue;
    int status = wait_for(term.pid);
    close(term.master);
    if (status != 2 && !term.leaked)
        leak("it did not end with status 2");
    else if (term.clears > 0 && !term.leaked)
        leak("it took the screen");
    else if (!term.leaked)
        passed++;
}

/* ---- files that cannot be read ---- */

/* Root may read everything: a mode of 000 means something once that is given up. */
static void give_up_override(void) {
#if defined __linux__ && defined PR_CAPBSET_DROP
    prctl(PR_CAPBSET_DROP, 1 /* CAP_DAC_OVERRIDE */, 0, 0, 0);
    prctl(PR_CAPBSET_DROP, 2 /* CAP_DAC_READ_SEARCH */, 0, 0, 0);
#endif
}

static void test_unreadable(const char *path) {
    static const struct mode on[] = {{"--summary", NULL, TEXT, true},
                                     {"--check", NULL, TEXT, true},
                                     {"--records", NULL, TEXT, true},
                                     {"--export=ndjson", NULL, TEXT, true},
                                     {"--print", NULL, TEXT, true}};
    struct run r = {0};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        run_mode(&r, &on[i], path, true);
    test_refused_screen(path);
    free(r.out.v);
    free(r.err.v);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "sanitized") == 0)
        return SANITIZED ? 0 : 1;
    if (argc < 4) {
        fputs("usage: strict modes|big|screen|options|names|unreadable FXTOP TRACE [trace|refused]\n", stderr);
        return 2;
    }
    bool refused = argc > 4 && strcmp(argv[4], "refused") == 0;
    fxtop = argv[2];
    subject = strrchr(argv[3], '/') ? strrchr(argv[3], '/') + 1 : argv[3];
    signal(SIGPIPE, SIG_IGN);
    unsetenv("NO_COLOR");
    unsetenv("COLUMNS");
    unsetenv("LINES");
    if (strcmp(argv[1], "modes") == 0) {
        test_modes(argv[3], refused);
    } else if (strcmp(argv[1], "big") == 0) {
        test_big(argv[3]);
    } else if (strcmp(argv[1], "options") == 0) {
        test_options(argv[3]);
    } else if (strcmp(argv[1], "names") == 0) {
        test_names(argv[3]);
    } else if (strcmp(argv[1], "unreadable") == 0) {
        give_up_override();
        test_unreadable(argv[3]);
    } else if (refused) {
        test_refused_screen(argv[3]);
    } else {
        test_screen(argv[3]);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed > 0;
}
