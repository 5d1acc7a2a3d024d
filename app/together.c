/* together.c - the options of --together: names of traces, offsets, hosts.
 *
 * A trace has the name of its file without .fxt, .json, .gz and .zst. Equal names get their
 * folders, and if those are the same a number. Options take a name, or the number of a trace. */
#include "app/together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/units.h"
#include "ui/keep/keep_set.h"

/* ---- names ---- */

static bool cut_ending(struct str *name, const char *ending) {
    size_t n = strlen(ending);
    bool ends = name->n > n && memcmp(name->s + name->n - n, ending, n) == 0;
    name->n -= ends ? n : 0;
    return ends;
}

/* The last `folders` folders of a path and its file, without the endings. */
static struct str name_of(const char *path, int folders) {
    struct str name = {path, strlen(path)};
    for (size_t at = name.n; at-- > 0;)
        if (path[at] == '/' && folders-- == 0) {
            name = (struct str){path + at + 1, name.n - at - 1};
            break;
        }
    if (!cut_ending(&name, ".gz"))
        cut_ending(&name, ".zst");
    if (!cut_ending(&name, ".fxt"))
        cut_ending(&name, ".json");
    return name;
}

static bool is_taken(const struct together_set *set, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(set->names[i], name) == 0)
            return true;
    return false;
}

static bool is_unique(char *const *paths, size_t n, size_t i, int folders) {
    struct str name = name_of(paths[i], folders);
    for (size_t k = 0; k < n; k++)
        if (k != i && str_eq(name_of(paths[k], folders), name))
            return false;
    return true;
}

static void make_names(struct together_set *set, char *const *paths, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int folders = 0;
        while (folders < 2 && !is_unique(paths, n, i, folders))
            folders++;
        struct str name = name_of(paths[i], folders);
        size_t space = name.n + 16;
        char *text = set->names[i] = err_malloc(space);
        snprintf(text, space, "%.*s", (int)name.n, name.s);
        for (unsigned k = 2; is_taken(set, i, text); k++)
            snprintf(text, space, "%.*s %u", (int)name.n, name.s, k);
    }
}

