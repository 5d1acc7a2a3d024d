/* database_files.h - the files of SQLite: without a name, where all temporary files are, with their
 * reserve of the disk (RELIABILITY 4.6). A database that is attached has the number of a descriptor
 * in place of a name. */
#ifndef FXTOP_DATABASE_FILES_H
#define FXTOP_DATABASE_FILES_H

/* The name of the system of files for sqlite3_open_v2(), registered when it is first asked for.
 * NULL: it cannot be. */
const char *database_files_vfs(void);

#endif
