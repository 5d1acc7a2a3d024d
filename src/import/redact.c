/* redact.c - a table of all texts, and the names of it in order.
 *
 * A text quotes a name if the name is a part of it. At each place of the text the last name in
 * order that is not after the rest is found by bisection. It may be no prefix of the rest. Then a
 * name that is one is a prefix of their common part, and the search goes on with that.
 *
 * The file may change while it is read. So what is returned once texts are learned is never the
 * caller's memory: a text is the learned one, and bytes are copied before they are looked at. */
#include "src/import/redact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/lower_bound.h"
#include "src/base/vec.h"
#include "src/fxt/names.h"

#define QUOTED_LEAST 4 /* bytes of a name that is sought in other texts */

struct redact {
    unsigned what;
    bool learned;
    struct names *texts;
    VEC(unsigned char) is_name; /* by number */
    VEC(struct str) names; /* those of at least QUOTED_LEAST bytes, in the order of their bytes */
    char *bytes;           /* those of a record */
    size_t used, most;     /* of them; used at most by a record while learning */
    bool changed;          /* something else came since */
};

struct redact *redact_new(unsigned what) {
    struct redact *r = err_calloc(1, sizeof *r);
    r->what = what;
    r->texts = names_new();
    return r;
}

void redact_free(struct redact *r) {
    if (r == NULL)
        return;
    names_free(r->texts);
    vec_free(&r->is_name);
    vec_free(&r->names);
    free(r->bytes);
    free(r);
}

static int compare(struct str a, struct str b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.s, b.s, n) : 0;
    if (order != 0)
        return order;
    return a.n < b.n ? -1 : a.n > b.n;
}

static int by_bytes(const void *a, const void *b) {
    return compare(*(const struct str *)a, *(const struct str *)b);
}

void redact_learned(struct redact *r) {
    for (uint32_t i = 0; i < r->is_name.n; i++)
        if (r->is_name.v[i] && names_str(r->texts, i).n >= QUOTED_LEAST)
            vec_push(&r->names, names_str(r->texts, i));
    if (r->names.n > 0)
        qsort(r->names.v, r->names.n, sizeof *r->names.v, by_bytes);
    r->bytes = err_malloc(r->most);
    r->used = 0;
    r->learned = true;
}

bool redact_learns(const struct redact *r) {
    return r && !r->learned;
}

bool redact_changed(const struct redact *r) {
    return r && r->changed;
}

static bool begins_with_name(const struct redact *r, struct str rest) {
    while (rest.n >= QUOTED_LEAST) {
        size_t at = 0, common = 0;
        lower_bound(at, r->names.n, i, compare(r->names.v[i], rest) <= 0);
        if (at == 0)
            return false;
        struct str name = r->names.v[at - 1];
        while (common < name.n && common < rest.n && name.s[common] == rest.s[common])
            common++;
        if (common == name.n)
            return true;
        rest.n = common;
    }
    return false;
}

static bool quotes_name(const struct redact *r, struct str text) {
    uint32_t number = names_find(r->texts, text.s, text.n);
    if (number < r->is_name.n && r->is_name.v[number])
        return true;
    for (size_t i = 0; i + QUOTED_LEAST <= text.n; i++)
        if (begins_with_name(r, (struct str){text.s + i, text.n - i}))
            return true;
    return false;
}

static bool is_among(struct str text, const char *const *words) {
    while (*words && !str_eq(text, str_of(*words)))
        words++;
    return *words != NULL;
}

/* Words that readers of the format look for. */
static bool has_meaning(enum redact_role role, struct str text) {
    static const char *const words[] =
        {"process",     "sort_index", "incoming_weight", "outgoing_weight", "ktrace_drop_stats",
         "kernel:meta", NULL},
                             *const scheduling[] = {"weight",           "waker", "state", "io_wait",
                                                    "blocked_function", NULL},
                             *const states[] = {"R", "R+", "S", "D", "T", "t", "X", "Z",
                                                "I", "P",  "K", "W", "x", "N", NULL};
    if (role == REDACT_STATE)
        return is_among(text, states);
    return is_among(text, words) || (role == REDACT_SCHEDULING && is_among(text, scheduling));
}

static bool is_value(enum redact_role role) {
    return role == REDACT_VALUE || role == REDACT_STATE;
}

static void learn(struct redact *r, enum redact_role role, struct str text) {
    uint32_t number = names_intern(r->texts, text.s, text.n);
    while (r->is_name.n <= number)
        vec_push(&r->is_name, 0);
    r->is_name.v[number] |= !is_value(role) && !has_meaning(role, text);
}

/* Whether the text of this number is one that was learned in that role. */
static bool is_learned(const struct redact *r, enum redact_role role, uint32_t number) {
    return number < r->is_name.n && (is_value(role) || r->is_name.v[number] ||
                                     has_meaning(role, names_str(r->texts, number)));
}

static bool is_redacted(const struct redact *r, enum redact_role role, struct str text) {
    if (role != REDACT_VALUE && has_meaning(role, text))
        return false;
    if (!is_value(role))
        return r->what & REDACT_NAMES;
    return (r->what & REDACT_ARGS) || quotes_name(r, text);
}

struct str redact_text(struct redact *r, enum redact_role role, struct str text,
                       char buf[REDACT_TEXT]) {
    static const char *const words[] = {"name", "argument", "value", "argument", "value"};
    if (r == NULL || text.n == 0)
        return text;
    if (!r->learned) {
        learn(r, role, text);
        return text;
    }
    uint32_t number = names_find(r->texts, text.s, text.n);
    if (!is_learned(r, role, number)) {
        r->changed = true;
        return STR("");
    }
    if (!is_redacted(r, role, names_str(r->texts, number)))
        return names_str(r->texts, number);
    int n = snprintf(buf, REDACT_TEXT, "%s %u", words[role], number);
    return (struct str){buf, (size_t)n};
}

void redact_record(struct redact *r) {
    if (r)
        r->used = 0;
}

struct str redact_copy(struct redact *r, struct str bytes) {
    if (r == NULL || bytes.n == 0)
        return bytes;
    if (!r->learned) {
        r->used += bytes.n;
        r->most = r->used > r->most ? r->used : r->most;
        return bytes;
    }
    r->changed = r->changed || bytes.n > r->most - r->used;
    if (bytes.n > r->most - r->used)
        return STR("");
    char *to = r->bytes + r->used;
    r->used += bytes.n;
    return (struct str){memcpy(to, bytes.s, bytes.n), bytes.n};
}

struct str redact_bytes(struct redact *r, struct str bytes) {
    struct str copy = redact_copy(r, bytes);
    if (r && r->learned && copy.n > 0 && ((r->what & REDACT_ARGS) || quotes_name(r, copy)))
        memset(r->bytes + r->used - copy.n, 0, copy.n);
    return copy;
}
