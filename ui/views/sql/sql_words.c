/* sql_words.c - completion of a query.
 *
 * The last word is completed. After FROM and JOIN it is a table. Elsewhere columns of tables that the query names come
 * first, then tables, then other columns; each word once. */
#include "ui/views/sql/sql_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether the text has a word, in any case. */
static bool names(const char *text, struct str word) {
    for (const char *s = text; *s; s++) {
        if ((s == text || !is_word(s[-1])) && strncasecmp(s, word.s, word.n) == 0 && !is_word(s[word.n]))
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
    return end - at == 4 && (strncasecmp(stem + at, "from", 4) == 0 || strncasecmp(stem + at, "join", 4) == 0);
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
    return e->column.n == 0 ? TABLES : names(stem, e->table) ? OF_NAMED : OTHERS;
}

static bool offered(const struct entry *e, const char *stem, size_t at, struct str *word) {
    *word = e->column.n > 0 ? e->column : e->table;
    size_t n = strlen(stem) - at;
    return word->n >= n && strncasecmp(word->s, stem + at, n) == 0 && (e->column.n == 0 || !wants_table(stem, at));
}

/* Whether an entry before this one offers the same word. */
static bool repeated(const char *words, const struct entry *at, enum group group, const char *stem, struct str word) {
    struct entry e;
    for (int g = OF_NAMED; g <= (int)group; g++)
        for (const char *s = words; next_entry(&s, &e);) {
            struct str other = e.column.n > 0 ? e.column : e.table;
            if (g == (int)group && e.table.s == at->table.s && e.column.s == at->column.s)
                break;
            if (other.n == word.n && memcmp(other.s, word.s, word.n) == 0 && group_of(&e, stem) == (enum group)g)
                return true;
        }
    return false;
}

const char *sql_words_complete(const char *words, const char *stem, size_t n, struct chars *out) {
    size_t at = strlen(stem);
    struct entry e;
    struct str word;
    while (at > 0 && is_word(stem[at - 1]))
        at--;
    for (int g = OF_NAMED; g < GROUPS; g++)
        for (const char *s = words; next_entry(&s, &e);) {
            if (group_of(&e, stem) != (enum group)g || !offered(&e, stem, at, &word) ||
                repeated(words, &e, (enum group)g, stem, word))
                continue;
            if (n-- > 0)
                continue;
            out->n = 0;
            chars_add(out, (struct str){stem, at});
            chars_add(out, word);
            chars_add(out, (struct str){"", 1});
            return out->v;
        }
    return NULL;
}
