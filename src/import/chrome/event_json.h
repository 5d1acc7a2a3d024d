/* event_json.h - the importer of Chrome's trace event format. */
#ifndef FXTOP_EVENT_JSON_H
#define FXTOP_EVENT_JSON_H

#include "src/io/import.h"

extern const struct importer event_json;

#endif
