/* zipkin.h - the importer of the JSON of Zipkin v2 (doc/IMPORT.md). */
#ifndef FXTOP_ZIPKIN_H
#define FXTOP_ZIPKIN_H

#include "src/io/import.h"

extern const struct importer zipkin;

#endif
