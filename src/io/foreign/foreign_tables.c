/* foreign_tables.c - the names of the tables of an SQLite database, so that one can be exported.
 *
 * The tree of the schema begins at page 1. Its leaves have a record for each table and index: type,
 * name, ... Pages are read one by one, and no more than a few; a damaged tree ends the list. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/base/text.h"
#include "src/io/foreign/foreign.h"

#define HEADER 100 /* bytes of page 1 before its tree */
#define PAGES_MAX 256
#define PAGE_MAX 65536u
#define NAME_LEAST 20 /* bytes that a name and its comma have */
enum { LEAF = 13, INTERIOR = 5 };

struct database {
    struct str first;
    int fd;
    size_t size; /* of a page */
    unsigned char page[PAGE_MAX];
    uint32_t todo[PAGES_MAX]; /* pages of the tree, in the order of their entries */
    size_t ntodo;
    char *names;
    size_t nnames;
    bool full, nsys; /* full: names has no space for another one */
};

static size_t two(const unsigned char *p) {
    return (size_t)p[0] << 8 | p[1];
}

static bool read_page(struct database *db, uint32_t number) {
    uint64_t at = (uint64_t)(number - 1) * db->size;
    if (number == 0)
        return false;
    if (db->fd >= 0)
        return pread(db->fd, db->page, db->size, (off_t)at) == (ssize_t)db->size;
    if (at >= db->first.n || db->first.n - at < db->size)
        return false;
    memcpy(db->page, db->first.s + at, db->size);
    return true;
}

/* A number of up to 9 bytes. False: it does not end in the page. */
static bool varint(const struct database *db, size_t *at, uint64_t *v) {
    *v = 0;
    for (int i = 0; i < 9 && *at < db->size; i++) {
        unsigned char c = db->page[(*at)++];
        *v = *v << (i == 8 ? 8 : 7) | (i == 8 ? c : c & 127u);
        if (c < 128 || i == 8)
            return true;
    }
    return false;
}

/* Adds a name to the list, which ends in ", ..." if it may have no space. */
static void add(struct database *db, struct str called) {
    static const char rest[] = ", ...";
    size_t left = FOREIGN_TABLES - db->nnames;
    db->nsys |= str_eq(called, STR("StringIds"));
    if (db->full)
        return;
    db->full = left < NAME_LEAST + sizeof rest;
    if (db->full) {
        memcpy(db->names + db->nnames, rest, sizeof rest);
        return;
    }
    if (db->nnames > 0)
        db->nnames += (size_t)snprintf(db->names + db->nnames, left, ", ");
    left = FOREIGN_TABLES - db->nnames;
    db->nnames += text_plain(db->names + db->nnames, left - sizeof rest + 1, called, TEXT_ASCII);
}

/* Adds the name of the entry at an offset of a leaf, if it is that of a table. False: it is
 * damaged. */
static bool entry(struct database *db, size_t at) {
    uint64_t bytes, number, header, type, name;
    if (!varint(db, &at, &bytes) || !varint(db, &at, &number))
        return false;
    size_t start = at;
    if (!varint(db, &at, &header) || !varint(db, &at, &type) || !varint(db, &at, &name) ||
        header > db->size)
        return false;
    /* of texts, whose types are odd */
    uint64_t length = (type - 13) / 2, name_length = (name - 13) / 2;
    size_t text = start + (size_t)header;
    if (type < 13 || name < 13 || length > db->size || name_length > db->size ||
        text + length + name_length > db->size)
        return false;
    struct str is = {(const char *)db->page + text, (size_t)length},
               called = {is.s + length, (size_t)name_length};
    if (!str_eq(is, STR("table")) || (called.n >= 7 && memcmp(called.s, "sqlite_", 7) == 0))
        return true;
    add(db, called);
    return true;
}

/* The entries of a page, or the pages below it. False: no more. */
static bool take(struct database *db, uint32_t number) {
    size_t tree = number == 1 ? HEADER : 0;
    const unsigned char *p = db->page + tree;
    if (!read_page(db, number) || (p[0] != LEAF && p[0] != INTERIOR))
        return false;
    size_t cells = two(p + 3), from = p[0] == LEAF ? 8 : 12;
    for (size_t i = 0; i < cells && tree + from + 2 * i + 2 <= db->size; i++) {
        size_t cell = two(p + from + 2 * i);
        if (p[0] == LEAF && !entry(db, cell))
            return false;
        if (p[0] == INTERIOR && cell + 4 <= db->size && db->ntodo < PAGES_MAX)
            db->todo[db->ntodo++] =
                (uint32_t)two(db->page + cell) << 16 | (uint32_t)two(db->page + cell + 2);
    }
    if (p[0] == INTERIOR && db->ntodo < PAGES_MAX)
        db->todo[db->ntodo++] = (uint32_t)two(p + 8) << 16 | (uint32_t)two(p + 10);
    return true;
}

bool foreign_database(struct str first) {
    return first.n >= 16 && memcmp(first.s, "SQLite format 3", 16) == 0;
}

bool foreign_tables(struct str first, int fd, char names[FOREIGN_TABLES], bool *nsys) {
    *nsys = false;
    if (first.n < HEADER || !foreign_database(first))
        return false;
    size_t size = two((const unsigned char *)first.s + 16);
    struct database *db = err_calloc(1, sizeof *db);
    db->first = first;
    db->fd = fd;
    db->size = size == 1 ? PAGE_MAX : size;
    db->names = names;
    db->todo[db->ntodo++] = 1;
    for (size_t i = 0; db->size >= 512 && i < db->ntodo && take(db, db->todo[i]); i++)
        ;
    bool found = db->nnames > 0;
    *nsys = db->nsys;
    free(db);
    return found;
}
