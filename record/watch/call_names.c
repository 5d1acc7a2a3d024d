/* call_names.c - the tables of system calls, split into names at their first use. */
#include "record/watch/call_names.h"

#include <string.h>

#include "record/watch/call_tables.h"

#define CALLS 512
#define ERRORS 134
#define RESTART 512 /* errors of the kernel itself begin here */

struct table {
    const char *text;
    unsigned n; /* 0: it is not split */
    struct call_name v[CALLS];
};

#if defined __aarch64__
static struct table wide = {.text = call_tables_aarch64};
static struct table narrow_one; /* their numbers are those of another machine */
#elif defined __i386__
static struct table wide = {.text = call_tables_i386};
static struct table narrow_one = {.text = call_tables_i386};
#else
static struct table wide = {.text = call_tables_x86_64};
static struct table narrow_one = {.text = call_tables_i386};
#endif

static struct str next_word(const char **at, const char *ends) {
    *at += strspn(*at, " ");
    struct str word = {*at, strcspn(*at, ends)};
    *at += word.n;
    return word;
}

/* The line of a call; NULL: its arguments are not known. */
static const char *arguments_of(struct str name) {
    for (const char *line = call_tables_arguments; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, name.s, name.n) == 0 && strchr(" \n", line[name.n]))
            return line + name.n;
    return NULL;
}

static void split(struct table *t) {
    for (const char *at = t->text; at && *at && t->n < CALLS; t->n++) {
        struct call_name *call = &t->v[t->n];
        struct str name = next_word(&at, " ");
        if (name.n == 0 || *name.s == '-')
            continue;
        call->name = name;
        const char *line = arguments_of(name);
        while (line && *line == ' ' && call->n < CALL_NAMES_ARGUMENTS) {
            struct str word = next_word(&line, " \n");
            call->arguments[call->n++] = (struct call_argument){*word.s, {word.s + 1, word.n - 1}};
        }
    }
}

const struct call_name *call_names_find(uint64_t number, bool narrow) {
    static const struct call_name none;
    struct table *t = narrow ? &narrow_one : &wide;
    if (t->n == 0)
        split(t);
    return number < t->n ? &t->v[number] : &none;
}

bool call_names_opens(const struct call_name *call) {
    static const char *const names[] = {"open",   "openat",  "openat2", "creat",       "socket",
                                        "accept", "accept4", "dup",     "memfd_create"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(call->name, str_of(names[i])))
            return true;
    return false;
}

struct str call_names_error(uint64_t number) {
    static const char *const own[] = {"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND",
                                      "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK"};
    static struct str names[ERRORS];
    static const char *at = call_tables_errors; /* at its end once all are split */
    for (unsigned i = 1; *at && i < ERRORS; i++)
        names[i] = next_word(&at, " ");
    if (number >= RESTART && number - RESTART < sizeof own / sizeof *own)
        return str_of(own[number - RESTART]);
    return number < ERRORS && names[number].n > 1 ? names[number] : STR("");
}
