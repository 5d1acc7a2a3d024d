/* sql_words.c - completion of a query.
 *
 * The last word is completed. After FROM and JOIN it is a table. Elsewhere columns of tables that
 * the query names come first, then tables, then other columns; each word once. They are listed once
 * for a text that is completed. */
#include "ui/views/sql/sql_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/err.h"
#include "src/base/map.h"

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether the text has a word, in any case. */
static bool names(const char *text, struct str word) {
    for (const char *s = text; *s; s++) {
        if ((s == text || !is_word(s[-1])) && strncasecmp(s, word.s, word.n) == 0 &&
            !is_word(s[word.n]))
            return true;
    }
    return false;
}

/* Whether the word before the last one wants a table. */
static bool wants_table(const char *stem, size_t at) {
    while (at > 0 && stem[at - 1] == ' ')
        at--;
    size_t end = at;
    while (at > 0 && is_word(stem[at - 1]))
        at--;
    return end - at == 4 &&
           (strncasecmp(stem + at, "from", 4) == 0 || strncasecmp(stem + at, "join", 4) == 0);
}

struct entry {
    struct str table, column; /* column: empty for the table itself */
};

static bool next_entry(const char **words, struct entry *e) {
    const char *s = *words, *end = strchr(s, '\n'), *blank = strchr(s, ' ');
    if (end == NULL || blank == NULL || blank > end)
        return false;
    *e = (struct entry){{s, (size_t)(blank - s)}, {blank + 1, (size_t)(end - blank - 1)}};
    *words = end + 1;
    return true;
}

enum group { OF_NAMED, TABLES, OTHERS, GROUPS };

static enum group group_of(const struct entry *e, const char *stem) {
    if (e->column.n == 0)
        return TABLES;
    return names(stem, e->table) ? OF_NAMED : OTHERS;
}

static bool offered(const struct entry *e, const char *stem, size_t at, struct str *word) {
    *word = e->column.n > 0 ? e->column : e->table;
    size_t n = strlen(stem) - at;
    return word->n >= n && strncasecmp(word->s, stem + at, n) == 0 &&
           (e->column.n == 0 || !wants_table(stem, at));
}

struct wanted {
    const struct sql_words *list;
    struct str word;
};

static bool same(const void *ctx, uint32_t number) {
    const struct wanted *w = ctx;
    struct str other = w->list->v.v[number];
    return other.n == w->word.n && memcmp(other.s, w->word.s, other.n) == 0;
}

static void list_words(struct sql_words *list, const char *words, size_t at) {
    const char *stem = list->stem;
    struct map known = {0};
    struct entry e;
    struct wanted wanted = {.list = list};
    list->v.n = 0;
    for (int g = OF_NAMED; g < GROUPS; g++)
        for (const char *s = words; next_entry(&s, &e);) {
            if (!offered(&e, stem, at, &wanted.word) || group_of(&e, stem) != (enum group)g)
                continue;
            uint32_t next = (uint32_t)list->v.n;
            if (map_intern(&known, hash_bytes(wanted.word.s, wanted.word.n), same, &wanted, next) ==
                next)
                vec_push(&list->v, wanted.word);
        }
    map_free(&known);
}

const char *sql_words_complete(struct sql_words *list, const char *words, const char *stem,
                               size_t n) {
    size_t at = strlen(stem);
    bool listed = list->stem && strcmp(list->stem, stem) == 0;
    while (at > 0 && is_word(stem[at - 1]))
        at--;
    if (!listed) {
        free(list->stem);
        list->stem = err_copy(stem, strlen(stem));
        list_words(list, words, at);
    }
    if (n >= list->v.n)
        return NULL;
    list->line.n = 0;
    chars_add(&list->line, (struct str){stem, at});
    chars_add(&list->line, list->v.v[n]);
    chars_add(&list->line, (struct str){"", 1});
    return list->line.v;
}

void sql_words_free(struct sql_words *list) {
    free(list->stem);
    vec_free(&list->v);
    vec_free(&list->line);
}
