/* table.h - the importer of tables: CSV, and JSON lines, by the names of their columns
 * (doc/IMPORT.md). */
#ifndef FXTOP_SRC_IMPORT_TABLES_TABLE_H
#define FXTOP_SRC_IMPORT_TABLES_TABLE_H

#include "src/io/import.h"

extern const struct importer table, table_lines; /* table_lines: of JSON */

#endif
