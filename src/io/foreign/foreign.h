/* foreign.h - formats that fxtop does not read: their names, and the programs that convert them. */
#ifndef FXTOP_FOREIGN_H
#define FXTOP_FOREIGN_H

#include <stdbool.h>

#include "src/base/err.h"
#include "src/base/str.h"

#define FOREIGN_FIRST 4096 /* bytes that are looked at */
#define FOREIGN_LEAST 8    /* that decide whether it may be one */
#define FOREIGN_BRIEF 32   /* enough for most */
#define FOREIGN_UTF16                                                                              \
    "text in UTF-16: make it UTF-8 first (iconv -f UTF-16 -t UTF-8 FILE | fxtop -)"
#define FOREIGN_TABLES 150 /* bytes of the names of tables */

/* Whether the first 8 bytes are the magic of FXT, in either byte order. */
bool foreign_is_fxt(struct str first);
/* 8 bytes: false if they are the magic of FXT, or begin JSON */
bool foreign_may_be(struct str first);
/* The name of a format by the first bytes of a file, and its converter; NULL: it may be a trace. */
const char *foreign_name(struct str first);
/* Does the same for text, by its lines. */
const char *foreign_text_name(struct str first);
/* Does the same for a directory; NULL: it is not known. */
const char *foreign_folder(const char *path);
/* Puts the format of a file that is no trace into err; path: NULL if it has none. Returns false. */
bool foreign_refuse(struct str first, const char *path, struct err *err);

bool foreign_database(struct str first); /* of SQLite */
/* The names of the tables of an SQLite database, `a, b, c`; false: it is none, or they are not
 * found. fd: of the file, or -1 if only its first bytes are known. nsys: it may be of Nsight
 * Systems. */
bool foreign_tables(struct str first, int fd, char names[FOREIGN_TABLES], bool *nsys);

#endif
