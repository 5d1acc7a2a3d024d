/* perfetto.h - the importer of Perfetto's traces in protobuf (doc/IMPORT.md). */
#ifndef FXTOP_PERFETTO_H
#define FXTOP_PERFETTO_H

#include "src/io/import.h"

extern const struct importer perfetto;

#endif
