/* importers.h - the formats besides FXT that fxtop opens, for file_open(): a row each, ended by
 * NULL. */
#ifndef FXTOP_IMPORTERS_H
#define FXTOP_IMPORTERS_H

#include "src/io/import.h"

extern const struct importer *const importers[];

#endif
