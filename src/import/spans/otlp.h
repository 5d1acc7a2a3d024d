/* otlp.h - the importer of OpenTelemetry's JSON (doc/IMPORT.md). */
#ifndef FXTOP_OTLP_H
#define FXTOP_OTLP_H

#include "src/io/import.h"

extern const struct importer otlp;

#endif
