/* nsys.h - databases of Nsight Systems (nsys export --type sqlite). */
#ifndef FXTOP_NSYS_H
#define FXTOP_NSYS_H

#include "src/io/import.h"

extern const struct importer nsys; /* only with SQLite */

#endif