/* The trace of a name or number. */
static bool find(const struct together_set *set, struct str name, size_t *found, struct err *err) {
    char list[160] = "";
    size_t number = 0;
    for (size_t i = 0;
         i < name.n && number <= TOGETHER_MOST && name.s[i] >= '0' && name.s[i] <= '9'; i++)
        number = number * 10 + (size_t)(name.s[i] - '0');
    for (size_t i = 0; i < set->set.n; i++)
        if (str_eq(str_of(set->names[i]), name)) {
            *found = i;
            return true;
        }
    if (number > 0 && number <= set->set.n && name.n < 3) {
        *found = number - 1;
        return true;
    }
    for (size_t i = 0, n = 0; i < set->set.n && n + 1 < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", set->names[i]);
    return err_set(err, ERR_NO_OFFSET, "no trace '%.*s': there are %s",
                   (int)(name.n < 40 ? name.n : 40), name.s, list);
}

/* ---- options ---- */

/* NAME=[+|-]TIME */
static bool set_offset(struct together_set *set, const char *text, struct err *err) {
    const char *equals = strrchr(text, '='), *time = equals ? equals + 1 : text;
    bool sign = *time == '+' || *time == '-';
    size_t i;
    int64_t ns;
    if (equals == NULL || !units_parse(time + sign, strlen(time + sign), &ns))
        return err_set(err, ERR_NO_OFFSET,
                       "--offset expects NAME=TIME, like client=+12ms, not '%.80s'", text);
    if (!find(set, (struct str){text, (size_t)(equals - text)}, &i, err))
        return false;
    if (ns > ALIGN_MOST)
        return err_set(err, ERR_NO_OFFSET, "--offset is at most 73 years");
    if (i == set->set.reference)
        return err_set(err, ERR_NO_OFFSET,
                       "the reference %s does not move: --reference chooses another one",
                       set->names[i]);
    set->offsets[i] = *time == '-' ? -ns : ns;
    set->given[i] = true;
    return true;
}

/* Puts the traces of --same-host into one world. */
static bool join_hosts(struct together_set *set, const struct together *t, struct err *err) {
    bool same[TOGETHER_MOST] = {false};
    size_t n = set->set.n;
    const char *rest = t->hosts;
    for (size_t i = 0; i < n; i++)
        same[i] = t->same_host && rest == NULL;
    while (rest && *rest) {
        size_t length = strcspn(rest, ","), i;
        if (!find(set, (struct str){rest, length}, &i, err))
            return false;
        same[i] = true;
        rest += length + (rest[length] == ',');
    }
    uint16_t next = 0;
    int host = -1;
    for (size_t i = 0; i < n; i++) {
        set->worlds[i] = same[i] && host >= 0 ? (uint16_t)host : next++;
        host = same[i] ? set->worlds[i] : host;
    }
    return true;
}

/* One file by two names is mostly a mistake. */
static bool check_files(const struct together_set *set, struct err *err) {
    const bool *given = set->given;
    struct stat status[TOGETHER_MOST];
    bool there[TOGETHER_MOST];
    for (size_t i = 0; i < set->set.n; i++) {
        there[i] = stat(set->set.paths[i], &status[i]) == 0 && S_ISREG(status[i].st_mode);
        for (size_t k = 0; there[i] && k < i; k++)
            if (there[k] && status[i].st_ino == status[k].st_ino &&
                status[i].st_dev == status[k].st_dev && !given[i] && !given[k])
                return err_set(err, ERR_NO_OFFSET,
                               "%s and %s are one file: --offset=%s=TIME opens it twice",
                               set->names[k], set->names[i], set->names[i]);
    }
    return true;
}

bool together_make(struct together_set *set, const struct together *t, char *const *paths, size_t n,
                   struct err *err) {
    set->set.how = t->how;
    set->set.joins_all = t->joins_flows;
    set->set.joins_category = t->category;
    if (n < 2 || n > TOGETHER_MOST)
        return err_set(err, ERR_NO_OFFSET, "--together expects 2 to %d traces", TOGETHER_MOST);
    make_names(set, paths, n);
    for (size_t i = 0; i < n; i++)
        set->paths[i] = paths[i];
    set->set.paths = set->paths;
    set->set.unread = set->unread;
    set->set.names = (const char *const *)set->names;
    set->set.n = n;
    set->set.offsets = set->offsets;
    set->set.worlds = set->worlds;
    set->hosted = t->same_host;
    if (t->reference && !find(set, str_of(t->reference), &set->set.reference, err))
        return false;
    for (int i = 0; i < t->noffsets; i++)
        if (!set_offset(set, t->offsets[i], err))
            return false;
    return join_hosts(set, t, err) && check_files(set, err);
}

void together_take(struct together_set *set, const char *session) {
    int64_t offsets[TOGETHER_MOST] = {0};
    uint16_t worlds[TOGETHER_MOST];
    bool moved[TOGETHER_MOST] = {false}, hosted = false;
    struct keep_set kept = {set->set.n, offsets, worlds, moved, &hosted};
    keep_set_read(session, &kept);
    for (size_t i = 0; i < set->set.n; i++)
        if (moved[i] && !set->given[i] && i != set->set.reference)
            set->offsets[i] = offsets[i];
    if (hosted && !set->hosted)
        memcpy(set->worlds, worlds, set->set.n * sizeof *worlds);
    set->hosted = set->hosted || hosted;
}

static void close_gap(struct together_set *set, size_t file) {
    size_t left = --set->set.n - file;
    uint16_t world = set->worlds[file];
    bool shared = false;
    memmove(set->names + file, set->names + file + 1, left * sizeof *set->names);
    memmove(set->paths + file, set->paths + file + 1, left * sizeof *set->paths);
    memmove(set->offsets + file, set->offsets + file + 1, left * sizeof *set->offsets);
    memmove(set->worlds + file, set->worlds + file + 1, left * sizeof *set->worlds);
    for (size_t i = 0; i < set->set.n; i++)
        shared = shared || set->worlds[i] == world;
    for (size_t i = 0; i < set->set.n && !shared; i++)
        set->worlds[i] -= set->worlds[i] > world;
    if (set->set.reference == file)
        set->set.reference = 0;
    else
        set->set.reference -= set->set.reference > file;
    set->offsets[set->set.reference] = 0;
}

bool together_leave_out(struct together_set *set, size_t file, const struct err *err) {
    if (set->set.n == 1)
        return false;
    set->unread[set->set.nunread++] = (struct trace_unread){set->names[file], *err};
    close_gap(set, file);
    return true;
}

void together_free(struct together_set *set) {
    for (size_t i = 0; i < set->set.n; i++)
        free(set->names[i]);
    for (size_t i = 0; i < set->set.nunread; i++)
        free((char *)(uintptr_t)set->unread[i].name);
}

bool together_note(const struct together_set *set, size_t i, enum align_method method,
                   struct err *note) {
    if (!align_is_guess(method))
        return false;
    err_set(note, ERR_NO_OFFSET, "aligned with %s: %s: --offset=%s=TIME moves it",
            set->names[set->set.reference], align_text(method), set->names[i]);
    return true;
}
