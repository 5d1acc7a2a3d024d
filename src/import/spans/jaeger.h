/* jaeger.h - the importer of the JSON of Jaeger's API (doc/IMPORT.md). */
#ifndef FXTOP_JAEGER_H
#define FXTOP_JAEGER_H

#include "src/io/import.h"

extern const struct importer jaeger;

#endif
